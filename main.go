// Command terraform-provider-reseller is the provider as Terraform and OpenTofu
// start it. With `simulate` as its first argument it serves the simulator
// instead, with `review` it lists the effects of a saved plan, and with
// `version` it prints its version.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/privatelabels/terraform-provider-reseller/internal/command"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect/review"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const address = "registry.terraform.io/privatelabels/reseller"

// version is set by the linker: -X main.version=1.2.3.
var version string

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	command.QuietLibraries()
	if len(args) > 0 && args[0] == "review" {
		return review.Main(context.Background(), args[1:], provider.Reviewers(), os.Stdin, os.Stdout, os.Stderr)
	}
	if len(args) > 0 && args[0] == "simulate" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return simulator.Main(ctx, args[1:], os.Stdout, os.Stderr)
	}
	if err := serve(args, command.Version(version)); err != nil {
		fmt.Fprintln(os.Stderr, "terraform-provider-reseller:", err)
		return 1
	}
	return 0
}

func serve(args []string, own string) error {
	flags := flag.NewFlagSet("terraform-provider-reseller", flag.ExitOnError)
	attach := flags.Bool("debug", false, "run for a debugger, and print the value of TF_REATTACH_PROVIDERS")
	tell := flags.Bool("version", false, "print the version and exit")
	_ = flags.Parse(args) // exits by itself
	if *tell || flags.Arg(0) == "version" {
		command.PrintVersion(os.Stdout, own)
		return nil
	}

	if err := command.SetUp(); err != nil {
		return err
	}
	var opts []tf6server.ServeOpt
	if *attach {
		opts = append(opts, tf6server.WithManagedDebug())
	}
	return tf6server.Serve(address, provider.NewServer(own, provider.WithSimulator(command.OpenSimulator)), opts...)
}
