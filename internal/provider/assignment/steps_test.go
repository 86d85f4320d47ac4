package assignment

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// holdingOf has a package (its ID is its code) and add-ons such as "SEATS=2".
func holdingOf(pkg string, addons ...string) holding {
	h := holding{PackageID: pkg, PackageCode: pkg}
	for _, a := range addons {
		code, quantity := split(a)
		h.Addons = append(h.Addons, client.AttachedAddon{SubscriptionAddonID: "s-" + code, AddonID: "id-" + code, Code: code, Name: code, Quantity: quantity})
	}
	return h
}

func split(addon string) (code string, quantity float64) {
	code, text, _ := strings.Cut(addon, "=")
	_, _ = fmt.Sscan(text, &quantity)
	return code, quantity
}

// wants is a configuration with managed add-ons; "SEATS=?" has a quantity known after apply.
func wants(pkg string, addons ...string) *model {
	listed := map[string]attr.Value{}
	for _, a := range addons {
		code, quantity := split(a)
		listed[code] = types.Float64Value(quantity)
		if strings.HasSuffix(a, "?") {
			listed[code] = types.Float64Unknown()
		}
	}
	return &model{
		PrivateLabelID: types.StringValue("label"), PackageID: types.StringValue(pkg), AllowPackageChange: types.BoolValue(true),
		Addons: types.MapValueMust(types.Float64Type, listed), AllowExcess: types.MapNull(types.Float64Type),
	}
}

func (m *model) unmanaged() *model { m.Addons = types.MapNull(types.Float64Type); return m }

func (m *model) addonsLater() *model { m.Addons = types.MapUnknown(types.Float64Type); return m }

func (m *model) packageLater(allowed bool) *model {
	m.PackageID, m.AllowPackageChange = types.StringUnknown(), types.BoolValue(allowed)
	return m
}

// exceeding permits to exceed the allowance.
func (m *model) exceeding(byItem map[string]float64) *model {
	allowed := map[string]attr.Value{}
	for item, most := range byItem {
		allowed[item] = types.Float64Value(most)
	}
	m.AllowExcess = types.MapValueMust(types.Float64Type, allowed)
	return m
}

func (m *model) exceedingLater() *model {
	m.AllowExcess = types.MapUnknown(types.Float64Type)
	return m
}

// short is a step as the tables have it: "attach SEATS 2".
func short(s effect.Step) string {
	text := s.Verb + " " + cmp.Or(s.Name, s.ID, "?")
	switch {
	case s.Quantity.IsUnknown():
		text += " ?"
	case !isPackage(s):
		text += " " + printable.Number(s.Quantity.ValueFloat64())
	}
	if s.If != "" {
		text = "maybe " + text
	}
	return text
}

func inOrder(todo []effect.Step) string {
	return strings.Join(slice.Map(todo, short), "; ")
}

