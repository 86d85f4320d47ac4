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

// Functions require no API key, no network and no simulator.
func (p *resellerProvider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{newAPIKeyIDFunction, newRelativeRecordNameFunction, newContrastRatioFunction}
}

type apiKeyIDFunction struct{}

func newAPIKeyIDFunction() function.Function { return apiKeyIDFunction{} }

func (apiKeyIDFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "api_key_id"
}

func (apiKeyIDFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var key string
	resp.Error = req.Arguments.Get(ctx, &key)
	if resp.Error != nil {
		return
	}
	parts := apiKeyForm.FindStringSubmatch(key)
	if parts == nil {
		resp.Error = function.NewArgumentFuncError(0, notAnAPIKey)
		return
	}
	resp.Error = resp.Result.Set(ctx, parts[1])
}

type relativeRecordNameFunction struct{}

func newRelativeRecordNameFunction() function.Function { return relativeRecordNameFunction{} }

func (relativeRecordNameFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "relative_record_name"
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
		ratio := fwtype.ContrastRatio(fwtype.NewText[fwtype.ColorKind](texts[0]), fwtype.NewText[fwtype.ColorKind](texts[1]))
		resp.Error = resp.Result.Set(ctx, types.Float64Value(rounded(ratio)))
	}
}

// rounded removes the rounding error of floating point numbers: black on white is 21.
func rounded(x float64) float64 {
	const places = 1e9
	return math.Round(x*places) / places
}
