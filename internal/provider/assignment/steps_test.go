package assignment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// has is a holding: a package (its ID is its code) and add-ons such as "SEATS=2".
func has(pkg string, addons ...string) holding {
	h := holding{packageID: pkg, packageCode: pkg}
	for _, a := range addons {
		code, quantity := split(a)
		h.addons = append(h.addons, heldAddon{subscriptionID: "s-" + code, id: "id-" + code, code: code, name: code, quantity: quantity})
	}
	return h
}

func split(addon string) (code string, quantity float64) {
	code, text, _ := strings.Cut(addon, "=")
	_, _ = fmt.Sscan(text, &quantity)
	return code, quantity
}

// wants is a target with managed add-ons; "SEATS=?" has a quantity known after apply.
func wants(pkg string, addons ...string) target {
	t := target{packageID: pkg, packageCode: pkg, allowPackageChange: true, addons: addonsListed, listed: map[string]targetAddon{}}
	for _, a := range addons {
		code, quantity := split(a)
		t.listed[code] = targetAddon{id: "id-" + code, quantity: quantity, unknown: strings.HasSuffix(a, "?")}
	}
	return t
}

func (t target) unmanaged() target { t.addons, t.listed = addonsUnmanaged, nil; return t }

func (t target) addonsLater() target { t.addons, t.listed = addonsUnknown, nil; return t }

func (t target) packageLater(allowed bool) target {
	t.packageID, t.packageCode, t.allowPackageChange = "", "", allowed
	return t
}

func (s step) String() string {
	text := []string{"detach", "remove", "assign", "attach"}[s.kind] + " " + named(s.code, "?")
	switch {
	case s.unknown:
		text += " ?"
	case !s.isPackage():
		text += " " + client.Amount(s.quantity)
	}
	if s.conditional {
		text = "maybe " + text
	}
	if s.restores {
		text = "re-" + text
	}
	return text
}

func inOrder(todo []step) string {
	texts := make([]string, 0, len(todo))
	for _, s := range todo {
		texts = append(texts, s.String())
	}
	return strings.Join(texts, "; ")
}