func TestSteps(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		have holding
		want *model
		do   string
	}{
		"nothing, unmanaged":          {holding{}, wants("GOLD").unmanaged(), "assign GOLD"},
		"nothing, add-ons":            {holding{}, wants("GOLD", "SEATS=2", "DOCS=1"), "assign GOLD; attach DOCS 1; attach SEATS 2"},
		"nothing, none wanted":        {holding{}, wants("GOLD"), "assign GOLD"},
		"nothing, quantity unknown":   {holding{}, wants("GOLD", "SEATS=?"), "assign GOLD; attach SEATS ?"},
		"nothing, add-ons unknown":    {holding{}, wants("GOLD").addonsLater(), "assign GOLD; maybe attach ? ?"},
		"nothing, package unknown":    {holding{}, wants("", "SEATS=2").packageLater(false), "assign ?; attach SEATS 2"},
		"same":                        {holdingOf("GOLD", "SEATS=2"), wants("GOLD", "SEATS=2"), ""},
		"same, unmanaged":             {holdingOf("GOLD", "SEATS=2"), wants("GOLD").unmanaged(), ""},
		"same in another case":        {holdingOf("GOLD", "seats=2"), wants("GOLD", "SEATS=2"), ""},
		"add-on more":                 {holdingOf("GOLD", "SEATS=2"), wants("GOLD", "SEATS=2", "DOCS=1"), "attach DOCS 1"},
		"add-on less":                 {holdingOf("GOLD", "SEATS=2", "DOCS=1"), wants("GOLD", "SEATS=2"), "detach DOCS 1"},
		"none wanted":                 {holdingOf("GOLD", "SEATS=2", "DOCS=1"), wants("GOLD"), "detach DOCS 1; detach SEATS 2"},
		"quantity":                    {holdingOf("GOLD", "SEATS=2"), wants("GOLD", "SEATS=5"), "detach SEATS 2; attach SEATS 5"},
		"all three":                   {holdingOf("GOLD", "A=1", "B=2"), wants("GOLD", "B=3", "C=4"), "detach A 1; detach B 2; attach B 3; attach C 4"},
		"quantity unknown":            {holdingOf("GOLD", "SEATS=2"), wants("GOLD", "SEATS=?"), "maybe detach SEATS 2; maybe attach SEATS ?"},
		"add-ons unknown":             {holdingOf("GOLD", "SEATS=2"), wants("GOLD").addonsLater(), "maybe detach SEATS 2; maybe attach ? ?"},
		"new add-on, unknown":         {holdingOf("GOLD"), wants("GOLD", "SEATS=?"), "attach SEATS ?"},
		"change, unmanaged":           {holdingOf("GOLD"), wants("SILVER").unmanaged(), "remove GOLD; assign SILVER"},
		"change, none wanted":         {holdingOf("GOLD", "SEATS=2"), wants("SILVER"), "detach SEATS 2; remove GOLD; assign SILVER"},
		"change, other quantity":      {holdingOf("GOLD", "SEATS=2"), wants("SILVER", "SEATS=5"), "detach SEATS 2; remove GOLD; assign SILVER; attach SEATS 5"},
		"change, other add-on":        {holdingOf("GOLD", "SEATS=2"), wants("SILVER", "DOCS=1"), "detach SEATS 2; remove GOLD; assign SILVER; attach DOCS 1"},
		"change, add-ons unknown":     {holdingOf("GOLD"), wants("SILVER").addonsLater(), "remove GOLD; assign SILVER; maybe attach ? ?"},
		"package unknown":             {holdingOf("GOLD", "SEATS=2"), wants("", "SEATS=2").packageLater(true), "maybe detach SEATS 2; maybe remove GOLD; maybe assign ?; maybe attach SEATS 2"},
		"package unknown, unmanaged":  {holdingOf("GOLD"), wants("").packageLater(true).unmanaged(), "maybe remove GOLD; maybe assign ?"},
		"package unknown, disallowed": {holdingOf("GOLD", "SEATS=2"), wants("", "SEATS=5").packageLater(false), "detach SEATS 2; attach SEATS 5"},
		"destroy":                     {holdingOf("GOLD", "SEATS=2", "DOCS=1"), nil, "detach DOCS 1; detach SEATS 2; remove GOLD"},
		"destroy of nothing":          {holding{}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tc.do, inOrder(steps(tc.have, tc.want)))
		})
	}
}

