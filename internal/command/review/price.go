package review

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/listing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// catalogEntry is an item of the catalog as the plan leaves it.
type catalogEntry struct {
	currency string
	settings map[string]any // nil if they are sensitive or known after apply
	planned  bool           // not only of the state before the plan
}

// noteItem keeps an item of the catalog, of a resource or a data source.
func (p *plan) noteItem(typ string, values, marks, unknown any, planned bool) {
	settings := fieldsOf(fieldsOf(values)["settings"])
	if isMarked(marks, "settings") || anyTrue(fieldsOf(unknown)["settings"]) {
		settings = nil
	}
	of := itemAt(typ, values)
	p.catalog[of] = append(p.catalog[of], catalogEntry{textOf(values, "currency"), settings, planned})
}

// priceOf returns the price of an item, nil if the plan does not show it or shows more than one.
func (r *reviewer) priceOf(of item) (currency string, price any) {
	entries := r.plan.catalog[of]
	if len(entries) == 0 {
		of.reseller = "" // a data source does not show it
		entries = r.plan.catalog[of]
	}
	if planned := slices.DeleteFunc(slices.Clone(entries), func(e catalogEntry) bool { return !e.planned }); len(planned) > 0 {
		entries = planned
	}
	for i, e := range entries {
		if i > 0 && (e.currency != currency || fmt.Sprint(e.settings[r.priceField]) != fmt.Sprint(price)) {
			return "", nil
		}
		currency, price = e.currency, e.settings[r.priceField]
	}
	return currency, price
}

// prices puts an amount on each billed row, and sums them by currency. What was billed before and stays billed has none.
func (r *reviewer) prices() ([]listing.Total, error) {
	totals := map[string]*listing.Total{}
	sums := map[string]*big.Int{}
	for i := range r.reviewed {
		e := &r.reviewed[i]
		if r.priceField == "" || e.Kind != effect.Billed {
			continue
		}
		of := r.itemOf(*e)
		currency, price := r.priceOf(of)
		if totals[currency] == nil {
			totals[currency] = &listing.Total{Currency: listing.Text(currency)}
			sums[currency] = new(big.Int)
		}
		amount, err := minorUnits(price, e.quantity())
		if err != nil {
			return nil, inputError(fmt.Sprintf("%s of %s %s.", listing.Clean(r.priceField), listing.Clean(cmp.Or(of.code, e.row.Subject)), listing.Clean(err.Error())))
		}
		if amount == nil || currency == "" || !e.Allocates {
			totals[currency].Unknown++
			e.row.Unpriced = e.Allocates
			continue
		}
		sum := sums[currency].Add(sums[currency], amount)
		if sum.CmpAbs(maxAmount) > 0 {
			return nil, inputError(fmt.Sprintf("The total in %s is beyond 2^53 minor units.", listing.Clean(currency)))
		}
		total := sum.Int64()
		totals[currency].Amount = &total
		e.row.Price = &listing.Amount{Amount: amount.Int64(), Currency: currency}
	}
	var out []listing.Total
	for _, currency := range slices.Sorted(maps.Keys(totals)) {
		out = append(out, *totals[currency])
	}
	return out, nil
}

// maxAmount is the largest number that every program reads from JSON without loss.
var maxAmount = new(big.Int).Lsh(big.NewInt(1), 53)

const pricePrecision = 256 // bits: any number of that many is exact

// minorUnits is a price times a quantity; nil if either is unknown. A number as text is a number: the API may keep settings
// as texts.
func minorUnits(price any, quantity *float64) (*big.Int, error) {
	var text string
	switch price := price.(type) {
	case nil:
		return nil, nil
	case json.Number:
		text = price.String()
	case string:
		text = strings.TrimSpace(price)
	default:
		return nil, errors.New("is not a number")
	}
	each, _, err := big.ParseFloat(text, 10, pricePrecision, big.ToNearestEven)
	switch {
	case err != nil || !json.Valid([]byte(text)):
		return nil, fmt.Errorf("is %q, which is not a number", text)
	case !each.IsInt():
		return nil, fmt.Errorf("is %s, which is not a whole number of minor units", text)
	case quantity == nil:
		return nil, nil
	}
	amount, accuracy := each.Mul(each, big.NewFloat(*quantity)).Int(nil)
	if accuracy != big.Exact || amount.CmpAbs(maxAmount) > 0 {
		return nil, fmt.Errorf("is %s, so that the amount is beyond 2^53 minor units or not a whole number of them", text)
	}
	return amount, nil
}
