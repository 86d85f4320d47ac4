// Command bench measures what a run costs, against the simulator: API calls first, since the rate limit is the clock of
// most runs, then the CPU time and memory of the plugin. It prints Markdown tables.
//
// The plugin is compared with the floor, a provider with the same schema that answers each request with the values of
// the request, in the same run and over the same state.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
)

type options struct {
	check bool
	only  string
	plot  string

	labels  int // objects of each type
	rounds  int // of each comparison
	runs    int // plans that share an access token
	workers int // of these plans at a time
}

func main() {
	if plugin := os.Getenv(pluginVariable); plugin != "" {
		code, err := runMetered(plugin, os.Getenv(usageVariable), os.Args[1:])
		if err != nil {
			fmt.Fprintln(os.Stderr, "meter:", err)
		}
		os.Exit(code)
	}
	o := options{labels: 1000, rounds: 5, runs: 20, workers: 10}
	flag.BoolVar(&o.check, "check", false, "measure a short form, and fail when a budget is exceeded")
	flag.StringVar(&o.only, "only", "", "measure some parts, with commas between them: "+partNames())
	flag.StringVar(&o.plot, "plot", "", "the SVG file that the part scaling draws")
	flag.Parse()
	if o.check {
		o.labels = 300
		o.rounds = 2
		o.runs = 6
		o.workers = 3
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	exceeded, err := run(ctx, os.Stdout, o)
	if err == nil && exceeded > 0 && o.check {
		err = fmt.Errorf("%d budgets exceeded", exceeded)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) //nolint:gocritic // exitAfterDefer: nothing is left to stop
	}
}

// part is one of the tables.
type part struct {
	name    string
	short   bool // in the form without options, and in the short form
	measure func(context.Context, *harness, *table, options) error
}

var parts = []part{
	{"calls", true, measureCalls},
	{"exchanges", true, measureExchanges},
	{"floor", true, measureFloor},
	{"start", true, measureStart},
	{"time", false, measureTime},
	{"uploads", false, measureUploads},
	{"scaling", false, measureScaling},
}

func (p part) wanted(o options) bool {
	if o.only != "" {
		return slices.Contains(strings.Split(o.only, ","), p.name)
	}
	return p.short || !o.check
}

func partNames() string {
	names := make([]string, 0, len(parts))
	for _, p := range parts {
		names = append(names, p.name)
	}
	return strings.Join(names, ", ")
}

// run measures and prints, and returns how many budgets are exceeded.
func run(ctx context.Context, w io.Writer, o options) (int, error) {
	for name := range strings.SplitSeq(o.only, ",") {
		if name != "" && !slices.ContainsFunc(parts, func(p part) bool { return p.name == name }) {
			return 0, fmt.Errorf("-only %s: the parts are %s", name, partNames())
		}
	}
	h, err := newHarness(ctx, w, o)
	if err != nil {
		return 0, err
	}
	defer h.close()
	fmt.Fprintf(w, "%s, %s, %s/%s, %d cores\n", h.cliVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	t := &table{w: w}
	for _, part := range parts {
		if !part.wanted(o) {
			continue
		}
		if err := part.measure(ctx, h, t, o); err != nil {
			return t.exceeded, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return t.exceeded, nil
}
