// Package registration describes what a folder of the provider adds to it: resources, data sources, lists and actions.
package registration

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Entry is what one package adds to the provider.
type Entry struct {
	Resources   []Type
	DataSources []func() datasource.DataSource
	Lists       []*Listing
	Actions     []*Action
}

// Join is everything of some entries.
func Join(entries ...Entry) Entry {
	var all Entry
	for _, e := range entries {
		all.Resources = append(all.Resources, e.Resources...)
		all.DataSources = append(all.DataSources, e.DataSources...)
		all.Lists = append(all.Lists, e.Lists...)
		all.Actions = append(all.Actions, e.Actions...)
	}
	return all
}

// Type is a type of resource. An object.Type is one.
type Type interface {
	TypeName() string // with the provider's prefix
	New() resource.Resource
	// Reviewer reviews the resource in a saved plan.
	Reviewer() effect.Reviewer
}

// DataSource describes a data source: M is a struct with tfsdk tags, which has its arguments, and what Read sets itself.
type DataSource[M any] struct {
	Type   string // without the provider's prefix
	Schema func() schema.Schema
	// OneOf are attributes of which a configuration has to set exactly one. Optional.
	OneOf []string
	// Signs: it reads from the Signing API.
	Signs bool
	// Read returns what the client read, or nil. The runtime sets the computed attributes by the names of its fields. Read
	// itself sets in m the attributes whose names differ in more than case.
	Read func(ctx context.Context, s *session.Session, m *M) (read any, diags diag.Diagnostics)
}

const summaryUnreadable = "Error reading API response"

// New returns the data source.
func (d *DataSource[M]) New() datasource.DataSource {
	return &dataSource{
		name: d.Type, schema: d.Schema, oneOf: d.OneOf, signs: d.Signs,
		model: func() any { return new(M) },
		read: func(ctx context.Context, s *session.Session, model any) (any, diag.Diagnostics) {
			m, _ := model.(*M)
			return d.Read(ctx, s, m)
		},
	}
}

// dataSource has no type parameter, so that it is compiled once.
type dataSource struct {
	*session.Session
	name   string
	schema func() schema.Schema
	oneOf  []string
	signs  bool
	model  func() any
	read   func(ctx context.Context, s *session.Session, model any) (any, diag.Diagnostics)
}

func (r *dataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	r.Session = session.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

func (r *dataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.name
}

func (r *dataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = r.schema()
}

func (r *dataSource) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var set []string
	for _, name := range r.oneOf {
		var given attr.Value
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(name), &given)...)
		switch {
		case given == nil || given.IsUnknown():
			return
		case !given.IsNull():
			set = append(set, name)
		}
	}
	if len(r.oneOf) > 0 && len(set) != 1 {
		resp.Diagnostics.AddAttributeError(path.Root(r.oneOf[0]), diagnostic.SummaryInvalidCombination,
			"Exactly one of "+strings.Join(r.oneOf, " and ")+" must be set.")
	}
}

// rejectIDs returns errors for IDs that a CLI has made up, which no mocked data source reads.
func rejectIDs(ctx context.Context, config tfsdk.Config, s schema.Schema) (diags diag.Diagnostics) {
	for _, name := range slices.Sorted(maps.Keys(s.Attributes)) {
		attribute, _ := s.Attributes[name].(schema.StringAttribute)
		for _, v := range attribute.Validators {
			if rule, ok := v.(*fwtype.IDRule); ok {
				var given types.String
				diags.Append(config.GetAttribute(ctx, path.Root(name), &given)...)
				diags.Append(rule.Reject(ctx, path.Root(name), given)...)
			}
		}
	}
	return diags
}

func (r *dataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	m := r.model()
	fields := reflect.VisibleFields(reflect.TypeOf(m).Elem())
	fields = slices.DeleteFunc(fields, func(f reflect.StructField) bool { return f.Anonymous })
	field := func(f reflect.StructField) (path.Path, reflect.Value) {
		return path.Root(f.Tag.Get("tfsdk")), reflect.ValueOf(m).Elem().FieldByIndex(f.Index)
	}
	for _, f := range fields {
		at, value := field(f)
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, at, value.Addr().Interface())...)
	}
	switch {
	case resp.Diagnostics.HasError():
		return
	case r.signs && !r.CanSign():
		resp.Diagnostics.Append(r.CannotSign())
		return
	case !r.signs && !r.Ready():
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	dataSourceSchema, _ := req.Config.Schema.(schema.Schema) // built once by the framework
	resp.Diagnostics.Append(rejectIDs(ctx, req.Config, dataSourceSchema)...)
	if resp.Diagnostics.HasError() {
		return
	}
	read, diags := r.read(ctx, r.Session, m)
	resp.Diagnostics.Append(diags...)
	found, err := fwtype.FromAPI(ctx, dataSourceSchema, read)
	resp.Diagnostics.Append(diagnostic.Unreadable(summaryUnreadable, "The response of "+effect.ProviderType+"_"+r.name, err)...)
	if resp.Diagnostics.HasError() {
		return
	}
	state := tfsdk.State{Schema: dataSourceSchema, Raw: req.Config.Raw}
	for _, f := range fields {
		at, value := field(f)
		resp.Diagnostics.Append(state.SetAttribute(ctx, at, value.Interface())...)
	}
	attributes := map[string]tftypes.Value{}
	err = state.Raw.As(&attributes)
	for name, value := range found { // at once: State.SetAttribute copies all of the state
		raw, badValue := value.ToTerraformValue(ctx)
		attributes[name], err = raw, errors.Join(err, badValue)
	}
	resp.Diagnostics.Append(diagnostic.Unreadable(summaryUnreadable, "The response of "+effect.ProviderType+"_"+r.name, err)...)
	if !resp.Diagnostics.HasError() {
		resp.State.Raw = tftypes.NewValue(state.Raw.Type(), attributes)
	}
}

// Action describes an action.
type Action struct {
	Type   string // without the provider's prefix
	Schema func() actionschema.Schema
	// Event is what a review shows, with the person whose ID is the argument UserID. Optional.
	Event  effect.Event
	UserID string
	Invoke func(ctx context.Context, s *session.Session, req action.InvokeRequest, resp *action.InvokeResponse)
}

// New returns the action.
func (a *Action) New() action.Action {
	return &invoked{a: a}
}

// Reviewer reviews the action in a saved plan.
func (a *Action) Reviewer() effect.ActionReviewer {
	return effect.ActionReviewer{Type: effect.ProviderType + "_" + a.Type, Event: a.Event, UserID: a.UserID}
}

type invoked struct {
	*session.Session
	a *Action
}

func (r *invoked) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	r.Session = session.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

func (r *invoked) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.a.Type
}

func (r *invoked) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = r.a.Schema()
}

// Invoke recovers from panics: the framework calls it in a goroutine, where a panic would end the process.
func (r *invoked) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	defer func() {
		if thrown := recover(); thrown != nil {
			resp.Diagnostics.Append(diagnostic.Fault(ctx, "to invoke the action", thrown, "The action may have had its effect."))
		}
	}()
	if !r.Ready() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	r.a.Invoke(ctx, r.Session, req, resp)
}
