package provider

import (
	"context"
	"math"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

var _ provider.ProviderWithFunctions = (*resellerProvider)(nil)

// Functions need no key, no network and no sandbox.
func (p *resellerProvider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{newAPIKeyIDFunction, newRelativeRecordNameFunction, newContrastRatioFunction}
}

type apiKeyIDFunction struct{}

func newAPIKeyIDFunction() function.Function { return apiKeyIDFunction{} }

func (apiKeyIDFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "api_key_id"
}

func (apiKeyIDFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "The public part of an API key",
		MarkdownDescription: "Returns the ID of an API key: 32 hex characters that are not secret, for support requests. The result of a sensitive API key is sensitive; use `nonsensitive()` to show it.",
		Parameters:          []function.Parameter{function.StringParameter{Name: "key", MarkdownDescription: "The entire API key, as the reseller console showed it at creation."}},
		Return:              function.StringReturn{},
	}
}

func (apiKeyIDFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var key string
	resp.Error = req.Arguments.Get(ctx, &key)
	if resp.Error != nil {
		return
	}
	parts := apiKeyForm.pattern.FindStringSubmatch(key)
	if parts == nil {
		resp.Error = function.NewArgumentFuncError(0, "this is not an API key, which has a prefix, live_, a key ID of 32 hex characters, an underscore and the secret")
		return
	}
	resp.Error = resp.Result.Set(ctx, parts[1])
}

type relativeRecordNameFunction struct{}

func newRelativeRecordNameFunction() function.Function { return relativeRecordNameFunction{} }

func (relativeRecordNameFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "relative_record_name"
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

func (relativeRecordNameFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var name, zone string
	resp.Error = req.Arguments.Get(ctx, &name, &zone)
	if resp.Error != nil {
		return
	}
	name, zone = strings.ToLower(strings.TrimSuffix(name, ".")), strings.ToLower(strings.TrimSuffix(zone, "."))
	relative, inside := strings.CutSuffix(name, "."+zone)
	switch {
	case name == "":
		resp.Error = function.NewArgumentFuncError(0, "the name is empty")
	case zone == "":
		resp.Error = function.NewArgumentFuncError(1, "the zone is empty")
	case name == zone:
		resp.Error = resp.Result.Set(ctx, "@")
	case !inside || relative == "":
		resp.Error = function.NewArgumentFuncError(0, name+" is not in the zone "+zone)
	default:
		resp.Error = resp.Result.Set(ctx, relative)
	}
}

type contrastRatioFunction struct{}

func newContrastRatioFunction() function.Function { return contrastRatioFunction{} }

func (contrastRatioFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "contrast_ratio"
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

func (contrastRatioFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var texts [2]string
	resp.Error = req.Arguments.Get(ctx, &texts[0], &texts[1])
	for i, text := range texts {
		if resp.Error != nil {
			return
		}
		if err := (fwtype.ColorKind{}).Check(text); err != nil {
			resp.Error = function.NewArgumentFuncError(int64(i), err.Error())
		}
	}
	if resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, types.Float64Value(rounded(fwtype.ContrastRatio(fwtype.NewText[fwtype.ColorKind](texts[0]), fwtype.NewText[fwtype.ColorKind](texts[1])))))
	}
}

// rounded takes away what floating point adds: black on white is 21.
func rounded(x float64) float64 {
	const places = 1e9
	return math.Round(x*places) / places
}
