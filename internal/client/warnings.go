package client

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Warning shows by how much a change would exceed the allowance (§2.7). A number that the response lacks, or that is not
// a JSON number, is nil.
type Warning struct {
	ItemCode  string // "" if the response does not name the item
	Requested *float64
	Remaining *float64
	Excess    *float64
}

const notGiven = "not given"

func (w Warning) String() string {
	item := transport.Printable(transport.CutText(w.ItemCode, 40))
	if item == "" {
		item = "item " + notGiven
	}
	return fmt.Sprintf("%s: requested %s, remaining %s, excess %s", item, givenAmount(w.Requested), givenAmount(w.Remaining), givenAmount(w.Excess))
}

func givenAmount(n *float64) string {
	if n == nil {
		return notGiven
	}
	return Amount(*n)
}

// Amount formats a number without an exponent: a million is 1000000, not 1e+06.
func Amount(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// readWarnings returns a warning for each element of a list, of any shape, and none for anything but a list.
func readWarnings(raw json.RawMessage) []Warning {
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil {
		return nil
	}
	out := make([]Warning, 0, len(elements))
	for _, element := range elements {
		out = append(out, readWarning(element))
	}
	return out
}

func readWarning(raw json.RawMessage) Warning {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return Warning{}
	}
	w := Warning{Requested: readAmount(fields["requested"]), Remaining: readAmount(fields["remaining"]), Excess: readAmount(fields["excess"])}
	if json.Unmarshal(fields["itemCode"], &w.ItemCode) != nil {
		w.ItemCode = ""
	}
	return w
}

// readAmount returns nil for anything but a number that a float64 can hold.
func readAmount(raw json.RawMessage) *float64 {
	var n *float64
	if json.Unmarshal(raw, &n) != nil {
		return nil
	}
	return n
}
