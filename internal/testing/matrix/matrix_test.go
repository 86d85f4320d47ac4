package matrix

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A seed repeats its cells, other seeds reach all the others, and the full matrix has every cell.
func TestMatrix_Cells(t *testing.T) {
	t.Parallel()
	types := []string{"a", "b", "c", "d", "e"}
	reached := map[string]bool{}
	for seed := range uint64(100) {
		m := Matrix{seed: seed}
		drawn := Cells(m, types, "row", "create")
		assert.Equal(t, drawn, Cells(m, types, "row", "create"))
		reached[drawn[0]] = len(drawn) == 1
	}
	assert.Len(t, reached, len(types))
	assert.Equal(t, types, Cells(Matrix{IsFull: true}, types, "row", "create"))
	assert.Empty(t, Cells(Matrix{}, []string(nil), "row", "create"))
}

// Each number is reached by some seed, and the full matrix has all of them.
func TestMatrix_Numbers(t *testing.T) {
	t.Parallel()
	reached := map[int]bool{}
	for seed := range uint64(100) {
		drawn := Matrix{seed: seed}.Numbers(10, 4, "cut")
		assert.GreaterOrEqual(t, len(drawn), 2)
		for _, n := range drawn {
			reached[n] = true
		}
	}
	assert.Len(t, reached, 10)
	assert.Equal(t, []int{0, 1, 2}, Matrix{IsFull: true}.Numbers(3, 4, "cut"))
}

// In every run, each row and each column has both values of the flag.
func TestMatrix_Pairs(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		m := Matrix{seed: seed}
		for i := range 4 {
			row := slices.Concat(m.Pairs(i, 0), m.Pairs(i, 1))
			column := slices.Concat(m.Pairs(0, i), m.Pairs(1, i))
			assert.ElementsMatch(t, []bool{false, true}, row)
			assert.ElementsMatch(t, []bool{false, true}, column)
		}
	}
	assert.Equal(t, []bool{false, true}, Matrix{IsFull: true}.Pairs(0, 0))
}

func TestOf(t *testing.T) {
	for _, seed := range []uint64{0, 7} {
		t.Setenv(variable, strconv.FormatUint(seed, 10))
		assert.Equal(t, Matrix{seed: seed}, Of(t))
	}
	t.Setenv(variable, "full")
	assert.Equal(t, Matrix{IsFull: true}, Of(t))
}

// A few rows of a table, all of which some seed reaches.
func TestMatrix_Rows(t *testing.T) {
	t.Parallel()
	table := map[string]int{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}
	seen := map[string]bool{}
	for seed := range uint64(40) {
		rows := Rows(Matrix{seed: seed}, table, 2, "cell")
		assert.Len(t, rows, 2)
		assert.Equal(t, rows, Rows(Matrix{seed: seed}, table, 2, "cell"))
		for name, row := range rows {
			assert.Equal(t, table[name], row)
			seen[name] = true
		}
	}
	assert.Len(t, seen, len(table))
	assert.Equal(t, table, Rows(Matrix{IsFull: true}, table, 2))
	assert.Equal(t, table, Rows(Matrix{}, table, 9))
}
