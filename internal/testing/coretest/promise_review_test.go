package coretest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/review"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// ruleReview: the review of a saved plan lists what the plan announced.
const ruleReview = "the review of the plan"

// reviewed compares the review of a plan with its warnings.
func (r *walk) reviewed(p savedPlan, found providertest.Diagnostics) {
	text, err := r.d.show(p)
	if err != nil {
		r.bug(err)
		return
	}
	listed, err := review.Read(context.Background(), bytes.NewReader(text), provider.Reviewers(), review.Options{})
	if err != nil {
		r.violate(ruleReview, err.Error())
		return
	}
	// What is not in the configuration has its ID in a review, and its name in a warning.
	var names []string
	for _, v := range r.e.w.Sim.Packages() {
		names = append(names, v.ID, v.Code)
	}
	for _, v := range r.e.w.Sim.Labels() {
		names = append(names, v.ID, v.Host)
	}
	for _, problem := range unlike(found, listed, strings.NewReplacer(names...)) {
		r.violate(ruleReview, problem)
	}
}

// unlike says where the announcements of a plan and its review differ: each diagnostic of a topic has a warning with the
// same summary in the review, and names the subjects of that.
func unlike(found providertest.Diagnostics, listed *review.Review, names *strings.Replacer) []string {
	var out []string
	left := map[string][]effect.Warning{} // by address and summary
	for address, warnings := range listed.Warnings {
		address, _, _ = strings.Cut(address, " (deposed object ") // a warning has the address alone
		for _, n := range warnings {
			left[address+" "+n.Topic.Summary] = append(left[address+" "+n.Topic.Summary], n)
		}
	}
	for _, f := range found {
		if !isTopic(f.Summary) {
			continue
		}
		key := likest(left, f, names)
		if key == "" && foundAbsent(found, f.Address) {
			continue
		}
		if key == "" {
			out = append(out, fmt.Sprintf("%s: %q is announced and not listed", f.Address, f.Summary))
			continue
		}
		out = append(out, strangers(f, left[key][0], names)...)
		if left[key] = left[key][1:]; len(left[key]) == 0 {
			delete(left, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		if !goneSince(found, key) {
			out = append(out, key+": is listed and not announced")
		}
	}
	return out
}

const notFound = "not found, removed from state"

var unassigning = assignment.TopicUnassigning.Summary

var deprovisioning = regexp.MustCompile(`^Deprovisioning \S+ (?:is permanent|will be permitted)$`)

func isTopic(summary string) bool {
	return deprovisioning.MatchString(summary) || slices.ContainsFunc(effect.Topics(), func(t effect.Topic) bool { return t.Summary == summary })
}

// adopted are, by the summary of what a plan finds in effect, those of the review, which finds nothing.
var adopted = map[string][]string{
	member.TopicAdoptingMember.Summary: {member.TopicAddingMember.Summary},
	assignment.TopicAdopting.Summary:   {assignment.TopicBilling.Summary, assignment.TopicChangingAddons.Summary},
}

// likest is the review's warning of a diagnostic. The CLI gives no address for a removed block; then it is the warning whose
// subjects the diagnostic names.
func likest(left map[string][]effect.Warning, f providertest.Diagnostic, names *strings.Replacer) string {
	for _, summary := range append(adopted[f.Summary], f.Summary) {
		if key := f.Address + " " + summary; left[key] != nil {
			return key
		}
	}
	if f.Address != "" {
		return ""
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		if strings.HasSuffix(key, " "+f.Summary) && len(strangers(f, left[key][0], names)) == 0 {
			return key
		}
	}
	return ""
}

// strangers are rows of a warning that do not fit its diagnostic: their kind is not one of its topic, or the diagnostic does
// not name their subject.
func strangers(f providertest.Diagnostic, n effect.Warning, names *strings.Replacer) []string {
	var out []string
	text := strings.ToLower(f.Summary + " " + f.Detail)
	for _, e := range n.Effects {
		subject := names.Replace(e.Subject())
		// A review finds the package of an ID that is known after apply by the references of the configuration.
		named := subject == effect.KnownAfterApply || strings.Contains(text, strings.ToLower(subject)) ||
			!e.Code.IsNull() && unknownPackage.MatchString(text)
		if !named || !n.Topic.Announces(e.Kind) {
			out = append(out, fmt.Sprintf("%s: %q lists %s %s, and the plan says %s", f.Address, f.Summary, e.Kind, subject, f.Detail))
		}
	}
	return out
}

// foundAbsent: CLIs up to 1.11 plan the destruction of a removed block from the stored state, and omit it from the plan
// if the read found the object absent.
func foundAbsent(found providertest.Diagnostics, address string) bool {
	return slices.ContainsFunc(found, func(f providertest.Diagnostic) bool {
		return f.Address == address && strings.HasSuffix(f.Summary, notFound)
	})
}

// goneSince: for an object that no longer exists, the review lists what the plan would have announced.
func goneSince(found providertest.Diagnostics, key string) bool {
	return slices.ContainsFunc(found, func(f providertest.Diagnostic) bool {
		gone := f.Summary == "Private label no longer exists" || strings.HasSuffix(f.Summary, notFound)
		return gone && (f.Address == "" || strings.HasPrefix(key, f.Address+" "))
	})
}

// show is the JSON of a plan that the CLI saved.
func (r *realCLI) show(savedPlan) ([]byte, error) {
	cmd := exec.Command(providertest.CliBinary(r.c.T), "show", "-json", "saved.plan")
	cmd.Dir, cmd.Env = r.c.Dir, r.c.Env
	return cmd.Output()
}

// show writes a plan as the CLI does.
func (c *core) show(saved savedPlan) ([]byte, error) {
	p, ok := saved.(*corePlan)
	if !ok {
		return nil, fmt.Errorf("%T is no plan", saved)
	}
	changes := []any{}
	for _, address := range slices.Sorted(maps.Keys(p.changes)) {
		ch := p.changes[address]
		typ, _, _ := strings.Cut(address, ".")
		deposed := strings.TrimPrefix(address, addressWithout(address))
		before := any(nil)
		if ch.prior != nil {
			before = providertest.Plain(ch.prior.value)
		}
		entry := map[string]any{
			"address": addressWithout(address), "deposed": deposed, "mode": "managed", "type": typ, "provider_name": "registry.terraform.io/privatelabels/reseller",
			"change": map[string]any{"actions": ch.actions(), "before": before, "after": providertest.Plain(ch.planned), "after_unknown": unknownIn(ch.planned)},
		}
		if ch.replaced && ch.prior != nil && ch.prior.tainted {
			entry["action_reason"] = "replace_because_tainted"
		}
		changes = append(changes, entry)
	}
	return json.Marshal(map[string]any{
		"format_version": "1.2", "resource_changes": changes, "prior_state": map[string]any{"values": map[string]any{"root_module": map[string]any{"resources": p.shownState()}}},
	})
}

// shownState is the state that a plan was made from, with the data sources that it read.
func (p *corePlan) shownState() (out []any) {
	add := func(mode, address, typ string, value tftypes.Value) {
		if value.IsFullyKnown() && !value.IsNull() {
			out = append(out, map[string]any{"address": address, "mode": mode, "type": typ, "values": providertest.Plain(value)})
		}
	}
	for _, address := range slices.Sorted(maps.Keys(p.state)) {
		if s := p.state[address]; s != nil && s.typ != lateType {
			add("managed", address, s.typ, s.value)
		}
	}
	for _, address := range slices.Sorted(maps.Keys(p.data)) {
		typ, _, _ := strings.Cut(strings.TrimPrefix(address, dataPrefix), ".")
		add("data", address, typ, p.data[address])
	}
	return out
}

func (ch *change) actions() []string {
	switch {
	case ch.noop:
		return []string{"no-op"}
	case ch.prior == nil:
		return []string{"create"}
	case ch.block == nil:
		return []string{"delete"}
	case ch.replaced && ch.before:
		return []string{"create", "delete"}
	case ch.replaced:
		return []string{"delete", "create"}
	default:
		return []string{"update"}
	}
}

// unknownIn has true for each unknown value.
func unknownIn(v tftypes.Value) any {
	if !v.IsKnown() {
		return true
	}
	if v.IsNull() {
		return false
	}
	if fields := providertest.Members(v); fields != nil {
		out := map[string]any{}
		for name, value := range fields {
			out[name] = unknownIn(value)
		}
		return out
	}
	if v.Type().Is(tftypes.List{}) {
		out := []any{}
		for _, value := range providertest.Elements(v) {
			out = append(out, unknownIn(value))
		}
		return out
	}
	return false
}
