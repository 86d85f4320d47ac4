package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// scalePoint is what a plan without changes costs at one size.
type scalePoint struct {
	labels, calls int
	cli, plugin   time.Duration // CPU
	without       time.Duration // CPU of the CLI for as many `terraform_data`
	peak          int64         // bytes, of the plugin
}

// measureScaling runs the same plan over growing numbers of private labels.
func measureScaling(ctx context.Context, h *harness, t *table, o options) error {
	t.head("A plan without changes at several sizes", "settled private labels", "API calls", "CPU, CLI and plugin", "CPU of the plugin",
		"CPU of the CLI over as many `terraform_data`", "peak memory of the plugin", "budget")
	points := make([]scalePoint, 0, 4)
	for _, n := range []int{10, 100, 1000, 5000} {
		p, err := measureAt(ctx, h, n)
		if err != nil {
			return err
		}
		points = append(points, p)
		t.row(fmt.Sprint(n), fmt.Sprint(p.calls), seconds(p.cli+p.plugin), seconds(p.plugin), seconds(p.without), megabytes(p.peak),
			t.budget(fmt.Sprintf("%d call", budgetCalls), p.calls <= budgetCalls))
	}
	if o.plot == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(o.plot), 0o750); err != nil {
		return err
	}
	return os.WriteFile(o.plot, []byte(plotOf(points)), 0o600)
}

func measureAt(ctx context.Context, h *harness, n int) (scalePoint, error) {
	s, err := newService(simulator.Options{Fast: true}, 0)
	if err != nil {
		return scalePoint{}, err
	}
	defer s.close()
	_, own, err := h.declare(ctx, fmt.Sprintf("scaling-%d", n), s, privateLabels, n)
	if err != nil {
		return scalePoint{}, err
	}
	total := s.calls().total
	data := h.folder(fmt.Sprintf("scaling-data-%d", n), "")
	if err := data.write("main.tf", fmt.Sprintf("resource \"terraform_data\" \"x\" {\n  count = %d\n}\n", n)); err != nil {
		return scalePoint{}, err
	}
	if err := data.apply(ctx); err != nil {
		return scalePoint{}, err
	}
	without, err := data.emptyPlan(ctx)
	return scalePoint{labels: n, calls: total, cli: own.cli, plugin: own.plugin.CPU, without: without.cli, peak: own.plugin.Peak}, err
}
