package provider

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// Limits of what a person reads, in characters.
const (
	maxLine   = 300 // of a summary or a name
	maxDetail = 2000
)

// shownText is a text of several lines as it may leave the provider: it cannot
// act on a terminal, and is cut in the middle.
func shownText(text string, limit int) string {
	return client.Printable(client.CutText(text, limit))
}

// shownLine is shownText on one line.
func shownLine(text string) string {
	return strings.ReplaceAll(shownText(text, maxLine), "\n", " ")
}

// showable makes diagnostics fit to be shown. What the service says is in them:
// messages, codes and names.
func showable(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		if d != nil {
			d.Summary, d.Detail = shownLine(d.Summary), shownText(d.Detail, maxDetail)
		}
	}
}
