package review

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/review/listing"
)

// Exit statuses of the subcommand.
const (
	exitOK      = 0
	exitError   = 1
	exitFailing = 2 // an effect of a kind of -fail-on occurs
)

const usage = `Usage: terraform show -json PLAN | terraform-provider-reseller review [-drift] [-known FILE] [-format text|markdown|json]
           [-fail-on KIND,...] [FILE]

Lists each effect of a saved plan that cannot be undone or that reaches people, without an API call. The plan is read
from FILE, or from standard input if FILE is omitted or "-".

  -format FORMAT       text (default), markdown (for a comment on a pull request) or json
  -drift               also list, first and as kind drift, what has changed outside of Terraform
  -known FILE          list apart, and do not count for -fail-on, the effects that an earlier report in JSON has; one with
                       "until": "2027-01-31" is known until the end of that day
  -fail-on KIND,...    exit with status 2 if an effect of one of these kinds occurs, or with KIND>N more than N of them:
                       %s

Exit status: 0; 2 for -fail-on; 1 for an input that is not a plan, and for unknown flags, formats and kinds.
`

// options are the arguments of the subcommand.
type options struct {
	format string
	drift  bool
	known  string              // the file of an earlier report, "" for none
	failOn map[effect.Kind]int // with the number that passes
	file   string              // "-" for standard input
}

// Main is the subcommand. It returns the exit status.
func Main(ctx context.Context, args []string, known effect.Reviewers, clock Clock, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(stdout, usage, strings.Join(kinds(), ", "))
		return exitOK
	}
	var found *Review
	if err == nil {
		found, err = o.review(ctx, known, stdin)
	}
	if err == nil {
		err = o.forget(found, clock, stderr)
	}
	if err == nil {
		err = found.Write(o.format, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "terraform-provider-reseller review:", err)
		return exitError
	}
	number := found.Count()
	for kind, passes := range o.failOn {
		if number[kind] > passes {
			return exitFailing
		}
	}
	return exitOK
}

// Clock says which day it is.
type Clock interface{ Now() time.Time }

// forget lists what an earlier report has apart.
func (o options) forget(found *Review, clock Clock, stderr io.Writer) error {
	if o.known == "" {
		return nil
	}
	known, err := listing.ReadKnown(o.known)
	if err != nil {
		return err
	}
	if again := found.Forget(known, clock.Now()); again > 0 {
		fmt.Fprintf(stderr, "terraform-provider-reseller review: %d effects count again, since the day until which %s knows them has passed.\n", again, o.known)
	}
	return nil
}

func kinds() []string {
	var out []string
	for _, k := range effect.Kinds() {
		out = append(out, string(k))
	}
	return out
}

func parse(args []string) (options, error) {
	flags := flag.NewFlagSet("review", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	o := options{file: "-", failOn: map[effect.Kind]int{}}
	flags.StringVar(&o.format, "format", "text", "")
	flags.StringVar(&o.known, "known", "", "")
	flags.BoolVar(&o.drift, "drift", false, "")
	flags.Func("fail-on", "", func(list string) error {
		for item := range strings.SplitSeq(list, ",") {
			kind, most, limited := strings.Cut(item, ">")
			if !slices.Contains(kinds(), kind) {
				return fmt.Errorf("unknown kind; kinds are %s", strings.Join(kinds(), ", "))
			}
			passes, err := strconv.Atoi(most)
			if limited && (err != nil || passes < 0) {
				return fmt.Errorf("%q is not a number of 0 or more; write %s>5", most, kind)
			}
			o.failOn[effect.Kind(kind)] = passes
		}
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return o, hinted(err)
	}
	if !slices.Contains(listing.Formats(), o.format) {
		return o, fmt.Errorf("unknown format %q; formats are %s", o.format, effect.Series("and", listing.Formats()))
	}
	if flags.NArg() > 1 {
		return o, hinted(fmt.Errorf("unexpected argument %q after the file", flags.Arg(1)))
	}
	if flags.NArg() == 1 {
		o.file = flags.Arg(0)
	}
	return o, nil
}

func hinted(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	return fmt.Errorf("%w; see terraform-provider-reseller review -h", err)
}

func (o options) review(ctx context.Context, known effect.Reviewers, stdin io.Reader) (*Review, error) {
	in := stdin
	if o.file != "-" {
		file, err := os.Open(o.file)
		if err != nil {
			return nil, err
		}
		defer file.Close() //nolint:errcheck // nothing was written
		in = file
	}
	_, failsOnDrift := o.failOn[effect.Drift]
	return Read(ctx, in, known, o.drift || failsOnDrift)
}

// Read reviews the JSON of a plan. With drift, what has changed outside of Terraform comes first.
func Read(ctx context.Context, in io.Reader, known effect.Reviewers, drift bool) (*Review, error) {
	p, err := read(in, maxPlan)
	if err != nil {
		return nil, err
	}
	return reviewPlan(ctx, p, known, drift)
}
