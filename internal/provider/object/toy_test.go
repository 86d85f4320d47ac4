package object_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// toy is a live object: a kit with a name, and parts of which each has a serial number.
type toy struct {
	id    string
	parts map[string]string // serial number by part
}

// shop is the API that has the toys.
type shop struct {
	mu        sync.Mutex
	toys      map[string]*toy // by name
	serial    int
	calls     []string              // that write, by the step's key
	looks     []inventory.Freshness // in order
	fails     map[string]error      // of the call with a key, once
	after     map[string]bool       // the call fails after its effect
	meanwhile map[string]func()     // before the call with a key
	lookErr   error                 // of every look
	presence  *inventory.Presence   // instead of what the shop has
	inert     bool                  // calls are accepted, and have no effect
}

func newShop() *shop {
	return &shop{toys: map[string]*toy{}, fails: map[string]error{}, after: map[string]bool{}, meanwhile: map[string]func(){}}
}

// put makes a toy with parts, as a user in the console does.
func (s *shop) put(name string, parts ...string) *toy {
	t := &toy{id: "id-" + name, parts: map[string]string{}}
	for _, part := range parts {
		t.parts[part] = s.nextSerial()
	}
	s.toys[name] = t
	return t
}

func (s *shop) nextSerial() string {
	s.serial++
	return fmt.Sprintf("no-%d", s.serial)
}

func (s *shop) call(key string, act func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if hook := s.meanwhile[key]; hook != nil {
		hook()
	}
	s.calls = append(s.calls, key)
	err := s.fails[key]
	delete(s.fails, key)
	if err == nil || s.after[key] {
		if !s.inert {
			act()
		}
	}
	return err
}

var (
	errServer    = &transport.Error{Op: "do it", Status: 500, Code: "INTERNAL_SERVER_ERROR"}
	errForbidden = &transport.Error{Op: "do it", Status: 403, Code: "FORBIDDEN"}
	errInvalid   = &transport.Error{Op: "do it", Status: 400, Code: "INVALID_REQUEST"}
	errMoved     = &transport.Error{Op: "do it", Status: 400, Code: "MOVED"}
)

type model struct {
	Name    types.String `tfsdk:"name"`
	Parts   types.Set    `tfsdk:"parts"`
	Note    types.String `tfsdk:"note"`
	ID      types.String `tfsdk:"id"`
	Serials types.Map    `tfsdk:"serials"`
	object.Guarded
}

func (m *model) parts() []string {
	var out []string
	for _, part := range m.Parts.Elements() {
		if text, ok := part.(types.String); ok {
			out = append(out, text.ValueString())
		}
	}
	slices.Sort(out)
	return out
}

type (
	change    = object.Change[*model]
	view      = object.View[*model]
	operation = object.Operation[*model]
	kind      = object.Resource[*model]
)

// described are the traits of a toy: as an embedded field of another name than the method.
type described = object.Traits

// toyResource is the resource of the toys in a shop. A test changes it.
type toyResource struct {
	*shop
	described
	schema  func(context.Context) schema.Schema
	lookFor func(m *model, age inventory.Freshness) (*toy, error)
	quiet   func(*model) bool
	begin   func(*toyOperation) operation
	as      func(*toyResource) kind // another kind of toy
	typ     *object.Type[*model]
}

func newResource(s *shop) *toyResource {
	return &toyResource{
		shop: s, schema: toySchema, lookFor: s.look,
		quiet: func(*model) bool { return true },
		begin: func(c *toyOperation) operation { return c },
		as:    func(k *toyResource) kind { return k },
		described: object.Traits{
			Type:        "toy",
			Identity:    []object.Attribute{{Name: "name", Description: "Name."}, {Name: "id", Description: "ID."}},
			Subject:     "name",
			SummaryRead: "Error reading toy",
			Policy: &effect.DeletionPolicy{
				Noun: "toy", Values: []string{effect.PolicyRemove, effect.PolicyAbandon, effect.PolicyPrevent}, Loss: "breaks it",
			},
			Replacing:        []string{"name"},
			NotReplaceable:   &object.Rejection{Summary: "Toys cannot be replaced", Detail: "%s"},
			StaleCodes:       []string{"MOVED"},
			ReadBeforeCreate: inventory.Current,
			ReadBeforeUpdate: inventory.Current,
			Resumes:          true,
		},
	}
}

