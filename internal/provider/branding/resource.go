// Package branding implements reseller_branding: colors and logos of a private label.
package branding

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Entry is what the provider has of brandings.
var Entry = registration.Entry{Resources: []registration.Type{Branding}}

// Branding is reseller_branding.
var Branding = object.New[*model](resource{})

type resource struct{}

type (
	change = object.Change[*model]
	view   = object.View[*model]
)

func (resource) Traits() object.Traits {
	return object.Traits{
		Type:             "branding",
		Identity:         []object.Attribute{{Name: "domain", Description: "Host name of the private label."}},
		Subject:          "domain",
		SummaryRead:      summaryRead,
		Replacing:        []string{"domain"},
		RenamesFreely:    true,
		Unseen:           true,
		Resumes:          true, // sending everything again costs nothing (§1)
		ReadBeforeCreate: object.DontRead,
		ReadBeforeUpdate: object.DontRead,
	}
}

func (resource) Name(_ context.Context, _ *session.Session, m *model) string {
	return "branding of " + fwtype.Display(m.Domain)
}

func (resource) Key(m *model) string {
	return m.Domain.Normal()
}

// Read finds the private label: the API does not return colors and logos.
func (resource) Read(ctx context.Context, s *session.Session, m *model, age inventory.Freshness) (*model, error) {
	labels, err := s.Inventory.Labels(ctx, age)
	if err != nil {
		return nil, err
	}
	if _, ok := labels.ByHost(m.Domain.ValueString()); !ok {
		return nil, nil //nolint:nilnil // absence is a result of a read
	}
	live := *m
	live.ID = live.Domain.StringValue
	return &live, nil
}

func (resource) Absence(m *model) inventory.Absence {
	return inventory.OfHost(m.Domain.ValueString())
}

// Drift has nothing: no read shows colors and logos.
func (resource) Drift(_, _ *model) []effect.Effect {
	return nil
}

func (resource) NoWarnings(m *model) bool {
	return !m.hasLogos()
}

// operation is one plan or apply of a branding.
type operation struct{ *change }

func (resource) Begin(c *change) object.Operation[*model] {
	return &operation{c}
}

// Plan validates the files, and warns about values that the API keeps.
func (op *operation) Plan(context.Context) (diags diag.Diagnostics) {
	if op.Destroys() {
		return nil
	}
	was := cmp.Or(op.Was, &model{})
	for i, l := range op.Want.logos(&client.Logos{}) {
		diags.Append(planLogo(op.Session, op.Want, l, was, was.logos(&client.Logos{})[i])...)
	}
	op.Want.ID = op.Want.Domain.StringValue
	diags.Append(keptValues(op.Want, was)...)
	return append(diags, lowContrasts(op.Want, was)...)
}

// planLogo plans the hash of a file. The plan compares its content, not its path: a file that is not sent keeps the path.
func planLogo(s *session.Session, plan *model, l logo, state *model, former logo) (diags diag.Diagnostics) {
	at := path.Root(l.attribute)
	switch {
	case l.path.IsNull():
		*l.hash = types.StringNull()
		return nil
	case s != nil && len(s.Pending) == 0 && !s.CanUpload:
		diags.AddAttributeError(at, SummaryUploadURL,
			fmt.Sprintf("The logo of %s requires upload_url. Set it in the provider block, or set RESELLER_UPLOAD_URL.", fwtype.Display(plan.Domain)))
		return diags
	case l.path.IsUnknown():
		*l.hash = types.StringUnknown()
		return nil
	}
	where := l.path.ValueString()
	checked, err := file.OpenLogo(where)
	switch {
	// A destroy begins with a plan of the configuration, too.
	case errors.Is(err, fs.ErrNotExist) && l.path.Equal(*former.path) && !former.hash.IsNull() && !plan.reapplies(state):
		*l.hash = *former.hash
		diags.AddAttributeWarning(at, summaryLogoGone,
			fmt.Sprintf("%s of %s no longer exists, so it cannot be compared with what was sent. It is treated as unchanged, and nothing is sent.",
				where, fwtype.Display(plan.Domain)))
		return diags
	case err != nil:
		diags.AddAttributeError(at, file.SummaryInvalid, file.AboutFile(err, where)+". The logo of "+fwtype.Display(plan.Domain)+" was not planned.")
		return diags
	}
	*l.hash = types.StringValue(checked.SHA256)
	isSent := former.path.IsNull() || !l.hash.Equal(*former.hash) || plan.reapplies(state)
	if isSent && checked.Damage != nil {
		diags.AddAttributeWarning(at, file.SummaryDamaged,
			file.AboutFile(checked.Damage, where)+". The logo of "+fwtype.Display(plan.Domain)+" is sent as it is. The API may reject it.")
	}
	switch {
	case !isSent:
		*l.path = *former.path
	case checked.MayBeTooLarge():
		diags.AddAttributeWarning(at, summaryLogoSize, fmt.Sprintf(mayBeTooLarge, where, fwtype.Display(plan.Domain), checked.Size))
	}
	return diags
}

