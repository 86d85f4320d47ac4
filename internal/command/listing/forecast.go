package listing

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
)

// Need is what a plan adds to the use of one item of the reseller's allowance. A number that is not known is nil.
type Need struct {
	Item        string   `json:"item"`
	AtLeast     *float64 `json:"at_least"`
	AtMost      *float64 `json:"at_most"`
	LearnedFrom int      `json:"learned_from"` // private labels
	Remaining   *float64 `json:"remaining"`
	Permitted   *float64 `json:"permitted"`
	NotLearned  []string `json:"not_learned"` // codes

	Asked float64 `json:"-"` // of AtLeast, what the API has to be asked for: a seat that a member takes is not
}

// sentence says what is needed, and whether the API will ask for a confirmation.
func (n Need) sentence() string {
	out := n.Item + ": " + n.amount()
	if n.LearnedFrom > 0 {
		out += fmt.Sprintf(" (learned from %s)", Count(n.LearnedFrom, "portal"))
	}
	permits := "; allow_excess permits " + shownNumber(n.Permitted)
	switch {
	case n.isNone():
		return out
	case n.Remaining == nil:
		return out + permits
	}
	out += fmt.Sprintf(", %s left: ", shownNumber(n.Remaining))
	switch {
	case n.AtMost != nil && *n.AtMost <= max(0, *n.Remaining):
		return out + "within the allowance"
	case n.Asked > max(0, *n.Remaining):
		return out + "the API will ask" + permits
	default:
		return out + "the API may ask" + permits
	}
}

// isNone: it is certain that nothing is added.
func (n Need) isNone() bool {
	return n.AtMost != nil && *n.AtMost == 0
}

func (n Need) amount() string {
	switch {
	case n.AtMost == nil && (n.AtLeast == nil || *n.AtLeast == 0):
		return "not known"
	case n.AtMost == nil:
		return "at least " + shownNumber(n.AtLeast) + " more"
	case n.AtLeast == nil:
		return "at most " + shownNumber(n.AtMost) + " more"
	case *n.AtLeast == *n.AtMost:
		return shownNumber(n.AtMost) + " more"
	default:
		return shownNumber(n.AtLeast) + " to " + shownNumber(n.AtMost) + " more"
	}
}

func shownNumber(n *float64) string {
	if n == nil {
		return "an unknown amount"
	}
	return printable.Number(*n)
}

// Amount of money in whole minor units.
type Amount struct {
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
}

// String is the amount with the decimals of its currency: "49.00 EUR".
func (a Amount) String() string {
	digits := strconv.FormatInt(max(a.Amount, -a.Amount), 10)
	decimals := 2
	switch {
	case strings.Contains(noDecimals, a.Currency):
		decimals = 0
	case strings.Contains(threeDecimals, a.Currency):
		decimals = 3
	}
	if short := decimals + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	if decimals > 0 {
		digits = digits[:len(digits)-decimals] + "." + digits[len(digits)-decimals:]
	}
	if a.Amount < 0 {
		digits = "-" + digits
	}
	return digits + " " + Clean(a.Currency)
}

// Currencies of ISO 4217 whose minor unit is not a hundredth.
const (
	noDecimals    = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
	threeDecimals = "BHD IQD JOD KWD LYD OMR TND"
)

// Total of the billed rows of a currency.
type Total struct {
	Currency Text   `json:"currency"` // null of rows whose currency is not known
	Amount   *int64 `json:"amount"`   // null if no row of the currency has a price
	Unknown  int    `json:"unknown"`  // billed rows without a price
}

func (t Total) sentence() string {
	var parts []string
	if t.Amount != nil {
		parts = append(parts, Amount{*t.Amount, string(t.Currency)}.String())
	}
	if t.Unknown > 0 {
		without := Count(t.Unknown, "row") + " without a price"
		if t.Amount == nil && t.Currency != "" {
			without += " in " + Clean(string(t.Currency))
		}
		parts = append(parts, without)
	}
	return strings.Join(parts, " and ")
}

// section has a title and lines.
type section struct {
	title string
	lines []string
}

// forecasts are the sections below the rows: what is needed of the allowance, and the price.
func (l *Listing) forecasts() (out []section) {
	allowance := section{title: "Allowance"}
	noQuota := false
	isKnown := false
	for _, n := range l.Allowance {
		isKnown = isKnown || n.AtLeast != nil || n.AtMost != nil
	}
	for _, n := range l.Allowance {
		if isKnown && !n.isNone() {
			allowance.lines = append(allowance.lines, n.sentence())
			noQuota = noQuota || n.Remaining == nil
		}
	}
	if len(l.Allowance) > 0 {
		switch {
		case !isKnown:
			allowance.lines = append(allowance.lines, "what the plan needs is not known")
		case len(allowance.lines) == 0:
			allowance.lines = append(allowance.lines, "nothing more is needed")
		}
		if codes := l.Allowance[0].NotLearned; len(codes) > 0 {
			allowance.lines = append(allowance.lines, "not learned: "+Clean(strings.Join(codes, ", ")))
		}
		if noQuota {
			allowance.lines = append(allowance.lines, "what is left is not known: the configuration has no data source reseller_quota")
		}
		if isKnown {
			allowance.lines = append(allowance.lines, "These are the numbers of the state when the plan was made.")
		}
		out = append(out, allowance)
	}
	if len(l.Price) > 0 {
		price := section{title: "Price for the billing period, by " + cmp.Or(l.PriceField, "price")}
		for _, t := range l.Price {
			price.lines = append(price.lines, t.sentence())
		}
		price.lines = append(price.lines, "These are the prices of the plan when it was made.")
		out = append(out, price)
	}
	return out
}
