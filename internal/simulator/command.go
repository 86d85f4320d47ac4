package simulator

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Exit codes of the `simulate` subcommand.
const (
	exitOK    = 0
	exitError = 1
	exitUsage = 2
)

// Limits of the server.
const (
	shutdownTime = 5 * time.Second
	readTime     = time.Minute // for a whole request
	idleTime     = 2 * time.Minute
	maxHead      = 32 << 10 // bytes of a request line with its header
)

const usage = `Usage: terraform-provider-reseller simulate [-data FILE] [-fast] [-forms NAME=FORM,...] [-like FILE]
                                           [-listen ADDRESS] [-seed NUMBER]
       terraform-provider-reseller simulate do [-data FILE | -url URL] VERB ...

Serves a simulator of the Reseller API and the Signing API over HTTP, until it is interrupted. Its first lines are the
environment variables to export for the provider. With do, it changes what only the console or the platform can change.
simulate do -h lists the verbs.

  -data FILE         keep the data in this file. Default: in memory
  -fast              shorten a rate limit window of a minute to a second
  -forms LIST        NAME=FORM,... for questions that the API documentation leaves open, or random:SEED. help lists them.
                     The data file keeps the choice. default selects the default of each
  -like FILE         respond like the API in this transcript of the command check
  -listen ADDRESS    listen on this address. Port 0 selects a free port. Default: 127.0.0.1:8080
  -seed NUMBER       start with this number of private labels, with packages, add-ons, assignments and members

Exit status: 0 after an interrupt; 1 for any error; 2 for unknown flags and arguments.
`

// Main is the `simulate` subcommand: it serves the simulator over HTTP until ctx ends, and returns the exit code.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "do" {
		return doCommand(ctx, args[1:], stdout, stderr)
	}
	flags := flag.NewFlagSet("simulate", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	listen := flags.String("listen", "127.0.0.1:8080", "")
	file := flags.String("data", "", "")
	seed := flags.Int("seed", 0, "")
	fast := flags.Bool("fast", false, "")
	forms := flags.String("forms", "", "")
	like := flags.String("like", "", "")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		_, _ = fmt.Fprint(stdout, usage)
		return exitOK
	}
	if err == nil && (flags.NArg() > 0 || *seed < 0) {
		err = errors.New("unknown arguments, or a negative -seed")
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "simulate: %v. Run simulate -h for help.\n", err)
		return exitUsage
	}
	if *forms == "help" {
		PrintForms(stdout)
		return exitOK
	}
	chosen, err := chooseForms(*forms, *like)
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "simulate:", err)
		return exitUsage
	}
	if err := run(ctx, *listen, Options{File: *file, Fast: *fast, DNSDelay: DefaultDNSDelay, Forms: chosen}, *seed, stdout, stderr); err != nil {
		_, _ = fmt.Fprintln(stderr, "simulate:", err)
		return exitError
	}
	return exitOK
}

// chooseForms returns nil for no choice, so that a data file keeps its own.
func chooseForms(forms, like string) (Forms, error) {
	switch {
	case forms != "" && like != "":
		return nil, errors.New("-forms and -like exclude each other")
	case like != "":
		return FormsLike(like)
	case forms == "":
		return nil, nil //nolint:nilnil // no choice
	case forms == "default":
		return Forms{}, nil
	default:
		return ParseForms(forms)
	}
}

func run(ctx context.Context, listen string, opts Options, seed int, stdout, stderr io.Writer) (err error) {
	// The port comes first, so that a start that fails leaves no data.
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // already closed after serving
	s, err := New(opts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.untouched() { // data kept from an earlier start is not seeded again
		if err := errors.Join(s.Seed(seed), s.SeedHistory()); err != nil {
			return err
		}
	}
	address := "http://" + reachable(listener.Addr())
	if err := s.greet(stdout, address); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stderr, "Open %s/ in a browser to see the simulator's data.\n", address)
	return s.listen(ctx, listener)
}

// listen serves until ctx ends.
func (s *Simulator) listen(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: shutdownTime, ReadTimeout: readTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHead,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	return server.Shutdown(ctx)
}

// reachable is an address that clients can call. If the server listens on all addresses, it is the loopback address,
// which a client may call without TLS.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
}

// greet prints the commands that configure a shell.
func (s *Simulator) greet(w io.Writer, address string) error {
	_, err := fmt.Fprintf(w, "export RESELLER_BASE_URL=%s\nexport RESELLER_UPLOAD_URL=%s\nexport RESELLER_API_KEY=%s\n"+
		"export RESELLER_SIGNING_URL=%s\nexport RESELLER_SIGNING_API_KEY=%s\n",
		address, address+UploadPrefix, s.APIKey(), address, s.SigningAPIKey())
	return err
}

// SigningAPIKey is the API key of the signing user (Signing API §5).
func (s *Simulator) SigningAPIKey() string {
	return read(s, func(d *data) string { return d.Signing.User.Key })
}

// untouched reports whether no private label was ever created.
func (s *Simulator) untouched() bool {
	return read(s, func(d *data) bool { return len(d.Labels) == 0 })
}
