// Package export is the subcommand `export`: it writes a configuration that imports what a reseller has.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/existing"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/listing"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/subcommand"
)

const usage = `Usage: terraform-provider-reseller export [-out DIR] [-label HOST,...|@FILE] [-members each|set|none]
                                          [-style files|clients] [-blocks] [-state FILE]... [-moved] [-terraform 1.5]

Reads the reseller, and writes a configuration that imports it: packages, add-ons, and a file for each private label
with its package, add-ons and members. imports.tf contains the import blocks. It only reads. Settings are the provider's
environment variables, such as RESELLER_BASE_URL and RESELLER_API_KEY. The API key needs the scope reseller:read.

  -out DIR           write files to this directory, which must be empty or not exist. Default: standard output
  -label HOST,...    only these private labels, by host name or ID, with the packages and add-ons that they use
         @FILE       read them from a file, one in each line
  -members each      members as reseller_member (default)
           set       members as one reseller_members for each private label
           none      no members, which halves the number of API calls
  -style files       a file of resources for each private label (default)
         clients     a YAML file for each private label, and a module that reads them. Requires -out
  -blocks            with -style clients: a module block for each private label, so that one that fails does not stop others
  -state FILE        omit what this state contains: the output of terraform show -json, or a state file. Can be repeated
  -moved             write moved blocks for what the first -state contains, and omit what further states contain
  -terraform 1.5     import blocks without for_each, for Terraform 1.5 and 1.6

Then run terraform init and terraform plan in DIR. The plan imports, and changes nothing.
Exit status: 0; 1 for any error. After an error or an interrupt, nothing is written.
`

type options struct {
	out     string
	only    []string // private labels by host name or ID; all for none
	members string
	style   string
	blocks  bool // a module block for each client
	states  []string
	move    bool
	old     bool // import blocks without for_each
}

// Main is the subcommand. It returns the exit status.
func Main(ctx context.Context, args []string, server tfprotov6.ProviderServer, pace *existing.Pace, stdout, stderr io.Writer) int {
	return subcommand.Run(ctx, "export", usage, " Nothing was written.", stdout, stderr, func(stderr io.Writer) (int, error) {
		o, err := parse(args)
		if err == nil {
			err = o.export(ctx, server, pace, stdout, stderr)
		}
		return subcommand.OK, err
	})
}

func parse(args []string) (o options, err error) {
	flags := subcommand.NewFlags("export")
	cli := ""
	flags.StringVar(&o.out, "out", "", "")
	flags.Func("label", "", o.addLabels)
	flags.OneOf("members", &o.members, existing.MembersEach, existing.MembersSet, existing.MembersNone)
	flags.OneOf("style", &o.style, styleFiles, styleClients)
	flags.BoolVar(&o.blocks, "blocks", false, "")
	flags.OneOf("terraform", &cli, newCLI, oldCLI)
	flags.Each("state", &o.states)
	flags.BoolVar(&o.move, "moved", false, "")
	err = flags.Parse(args, 0, "", func() error {
		switch {
		case o.style == styleClients && o.out == "":
			return errors.New("-style clients writes several directories, and needs -out")
		case o.blocks && o.style != styleClients:
			return errors.New("-blocks is of -style clients")
		case o.move && len(o.states) == 0:
			return errors.New("-moved needs a -state, in which the plan moves objects")
		case o.move && o.members == existing.MembersNone:
			return errors.New("-moved writes everything, so that a plan removes no member, and takes no -members none")
		}
		return nil
	})
	o.old = cli == oldCLI
	return o, err
}

