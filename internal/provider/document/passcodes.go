package document

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// passcodeFields are those of the Signing API that open a document, in lower case
// (Signing API §2.6, §4.3).
var passcodeFields = []string{"passcode", "docpassword", "password"}

const blanked = "(sensitive)"

// withoutPasscodes replaces the passcodes in normalized JSON. The attribute as a whole is not sensitive, because
// for_each over sent documents and outputs would then be errors.
func withoutPasscodes(raw json.RawMessage) json.RawMessage {
	plain, err := fwtype.DecodeNumbers(raw)
	if err != nil || !blankPasscodes(plain) {
		return raw
	}
	text, err := transport.EncodeJSON(plain)
	if err != nil {
		return nil
	}
	return text
}

// blankPasscodes reports whether there was one. Null means none, and stays.
func blankPasscodes(plain any) (found bool) {
	switch p := plain.(type) {
	case []any:
		for _, element := range p {
			found = blankPasscodes(element) || found
		}
	case map[string]any:
		for name, value := range p {
			if opensDocument(name) && value != nil {
				p[name], found = blanked, true
				continue
			}
			found = blankPasscodes(value) || found
		}
	}
	return found
}

func opensDocument(field string) bool {
	bare := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(field))
	return slices.Contains(passcodeFields, bare)
}