func TestRestoration(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		before, now holding
		want        *model
		do, lost    string // lost if nothing was restored
	}{
		"package change, detached only":    {holdingOf("GOLD", "SEATS=2", "DOCS=1"), holdingOf("GOLD", "DOCS=1"), wants("SILVER"), "attach SEATS 2", "attach SEATS 2"},
		"package change, nothing left":     {holdingOf("GOLD", "SEATS=2"), holding{}, wants("SILVER", "SEATS=2"), "assign GOLD; attach SEATS 2", "assign GOLD; attach SEATS 2"},
		"package change, dropped add-on":   {holdingOf("GOLD", "SEATS=2"), holding{}, wants("SILVER"), "assign GOLD; attach SEATS 2", "assign GOLD; attach SEATS 2"},
		"package changed, add-on rejected": {holdingOf("GOLD", "SEATS=2"), holdingOf("SILVER"), wants("SILVER", "SEATS=2"), "", "attach SEATS 2"},
		"package changed, dropped add-on":  {holdingOf("GOLD", "SEATS=2"), holdingOf("SILVER"), wants("SILVER", "DOCS=1"), "", ""},
		"another package by now":           {holdingOf("GOLD", "SEATS=2"), holdingOf("BRONZE"), wants("SILVER", "SEATS=2"), "", "attach SEATS 2"},
		"quantity rejected":                {holdingOf("GOLD", "SEATS=2"), holdingOf("GOLD"), wants("GOLD", "SEATS=5"), "attach SEATS 2", "attach SEATS 2"},
		"new add-on rejected":              {holdingOf("GOLD", "SEATS=2"), holdingOf("GOLD", "SEATS=2"), wants("GOLD", "SEATS=2", "DOCS=1"), "", ""},
		"detached as wanted":               {holdingOf("GOLD", "SEATS=2", "DOCS=1"), holdingOf("GOLD", "SEATS=2"), wants("GOLD", "SEATS=3"), "", ""},
		"package removed elsewhere":        {holdingOf("GOLD", "SEATS=2"), holding{}, wants("GOLD", "SEATS=5"), "", "assign GOLD; attach SEATS 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tc.do, inOrder(restoration(tc.before, tc.now, tc.want)))
			assert.Equal(t, tc.lost, inOrder(lost(tc.before, tc.now, tc.want)))
		})
	}
}

// randomCase returns a holding and a target with few codes, so that they overlap often.
func randomCase(r *rand.Rand) (holding, *model) {
	packages, codes := []string{"GOLD", "SILVER"}, []string{"A", "B", "C"}
	var addons, listed []string
	for _, code := range codes {
		if r.IntN(2) == 0 {
			addons = append(addons, fmt.Sprintf("%s=%d", code, 1+r.IntN(2)))
		}
		if r.IntN(2) == 0 {
			listed = append(listed, fmt.Sprintf("%s=%d", code, 1+r.IntN(2)))
		}
	}
	have, want := holdingOf(packages[r.IntN(2)], addons...), wants(packages[r.IntN(2)], listed...)
	if r.IntN(5) == 0 {
		have = holding{}
	}
	switch r.IntN(6) {
	case 0:
		return have, nil
	case 1, 2:
		want = want.unmanaged()
	}
	return have, want
}

// blurred is a configuration of which some values are known after apply.
func blurred(r *rand.Rand, want *model) *model {
	if want == nil {
		return nil
	}
	m := *want
	if r.IntN(2) == 0 {
		m.PackageID = types.StringUnknown()
	}
	if m.managesAddons() && r.IntN(3) == 0 {
		return m.addonsLater()
	}
	if m.managesAddons() {
		listed := maps.Clone(m.Addons.Elements())
		for code := range listed {
			if r.IntN(2) == 0 {
				listed[code] = types.Float64Unknown()
			}
		}
		m.Addons = types.MapValueMust(types.Float64Type, listed)
	}
	return &m
}

// satisfies reports whether a private label has what a configuration requires.
func (h holding) satisfies(before holding, want *model) error {
	switch {
	case want == nil && !h.isEmpty():
		return fmt.Errorf("%v is left", h)
	case want == nil:
		return nil
	case h.PackageID != want.PackageID.ValueString():
		return fmt.Errorf("the package is %s", h.PackageID)
	case !want.managesAddons() && !slices.EqualFunc(h.sorted(), before.sorted(), func(a, b client.AttachedAddon) bool { return a.Code == b.Code && a.Quantity == b.Quantity }):
		return fmt.Errorf("unmanaged add-ons are %v", h.Addons)
	case want.managesAddons() && len(h.Addons) != len(want.wanted()):
		return fmt.Errorf("add-ons are %v", h.Addons)
	}
	for code, a := range want.wanted() {
		if found, ok := h.addon(code); !ok || found.Quantity != a.Quantity.ValueFloat64() {
			return fmt.Errorf("%s is %v", code, found)
		}
	}
	return nil
}