// Check opens the logos to send before the first call of an apply: a file that cannot be sent must not leave colors
// changed.
func (op *operation) Check(context.Context) (diags diag.Diagnostics) {
	if op.Destroys() || !op.Applying {
		return nil
	}
	host := op.Want.Domain.ValueString()
	for _, i := range op.Want.changedLogos(op.Was) {
		l := op.Want.logos(&client.Logos{})[i]
		where := l.path.ValueString()
		checked, err := file.OpenLogo(where)
		switch {
		case err != nil:
			diags.AddAttributeError(path.Root(l.attribute), file.SummaryInvalid, file.AboutFile(err, where)+". No logo of "+host+" was sent.")
		case !l.hash.IsUnknown() && l.hash.ValueString() != checked.SHA256:
			diags.AddAttributeError(path.Root(l.attribute), file.SummaryChanged,
				fmt.Sprintf("%s, a logo of %s, has other content than at plan time. Nothing was sent. Plan again.", where, host))
		}
	}
	return diags
}

// Execute makes a call. What colors were sent is kept if a later call fails: no read shows it.
func (op *operation) Execute(ctx context.Context, s effect.Step, now *model) transport.Outcome {
	host := op.Want.Domain.ValueString()
	if s.Key == sendColors {
		o := op.Client.UpdateColors(ctx, host, op.Want.changedColors(op.Was))
		if o.State != transport.Applied || op.Creates() {
			return o
		}
		for i, sent := range op.Want.colors(&client.Colors{}) {
			*op.Kept.colors(&client.Colors{})[i].value = *sent.value
		}
		return o
	}
	var logos client.Logos
	for _, i := range op.Want.changedLogos(op.Was) {
		l := op.Want.logos(&logos)[i]
		checked, err := file.OpenLogo(l.path.ValueString())
		if err != nil {
			return transport.NotDone(err)
		}
		*l.sent = &checked.File
		*now.logos(&logos)[i].hash = types.StringValue(checked.SHA256)
	}
	return op.Client.UploadLogos(ctx, host, logos)
}

func (op *operation) Explain(_ context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics {
	failure := logosFailure(op.Want)
	switch {
	case s.Key == sendColors:
		failure = colorsFailure(op.Want)
	case len(op.Done) > 0:
		failure.Unchanged = "The colors were changed. " + failure.Unchanged
	}
	return failure.Of(o)
}

// ReadBack has nothing to read.
func (op *operation) ReadBack(context.Context, *model) diag.Diagnostics {
	return nil
}

func (resource) Import(ctx context.Context, s *session.Session, given string) ([]string, diag.Diagnostics) {
	if !fwtype.LooksLikeHost(given) {
		return nil, diag.Diagnostics{diag.NewErrorDiagnostic(summaryImportID, fmt.Sprintf(notAHostName, given))}
	}
	_, diags := s.LookUp(ctx, given)
	return []string{fwtype.HostKind{}.Normal(given)}, diags
}
