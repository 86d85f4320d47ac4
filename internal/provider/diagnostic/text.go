package diagnostic

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Limits of shown texts, in characters.
const (
	maxLine   = 300 // of a summary or a name
	MaxDetail = 2000
)

// ShownText returns a text of several lines for display: without control characters, and shortened in the middle.
func ShownText(text string, limit int) string {
	return transport.Printable(transport.CutText(text, limit))
}

// ShownLine is ShownText on one line.
func ShownLine(text string) string {
	return strings.ReplaceAll(ShownText(text, maxLine), "\n", " ")
}

// Showable prepares diagnostics for display: it cleans the API's texts, and rewords the errors of stock validators.
func Showable(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		if d != nil {
			likeOurs(d)
			d.Summary, d.Detail = ShownLine(d.Summary), ShownText(d.Detail, MaxDetail)
		}
	}
}
