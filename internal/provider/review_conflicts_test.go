package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/review"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// placed is one live object at one address of a random plan, as the plan was drawn.
type placed struct {
	class    string // "label", "package", "assignment", "person"
	reseller string
	label    string // ID, for assignments and people
	name     string // host name, code, email address
	unknown  bool   // the ID of the private label is known after apply
	does     string // "create", "import", "keep", "destroy", "release" from state, "" for nothing
	address  string
}

// randomPlan draws a plan of two resellers, in modules and under for_each.
type randomPlan struct {
	*rand.Rand
	changes []string
	placed  []placed
	next    int
}

func (p *randomPlan) address(typ string) (module, full string) {
	p.next++
	module = []string{"", "module.a", `module.portal["x.y"]`, `module.a.module.b[3]`}[p.IntN(4)]
	full = fmt.Sprintf("%s.r%d", typ, p.next)
	if module != "" {
		full = module + "." + full
	}
	return module, full + []string{"", "[0]", `["a.b/c"]`}[p.IntN(3)]
}

func (p *randomPlan) add(typ, module, address string, actions []string, importing bool, before, after, unknown string) {
	imports := ""
	if importing {
		imports = `"importing":{"id":"x"},`
	}
	verbs, err := json.Marshal(actions)
	if err != nil {
		panic(err)
	}
	p.changes = append(p.changes, fmt.Sprintf(
		`{"address":%q,"module_address":%q,"mode":"managed","type":%q,"name":"r","change":{%s"actions":%s,"before":%s,"after":%s,"after_unknown":%s}}`,
		address, module, typ, imports, verbs, before, after, unknown))
}

// place puts an object at an address.
func (p *randomPlan) place(o placed) {
	typ := map[string]string{"label": "reseller_private_label", "package": "reseller_package", "assignment": "reseller_assignment", "person": "reseller_member"}[o.class]
	module, address := p.address(typ)
	o.address = address
	does := []string{"create", "create", "import", "keep", "update", "destroy", "destroy", "abandon", "forget", "replace"}[p.IntN(10)]
	spelled := o.name
	if p.IntN(2) == 0 && o.class != "assignment" {
		spelled = strings.ToUpper(o.name)
	}
	value := func(policy string) string {
		switch o.class {
		case "label":
			return fmt.Sprintf(`{"id":"id-%s","domain":%q,"reseller":%q,"deletion_policy":%q}`, o.name, spelled, o.reseller, policy)
		case "package":
			return fmt.Sprintf(`{"id":"id-%s","code":%q,"name":"n","currency":"EUR","active":true,"reseller":%q,"deletion_policy":%q}`, o.name, spelled, o.reseller, policy)
		case "assignment":
			return fmt.Sprintf(`{"private_label_id":%q,"package_id":"p","package_code":"P","attached_addons":{},"reseller":%q,"deletion_policy":%q}`, o.label, o.reseller, policy)
		default:
			return fmt.Sprintf(`{"private_label_id":%q,"email":%q,"first_name":"F","last_name":"L","role":"member","reseller":%q,"deletion_policy":%q}`, o.label, spelled, o.reseller, policy)
		}
	}
	policy := map[string]string{"label": "SUSPEND", "package": "DEACTIVATE", "assignment": "REMOVE", "person": "REMOVE"}[o.class]
	live := value(policy)
	switch does {
	case "create":
		unknown := `{"id":true}`
		after := strings.Replace(live, `"id":"id-`+o.name+`",`, "", 1)
		if o.unknown = o.label != "" && p.IntN(3) == 0; o.unknown {
			after, unknown = strings.Replace(live, fmt.Sprintf(`"private_label_id":%q`, o.label), `"private_label_id":null`, 1), `{"id":true,"private_label_id":true}`
		}
		p.add(typ, module, address, []string{"create"}, false, "null", after, unknown)
	case "import":
		p.add(typ, module, address, []string{[]string{"no-op", "update"}[p.IntN(2)]}, true, live, live, "{}")
	case "keep":
		p.add(typ, module, address, []string{"no-op"}, false, live, live, "{}")
	case "update":
		does = "keep"
		p.add(typ, module, address, []string{"update"}, false, live, live, "{}")
	case "destroy":
		p.add(typ, module, address, []string{"delete"}, false, live, "null", "{}")
	case "abandon":
		does = "release"
		p.add(typ, module, address, []string{"delete"}, false, value("ABANDON"), "null", "{}")
	case "forget":
		does = ""
		p.add(typ, module, address, []string{"forget"}, false, live, "null", "{}")
	case "replace": // the object of the address becomes another one
		if o.class != "person" {
			return
		}
		other := o
		other.name, other.does = fmt.Sprintf("other%d@x.example", p.next), "create"
		p.placed = append(p.placed, other)
		does = "destroy"
		p.add(typ, module, address, []string{"delete", "create"}, false, live, strings.Replace(live, fmt.Sprintf("%q", spelled), fmt.Sprintf("%q", other.name), 1), `{"id":true}`)
	}
	o.does = does
	p.placed = append(p.placed, o)
}