// allowedBy checks the order that the API requires: add-ons need a package, and at most one package is assigned.
func (h holding) allowedBy(s effect.Step) error {
	_, attached := h.addon(s.Name)
	switch {
	case s.Verb == stepDetach && !attached, s.Verb == stepAttach && (attached || h.isEmpty()),
		s.Verb == stepRemove && (h.isEmpty() || len(h.Addons) > 0), s.Verb == stepAssign && !h.isEmpty():
		return fmt.Errorf("%s is not possible on %v", short(s), h)
	}
	return nil
}

// keys of steps, as a plan announces them.
func keys(todo []effect.Step) []string {
	out := make([]string, 0, len(todo))
	for _, s := range todo {
		out = append(out, s.Key)
	}
	return out
}

// beyond returns the steps that others do not announce.
func beyond(announced, todo []effect.Step) []effect.Step {
	return slices.DeleteFunc(slices.Clone(todo), func(s effect.Step) bool { return slices.Contains(keys(announced), s.Key) })
}

// covers reports whether an announced step, some of which may be known after apply, is the step of an apply.
func covers(s, done effect.Step) bool {
	return s.Verb == done.Verb && (s.ID == "" && s.Name == "" || s.ID == done.ID && sameCode(s.Name, done.Name)) &&
		(s.Quantity.IsUnknown() || s.Quantity.Equal(done.Quantity))
}

// checkSteps checks what must be true of any case.
func checkSteps(t *testing.T, r *rand.Rand) {
	t.Helper()
	have, want := randomCase(r)
	todo := steps(have, want)
	wrong := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s\nhave %+v\nwant %+v\nsteps %s", fmt.Sprintf(format, args...), have, want, inOrder(todo))
	}
	checkConflicts(have, want, wrong)
	if want != nil && len(want.conflicts(have, have)) > 0 { // rejected
		return
	}
	announced := steps(have, blurred(r, want))
	for _, s := range todo {
		if !slices.ContainsFunc(announced, func(a effect.Step) bool { return covers(a, s) }) {
			wrong("a plan with unknown values announces %s, and not %s", inOrder(announced), short(s))
		}
		if want == nil || s.Verb != stepDetach || want.changesPackage(have) {
			continue
		}
		if wanted, stays := want.wanted()[normal(s.Name)]; stays && wanted.Quantity.Equal(s.Quantity) {
			wrong("%s detaches what stays", short(s))
		}
	}
	now := have
	for i := range len(todo) + 1 {
		if extra := beyond(todo, steps(now, want)); len(extra) > 0 {
			wrong("after %d steps, what is left was not announced: %s", i, inOrder(extra))
		}
		checkRestoration(have, now, want, wrong)
		if i == len(todo) {
			break
		}
		if err := now.allowedBy(todo[i]); err != nil {
			wrong("step %d: %v", i, err)
		}
		if todo[i].If != "" || adds(todo[i]) && inEffect(todo[i], now) {
			wrong("step %d is for nothing", i)
		}
		now = now.after(todo[i])
		if adds(todo[i]) && !inEffect(todo[i], now) {
			wrong("step %d has no effect", i)
		}
	}
	if err := now.satisfies(have, want); err != nil {
		wrong("%v", err)
	}
	if again := steps(now, want); len(again) > 0 && want != nil {
		wrong("a second apply would do %s", inOrder(again))
	}
}

