// Command terraform-provider-reseller is the provider as Terraform and OpenTofu
// start it. Its other commands list the effects of a saved plan, export a
// reseller as a configuration, and serve the simulator: see usage.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/privatelabels/terraform-provider-reseller/internal/command"
	"github.com/privatelabels/terraform-provider-reseller/internal/export"
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

const usage = `Terraform and OpenTofu start this program as a provider. It also has commands of its own:

  terraform-provider-reseller review     list the effects of a saved plan that cannot be undone or that reach people
  terraform-provider-reseller export     write a configuration that imports what the reseller has
  terraform-provider-reseller simulate   serve a simulator of the API
  terraform-provider-reseller version    print the version

Each command explains its flags with -h. Flags of the provider:

  -debug     run for a debugger, and print the value of TF_REATTACH_PROVIDERS
  -version   print the version and exit
`

// run returns the exit status.
func run(args []string) int {
	command.QuietLibraries()
	own := command.Version(version)
	name, rest := "", args
	if len(args) > 0 {
		name, rest = args[0], args[1:]
	}
	switch name {
	case "", "-debug", "--debug":
		if err := serve(own, name != ""); err != nil {
			fmt.Fprintln(os.Stderr, "terraform-provider-reseller:", err)
			return 1
		}
	case "review":
		return review.Main(context.Background(), rest, provider.Reviewers(), os.Stdin, os.Stdout, os.Stderr)
	case "export":
		ctx, stop := untilSignal()
		defer stop()
		return export.Main(ctx, rest, newServer(own)(), os.Stdout, os.Stderr)
	case "simulate":
		ctx, stop := untilSignal()
		defer stop()
		return simulator.Main(ctx, rest, os.Stdout, os.Stderr)
	case "version", "-version", "--version":
		command.PrintVersion(os.Stdout, own)
	case "help", "-h", "-help", "--help":
		fmt.Fprint(os.Stdout, usage)
	default:
		fmt.Fprintf(os.Stderr, "terraform-provider-reseller: unknown command %q; commands are review, export, simulate and version\n", name)
		return 1
	}
	return 0
}

// untilSignal returns a context that ends with an interrupt.
func untilSignal() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

func newServer(own string) func() tfprotov6.ProviderServer {
	return provider.NewServer(own, provider.Options{OpenSimulator: command.OpenSimulator})
}

// serve serves the CLI, which starts the provider without arguments, or a debugger.
func serve(own string, attach bool) error {
	if err := command.SetUp(); err != nil {
		return err
	}
	var opts []tf6server.ServeOpt
	if attach {
		opts = append(opts, tf6server.WithManagedDebug())
	}
	return tf6server.Serve(address, newServer(own), opts...)
}
