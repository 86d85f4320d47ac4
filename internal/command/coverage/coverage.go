// Package coverage is the subcommand `coverage`: it lists what a reseller has and no state manages, what a state has and the
// reseller does not, and what is managed twice.
package coverage

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/existing"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/listing"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/subcommand"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

const usage = `Usage: terraform-provider-reseller coverage [-state FILE]... [-known FILE] [-format text|markdown|json]

Reads the reseller and compares it with states. It lists what no state manages (unmanaged, billed objects first), what a
state contains and the reseller does not (gone), and what is managed twice (twice). It only reads. Settings are the provider's
environment variables, such as RESELLER_BASE_URL and RESELLER_API_KEY. The API key needs the scope reseller:read.

  -state FILE      the output of terraform show -json, or a state file. Can be repeated
  -known FILE      rows of this earlier JSON report do not count. A row with "until": "2027-01-31" is known until the
                   end of that day
  -format FORMAT   text (default), markdown or json

Exit status: 0 without a row; 2 for any row that is not known; 1 for any error. Nothing is written.
`

// Kinds of rows.
const (
	Unmanaged effect.Kind = "unmanaged"
	Gone      effect.Kind = "gone"
	Twice     effect.Kind = "twice"
)

// What a comparison finds.
var (
	unmanagedItem    = Unmanaged.Event("in the catalog")
	unmanagedLabel   = Unmanaged.Event("private label")
	unmanagedMember  = Unmanaged.Event("member")
	unmanagedPackage = Unmanaged.Event("package {code}")
	packageAndAddons = Unmanaged.Event("package {code} with add-ons {before}")
	unmanagedAddons  = Unmanaged.Event("add-ons {before}, and addons is not managed")
	gone             = Gone.Event("in {before} and not found")
	twice            = Twice.Event("in {before}, and {after}")
)

// Main is the subcommand. It returns the exit status.
func Main(ctx context.Context, args []string, server tfprotov6.ProviderServer, pace *existing.Pace, today time.Time, stdout, stderr io.Writer) int {
	return subcommand.Run(ctx, "coverage", usage, "", stdout, stderr, func(stderr io.Writer) (int, error) {
		return run(ctx, args, server, pace, today, stdout, stderr)
	})
}

func run(ctx context.Context, args []string, server tfprotov6.ProviderServer, pace *existing.Pace, today time.Time, stdout, stderr io.Writer) (int, error) {
	flags := listing.NewFlags("coverage")
	var files []string
	flags.Each("state", &files)
	if err := flags.Parse(args, 0, "; a state needs -state", nil); err != nil {
		return subcommand.Failed, err
	}
	states, err := existing.ReadStates(files)
	if err == nil {
		err = flags.ReadKnown() // before the first API call
	}
	if err != nil {
		return subcommand.Failed, err
	}
	r, err := existing.Read(ctx, server, existing.Options{
		All: true, States: states, Pace: pace, Stderr: stderr, Members: func(string) string { return existing.MembersEach },
	})
	if err != nil {
		return subcommand.Failed, err
	}
	found := Compare(r, states)
	if err = flags.Write(found, today, stdout, stderr); err != nil || len(found.Rows) == 0 {
		return subcommand.OK, err
	}
	return subcommand.Found, nil
}

// Compare lists the differences between a reseller and states.
func Compare(r *existing.Reseller, states *existing.States) *listing.Listing {
	c := &comparison{states: states, live: map[existing.Key]bool{}, hosts: map[string]string{}, byType: map[string][]listing.Row{}}
	for _, m := range states.Objects {
		if m.Type == existing.TypeLabel {
			c.hosts[m.Text("id")] = m.Text("domain")
		}
	}
	for _, l := range r.Labels {
		c.hosts[l.ID] = l.Host
		c.label(l)
	}
	for _, item := range r.Found {
		c.live[item.Key] = true
		c.unmanaged(item, effect.Effect{Event: unmanagedItem, Code: types.StringValue(item.Name)})
	}
	c.ofStates()
	compared := fmt.Sprintf("Compared with %s in %s.", listing.Count(len(states.Objects), "object"), listing.Count(states.Files, "state"))
	out := &listing.Listing{
		Title: "What no state manages", Nothing: "Every object of the reseller is in one state, and every object of the states exists.", Noun: "object",
		Kinds: []effect.Kind{Unmanaged, Gone, Twice}, Named: Twice,
		Notes: append([]string{compared}, r.Told...),
	}
	for _, typ := range []string{addonsAlone, existing.TypeAssignment, existing.TypeLabel, existing.TypePackage, existing.TypeAddon, existing.TypeMember} {
		out.Rows = append(out.Rows, c.byType[typ]...)
	}
	out.Rows = append(out.Rows, c.rows...)
	out.Sort()
	return out
}

