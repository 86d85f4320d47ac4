package registration

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// The computed attributes are those of what the client read. What no attribute can hold is an error that names the type.
func TestDataSource_Read(t *testing.T) {
	t.Parallel()
	type model struct {
		Given types.String  `tfsdk:"given"`
		Found types.Float64 `tfsdk:"found"`
	}
	for raw, want := range map[string]string{"2.5": "", "1e100000000": "The response of reseller_odd could not be read: "} {
		d := &DataSource[model]{
			Type: "odd",
			Schema: func() schema.Schema {
				return schema.Schema{Attributes: map[string]schema.Attribute{
					"given": schema.StringAttribute{Required: true}, "found": schema.Float64Attribute{Computed: true},
				}}
			},
			Read: func(context.Context, *session.Session, *model) (any, diag.Diagnostics) {
				return map[string]any{"given": "not the configuration's", "found": json.RawMessage(raw)}, nil
			},
		}
		source, _ := d.New().(datasource.DataSourceWithConfigure)
		source.Configure(t.Context(), datasource.ConfigureRequest{ProviderData: &session.Session{Client: &client.Client{}}}, &datasource.ConfigureResponse{})
		typ := d.Schema().Type().TerraformType(t.Context())
		resp := datasource.ReadResponse{State: tfsdk.State{Schema: d.Schema(), Raw: tftypes.NewValue(typ, nil)}}
		source.Read(t.Context(), datasource.ReadRequest{Config: tfsdk.Config{Schema: d.Schema(), Raw: tftypes.NewValue(typ, map[string]tftypes.Value{
			"given": tftypes.NewValue(tftypes.String, "here"), "found": tftypes.NewValue(tftypes.Number, nil),
		})}}, &resp)
		if want != "" {
			if errs := resp.Diagnostics.Errors(); len(errs) != 1 || !strings.Contains(errs[0].Detail(), want) || !resp.State.Raw.IsNull() {
				t.Errorf("%s: %v, state %v", raw, errs, resp.State.Raw)
			}
			continue
		}
		var got model
		if diags := resp.State.Get(t.Context(), &got); diags.HasError() || got.Given.ValueString() != "here" || got.Found.ValueFloat64() != 2.5 {
			t.Errorf("%s: %v, %+v", raw, append(diags, resp.Diagnostics...), got)
		}
	}
}
