package signing

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// object is a JSON object whose fields can have one of several names, for responses that the API documentation does not
// show.
type object map[string]json.RawMessage

// readObject returns nil if raw is not an object.
func readObject(raw json.RawMessage) object {
	var o object
	if json.Unmarshal(raw, &o) != nil {
		return nil
	}
	return o
}

// unwrapped returns `result` of a response if it has the field and the response itself does not: one family wraps the
// result of an upload.
func unwrapped(data json.RawMessage, field string) json.RawMessage {
	top := readObject(data)
	if top[field] == nil && readObject(top["result"])[field] != nil {
		return top["result"]
	}
	return data
}

// text returns the first nonempty text or number among the named fields.
func (o object) text(names ...string) string {
	for _, name := range names {
		var s Scalar
		if json.Unmarshal(o[name], &s) == nil && s != "" {
			return string(s)
		}
	}
	return ""
}

// time returns the first time among the named fields: milliseconds or seconds since the Unix epoch, or RFC 3339. It
// returns the zero time if there is none.
func (o object) time(names ...string) time.Time {
	const epochMillis = 100_000_000_000 // milliseconds from here on; as seconds this is the year 5138
	for _, name := range names {
		text := o.text(name)
		if n, err := strconv.ParseFloat(text, 64); err == nil && n > 0 && n < 1e15 {
			if n < epochMillis {
				return time.UnixMilli(int64(n * 1000))
			}
			return time.UnixMilli(int64(n))
		}
		if t, err := time.Parse(time.RFC3339, text); err == nil {
			return t
		}
	}
	return time.Time{}
}

// Scalar is the text of a JSON string, number or boolean, for fields whose type the API documentation does not show.
// null leaves it unchanged.
type Scalar string

// UnmarshalJSON returns an error for objects and arrays.
func (s *Scalar) UnmarshalJSON(raw []byte) error {
	var text string
	switch raw = bytes.TrimSpace(raw); {
	case bytes.Equal(raw, []byte("null")):
		return nil
	case json.Unmarshal(raw, &text) == nil:
		*s = Scalar(text)
	case len(raw) > 0 && (raw[0] == '{' || raw[0] == '['):
		return errors.New("a text or a number was expected")
	default:
		*s = Scalar(raw)
	}
	return nil
}

// list is an array in a response and the name of its field, "" at the top.
type list struct {
	name string
	rows []json.RawMessage
}

const maxListDepth = 2 // levels of objects above an array

// listsIn returns every array in data, up to maxListDepth levels down, ordered by field name.
func listsIn(data json.RawMessage) []list { return appendLists(nil, "", data, 0) }

func appendLists(found []list, name string, data json.RawMessage, depth int) []list {
	var rows []json.RawMessage
	if json.Unmarshal(data, &rows) == nil && rows != nil { // null is not a list
		return append(found, list{name, rows})
	}
	if depth == maxListDepth {
		return found
	}
	fields := readObject(data)
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		found = appendLists(found, field, fields[field], depth+1)
	}
	return found
}

// normalize returns JSON with sorted keys and unchanged numbers, so that equal responses have equal texts.
func normalize(op string, data json.RawMessage) (json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	if err == nil {
		err = client.CheckNumbers(v)
	}
	if err != nil {
		return nil, transport.Unreadable(op, http.StatusOK, "the response's data cannot be read: "+err.Error())
	}
	return transport.EncodeJSON(v)
}

// isImageName reports whether a text is the file name of an image.
func isImageName(s string) bool {
	lower := strings.ToLower(s)
	for _, end := range []string{".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"} {
		if strings.HasSuffix(lower, end) {
			return true
		}
	}
	return false
}
