// Package existing is what a reseller has, beside what states have: read once, for the commands `export` and `coverage`. It
// reads through the provider's own server, as Terraform does: so it takes the provider's settings, reads each thing once,
// and has all that the schema lets a user configure.
package existing

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/sync/errgroup"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/export/hclblock"
)

// Types of resources that are read.
const (
	TypePackage    = "reseller_package"
	TypeAddon      = "reseller_addon"
	TypeLabel      = "reseller_private_label"
	TypeAssignment = "reseller_assignment"
	TypeMember     = "reseller_member"
	TypeMembers    = "reseller_members"

	TypeBranding     = "reseller_branding" // an import of these carries nothing, so only a state has them
	TypeVerification = "reseller_domain_verification"
)

// Types of the Reseller API in the order in which they are written. Signing resources are not of a reseller.
var Types = []string{TypePackage, TypeAddon, TypeLabel, TypeAssignment, TypeMember, TypeMembers, TypeBranding, TypeVerification}

var defaultPolicies = map[string]string{
	TypePackage: "DEACTIVATE", TypeAddon: "DEACTIVATE", TypeLabel: "PREVENT", TypeAssignment: "REMOVE", TypeMember: "REMOVE",
}

const (
	parallel  = 10 // private labels at a time, as Terraform reads objects
	emailName = "email"
)

// How members are read.
const (
	MembersEach = "each"
	MembersSet  = "set"
	MembersNone = "none"
)

// Object is an object of the reseller, as an import has it in state.
type Object struct {
	Type, ID   string // the ID is that of its import
	Attributes []hclblock.Attribute
}

// Key identifies the object.
func (o *Object) Key() Key {
	return Key{o.Type, o.ID}
}

// Value of an attribute; cty.NilVal if the configuration does not have it.
func (o *Object) Value(name string) cty.Value {
	for _, a := range o.Attributes {
		if a.Name == name {
			return a.Value
		}
	}
	return cty.NilVal
}

// Text returns a string attribute.
func (o *Object) Text(name string) string {
	if value := o.Value(name); value != cty.NilVal && value.Type() == cty.String {
		return value.AsString()
	}
	return ""
}

// Label is a private label with its objects. Own is nil if its configuration would be invalid; then it has no others.
type Label struct {
	ID, Host        string
	Detached        bool
	Own, Assignment *Object
	Set             *Object   // all members, where they are read as a set
	Members         []*Object // without owners and admins
	Others          []*Object // branding and domain verification of a state
	Found           []Found   // also what the schema rejects
	Package         string    // code
	Addons          cty.Value // quantities by code
}

// Found is an object by its type and ID, whether or not a configuration can have it.
type Found struct {
	Key
	Name  string // host name, code or email address
	Plain bool   // not an owner or admin
}

// Objects of a private label, itself first.
func (l *Label) Objects() []*Object {
	objects := slices.Concat([]*Object{l.Own, l.Assignment, l.Set}, l.Members, l.Others)
	return slices.DeleteFunc(objects, func(o *Object) bool { return o == nil })
}

// Options of a read.
type Options struct {
	Only    []string // private labels by host name or ID; all for none
	States  *States  // that are compared with the reseller, with All also by the items that a search lacks; nil for none
	Members func(labelID string) string
	Carry   *States // whose objects are read as a refresh does; nil for none
	All     bool    // also read what a private label has whose own configuration would be invalid
	Pace    *Pace
	Stderr  io.Writer
}

// Reseller is what a reseller has.
type Reseller struct {
	Slug    string
	Names   map[string][]string // by type: all host names and codes, also of what is not read
	Items   []*Object           // packages, then add-ons
	Found   []Found             // items, also those that the schema rejects
	Labels  []*Label
	Omitted []string // what the schema rejects, or what went during the read
	Told    []string // about the states

	source  *source
	options Options
	mu      sync.Mutex
}

