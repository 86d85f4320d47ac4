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

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/subcommand"
	"github.com/privatelabels/terraform-provider-reseller/internal/estate"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/review/listing"
)

const usage = `Usage: terraform-provider-reseller coverage [-state FILE]... [-known FILE] [-format text|markdown|json]

Reads the reseller and compares it with states. It lists what no state manages (unmanaged, what is billed first), what a
state has and the reseller does not (gone), and what is managed twice (twice). It only reads. Settings are the provider's
environment variables, such as RESELLER_BASE_URL and RESELLER_API_KEY; the API key needs the scope reseller:read.

  -state FILE      the output of terraform show -json, or a state file; can be repeated
  -known FILE      rows of this earlier report in JSON do not count; one with "until": "2027-01-31" is known until the end
                   of that day
  -format FORMAT   text (default), markdown or json

Exit status: 0 without a row; 2 for any row that is not known; 1 for any error. Nothing is written.
`

// Kinds of rows.
const (
	Unmanaged effect.Kind = "unmanaged"
	Gone      effect.Kind = "gone"
	Twice     effect.Kind = "twice"
)

// Main is the subcommand. It returns the exit status.
func Main(ctx context.Context, args []string, server tfprotov6.ProviderServer, pace *estate.Pace, today time.Time, stdout, stderr io.Writer) int {
	return subcommand.Run(ctx, "coverage", usage, "", stdout, stderr, func(stderr io.Writer) (int, error) {
		return run(ctx, args, server, pace, today, stdout, stderr)
	})
}

func run(ctx context.Context, args []string, server tfprotov6.ProviderServer, pace *estate.Pace, today time.Time, stdout, stderr io.Writer) (int, error) {
	flags := listing.NewFlags("coverage")
	var files []string
	flags.Each("state", &files)
	if err := flags.Parse(args, 0, "; a state needs -state", nil); err != nil {
		return subcommand.Failed, err
	}
	states, err := estate.ReadStates(files)
	if err == nil {
		err = flags.ReadKnown() // before the first API call
	}
	if err != nil {
		return subcommand.Failed, err
	}
	r, err := estate.Read(ctx, server, estate.Options{
		All: true, Pace: pace, Stderr: stderr, Members: func(string) string { return estate.MembersEach },
	})
	if err == nil {
		err = states.Check(r.Slug)
	}
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
func Compare(r *estate.Reseller, states *estate.States) *listing.Listing {
	c := &comparison{states: states, live: map[estate.Key]bool{}, hosts: map[string]bool{}, byType: map[string][]listing.Row{}}
	for _, l := range r.Labels {
		c.hosts[l.Host] = true
		c.label(l)
	}
	for _, item := range r.Found {
		c.live[item.Key] = true
		c.unmanaged(item, "in the catalog", "")
	}
	c.ofStates()
	out := &listing.Listing{
		Title: "What no state manages", Nothing: "Every object of the reseller is in one state, and every object of the states exists.", Noun: "object",
		Kinds: []effect.Kind{Unmanaged, Gone, Twice}, Named: Twice,
		Notes: []string{fmt.Sprintf("Compared with %s in %s.", estate.Count(len(states.Objects), "object"), estate.Count(states.Files, "state"))},
	}
	for _, typ := range []string{unmanagedAddons, estate.TypeAssignment, estate.TypeLabel, estate.TypePackage, estate.TypeAddon, estate.TypeMember} {
		out.Rows = append(out.Rows, c.byType[typ]...)
	}
	out.Rows = append(out.Rows, c.rows...)
	out.Sort()
	return out
}

// unmanagedAddons are add-ons of assignments that a state manages without them.
const unmanagedAddons = "addons"

type comparison struct {
	states *estate.States
	live   map[estate.Key]bool
	hosts  map[string]bool
	byType map[string][]listing.Row // what no state manages; what is billed comes first
	rows   []listing.Row
}

func (c *comparison) add(typ string, row listing.Row) {
	row.Kind = Unmanaged
	c.byType[typ] = append(c.byType[typ], row)
}

func (c *comparison) unmanaged(f estate.Found, what, host string) {
	if f.Plain && len(c.states.ByKey[f.Key]) == 0 {
		c.add(f.Type, listing.Row{Address: f.Type, What: what, Subject: f.Name, Host: host})
	}
}

func (c *comparison) label(l *estate.Label) {
	for _, f := range l.Found {
		c.live[f.Key] = true
		switch f.Type {
		case estate.TypeAssignment:
			c.assignment(l, f)
		case estate.TypeMember:
			c.unmanaged(f, "member of "+l.Host, l.Host)
		default:
			c.live[estate.Key{Type: estate.TypeMembers, ID: l.ID}] = true
			c.live[estate.Key{Type: estate.TypeVerification, ID: l.ID}] = true
			c.unmanaged(f, "private label", l.Host)
		}
	}
}

// assignment is one row with its add-ons. If a state manages it without its add-ons, these are the row.
func (c *comparison) assignment(l *estate.Label, f estate.Found) {
	addons := inWords(l.Addons)
	managed := c.states.ByKey[f.Key]
	switch {
	case len(managed) == 0:
		what := "package " + cmp.Or(l.Package, "assigned")
		if addons != "" {
			what += " with " + addons
		}
		c.unmanaged(f, what, l.Host)
	case addons != "" && !slices.ContainsFunc(managed, func(m *estate.Managed) bool { return m.Values["addons"] != nil }):
		what := addons + ", and addons is not managed"
		c.add(unmanagedAddons, listing.Row{Address: managed[0].Address, What: what, Subject: l.Host, Host: l.Host})
	}
}

// inWords are add-ons with their quantities, sorted by code.
func inWords(addons cty.Value) string {
	var parts []string
	for code, quantity := range addons.Elements() {
		number, _ := quantity.AsBigFloat().Float64()
		parts = append(parts, fmt.Sprintf("%s (%s)", code.AsString(), printable.Number(number)))
	}
	if len(parts) == 0 {
		return ""
	}
	slices.Sort(parts)
	return "add-ons " + strings.Join(parts, ", ")
}

// ofStates lists what the reseller does not have, and what is managed twice.
func (c *comparison) ofStates() {
	seen := map[estate.Key]bool{}
	for _, m := range c.states.Objects {
		for _, key := range m.Keys() {
			if seen[key] {
				continue
			}
			seen[key] = true
			subject := m.Name()
			if key.Type != m.Type { // a member of a set
				subject = m.MemberOf(key)
			}
			if !c.exists(key) {
				c.rows = append(c.rows, listing.Row{Kind: Gone, Address: m.Address, What: "in " + m.File + " and not found", Subject: subject})
			}
			if all := c.states.ByKey[key]; len(all) > 1 {
				var others []string
				for _, other := range all[1:] {
					others = append(others, other.Address+" in "+other.File)
				}
				c.rows = append(c.rows, listing.Row{Kind: Twice, Address: m.Address, What: "in " + m.File + ", and " + strings.Join(others, ", "), Subject: subject})
			}
		}
	}
}

func (c *comparison) exists(key estate.Key) bool {
	if key.Type == estate.TypeBranding { // by its host name
		return c.hosts[strings.ToLower(key.ID)]
	}
	return c.live[key]
}
