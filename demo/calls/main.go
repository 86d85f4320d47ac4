// Command calls prints the API calls that the simulator received, from the journal in its data file. The demo counts with
// it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func main() {
	forget := flag.Bool("forget", false, "remove the calls so far instead of printing them")
	later := flag.Duration("later", 0, "advance the clock of the simulator by this time first")
	flag.Parse()
	if err := run(os.Stdout, flag.Arg(0), *forget, *later); err != nil {
		fmt.Fprintln(os.Stderr, "calls:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, file string, forget bool, later time.Duration) (err error) {
	if _, err := os.Stat(file); err != nil {
		return err
	}
	sim, err := simulator.New(simulator.Options{File: file})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.Close()) }()
	sim.Clock().Advance(later)
	if forget {
		sim.ResetJournal()
		return nil
	}
	calls := map[string]int{}
	for _, c := range sim.Journal() {
		calls[c.Route]++
	}
	total := 0
	for _, route := range slices.Sorted(maps.Keys(calls)) {
		fmt.Fprintf(w, "%4d  %s\n", calls[route], route)
		total += calls[route]
	}
	_, err = fmt.Fprintf(w, "%4d  in all\n", total)
	return err
}