// checkConflicts: a plan whose state or configuration does not show the add-ons of a private label is rejected if its
// apply would do more than the plan announces, and only then.
func checkConflicts(have holding, want *model, wrong func(string, ...any)) {
	if want == nil || have.isEmpty() {
		return
	}
	known := holding{PackageID: have.PackageID, PackageCode: have.PackageCode}
	extra := beyond(steps(known, want), steps(have, want))
	if dropped := !want.managesAddons() && want.changesPackage(have) && len(have.Addons) > 0; (len(extra) > 0 || dropped) != (len(want.conflicts(have, known)) > 0) {
		wrong("not announced: %s, conflicts: %+v", inOrder(extra), want.conflicts(have, known))
	}
	if want.PackageID.ValueString() != have.PackageID {
		return // a create is rejected
	}
	if extra := beyond(steps(holding{}, want), steps(have, want)); (len(extra) > 0) != (len(want.conflicts(have, holding{})) > 0) {
		wrong("a create does not announce %s, conflicts: %+v", inOrder(extra), want.conflicts(have, holding{}))
	}
}

// equal compares packages, codes and quantities. IDs of attachments do not count.
func (h holding) equal(o holding) bool {
	return h.PackageID == o.PackageID && slices.EqualFunc(h.sorted(), o.sorted(), func(a, b client.AttachedAddon) bool { return a.Code == b.Code && a.Quantity == b.Quantity })
}

// checkRestoration: after an interruption at any step, a private label keeps its package or gets the new one, and what
// is restored is what it had.
func checkRestoration(have, now holding, want *model, wrong func(string, ...any)) {
	if want == nil || have.isEmpty() {
		return // nothing is restored
	}
	for _, s := range restoration(have, now, want) {
		was, there := have.addon(s.Name)
		if s.Verb == stepAssign && s.ID != have.PackageID || s.Verb == stepAttach && (!there || was.Quantity != s.Quantity.ValueFloat64()) {
			wrong("%s restores what was not there", s)
		}
		if err := now.allowedBy(s); err != nil {
			wrong("restoration: %v", err)
		}
		now = now.after(s)
	}
	switch missing := lost(have, now, want); {
	case now.isEmpty():
		wrong("the private label is left without a package")
	case now.PackageID == have.PackageID && len(missing) > 0:
		wrong("lost although it could be restored: %s", inOrder(missing))
	case now.PackageID == have.PackageID && want.PackageID.ValueString() != have.PackageID && !now.equal(have):
		wrong("a package change that did not happen leaves %+v", now)
	}
}

func TestSteps_RandomCases(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4000) {
		checkSteps(t, rand.New(rand.NewPCG(seed, 1)))
	}
}

func FuzzSteps(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) { checkSteps(t, rand.New(rand.NewPCG(a, b))) })
}

// testHost is the private label of the models below.
const testHost = "sign.acme.example"

// stateOf is a state that shows a holding; nil for nothing.
func stateOf(h holding) *model {
	if h.isEmpty() {
		return nil
	}
	return &model{
		PrivateLabelID: types.StringValue("label"), PackageID: types.StringValue(h.PackageID), PackageCode: types.StringValue(h.PackageCode),
		Addons: types.MapNull(types.Float64Type), AttachedAddons: attachedAddons(h),
	}
}

var testNames = effect.Names{
	Hosts: map[string]string{"label": testHost}, Codes: map[string]string{"GOLD": "GOLD", "SILVER": "SILVER", "BRONZE": "BRONZE"},
}

