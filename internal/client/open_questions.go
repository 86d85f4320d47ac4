package client

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/forms"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// This file sends and reads what the API documentation leaves open, in the forms that the package forms lists. Where its
// reading ends, an error names what is missing.

// findForm tries the forms of a request to an endpoint in order until one responds. The form that works is used from then
// on.
func (c *Client) findForm(endpoint string, known []forms.Form, try func(forms.Form) error) (err error) {
	for _, f := range c.tried(endpoint, known) {
		err = try(f)
		if NoSuchEndpoint(err) {
			continue
		}
		// Success and the endpoint's own errors show that it exists. A failed connection shows nothing.
		e, answered := errors.AsType[*transport.Error](err)
		if err == nil || answered && e.Code != "" && e.Status < http.StatusInternalServerError {
			c.worked.Store(endpoint, f)
		}
		return err
	}
	return err
}

// tried returns the form that has worked, or all that are known.
func (c *Client) tried(endpoint string, known []forms.Form) []forms.Form {
	worked, _ := c.worked.Load(endpoint)
	if f, found := worked.(forms.Form); found {
		return []forms.Form{f}
	}
	return known
}

// codeForm is the form of the API's error codes.
var codeForm = regexp.MustCompile(`^[A-Z][A-Z0-9_]+$`)

// NoSuchEndpoint reports whether err shows that no endpoint has this method and path (§7.1), so that the call had no
// effect: 405, 404 NOT_FOUND, or the 404 of a router, which has a page or JSON of another form. NOT_FOUND with 400 is the
// endpoint's own error, as in §4.6.
func NoSuchEndpoint(err error) bool {
	e, answered := errors.AsType[*transport.Error](err)
	switch {
	case !answered:
		return false
	case e.Status == http.StatusNotFound:
		return e.Code == CodeNotFound || !codeForm.MatchString(e.Code)
	default:
		return e.Status == http.StatusMethodNotAllowed
	}
}

// §4.21: the shapes of responses.

// anyShape returns the data of a response as it is.
func anyShape(data json.RawMessage) (json.RawMessage, error) {
	if data == nil {
		return nil, errNotFound("data")
	}
	return data, nil
}

// idOf returns the first field with the form of an ID.
func idOf(o anyjson.Object, names ...string) string {
	for _, name := range names {
		if id := o.Text(name); idForm.MatchString(id) {
			return id
		}
	}
	return ""
}

// §4.21: the rows of a search and of the points ledger.

// page is one page of rows.
type page[T any] struct {
	rows  []T
	total int // -1 if the response has none
}

// pageOf reads a page whose rows are in one of the named fields, the most probable first.
func pageOf[T any](read func(row json.RawMessage) (T, error), names ...string) func(data json.RawMessage) (page[T], error) {
	return func(data json.RawMessage) (page[T], error) {
		const maxDepth = 3 // objects around the rows
		found, err := findRows(data, maxDepth, slices.Concat(names, forms.Rows.Names()))
		if err != nil {
			return page[T]{}, err
		}
		out := page[T]{total: found.total}
		for _, raw := range found.rows {
			row, err := read(raw)
			if err != nil {
				return page[T]{}, err
			}
			out.rows = append(out.rows, row)
		}
		return out, nil
	}
}

// findRows returns the rows in the first of the named fields that has any, else those in the only field that has. If the
// first name exists without rows, they are not searched in other fields: all objects would look deleted. Rows that are null
// are none, and so are those that an object with a total of 0 lacks.
func findRows(data json.RawMessage, depth int, names []string) (page[json.RawMessage], error) {
	out := page[json.RawMessage]{total: -1}
	if json.Unmarshal(data, &out.rows) == nil && out.rows != nil {
		return out, nil
	}
	fields := anyjson.ReadObject(data)
	if fields == nil || depth == 0 {
		return out, errNotFound("rows")
	}
	var total anyjson.Count
	if fields["total"] != nil && json.Unmarshal(fields["total"], &total) == nil {
		out.total = int(total)
	}
	isEmpty := out.total == 0
	for i, name := range names {
		value, ok := fields[name]
		switch isNull := string(value) == "null"; {
		case isNull && i == 0:
			return out, nil
		case isNull:
			isEmpty = true
		case ok && !anyjson.IsScalar(value):
			inner, err := findRows(value, depth-1, names)
			if err == nil || i == 0 {
				return page[json.RawMessage]{inner.rows, max(out.total, inner.total)}, err
			}
		}
	}
	found, err := findOnlyRows(fields, depth, names, out)
	if errors.Is(err, errNoRows) && isEmpty {
		return out, nil
	}
	return found, err
}