var _ object.NoWarnings[*model] = (*toyResource)(nil)

// unkeyed toys have no name by which a create finds them.
type unkeyedResource struct{ *toyResource }

func unkeyed(k *toyResource) kind { return unkeyedResource{k} }

func (unkeyedResource) Key(*model) string { return "" }

// replaceable toys lack a trait.
func replaceable(k *toyResource) kind {
	k.NotReplaceable = nil
	return k
}

func (k *toyResource) Traits() object.Traits { return k.described }

func (k *toyResource) Schema(ctx context.Context) schema.Schema { return k.schema(ctx) }

func (k *toyResource) Name(_ context.Context, _ *session.Session, m *model) string {
	return "toy " + m.Name.ValueString()
}

func (k *toyResource) Key(m *model) string { return m.Name.ValueString() }

func (k *toyResource) Import(_ context.Context, _ *session.Session, given string) ([]string, diag.Diagnostics) {
	name, _, _ := strings.Cut(given, "/")
	if k.toys[name] == nil {
		return nil, diag.Diagnostics{diag.NewErrorDiagnostic("No such toy", given)}
	}
	return []string{name, k.toys[name].id}, nil
}

func (k *toyResource) Read(_ context.Context, _ *session.Session, m *model, age inventory.Freshness) (*model, error) {
	live, err := k.lookFor(m, age)
	if err != nil || live == nil {
		return nil, err
	}
	out := *m
	fill(&out, live)
	return &out, nil
}

func (*toyResource) Drift(*model, *model) []effect.Effect { return nil }

func (k *toyResource) Absence(m *model) inventory.Absence {
	return func(context.Context, *inventory.Inventory, string, error) (inventory.Presence, error) {
		return k.present(m), nil
	}
}

func (k *toyResource) Gone(_ context.Context, _ *session.Session, m *model) (removed, left diag.Diagnostic) {
	return diag.NewWarningDiagnostic("Toy is gone", m.Name.ValueString()), nil
}

func (k *toyResource) NoWarnings(m *model) bool { return k.quiet(m) }

func (k *toyResource) Begin(c *change) operation { return k.begin(&toyOperation{c, k.shop, k.typ}) }

func toySchema(context.Context) schema.Schema {
	return schema.Schema{Attributes: map[string]schema.Attribute{
		"name":    schema.StringAttribute{Required: true},
		"parts":   schema.SetAttribute{Required: true, ElementType: types.StringType},
		"note":    schema.StringAttribute{Optional: true},
		"id":      schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
		"serials": schema.MapAttribute{Computed: true, ElementType: types.StringType, PlanModifiers: []planmodifier.Map{mapplanmodifier.UseStateForUnknown()}},
	}}
}

func (s *shop) look(m *model, age inventory.Freshness) (*toy, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looks = append(s.looks, age)
	if s.lookErr != nil {
		return nil, s.lookErr
	}
	live := s.toys[m.Name.ValueString()]
	if live == nil {
		return nil, nil
	}
	return &toy{live.id, maps.Clone(live.parts)}, nil
}

func (s *shop) present(m *model) inventory.Presence {
	switch {
	case s.presence != nil:
		return *s.presence
	case s.toys[m.Name.ValueString()] != nil:
		return inventory.Present
	default:
		return inventory.Absent
	}
}

func fill(m *model, live *toy) {
	m.ID = types.StringValue(live.id)
	parts, serials := []attr.Value{}, map[string]attr.Value{}
	for part, serial := range live.parts {
		parts = append(parts, types.StringValue(part))
		serials[part] = types.StringValue(serial)
	}
	m.Parts = types.SetValueMust(types.StringType, parts)
	m.Serials = types.MapValueMust(types.StringType, serials)
}