// Read makes one list call, one search for packages and one for add-ons, and one or two calls for each private label.
func Read(ctx context.Context, server tfprotov6.ProviderServer, o Options) (*Reseller, error) {
	source, err := connect(ctx, server, o.Stderr)
	if err != nil {
		return nil, err
	}
	r := &Reseller{Names: map[string][]string{}, source: source, options: o}
	items := map[string][]listed{}
	for _, typ := range itemTypes {
		if items[typ], err = source.list(ctx, typ, nil, true); err != nil {
			return nil, err
		}
		r.noteItems(typ, items[typ])
	}
	labels, err := source.list(ctx, TypeLabel, nil, false)
	if err != nil {
		return nil, err
	}
	if err := r.checkStates(ctx, labels); err != nil {
		return nil, err
	}
	for _, typ := range itemTypes {
		if err := r.readItems(ctx, typ, items[typ]); err != nil {
			return nil, err
		}
	}
	assigned, err := source.list(ctx, TypeAssignment, nil, false)
	if err != nil {
		return nil, err
	}
	hosts := map[string]string{} // by ID
	for _, l := range labels {
		hosts[textOf(l.value, "id")] = strings.ToLower(l.name)
	}
	hasPackage := map[string]bool{}
	for _, a := range assigned {
		hasPackage[textOf(a.value, hclblock.Label)] = true
	}
	r.Names[TypeLabel] = slices.Sorted(maps.Values(hosts))
	wanted := slices.Sorted(maps.Keys(hosts))
	if len(o.Only) > 0 {
		wanted = slices.Clone(o.Only)
	}
	ids := map[string]string{} // by host name
	for id, host := range hosts {
		ids[host] = id
	}
	for i, given := range wanted {
		wanted[i] = cmp.Or(ids[given], given)
	}
	err = r.readLabels(ctx, wanted, hosts, hasPackage)
	slices.Sort(r.Omitted)
	return r, err
}

var itemTypes = []string{TypePackage, TypeAddon}

func (r *Reseller) noteItems(typ string, found []listed) {
	for _, item := range found {
		code := textOf(item.value, "code")
		r.Slug = textOf(item.value, "reseller")
		r.Names[typ] = append(r.Names[typ], code)
		r.Found = append(r.Found, Found{Key{typ, textOf(item.value, "id")}, code, true})
	}
}

// checkStates is an error if a state is of another reseller, before anything is read by it. A reseller without catalog items
// shows its slug on the dashboard only.
func (r *Reseller) checkStates(ctx context.Context, labels []listed) (err error) {
	if r.options.States == nil || len(r.options.States.Slugs) == 0 {
		return nil
	}
	if r.Slug == "" {
		if r.Slug, err = r.source.slug(ctx); err != nil {
			return err
		}
	}
	has := map[Key]bool{}
	for _, item := range r.Found {
		has[item.Key] = true
	}
	for _, l := range labels {
		has[Key{TypeLabel, textOf(l.value, "id")}] = true
	}
	r.Told, err = r.options.States.check(r.Slug, has)
	return err
}

func (r *Reseller) readItems(ctx context.Context, typ string, found []listed) error {
	var items []*Object
	for _, item := range found {
		key := Key{typ, textOf(item.value, "id")}
		code := textOf(item.value, "code")
		state, err := r.read(ctx, key, item.value)
		if err != nil {
			return err
		}
		if o := r.object(ctx, key, code, state); o != nil {
			items = append(items, o)
		}
	}
	r.Items = append(r.Items, sortedBy("code", items)...)
	return r.readKnown(ctx, typ)
}

// readKnown finds items of the states that a search lacks: it may hide those that are inactive.
func (r *Reseller) readKnown(ctx context.Context, typ string) error {
	if !r.options.All || r.options.States == nil {
		return nil
	}
	for key, managed := range r.options.States.ByKey {
		if key.Type != typ || slices.ContainsFunc(r.Found, func(f Found) bool { return f.Key == key }) {
			continue
		}
		switch _, err := r.source.imported(ctx, typ, key.ID); {
		case err == nil:
			r.Found = append(r.Found, Found{key, managed[0].Text("code"), true})
		case !isGone(err):
			return err
		}
	}
	return nil
}

// readLabels omits a private label that goes during the read. One that was never there is an error.
func (r *Reseller) readLabels(ctx context.Context, wanted []string, hosts map[string]string, assigned map[string]bool) error {
	found := make([]*Label, len(wanted))
	var unknown []string
	progress := r.options.Pace.begin(r.options, len(wanted))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i, given := range wanted {
		group.Go(func() error {
			l, err := r.readLabel(ctx, given, assigned)
			r.mu.Lock()
			defer r.mu.Unlock()
			switch {
			case err == nil:
				found[i] = l
			case !isGone(err):
				return err
			case hosts[given] != "":
				r.Omitted = append(r.Omitted, fmt.Sprintf("%s (%s) was removed during the read, and is omitted.", hosts[given], given))
			default:
				unknown = append(unknown, given)
			}
			progress.label()
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return fmt.Errorf("-label: the reseller has no private label %s. Write the host name or the ID of each", strings.Join(unknown, ", "))
	}
	found = slices.DeleteFunc(found, func(l *Label) bool { return l == nil })
	slices.SortFunc(found, func(a, b *Label) int { return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.ID, b.ID)) })
	r.Labels = slices.CompactFunc(found, func(a, b *Label) bool { return a.ID == b.ID })
	return nil
}

