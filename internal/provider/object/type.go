package object

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Type is a type of resource as the provider registers it, with the optional methods that it has.
type Type[M Model] struct {
	Traits
	resource Resource[M]

	// nil where the resource has no such method
	manager Manager[M]
	lightly Lightly[M]

	once   sync.Once
	fields Fields
}

// New returns the type of a resource.
func New[M Model](k Resource[M]) *Type[M] {
	t := &Type[M]{Traits: k.Traits(), resource: k}
	t.manager, _ = k.(Manager[M])
	t.lightly, _ = k.(Lightly[M])
	return t
}

// Contract is a resource with what it begins, and the interfaces of the methods that the runtime calls. A test demands that they
// have no other methods: a misspelled optional one would compile, and never be called.
func (t *Type[M]) Contract() (parts []any, interfaces []reflect.Type) {
	parts = []any{t.resource, t.resource.Begin(&Change[M]{Want: newModel[M]()})}
	return parts, []reflect.Type{
		reflect.TypeFor[Resource[M]](), reflect.TypeFor[Manager[M]](), reflect.TypeFor[DestroyReader[M]](), reflect.TypeFor[Lightly[M]](),
		reflect.TypeFor[NoWarnings[M]](), reflect.TypeFor[Operation[M]](),
		reflect.TypeFor[*Change[M]](), // which an operation may embed
	}
}

// New returns the resource.
func (t *Type[M]) New() resource.Resource {
	return t.with(nil)
}

func (t *Type[M]) with(s *session.Session) *resourceOf[M] {
	return &resourceOf[M]{ResourceBase: session.ResourceBase{Session: s}, t: t}
}

func (t *Type[M]) schema(ctx context.Context) schema.Schema {
	s := t.resource.Schema(ctx)
	s.Attributes["reseller"] = session.ResellerAttribute()
	if t.Policy != nil {
		s.Attributes["deletion_policy"] = t.Policy.Attribute()
	}
	return s
}

// Fields are the attributes of the type's model.
func (t *Type[M]) Fields() Fields {
	t.once.Do(func() { t.fields = NewFields(reflect.TypeFor[M]().Elem(), t.schema(context.Background())) })
	return t.fields
}

// Steps are those of the resource.
func (t *Type[M]) Steps(was, want, live M) []effect.Step {
	return t.resource.Steps(was, want, live)
}

// Reviewer reviews the resource in a saved plan.
func (t *Type[M]) Reviewer() effect.Reviewer {
	warnings := func(was, want M, names effect.Names) effect.Warnings {
		return t.Warnings(was, want, names)
	}
	claims := func(was, want M) []register.Claim { return t.claims(nil, was, want, zero[M](), "") }
	reviewer := effect.NewReviewer(t.New(), t.Subject, newModel[M], warnings, t.resource.Drift, claims)
	reviewer.NeverReplaced = t.NotReplaceable != nil
	return reviewer
}

// Warnings announces a change, as the review of a saved plan does.
func (t *Type[M]) Warnings(was, want M, names Names) effect.Warnings {
	return t.warnings(was, want, zero[M](), names)
}

// warnings of a change. live is what a plan found.
func (t *Type[M]) warnings(was, want, live M, names Names) effect.Warnings {
	stays := false
	if !isNil(was) && !isNil(want) {
		same, awaited := t.assumed(was, want)
		id := t.Fields().text(want, "id")
		stays = (id == t.Fields().text(was, "id") || id == "" && t.RenamesFreely && len(awaited) > 0) && // -replace of what waits is announced by no plan
			(!t.replaces(was, want) || slices.Equal(t.ids(was), t.ids(want))) // a new email address may be that of the same user
		if stays {
			want = same
		}
	}
	v := View[M]{Was: was, Want: want, Live: live, Names: names}
	switch {
	case isNil(was) && isNil(want):
		return nil
	case !isNil(was) && !isNil(want) && !stays && len(t.Replacing) > 0:
		v.Want = zero[M]()
		v.Next = want
		return append(t.announce(v, t.Steps(was, zero[M](), live)), t.warnings(zero[M](), want, zero[M](), names)...)
	case isNil(want):
		return t.announce(v, t.Steps(was, zero[M](), live))
	default: // what a create or an update does follows from prior state and plan
		return t.announce(v, t.Steps(was, want, zero[M]()))
	}
}

// announce makes the warnings of steps, and adds to each effect whose object it is.
func (t *Type[M]) announce(v View[M], steps []effect.Step) effect.Warnings {
	m := v.Want
	if isNil(m) || !isNil(v.Was) && t.inLabel() && t.labelOf(m) == "" { // the plan of an update assumes that the label stays
		m = v.Was
	}
	v.Label = sync.OnceValue(func() effect.Label { return t.label(m, v.Names) })
	out := t.resource.Warnings(v, steps)
	before := policyOf(v.Was)
	after := policyOf(v.Want)
	if before != nil && after != nil {
		value := types.StringValue(t.Fields().text(v.Was, t.Subject))
		out = append(out, t.Policy.Lowered(t.subject(v.Was, v.Names), effect.About(effect.Event{}, t.Subject, value), *before, *after)...)
	}
	for _, n := range out {
		for i := range n.Effects {
			n.Effects[i].Label = v.Label()
			n.Effects[i].Reseller = m.base().Reseller.ValueString()
		}
	}
	return out
}

// label is the private label that an object is or belongs to, none for a catalog item.
func (t *Type[M]) label(m M, names Names) effect.Label {
	l := effect.Label{ID: t.labelOf(m), Host: t.Fields().text(m, "domain")}
	isLabel := t.Type == session.TypePrivateLabel
	if isLabel {
		l.ID = t.Fields().text(m, "id")
	}
	l.Later = l == effect.Label{} && (t.inLabel() || isLabel || t.Subject == "domain")
	if isLabel || l == (effect.Label{}) {
		return l
	}
	return names.Label(l)
}

// subject names an object as a review does: a private label by its host name.
func (t *Type[M]) subject(m M, names Names) string {
	if t.Subject == labelAttribute {
		return t.label(m, names).String()
	}
	return t.Fields().text(m, t.Subject)
}

// replaces reports whether an attribute changes that a live object cannot change.
func (t *Type[M]) replaces(was, want M) bool {
	return slices.ContainsFunc(t.Replacing, func(name string) bool {
		now := t.Fields().attribute(want, name)
		return !now.IsUnknown() && !now.Equal(t.Fields().attribute(was, name))
	})
}

// Item is one result of a list. m has the identity; read returns it filled when Terraform asks for the resource, which is
// then as a read after an import returns it.
func (t *Type[M]) Item(ctx context.Context, s *session.Session, name string, m M, read func() (M, error)) session.Listed {
	return session.Listed{
		Name:     name,
		Identity: func(to *tfsdk.ResourceIdentity) diag.Diagnostics { return t.setIdentity(ctx, to, m) },
		Resource: func() (any, diag.Diagnostics) {
			live, err := read()
			if err != nil {
				return nil, diagnostic.ReadFailure(t.SummaryRead, t.with(s).begin(ctx, m), err)
			}
			return live, t.with(s).complete(ctx, live)
		},
	}
}
