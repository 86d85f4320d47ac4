package provider

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The runtime calls every exported method of a resource and of its operations. The compiler does not see an optional one that is
// misspelled or has another signature.
func TestResources_MethodsAreCalled(t *testing.T) {
	t.Parallel()
	count := 0
	for _, typ := range all.Resources {
		resource, ok := typ.(interface {
			Contract() ([]any, []reflect.Type)
		})
		if !ok {
			continue // of the Signing API, which the runtime does not carry out
		}
		count++
		parts, interfaces := resource.Contract()
		for _, name := range uncalled(parts, interfaces) {
			t.Errorf("%s: the runtime does not call %s: is an optional method of object/resource.go misspelled, or its signature another one?", typ.TypeName(), name)
		}
	}
	assert.GreaterOrEqual(t, count, 7, "resources")
}

func uncalled(parts []any, interfaces []reflect.Type) (names []string) {
	for _, part := range parts {
		typ := reflect.TypeOf(part)
		for method := range typ.Methods() {
			if !slices.ContainsFunc(interfaces, func(i reflect.Type) bool {
				_, ok := i.MethodByName(method.Name)
				return ok && (i.Kind() != reflect.Interface || typ.Implements(i))
			}) {
				names = append(names, typ.String()+"."+method.Name)
			}
		}
	}
	return names
}

type wellSpelled struct{}

func (wellSpelled) Validate(int) bool { return true }

type misspelled struct{ wellSpelled }

func (misspelled) Valdate(int) bool { return true }

type otherSignature struct{}

func (otherSignature) Validate() bool { return true }

func TestUncalled(t *testing.T) {
	t.Parallel()
	interfaces := []reflect.Type{reflect.TypeFor[interface{ Validate(n int) bool }]()}
	for part, want := range map[any][]string{
		wellSpelled{}: nil, misspelled{}: {"provider.misspelled.Valdate"}, otherSignature{}: {"provider.otherSignature.Validate"},
	} {
		assert.Equal(t, want, uncalled([]any{part}, interfaces), "%T", part)
	}
}
