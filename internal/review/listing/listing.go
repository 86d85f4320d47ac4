// Package listing writes rows of effects for people and programs, most harmful first: the output of the subcommands that
// review a plan or a reseller. It reads an earlier output back as the list of what is known.
package listing

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// Row is one effect.
type Row struct {
	Kind    effect.Kind `json:"kind"`
	Address string      `json:"address"`
	What    string      `json:"what"`
	Subject string      `json:"subject"`
	Until   string      `json:"until,omitempty"` // the last day on which a known row does not count, "2027-01-31"

	Host  string `json:"-"` // of the private label that the row belongs to, "" if that is unknown
	Brief string `json:"-"` // What, without what differs from row to row; "" if nothing does
}

// Listing is what a subcommand found.
type Listing struct {
	Title   string        // of the Markdown
	Nothing string        // the sentence without a row
	Noun    string        // of one row: "effect"
	Kinds   []effect.Kind // most harmful first
	Named   effect.Kind   // rows of the kinds up to this one are never omitted
	Notes   []string      // sentences below the counts
	Rows    []Row
	Known   []Row
}

// Sort puts the rows in the order of the kinds, and keeps the order within a kind.
func (l *Listing) Sort() { l.Rows = byKind(l.Rows, l.Kinds) }

func byKind(rows []Row, kinds []effect.Kind) []Row {
	out := make([]Row, 0, len(rows))
	for _, k := range kinds {
		for _, row := range rows {
			if row.Kind == k {
				out = append(out, row)
			}
		}
	}
	return out
}

// Count returns the number of rows of each kind, without the known ones.
func (l *Listing) Count() map[effect.Kind]int { return countOf(l.Rows) }

func countOf(rows []Row) map[effect.Kind]int {
	number := map[effect.Kind]int{}
	for _, row := range rows {
		number[row.Kind]++
	}
	return number
}

// counts says how many rows there are, by kind: "3 effects: 1 permanent, 2 email".
func (l *Listing) counts(rows []Row) string {
	noun := l.Noun
	if len(rows) != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s: %s", len(rows), noun, l.byKinds(rows))
}

func (l *Listing) byKinds(rows []Row) string {
	number := countOf(rows)
	var parts []string
	for _, k := range l.Kinds {
		if number[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", number[k], k))
		}
	}
	return strings.Join(parts, ", ")
}

// Write writes the listing in a format: text, markdown or json.
func (l *Listing) Write(format string, out io.Writer) error {
	if format == "json" {
		return l.json(out)
	}
	text := l.text
	if format == "markdown" {
		text = l.markdown
	}
	_, err := io.WriteString(out, text())
	return err
}

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "markdown", "json"} }

// report is the JSON of a listing.
type report struct {
	FormatVersion string `json:"format_version"`
	Effects       []Row  `json:"effects"`
	Known         []Row  `json:"known,omitempty"`
}

const formatVersion = "1"

func (l *Listing) json(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report{formatVersion, append([]Row{}, l.Rows...), l.Known})
}
