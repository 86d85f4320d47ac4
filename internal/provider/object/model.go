package object

import (
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Model is a pointer to a struct with tfsdk tags that embeds Base or Guarded. Pointers share one compiled form of generic
// code, as long as no constraint is comparable: with structs, the binary would be 1.3 MB larger.
type Model interface{ base() *Base }

// Base is embedded by every model.
type Base struct {
	// Reseller is the slug under which the object was last read or written, see session.ResellerAttribute.
	Reseller types.String `tfsdk:"reseller"`
}

func (b *Base) base() *Base {
	return b
}

// Guarded is embedded by the models of objects whose destroy makes API calls.
type Guarded struct {
	Base
	DeletionPolicy types.String `tfsdk:"deletion_policy"`
}

func (g *Guarded) policy() *types.String {
	return &g.DeletionPolicy
}

// newModel returns a pointer to a new struct.
func newModel[M Model]() M {
	m, _ := reflect.TypeAssert[M](reflect.New(reflect.TypeFor[M]().Elem()))
	return m
}

func clone[M Model](m M) M {
	out := newModel[M]()
	overwrite(out, m)
	return out
}

// overwrite sets a model to another one.
func overwrite[M Model](m, with M) {
	reflect.ValueOf(m).Elem().Set(reflect.ValueOf(with).Elem())
}

// zero is no model, or no live object.
func zero[P any]() (p P) {
	return p
}

func isNil[P any](p P) bool {
	return any(p) == any(zero[P]())
}

// policyOf is deletion_policy of a model; nil for no model, and for a type without a policy.
func policyOf[M Model](m M) *types.String {
	guarded, ok := any(m).(interface{ policy() *types.String })
	if isNil(m) || !ok {
		return nil
	}
	return guarded.policy()
}

const (
	labelAttribute = "private_label_id"
	hostAttribute  = "domain" // identifies an object by a host name of its private label
)

// labelOf is the ID of the private label that an object belongs to, "" for none.
func (t *Type[M]) labelOf(m M) string {
	return t.Fields().text(m, labelAttribute)
}
