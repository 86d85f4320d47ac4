package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// The budgets, as the design sets them.
const (
	budgetCalls     = 1
	budgetExchanges = 1
	budgetCPU       = 0.6
	budgetStart     = 100 * time.Millisecond
	budgetSize      = 1.3
)

const routeExchange = "POST /api/v1/auth/token"

func words(routes map[string]int) string {
	parts := make([]string, 0, len(routes))
	for _, route := range slices.Sorted(maps.Keys(routes)) {
		parts = append(parts, fmt.Sprintf("%d× %#q", routes[route], route))
	}
	return strings.Join(parts, ", ")
}

// measureCalls: a plan without changes over a few and over many labels.
func measureCalls(ctx context.Context, b *bed, t *table, o options) error {
	t.head("Calls of a plan without changes", "settled labels", "calls", "which", "429s", "budget")
	for _, n := range slices.Compact([]int{1, min(100, o.labels), o.labels}) {
		if err := callsOver(ctx, b, t, n); err != nil {
			return err
		}
	}
	return nil
}

func callsOver(ctx context.Context, b *bed, t *table, n int) error {
	s, err := newService(simulator.Options{Fast: true}, n)
	if err != nil {
		return err
	}
	defer s.close()
	f, err := b.labels(ctx, fmt.Sprintf("calls-%d", n), s, n)
	if err != nil {
		return err
	}
	s.sim.ResetJournal()
	if _, err := f.emptyPlan(ctx); err != nil {
		return err
	}
	routes, total, refused := s.calls()
	t.row(fmt.Sprint(n), fmt.Sprint(total), words(routes), fmt.Sprint(refused), t.kept(fmt.Sprintf("%d, no 429", budgetCalls), total <= budgetCalls && refused == 0))
	return nil
}

// measureExchanges: many plans, several at a time, that begin without a token.
func measureExchanges(ctx context.Context, b *bed, t *table, o options) error {
	const labels = 10
	s, err := newService(simulator.Options{}, labels)
	if err != nil {
		return err
	}
	defer s.close()
	f, err := b.labels(ctx, "exchanges", s, labels)
	if err != nil {
		return err
	}
	// A service and a cache that have seen none of it. The limits are the real ones.
	s.sim.Clock().Advance(20 * time.Minute)
	if err := os.RemoveAll(filepath.Join(b.dir, "cache", "exchanges")); err != nil {
		return err
	}
	s.sim.ResetJournal()

	var (
		wg     sync.WaitGroup
		errs   = make([]error, o.runs)
		places = make(chan struct{}, o.workers)
	)
	started := time.Now()
	for i := range o.runs {
		places <- struct{}{}
		wg.Go(func() {
			defer func() { <-places }()
			_, errs[i] = f.emptyPlan(ctx)
		})
	}
	wg.Wait()
	failed := 0
	for _, err := range errs {
		if err != nil {
			failed++
			fmt.Fprintln(os.Stderr, err)
		}
	}
	routes, total, refused := s.calls()
	exchanges := routes[routeExchange]
	t.head(fmt.Sprintf("%d plans, %d at a time, from an empty token cache", o.runs, o.workers), "exchanges", "all calls", "429s", "plans that failed", "wall", "budget")
	t.row(fmt.Sprint(exchanges), fmt.Sprint(total), fmt.Sprint(refused), fmt.Sprint(failed), seconds(time.Since(started)),
		t.kept(fmt.Sprintf("%d exchange", budgetExchanges), exchanges <= budgetExchanges && refused == 0 && failed == 0))
	return nil
}

// contender is one of the commands that are compared.
type contender struct {
	name    string
	folder  *folder
	samples []usage
}

