// Package export is the subcommand `export`: it writes a configuration that imports what a reseller has. It reads through
// the provider's own server, as Terraform does: so it takes the provider's settings, reads each thing once, and writes
// all that the schema lets a user configure.
package export

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

const usage = `Usage: terraform-provider-reseller export [-out DIR] [-label HOST,...] [-members each|set|none]

Reads the reseller, and writes a configuration that imports it: packages, add-ons, and a file for each private label
with its package, add-ons, members and DNS verification. It only reads. Settings are the provider's environment
variables, such as RESELLER_BASE_URL and RESELLER_API_KEY; the API key needs the scope reseller:read.

  -out DIR           write files to this directory, which must be empty or not exist; default: standard output
  -label HOST,...    only these private labels, by host name or ID, with the packages and add-ons that they have
  -members each      members as reseller_member (default)
           set       members as one reseller_members for each private label
           none      no members, which halves the number of API calls

Then run terraform init and terraform plan in DIR. The plan imports, and changes nothing.
Exit status: 0; 1 for any error. After an error or an interrupt, no file is written.
`

// How members are written.
const (
	membersEach = "each"
	membersSet  = "set"
	membersNone = "none"
)

type options struct {
	out     string
	only    []string // private labels by host name or ID; all for none
	members string
}

// Main is the subcommand. It returns the exit status.
func Main(ctx context.Context, args []string, server tfprotov6.ProviderServer, stdout, stderr io.Writer) int {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err == nil {
		err = o.export(ctx, server, stdout, stderr)
	}
	if err == nil {
		return 0
	}
	if ctx.Err() != nil { // whatever it stopped failed with another error
		err = errors.New("interrupted")
	}
	fmt.Fprintf(stderr, "terraform-provider-reseller export: %s. No file was written.\n", strings.TrimRight(err.Error(), "."))
	return 1
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("export", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.out, "out", "", "")
	flags.Func("label", "", func(list string) error {
		for label := range strings.SplitSeq(list, ",") {
			if label = strings.ToLower(strings.TrimSpace(label)); label == "" {
				return errors.New("write host names, separated by commas")
			}
			if !slices.Contains(o.only, label) {
				o.only = append(o.only, label)
			}
		}
		return nil
	})
	flags.StringVar(&o.members, "members", membersEach, "")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return o, err
	case err == nil && flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case err == nil && !slices.Contains([]string{membersEach, membersSet, membersNone}, o.members):
		err = fmt.Errorf("unknown value %q of -members; values are each, set and none", o.members)
	}
	if err != nil {
		return o, fmt.Errorf("%w; see terraform-provider-reseller export -h", err)
	}
	return o, nil
}

func (o *options) export(ctx context.Context, server tfprotov6.ProviderServer, stdout, stderr io.Writer) (err error) {
	var dir *directory
	if o.out != "" { // before the first API call
		if dir, err = openDirectory(o.out); err != nil {
			return err
		}
		defer dir.close()
	}
	from, err := connect(ctx, server, stderr)
	if err != nil {
		return err
	}
	r := &reseller{source: from, options: *o, stderr: stderr}
	if err := r.read(ctx); err != nil {
		return err
	}
	files := r.files()
	if dir == nil {
		var texts []string
		for _, f := range files {
			texts = append(texts, f.text)
		}
		_, err = io.WriteString(stdout, strings.Join(texts, "\n"))
	} else if err = ctx.Err(); err == nil {
		err = dir.write(files)
	}
	if err == nil {
		r.report(len(files))
	}
	return err
}
