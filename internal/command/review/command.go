package review

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/listing"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/subcommand"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

const usage = `Usage: terraform show -json PLAN | terraform-provider-reseller review [-drift] [-known FILE] [-format text|markdown|json]
           [-price FIELD] [-fail-on KIND,...] [FILE]

Lists each effect of a saved plan that cannot be undone or that reaches people, without an API call. The plan is read
from FILE, or from standard input if FILE is omitted or "-".

  -format FORMAT       text (default), markdown (for a pull request comment) or json
  -drift               also list, first and as kind drift, what has changed outside of Terraform
  -known FILE          list separately the effects that an earlier JSON report contains, and ignore them for -fail-on. One with
                       "until": "2027-01-31" is known until the end of that day
  -price FIELD         add prices to billed rows, and totals. FIELD is the key of settings that contains the price of a
                       package or an add-on, in whole minor units of its currency
  -fail-on KIND,...    exit with status 2 if an effect of one of these kinds occurs, or with KIND>N more than N of them:
                       %s

Exit status: 0; 2 for -fail-on; 1 for an input that is not a plan, and for unknown flags, formats and kinds.
`

// Main is the subcommand. It returns the exit status.
func Main(ctx context.Context, args []string, known effect.Reviewers, today time.Time, stdin io.Reader, stdout, stderr io.Writer) int {
	return subcommand.Run(ctx, "review", fmt.Sprintf(usage, kinds()), "", stdout, stderr, func(stderr io.Writer) (int, error) {
		return run(ctx, args, known, today, stdin, stdout, stderr)
	})
}

func run(ctx context.Context, args []string, known effect.Reviewers, today time.Time, in io.Reader, stdout, stderr io.Writer) (int, error) {
	flags, failOn, o := listing.NewFlags("review"), failOn{}, Options{}
	flags.BoolVar(&o.Drift, "drift", false, "")
	flags.Func("price", "", func(field string) error {
		o.Price = field
		if field == "" {
			return errors.New("name a key of settings, such as monthlyPrice")
		}
		return nil
	})
	flags.Func("fail-on", "", failOn.add)
	if err := flags.Parse(args, 1, " after the file", nil); err != nil {
		return subcommand.Failed, err
	}
	if name := flags.Arg(0); name != "" && name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return subcommand.Failed, err
		}
		defer file.Close() //nolint:errcheck // nothing was written
		in = file
	}
	_, failsOnDrift := failOn[effect.Drift]
	o.Drift = o.Drift || failsOnDrift
	found, err := Read(ctx, in, known, o)
	if err == nil && found.Foreign {
		fmt.Fprintln(stderr, "terraform-provider-reseller review: the plan has no resources of this provider.")
	}
	if err == nil {
		err = flags.Write(&found.Listing, today, stdout, stderr)
	}
	if err != nil {
		return subcommand.Failed, err
	}
	for kind, number := range listing.Number(found.Rows) {
		if passes, ok := failOn[kind]; ok && number > passes {
			return subcommand.Found, nil
		}
	}
	return subcommand.OK, nil
}

// failOn are the kinds of -fail-on, with the number that passes.
type failOn map[effect.Kind]int

func (f failOn) add(list string) error {
	for item := range strings.SplitSeq(list, ",") {
		name, most, limited := strings.Cut(item, ">")
		if !slices.Contains(effect.Kinds(), effect.Kind(name)) {
			return fmt.Errorf("unknown kind; kinds are %s", kinds())
		}
		passes, err := strconv.Atoi(most)
		if limited && (err != nil || passes < 0) {
			return fmt.Errorf("%q is not a number of 0 or more; write %s>5", most, name)
		}
		f[effect.Kind(name)] = passes
	}
	return nil
}

func kinds() string {
	var out []string
	for _, k := range effect.Kinds() {
		out = append(out, string(k))
	}
	return strings.Join(out, ", ")
}

// Options of a review.
type Options struct {
	Drift bool   // what has changed outside of Terraform comes first
	Price string // the key of settings that has the price, in whole minor units; "" for no prices
}

// Read reviews the JSON of a plan.
func Read(ctx context.Context, in io.Reader, known effect.Reviewers, o Options) (*Review, error) {
	p, err := read(in)
	if err != nil {
		return nil, err
	}
	return reviewPlan(ctx, p, known, o)
}
