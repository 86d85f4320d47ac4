package export

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"
	"golang.org/x/sync/errgroup"
)

const (
	parallel  = 10 // private labels at a time, as Terraform reads objects
	perMinute = 60 // calls for private labels and members (§8)
	begun     = 2  // of them: the dashboard and the list
)

// object is one object of the reseller, as an import would have it in state.
type object struct {
	typ        string
	id         string // of its import
	attributes []attribute
}

// text returns a string attribute.
func (o *object) text(name string) string {
	for _, a := range o.attributes {
		if a.name == name && a.value.Type() == cty.String {
			return a.value.AsString()
		}
	}
	return ""
}

// label is a private label with what it has.
type label struct {
	id, host string
	own      []*object // the private label, its assignment and its domain verification, or a reseller_members
	members  []*object
	detached bool
	left     []string // what cannot be configured, and why
}

// reseller is everything that an export writes.
type reseller struct {
	items  []*object // packages, then add-ons
	labels []*label
	left   []string
}

// read reads the reseller: one list of private labels, one search of packages and of add-ons, and one or two calls for each
// private label.
func (o *options) read(ctx context.Context, from *source, stderr io.Writer) (*reseller, error) {
	labels, assigned, err := o.which(ctx, from)
	if err != nil {
		return nil, err
	}
	r := &reseller{labels: make([]*label, len(labels))}
	for _, typ := range []string{typePackage, typeAddon} {
		if err := r.readItems(ctx, from, typ); err != nil {
			return nil, err
		}
	}
	p := &progress{to: stderr, labels: len(labels), each: 2}
	if o.members == membersNone {
		p.each = 1
	}
	p.begin()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i, given := range labels {
		group.Go(func() error {
			l, err := o.readLabel(ctx, from, given, assigned)
			r.labels[i] = l
			p.done()
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	slices.SortFunc(r.labels, func(a, b *label) int { return cmp.Or(cmp.Compare(a.host, b.host), cmp.Compare(a.id, b.id)) })
	r.labels = slices.CompactFunc(r.labels, func(a, b *label) bool { return a.id == b.id })
	if len(o.labels) > 0 {
		r.keepUsed()
	}
	return r, nil
}

// which returns the private labels to export, and the IDs of those that have a package.
func (o *options) which(ctx context.Context, from *source) (labels []string, assigned map[string]bool, err error) {
	all, err := from.list(ctx, typeLabel, nil, false)
	if err != nil {
		return nil, nil, err
	}
	have, err := from.list(ctx, typeAssignment, nil, false)
	if err != nil {
		return nil, nil, err
	}
	assigned = map[string]bool{}
	for _, one := range have {
		assigned[textOf(one, attributeLabel)] = true
	}
	if len(o.labels) > 0 {
		return o.labels, assigned, nil
	}
	for _, one := range all {
		labels = append(labels, textOf(one, "id"))
	}
	return labels, assigned, nil
}

func textOf(state cty.Value, name string) string {
	value := state.GetAttr(name)
	if value.IsNull() {
		return ""
	}
	return value.AsString()
}

func (r *reseller) readItems(ctx context.Context, from *source, typ string) error {
	states, err := from.list(ctx, typ, nil, true)
	if err != nil {
		return err
	}
	slices.SortFunc(states, func(a, b cty.Value) int { return cmp.Compare(textOf(a, "code"), textOf(b, "code")) })
	for _, state := range states {
		one, problem := from.object(ctx, typ, textOf(state, "id"), state)
		if problem != nil {
			r.left = append(r.left, leftOut(typ+" "+textOf(state, "code"), problem))
			continue
		}
		r.items = append(r.items, one)
	}
	return nil
}

// object returns an error if the schema rejects what the API has, such as a blank name.
func (s *source) object(ctx context.Context, typ, id string, state cty.Value) (*object, error) {
	o := &object{typ, id, s.configurable(typ, state)}
	return o, s.accepts(ctx, typ, o.attributes)
}

func leftOut(what string, problem error) string {
	return fmt.Sprintf("%s is left out, because a configuration cannot have it. %s", what, problem)
}

// readLabel reads a private label that is given by ID or host name. The read of an assignment makes no call, because the
// detail of the private label has it.
func (o *options) readLabel(ctx context.Context, from *source, given string, assigned map[string]bool) (*label, error) {
	state, err := from.read(ctx, typeLabel, given)
	if err != nil {
		return nil, err
	}
	l := &label{id: textOf(state, "id"), host: strings.ToLower(textOf(state, "domain")), detached: state.GetAttr("domain_attached").False()}
	states := map[string]cty.Value{typeLabel: state}
	types := []string{typeLabel}
	if assigned[l.id] {
		types = append(types, typeAssignment)
	}
	if state.GetAttr("domain_verified").True() {
		types = append(types, typeVerification)
	}
	if o.members == membersSet {
		types = append(types, typeMembers)
	}
	for _, typ := range types {
		if _, ok := states[typ]; !ok {
			if states[typ], err = from.read(ctx, typ, l.id); err != nil {
				return nil, err
			}
		}
		one, problem := from.object(ctx, typ, l.id, states[typ])
		if problem != nil {
			l.left = append(l.left, leftOut(typ+" of "+l.host, problem))
			if typ == typeLabel {
				return l, nil
			}
			continue
		}
		l.own = append(l.own, one)
	}
	if o.members != membersEach {
		return l, nil
	}
	return l, l.readMembers(ctx, from)
}

// readMembers reads the plain members. Owners and admins can be neither added nor removed.
func (l *label) readMembers(ctx context.Context, from *source) error {
	states, err := from.list(ctx, typeMember, map[string]string{attributeLabel: l.id}, true)
	if err != nil {
		return err
	}
	slices.SortFunc(states, func(a, b cty.Value) int {
		return cmp.Or(cmp.Compare(textOf(a, "email"), textOf(b, "email")), cmp.Compare(textOf(a, "id"), textOf(b, "id")))
	})
	for _, state := range states {
		if textOf(state, "role") != "member" {
			continue
		}
		one, problem := from.object(ctx, typeMember, l.id+"/"+textOf(state, "id"), state)
		if problem != nil {
			l.left = append(l.left, leftOut(fmt.Sprintf("%s %s of %s", typeMember, textOf(state, "id"), l.host), problem))
			continue
		}
		l.members = append(l.members, one)
	}
	return nil
}

// keepUsed keeps the packages and add-ons that the private labels have.
func (r *reseller) keepUsed() {
	used := map[string]bool{}
	for _, l := range r.labels {
		for _, o := range l.own {
			used[o.text("package_id")] = true
			for _, code := range o.addonCodes() {
				used[typeAddon+strings.ToUpper(code)] = true
			}
		}
	}
	r.items = slices.DeleteFunc(r.items, func(o *object) bool { return !used[o.id] && !used[o.typ+strings.ToUpper(o.text("code"))] })
}

// addonCodes are the keys of `addons`.
func (o *object) addonCodes() (codes []string) {
	for _, a := range o.attributes {
		if a.name == attributeAddons {
			for code := range a.value.AsValueMap() {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

// report says what a user has to know about the configuration.
func (r *reseller) report(stderr io.Writer, out string, files int) {
	counts, left := map[string]int{}, r.left
	for _, o := range r.items {
		counts[o.typ]++
	}
	for _, l := range r.labels {
		left = append(left, l.left...)
		for _, o := range append(l.own, l.members...) {
			counts[o.typ]++
		}
		if l.detached && len(l.own) > 0 {
			fmt.Fprintf(stderr, "%s is not attached. The plan has one change for it: the apply attaches it again.\n", l.host)
		}
	}
	for _, text := range left {
		fmt.Fprintln(stderr, text)
	}
	var parts []string
	sum := 0
	for _, typ := range exported {
		if counts[typ] > 0 {
			sum += counts[typ]
			parts = append(parts, fmt.Sprintf("%d %s", counts[typ], typ))
		}
	}
	if out != "" {
		fmt.Fprintf(stderr, "%d files are in %s. ", files, out)
	}
	fmt.Fprintf(stderr, "%d to import: %s.\n", sum, cmp.Or(strings.Join(parts, ", "), "the reseller has nothing"))
}

// progress tells how many minutes the limit of calls takes.
type progress struct {
	to           io.Writer
	labels, each int // each: calls for a private label

	mu       sync.Mutex
	finished int
	told     int // minutes
}

func (p *progress) begin() {
	p.told = p.left()
	fmt.Fprintf(p.to, "Reading %d private labels with %d API calls: %s at the limit of %d a minute.\n",
		p.labels, p.labels*p.each, minutes(p.told), perMinute)
}

// left is how often the remaining calls wait for the next minute.
func (p *progress) left() int {
	return (begun+p.labels*p.each)/perMinute - (begun+p.finished*p.each)/perMinute
}

func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finished++
	if left := p.left(); left < p.told {
		p.told = left
		fmt.Fprintf(p.to, "%d of %d private labels are read: %s left.\n", p.finished, p.labels, minutes(left))
	}
}

func minutes(n int) string {
	switch n {
	case 0:
		return "less than a minute"
	case 1:
		return "about a minute"
	default:
		return fmt.Sprintf("about %d minutes", n)
	}
}