func TestSteps(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		have holding
		want target
		do   string
	}{
		"nothing, unmanaged":          {holding{}, wants("GOLD").unmanaged(), "assign GOLD"},
		"nothing, add-ons":            {holding{}, wants("GOLD", "SEATS=2", "DOCS=1"), "assign GOLD; attach DOCS 1; attach SEATS 2"},
		"nothing, none wanted":        {holding{}, wants("GOLD"), "assign GOLD"},
		"nothing, quantity unknown":   {holding{}, wants("GOLD", "SEATS=?"), "assign GOLD; attach SEATS ?"},
		"nothing, add-ons unknown":    {holding{}, wants("GOLD").addonsLater(), "assign GOLD; maybe attach ? ?"},
		"nothing, package unknown":    {holding{}, wants("", "SEATS=2").packageLater(false), "assign ?; attach SEATS 2"},
		"same":                        {has("GOLD", "SEATS=2"), wants("GOLD", "SEATS=2"), ""},
		"same, unmanaged":             {has("GOLD", "SEATS=2"), wants("GOLD").unmanaged(), ""},
		"same in another case":        {has("GOLD", "seats=2"), wants("GOLD", "SEATS=2"), ""},
		"add-on more":                 {has("GOLD", "SEATS=2"), wants("GOLD", "SEATS=2", "DOCS=1"), "attach DOCS 1"},
		"add-on less":                 {has("GOLD", "SEATS=2", "DOCS=1"), wants("GOLD", "SEATS=2"), "detach DOCS 1"},
		"none wanted":                 {has("GOLD", "SEATS=2", "DOCS=1"), wants("GOLD"), "detach DOCS 1; detach SEATS 2"},
		"quantity":                    {has("GOLD", "SEATS=2"), wants("GOLD", "SEATS=5"), "detach SEATS 2; attach SEATS 5"},
		"all three":                   {has("GOLD", "A=1", "B=2"), wants("GOLD", "B=3", "C=4"), "detach A 1; detach B 2; attach B 3; attach C 4"},
		"quantity unknown":            {has("GOLD", "SEATS=2"), wants("GOLD", "SEATS=?"), "maybe detach SEATS 2; maybe attach SEATS ?"},
		"add-ons unknown":             {has("GOLD", "SEATS=2"), wants("GOLD").addonsLater(), "maybe detach SEATS 2; maybe attach ? ?"},
		"new add-on, unknown":         {has("GOLD"), wants("GOLD", "SEATS=?"), "attach SEATS ?"},
		"change, unmanaged":           {has("GOLD", "SEATS=2", "DOCS=1"), wants("SILVER").unmanaged(), "detach DOCS 1; detach SEATS 2; remove GOLD; assign SILVER; attach DOCS 1; attach SEATS 2"},
		"change, none wanted":         {has("GOLD", "SEATS=2"), wants("SILVER"), "detach SEATS 2; remove GOLD; assign SILVER"},
		"change, other quantity":      {has("GOLD", "SEATS=2"), wants("SILVER", "SEATS=5"), "detach SEATS 2; remove GOLD; assign SILVER; attach SEATS 5"},
		"change, other add-on":        {has("GOLD", "SEATS=2"), wants("SILVER", "DOCS=1"), "detach SEATS 2; remove GOLD; assign SILVER; attach DOCS 1"},
		"change, add-ons unknown":     {has("GOLD"), wants("SILVER").addonsLater(), "remove GOLD; assign SILVER; maybe attach ? ?"},
		"package unknown":             {has("GOLD", "SEATS=2"), wants("", "SEATS=2").packageLater(true), "maybe detach SEATS 2; maybe remove GOLD; maybe assign ?; maybe attach SEATS 2"},
		"package unknown, unmanaged":  {has("GOLD", "SEATS=2"), wants("").packageLater(true).unmanaged(), "maybe detach SEATS 2; maybe remove GOLD; maybe assign ?; maybe attach SEATS 2"},
		"package unknown, disallowed": {has("GOLD", "SEATS=2"), wants("", "SEATS=5").packageLater(false), "detach SEATS 2; attach SEATS 5"},
		"destroy":                     {has("GOLD", "SEATS=2", "DOCS=1"), target{nothing: true}, "detach DOCS 1; detach SEATS 2; remove GOLD"},
		"destroy of nothing":          {holding{}, target{nothing: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := inOrder(steps(tc.have, tc.want)); got != tc.do {
				t.Errorf("steps: %s\nwant:  %s", got, tc.do)
			}
		})
	}
}

