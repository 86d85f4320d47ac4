// Command bench measures what a run costs, against the simulated service and
// the real CLI: calls first, since a limit is the real clock, then the
// provider's own time and memory, beside a lean provider and beside the CLI
// alone. It prints markdown tables.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

type options struct {
	labels  int
	rounds  int
	matrix  bool
	growth  bool
	plot    string
	check   bool
	workers int
	runs    int
}

func main() {
	var o options
	flag.IntVar(&o.labels, "labels", 1000, "size of the large configuration")
	flag.IntVar(&o.rounds, "rounds", 5, "how often each command of a comparison runs")
	flag.IntVar(&o.runs, "runs", 20, "how many plans share a token")
	flag.IntVar(&o.workers, "parallel", 10, "how many of them run at a time")
	flag.BoolVar(&o.matrix, "matrix", false, "run the matrix of faults as well, and print its report")
	flag.BoolVar(&o.growth, "growth", false, "measure 10 to 5,000 labels as well")
	flag.StringVar(&o.plot, "plot", "", "with -growth: the SVG file to draw")
	flag.BoolVar(&o.check, "check", false, "end with an error when a budget is not kept")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	over, err := run(ctx, os.Stdout, o)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) //nolint:gocritic // exitAfterDefer: nothing is left to stop
	case over > 0 && o.check:
		fmt.Fprintf(os.Stderr, "bench: %d budgets not kept\n", over)
		os.Exit(1)
	}
}

// table is a markdown table whose last columns are a budget and whether it is kept.
type table struct {
	w    io.Writer
	over int
}

func (t *table) head(title string, columns ...string) {
	fmt.Fprintf(t.w, "\n### %s\n\n", title)
	t.row(columns...)
	t.row(strings.Split(strings.Repeat("---,", len(columns)-1)+"---", ",")...)
}

func (t *table) row(cells ...string) {
	fmt.Fprintf(t.w, "| %s |\n", strings.Join(cells, " | "))
}

// kept words a budget and counts the ones that are not.
func (t *table) kept(budget string, ok bool) string {
	if ok {
		return budget + ": kept"
	}
	t.over++
	return budget + ": **not kept**"
}

func run(ctx context.Context, w io.Writer, o options) (over int, err error) {
	b, err := newBed(ctx)
	if err != nil {
		return 0, err
	}
	defer b.close()
	t := &table{w: w}
	fmt.Fprintf(w, "%s, %s\n", b.cliVersion, machine())

	for _, part := range []func(context.Context, *bed, *table, options) error{
		measureCalls, measureEstate, measureExchanges, measureUploads, measureCost, measureStart, measureMatrix, measureGrowth,
	} {
		if err := part(ctx, b, t, o); err != nil {
			return t.over, err
		}
	}
	return t.over, nil
}