// set is a set of people of one private label: it adds, keeps and drops some.
func (p *randomPlan) set(reseller, label string, emails []string) {
	module, address := p.address("reseller_members")
	object := func(people []string) string {
		var members []string
		for _, email := range people {
			members = append(members, fmt.Sprintf(`%q:{"first_name":"F","last_name":"L"}`, email))
		}
		return fmt.Sprintf(`{"private_label_id":%q,"reseller":%q,"members":{%s},"user_ids":{},"owners_and_admins":[]}`, label, reseller, strings.Join(members, ","))
	}
	var was, will []string
	action := []string{"create", "delete", "import", "update"}[p.IntN(4)]
	for _, email := range emails {
		does := map[string]string{"create": "create", "delete": "", "import": "import"}[action]
		if action == "update" {
			does = []string{"create", "keep", "destroy"}[p.IntN(3)]
		}
		if does != "create" {
			was = append(was, email)
		}
		if does != "destroy" && action != "delete" {
			will = append(will, email)
		}
		p.placed = append(p.placed, placed{"person", reseller, label, email, false, does, address})
	}
	switch action {
	case "create":
		p.add("reseller_members", module, address, []string{"create"}, false, "null", object(will), `{"user_ids":true}`)
	case "delete":
		p.add("reseller_members", module, address, []string{"delete"}, false, object(was), "null", "{}")
	case "import":
		p.add("reseller_members", module, address, []string{"update"}, true, object(will), object(will), "{}")
	default:
		p.add("reseller_members", module, address, []string{"update"}, false, object(was), object(will), `{"user_ids":true}`)
	}
}

// expected reads the conflicts from what was drawn: "address sure 2" for each address with others.
func (p *randomPlan) expected() (out []string) {
	for i, a := range p.placed {
		sure, perhaps := 0, 0
		for j, b := range p.placed {
			destroyed := a.does == "destroy" && slices.Contains([]string{"create", "import", "keep"}, b.does) ||
				a.does == "release" && slices.Contains([]string{"create", "import"}, b.does)
			has := func(o placed) bool { return slices.Contains([]string{"create", "import", "keep"}, o.does) }
			twice := has(a) && has(b) && i < j
			if a.address == b.address || a.class != b.class || a.reseller != b.reseller || a.name != b.name && a.class != "assignment" || !destroyed && !twice {
				continue
			}
			switch {
			case !a.unknown && !b.unknown && a.label == b.label:
				sure++
			case (a.unknown || b.unknown) && (destroyed || a.class == "person" && a.does == "create" && b.does == "create"):
				perhaps++
			}
		}
		if sure > 0 {
			out = append(out, fmt.Sprintf("%s sure %d", where(a.address, destroys(a)), sure))
		}
		if perhaps > 0 {
			out = append(out, fmt.Sprintf("%s possible %d", where(a.address, destroys(a)), perhaps))
		}
	}
	slices.Sort(out)
	return out
}

func destroys(o placed) bool { return o.does == "destroy" || o.does == "release" }

// where a conflict is listed: that of two creates may be at either of them.
func where(address string, destroyed bool) string {
	if destroyed {
		return address
	}
	return "create"
}

var (
	others    = regexp.MustCompile(` (created|imported|kept) at `)
	moreAddrs = regexp.MustCompile(` and (\d+) more$`)
)