func TestRestoration(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		before, now holding
		want        target
		do, lost    string // lost if nothing was restored
	}{
		"package change, detached only":     {has("GOLD", "SEATS=2", "DOCS=1"), has("GOLD", "DOCS=1"), wants("SILVER").unmanaged(), "re-attach SEATS 2", "detach SEATS 2"},
		"package change, nothing left":      {has("GOLD", "SEATS=2"), holding{}, wants("SILVER", "SEATS=2"), "re-assign GOLD; re-attach SEATS 2", "remove GOLD; detach SEATS 2"},
		"package change, dropped add-on":    {has("GOLD", "SEATS=2"), holding{}, wants("SILVER"), "re-assign GOLD; re-attach SEATS 2", "remove GOLD; detach SEATS 2"},
		"package changed, add-on rejected":  {has("GOLD", "SEATS=2"), has("SILVER"), wants("SILVER", "SEATS=2"), "", "detach SEATS 2"},
		"package changed, unmanaged add-on": {has("GOLD", "SEATS=2"), has("SILVER"), wants("SILVER").unmanaged(), "", "detach SEATS 2"},
		"package changed, dropped add-on":   {has("GOLD", "SEATS=2"), has("SILVER"), wants("SILVER", "DOCS=1"), "", ""},
		"another package by now":            {has("GOLD", "SEATS=2"), has("BRONZE"), wants("SILVER", "SEATS=2"), "", "detach SEATS 2"},
		"quantity rejected":                 {has("GOLD", "SEATS=2"), has("GOLD"), wants("GOLD", "SEATS=5"), "re-attach SEATS 2", "detach SEATS 2"},
		"new add-on rejected":               {has("GOLD", "SEATS=2"), has("GOLD", "SEATS=2"), wants("GOLD", "SEATS=2", "DOCS=1"), "", ""},
		"detached as wanted":                {has("GOLD", "SEATS=2", "DOCS=1"), has("GOLD", "SEATS=2"), wants("GOLD", "SEATS=3"), "", ""},
		"package removed elsewhere":         {has("GOLD", "SEATS=2"), holding{}, wants("GOLD", "SEATS=5"), "", "remove GOLD; detach SEATS 2"},
		"create":                            {holding{}, has("GOLD"), wants("GOLD", "SEATS=5"), "", ""},
		"destroy":                           {has("GOLD", "SEATS=2"), has("GOLD"), target{nothing: true}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := tc.want.given(tc.before)
			if got := inOrder(restoration(tc.before, tc.now, want)); got != tc.do {
				t.Errorf("restoration: %s\nwant:        %s", got, tc.do)
			}
			if got := inOrder(lost(tc.before, tc.now, want)); got != tc.lost {
				t.Errorf("lost: %s\nwant: %s", got, tc.lost)
			}
		})
	}
}

func TestUncovered(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		announced, todo []step
		extra           string
	}{
		"the same":                    {steps(has("GOLD", "A=1"), wants("SILVER", "A=2")), steps(has("GOLD", "A=1"), wants("SILVER", "A=2")), ""},
		"fewer":                       {steps(has("GOLD", "A=1"), wants("SILVER", "A=2")), steps(holding{}, wants("SILVER", "A=2")), ""},
		"nothing":                     {steps(has("GOLD", "A=1"), wants("GOLD", "A=2")), nil, ""},
		"another attachment":          {steps(has("GOLD"), wants("GOLD", "A=1")), steps(has("GOLD", "B=1"), wants("GOLD", "A=1")), "detach B 1"},
		"another quantity to detach":  {steps(has("GOLD", "A=1"), wants("GOLD", "A=2")), steps(has("GOLD", "A=7"), wants("GOLD", "A=2")), "detach A 7"},
		"another quantity to attach":  {steps(has("GOLD"), wants("GOLD", "A=1")), steps(has("GOLD"), wants("GOLD", "A=2")), "attach A 2"},
		"another package to remove":   {steps(has("GOLD"), wants("SILVER")), steps(has("BRONZE"), wants("SILVER")), "remove BRONZE"},
		"another package to assign":   {steps(has("GOLD"), wants("SILVER")), steps(has("GOLD"), wants("BRONZE")), "assign BRONZE"},
		"a package that was there":    {steps(has("GOLD", "A=1"), wants("GOLD", "A=2")), steps(holding{}, wants("GOLD", "A=2")), "assign GOLD"},
		"a known package, announced":  {steps(has("GOLD"), wants("").packageLater(true)), steps(has("GOLD"), wants("SILVER")), ""},
		"a known quantity, announced": {steps(has("GOLD", "A=1"), wants("GOLD", "A=?")), steps(has("GOLD", "A=1"), wants("GOLD", "A=9")), ""},
		"known add-ons, announced":    {steps(has("GOLD", "A=1"), wants("GOLD").addonsLater()), steps(has("GOLD", "A=1"), wants("GOLD", "B=9")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := inOrder(uncovered(tc.announced, tc.todo)); got != tc.extra {
				t.Errorf("not announced: %q, want %q", got, tc.extra)
			}
		})
	}
}

