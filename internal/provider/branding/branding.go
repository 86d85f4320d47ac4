// Package branding implements reseller_branding: colors and logos of a private label.
package branding

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
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

// Branding describes reseller_branding. It has no key: a rename sends colors and logos again, which costs nothing.
var Branding = &object.Description[*model, *client.PrivateLabelSummary, *step]{
	Type:      "branding",
	Schema:    schemaOf,
	Identity:  []object.Attribute{{Name: "domain", Description: "Host name of the private label."}},
	Subject:   "domain",
	Replacing: []string{"domain"},
	Name: func(_ context.Context, _ *session.Session, m *model) string {
		return "The branding of " + fwtype.Display(m.Domain)
	},
	Look: look,
	Presence: func(ctx context.Context, s *session.Session, m *model, refusal error) (inventory.Presence, error) {
		if refusal != nil {
			return inventory.Present, nil // the API rejects the list, which shows nothing about one private label
		}
		return s.Inventory.CheckHostPresence(ctx, m.Domain.ValueString(), m.Reseller.ValueString())
	},
	Fill:     func(m *model, _ *client.PrivateLabelSummary) { m.ID = m.Domain.StringValue },
	Import:   importHost,
	Steps:    steps,
	Announce: notices,
	Plan:     plan,
	Check:    check,
	Take:     take,
	Failed:   failed,
	ReadBack: func(context.Context, *change, *model) diag.Diagnostics { return nil }, // there is nothing to read
	Resumes:  true,                                                                   // sending everything again costs nothing (§1)
	Quiet:    func(m *model) bool { return !m.hasLogos() },
	Texts: object.Texts[*model]{
		SummaryRead: summaryRead,
		Gone:        gone,
	},
}

type change = object.Change[*model, *client.PrivateLabelSummary, *step]

// step is one call.
type step struct{ sends string }

var (
	sendColors = &step{"colors"}
	sendLogos  = &step{"logos"}
)

// Key is "send colors" or "send logos".
func (s *step) Key() string { return "send " + s.sends }

// steps sends what differs from the state. The API cannot be asked for colors and logos, and a destroy keeps them.
func steps(was, want *model, _ *client.PrivateLabelSummary) []*step {
	if want == nil {
		return nil
	}
	var todo []*step
	if want.changedColors(was) != (client.Colors{}) {
		todo = append(todo, sendColors)
	}
	if len(want.changedLogos(was)) > 0 {
		todo = append(todo, sendLogos)
	}
	return todo
}

// notices announces that a destroy, and a replacement for another host name, leave colors and logos as they are.
func notices(v object.View[*model, *client.PrivateLabelSummary], _ []*step) effect.Notices {
	if v.Want != nil {
		return nil
	}
	host := v.Was.Domain.ValueString()
	return effect.Notices{{
		Topic:   topicKeptBranding,
		Detail:  fmt.Sprintf("Colors and logos of %s stay as they are; the API cannot unset them and no API call is made.", host),
		Effects: []effect.Effect{{Kind: effect.Forgotten, What: "branding removed from state only", Subject: host}},
	}}
}

// look finds the private label: the API does not return colors and logos.
func look(ctx context.Context, s *session.Session, m *model, age inventory.Age) (*client.PrivateLabelSummary, error) {
	labels, err := s.Inventory.Labels(ctx, age)
	if err != nil {
		return nil, err
	}
	live, _ := labels.ByAnyHost(m.Domain.ValueString())
	return live, nil
}

// plan validates the files, and warns about values that the API keeps.
func plan(_ context.Context, c *change) diag.Diagnostics {
	if c.Destroys() {
		return nil
	}
	was := cmp.Or(c.Was, &model{})
	var diags diag.Diagnostics
	for i, l := range c.Want.logos(&client.Logos{}) {
		diags.Append(planLogo(c.Session, c.Want, l, was, was.logos(&client.Logos{})[i])...)
	}
	c.Want.ID = c.Want.Domain.StringValue
	diags.Append(keptValues(c.Want, was)...)
	return append(diags, lowContrasts(c.Want, was)...)
}

// check opens the logos to send before the first call of an apply: a file that cannot be sent must not leave colors
// changed.
func check(_ context.Context, c *change) diag.Diagnostics {
	if c.Destroys() || !c.Applying {
		return nil
	}
	var diags diag.Diagnostics
	host := c.Want.Domain.ValueString()
	for _, i := range c.Want.changedLogos(c.Was) {
		l := c.Want.logos(&client.Logos{})[i]
		where := l.path.ValueString()
		checked, err := files(c.Session).Open(where)
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

// take makes a call, and records in the prior model what was sent: that is what an update that fails later leaves.
func take(ctx context.Context, c *change, s *step, now *model) error {
	host := c.Want.Domain.ValueString()
	if s == sendColors {
		if err := c.Client.UpdateColors(ctx, host, c.Want.changedColors(c.Was)); err != nil || c.Was == nil {
			return err
		}
		for i, sent := range c.Want.colors(&client.Colors{}) {
			*c.Was.colors(&client.Colors{})[i].value = *sent.value
		}
		return nil
	}
	var logos client.Logos
	for _, i := range c.Want.changedLogos(c.Was) {
		l := c.Want.logos(&logos)[i]
		checked, err := files(c.Session).Open(l.path.ValueString())
		if err != nil {
			return err
		}
		*l.sent = &checked.File
		*now.logos(&logos)[i].hash = types.StringValue(checked.SHA256)
	}
	return c.Client.UploadLogos(ctx, host, logos)
}

func failed(_ context.Context, c *change, s *step, err error) diag.Diagnostics {
	host := c.Want.Domain.ValueString()
	if s == sendColors {
		return diag.Diagnostics{colorsFailure(host).Diagnostic(err)}
	}
	return diag.Diagnostics{logosFailure(host).Diagnostic(err)}
}

func importHost(ctx context.Context, s *session.Session, given string) ([]string, diag.Diagnostics) {
	if !fwtype.LooksLikeHost(given) {
		return nil, diag.Diagnostics{notAHostName(given)}
	}
	_, diags := s.LookUp(ctx, given)
	return []string{given}, diags
}

// files returns the checked logo files, which a run shares.
func files(s *session.Session) *file.LogoFiles {
	if s == nil {
		return file.NewLogoFiles()
	}
	return session.Shared(s, func(*session.Session) *file.LogoFiles { return file.NewLogoFiles() })
}
