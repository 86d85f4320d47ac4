package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

func (apiKeyIDFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "The public part of an API key",
		MarkdownDescription: "Returns the ID of an API key: 32 hex characters that are not secret, for support requests. The result of a sensitive API key is sensitive; use `nonsensitive()` to show it.",
		Parameters:          []function.Parameter{function.StringParameter{Name: "key", MarkdownDescription: "The entire API key, as the reseller console showed it at creation."}},
		Return:              function.StringReturn{},
	}
}

func (relativeRecordNameFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "The name of a DNS record inside its zone",
		MarkdownDescription: "Returns the name of a DNS record relative to its zone, as many DNS providers require it: `sign` for `sign.acme.example` in `acme.example`, and `@` for the zone itself. Case and a final dot are ignored. A name outside the zone returns an error.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "name", MarkdownDescription: "Full name of the record, such as `domain` of a private label."},
			function.StringParameter{Name: "zone", MarkdownDescription: "Name of the zone, such as `acme.example`."},
		},
		Return: function.StringReturn{},
	}
}

func (contrastRatioFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "The contrast of two colors by WCAG 2",
		MarkdownDescription: "Returns the contrast ratio of two colors by WCAG 2, from 1 (equal) to 21 (black on white). Normal text needs at least 4.5, large text 3. The order of the colors does not matter.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "color", MarkdownDescription: "A color, `#rgb` or `#rrggbb`."},
			function.StringParameter{Name: "other_color", MarkdownDescription: "Another color, `#rgb` or `#rrggbb`."},
		},
		Return: function.Float64Return{},
	}
}