// randomCase returns a holding and a target with few codes, so that they overlap often.
func randomCase(r *rand.Rand) (holding, target) {
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
	have, want := has(packages[r.IntN(2)], addons...), wants(packages[r.IntN(2)], listed...)
	if r.IntN(5) == 0 {
		have = holding{}
	}
	switch r.IntN(6) {
	case 0:
		want = target{nothing: true}
	case 1, 2:
		want = want.unmanaged()
	}
	return have, want
}

// blurred makes some values of a target known after apply.
func blurred(r *rand.Rand, want target) target {
	if want.nothing {
		return want
	}
	if r.IntN(2) == 0 {
		want.packageID, want.packageCode = "", ""
	}
	if want.addons == addonsListed && r.IntN(3) == 0 {
		return want.addonsLater()
	}
	listed := map[string]targetAddon{}
	for code, a := range want.listed {
		if r.IntN(2) == 0 {
			a.quantity, a.unknown = 0, true
		}
		listed[code] = a
	}
	want.listed = listed
	return want
}

// satisfies reports whether a private label has what a target requires.
func (h holding) satisfies(before holding, want target) error {
	switch {
	case want.nothing && !h.none():
		return fmt.Errorf("%v is left", h)
	case want.nothing:
		return nil
	case h.packageID != want.packageID:
		return fmt.Errorf("the package is %s", h.packageID)
	case want.addons == addonsUnmanaged && !slices.EqualFunc(h.sorted(), before.sorted(), func(a, b heldAddon) bool { return a.code == b.code && a.quantity == b.quantity }):
		return fmt.Errorf("unmanaged add-ons are %v", h.addons)
	case want.addons == addonsListed && len(h.addons) != len(want.listed):
		return fmt.Errorf("add-ons are %v", h.addons)
	}
	for code, a := range want.listed {
		if found, ok := h.addon(code); !ok || found.quantity != a.quantity {
			return fmt.Errorf("%s is %v", code, found)
		}
	}
	return nil
}

// allowedBy checks the order that the API requires: add-ons need a package, and at most one package is assigned.
func (h holding) allowedBy(s step) error {
	_, attached := h.addon(s.code)
	switch {
	case s.kind == stepDetach && !attached, s.kind == stepAttach && (attached || h.none()), s.kind == stepRemove && (h.none() || len(h.addons) > 0), s.kind == stepAssign && !h.none():
		return fmt.Errorf("%s is not possible on %v", s, h)
	}
	return nil
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
	if extra := uncovered(steps(have, blurred(r, want)), todo); len(extra) > 0 {
		wrong("a plan with unknown values does not announce %s", inOrder(extra))
	}
	now := have
	for i := range len(todo) + 1 {
		given := want.given(have)
		if extra := uncovered(todo, steps(now, given)); len(extra) > 0 {
			wrong("after %d steps, what is left was not announced: %s", i, inOrder(extra))
		}
		checkRestoration(have, now, given, wrong)
		if i == len(todo) {
			break
		}
		if err := now.allowedBy(todo[i]); err != nil {
			wrong("step %d: %v", i, err)
		}
		if todo[i].restores || todo[i].conditional || todo[i].inEffect(now) {
			wrong("step %d is for nothing, or has unlimited consent", i)
		}
		now = now.after(todo[i])
		if !todo[i].inEffect(now) {
			wrong("step %d has no effect", i)
		}
	}
	if err := now.satisfies(have, want); err != nil {
		wrong("%v", err)
	}
	if again := steps(now, want); len(again) > 0 && !want.nothing {
		wrong("a second apply would do %s", inOrder(again))
	}
}

