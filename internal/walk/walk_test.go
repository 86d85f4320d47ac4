package walk_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/walk"
)

// A read ends the walk of an apply, and only the first one does.
func TestProcess_Now(t *testing.T) {
	t.Parallel()
	var p walk.Process
	p.Read()
	assert.Equal(t, walk.Moment{}, p.Now(), "reads before an apply")
	p.Apply()
	p.Apply()
	assert.Equal(t, walk.Moment{Applies: 2}, p.Now(), "two changes of one apply")
	p.Read()
	p.Read()
	assert.Equal(t, walk.Moment{Applies: 2, Ended: 1}, p.Now(), "the plan after it")
	p.Apply()
	p.Read()
	assert.Equal(t, walk.Moment{Applies: 3, Ended: 2}, p.Now(), "the plan after the next apply")
}

// Terraform applies, reads and plans many objects at a time.
func TestProcess_Concurrent(t *testing.T) {
	t.Parallel()
	var p walk.Process
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			p.Apply()
			p.Now()
		})
		all.Go(p.Read)
	}
	all.Wait()
	assert.Equal(t, int64(8), p.Now().Applies)
}

// Another walk begins with a request that none makes after those before it.
func TestProcess_Number(t *testing.T) {
	t.Parallel()
	var p walk.Process
	for _, step := range []struct {
		phase  walk.Phase
		object string
		want   int
	}{
		{walk.Refresh, "a", 1},
		{walk.Refresh, "b", 1},
		{walk.Plan, "a", 1},
		{walk.Refresh, "c", 1}, // Terraform plans an object before it refreshes another one
		{walk.Plan, "b", 1},
		{walk.Plan, "b", 2}, // an apply plans again
		{walk.Apply, "b", 2},
		{walk.Plan, "new d", 2},
		{walk.Apply, "new d", 2},
		{walk.Refresh, "c", 3}, // after an apply
		{walk.Refresh, "a", 3},
		{walk.Apply, "a", 4}, // what this process did not plan again
		{walk.Plan, "c", 4},
		{walk.Plan, "c", 5}, // an apply plans again
		{walk.Apply, "c", 5},
		{walk.Refresh, "c", 6},
		{walk.Refresh, "c", 7},
		{walk.Plan, "c", 7},
		{walk.Plan, "c", 8}, // without a refresh
		{walk.Refresh, "c", 9},
	} {
		assert.Equal(t, step.want, p.Number(walk.Request{Phase: step.phase, Object: step.object}), "%v", step)
	}
}

// With -minimal-refresh, a plan refreshes what it has planned, and plans it again.
func TestProcess_MinimalRefresh(t *testing.T) {
	t.Parallel()
	var p walk.Process
	for _, step := range []walk.Request{
		{Phase: walk.Plan, Object: "a"},
		{Phase: walk.Plan, Object: "b"},
		{Phase: walk.Refresh, Object: "a"},
		{Phase: walk.Plan, Object: "a"},
		{Phase: walk.Refresh, Object: "b"},
		{Phase: walk.Plan, Object: "b"},
	} {
		assert.Equal(t, 1, p.Number(step), "%v", step)
	}
	assert.Equal(t, 2, p.Number(walk.Request{Phase: walk.Plan, Object: "a"}), "an apply plans again")
}
