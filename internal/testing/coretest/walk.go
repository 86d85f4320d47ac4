package coretest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// walk visits everything after its dependencies.
func (c *core) walk(deps map[string][]string, o planOptions, visit func(name string) error) error {
	guardedVisit := func(name string) error {
		if err := guarded(func() error { return visit(name) }); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	order := c.sorted(deps)
	if !c.parallel || o.concurrent == 1 {
		for _, name := range order {
			if err := guardedVisit(name); err != nil {
				return err
			}
		}
		return nil
	}
	visited := map[string]chan struct{}{}
	for name := range deps {
		visited[name] = make(chan struct{})
	}
	slots := semaphore.NewWeighted(int64(cmp.Or(o.concurrent, 10)))
	var group errgroup.Group
	for _, name := range order {
		group.Go(func() error {
			defer close(visited[name])
			for _, on := range deps[name] {
				if done, node := visited[on]; node {
					<-done
				}
			}
			if err := slots.Acquire(context.Background(), 1); err != nil {
				return err
			}
			defer slots.Release(1)
			c.mu.Lock()
			defer c.mu.Unlock()
			return guardedVisit(name)
		})
	}
	c.mu.Unlock()
	defer c.mu.Lock()
	return group.Wait()
}

// isCyclic reports whether nothing can come first.
func isCyclic(deps map[string][]string) bool {
	const entered, left = 1, 2
	seen := map[string]int{}
	var enter func(string) bool
	enter = func(name string) bool {
		if seen[name] != 0 {
			return seen[name] == entered
		}
		seen[name] = entered
		if slices.ContainsFunc(deps[name], enter) {
			return true
		}
		seen[name] = left
		return false
	}
	return slices.ContainsFunc(slices.Collect(maps.Keys(deps)), enter)
}

// sorted is a random order in which everything follows its dependencies.
func (c *core) sorted(deps map[string][]string) []string {
	var out []string
	done := map[string]bool{}
	left := slices.Sorted(maps.Keys(deps))
	for len(left) > 0 {
		var ready []int
		for i, name := range left {
			if !slices.ContainsFunc(deps[name], func(d string) bool { _, node := deps[d]; return node && !done[d] }) {
				ready = append(ready, i)
			}
		}
		if len(ready) == 0 {
			panic("the configuration depends on itself: " + strings.Join(left, ", "))
		}
		i := ready[c.rand.IntN(len(ready))]
		done[left[i]] = true
		out = append(out, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return out
}
