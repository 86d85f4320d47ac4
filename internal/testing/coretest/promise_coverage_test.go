package coretest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/coverage"
	resellers "github.com/privatelabels/terraform-provider-reseller/internal/command/existing"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// ruleCoverage: what the subcommand coverage lists is what the simulator's books and the states differ in.
const ruleCoverage = "the coverage of two states"

// covered compares the two states of a walk with the reseller, as the subcommand does, and its rows with the books.
func (r *walk) covered(w *providertest.TestEnv, forms simulator.Forms, dir string) {
	if hidesAddons(w.Sim, forms) {
		return
	}
	var files []string
	var states []map[string]map[string]any
	for i, s := range r.sides {
		states = append(states, s.d.instances())
		file := filepath.Join(dir, fmt.Sprintf("state-%d.json", i))
		if err := os.WriteFile(file, stateJSON(states[i]), 0o600); err != nil {
			r.bug(err)
			return
		}
		files = append(files, file)
	}
	w.Env.Set("RESELLER_BASE_URL", simulator.BaseURL)
	w.Env.Set("RESELLER_API_KEY", w.APIKey())
	server, err := w.Server()
	if err != nil {
		r.bug(err)
		return
	}
	read, err := resellers.ReadStates(files)
	if err != nil {
		r.violate(ruleCoverage, err.Error())
		return
	}
	reseller, err := resellers.Read(context.Background(), server, resellers.Options{
		All: true, States: read, Pace: &resellers.Pace{Transport: w.Sim.Transport()}, Stderr: io.Discard, Members: func(string) string { return resellers.MembersEach },
	})
	if err != nil {
		r.violate(ruleCoverage, err.Error())
		return
	}
	var got []string
	for _, row := range coverage.Compare(reseller, read).Rows {
		got = append(got, fmt.Sprintf("%s %s: %s", row.Kind, row.Address, row.Subject))
	}
	slices.Sort(got)
	want := uncovered(w.Sim, forms, states)
	if !slices.Equal(got, want) {
		r.violate(ruleCoverage, fmt.Sprintf("lists\n    %s\n  and the books\n    %s", strings.Join(got, "\n    "), strings.Join(want, "\n    ")))
	}
	r.coverage = append(r.coverage, want...)
}

// hidesAddons reports whether no read shows the add-ons of a private label: its detail is rejected, and its package read lacks
// them.
func hidesAddons(sim *simulator.Simulator, forms simulator.Forms) bool {
	if forms["suspended-detail"] != "rejected" || forms["assignment-read"] != "missing" && cmp.Or(forms["assignment-addons"], "shown") == "shown" {
		return false
	}
	return slices.ContainsFunc(sim.Labels(), func(l simulator.LabelView) bool { return l.Status == "Suspended" && l.Package != "" })
}

// stateJSON is a state as `terraform show -json` prints it.
func stateJSON(instances map[string]map[string]any) []byte {
	resources := []any{}
	for _, address := range slices.Sorted(maps.Keys(instances)) {
		typ, _, _ := strings.Cut(address, ".")
		resources = append(resources, map[string]any{"address": address, "mode": "managed", "type": typ, "values": instances[address]})
	}
	text, err := json.Marshal(map[string]any{"format_version": "1.0", "values": map[string]any{"root_module": map[string]any{"resources": resources}}})
	if err != nil {
		panic(err)
	}
	return text
}

// holder is an instance that has a live object.
type holder struct {
	address, subject string
	values           map[string]any
}

// uncovered reads from the books what the subcommand must list.
func uncovered(sim *simulator.Simulator, forms simulator.Forms, states []map[string]map[string]any) (rows []string) {
	holders := map[string][]holder{} // by what they hold
	hosts := hostsKnown(sim, states)
	for _, instances := range states {
		for _, address := range slices.Sorted(maps.Keys(instances)) {
			current := instances[address]
			typ, _, _ := strings.Cut(address, ".")
			subject := cmp.Or(text(current, "domain"), text(current, "code"), text(current, "email"), text(current, "package_code"),
				hosts[text(current, "private_label_id")], text(current, "id"))
			hold := func(what, subject string) { holders[what] = append(holders[what], holder{address, subject, current}) }
			switch typ {
			case "reseller_private_label", "reseller_package", "reseller_addon", "reseller_branding", "reseller_domain_verification":
				hold(typ+" "+text(current, "id"), subject)
			case "reseller_assignment":
				hold(typ+" "+text(current, "private_label_id"), subject)
			case "reseller_member":
				hold("person "+text(current, "private_label_id")+" "+text(current, "id"), subject)
			case "reseller_members":
				hold(typ+" "+text(current, "private_label_id"), subject)
				users, _ := current["user_ids"].(map[string]any)
				for email, id := range users {
					hold(fmt.Sprintf("person %s %v", text(current, "private_label_id"), id), email)
				}
			}
		}
	}
	live := map[string]bool{}
	exists := func(what, typ, name string) {
		if live[what] = true; len(holders[what]) == 0 && typ != "" {
			rows = append(rows, fmt.Sprintf("unmanaged %s: %s", typ, name))
		}
	}
	for typ, items := range map[string][]simulator.ItemView{"reseller_package": sim.Packages(), "reseller_addon": sim.Addons()} {
		for _, item := range items {
			if !item.Active && forms["search-inactive"] == "hidden" {
				live[typ+" "+item.ID] = true // a state may know it, and no list does
				continue
			}
			exists(typ+" "+item.ID, typ, item.Code)
		}
	}
	for _, l := range sim.Labels() {
		exists("reseller_private_label "+l.ID, "reseller_private_label", l.Host)
		exists("reseller_members "+l.ID, "", "")
		exists("reseller_domain_verification "+l.ID, "", "")
		exists("reseller_branding "+l.Host, "", "")
		if assigned := "reseller_assignment " + l.ID; l.Package != "" {
			exists(assigned, "reseller_assignment", l.Host)
			manages := func(h holder) bool { return h.values["addons"] != nil }
			if all := holders[assigned]; len(l.Addons) > 0 && len(all) > 0 && !slices.ContainsFunc(all, manages) {
				rows = append(rows, fmt.Sprintf("unmanaged %s: %s", all[0].address, l.Host))
			}
		}
		for _, p := range l.People {
			typ := "reseller_member"
			if p.Role != "member" {
				typ = ""
			}
			exists("person "+l.ID+" "+p.ID, typ, p.Email)
		}
	}
	for what, all := range holders {
		if !live[what] {
			rows = append(rows, fmt.Sprintf("gone %s: %s", all[0].address, all[0].subject))
		}
		if len(all) > 1 {
			rows = append(rows, fmt.Sprintf("twice %s: %s", all[0].address, all[0].subject))
		}
	}
	slices.Sort(rows)
	return rows
}

// hostsKnown has the host of each private label that the books or a state have, by ID. A set that was imported by ID has none.
func hostsKnown(sim *simulator.Simulator, states []map[string]map[string]any) map[string]string {
	hosts := map[string]string{}
	for _, instances := range states {
		for address, current := range instances {
			if strings.HasPrefix(address, "reseller_private_label.") {
				hosts[text(current, "id")] = text(current, "domain")
			}
		}
	}
	for _, l := range sim.Labels() {
		hosts[l.ID] = l.Host
	}
	return hosts
}
