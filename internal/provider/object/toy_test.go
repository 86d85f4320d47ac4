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
	calls     []string            // that write, by the step's key
	looks     []inventory.Age     // in order
	fails     map[string]error    // of the call with a key, once
	after     map[string]bool     // the call fails after its effect
	meanwhile map[string]func()   // before the call with a key
	lookErr   error               // of every look
	presence  *inventory.Presence // instead of what the shop has
	inert     bool                // calls are accepted, and have no effect
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

// step is "make NAME", "break NAME", "add PART" or "drop PART".
type step struct{ verb, what string }

func (s *step) Key() string { return s.verb + " " + s.what }

type (
	description = object.Description[*model, *toy, *step]
	change      = object.Change[*model, *toy, *step]
)

// describe is the description of a toy in a shop. A test changes it.
func describe(s *shop) *description {
	d := &description{
		Type:     "toy",
		Schema:   toySchema,
		Identity: []object.Attribute{{Name: "name", Description: "Name."}, {Name: "id", Description: "ID."}},
		Subject:  "name",
		Policy: &effect.DeletionPolicy{
			Noun: "toy", Values: []string{effect.PolicyRemove, effect.PolicyAbandon, effect.PolicyPrevent}, Loss: "breaks it",
		},
		Replacing: []string{"name"},
		Name: func(_ context.Context, _ *session.Session, m *model) string {
			return "The toy " + m.Name.ValueString()
		},
		Key:      func(m *model) string { return m.Name.ValueString() },
		Look:     s.look,
		Presence: s.present,
		Fill:     fill,
		Import: func(_ context.Context, _ *session.Session, given string) ([]string, diag.Diagnostics) {
			name, _, _ := strings.Cut(given, "/")
			if s.toys[name] == nil {
				return nil, diag.Diagnostics{diag.NewErrorDiagnostic("No such toy", given)}
			}
			return []string{name, s.toys[name].id}, nil
		},
		Steps:    steps,
		Announce: announce,
		Plan:     plan,
		Check:    check,
		Take:     s.take,
		Failed: func(_ context.Context, c *change, st *step, o transport.Outcome) diag.Diagnostics {
			return diag.Diagnostics{diag.NewErrorDiagnostic("Step failed", fmt.Sprintf("%s after %d: %v", st.Key(), len(c.Done), o.Err))}
		},
		Moved:    []string{"MOVED"},
		AtCreate: inventory.Current,
		AtUpdate: inventory.Current,
		Resumes:  true,
		Texts: object.Texts[*model]{
			SummaryRead: "Error reading toy",
			Gone: func(_ context.Context, _ *session.Session, m *model) diag.Diagnostic {
				return diag.NewWarningDiagnostic("Toy is gone", m.Name.ValueString())
			},
			Replace: func(name string) diag.Diagnostic { return diag.NewErrorDiagnostic("Toys cannot be replaced", name) },
		},
	}
	return d
}

func toySchema(context.Context) schema.Schema {
	return schema.Schema{Attributes: map[string]schema.Attribute{
		"name":    schema.StringAttribute{Required: true},
		"parts":   schema.SetAttribute{Required: true, ElementType: types.StringType},
		"note":    schema.StringAttribute{Optional: true},
		"id":      schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
		"serials": schema.MapAttribute{Computed: true, ElementType: types.StringType, PlanModifiers: []planmodifier.Map{mapplanmodifier.UseStateForUnknown()}},
	}}
}

func (s *shop) look(_ context.Context, _ *session.Session, m *model, age inventory.Age) (*toy, error) {
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

func (s *shop) present(_ context.Context, _ *session.Session, m *model, _ error) (inventory.Presence, error) {
	switch {
	case s.presence != nil:
		return *s.presence, nil
	case s.toys[m.Name.ValueString()] != nil:
		return inventory.Present, nil
	default:
		return inventory.Absent, nil
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

func steps(was, want *model, live *toy) []*step {
	var have []string
	made := was != nil || live != nil
	switch {
	case live != nil:
		have = slices.Sorted(maps.Keys(live.parts))
	case was != nil:
		have = was.parts()
	}
	if want == nil {
		if was.DeletionPolicy.ValueString() == effect.PolicyAbandon {
			return nil
		}
		return append(each("drop", have), &step{"break", was.Name.ValueString()})
	}
	var out []*step
	if !made {
		out = append(out, &step{"make", want.Name.ValueString()})
	}
	missing := slices.DeleteFunc(want.parts(), func(p string) bool { return slices.Contains(have, p) })
	extra := slices.DeleteFunc(have, func(p string) bool { return slices.Contains(want.parts(), p) })
	return append(append(out, each("drop", extra)...), each("add", missing)...)
}

func each(verb string, parts []string) []*step {
	out := make([]*step, 0, len(parts))
	for _, part := range parts {
		out = append(out, &step{verb, part})
	}
	return out
}

// announce has one warning with all steps, and what the plan found.
func announce(v object.View[*model, *toy], todo []*step) effect.Notices {
	var keys []string
	for _, s := range todo {
		keys = append(keys, s.Key())
	}
	if len(keys) == 0 {
		return nil
	}
	detail := strings.Join(keys, ", ")
	if v.Live != nil {
		detail += fmt.Sprintf(" (has %s)", strings.Join(slices.Sorted(maps.Keys(v.Live.parts)), " "))
	}
	topic := effect.Topic{Summary: "Toy changes", Kinds: []effect.Kind{effect.Permanent}}
	return effect.Notices{{Topic: topic, Detail: detail, Effects: []effect.Effect{{Kind: effect.Permanent, What: detail, Subject: "toy"}}}}
}

// plan plans the serial numbers: known for parts that stay.
func plan(_ context.Context, c *change) diag.Diagnostics {
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

// check rejects a create that would have to drop a part.
func check(_ context.Context, c *change) diag.Diagnostics {
	if !c.Creates() || c.Live == nil {
		return nil
	}
	for part := range c.Live.parts {
		if !slices.Contains(c.Want.parts(), part) {
			return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("parts"), "Toy has other parts", "import { id = "+c.Want.Name.ValueString()+" }")}
		}
	}
	return nil
}

func (s *shop) take(_ context.Context, c *change, st *step, now *model) transport.Outcome {
	name := c.Subject().Name.ValueString()
	err := s.call(st.Key(), func() {
		switch st.verb {
		case "make":
			now.ID = types.StringValue(s.put(name).id)
		case "break":
			delete(s.toys, name)
		case "add":
			s.toys[name].parts[st.what] = s.nextSerial()
		case "drop":
			delete(s.toys[name].parts, st.what)
		}
	})
	return transport.OutcomeOf(st.verb, st.what, false, err)
}
