package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const routeExchange = "POST /api/v1/auth/token"

func (c calls) String() string {
	parts := make([]string, 0, len(c.routes))
	for _, route := range slices.Sorted(maps.Keys(c.routes)) {
		parts = append(parts, fmt.Sprintf("%d× %#q", c.routes[route], route))
	}
	return strings.Join(parts, ", ")
}

// measureCalls counts the API calls of a plan without changes over few and over
// many private labels.
func measureCalls(ctx context.Context, h *harness, t *table, o options) error {
	t.head("API calls of a plan without changes", "settled private labels", "API calls", "routes", "HTTP 429", "budget")
	sizes := []int{1, 100, o.labels}
	if o.check {
		sizes = []int{1, o.labels}
	}
	for _, n := range sizes {
		if err := callsOver(ctx, h, t, n); err != nil {
			return err
		}
	}
	return nil
}

func callsOver(ctx context.Context, h *harness, t *table, n int) error {
	s, err := newService(simulator.Options{Fast: true}, 0)
	if err != nil {
		return err
	}
	defer s.close()
	if _, _, err := h.declare(ctx, fmt.Sprintf("calls-%d", n), s, privateLabels, n); err != nil {
		return err
	}
	c := s.calls() // of the plan that declare ends with
	t.row(fmt.Sprint(n), fmt.Sprint(c.total), c.String(), fmt.Sprint(c.limited),
		t.budget(fmt.Sprintf("%d, no HTTP 429", budgetCalls), c.total <= budgetCalls && c.limited == 0))
	return nil
}

// measureFullConfig counts the API calls of a plan over everything that a reseller has.
func measureFullConfig(ctx context.Context, h *harness, t *table, o options) error {
	n := 100
	if o.check {
		n = 20
	}
	s, err := newService(simulator.Options{Fast: true}, n)
	if err != nil {
		return err
	}
	defer s.close()
	withAddons, members := 0, 0
	for _, l := range s.sim.Labels() {
		members += l.Members
		if len(l.Addons) > 0 {
			withAddons++
		}
	}
	f := s.folder(h, "full")
	if err := f.write("main.tf", fullConfig); err != nil {
		return err
	}
	if err := f.apply(ctx); err != nil {
		return err
	}
	s.sim.ResetJournal()
	if _, err := f.emptyPlan(ctx); err != nil {
		return err
	}
	c := s.calls()
	// The data sources that find what was imported read the detail of each.
	budget := 1 + 2*n + 2
	t.head(fmt.Sprintf("API calls of a plan without changes over %d private labels, their packages (%d with add-ons), "+
		"%d members and brandings, found by data sources", n, withAddons, members),
		"API calls", "routes", "HTTP 429", "budget")
	t.row(fmt.Sprint(c.total), c.String(), fmt.Sprint(c.limited),
		t.budget(fmt.Sprintf("1 list, 1 detail and 1 members list for each private label, 1 search each: %d", budget), c.total <= budget && c.limited == 0))
	return nil
}

// measureExchanges counts the token exchanges of many plans, several at a time,
// that start without an access token.
func measureExchanges(ctx context.Context, h *harness, t *table, o options) error {
	s, err := newService(simulator.Options{}, 0)
	if err != nil {
		return err
	}
	defer s.close()
	f, _, err := h.declare(ctx, "exchanges", s, privateLabels, 10)
	if err != nil {
		return err
	}
	// The rate limits are the API's; no window includes a call of the preparation.
	s.sim.Clock().Advance(20 * time.Minute)
	if err := os.RemoveAll(filepath.Join(h.dir, "cache", "exchanges")); err != nil {
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
	c := s.calls()
	exchanges := c.routes[routeExchange]
	t.head(fmt.Sprintf("%d plans, %d at a time, from an empty token cache", o.runs, o.workers),
		"token exchanges", "API calls", "HTTP 429", "failed plans", "wall", "budget")
	t.row(fmt.Sprint(exchanges), fmt.Sprint(c.total), fmt.Sprint(c.limited), fmt.Sprint(failed), seconds(time.Since(started)),
		t.budget(fmt.Sprintf("%d token exchange", budgetExchanges), exchanges <= budgetExchanges && c.limited == 0 && failed == 0))
	return nil
}