// The conflicts of random plans, with modules, for_each and two provider blocks, are those that were drawn into them.
func TestReview_ConflictsOfRandomPlans(t *testing.T) {
	t.Parallel()
	known := provider.Reviewers()
	conflicts, perhaps := 0, 0
	for seed := range uint64(60) {
		p := &randomPlan{Rand: rand.New(rand.NewPCG(seed, 1))}
		for _, reseller := range []string{"one.example", "two.example"} {
			for l := range 2 {
				label := fmt.Sprintf("%s-label%d", reseller, l)
				for range p.IntN(3) {
					p.place(placed{class: "label", reseller: reseller, name: fmt.Sprintf("sign%d.%s", l, reseller)})
				}
				for range p.IntN(3) {
					p.place(placed{class: "assignment", reseller: reseller, label: label})
				}
				for _, email := range []string{"bob@x.example", "eve@x.example"} {
					for range p.IntN(4) {
						p.place(placed{class: "person", reseller: reseller, label: label, name: email})
					}
				}
				if p.IntN(2) == 0 {
					p.set(reseller, label, []string{"bob@x.example", "eve@x.example", "kim@x.example"})
				}
			}
			for range p.IntN(4) {
				p.place(placed{class: "package", reseller: reseller, name: "gold"})
			}
		}
		p.Shuffle(len(p.changes), func(i, j int) { p.changes[i], p.changes[j] = p.changes[j], p.changes[i] })
		plan := fmt.Sprintf(`{"format_version":"1.2","planned_values":{},"resource_changes":[%s]}`, strings.Join(p.changes, ","))
		found, err := review.Read(t.Context(), strings.NewReader(plan), known, review.Options{})
		require.NoError(t, err, "seed %d", seed)
		got, want := map[string]int{}, map[string]int{}
		for _, row := range found.Rows {
			if row.Kind != effect.Conflict {
				continue
			}
			how := "sure"
			if strings.HasPrefix(row.What, "possible, ") {
				how = "possible"
				perhaps++
			}
			conflicts++
			n := len(others.FindAllString(row.What, -1))
			if m := moreAddrs.FindStringSubmatch(row.What); m != nil {
				more, _ := strconv.Atoi(m[1])
				n += more
			}
			got[where(row.Address, strings.Contains(row.What, "destroyed here") || strings.Contains(row.What, "removed from state here"))+" "+how] += n
		}
		for _, line := range p.expected() {
			at := strings.LastIndex(line, " ")
			n, _ := strconv.Atoi(line[at+1:])
			want[line[:at]] += n
		}
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d: %v, want %v\n%s\n%s", seed, got, want, strings.Join(p.expected(), "\n"), plan)
		}
	}
	assert.GreaterOrEqual(t, conflicts, 250, "only conflicts, %d possible ones", perhaps)
	assert.GreaterOrEqual(t, perhaps, 25, "only %d conflicts, possible ones", conflicts)
}

// The live object is its ID, independent of its name. What is sent again has the same content.
func TestReview_Conflicts(t *testing.T) {
	t.Parallel()
	const (
		destroyed = "destroyed here and "
		set       = `{"id":"` + acmeID + `","private_label_id":"` + acmeID + `","members":{%s},"user_ids":{%s},"owners_and_admins":[]}`
		names     = `{"first_name":"F","last_name":"L"}`
		document  = `{"id":%s,"title":"Terms","file_path":%q,"file_sha256":"5a","owner_email":"ada@acme.example","signers":[]}`
		signing   = `{"doc_id":"d1","annotations":{"a1":%q}}`
	)
	member := func(address, actions, before, after string) reviewChange {
		return reviewChange{address: "reseller_member." + address, actions: actions, before: before, after: after}
	}
	renamed := strings.Replace(bobMember, "bob@acme", "robert@acme", 1)
	bobSet := fmt.Sprintf(set, `"bob@acme.example":`+names, `"bob@acme.example":"`+bobID+`"`)
	const branding = `{"id":"sign.acme.example","domain":"sign.acme.example","color_primary":"#0a0"}`
	const platformHost = "sign-acme-example.portals.example"
	aliased := strings.Replace(acmeLabel, `"domain":"sign.acme.example"`, `"domain":"`+platformHost+`","custom_domain":"sign.acme.example"`, 1)
	require.Contains(t, aliased, "custom_domain")
	for name, tc := range map[string]struct {
		changes []reviewChange
		want    []string
	}{
		"another address of one user": {
			[]reviewChange{member("bob", "delete", bobMember, ""), member("robert", "no-op", renamed, renamed)},
			[]string{destroyed + "kept at reseller_member.robert"},
		},
		"one portal at two addresses": {
			[]reviewChange{unchangedAcme, {address: "reseller_private_label.again", actions: "no-op", importing: true, before: acmeLabel, after: acmeLabel}},
			[]string{"kept here and imported at reseller_private_label.again"},
		},
		"brandings of one portal": {
			[]reviewChange{
				{address: "reseller_branding.a", actions: "no-op", before: branding, after: branding},
				{address: "reseller_branding.b", actions: "create", after: branding, unknown: `{"id":true}`},
				{address: "reseller_branding.c", actions: "delete", before: branding},
			},
			[]string{"kept here and created at reseller_branding.b"},
		},
		"brandings of one portal by its two names": {
			[]reviewChange{
				{address: "reseller_private_label.acme", actions: "no-op", before: aliased, after: aliased},
				{address: "reseller_branding.a", actions: "no-op", before: branding, after: branding},
				{address: "reseller_branding.b", actions: "create", after: strings.ReplaceAll(branding, "sign.acme.example", platformHost), unknown: `{"id":true}`},
			},
			[]string{"kept here and created at reseller_branding.b"},
		},
		"two sets, and a member": {
			[]reviewChange{
				{address: "reseller_members.a", actions: "no-op", before: bobSet, after: bobSet},
				{address: "reseller_members.b", actions: "no-op", before: bobSet, after: bobSet},
				member("bob", "no-op", bobMember, bobMember),
			},
			[]string{"kept here and kept at reseller_member.bob", "kept here and kept at reseller_member.bob", "kept here and kept at reseller_members.b"},
		},
		"another user with one address": {
			[]reviewChange{member("bob", "delete", bobMember, ""), member("rob", "no-op", strings.Replace(bobMember, bobID, goldID, 1), strings.Replace(bobMember, bobID, goldID, 1))}, nil,
		},
		"an imported set drops a member": {
			[]reviewChange{
				member("bob", "no-op", bobMember, bobMember),
				{
					address: "reseller_members.team", actions: "update", importing: true,
					before: fmt.Sprintf(set, `"Bob@acme.example":`+names, `"Bob@acme.example":"`+bobID+`"`), after: fmt.Sprintf(set, "", ""),
				},
			},
			[]string{destroyed + "kept at reseller_member.bob"},
		},
		"a document moved": {
			[]reviewChange{
				{address: "reseller_document.old", actions: "delete", before: fmt.Sprintf(document, `"1"`, "a.pdf")},
				{address: "reseller_document.new", actions: "create", after: fmt.Sprintf(document, "null", "b.pdf"), unknown: `{"id":true}`},
				{address: "reseller_document.other", actions: "create", after: strings.Replace(fmt.Sprintf(document, "null", "b.pdf"), "5a", "6b", 1), unknown: `{"id":true}`},
			},
			[]string{"removed from state here and created at reseller_document.new"},
		},
		"a document sent twice": {
			[]reviewChange{
				{address: "reseller_document.a", actions: "create", after: fmt.Sprintf(document, "null", "a.pdf"), unknown: `{"id":true}`},
				{address: "reseller_document.b", actions: "create", after: fmt.Sprintf(document, "null", "b.pdf"), unknown: `{"id":true}`},
			}, nil,
		},
		"a signing moved": {
			[]reviewChange{
				{address: "reseller_document_signing.old", actions: "delete", before: fmt.Sprintf(signing, "x")},
				{address: "reseller_document_signing.new", actions: "create", after: fmt.Sprintf(signing, "x")},
				{address: "reseller_document_signing.other", actions: "create", after: fmt.Sprintf(signing, "y")},
			},
			[]string{"removed from state here and created at reseller_document_signing.new"},
		},
	} {
		found, err := review.Read(t.Context(), strings.NewReader(reviewPlan("", tc.changes...)), provider.Reviewers(), review.Options{})
		require.NoError(t, err, name)
		var got []string
		for _, row := range found.Rows {
			if row.Kind == effect.Conflict {
				got = append(got, strings.TrimPrefix(row.What, "one object is "))
			}
		}
		assert.Equal(t, tc.want, got, name)
	}
}

