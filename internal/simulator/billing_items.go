package simulator

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// maxItems is the limit of packages and of add-ons, including deactivated ones (§8).
const maxItems = 100

// maxPageSize is the limit of searches and of the points ledger (§8).
const maxPageSize = 100

// kind is what differs between packages and add-ons.
type kind struct {
	singular, plural, idField string
	unknown, full             string
	itemsOf                   func(*reseller) *[]*item
}

var (
	packages = &kind{
		singular: ItemPackage, plural: "packages", idField: "packageId", unknown: codePackageUnknown, full: codePackagesFull,
		itemsOf: func(r *reseller) *[]*item { return &r.Packages },
	}
	addons = &kind{
		singular: ItemAddon, plural: "addons", idField: "addonId", unknown: "ADDON_NOT_FOUND", full: codeAddonsFull,
		itemsOf: func(r *reseller) *[]*item { return &r.Addons },
	}
)

// paging is one requested page.
type paging struct{ page, size int }

// cut returns the page of rows, in their order.
func cut[T any](rows []T, p paging) []T {
	from := min((p.page-1)*p.size, len(rows))
	return append([]T{}, rows[from:min(from+p.size, len(rows))]...)
}

var (
	currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)
	camelCase    = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)
)

// fields are the fields of the body of a create or an update, as sent.
type fields map[string]json.RawMessage

func readFields(body []byte) (fields, *apiError) {
	var f fields
	if rejection := decodeStrict(body, &f); rejection != nil {
		return nil, rejection
	}
	for name := range f {
		if !camelCase.MatchString(name) {
			return nil, badRequest(name + " is not a valid field name: names must be camelCase.")
		}
	}
	return f, nil
}

// text reads a field that, if given, must be a text that is not blank.
func (f fields) text(name string) (value string, given bool, _ *apiError) {
	raw, given := f[name]
	if !given {
		return "", false, nil
	}
	delete(f, name)
	if json.Unmarshal(raw, &value) != nil || blank(value) || len([]rune(value)) > maxText {
		return "", true, badRequest(name + " must be a text that is not blank and not too long.")
	}
	return value, true, nil
}

// create implements POST /billing/packages and /billing/addons.
func (k *kind) create(s *Simulator, r *request) (any, *apiError) {
	f, rejection := readFields(r.body)
	if rejection != nil {
		return nil, rejection
	}
	i := &item{Active: true, Settings: map[string]json.RawMessage{}, CreatedAt: millis(r.now)}
	for name, into := range map[string]*string{"code": &i.Code, "name": &i.Name, "currency": &i.Currency} {
		value, given, rejection := f.text(name)
		if rejection != nil {
			return nil, rejection
		}
		if !given && (name != "currency" || k == packages) {
			return nil, badRequest(name + " is required.")
		}
		*into = value
	}
	if i.Currency != "" && !currencyCode.MatchString(i.Currency) {
		return nil, badRequest("currency must be a three-letter ISO code.")
	}
	if rejection := s.readSettings(i, f); rejection != nil {
		return nil, rejection
	}
	if rejection := k.add(s, r, i); rejection != nil {
		return nil, rejection
	}
	return s.forms.itemShape(k, i), nil
}

// add stores the code in uppercase (§2.1) and adds the item to the catalog.
func (k *kind) add(s *Simulator, r *request, i *item) *apiError {
	items := k.itemsOf(r.reseller)
	i.Code = strings.ToUpper(i.Code)
	switch {
	case slices.ContainsFunc(*items, func(o *item) bool { return o.Code == i.Code }):
		return bad("CODE_IN_USE", "The code "+i.Code+" is already in use.")
	case len(*items) >= maxItems:
		return bad(k.full, "There are 100 "+k.plural+" already.")
	}
	i.ID = s.store.data.newID(k.singular)
	*items = append(*items, i)
	s.book(Entry{Kind: EntryCodeCreated, Item: k.singular, Code: i.Code}, r.now)
	return nil
}

