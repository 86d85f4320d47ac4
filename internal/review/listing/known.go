package listing

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// Known are the rows of an earlier report, each with the last day on which it is known.
type Known map[Row]string

// ReadKnown reads a report that a subcommand wrote as JSON. Its known rows count, too.
func ReadKnown(file string) (Known, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	wrong := func(why string) error {
		return fmt.Errorf("%s is not a report that -format json wrote: %s", file, Clean(why))
	}
	var r struct {
		Version *string `json:"format_version"`
		Effects *[]Row  `json:"effects"`
		Known   []Row   `json:"known"`
	}
	switch err := json.Unmarshal(text, &r); {
	case err != nil:
		return nil, wrong(err.Error())
	case r.Version == nil || r.Effects == nil:
		return nil, wrong("it has no format_version or no effects")
	case *r.Version != formatVersion:
		return nil, fmt.Errorf("%s has format version %q, and this command reads %s", file, Clean(*r.Version), formatVersion)
	}
	out := Known{}
	for _, row := range append(r.Known, *r.Effects...) {
		if row.Kind == "" || row.Address == "" {
			return nil, wrong("a row has no kind or no address")
		}
		if _, err := time.Parse(time.DateOnly, row.Until); row.Until != "" && err != nil {
			return nil, fmt.Errorf("%s knows %s until %q, which is not a date such as 2027-01-31", file, Clean(row.Address), Clean(row.Until))
		}
		out[row.key()] = row.Until
	}
	return out, nil
}

func (r Row) key() Row {
	return Row{Kind: r.Kind, Address: r.Address, What: r.What, Subject: r.Subject}
}

// Forget moves the rows that are known on a day apart, and returns how many count again because their date has passed.
func (l *Listing) Forget(known Known, today time.Time) (again int) {
	var rows []Row
	for _, row := range l.Rows {
		until, ok := known[row.key()]
		passed := until != "" && until < today.Format(time.DateOnly)
		if ok && !passed {
			row.Until = until
			l.Known = append(l.Known, row)
			continue
		}
		if ok {
			again++
		}
		rows = append(rows, row)
	}
	l.Rows = rows
	return again
}
