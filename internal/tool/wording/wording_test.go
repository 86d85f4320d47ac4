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

func TestSyntax(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"A change is rejected\nat plan and at apply.":  `"at plan and"`,
		"The provider rejects it at plan\ntime.":       "",
		"A wrong key is an error.":                     `"is an error"`,
		"An error is reported.":                        "",
		"another number than the last read":            `"another number than"`,
		"Another member replaced it.":                  "",
		"Set the color, too.":                          `", too"`,
		"If the list is short, too many calls follow.": "",
		"The CLI knows no functions.":                  `"knows no"`,
		"A member in exchange for a user.":             `"in exchange for"`,
		"Apply it now!":                                `"!"`,
	} {
		found := strings.Join(wording.Syntax(text), ", ")
		if want == "" && found != "" || want != "" && !strings.Contains(found, want) {
			t.Errorf("%q: found %s, want %s", text, found, want)
		}
	}
}