// readSettings reads the rest of a body: the active flag, included quantities, and every other field as sent; null
// removes a field.
func (s *Simulator) readSettings(i *item, f fields) *apiError {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		raw := f[name]
		switch {
		case slices.Contains(ownFields, name):
			return badRequest(name + " is read-only.")
		case name == s.forms.activeField():
			active, err := s.forms.readActive(raw)
			if err != nil {
				return badRequest(err.Error() + ".")
			}
			i.Active = active
			continue
		case slices.Contains(slices.Collect(maps.Values(activeFields)), name):
			return badRequest(name + " is not a known field.")
		case name == "included":
			if rejection := i.include(raw); rejection != nil {
				return rejection
			}
		}
		if string(raw) == "null" {
			delete(i.Settings, name)
			continue
		}
		if kept := s.forms.keptSetting(name, raw); kept != nil {
			i.Settings[name] = kept
		}
	}
	return nil
}

// keptSetting is what is stored of a field that the documentation does not name; nil for nothing.
func (f Forms) keptSetting(name string, raw json.RawMessage) json.RawMessage {
	var n json.Number
	switch {
	case name == "included":
	case f.isForm("settings", "dropped"):
		return nil
	case f.isForm("settings", "text") && raw[0] != '"' && json.Unmarshal(raw, &n) == nil:
		return jsonOf(n.String())
	}
	return raw
}

// include reads quantities of the four items; an omitted one is 0.
func (i *item) include(raw json.RawMessage) *apiError {
	var q quantities
	if rejection := decodeStrict(raw, &q); rejection != nil {
		return rejection
	}
	for _, code := range itemCodes {
		if q.get(code) < 0 {
			return badRequest("included." + code + " must not be negative.")
		}
	}
	i.Included = q
	return nil
}

// search pages through the items in order of creation.
func (k *kind) search(s *Simulator, r *request) (any, *apiError) {
	var body struct {
		Query    *string `json:"query"`
		Page     *int    `json:"page"`
		PageSize *int    `json:"pageSize"`
	}
	if rejection := decodeStrict(r.body, &body); rejection != nil {
		return nil, rejection
	}
	if body.Query == nil || body.Page == nil || body.PageSize == nil {
		return nil, badRequest("query, page and pageSize are required.")
	}
	p := paging{*body.Page, *body.PageSize}
	if p.page < 1 || p.size < 1 || p.size > maxPageSize {
		return nil, badRequest("page must be at least 1, and pageSize 1 to 100.")
	}
	query := strings.ToLower(*body.Query)
	found := []*item{}
	for _, i := range *k.itemsOf(r.reseller) {
		if !i.Active && s.forms.isForm("search-inactive", "hidden") {
			continue
		}
		if strings.Contains(strings.ToLower(i.Code), query) || strings.Contains(strings.ToLower(i.Name), query) {
			found = append(found, i)
		}
	}
	rows := []map[string]any{}
	for _, i := range cut(found, p) {
		rows = append(rows, s.forms.rowShape(k, i))
	}
	return s.forms.rowsShape(k.plural, rows, len(found), p), nil
}

// get reads one item.
func (k *kind) get(s *Simulator, r *request) (any, *apiError) {
	if r.method == http.MethodGet {
		return k.shapeOf(s, r, r.query.Get(k.idField))
	}
	f, rejection := readFields(r.body)
	if rejection != nil {
		return nil, rejection
	}
	id, _, rejection := f.text(k.idField)
	if rejection != nil {
		return nil, rejection
	}
	if len(f) > 0 {
		return nil, badRequest("Only " + k.idField + " is allowed.")
	}
	return k.shapeOf(s, r, id)
}

func (k *kind) shapeOf(s *Simulator, r *request, id string) (any, *apiError) {
	i, rejection := s.findItem(k, r.reseller, id)
	if rejection != nil {
		return nil, rejection
	}
	return s.forms.itemShape(k, i), nil
}