// checkRestoration: after an interruption at any step, a private label keeps its package or gets the new one, and
// unlimited consent restores exactly what it had.
func checkRestoration(have, now holding, want target, wrong func(string, ...any)) {
	for _, s := range restoration(have, now, want) {
		was, there := have.addon(s.code)
		if !s.restores || s.kind == stepAssign && s.id != have.packageID || s.kind == stepAttach && (!there || was.quantity != s.quantity) {
			wrong("%s restores what was not there", s)
		}
		if err := now.allowedBy(s); err != nil {
			wrong("restoration: %v", err)
		}
		now = now.after(s)
	}
	switch missing := lost(have, now, want); {
	case want.nothing:
	case !have.none() && now.none():
		wrong("the private label is left without a package")
	case now.packageID == have.packageID && len(missing) > 0:
		wrong("lost although it could be restored: %s", inOrder(missing))
	case now.packageID == have.packageID && want.packageID != have.packageID && !now.equal(have):
		wrong("a package change that did not happen leaves %+v", now)
	}
}

func TestSteps_RandomCases(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20000) {
		checkSteps(t, rand.New(rand.NewPCG(seed, 1)))
	}
}

func FuzzSteps(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) { checkSteps(t, rand.New(rand.NewPCG(a, b))) })
}

// The planned values that an apply reads are those that the plan was based on, as far as the steps need them.
func TestPromise_SurvivesThePlan(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 2))
		have, want := randomCase(r)
		if want.nothing || have.none() {
			continue
		}
		m := &model{
			PackageID: types.StringValue(want.packageID), PackageCode: types.StringUnknown(),
			AttachedAddons: types.MapUnknown(attachedAddonType), DetachedAddons: types.MapUnknown(types.Float64Type),
		}
		m.promise(have, want)
		got := m.promised(have.packageID)
		todo, again := steps(have, want), steps(got, want)
		if len(uncovered(todo, again)) > 0 || len(uncovered(again, todo)) > 0 {
			t.Fatalf("have %+v\nwant %+v\nsteps %s\nafter the plan %s", have, want, inOrder(todo), inOrder(again))
		}
		if m.PackageCode.IsUnknown() != want.changesPackage(have) {
			t.Fatalf("package_code = %s", m.PackageCode)
		}
	}
}

// More than was announced differs in a known value, so Terraform stops the apply; less does not.
func TestPromise_MovesShow(t *testing.T) {
	t.Parallel()
	planned := func(have holding, want target) *model {
		m := &model{PackageCode: types.StringUnknown(), AttachedAddons: types.MapUnknown(attachedAddonType), DetachedAddons: types.MapUnknown(types.Float64Type)}
		m.promise(have, want)
		return m
	}
	for name, tc := range map[string]struct {
		planned, applied holding
		want             target
		shows            bool
	}{
		"nothing moved":                    {has("GOLD", "A=1"), has("GOLD", "A=1"), wants("GOLD", "A=1"), false},
		"assigned as wanted":               {holding{}, has("GOLD", "A=1"), wants("GOLD", "A=1"), false},
		"assigned with another add-on":     {holding{}, has("GOLD", "B=1"), wants("GOLD", "A=1"), true},
		"assigned with another quantity":   {holding{}, has("GOLD", "A=2"), wants("GOLD", "A=1"), true},
		"adopted package removed":          {has("GOLD"), holding{}, wants("GOLD"), true},
		"adopted add-on detached":          {has("GOLD", "A=1"), has("GOLD"), wants("GOLD", "A=1"), true},
		"missing add-on attached":          {has("GOLD"), has("GOLD", "A=1"), wants("GOLD", "A=1"), false},
		"missing add-on, other quantity":   {has("GOLD"), has("GOLD", "A=2"), wants("GOLD", "A=1"), true},
		"add-on attached, one is dropped":  {has("GOLD", "B=1"), has("GOLD", "B=1", "C=1"), wants("GOLD", "A=1"), true},
		"add-on attached, unmanaged":       {has("GOLD"), has("GOLD", "C=1"), wants("GOLD").unmanaged(), false},
		"package change, unmanaged add-on": {has("GOLD", "A=1"), has("GOLD", "A=1", "B=1"), wants("SILVER").unmanaged(), true},
		"package change, add-on attached":  {has("GOLD"), has("GOLD", "A=1"), wants("SILVER", "A=1"), true},
		"package change, nothing moved":    {has("GOLD", "A=1"), has("GOLD", "A=1"), wants("SILVER", "A=1"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, second := planned(tc.planned, tc.want), planned(tc.applied, tc.want)
			shows := !compatible(first.PackageCode, second.PackageCode) || !compatible(first.DetachedAddons, second.DetachedAddons) || !compatible(first.AttachedAddons, second.AttachedAddons)
			if shows != tc.shows {
				t.Errorf("shows: %t, want %t\n%s %s %s\n%s %s %s", shows, tc.shows,
					first.PackageCode, first.AttachedAddons, first.DetachedAddons, second.PackageCode, second.AttachedAddons, second.DetachedAddons)
			}
		})
	}
}

