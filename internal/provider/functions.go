package provider

import (
	"context"
	"math"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/dns"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

var _ provider.ProviderWithFunctions = (*resellerProvider)(nil)

// Functions require no API key, no network and no simulator.
func (p *resellerProvider) Functions(context.Context) []func() function.Function {
	newFunction := func(f function.Function) func() function.Function { return func() function.Function { return f } }
	return []func() function.Function{newFunction(apiKeyID), newFunction(relativeRecordName), newFunction(contrastRatio), newFunction(dnsInstructions)}
}

// pureFunction is a function of texts.
type pureFunction struct {
	name       string
	definition function.Definition
	run        func(args []string) (any, *function.FuncError)
}

func (f pureFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = f.name
}

func (f pureFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = f.definition
}

func (f pureFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	args := make([]string, len(f.definition.Parameters))
	for i := range args {
		resp.Error = function.ConcatFuncErrors(resp.Error, req.Arguments.GetArgument(ctx, i, &args[i]))
	}
	if resp.Error != nil {
		return
	}
	result, err := f.run(args)
	if resp.Error = err; err == nil {
		resp.Error = resp.Result.Set(ctx, result)
	}
}

var apiKeyID = pureFunction{
	name: "api_key_id",
	definition: function.Definition{
		Summary: "The public part of an API key",
		MarkdownDescription: "Returns the ID of an API key: 32 hex characters that are not secret, for support requests. " +
			"If the API key is sensitive, use `nonsensitive()` to show the result.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "key", MarkdownDescription: "The entire API key."},
		},
		Return: function.StringReturn{},
	},
	run: func(args []string) (any, *function.FuncError) {
		parts := apiKeyForm.FindStringSubmatch(args[0])
		if parts == nil {
			return nil, function.NewArgumentFuncError(0, notAnAPIKey)
		}
		return parts[1], nil
	},
}

var relativeRecordName = pureFunction{
	name: "relative_record_name",
	definition: function.Definition{
		Summary: "The name of a DNS record inside its zone",
		MarkdownDescription: "Returns the name of a DNS record relative to its zone, which many DNS providers require. Returns " +
			"`sign` for `sign.acme.example` in `acme.example`, and `@` for the zone itself. " +
			"Ignores case and a final dot. Fails for a name outside the zone.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "name", MarkdownDescription: "Full name of the record, such as `domain` of a private label."},
			function.StringParameter{Name: "zone", MarkdownDescription: "Name of the zone, such as `acme.example`."},
		},
		Return: function.StringReturn{},
	},
	run: func(args []string) (any, *function.FuncError) {
		name := strings.ToLower(strings.TrimSuffix(args[0], "."))
		zone := strings.ToLower(strings.TrimSuffix(args[1], "."))
		relative, inside := strings.CutSuffix(name, "."+zone)
		switch {
		case name == "":
			return nil, function.NewArgumentFuncError(0, "the name is empty")
		case zone == "":
			return nil, function.NewArgumentFuncError(1, "the zone is empty")
		case name == zone:
			return "@", nil
		case !inside || relative == "":
			return nil, function.NewArgumentFuncError(0, name+" is not in the zone "+zone)
		}
		return relative, nil
	},
}

var contrastRatio = pureFunction{
	name: "contrast_ratio",
	definition: function.Definition{
		Summary: "The contrast of two colors by WCAG 2",
		MarkdownDescription: "Returns the contrast ratio of two colors by WCAG 2, from 1 (equal) to 21 (black on white). " +
			"Normal text needs at least 4.5, large text 3.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "color", MarkdownDescription: "A color, `#rgb` or `#rrggbb`."},
			function.StringParameter{Name: "other_color", MarkdownDescription: "The other color, `#rgb` or `#rrggbb`."},
		},
		Return: function.Float64Return{},
	},
	run: func(args []string) (any, *function.FuncError) {
		for i, text := range args {
			if err := (fwtype.ColorKind{}).Check(text); err != nil {
				return nil, function.NewArgumentFuncError(int64(i), err.Error())
			}
		}
		const places = 1e9 // without the rounding error of floating point numbers, black on white is 21
		ratio := fwtype.ContrastRatio(fwtype.NewText[fwtype.ColorKind](args[0]), fwtype.NewText[fwtype.ColorKind](args[1]))
		return math.Round(ratio*places) / places, nil
	},
}

// dnsInstructions has a list of records as its second argument.
var dnsInstructions = instructions{pureFunction{
	name: "dns_instructions",
	definition: function.Definition{
		Summary: "The text to send to the administrator of a DNS zone",
		MarkdownDescription: "Returns a text for the administrator of a client's DNS zone, in English. " +
			"The text contains type, name and value of the record to create, its alternatives, and how to check the record. " +
			"The name is relative to the zone, which the function finds in the public suffix list.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "host", MarkdownDescription: "Host name of the portal: `domain` of a private label."},
			function.ListParameter{
				Name:                "records",
				MarkdownDescription: "DNS records, the preferred record first: `dns_records` of a private label. Records with null values are ignored.",
				ElementType:         types.ObjectType{AttrTypes: map[string]attr.Type{"type": types.StringType, "name": types.StringType, "value": types.StringType}},
			},
		},
		Return: function.StringReturn{},
	},
}}

type instructions struct{ pureFunction }

func (f instructions) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var host string
	var records []*struct {
		Type  *string `tfsdk:"type"`
		Name  *string `tfsdk:"name"`
		Value *string `tfsdk:"value"`
	}
	if resp.Error = req.Arguments.Get(ctx, &host, &records); resp.Error != nil {
		return
	}
	wanted := make([]dns.Record, 0, len(records))
	for _, r := range records {
		if r == nil || r.Type == nil || r.Name == nil || r.Value == nil {
			continue // such as dns_record before the API shows one
		}
		wanted = append(wanted, dns.Record{Type: diagnostic.ShownLine(*r.Type), Name: diagnostic.ShownLine(*r.Name), Value: diagnostic.ShownLine(*r.Value)})
	}
	resp.Error = resp.Result.Set(ctx, dns.Instructions(diagnostic.ShownLine(host), wanted))
}
