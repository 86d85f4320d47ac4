package simulator

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// figureFields are those of the question figure-fields, each by its name or by the names of its object and itself.
var figureFields = []string{
	"metrics", "memberCount", "templateQuota.total",
	"ownerTrustScore", "trustScore", "verifyIdCheck", "verifyGovId", "verifyMobilePhone", "verifyPayment", "verifyWallet",
}

// nullableObjects are null to say that there is none, in every form.
var nullableObjects = []string{"assignment", "assignedPackage", "owner", "package"}

// statusWords are the values of `status` that the documentation writes with a capital letter.
var statusWords = []string{statusActive, statusSuspended, statusInactive}

// shaper writes the data of a response as the questions about every response say.
type shaper struct {
	forms   Forms
	textual bool // numbers are texts
}

// shaped is the data of a route's response.
func (f Forms) shaped(r *route, data any) any {
	s := shaper{forms: f, textual: f.isForm("label-figures", "text") && (r.read == readList || r.read == readDetail)}
	terse := !f.isForm("empty-arrays", "array") || f.isForm("null-fields", "omitted") || !f.isForm("figure-fields", "shown") || f.isForm("status-case", "lower")
	lacksAddons := r.read == readDetail && !f.isForm("detail-addons", "shown")
	if !s.textual && !terse && !lacksAddons {
		return data
	}
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(jsonOf(data)))
	decoder.UseNumber()
	if decoder.Decode(&tree) != nil {
		return data
	}
	if lacksAddons {
		f.cutAddons(tree)
	}
	return s.value("", tree)
}

// cutAddons removes from a detail what it does not have of add-ons.
func (f Forms) cutAddons(tree any) {
	detail, _ := tree.(map[string]any)
	assigned, _ := detail["assignment"].(map[string]any)
	rows, _ := assigned["addons"].([]any)
	if f.isForm("detail-addons", "omitted") {
		delete(assigned, "addons")
		return
	}
	name := "quantity"
	if f.isForm("detail-addons", "no-code") {
		name = "code"
	}
	for _, row := range rows {
		fields, _ := row.(map[string]any)
		delete(fields, name)
	}
}

func (s shaper) value(name string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		s.object(name, v)
	case []any:
		if len(v) == 0 && s.forms.isForm("empty-arrays", "null") {
			return nil
		}
		for i := range v {
			v[i] = s.value(name, v[i])
		}
	case json.Number:
		if s.textual {
			return v.String()
		}
	case string:
		if name == "status" && s.forms.isForm("status-case", "lower") && slices.Contains(statusWords, v) {
			return strings.ToLower(v)
		}
	}
	return value
}

// object rewrites the fields of an object, whose own name may be empty.
func (s shaper) object(of string, fields map[string]any) {
	omitsArrays := s.forms.isForm("empty-arrays", "omitted") && (isZero(fields["total"]) || isZero(fields["provisionedCount"]))
	for name, value := range fields {
		list, isList := value.([]any)
		isFigure := slices.Contains(figureFields, name) || slices.Contains(figureFields, of+"."+name)
		switch {
		case isFigure && s.forms.isForm("figure-fields", "omitted"),
			isList && len(list) == 0 && omitsArrays,
			value == nil && s.forms.isForm("null-fields", "omitted") && !slices.Contains(nullableObjects, name):
			delete(fields, name)
		case isFigure && s.forms.isForm("figure-fields", "null"):
			fields[name] = nil
		default:
			fields[name] = s.value(name, value)
		}
	}
}

func isZero(value any) bool {
	n, isNumber := value.(json.Number)
	return isNumber && n.String() == "0"
}
