// Package matrix thins the matrices of tests in everyday runs.
package matrix

import (
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// variable is "full", or the seed of an earlier run. `make test` draws a seed for all packages and prints it.
const variable = "RESELLER_MATRIX"

// randomSeed is that of a process without the variable.
var randomSeed = sync.OnceValue(func() uint64 { return uint64(rand.Uint32()) })

// Matrix says which cells of a matrix a run tries. The everyday run tries a few, drawn by its seed; the full matrix tries
// all of them.
type Matrix struct {
	IsFull bool
	seed   uint64
}

// Of is the matrix of this run. A test that fails logs how to repeat it.
func Of(t *testing.T) Matrix {
	t.Helper()
	text := os.Getenv(variable)
	if text == "full" {
		return Matrix{IsFull: true}
	}
	seed := randomSeed()
	if text != "" {
		given, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err, "%s is a number or \"full\"", variable)
		seed = given
	}
	t.Logf("%s=%d repeats the cells of this run, %[1]s=full tries all of them.", variable, seed)
	return Matrix{seed: seed}
}

// Number is below n, the same for a cell in each run with the seed.
func (m Matrix) Number(n int, cell ...string) int {
	h := fnv.New64a()
	_, _ = h.Write(strconv.AppendUint(nil, m.seed, 10))
	for _, name := range cell {
		_, _ = h.Write([]byte("\x00" + name))
	}
	return int(h.Sum64() % uint64(n))
}

// Cells is one of the items, or all of them in the full matrix.
func Cells[T any](m Matrix, items []T, cell ...string) []T {
	if m.IsFull || len(items) == 0 {
		return items
	}
	drawn := m.Number(len(items), cell...)
	return items[drawn : drawn+1]
}

// Rows are n rows of a table, or all of them in the full matrix.
func Rows[T any](m Matrix, table map[string]T, n int, cell ...string) map[string]T {
	if m.IsFull || n >= len(table) {
		return table
	}
	names := slices.Sorted(maps.Keys(table))
	first := m.Number(len(names), cell...)
	drawn := map[string]T{}
	for i := range n {
		name := names[(first+i)%len(names)]
		drawn[name] = table[name]
	}
	return drawn
}

// Numbers are those below n: all of them in the full matrix, else every step-th one from a drawn one on.
func (m Matrix) Numbers(n, step int, cell ...string) []int {
	first := 0
	if m.IsFull {
		step = 1
	} else {
		first = m.Number(step, cell...)
	}
	numbers := make([]int, 0, n/step+1)
	for i := first; i < n; i += step {
		numbers = append(numbers, i)
	}
	return numbers
}

// Pairs are the values of a flag in a cell of two other parameters, which are numbered. Of two neighbors in a row or a
// column, one has the flag, so that each value of a parameter meets both values of the flag in every run.
func (m Matrix) Pairs(i, j int) []bool {
	if m.IsFull {
		return []bool{false, true}
	}
	return []bool{(uint64(i+j)+m.seed)%2 == 1}
}
