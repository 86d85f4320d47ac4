package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"
)

// labelsVariable makes TestCalls measure rows of up to so many private labels, instead of one.
const labelsVariable = "RESELLER_BENCH_LABELS"

// measureCalls prints what TestCalls measures, which fails if a budget is exceeded.
func measureCalls(ctx context.Context, _ *harness, t *table, o options) error {
	t.head("API calls, and waiting for the rate limits of 60 console and 60 billing calls a minute, ten objects at a time",
		"work", "console calls", "billing calls", "HTTP 429", "windows waited for")
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-v", "-run", "^TestCalls$", "./internal/tool/bench")
	cmd.Env = append(os.Environ(), labelsVariable+"="+strconv.Itoa(o.labels))
	out, err := cmd.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if _, row, found := strings.Cut(line, "_test.go:"); found {
			_, row, _ = strings.Cut(row, ": ")
			fmt.Fprint(t.w, row)
		}
	}
	if err != nil {
		t.exceeded++
		fmt.Fprintf(t.w, "%s\n", out)
	}
	return ctx.Err()
}

// measureExchanges counts the token exchanges of many plans, several at a time, that start without an access token.
func measureExchanges(ctx context.Context, h *harness, t *table, o options) error {
	s, err := newService()
	if err != nil {
		return err
	}
	defer s.close()
	f, err := s.declare(ctx, h, "exchanges", fixtures[0], 10)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(f.dir, "tokens")); err != nil {
		return err
	}
	var plans errgroup.Group
	plans.SetLimit(o.workers)
	for range o.runs {
		plans.Go(func() error {
			_, err := f.emptyPlan(ctx)
			return err
		})
	}
	if err := plans.Wait(); err != nil {
		return err
	}
	c := countCalls(s.sim.Journal())
	t.head(fmt.Sprintf("%d plans, %d at a time, from an empty token cache", o.runs, o.workers), "token exchanges", "HTTP 429", "budget")
	t.row(fmt.Sprint(c.exchanges), fmt.Sprint(c.rejected),
		t.budget(fmt.Sprintf("%d token exchange", budgetExchanges), c.exchanges <= budgetExchanges && c.rejected == 0))
	return nil
}
