package check

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
)

// look keeps the places of a response that differ from the API documentation, by kind of difference. It does no harm:
// what the client needs and does not find is the client's error.
type look map[string][]string

// Kinds of differences, with the reason why they do no harm.
const (
	differsMore    = "fields that are not documented, which the provider ignores"
	differsLess    = "fields that are missing, which the provider does not need"
	differsNull    = "null, which the provider reads as empty or not known"
	differsSpelled = "fields in a different spelling, which the provider reads"
	differsID      = "IDs that do not have 32 lowercase hex characters"
	differsType    = "values of a different type, which the provider reads as the number that they spell, or as unknown"
	differsTime    = "times that are not milliseconds, which state shows as a different time or as null"
	differsHeader  = "headers other than documented, which the provider does not need"
)

func (l look) note(kind, place string) {
	if !slices.Contains(l[kind], place) {
		l[kind] = append(l[kind], place)
	}
}

// notes are the differences, a line for each kind.
func (l look) notes() (out []string) {
	for _, kind := range sorted(l) {
		out = append(out, kind+": "+strings.Join(l[kind], ", "))
	}
	return out
}

// compare compares a response that the client could read with the documentation: with what the client's types make of it.
func (c *check) compare(e *endpoint, resp *Response, l look) {
	if media := mediaOf(resp); media != "application/json" {
		l.note(differsHeader, "Content-Type "+strings.TrimSpace(media+" "+map[bool]string{true: "missing"}[media == ""]))
	}
	headers := map[string][]string{apiReseller: {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}}[e.api] // §8
	data := resp.Body
	if e == endpoints[0] { // the token exchange has no envelope (§4.1, §7.3)
		headers = []string{"X-Request-Id"}
	} else {
		envelope := anyjson.ReadObject(resp.Body)
		data = envelope["data"]
		for _, name := range sorted(envelope) {
			if name != "status" && name != "data" && name != "error" {
				l.note(differsMore, shown(name)+" beside data")
			}
		}
		if envelope["status"] == nil {
			l.note(differsLess, "status beside data")
		}
	}
	for _, name := range headers {
		if resp.Header[name] == "" {
			l.note(differsHeader, name+" missing")
		}
	}
	if e.shown != nil {
		c.value(l, "", plain(data), documented(reflect.ValueOf(e.shown(data))))
	}
}

// idForm is the form of IDs (Reseller API §2.1).
var idForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// nullable are the fields that the API documentation gives null, and optional is the one that a response may lack.
var nullable = []string{
	"customDomain", "adminEmail", "assignedPackage", "suspendedAt", "suspendedBy", "suspendReason", "owner", "assignment", optional, "slug",
	"lastUsedAt", "revokedAt",
}

const optional = "note"

// documented returns what the client's type made of a response, with all fields of the type, as JSON is decoded.
func documented(v reflect.Value) any {
	switch {
	case !v.IsValid():
		return nil
	case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
		return documented(v.Elem())
	}
	if object, ok := reflect.TypeAssert[interface{ Object() any }](v); ok {
		return documented(reflect.ValueOf(object.Object()))
	}
	_, isEncoded := reflect.TypeAssert[json.Marshaler](v)
	switch {
	case v.Kind() == reflect.Struct && !isEncoded:
		fields := map[string]any{}
		for _, field := range reflect.VisibleFields(v.Type()) {
			if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && name != "-" {
				fields[name] = documented(v.FieldByIndex(field.Index))
			}
		}
		return fields
	case v.Kind() == reflect.Slice && !isEncoded:
		rows := make([]any, v.Len())
		for i := range rows {
			rows[i] = documented(v.Index(i))
		}
		return rows
	default:
		return plain(encoded(v.Interface()))
	}
}

// value compares a value with what the client's type makes of it, which has all documented fields.
func (c *check) value(l look, at string, value, documented any) {
	const firstMillis, lastMillis = 1e11, 1e14 // the years 1973 to 5138; seconds are smaller and microseconds larger
	if value != nil && reflect.TypeOf(value) != reflect.TypeOf(documented) {
		l.note(differsType, at)
		return
	}
	switch v := value.(type) {
	case nil:
		if name := at[strings.LastIndex(at, ".")+1:]; documented != nil || !slices.Contains(nullable, name) {
			l.note(differsNull, at)
		}
	case map[string]any:
		if fields, isObject := documented.(map[string]any); isObject {
			c.object(l, at, v, fields)
		}
	case []any:
		elements, _ := documented.([]any)
		for i := range min(len(v), len(elements)) {
			c.value(l, at+"[]", v[i], elements[i])
		}
	case string:
		if strings.HasSuffix(strings.ToLower(at), "id") && !idForm.MatchString(v) {
			l.note(differsID, at)
		}
	case float64:
		if strings.HasSuffix(at, "At") && (v < firstMillis || v > lastMillis) {
			l.note(differsTime, at)
		}
	}
}

func (c *check) object(l look, at string, fields, documented map[string]any) {
	read := map[string]bool{}
	for _, name := range sorted(documented) {
		place := strings.TrimPrefix(at+"."+name, ".")
		c.fields[name] = true
		as := name
		for _, other := range sorted(fields) {
			if _, exact := fields[name]; !exact && strings.EqualFold(other, name) { // as encoding/json reads it
				as = other
				l.note(differsSpelled, place+" as "+other)
			}
		}
		read[as] = true
		if value, found := fields[as]; found {
			c.value(l, place, value, documented[name])
		} else if name != optional {
			l.note(differsLess, place)
		}
	}
	for _, name := range sorted(fields) {
		if !read[name] && fields[name] != nil {
			l.note(differsMore, strings.TrimPrefix(at+"."+shown(name), "."))
		}
	}
}

// mediaOf returns the media type of a response.
func mediaOf(resp *Response) string {
	media, _, _ := strings.Cut(resp.Header["Content-Type"], ";")
	for _, word := range tokens.FindAllString(media, -1) {
		if !mediaWords[lower(word)] {
			return "a Content-Type of its own"
		}
	}
	return strings.TrimSpace(media)
}

// shown returns the name of a field, or a star for a key that is data.
func shown(name string) string {
	if fieldName.MatchString(name) {
		return name
	}
	return "*"
}

// encoded is the JSON of what was decoded from JSON.
func encoded(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return raw
}

func plain(raw json.RawMessage) (v any) {
	_ = json.Unmarshal(raw, &v) // it is part of JSON
	return v
}

func sorted[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
