// Command bench measures what a run costs, against the simulator and with the
// real CLI: API calls first, since the rate limit is the clock of most runs,
// then the CPU time and memory of the plugin. It prints Markdown tables.
//
// The plugin is compared with the floor, a provider with the same schema that
// answers each request with the values of the request, in the same run and
// over the same state.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
)

type options struct {
	check   bool
	only    string
	labels  int // objects of each type
	rounds  int
	runs    int
	workers int
	matrix  bool
	scaling bool
	plot    string
}

func main() {
	var o options
	flag.BoolVar(&o.check, "check", false, "measure a short form, and fail when a budget is exceeded")
	flag.StringVar(&o.only, "only", "", "measure one part: "+partNames())
	flag.IntVar(&o.labels, "labels", 0, "size of the large configurations (default 1000, or 300 with -check)")
	flag.IntVar(&o.rounds, "rounds", 0, "how often each command of a comparison runs (default 5, or 3 with -check)")
	flag.IntVar(&o.runs, "runs", 0, "how many plans share an access token (default 20, or 6 with -check)")
	flag.IntVar(&o.workers, "parallel", 0, "how many of them run at a time (default 10, or 3 with -check)")
	flag.BoolVar(&o.matrix, "matrix", false, "also run the fault matrix, and print its report")
	flag.BoolVar(&o.scaling, "scaling", false, "also measure 10 to 5,000 private labels")
	flag.StringVar(&o.plot, "plot", "", "with -scaling: the SVG file to draw")
	flag.Parse()
	o.setDefaults()
	if o.only != "" && !slices.ContainsFunc(parts, func(p part) bool { return p.name == o.only }) {
		fmt.Fprintf(os.Stderr, "bench: -only %s: the parts are %s\n", o.only, partNames())
		os.Exit(1)
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	exceeded, err := run(ctx, os.Stdout, o)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) //nolint:gocritic // exitAfterDefer: nothing is left to stop
	case exceeded > 0 && o.check:
		fmt.Fprintf(os.Stderr, "bench: %d budgets exceeded\n", exceeded)
		os.Exit(1)
	}
}

// setDefaults sets what no flag set. The short form keeps every comparison and
// makes it smaller.
func (o *options) setDefaults() {
	defaults := options{labels: 1000, rounds: 5, runs: 20, workers: 10}
	if o.check {
		defaults = options{labels: 300, rounds: 3, runs: 6, workers: 3}
	}
	for value, standard := range map[*int]int{&o.labels: defaults.labels, &o.rounds: defaults.rounds, &o.runs: defaults.runs, &o.workers: defaults.workers} {
		if *value <= 0 {
			*value = standard
		}
	}
}

// part is one of the tables.
type part struct {
	name    string
	long    bool // not in the short form
	asked   func(options) bool
	measure func(context.Context, *harness, *table, options) error
}

var parts = []part{
	{name: "calls", measure: measureCalls},
	{name: "full", measure: measureFullConfig},
	{name: "exchanges", measure: measureExchanges},
	{name: "windows", measure: measureWindows},
	{name: "floor", measure: measureFloor},
	{name: "start", measure: measureStart},
	{name: "others", long: true, measure: measureOthers},
	{name: "uploads", long: true, measure: measureUploads},
	{name: "matrix", asked: func(o options) bool { return o.matrix }, measure: measureMatrix},
	{name: "scaling", asked: func(o options) bool { return o.scaling }, measure: measureScaling},
}

func (p part) wanted(o options) bool {
	if o.only != "" {
		return p.name == o.only
	}
	if p.asked != nil {
		return p.asked(o)
	}
	return !p.long || !o.check
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
	t := &table{w: w}
	h, err := newHarness(ctx, w, o)
	if err != nil {
		return 0, err
	}
	defer h.close()
	fmt.Fprintf(w, "%s, %s\n", h.cliVersion, machine())

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
