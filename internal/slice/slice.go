// Package slice has what package slices lacks.
package slice

// Map returns what f makes of each element of a list, never nil.
func Map[A, B any](list []A, f func(A) B) []B {
	out := make([]B, 0, len(list))
	for _, a := range list {
		out = append(out, f(a))
	}
	return out
}