// addonsAlone are add-ons of assignments that a state manages without them.
const addonsAlone = "addons"

type comparison struct {
	states *existing.States
	live   map[existing.Key]bool
	hosts  map[string]string        // host name by private label ID
	byType map[string][]listing.Row // what no state manages; what is billed comes first
	rows   []listing.Row
}

// add adds what no state manages, by the name that the reseller has for it.
func (c *comparison) add(typ, name string, e effect.Effect) {
	row := listing.NewRow(e)
	row.Subject = name
	c.byType[typ] = append(c.byType[typ], row)
}

func (c *comparison) unmanaged(f existing.Found, e effect.Effect) {
	if f.Plain && len(c.states.ByKey[f.Key]) == 0 {
		e.Address = f.Type
		c.add(f.Type, f.Name, e)
	}
}

func (c *comparison) label(l *existing.Label) {
	label := effect.Label{ID: l.ID, Host: l.Host}
	for _, f := range l.Found {
		c.live[f.Key] = true
		switch f.Type {
		case existing.TypeAssignment:
			c.assignment(l, f)
		case existing.TypeMember:
			c.unmanaged(f, effect.Effect{Event: unmanagedMember, Label: label, Email: types.StringValue(f.Name)})
		default:
			c.live[existing.Key{Type: existing.TypeMembers, ID: l.ID}] = true
			c.live[existing.Key{Type: existing.TypeVerification, ID: l.ID}] = true
			c.live[existing.Key{Type: existing.TypeBranding, ID: strings.ToLower(l.Host)}] = true
			c.unmanaged(f, effect.Effect{Event: unmanagedLabel, Label: label})
		}
	}
}

// assignment is one row with its add-ons. If a state manages it without its add-ons, these are the row.
func (c *comparison) assignment(l *existing.Label, f existing.Found) {
	e := effect.Effect{Event: unmanagedPackage, Label: effect.Label{ID: l.ID, Host: l.Host}, Code: types.StringValue(l.Package)}
	attached := map[string]any{}
	for code, quantity := range l.Addons.Elements() {
		attached[code.AsString()], _ = quantity.AsBigFloat().Float64()
	}
	if len(attached) > 0 {
		e.Event = packageAndAddons
		e.Before = attached
	}
	managed := c.states.ByKey[f.Key]
	isManaged := slices.ContainsFunc(managed, func(m *existing.Managed) bool { return m.Values["addons"] != nil })
	if len(managed) > 0 && !isManaged && len(attached) > 0 {
		e.Event = unmanagedAddons
		e.Address = managed[0].Address
		c.add(addonsAlone, f.Name, e)
		return
	}
	c.unmanaged(f, e)
}

// ofStates lists what the reseller does not have, and what is managed twice.
func (c *comparison) ofStates() {
	seen := map[existing.Key]bool{}
	for _, m := range c.states.Objects {
		for _, key := range m.Keys() {
			if seen[key] {
				continue
			}
			seen[key] = true
			e := c.about(m, key)
			if !c.live[key] {
				e.Event = gone
				c.rows = append(c.rows, listing.NewRow(e))
			}
			all := c.states.ByKey[key]
			if len(all) == 1 {
				continue
			}
			e.Event = twice
			e.After = slice.Map(all[1:], func(other *existing.Managed) string { return other.Address + " in " + other.File })
			c.rows = append(c.rows, listing.NewRow(e))
		}
	}
}

// about is an object of a state, with the file that has it.
func (c *comparison) about(m *existing.Managed, key existing.Key) effect.Effect {
	e := effect.Effect{Address: m.Address, Before: m.File, Label: effect.Label{ID: m.Text("private_label_id"), Host: m.Text("domain")}}
	if m.Type == existing.TypeLabel {
		e.Label.ID = m.Text("id")
	}
	e.Label.Host = cmp.Or(e.Label.Host, c.hosts[e.Label.ID])
	email := m.Text("email")
	code := cmp.Or(m.Text("code"), m.Text("package_code"))
	if key.Type != m.Type { // a member of a set
		email = m.MemberOf(key)
	}
	switch {
	case email != "":
		e.Email = types.StringValue(email)
	case code != "":
		e.Code = types.StringValue(code)
	case e.Label == effect.Label{}:
		e.Name = types.StringValue(m.Text("id"))
	}
	return e
}
