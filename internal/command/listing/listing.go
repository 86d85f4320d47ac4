// Package listing writes rows of effects for people and programs, most harmful first: the output of the subcommands that
// review a plan or a reseller. It reads an earlier output back as the list of what is known.
package listing

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// Row is one effect, as data and in words.
type Row struct {
	Kind           effect.Kind `json:"kind"`
	Address        string      `json:"address"`
	What           string      `json:"what"`
	Subject        string      `json:"subject"`
	Host           Text        `json:"host"` // of the private label
	PrivateLabelID Text        `json:"private_label_id"`
	Code           Text        `json:"code"`
	Quantity       any         `json:"quantity"`
	Email          Text        `json:"email"`
	Before         any         `json:"before"`
	After          any         `json:"after"`
	Price          *Amount     `json:"price"`
	Until          string      `json:"until,omitempty"` // the last day on which a known row does not count, "2027-01-31"

	Unnamed   string      `json:"-"` // what stands for a private label whose host name and ID are not shown
	Uncertain bool        `json:"-"` // a value is sensitive, or known after apply
	Unpriced  bool        `json:"-"` // prices were asked for, and this one is not known
	Harm      effect.Harm `json:"-"` // orders the rows of a kind, the largest first
	Beneath   []string    `json:"-"` // what else the row is about, in words
	Brief     string      `json:"-"` // What, without what differs from row to row; "" if nothing does
}

// Text is null in JSON if it is empty.
type Text string

// MarshalJSON writes a text or null.
func (t Text) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}

// NewRow returns the row of an effect.
func NewRow(e effect.Effect) Row {
	row := Row{
		Kind: e.Kind, Address: e.Address, What: e.What(), Subject: e.Subject(),
		Host: Text(e.Label.Host), PrivateLabelID: Text(e.Label.ID), Code: Text(e.Code.ValueString()), Quantity: effect.Number(e.Quantity),
		Email: Text(e.Email.ValueString()), Before: e.Before, After: e.After, Uncertain: !e.IsCertain(), Harm: e.Harm,
	}
	if e.Label.Later {
		row.Unnamed = effect.KnownAfterApply
	}
	return row
}

// portal is the host name or the ID of a private label, "" if neither is known.
func (r Row) portal() string {
	return cmp.Or(string(r.Host), string(r.PrivateLabelID))
}

// shownPortal is what a table shows of a private label, "" for none.
func (r Row) shownPortal() string {
	return cmp.Or(r.portal(), r.Unnamed)
}

// Listing is what a subcommand found.
type Listing struct {
	Title   string        // says of what the report is
	Nothing string        // the sentence without a row
	Noun    string        // of one row: "effect"
	Kinds   []effect.Kind // most harmful first
	Named   effect.Kind   // rows of the kinds up to this one are never omitted
	Notes   []string      // sentences below the counts
	Rows    []Row
	Known   []Row // nil if nothing was given as known

	Allowance  []Need
	Price      []Total
	PriceField string
}

func (l *Listing) rank(k effect.Kind) int {
	return slices.Index(l.Kinds, k)
}

// Sort puts the rows in the order of the kinds and of their harm, and keeps the order otherwise.
func (l *Listing) Sort() {
	slices.SortStableFunc(l.Rows, func(a, b Row) int { return cmp.Or(l.rank(a.Kind)-l.rank(b.Kind), int(b.Harm-a.Harm)) })
}

// Number returns the number of rows of each kind.
func Number(rows []Row) map[effect.Kind]int {
	number := map[effect.Kind]int{}
	for _, row := range rows {
		number[row.Kind]++
	}
	return number
}

// Count is a number with its noun: "1 effect", "2 effects".
func Count(number int, noun string) string {
	if number != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", number, noun)
}

// isOrAre is a number with its noun as the subject of a sentence: "1 effect is", "2 effects are".
func isOrAre(number int, noun string) string {
	if number == 1 {
		return Count(number, noun) + " is"
	}
	return Count(number, noun) + " are"
}

// counts says how many rows there are, by kind: "3 effects: 1 permanent, 2 email".
func (l *Listing) counts(rows []Row) string {
	return Count(len(rows), l.Noun) + ": " + l.byKinds(rows)
}

func (l *Listing) byKinds(rows []Row) string {
	number := Number(rows)
	var parts []string
	for _, k := range l.Kinds {
		if number[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", number[k], k))
		}
	}
	return strings.Join(parts, ", ")
}

// sum is one sentence about all rows.
func (l *Listing) sum() string {
	switch {
	case len(l.Rows) == 0 && len(l.Known) > 0:
		return fmt.Sprintf("Nothing new: %s known.", isOrAre(len(l.Known), l.Noun))
	case len(l.Rows) == 0:
		return l.Nothing
	}
	return l.counts(l.Rows) + "."
}

var formats = []string{"text", "markdown", "json"}

// Write writes the listing in a format: text, markdown or json.
func (l *Listing) Write(format string, out io.Writer) error {
	var text string
	var err error
	switch format {
	case "json":
		text, err = l.json()
	case "markdown":
		text = l.markdown()
	default:
		text = l.text(widthOf(out))
	}
	if err == nil {
		_, err = io.WriteString(out, text)
	}
	return err
}

// report is the JSON of a listing.
type report struct {
	FormatVersion string  `json:"format_version"`
	Effects       []Row   `json:"effects"`
	Known         []Row   `json:"known,omitzero"`
	Allowance     []Need  `json:"allowance"`
	Price         []Total `json:"price"`
}

const formatVersion = "1.1"

// invisible characters that encoding/json leaves as they are: a terminal may interpret them.
var invisible = regexp.MustCompile(`[\x7f-\x{9f}\p{Cf}]`)

func (l *Listing) json() (string, error) {
	text, err := json.MarshalIndent(report{
		formatVersion, append([]Row{}, l.Rows...), l.Known, append([]Need{}, l.Allowance...), append([]Total{}, l.Price...),
	}, "", "  ")
	return invisible.ReplaceAllStringFunc(string(text), func(char string) string {
		var out strings.Builder
		for _, unit := range utf16.Encode([]rune(char)) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
		return out.String()
	}) + "\n", err
}
