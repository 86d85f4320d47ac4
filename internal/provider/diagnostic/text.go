package diagnostic

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Limits of what a person reads, in characters.
const (
	maxLine   = 300 // of a summary or a name
	MaxDetail = 2000
)

// ShownText is a text of several lines as it may leave the provider: without control characters, and cut in the middle.
func ShownText(text string, limit int) string {
	return transport.Printable(transport.CutText(text, limit))
}

// ShownLine is ShownText on one line.
func ShownLine(text string) string {
	return strings.ReplaceAll(ShownText(text, maxLine), "\n", " ")
}

// Showable makes diagnostics fit to be shown: what the API says is in them, and stock validators word theirs otherwise.
func Showable(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		if d != nil {
			likeOurs(d)
			d.Summary, d.Detail = ShownLine(d.Summary), ShownText(d.Detail, MaxDetail)
		}
	}
}
