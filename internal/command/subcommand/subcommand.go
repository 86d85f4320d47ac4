// Package subcommand is what the program's own commands share: flags, help, exit statuses, and how an error ends.
package subcommand

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
)

// Exit statuses.
const (
	OK     = 0
	Failed = 1
	Found  = 2
)

// Run runs a command and returns its exit status. Without a status, it prints its help for -h, or an error with what holds
// after it. A command that was interrupted failed with the error of what it did then.
func Run(ctx context.Context, name, help, after string, stdout, stderr io.Writer, run func(stderr io.Writer) (int, error)) int {
	stderr = printable.Writer{Writer: stderr}
	status, err := run(stderr)
	switch {
	case err == nil:
		return status
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, help)
		return OK
	case ctx.Err() != nil:
		err = errors.New("interrupted")
	}
	fmt.Fprintf(stderr, "terraform-provider-reseller %s: %s.%s\n", name, strings.TrimRight(err.Error(), "."), after)
	return Failed
}

// Flags are those of a command.
type Flags struct{ *flag.FlagSet }

// NewFlags prints nothing by itself.
func NewFlags(name string) Flags {
	f := Flags{flag.NewFlagSet(name, flag.ContinueOnError)}
	f.SetOutput(io.Discard)
	return f
}

// OneOf is a flag with some values, of which the first is the default.
func (f Flags) OneOf(name string, to *string, values ...string) {
	*to = values[0]
	f.Func(name, "", func(value string) error {
		if *to = value; !slices.Contains(values, value) {
			return fmt.Errorf("values are %s and %s", strings.Join(values[:len(values)-1], ", "), values[len(values)-1])
		}
		return nil
	})
}

// Each is a flag that can be repeated.
func (f Flags) Each(name string, to *[]string) {
	f.Func(name, "", func(value string) error {
		*to = append(*to, value)
		return nil
	})
}

// Parse reads the arguments, of which so many are no flags; hint says what else they could be. check returns what is wrong
// with the values together.
func (f Flags) Parse(args []string, most int, hint string, check func() error) error {
	err := f.FlagSet.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err == nil && f.NArg() > most:
		err = fmt.Errorf("unexpected argument %q%s", f.Arg(most), hint)
	case err == nil && check != nil:
		err = check()
	}
	if err != nil {
		return fmt.Errorf("%w; see terraform-provider-reseller %s -h", err, f.Name())
	}
	return nil
}