// compatible is Terraform's rule: known values must stay.
func compatible(planned, now attr.Value) bool {
	switch p := planned.(type) {
	case types.Map:
		n, ok := now.(types.Map)
		if p.IsUnknown() || !ok {
			return p.IsUnknown()
		}
		if n.IsUnknown() || len(p.Elements()) != len(n.Elements()) {
			return false
		}
		for key, value := range p.Elements() {
			if other, there := n.Elements()[key]; !there || !compatible(value, other) {
				return false
			}
		}
		return true
	case types.Object:
		n, ok := now.(types.Object)
		if !ok {
			return false
		}
		for name, value := range p.Attributes() {
			if !compatible(value, n.Attributes()[name]) {
				return false
			}
		}
		return true
	default:
		return planned.IsUnknown() || planned.Equal(now)
	}
}

// Every step is an effect, and every effect is of a kind that its topic may announce.
func TestAssignmentNotices_AnnounceEveryStep(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 3))
		have, want := randomCase(r)
		if r.IntN(2) == 0 {
			want = blurred(r, want)
		}
		todo := steps(have, want)
		notices := notices("sign.acme.example", have, want, todo, allowedExcess{byItem: map[string]float64{"seats": 3, "documents": 0}})
		if len(notices) > 1 || (len(notices) == 0) != (len(todo) == 0) {
			t.Fatalf("%d notices for %s", len(notices), inOrder(todo))
		}
		effects, adds := notices.Effects(), false
		for _, s := range todo {
			kind, subject := effect.Removed, named(named(s.code, s.id), effect.KnownAfterApply)
			if s.adds() {
				kind, adds = effect.Billed, true
			}
			if !slices.ContainsFunc(effects, func(e effect.Effect) bool {
				return e.Kind == kind && e.Subject == subject && strings.Contains(e.What, "sign.acme.example") && (s.isPackage() || strings.Contains(e.What, s.amount()))
			}) {
				t.Fatalf("%s is no effect: %v", s, effects)
			}
			if !strings.Contains(notices[0].Detail, stepsInWords([]step{s})) {
				t.Fatalf("%s is not in the detail: %s", s, notices[0].Detail)
			}
		}
		consents := slices.IndexFunc(effects, func(e effect.Effect) bool { return e.Kind == effect.Excess })
		if (consents >= 0) != adds || adds && (effects[consents].Subject != "seats" || !strings.Contains(notices[0].Detail, "seats by up to 3")) {
			t.Fatalf("the consent is announced wrongly: %v", effects)
		}
		checkBothSides(t, have, want, todo, effects)
		for _, n := range notices {
			for _, e := range n.Effects {
				if !n.Topic.Announces(e.Kind) {
					t.Fatalf("%q announces %s", n.Topic.Summary, e.Kind)
				}
			}
		}
	}
}

// checkBothSides: a replaced package or add-on is billed, too.
func checkBothSides(t *testing.T, have holding, want target, todo []step, effects []effect.Effect) {
	t.Helper()
	for _, s := range todo {
		if s.adds() || want.nothing {
			continue
		}
		changes := want.changesPackage(have) || slices.ContainsFunc(todo, func(o step) bool { return o.kind == stepAttach && o.code == s.code })
		billed := slices.ContainsFunc(effects, func(e effect.Effect) bool {
			return e.Kind == effect.Billed && e.Subject == s.code && strings.Contains(e.What, "stays billed")
		})
		if billed != changes {
			t.Fatalf("%s: billed is announced: %t, want %t", s, billed, changes)
		}
	}
}

