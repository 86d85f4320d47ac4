// Package export is the subcommand `export`: it writes a configuration that imports what a reseller has.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/subcommand"
	"github.com/privatelabels/terraform-provider-reseller/internal/estate"
)

const usage = `Usage: terraform-provider-reseller export [-out DIR] [-label HOST,...|@FILE] [-members each|set|none]
                                          [-style files|clients] [-state FILE]... [-moved] [-terraform 1.5]

Reads the reseller, and writes a configuration that imports it: packages, add-ons, and a file for each private label
with its package, add-ons and members; imports.tf has the import blocks. It only reads. Settings are the provider's
environment variables, such as RESELLER_BASE_URL and RESELLER_API_KEY; the API key needs the scope reseller:read.

  -out DIR           write files to this directory, which must be empty or not exist; default: standard output
  -label HOST,...    only these private labels, by host name or ID, with the packages and add-ons that they have
         @FILE       the same, one in each line of a file
  -members each      members as reseller_member (default)
           set       members as one reseller_members for each private label
           none      no members, which halves the number of API calls
  -style files       a file of resources for each private label (default)
         clients     a YAML file for each private label, and a module that reads them; needs -out
  -state FILE        omit what this state has: the output of terraform show -json, or a state file; can be repeated
  -moved             with one -state: write everything, and move what the state has to its new address
  -terraform 1.5     import blocks without for_each, for Terraform 1.5 and 1.6

Then run terraform init and terraform plan in DIR. The plan imports, and changes nothing.
Exit status: 0; 1 for any error. After an error or an interrupt, nothing is written.
`

type options struct {
	out     string
	only    []string // private labels by host name or ID; all for none
	members string
	style   string
	states  []string
	move    bool
	old     bool // import blocks without for_each
}

// Main is the subcommand. It returns the exit status.
func Main(ctx context.Context, args []string, server tfprotov6.ProviderServer, pace *estate.Pace, stdout, stderr io.Writer) int {
	return subcommand.Run(ctx, "export", usage, " Nothing was written.", stdout, stderr, func(stderr io.Writer) (int, error) {
		o, err := parse(args)
		if err == nil {
			err = o.export(ctx, server, pace, stdout, stderr)
		}
		return subcommand.OK, err
	})
}

func parse(args []string) (o options, err error) {
	flags, cli := subcommand.NewFlags("export"), ""
	flags.StringVar(&o.out, "out", "", "")
	flags.Func("label", "", o.addLabels)
	flags.OneOf("members", &o.members, estate.MembersEach, estate.MembersSet, estate.MembersNone)
	flags.OneOf("style", &o.style, styleFiles, styleClients)
	flags.OneOf("terraform", &cli, newCLI, oldCLI)
	flags.Each("state", &o.states)
	flags.BoolVar(&o.move, "moved", false, "")
	err = flags.Parse(args, 0, "", func() error {
		switch {
		case o.style == styleClients && o.out == "":
			return errors.New("-style clients writes several directories, and needs -out")
		case o.move && len(o.states) != 1:
			return errors.New("-moved needs one -state, because a plan moves objects within one state")
		case o.move && o.members == estate.MembersNone:
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

func (o *options) export(ctx context.Context, server tfprotov6.ProviderServer, pace *estate.Pace, stdout, stderr io.Writer) (err error) {
	states, err := estate.ReadStates(o.states) // before the first API call
	if err != nil {
		return err
	}
	membersAs, err := states.MembersAs()
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
	var carry *estate.States
	if o.move {
		carry = states
	}
	r, err := estate.Read(ctx, server, estate.Options{
		Only: o.only, States: states, Pace: pace, Stderr: stderr, Carry: carry,
		Members: func(labelID string) string {
			if as := membersAs[labelID]; as != "" && o.members != estate.MembersNone {
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
	c := newConfiguration(r, *o, states)
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

// report prints what a user has to know about the configuration.
func (c *configuration) report(stderr io.Writer, files int) {
	for _, l := range c.Labels {
		if l.Detached && l.Own != nil {
			fmt.Fprintf(stderr, "%s is not attached. The plan has one change for it: the apply attaches it again.\n", l.Host)
		}
	}
	if others := c.states.Others; c.move && len(others) > 0 {
		fmt.Fprintf(stderr, "The state also has %s that an export does not write, such as %s. Keep their blocks.\n", estate.Count(len(others), "resource"), others[0])
	}
	for _, text := range append(c.notes, c.Omitted...) {
		fmt.Fprintln(stderr, text)
	}
	if c.left > 0 {
		fmt.Fprintf(stderr, "%s omitted, because a state has them.\n", estate.Count(c.left, "object"))
	}
	total, parts := 0, []string{}
	for _, typ := range estate.Types {
		if n := c.counts[typ]; n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%d %s", n, typ))
		}
	}
	if c.out != "" {
		fmt.Fprintf(stderr, "%s in %s. ", estate.Count(files, "file"), c.out)
	}
	if c.moved > 0 {
		fmt.Fprintf(stderr, "%d to move. ", c.moved)
	}
	if len(c.Items)+len(c.Labels) == 0 {
		parts = []string{"the reseller has nothing"}
	}
	fmt.Fprintln(stderr, strings.TrimSuffix(fmt.Sprintf("%d to import: %s", total, strings.Join(parts, ", ")), ": ")+".")
}