// Steps are "make NAME", "break NAME", "add PART" and "drop PART".
func (k *toyResource) Steps(was, want, live *model) []effect.Step {
	var have []string
	exists := was != nil || live != nil
	switch {
	case live != nil:
		have = live.parts()
	case was != nil:
		have = was.parts()
	}
	if want == nil {
		if was.DeletionPolicy.ValueString() == effect.PolicyAbandon {
			return nil
		}
		return append(each("drop", have), effect.NewStep("break", was.Name.ValueString(), ""))
	}
	var out []effect.Step
	if !exists {
		out = append(out, effect.NewStep("make", want.Name.ValueString(), ""))
	}
	missing := slices.DeleteFunc(want.parts(), func(p string) bool { return slices.Contains(have, p) })
	extra := slices.DeleteFunc(have, func(p string) bool { return slices.Contains(want.parts(), p) })
	return append(append(out, each("drop", extra)...), each("add", missing)...)
}

func each(verb string, parts []string) []effect.Step {
	out := make([]effect.Step, 0, len(parts))
	for _, part := range parts {
		out = append(out, effect.NewStep(verb, part, ""))
	}
	return out
}

// Warnings are one with all steps, and what the plan found.
func (k *toyResource) Warnings(v view, todo []effect.Step) effect.Warnings {
	var keys []string
	for _, s := range todo {
		keys = append(keys, s.Key)
	}
	if len(keys) == 0 {
		return nil
	}
	detail := strings.Join(keys, ", ")
	if v.Live != nil {
		detail += fmt.Sprintf(" (has %s)", strings.Join(v.Live.parts(), " "))
	}
	topic := effect.Topic{Summary: "Toy changes", Kinds: []effect.Kind{effect.Permanent}}
	return effect.Warnings{{Topic: topic, Detail: detail, Effects: []effect.Effect{{Event: effect.Event{Kind: effect.Permanent, Phrase: "toy"}}}}}
}

// toyOperation is one plan or apply of a toy.
type toyOperation struct {
	*change
	shop *shop
	typ  *object.Type[*model]
}

// Plan plans the serial numbers: known for parts that stay.
func (c *toyOperation) Plan(context.Context) diag.Diagnostics {
	if c.Destroys() || !c.Creates() && c.Want.Parts.Equal(c.Was.Parts) {
		return nil
	}
	serials := map[string]attr.Value{}
	for _, part := range c.Want.parts() {
		serials[part] = types.StringUnknown()
		if !c.Creates() {
			if known, ok := c.Was.Serials.Elements()[part]; ok {
				serials[part] = known
			}
		}
	}
	c.Want.Serials = types.MapValueMust(types.StringType, serials)
	return nil
}

// Check rejects a create that would have to drop a part.
func (c *toyOperation) Check(context.Context) diag.Diagnostics {
	if !c.Creates() || c.Live == nil {
		return nil
	}
	for _, part := range c.Live.parts() {
		if !slices.Contains(c.Want.parts(), part) {
			return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("parts"), "Toy has other parts", "import { id = "+c.Want.Name.ValueString()+" }")}
		}
	}
	return nil
}

func (c *toyOperation) Execute(_ context.Context, st effect.Step, now *model) transport.Outcome {
	name, s := c.Subject().Name.ValueString(), c.shop
	err := s.call(st.Key, func() {
		switch st.Verb {
		case "make":
			now.ID = types.StringValue(s.put(name).id)
		case "break":
			delete(s.toys, name)
		case "add":
			s.toys[name].parts[st.Name] = s.nextSerial()
		case "drop":
			delete(s.toys[name].parts, st.Name)
		}
	})
	return transport.OutcomeOf(st.Verb, st.Name, false, err)
}

func (c *toyOperation) ReadBack(ctx context.Context, now *model) diag.Diagnostics {
	return c.typ.ReadBack(ctx, c.change, now)
}

func (c *toyOperation) Explain(_ context.Context, st effect.Step, o transport.Outcome) diag.Diagnostics {
	return diag.Diagnostics{diag.NewErrorDiagnostic("Step failed", fmt.Sprintf("%s after %d: %v", st.Key, len(c.Done), o.Err))}
}
