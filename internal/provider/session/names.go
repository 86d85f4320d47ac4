package session

import (
	"reflect"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// ItemKey returns the key of a catalog item in a set of both kinds.
func ItemKey(k client.Kind, code string) string {
	return k.String() + " " + fwtype.CodeKind{}.Normal(code)
}

// Shared returns the one value of a type that all resources of a session use. The first caller creates it.
func Shared[T any](s *Session, create func(*Session) T) T {
	s.sharedMu.Lock()
	defer s.sharedMu.Unlock()
	key := reflect.TypeFor[T]()
	if value, ok := s.shared[key].(T); ok {
		return value
	}
	value := create(s)
	s.shared[key] = value
	return value
}

// BeginWalk drops what an earlier walk read and planned.
func (s *Session) BeginWalk() {
	s.Inventory.InvalidateReads()
	s.namesMu.Lock()
	defer s.namesMu.Unlock()
	for _, names := range s.names {
		names.Begin()
	}
}

// NewNames returns a set of names for one kind of request. BeginWalk empties it.
func (s *Session) NewNames() *WalkNames {
	names := NewWalkNames(s.walk)
	s.namesMu.Lock()
	defer s.namesMu.Unlock()
	s.names = append(s.names, names)
	return names
}

// Claim returns the key of an object during its create.
func Claim(typeName, name string) string { return typeName + "/" + name }