// Two creates of a person are of two private labels, if the configuration refers to different ones.
func TestReview_NoConflictOfTwoPortals(t *testing.T) {
	t.Parallel()
	var changes []string
	for i, address := range []string{`reseller_private_label.c["a"]`, `reseller_private_label.c["b"]`, "reseller_member.s1", "reseller_member.s2"} {
		typ, name, _ := strings.Cut(address, ".")
		name, _, _ = strings.Cut(name, "[")
		after, unknown := fmt.Sprintf(`{"domain":"h%d.example"}`, i), `{"id":true}`
		if i > 1 {
			after, unknown = `{"email":"staff@x.example"}`, `{"id":true,"private_label_id":true}`
		}
		changes = append(changes, fmt.Sprintf(`{"address":%q,"mode":"managed","type":%q,"name":%q,"change":{"actions":["create"],"after":%s,"after_unknown":%s}}`, address, typ, name, after, unknown))
	}
	plan := func(second string) string {
		block := func(name, key string) string {
			return fmt.Sprintf(`{"type":"reseller_member","name":%q,"expressions":{"private_label_id":{"references":["reseller_private_label.c[\"%s\"].id"]}}}`, name, key)
		}
		return fmt.Sprintf(`{"format_version":"1.2","resource_changes":[%s],"configuration":{"root_module":{"resources":[%s,%s]}}}`, strings.Join(changes, ","), block("s1", "a"), block("s2", second))
	}
	for second, want := range map[string]int{"b": 0, "a": 1} {
		found, err := review.Read(t.Context(), strings.NewReader(plan(second)), provider.Reviewers(), review.Options{})
		require.NoError(t, err)
		conflicts := 0
		for _, row := range found.Rows {
			if row.Kind == effect.Conflict {
				conflicts++
			}
		}
		assert.Equal(t, want, conflicts, "%s: conflicts: %+v", second, found.Rows)
	}
}