// readLabel reads a private label that is given by ID or host name. The read of an assignment makes no call, because the
// detail of the private label has it.
func (r *Reseller) readLabel(ctx context.Context, given string, assigned map[string]bool) (*Label, error) {
	state, err := r.read(ctx, Key{TypeLabel, given}, cty.NilVal)
	if err != nil {
		return nil, err
	}
	l := &Label{
		ID: textOf(state, "id"), Host: strings.ToLower(textOf(state, "domain")), Detached: state.GetAttr("domain_attached").False(),
	}
	r.mu.Lock()
	r.Slug = textOf(state, "reseller")
	r.mu.Unlock()
	if l.Own = r.object(ctx, Key{TypeLabel, l.ID}, l.Host, state); l.Own == nil && !r.options.All {
		return l, nil
	}
	l.Found = append(l.Found, Found{Key{TypeLabel, l.ID}, l.Host, true})
	members := r.options.Members(l.ID)
	for typ, to := range map[string]**Object{TypeAssignment: &l.Assignment, TypeMembers: &l.Set} {
		if typ == TypeAssignment && !assigned[l.ID] || typ == TypeMembers && members != MembersSet {
			continue
		}
		if state, err = r.read(ctx, Key{typ, l.ID}, cty.NilVal); err != nil {
			return nil, fmt.Errorf("%s: %w", l.Host, err)
		}
		*to = r.object(ctx, Key{typ, l.ID}, l.Host, state)
		if typ == TypeAssignment {
			l.Package = textOf(state, "package_code")
			l.Addons = state.GetAttr("addons")
			l.Found = append(l.Found, Found{Key{typ, l.ID}, l.Host, true})
		}
	}
	if err := r.readOthers(ctx, l); err != nil || members != MembersEach {
		return l, err
	}
	if err = r.readMembers(ctx, l); err != nil { // maybe because the private label went
		if _, again := r.source.imported(ctx, TypeLabel, l.ID); isGone(again) {
			err = again
		}
	}
	return l, err
}

// readMembers reads each member by itself.
func (r *Reseller) readMembers(ctx context.Context, l *Label) error {
	found, err := r.source.list(ctx, TypeMember, map[string]string{hclblock.Label: l.ID}, true)
	for _, m := range found {
		key := Key{TypeMember, l.ID + "/" + textOf(m.value, "id")}
		plain := textOf(m.value, "role") == "member" // owners and admins can be neither added nor removed
		l.Found = append(l.Found, Found{key, textOf(m.value, emailName), plain})
		if !plain && r.managed(key) == nil {
			continue
		}
		state, err := r.read(ctx, key, m.value)
		if err != nil {
			return err
		}
		if m := r.object(ctx, key, l.Host, state); m != nil {
			l.Members = append(l.Members, m)
		}
	}
	sortedBy(emailName, l.Members)
	return err
}

// object returns nil if the schema rejects what the API has, such as a blank name.
func (r *Reseller) object(ctx context.Context, key Key, name string, state cty.Value) *Object {
	typ, id, schema := key.Type, key.ID, r.source.schema.ResourceSchemas[key.Type]
	attributes, _ := hclblock.Attributes(schema, state)
	if r.managed(key) != nil {
		attributes, _ = hclblock.Carried(schema, state, defaultPolicies[typ])
	}
	if err := r.source.accepts(ctx, typ, attributes); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.Omitted = append(r.Omitted, fmt.Sprintf("%s of %s (%s) is omitted, because its configuration would be invalid. %v", typ, name, id, err))
		return nil
	}
	return &Object{typ, id, attributes}
}

func sortedBy(name string, objects []*Object) []*Object {
	slices.SortFunc(objects, func(a, b *Object) int {
		return cmp.Or(cmp.Compare(a.Text(name), b.Text(name)), cmp.Compare(a.ID, b.ID))
	})
	return objects
}
