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
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/command"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/check"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/coverage"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/existing"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/export"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/review"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const address = "registry.terraform.io/privatelabels/reseller"

// version is set by the linker: -X main.version=1.2.3.
var version string

func main() {
	os.Exit(run(os.Args[1:]))
}

const usage = `Terraform and OpenTofu start this program as a provider. It also has commands of its own:

  terraform-provider-reseller check      meet the API with reads only, and report what the provider can use
  terraform-provider-reseller review     list the effects of a saved plan that cannot be undone or that reach people
  terraform-provider-reseller export     write a configuration that imports what the reseller has
  terraform-provider-reseller coverage   list what the reseller has and no state manages
  terraform-provider-reseller simulate   serve a simulator of the API
  terraform-provider-reseller version    print the version

Each command explains its flags with -h. Flags of the provider:

  -debug     run for a debugger, and print the value of TF_REATTACH_PROVIDERS
  -version   print the version and exit
`

// run returns the exit status.
func run(args []string) int {
	command.QuietLibraries()
	version := command.Version(version)
	name := ""
	rest := args
	if len(args) > 0 {
		name = args[0]
		rest = args[1:]
	}
	switch name {
	case "", "-debug", "--debug":
		if name == "" && os.Getenv("TF_PLUGIN_MAGIC_COOKIE") == "" { // not a CLI's call
			fmt.Fprintln(os.Stderr, "terraform-provider-reseller: Terraform and OpenTofu start this program as a provider. For its commands, run it with -h.")
			return 1
		}
		if err := serve(version, name != ""); err != nil {
			fmt.Fprintln(os.Stderr, "terraform-provider-reseller:", err)
			return 1
		}
	case "check":
		ctx, stop := untilSignal()
		defer stop()
		return check.Main(ctx, rest, version, func() (s check.Settings, err error) {
			s.API, s.Signing, err = provider.Connection(ctx, version, os.Getenv)
			return s, err
		}, os.Stdout, os.Stderr)
	case "review":
		return review.Main(context.Background(), rest, provider.Reviewers(), today(), os.Stdin, os.Stdout, os.Stderr)
	case "export":
		ctx, stop := untilSignal()
		defer stop()
		server, pace := pacedServer(version)
		return export.Main(ctx, rest, server, pace, os.Stdout, os.Stderr)
	case "coverage":
		ctx, stop := untilSignal()
		defer stop()
		server, pace := pacedServer(version)
		return coverage.Main(ctx, rest, server, pace, today(), os.Stdout, os.Stderr)
	case "simulate":
		ctx, stop := untilSignal()
		defer stop()
		return simulator.Main(ctx, rest, os.Stdout, os.Stderr)
	case "version", "-version", "--version":
		command.PrintVersion(os.Stdout, version)
	case "help", "-h", "-help", "--help":
		fmt.Fprint(os.Stdout, usage)
	default:
		fmt.Fprintf(os.Stderr, "terraform-provider-reseller: unknown command %q; commands are check, review, export, coverage, simulate and version\n", name)
		return 1
	}
	return 0
}

// today is the day on which rows of an earlier report may be known.
func today() time.Time {
	return transport.RealClock{}.Now()
}

// untilSignal returns a context that ends with an interrupt. Under nohup, SIGHUP stays ignored.
func untilSignal() (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), signals...)
}

// pacedServer is a provider of which a command sees how fast the API lets it read.
func pacedServer(version string) (tfprotov6.ProviderServer, *existing.Pace) {
	pace := &existing.Pace{Transport: transport.NewPooledTransport()}
	return provider.NewServer(version, provider.Options{OpenSimulator: command.OpenSimulator, Transport: pace})(), pace
}

// serve serves the CLI, which starts the provider without arguments, or a debugger.
func serve(version string, attach bool) error {
	if err := command.SetUp(); err != nil {
		return err
	}
	var opts []tf6server.ServeOpt
	if attach {
		opts = append(opts, tf6server.WithManagedDebug())
	}
	return tf6server.Serve(address, provider.NewServer(version, provider.Options{OpenSimulator: command.OpenSimulator}), opts...)
}
