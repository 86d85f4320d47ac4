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