func (c *contender) median(of func(usage) float64) float64 {
	values := make([]float64, 0, len(c.samples))
	for _, u := range c.samples {
		values = append(values, of(u))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func cpu(u usage) float64  { return u.cpu.Seconds() }
func wall(u usage) float64 { return u.wall.Seconds() }
func peak(u usage) float64 { return float64(u.peak) }

// measureCost: CPU, time and memory of a plan without changes over many
// labels, in turn with the same over another provider's resources and over the
// CLI's own.
func measureCost(ctx context.Context, b *bed, t *table, o options) error {
	s, err := newService(simulator.Options{Fast: true}, o.labels)
	if err != nil {
		return err
	}
	defer s.close()
	own, err := b.labels(ctx, "cost-own", s, o.labels)
	if err != nil {
		return err
	}
	static, data := b.folder("cost-time"), b.folder("cost-data")
	for f, config := range map[*folder]string{
		static: fmt.Sprintf("terraform {\n  required_providers {\n    time = { source = \"hashicorp/time\" }\n  }\n}\n\nresource \"time_static\" \"x\" {\n  count = %d\n}\n", o.labels),
		data:   fmt.Sprintf("resource \"terraform_data\" \"x\" {\n  count = %d\n}\n", o.labels),
	} {
		if err := f.write("main.tf", config); err != nil {
			return err
		}
		if err := f.settle(ctx); err != nil {
			return err
		}
	}
	contenders := []*contender{
		{name: "`reseller_private_label`", folder: own},
		{name: "`time_static` (hashicorp/time " + timeVersion + ")", folder: static},
		{name: "`terraform_data` (the CLI alone)", folder: data},
	}
	for range o.rounds {
		for _, c := range contenders {
			u, err := c.folder.emptyPlan(ctx)
			if err != nil {
				return err
			}
			c.samples = append(c.samples, u)
		}
	}
	t.head(fmt.Sprintf("A plan without changes over %d resources (medians of %d, in turn)", o.labels, o.rounds),
		"resource", "CPU, CLI and provider", "of time_static's", "wall", "peak memory of the provider", "budget")
	reference := contenders[1]
	for i, c := range contenders {
		ratio := c.median(cpu) / reference.median(cpu)
		budget := ""
		if i == 0 {
			budget = t.kept(fmt.Sprintf("CPU at most %.1fx", budgetCPU), ratio <= budgetCPU)
		}
		t.row(c.name, fmt.Sprintf("%.2f s", c.median(cpu)), fmt.Sprintf("%.2fx", ratio), fmt.Sprintf("%.2f s", c.median(wall)), megabytes(int64(c.median(peak))), budget)
	}
	return nil
}

// measureStart: how long a started provider takes to tell its schema, and how
// large it is.
func measureStart(ctx context.Context, b *bed, t *table, o options) error {
	var own, other []time.Duration
	for range 4*o.rounds + 1 {
		for binary, samples := range map[string]*[]time.Duration{b.own: &own, b.time: &other} {
			d, err := startToSchema(ctx, binary)
			if err != nil {
				return err
			}
			*samples = append(*samples, d)
		}
	}
	slices.Sort(own)
	slices.Sort(other)
	start, otherStart := own[len(own)/2], other[len(other)/2]
	ownSize, err := os.Stat(b.own)
	if err != nil {
		return err
	}
	otherSize, err := os.Stat(b.time)
	if err != nil {
		return err
	}
	ratio := float64(ownSize.Size()) / float64(otherSize.Size())
	t.head("Start and size", "", "this provider", "hashicorp/time "+timeVersion, "budget")
	t.row("start to schema, median", milliseconds(start), milliseconds(otherStart), t.kept("under "+milliseconds(budgetStart), start < budgetStart))
	t.row("binary, stripped", megabytes(ownSize.Size()), megabytes(otherSize.Size()), t.kept(fmt.Sprintf("at most %.1fx (is %.2fx)", budgetSize, ratio), ratio <= budgetSize))
	return nil
}

// measureMatrix runs the test that tries every fault, and prints its report.
func measureMatrix(ctx context.Context, b *bed, t *table, o options) error {
	if !o.matrix {
		return nil
	}
	report := filepath.Join(b.dir, "matrix.md")
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-run", "^TestFaultMatrix_|^TestKill", "./internal/provider")
	cmd.Env = append(os.Environ(), "RESELLER_MATRIX_REPORT="+report)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.w, "\n### Faults\n\n%s\n", text)
	return nil
}

func seconds(d time.Duration) string      { return fmt.Sprintf("%.1f s", d.Seconds()) }
func milliseconds(d time.Duration) string { return fmt.Sprintf("%d ms", d.Milliseconds()) }

func megabytes(n int64) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
