package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// contender is a plan that alternates with others.
type contender struct {
	name    string
	folder  *folder
	samples []cost
}

func (c *contender) values(of func(cost) time.Duration) []time.Duration {
	values := make([]time.Duration, 0, len(c.samples))
	for _, s := range c.samples {
		values = append(values, of(s))
	}
	return values
}

func (c *contender) median(of func(cost) time.Duration) time.Duration { return median(c.values(of)) }

func (c *contender) peak() int64 {
	values := make([]int64, 0, len(c.samples))
	for _, s := range c.samples {
		values = append(values, s.plugin.Peak)
	}
	return median(values)
}

func ofPlugin(c cost) time.Duration { return c.plugin.CPU }
func ofCLI(c cost) time.Duration    { return c.cli }
func ofWall(c cost) time.Duration   { return c.wall }

// takeTurns runs each plan once in each round, so that a temporary load on the machine affects all of them.
func takeTurns(ctx context.Context, rounds int, contenders ...*contender) error {
	for range rounds {
		for _, c := range contenders {
			sample, err := c.folder.emptyPlan(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			c.samples = append(c.samples, sample)
		}
	}
	return nil
}

// measureFloor compares the plugin's CPU time with the floor's, for each
// resource type.
func measureFloor(ctx context.Context, h *harness, t *table, o options) error {
	t.head(fmt.Sprintf("CPU of the plugin in a plan without changes over %d objects, in turns with the floor", o.labels),
		"resource", "plugin, median", "floor, median", "ratio of medians", "of minimums", "CLI, median", "wall", "peak memory, plugin and floor", "budget")
	for _, fix := range fixtures {
		if err := compareWithFloor(ctx, h, t, o, fix); err != nil {
			return fmt.Errorf("%s: %w", fix.resource, err)
		}
	}
	return nil
}

func compareWithFloor(ctx context.Context, h *harness, t *table, o options, fix fixture) error {
	s, err := newService(simulator.Options{Fast: true}, 0)
	if err != nil {
		return err
	}
	defer s.close()
	f, _, err := h.declare(ctx, "floor-"+fix.resource, s, fix, o.labels)
	if err != nil {
		return err
	}
	own, floor := &contender{name: fix.resource, folder: f}, &contender{name: "floor", folder: f.with(h.floor)}
	budget := floorBudgets[fix.resource]
	var c comparison
	// A ratio over its budget counts only after further rounds.
	for range 3 {
		if err := takeTurns(ctx, o.rounds, own, floor); err != nil {
			return err
		}
		c = comparison{own: own.values(ofPlugin), floor: floor.values(ofPlugin)}
		if c.keeps(budget) {
			break
		}
	}
	t.row("`"+fix.resource+"`", seconds(own.median(ofPlugin)), seconds(floor.median(ofPlugin)), times(c.ofMedians()), times(c.ofMinimums()),
		seconds(own.median(ofCLI)), seconds(own.median(ofWall)), megabytes(own.peak())+", "+megabytes(floor.peak()),
		t.budget(fmt.Sprintf("at most %.1fx", budget), c.keeps(budget)))
	return nil
}

// measureOthers compares the cost of private labels with that of another provider's resources and of the CLI's own.
func measureOthers(ctx context.Context, h *harness, t *table, o options) error {
	s, err := newService(simulator.Options{Fast: true}, 0)
	if err != nil {
		return err
	}
	defer s.close()
	f, _, err := h.declare(ctx, "others-own", s, privateLabels, o.labels)
	if err != nil {
		return err
	}
	contenders := []*contender{
		{name: "`reseller_private_label`", folder: f},
		{name: "the same with the floor", folder: f.with(h.floor)},
	}
	data := h.folder("others-data", "")
	if err := data.write("main.tf", fmt.Sprintf("resource \"terraform_data\" \"x\" {\n  count = %d\n}\n", o.labels)); err != nil {
		return err
	}
	contenders = append(contenders, &contender{name: "`terraform_data`, without a plugin", folder: data})
	if h.time.binary != "" {
		static := h.folder("others-time", h.time.binary)
		if err := static.write("main.tf", "terraform {\n  required_providers {\n    time = { source = \"hashicorp/time\" }\n  }\n}\n\n"+
			fmt.Sprintf("resource \"time_static\" \"x\" {\n  count = %d\n}\n", o.labels)); err != nil {
			return err
		}
		contenders = append(contenders, &contender{name: "`time_static` of " + h.time.name, folder: static})
	}
	for _, c := range contenders[2:] {
		if err := c.folder.apply(ctx); err != nil {
			return err
		}
	}
	if err := takeTurns(ctx, o.rounds, contenders...); err != nil {
		return err
	}
	t.head(fmt.Sprintf("A plan without changes over %d resources beside others (medians of %d, in turns)", o.labels, o.rounds),
		"resource", "CPU of the CLI", "of the plugin", "together", "wall", "peak memory of the plugin")
	for _, c := range contenders {
		t.row(c.name, seconds(c.median(ofCLI)), seconds(c.median(ofPlugin)), seconds(c.median(func(s cost) time.Duration { return s.cli + s.plugin.CPU })),
			seconds(c.median(ofWall)), megabytes(c.peak()))
	}
	return nil
}

// measureStart measures the time from the start of the plugin to its schema, and the size of its binary.
func measureStart(ctx context.Context, h *harness, t *table, o options) error {
	binaries := []struct {
		name, path string
		start      []time.Duration
		size       int64
	}{{name: "this provider", path: h.own}, {name: "the floor", path: h.floor}}
	if h.time.binary != "" {
		binaries = append(binaries, binaries[0])
		binaries[2].name, binaries[2].path = h.time.name, h.time.binary
	}
	for range 4*o.rounds + 1 {
		for i := range binaries {
			d, err := startToSchema(ctx, binaries[i].path, h.schema)
			if err != nil {
				return err
			}
			binaries[i].start = append(binaries[i].start, d)
		}
	}
	for i := range binaries {
		info, err := os.Stat(binaries[i].path)
		if err != nil {
			return err
		}
		binaries[i].size = info.Size()
	}
	t.head("Start and size", "", "start to schema, median", "binary, stripped", "budget")
	for i, b := range binaries {
		own, start := binaries[0], median(b.start)
		ratio := float64(own.size) / float64(b.size)
		var budget string
		switch i {
		case 0:
			budget = t.budget("start under "+milliseconds(budgetStart), start < budgetStart)
		case 1:
			budget = t.budget(fmt.Sprintf("this provider's binary at most %.2fx (is %s)", budgetFloorSize, times(ratio)), ratio <= budgetFloorSize)
		default:
			budget = t.budget(fmt.Sprintf("this provider's binary at most %.2fx (is %s)", budgetTimeSize, times(ratio)), ratio <= budgetTimeSize)
		}
		t.row(b.name, milliseconds(start), megabytes(b.size), budget)
	}
	return nil
}

// measureMatrix runs the fault matrix and prints its report.
func measureMatrix(ctx context.Context, h *harness, t *table, _ options) error {
	report := filepath.Join(h.dir, "matrix.md")
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