var errNoRows = errNotFound("rows")

// findOnlyRows returns the rows of the only array of an object, else of the only one below it.
func findOnlyRows(fields anyjson.Object, depth int, names []string, out page[json.RawMessage]) (page[json.RawMessage], error) {
	for _, levels := range []int{1, depth} {
		found := 0
		for _, value := range fields {
			if inner, err := findRows(value, min(levels, depth)-1, names); err == nil {
				out = page[json.RawMessage]{inner.rows, max(out.total, inner.total)}
				found++
			}
		}
		if found > 1 {
			return out, fmt.Errorf("the response has %d arrays where one of rows was expected", found)
		}
		if found == 1 {
			return out, nil
		}
	}
	return out, errNoRows
}

const (
	pageSize = 100 // maximum of §8
	maxPages = 200 // a search that does not end is a defect of the API
)

// readPages returns the rows of all pages, at most limit, and their total, -1 if the API does not return it. Rows that
// are written meanwhile can appear on two pages (§8), so that each ID is returned once; a row without an ID is always
// new. A short page is the last one unless the total is larger: the API may return fewer rows than requested.
func readPages[T any](
	op string, limit int, id func(*T) string, next func(number int) (page[T], error),
) (rows []T, total int, err error) {
	seen := map[string]bool{}
	read := 0
	for number := 1; number <= maxPages && len(rows) < limit; number++ {
		p, err := next(number)
		switch {
		case err != nil:
			return nil, 0, err
		case number == 1 && len(p.rows) == 0 && p.total > 0:
			return nil, 0, transport.Unreadable(op, http.StatusOK, errNotFound(fmt.Sprintf("rows of %d", p.total)).Error())
		}
		before := len(rows)
		for i := range p.rows {
			if name := id(&p.rows[i]); !seen[name] && len(rows) < limit {
				seen[name] = name != ""
				rows = append(rows, p.rows[i])
			}
		}
		read += len(p.rows)
		total = p.total
		isLast := total >= 0 && read >= total || total < 0 && len(p.rows) < pageSize
		if isLast || len(rows) == before {
			break
		}
	}
	return rows, total, nil
}

// readLedgerRow reads the ID of a row as a text or a number.
func readLedgerRow(raw json.RawMessage) (LedgerRow, error) {
	row := anyjson.ReadObject(raw)
	if row == nil {
		return LedgerRow{}, errNotFound("row")
	}
	return LedgerRow{ID: row.Text("id"), ItemCode: row.Text("itemCode"), Raw: raw}, nil
}

// §2.11, §4.21: the fields of a package and of an add-on.

// readItem decodes a package or an add-on: the object with an ID and a code, else the one with the kind's own ID, else
// the one with any ID, at the top or one level below. An object in the field of the kind takes precedence.
func (k Kind) readItem(raw json.RawMessage) (Item, error) {
	top := anyjson.ReadObject(raw)
	candidates := []anyjson.Object{top}
	for _, name := range append([]string{strings.TrimSuffix(k.id, "Id")}, slices.Sorted(maps.Keys(top))...) {
		if nested := anyjson.ReadObject(top[name]); nested != nil {
			candidates = append(candidates, nested)
		}
	}
	for _, hasItem := range []func(anyjson.Object) bool{
		func(o anyjson.Object) bool { return k.idIn(o) != "" && o["code"] != nil },
		func(o anyjson.Object) bool { return idOf(o, k.id) != "" },
		func(o anyjson.Object) bool { return k.idIn(o) != "" },
	} {
		if at := slices.IndexFunc(candidates, hasItem); at >= 0 {
			return k.itemOf(candidates[at]), nil
		}
	}
	return Item{}, errNotFound(k.id)
}

