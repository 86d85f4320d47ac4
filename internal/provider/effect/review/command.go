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

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// Exit statuses of the subcommand.
const (
	exitOK      = 0
	exitError   = 1
	exitFailing = 2 // an effect of a kind of -fail-on occurs
)

const usage = `Usage: terraform show -json PLAN | terraform-provider-reseller review [-drift] [-format text|markdown|json] [-fail-on KIND,...] [FILE]

Lists each effect of a saved plan that cannot be undone or that reaches people, without an API call. The plan is read
from FILE, or from standard input if FILE is omitted or "-".

  -format FORMAT       text (default), markdown (for a comment on a pull request) or json
  -drift               also list, first and as kind drift, what has changed outside of Terraform
  -fail-on KIND,...    exit with status 2 if an effect of one of these kinds occurs, or with KIND>N more than N of them:
                       %s

Exit status: 0; 2 for -fail-on; 1 for an input that is not a plan, and for unknown flags, formats and kinds.
`

// options are the arguments of the subcommand.
type options struct {
	format func(*Review, io.Writer) error
	drift  bool
	failOn map[effect.Kind]int // with the number that passes
	file   string              // "-" for standard input
}

// Main is the subcommand. It returns the exit status.
func Main(ctx context.Context, args []string, known effect.Reviewers, stdin io.Reader, stdout, stderr io.Writer) int {
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
		err = o.format(found, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "terraform-provider-reseller review:", err)
		return exitError
	}
	number := found.number()
	for kind, passes := range o.failOn {
		if number[kind] > passes {
			return exitFailing
		}
	}
	return exitOK
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
	format := flags.String("format", "text", "")
	o := options{file: "-", failOn: map[effect.Kind]int{}}
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
	switch *format {
	case "text":
		o.format = (*Review).Text
	case "markdown":
		o.format = (*Review).Markdown
	case "json":
		o.format = (*Review).JSON
	default:
		return o, fmt.Errorf("unknown format %q; formats are text, markdown and json", *format)
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
	return of(ctx, p, known, drift)
}