func TestAssignmentNotices_Texts(t *testing.T) {
	t.Parallel()
	const host = "sign.acme.example"
	for name, tc := range map[string]struct {
		host   string
		have   holding
		want   target
		excess allowedExcess
		topic  effect.Topic
		detail string
	}{
		"create": {
			host,
			holding{},
			wants("GOLD", "SEATS=2"),
			allowedExcess{byItem: map[string]float64{"seats": 25}},
			effect.Billing,
			"sign.acme.example: package GOLD is assigned and add-on SEATS is attached (quantity 2). This reduces the allowance immediately. The larger of allocated and used quantities is billed for the entire billing period, even if you remove them the same day. allow_excess permits exceeding the allowance: seats by up to 25.",
		},
		"create on a new private label": {
			unknownHost,
			holding{},
			wants("", "SEATS=?").packageLater(false),
			allowedExcess{unknown: true},
			effect.Billing,
			"A private label known after apply: a package known after apply is assigned and add-on SEATS is attached (quantity known after apply). This reduces the allowance immediately. The larger of allocated and used quantities is billed for the entire billing period, even if you remove them the same day. allow_excess permits exceeding the allowance: further items by amounts known after apply.",
		},
		"package change": {
			host, has("GOLD", "SEATS=2"), wants("SILVER").unmanaged(),
			allowedExcess{},
			effect.ChangingPackage,
			"sign.acme.example: add-on SEATS is detached (quantity 2), package GOLD is removed, package SILVER is assigned and add-on SEATS is attached (quantity 2). What is removed and what is assigned are both billed for the entire billing period. If the API rejects the new package, the provider reassigns GOLD with its add-ons.",
		},
		"add-ons": {
			host, has("GOLD", "SEATS=2"), wants("GOLD", "SEATS=5"),
			allowedExcess{},
			effect.ChangingAddons,
			"sign.acme.example: add-on SEATS is detached (quantity 2) and add-on SEATS is attached (quantity 5). What is attached is billed for the entire billing period, and what is detached stays billed until its end. A quantity changes by detaching and attaching, so both quantities are billed.",
		},
		"destroy": {
			host, has("GOLD"),
			target{nothing: true},
			allowedExcess{},
			effect.Unassigning,
			"sign.acme.example: package GOLD is removed. It stays billed until the end of the billing period.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			notices := notices(tc.host, tc.have, tc.want, steps(tc.have, tc.want), tc.excess)
			if len(notices) != 1 || notices[0].Topic.Summary != tc.topic.Summary || notices[0].Detail != tc.detail {
				t.Errorf("%+v\nwant %s\n%s", notices, tc.topic.Summary, tc.detail)
			}
		})
	}
}

// Consent is within each bound, and an item that is not exceeded needs none.
func TestAllowedExcess_Consent(t *testing.T) {
	t.Parallel()
	allowed := allowedExcess{byItem: map[string]float64{"seats": 3, "templates": 0}}
	for name, tc := range map[string]struct {
		warnings []client.Warning
		ok       bool
	}{
		"within":              {[]client.Warning{{ItemCode: "seats", Excess: 3}}, true},
		"beyond":              {[]client.Warning{{ItemCode: "seats", Excess: 3.5}}, false},
		"an item not named":   {[]client.Warning{{ItemCode: "seats", Excess: 1}, {ItemCode: "documents", Excess: 1}}, false},
		"an item with 0":      {[]client.Warning{{ItemCode: "templates", Excess: 1}}, false},
		"a question for none": {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := allowed.consent()(tc.warnings); got != tc.ok {
				t.Errorf("consent: %t", got)
			}
		})
	}
}
