package session

import (
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// ItemKey names an item in a set of both kinds.
func ItemKey(k client.Kind, code string) string {
	return k.String() + " " + fwtype.CodeKind{}.Normal(code)
}

var NotOurHost = diagnostic.Remedy{At: path.Root("domain"), Advice: "The reseller has no live private label with this host name. Check its spelling and the API key. If the same apply provisions the private label, set domain = reseller_private_label.NAME.domain."}

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

// BeginWalk forgets what an earlier walk read and planned.
func (s *Session) BeginWalk() {
	s.Inventory.InvalidateReads()
	s.namesMu.Lock()
	defer s.namesMu.Unlock()
	for _, names := range s.names {
		names.Begin()
	}
}

// NewNames returns a set of names for one kind of request. It is emptied when a walk begins.
func (s *Session) NewNames() *WalkNames {
	names := NewWalkNames(s.walk)
	s.namesMu.Lock()
	defer s.namesMu.Unlock()
	s.names = append(s.names, names)
	return names
}

// DeclaredTwice is the error of the second of two resources for one object, before its call.
func DeclaredTwice(at path.Path, object string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, summaryDeclaredTwice,
		fmt.Sprintf("%s is created by another resource of this apply. This resource made no API call. Remove one of the two resources from the configuration.", diagnostic.Capitalize(object)))
}

// Claim is the key of an object that is being created.
func Claim(typeName, name string) string { return typeName + "/" + name }