// Every step is an effect, and every effect is of a kind that its topic may announce.
func TestAssignmentWarnings_AnnounceEveryStep(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 3))
		have, want := randomCase(r)
		if r.IntN(2) == 0 {
			want = blurred(r, want)
		}
		todo := steps(have, want)
		if want != nil {
			want.exceeding(map[string]float64{"seats": 3, "documents": 0})
		}
		warnings := Assignment.Warnings(stateOf(have), want, testNames)
		for i := range todo {
			todo[i].Name = cmp.Or(todo[i].Name, todo[i].ID)
		}
		if len(warnings) > 1 || (len(warnings) == 0) != (len(todo) == 0) {
			t.Fatalf("%d warnings for %s", len(warnings), inOrder(todo))
		}
		effects, consents := warnings.Effects(), false
		for _, s := range todo {
			consents = consents || adds(s)
			checkAnnounced(t, todo, s, effects)
			if !strings.Contains(warnings[0].Detail, stepsInWords([]effect.Step{s})) {
				t.Fatalf("%s is not in the detail: %s", short(s), warnings[0].Detail)
			}
		}
		at := slices.IndexFunc(effects, func(e effect.Effect) bool { return e.Kind == effect.Excess })
		if (at >= 0) != consents || consents && (effects[at].Subject() != "seats" || !strings.Contains(warnings[0].Detail, "seats by up to 3")) {
			t.Fatalf("the consent is announced wrongly: %v", effects)
		}
		for _, n := range warnings {
			for _, e := range n.Effects {
				require.True(t, n.Topic.Announces(e.Kind), "%q announces %s", n.Topic.Summary, e.Kind)
			}
		}
	}
}

// checkAnnounced: what is removed and added again is one effect that bills both; what is only removed is billed until the
// end of the period.
func checkAnnounced(t *testing.T, todo []effect.Step, s effect.Step, effects []effect.Effect) {
	t.Helper()
	same := func(o effect.Step) bool {
		return isPackage(o) == isPackage(s) && (isPackage(o) || o.Name == s.Name && s.Name != "")
	}
	value := func(o effect.Step) any {
		switch {
		case !isPackage(o):
			return effect.Number(o.Quantity)
		case o.Name == "":
			return nil
		default:
			return o.Name
		}
	}
	var before, after any
	var kinds []effect.Kind
	removed := slices.IndexFunc(todo, func(o effect.Step) bool { return same(o) && !adds(o) })
	added := slices.IndexFunc(todo, func(o effect.Step) bool { return same(o) && adds(o) })
	switch {
	case adds(s) && removed < 0:
		after, kinds = value(s), []effect.Kind{effect.Billed}
	case !adds(s) && added < 0:
		before, kinds = value(s), []effect.Kind{effect.Removed, effect.Billed}
	default:
		before, after, kinds = value(todo[removed]), value(todo[added]), []effect.Kind{effect.Billed}
		s = todo[added]
	}
	var got []effect.Kind
	for _, e := range effects {
		if e.Kind != effect.Excess && e.Subject() == cmp.Or(s.Name, s.ID, effect.KnownAfterApply) && e.Before == before && e.After == after && e.If == s.If &&
			e.Quantity.IsNull() == isPackage(s) && e.Label.Host == testHost {
			got = append(got, e.Kind)
		}
	}
	assert.Equal(t, kinds, got, "%s: %+v", short(s), effects)
}

// A conditional step names the value that is known after apply.
func TestAssignmentWarnings_Conditions(t *testing.T) {
	t.Parallel()
	const another, changes = "package_id is another package", "addons changes it"
	for name, tc := range map[string]struct {
		have holding
		want *model
		ifs  []string // of the effects, in order
	}{
		"nothing unknown":                 {holdingOf("GOLD", "SEATS=2"), wants("SILVER"), []string{"", "", ""}},
		"new package later":               {holding{}, wants("", "SEATS=2").packageLater(false), []string{"", ""}},
		"add-ons of a new package later":  {holding{}, wants("GOLD").addonsLater(), []string{"", "addons lists any"}},
		"package later, unmanaged":        {holdingOf("GOLD"), wants("").unmanaged().packageLater(true), []string{another}},
		"package later, managed":          {holdingOf("GOLD", "SEATS=2"), wants("").packageLater(true), []string{another + " or " + changes, another + " or " + changes, another}},
		"package later, change forbidden": {holdingOf("GOLD", "SEATS=2"), wants("", "SEATS=?").packageLater(false), []string{changes}},
		"quantity later":                  {holdingOf("GOLD", "SEATS=2"), wants("GOLD", "SEATS=?"), []string{changes}},
		"add-ons later":                   {holdingOf("GOLD", "SEATS=2"), wants("GOLD").addonsLater(), []string{changes, changes, "addons lists any"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			effects := Assignment.Warnings(stateOf(tc.have), tc.want, testNames).Effects()
			var got []string
			for _, e := range effects {
				got = append(got, e.If)
			}
			assert.Equal(t, tc.ifs, got, effects)
		})
	}
}

