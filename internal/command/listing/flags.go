package listing

import (
	"fmt"
	"io"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/subcommand"
)

// Flags are those of a command that writes a listing.
type Flags struct {
	subcommand.Flags
	format, file string
	known        map[string]string // nil without -known
}

// NewFlags returns the flags that all have.
func NewFlags(name string) *Flags {
	f := &Flags{Flags: subcommand.NewFlags(name)}
	f.OneOf("format", &f.format, formats...)
	f.StringVar(&f.file, "known", "", "")
	return f
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