func (s *Simulator) findItem(k *kind, r *reseller, id string) (*item, *apiError) {
	if id == "" {
		return nil, badRequest(k.idField + " is required.")
	}
	if i := find(*k.itemsOf(r), id); i != nil {
		return i, nil
	}
	unknown := bad(k.unknown, "No "+k.singular+" has this id.")
	if k == packages && s.forms.isForm("unknown-package", "invalid-request") {
		unknown = badRequest(unknown.message)
	}
	return nil, unknown
}

// update changes name, active flag and settings, never code or currency. Omitted fields stay unchanged.
func (k *kind) update(s *Simulator, r *request) (any, *apiError) {
	f, rejection := readFields(r.body)
	if rejection != nil {
		return nil, rejection
	}
	id, _, rejection := f.text(k.idField)
	if rejection != nil {
		return nil, rejection
	}
	i, rejection := s.findItem(k, r.reseller, id)
	if rejection != nil {
		return nil, rejection
	}
	next := *i
	if rejection := s.withoutOwnFields(k, i, f); rejection != nil {
		return nil, rejection
	}
	if s.forms.isForm("update-omitted", "removed") {
		next.Settings = map[string]json.RawMessage{}
		next.Included = quantities{}
	} else {
		next.Settings = withRoom(i.Settings)
	}
	if s.forms.isForm("update-nested", "merged") {
		f.mergeInto(s.forms.itemShape(k, i))
	}
	if rejection := s.apply(&next, f); rejection != nil {
		return nil, rejection
	}
	s.bookUpdate(k, i, &next, r.now)
	*i = next
	return s.forms.itemShape(k, i), nil
}

// withRoom returns a copy to write to; items may have no settings.
func withRoom(settings map[string]json.RawMessage) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	maps.Copy(out, settings)
	return out
}

// withoutOwnFields removes from an update what cannot change and has its present value.
func (s *Simulator) withoutOwnFields(k *kind, i *item, f fields) *apiError {
	present := s.forms.itemShape(k, i)
	if nested, isNested := present[k.singular].(map[string]any); isNested {
		present = nested
	}
	for _, name := range slices.Concat([]string{"code", "currency"}, ownFields) {
		sent, given := f[name]
		value, shown := present[name]
		delete(f, name)
		switch {
		case !given:
		case !s.forms.isForm("update-whole", "accepted"):
			return s.forms.wholeRejected(name)
		case !shown || !strings.EqualFold(string(sent), string(jsonOf(value))):
			return badRequest(name + " cannot be changed.")
		}
	}
	return nil
}

// wholeRejected rejects an update that has a field that cannot change.
func (f Forms) wholeRejected(name string) *apiError {
	message := name + " cannot be changed."
	switch f.formOf("update-whole") {
	case "invalid-data":
		return bad("INVALID_DATA", message)
	case "code-in-use":
		return bad("CODE_IN_USE", message)
	case "conflict":
		return reject(http.StatusConflict, "CODE_IN_USE", message)
	case "unprocessable":
		return reject(http.StatusUnprocessableEntity, "INVALID_DATA", message)
	default:
		return badRequest(message)
	}
}

// jsonOf encodes what was decoded or has the shape of a response.
func jsonOf(value any) json.RawMessage {
	return bytes.TrimSpace(jsonAnswer(http.StatusOK, value).body)
}

// mergeInto completes nested objects with the fields that the stored ones have in addition.
func (f fields) mergeInto(stored map[string]any) {
	for name, sent := range f {
		var next, before map[string]json.RawMessage
		if json.Unmarshal(sent, &next) != nil || json.Unmarshal(jsonOf(stored[name]), &before) != nil || next == nil || before == nil {
			continue
		}
		maps.Copy(before, next)
		f[name] = jsonOf(before)
	}
}

// apply writes the fields of an update.
func (s *Simulator) apply(i *item, f fields) *apiError {
	name, given, rejection := f.text("name")
	if rejection != nil {
		return rejection
	}
	if given {
		i.Name = name
	} else if s.forms.isForm("update-omitted", "removed") {
		return badRequest("name is required.")
	}
	return s.readSettings(i, f)
}
