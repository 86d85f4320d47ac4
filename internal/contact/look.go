package contact

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// look compares responses strictly with the types that the client reads them into, and keeps places by kind of
// difference. What it finds does no harm: what the client needs and does not find is the client's error.
type look map[string][]string

// Kinds of differences, with the reason why they do no harm.
const (
	differsMore    = "fields that are not documented, which the provider ignores"
	differsLess    = "fields that are missing, which the provider does not need"
	differsNull    = "null, which the provider reads as empty"
	differsSpelled = "fields in another spelling, which the provider reads"
	differsType    = "values of another type than documented"
	differsID      = "IDs that do not have 32 lowercase hex characters"
	differsTime    = "times that are not milliseconds, which state shows as another time or as null"
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

// response compares a response with the documentation, and returns its data.
func (l look) response(e *endpoint, resp *Response) json.RawMessage {
	if media := mediaOf(resp); media != "application/json" {
		l.note(differsHeader, "Content-Type "+strings.TrimSpace(media+" "+map[bool]string{true: "missing"}[media == ""]))
	}
	for _, name := range documentedHeaders(e) {
		if resp.Header[name] == "" {
			l.note(differsHeader, name+" missing")
		}
	}
	data := resp.Body
	if e != exchange {
		envelope := client.ReadObject(resp.Body)
		data = envelope["data"]
		for _, name := range sorted(envelope) {
			if name != "status" && name != "data" && (name != "error" || string(envelope[name]) != "null") {
				l.note(differsMore, shown(name)+" beside data")
			}
		}
		if envelope["status"] == nil {
			l.note(differsLess, "status beside data")
		}
	}
	value := plain(data)
	if e.rows != "" {
		wrapper, _ := value.(map[string]any)
		value = wrapper[e.rows]
		for _, other := range sorted(wrapper) {
			if other != e.rows {
				l.note(differsMore, shown(other))
			}
		}
	}
	if e.shape != nil && value != nil {
		l.value(e.rows, e.shape, value)
	}
	return data
}

// documentedHeaders are those of a response besides its type (Reseller API §4.1, §8).
func documentedHeaders(e *endpoint) []string {
	switch {
	case e == exchange:
		return []string{"X-Request-Id"}
	case e.api == apiReseller:
		return []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}
	}
	return nil
}

// mediaOf returns the media type of a response.
func mediaOf(resp *Response) string {
	media, _, _ := strings.Cut(resp.Header["Content-Type"], ";")
	if !mediaType.MatchString(media) {
		return ""
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

// value compares a value with a type.
func (l look) value(at string, t reflect.Type, value any) {
	isNullable := t.Kind() == reflect.Pointer
	if isNullable {
		t = t.Elem()
	}
	const firstMillis, lastMillis = 1e11, 1e14 // the years 1973 to 5138; seconds are smaller and microseconds larger
	is, want := kindOf(value), wantedKind(t)
	switch v := value.(type) {
	case nil:
		if !isNullable && want != "" {
			l.note(differsNull, at)
		}
	case map[string]any:
		if want == is {
			l.object(at, t, v)
			return
		}
	case []any:
		for _, element := range v {
			if want == is {
				l.value(at+"[]", t.Elem(), element)
			}
		}
	case string:
		if want == is && strings.HasSuffix(strings.ToLower(at), "id") && !idForm.MatchString(v) {
			l.note(differsID, at)
		}
	case float64:
		if t == reflect.TypeFor[client.Millis]() && (v < firstMillis || v > lastMillis) {
			l.note(differsTime, at)
		}
	}
	if want != "" && value != nil && is != want {
		l.note(differsType, at+" is a "+is+", not a "+want)
	}
}

func (l look) object(at string, t reflect.Type, fields map[string]any) {
	read := map[string]bool{}
	for _, f := range jsonFields(t) {
		place, name := strings.TrimPrefix(at+"."+f.name, "."), f.name
		for _, other := range sorted(fields) {
			if _, has := fields[name]; !has && strings.EqualFold(other, name) { // as encoding/json reads it
				name = other
				l.note(differsSpelled, place+" as "+other)
			}
		}
		read[name] = true
		if value, has := fields[name]; has {
			l.value(place, f.of, value)
		} else if !f.optional {
			l.note(differsLess, place)
		}
	}
	for _, name := range sorted(fields) {
		if !read[name] {
			l.note(differsMore, strings.TrimPrefix(at+"."+shown(name), "."))
		}
	}
}

// kindOf returns the kind of a JSON value.
func kindOf(value any) string {
	switch value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "list"
	case string:
		return "text"
	case bool:
		return "boolean"
	case nil:
		return "null"
	}
	return "number"
}

// wantedKind returns the kind of JSON that a type is read from, "" for any.
func wantedKind(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[client.Scalar](), t == reflect.TypeFor[json.RawMessage](), t.Kind() == reflect.Interface:
		return ""
	case t.Kind() == reflect.String:
		return "text"
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() == reflect.Slice:
		return "list"
	case t.Kind() == reflect.Struct:
		return "object"
	}
	return "number"
}

// jsonField is a field of a type. It is optional if the client or the API documentation says so; what the client
// requires is its own error.
type jsonField struct {
	name     string
	of       reflect.Type
	optional bool
}

func jsonFields(t reflect.Type) (out []jsonField) {
	for _, f := range reflect.VisibleFields(t) {
		if name, options, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			out = append(out, jsonField{name, f.Type, f.Tag.Get("required") != "" || strings.Contains(options, "omit")})
		}
	}
	return out
}

// documentedFields returns the names of all fields that the API documentation shows of what a check reads.
func documentedFields() map[string]bool {
	names := maps.Clone(requestFields)
	var add func(reflect.Type)
	add = func(t reflect.Type) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() == reflect.Struct {
			for _, f := range jsonFields(t) {
				names[f.name] = true
				add(f.of)
			}
		}
	}
	for _, e := range endpoints {
		names[e.rows] = true
		if e.shape != nil {
			add(e.shape)
		}
	}
	return names
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
