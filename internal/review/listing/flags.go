package listing

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Exit statuses of the subcommands.
const (
	OK     = 0
	Failed = 1
	Found  = 2
)

// Flags are the arguments of a subcommand that writes a listing.
type Flags struct {
	*flag.FlagSet
	format, file string
	known        map[Row]string // nil without -known
}

// NewFlags returns the flags that all have.
func NewFlags(name string) *Flags {
	f := &Flags{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError)}
	f.SetOutput(io.Discard)
	f.StringVar(&f.format, "format", "text", "")
	f.StringVar(&f.file, "known", "", "")
	return f
}

// Parse reads the arguments, of which so many are no flags; hint says what else they could be.
func (f *Flags) Parse(args []string, most int, hint string) error {
	err := f.FlagSet.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err == nil && f.NArg() > most:
		err = fmt.Errorf("unexpected argument %q%s", f.Arg(most), hint)
	case err == nil && !slices.Contains(formats, f.format):
		err = fmt.Errorf("unknown format %q; formats are %s", f.format, strings.Join(formats, ", "))
	}
	if err != nil {
		return fmt.Errorf("%w; see terraform-provider-reseller %s -h", err, f.Name())
	}
	return nil
}

// ReadKnown reads the report of -known. Write does it if nobody did before.
func (f *Flags) ReadKnown() (err error) {
	if f.file != "" && f.known == nil {
		f.known, err = readKnown(f.file)
	}
	return err
}

// Write writes a listing, with the rows apart that the report of -known has.
func (f *Flags) Write(l *Listing, today time.Time, stdout, stderr io.Writer) error {
	if err := f.ReadKnown(); err != nil {
		return err
	}
	if again := l.forget(f.known, today); again > 0 {
		fmt.Fprintf(stderr, "terraform-provider-reseller %s: the day until which %s knows %s has passed: these rows count again.\n",
			f.Name(), f.file, Count(again, l.Noun))
	}
	return l.Write(f.format, stdout)
}
