package export_test

import (
	"encoding/json"
	"slices"
)

// reverseRows reverses all lists of a response but the DNS records, whose order has a meaning.
func reverseRows(body []byte) []byte {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return body
	}
	reverseIn(value)
	out, err := json.Marshal(value)
	if err != nil {
		return body
	}
	return out
}

func reverseIn(value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			if name != "records" {
				reverseIn(inner)
			}
		}
	case []any:
		slices.Reverse(value)
		for _, inner := range value {
			reverseIn(inner)
		}
	}
}