// addLabels reads host names or IDs, or a file of them.
func (o *options) addLabels(list string) error {
	if name, isFile := strings.CutPrefix(list, "@"); isFile {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		list = string(text)
	}
	labels := strings.FieldsFunc(strings.ToLower(list), func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	if len(labels) == 0 {
		return errors.New("there is no host name")
	}
	o.only = slices.Compact(slices.Sorted(slices.Values(append(o.only, labels...))))
	return nil
}

// Versions of Terraform whose import blocks have no for_each, and have it.
const (
	oldCLI = "1.5"
	newCLI = "1.7"
)

// How private labels are written.
const (
	styleFiles   = "files"
	styleClients = "clients"
)

func (o *options) export(ctx context.Context, server tfprotov6.ProviderServer, pace *existing.Pace, stdout, stderr io.Writer) (err error) {
	s, err := o.readStates() // before the first API call
	if err != nil {
		return err
	}
	var dir *directory
	if o.out != "" {
		if dir, err = openDirectory(o.out); err != nil {
			return err
		}
		defer dir.close()
	}
	r, err := existing.Read(ctx, server, existing.Options{
		Only: o.only, States: s.all, Pace: pace, Stderr: stderr, Carry: s.moved,
		Members: func(labelID string) string {
			if as := s.membersAs[labelID]; as != "" && o.members != existing.MembersNone {
				return as
			}
			return o.members
		},
	})
	if err != nil {
		return err
	}
	for _, told := range r.Told {
		fmt.Fprintln(stderr, told)
	}
	c := newConfiguration(r, *o, s)
	files, err := c.files()
	if err != nil {
		return err
	}
	if dir == nil {
		var texts []string
		for _, f := range files {
			if !strings.HasPrefix(f.name, ".") {
				texts = append(texts, f.text)
			}
		}
		_, err = io.WriteString(stdout, strings.Join(texts, "\n"))
	} else if err = ctx.Err(); err == nil {
		err = dir.write(files)
	}
	if err == nil {
		c.report(stderr, len(files))
	}
	return err
}

// states of an export: the one in which the plan moves objects, empty without -moved, and those whose objects are omitted.
type states struct {
	all, moved, others *existing.States
	membersAs          map[string]string // how a state has the members of a private label, by its ID
}

func (o *options) readStates() (s states, err error) {
	if s.all, err = existing.ReadStates(o.states); err != nil {
		return s, err
	}
	s.moved = &existing.States{}
	s.others = s.all
	if o.move {
		s.moved, s.others = s.all.Split(o.states[0])
	}
	if s.membersAs, err = s.others.MembersAs(); err != nil {
		return s, err
	}
	as, err := s.moved.MembersAs()
	maps.Copy(s.membersAs, as)
	return s, err
}

// report prints what a user has to know about the configuration.
func (c *configuration) report(stderr io.Writer, files int) {
	for _, l := range c.Labels {
		if l.Detached && l.Own != nil {
			fmt.Fprintf(stderr, "%s is not attached. The plan has one change for it: the apply attaches it again.\n", l.Host)
		}
	}
	if others := c.states.moved.Others; len(others) > 0 {
		fmt.Fprintf(stderr, "The state also has %s that an export does not write, such as %s. Keep their blocks.\n",
			listing.Count(len(others), "resource"), others[0].Address)
	}
	for _, text := range append(c.notes, c.Omitted...) {
		fmt.Fprintln(stderr, text)
	}
	if c.left > 0 {
		fmt.Fprintf(stderr, "%s omitted, because a state has them.\n", listing.Count(c.left, "object"))
	}
	total := 0
	parts := []string{}
	for _, typ := range existing.Types {
		if n := c.counts[typ]; n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%d %s", n, typ))
		}
	}
	if c.out != "" {
		fmt.Fprintf(stderr, "%s in %s. ", listing.Count(files, "file"), c.out)
	}
	if c.moved > 0 {
		fmt.Fprintf(stderr, "%d to move. ", c.moved)
	}
	if len(c.Items)+len(c.Labels) == 0 {
		parts = []string{"the reseller has nothing"}
	}
	fmt.Fprintln(stderr, strings.TrimSuffix(fmt.Sprintf("%d to import: %s", total, strings.Join(parts, ", ")), ": ")+".")
}
