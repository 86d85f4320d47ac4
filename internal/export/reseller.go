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

// Types of resources that an export writes.
const (
	typePackage      = "reseller_package"
	typeAddon        = "reseller_addon"
	typeLabel        = "reseller_private_label"
	typeAssignment   = "reseller_assignment"
	typeVerification = "reseller_domain_verification"
	typeMember       = "reseller_member"
	typeMembers      = "reseller_members"
)

var exported = []string{typePackage, typeAddon, typeLabel, typeAssignment, typeVerification, typeMember, typeMembers}

const (
	parallel  = 10 // private labels at a time, as Terraform reads objects
	perMinute = 60 // calls for private labels and members (§8)
	begun     = 2  // of them: the dashboard and the list
)

// object is an object of the reseller, as an import has it in state.
type object struct {
	typ, id    string // the ID is that of its import
	attributes []attribute
}

// text returns a string attribute.
func (o *object) text(name string) string {
	for _, a := range o.attributes {
		if a.name == name {
			return a.value.AsString()
		}
	}
	return ""
}

// label is a private label with its objects, itself first. It has none if its own configuration would be invalid.
type label struct {
	id, host         string
	detached         bool
	objects, members []*object
}

// reseller is everything that an export writes.
type reseller struct {
	*source
	options
	stderr io.Writer
	items  []*object // packages, then add-ons
	labels []*label

	mu             sync.Mutex
	omitted        []string
	finished, left int // private labels that are read, and minutes
}

// read makes one list call, one search for packages and one for add-ons, and one or two calls for each private label.
func (r *reseller) read(ctx context.Context) error {
	for _, typ := range []string{typePackage, typeAddon} {
		states, err := r.list(ctx, typ, nil, true)
		if err != nil {
			return err
		}
		var items []*object
		for _, state := range states {
			items = r.add(ctx, items, typ, textOf(state, "id"), textOf(state, "code"), state)
		}
		r.items = append(r.items, sortedBy("code", items)...)
	}
	labels, err := r.ids(ctx, typeLabel, "id")
	if err != nil {
		return err
	}
	assigned, err := r.ids(ctx, typeAssignment, attributeLabel)
	if err != nil {
		return err
	}
	if len(r.only) > 0 {
		labels = r.only
	}
	r.labels = make([]*label, len(labels))
	r.progress(0)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i, given := range labels {
		group.Go(func() (err error) {
			if r.labels[i], err = r.readLabel(ctx, given, assigned); err == nil {
				r.progress(1)
			}
			return err
		})
	}
	err = group.Wait()
	if err == nil {
		slices.SortFunc(r.labels, func(a, b *label) int { return cmp.Or(cmp.Compare(a.host, b.host), cmp.Compare(a.id, b.id)) })
		r.labels = slices.CompactFunc(r.labels, func(a, b *label) bool { return a.id == b.id })
	}
	return err
}

// ids lists an attribute of the identities of a type.
func (r *reseller) ids(ctx context.Context, typ, name string) (ids []string, err error) {
	all, err := r.list(ctx, typ, nil, false)
	for _, one := range all {
		ids = append(ids, textOf(one, name))
	}
	return ids, err
}

// add adds an object, unless the schema rejects what the API has, such as a blank name.
func (r *reseller) add(ctx context.Context, to []*object, typ, id, name string, state cty.Value) []*object {
	o := &object{typ, id, r.configurable(typ, state)}
	if err := r.accepts(ctx, typ, o.attributes); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.omitted = append(r.omitted, fmt.Sprintf("%s of %s (%s) is omitted, because its configuration would be invalid. %v", typ, name, id, err))
		return to
	}
	return append(to, o)
}

// readLabel reads a private label that is given by ID or host name. The read of an assignment makes no call, because the
// detail of the private label has it.
func (r *reseller) readLabel(ctx context.Context, given string, assigned []string) (*label, error) {
	state, err := r.imported(ctx, typeLabel, given)
	if err != nil {
		return nil, err
	}
	l := &label{id: textOf(state, "id"), host: strings.ToLower(textOf(state, "domain")), detached: state.GetAttr("domain_attached").False()}
	l.objects = r.add(ctx, nil, typeLabel, l.id, l.host, state)
	if len(l.objects) == 0 {
		return l, nil
	}
	for typ, has := range map[string]bool{
		typeAssignment:   slices.Contains(assigned, l.id),
		typeVerification: state.GetAttr("domain_verified").True(),
		typeMembers:      r.members == membersSet,
	} {
		if has {
			if state, err = r.imported(ctx, typ, l.id); err != nil {
				return nil, err
			}
			l.objects = r.add(ctx, l.objects, typ, l.id, l.host, state)
		}
	}
	slices.SortFunc(l.objects, func(a, b *object) int { return slices.Index(exported, a.typ) - slices.Index(exported, b.typ) })
	if r.members != membersEach {
		return l, nil
	}
	states, err := r.list(ctx, typeMember, map[string]string{attributeLabel: l.id}, true)
	for _, state := range states {
		if textOf(state, "role") == "member" { // owners and admins can be neither added nor removed
			l.members = r.add(ctx, l.members, typeMember, l.id+"/"+textOf(state, "id"), l.host, state)
		}
	}
	sortedBy(attributeEmail, l.members)
	return l, err
}

func sortedBy(name string, objects []*object) []*object {
	slices.SortFunc(objects, func(a, b *object) int {
		return cmp.Or(cmp.Compare(a.text(name), b.text(name)), cmp.Compare(a.id, b.id))
	})
	return objects
}

// progress counts private labels that are read, and prints how many minutes the rate limit takes for the others.
func (r *reseller) progress(read int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	each := 2
	if r.members == membersNone {
		each = 1
	}
	calls := each * len(r.labels)
	r.finished += read
	left := (begun+calls)/perMinute - (begun+each*r.finished)/perMinute // how often the calls wait for the next minute
	switch {
	case read == 0:
		fmt.Fprintf(r.stderr, "Reading %d private labels with %d API calls: %s at the limit of %d a minute.\n", len(r.labels), calls, minutes(left), perMinute)
	case left < r.left:
		fmt.Fprintf(r.stderr, "%d of %d private labels are read: %s left.\n", r.finished, len(r.labels), minutes(left))
	}
	r.left = left
}

func minutes(n int) string {
	if n == 0 {
		return "less than a minute"
	}
	return fmt.Sprintf("about %d min", n)
}

// report prints what a user has to know about the configuration.
func (r *reseller) report(files int) {
	all := slices.Clone(r.items)
	for _, l := range r.labels {
		all = append(append(all, l.objects...), l.members...)
		if l.detached && len(l.objects) > 0 {
			fmt.Fprintf(r.stderr, "%s is not attached. The plan has one change for it: the apply attaches it again.\n", l.host)
		}
	}
	for _, text := range slices.Sorted(slices.Values(r.omitted)) {
		fmt.Fprintln(r.stderr, text)
	}
	counts, parts := map[string]int{}, []string{}
	for _, o := range all {
		counts[o.typ]++
	}
	for _, typ := range exported {
		if counts[typ] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[typ], typ))
		}
	}
	if r.out != "" {
		fmt.Fprintf(r.stderr, "%d files are in %s. ", files, r.out)
	}
	fmt.Fprintf(r.stderr, "%d to import: %s.\n", len(all), cmp.Or(strings.Join(parts, ", "), "the reseller has nothing"))
}
