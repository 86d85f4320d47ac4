package wording_test

import (
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/tool/wording"
)

func TestBanned(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Its code is taken for ever.":      `"for ever"`,
		"The deeds stay.":                  `"deeds"`,
		"It is\ntaken   over":              `"taken   over"`,
		"E-mail":                           `"E-mail"`,
		"a burnt host":                     `"burnt"`,
		"The API's email is permanent.":    "",
		"require_notarisation":             "",
		"terms.deed_marker and ideeds":     "",
		"the heartbeat stays":              "",
		"forevermore":                      "",
		"write the color as #rgb: a story": "",
	} {
		found := strings.Join(wording.Banned(text), ", ")
		if want == "" && found != "" || want != "" && !strings.Contains(found, want) {
			t.Errorf("%q: found %s, want %s", text, found, want)
		}
	}
}
