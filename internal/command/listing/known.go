package listing

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// readKnown returns the rows of an earlier report, each with the last day on which it is known. Its known rows count, too.
func readKnown(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	wrong := func(why string) error {
		return fmt.Errorf("%s is not a report that -format json wrote: %s", file, Clean(why))
	}
	var r report
	switch err := json.Unmarshal(text, &r); {
	case err != nil:
		return nil, wrong(err.Error())
	case r.FormatVersion == "" || r.Effects == nil:
		return nil, wrong("it has no format_version or no effects")
	case r.FormatVersion != formatVersion:
		return nil, fmt.Errorf("%s has format version %q, and this command reads %s", file, Clean(r.FormatVersion), formatVersion)
	}
	out := map[string]string{}
	for _, row := range append(r.Known, r.Effects...) {
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

// key is what identifies a row in another report: all of its data, but for its price and its last day. Numbers are as
// another report has them once it is read.
func (r Row) key() string {
	r.Price = nil
	r.Until = ""
	text, err := json.Marshal(r)
	var read Row
	if err == nil {
		err = json.Unmarshal(text, &read)
	}
	if err == nil {
		text, err = json.Marshal(read)
	}
	if err != nil {
		return "" // the key of no row of a report
	}
	return string(text)
}

// forget moves the rows that are known on a day apart, and returns how many count again because their date has passed.
func (l *Listing) forget(known map[string]string, today time.Time) (again int) {
	if known == nil {
		return 0
	}
	all := l.Rows
	l.Rows = nil
	l.Known = []Row{}
	for _, row := range all {
		until, ok := known[row.key()]
		ok = ok && !row.Uncertain
		switch passed := until != "" && until < today.Format(time.DateOnly); {
		case ok && !passed:
			row.Until = until
			l.Known = append(l.Known, row)
			continue
		case ok:
			again++
		}
		l.Rows = append(l.Rows, row)
	}
	return again
}