// The golden of the plans has the other texts.
func TestAssignmentWarnings_Texts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		found  *model
		later  bool // the private label is known after apply
		have   holding
		want   *model
		topic  effect.Topic
		detail string
	}{
		"create": {
			nil, false,
			holding{},
			wants("GOLD", "SEATS=2").exceeding(map[string]float64{"seats": 25}),
			TopicBilling,
			"sign.acme.example: package GOLD is assigned and add-on SEATS is attached (quantity 2). Each is billed for the entire billing period, even if you remove it the same day. allow_excess permits exceeding the allowance: seats by up to 25.",
		},
		"create on a new private label": {
			nil, true,
			holding{},
			wants("", "SEATS=?").packageLater(false).exceedingLater(),
			TopicBilling,
			"A private label known after apply: the configured package is assigned and add-on SEATS is attached (quantity known after apply). Each is billed for the entire billing period, even if you remove it the same day. allow_excess permits exceeding the allowance: further items by amounts known after apply.",
		},
		"create of a part": {
			&model{held: holding{PackageID: "GOLD", PackageCode: "GOLD"}, fromList: true},
			false,
			holding{},
			wants("GOLD", "SEATS=2"),
			TopicBilling,
			"sign.acme.example: add-on SEATS is attached (quantity 2). It is billed for the entire billing period, even if you remove it the same day. Package GOLD is already assigned. No API call is made for that unless it changes.",
		},
		"create of what is in effect": {
			&model{held: holdingOf("GOLD", "SEATS=2"), fromList: true},
			false,
			holding{},
			wants("GOLD", "SEATS=2"),
			TopicAdopting,
			"sign.acme.example: package GOLD is already assigned and add-on SEATS is already attached (quantity 2). No API call is made for that unless it changes.",
		},
		"destroy": {
			&model{held: holdingOf("GOLD")}, false, holdingOf("GOLD"),
			nil,
			TopicUnassigning,
			"sign.acme.example: package GOLD is removed. It stays billed until the end of the billing period.",
		},
		"destroy whose add-ons no read shows": {
			&model{held: holding{PackageID: "id-GOLD", PackageCode: "GOLD", AddonsUnproven: true}}, false, holdingOf("GOLD", "SEATS=2"),
			nil,
			TopicUnassigning,
			"sign.acme.example: package GOLD is removed and any other add-on may be detached. Both package and add-ons stay billed until the end of the billing period.",
		},
		"destroy in a review": {
			nil, false, holdingOf("GOLD"),
			nil,
			TopicUnassigning,
			"sign.acme.example: package GOLD is removed and any other add-on may be detached. Both package and add-ons stay billed until the end of the billing period.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			label := effect.Label{Host: testHost}
			if tc.later {
				label = effect.Label{Later: true}
			}
			v := view{Was: stateOf(tc.have), Want: tc.want, Live: tc.found, Names: testNames, Label: func() effect.Label { return label }}
			todo := steps(tc.have, tc.want)
			if tc.want == nil {
				todo = resource{}.Steps(v.Was, nil, tc.found)
			}
			warnings := resource{}.Warnings(v, todo)
			require.Len(t, warnings, 1, "want %s\n%s", tc.topic.Summary, tc.detail)
			assert.Equal(t, tc.topic.Summary, warnings[0].Topic.Summary, "%+v\n\n%s", warnings, tc.detail)
			assert.Equal(t, tc.detail, warnings[0].Detail, "%+v\nwant %s", warnings, tc.topic.Summary)
		})
	}
}