func (k Kind) itemOf(fields anyjson.Object) Item {
	item := Item{
		ID: k.idIn(fields), Code: fields.Text("code"), Name: fields.Text("name"), Currency: fields.Text("currency"),
		Settings: map[string]json.RawMessage{},
	}
	item.Active, item.activeAs = activeIn(fields)
	known := append([]string{k.id, "code", "name", "currency"}, slices.Concat(forms.ItemID.Names(), forms.ActiveFlag.Names())...)
	_, isFlag := statusIn(fields)
	for name, value := range fields {
		if !slices.Contains(known, name) || name == statusFlag && !isFlag {
			item.Settings[name] = value
		}
	}
	return item
}

// idIn returns the ID of an item.
func (k Kind) idIn(fields anyjson.Object) string {
	return idOf(fields, append([]string{k.id}, forms.ItemID.Names()...)...)
}

// statusFlag is the one active flag that is a word.
var statusFlag = forms.ActiveFlag.Form("status").Names[0]

// activeIn reads the active flag by any of its names, a boolean first. name is "" if there is none.
func activeIn(o anyjson.Object) (active bool, name string) {
	for _, name := range forms.ActiveFlag.Names() {
		if flag := string(o[name]); name != statusFlag && (flag == "true" || flag == "false") {
			return flag == "true", name
		}
	}
	if active, known := statusIn(o); known {
		return active, statusFlag
	}
	return true, ""
}

// statusIn reads a word of `status` as the active flag.
func statusIn(o anyjson.Object) (active, known bool) {
	word := forms.ActiveWord.With(strings.ToLower(o.Text(statusFlag)))
	return word == "active", word != ""
}

// activeField returns the active flag as the item has it.
func (i Item) activeField(active bool) (name string, value any) {
	if i.activeAs == statusFlag {
		return statusFlag, map[bool]string{true: "Active", false: "Inactive"}[active]
	}
	return cmp.Or(i.activeAs, forms.ActiveFlag.Names()[0]), active
}

// §4.21: the response to reading a label's package.

const missingLabel = "assignment of the private label that was asked for"

// readAssignment reads the assignment of §2.4, which may be the response itself or its `assignment` or `package`; nil
// for none. A field that is missing is an error: the detail of the private label
// has it.
func readAssignment(labelID string) func(data json.RawMessage) (*Assignment, error) {
	return func(data json.RawMessage) (*Assignment, error) {
		top := anyjson.ReadObject(data)
		raw := data
		var inner json.RawMessage
		for _, name := range forms.AssignmentRead.Names() {
			if value, ok := top[name]; ok {
				inner = value
				break
			}
		}
		if inner != nil && anyjson.IsNothing(top["packageId"]) {
			raw = inner
		}
		fields := anyjson.ReadObject(raw)
		for _, o := range []anyjson.Object{top, fields} {
			if label := o.Text("tenantId"); label != "" && label != labelID {
				return nil, errNotFound(missingLabel)
			}
		}
		switch {
		case anyjson.IsNothing(raw):
			return nil, nil //nolint:nilnil // absence is a result here
		case fields == nil:
			return nil, errNotFound("assignment")
		}
		found, err := whole[Assignment](raw)
		if err != nil {
			return nil, err
		}
		found.ID = fields.Text(forms.AssignmentID.Names()...)
		if missing := missingField(reflect.ValueOf(found), needStep, needShown); missing != "" {
			return nil, errNotFound(missing)
		}
		return found, nil
	}
}

// §2.7: warnings, which decide about money, are read in any shape.

// readWarnings returns a warning for each element of a list, of any shape, and none for anything but a list.
func readWarnings(raw json.RawMessage) []Warning {
	var elements []json.RawMessage
	_ = json.Unmarshal(raw, &elements)
	var out []Warning
	for _, element := range elements {
		fields := anyjson.ReadObject(element)
		w := Warning{Requested: amountIn(fields, "requested"), Remaining: amountIn(fields, "remaining"), Excess: amountIn(fields, "excess")}
		if json.Unmarshal(fields["itemCode"], &w.ItemCode) != nil {
			w.ItemCode = ""
		}
		out = append(out, w)
	}
	return out
}

// amountIn returns nil for anything but a number that a float64 can hold.
func amountIn(o anyjson.Object, name string) *float64 {
	var n *float64
	if json.Unmarshal(o[name], &n) != nil {
		return nil
	}
	return n
}
