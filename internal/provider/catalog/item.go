// Package catalog implements reseller_package and reseller_addon, which differ only in their endpoints, with their data
// sources and lists.
package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Entry is what the provider has of the catalog.
var Entry = registration.Entry{
	Resources: []registration.Type{Package, Addon},
	DataSources: []func() datasource.DataSource{
		itemData(packages).New, itemData(addons).New, packagesData.New, addonsData.New,
	},
	Lists: []*registration.Listing{listing(packages, Package), listing(addons, Addon)},
}

// Package describes reseller_package, Addon reseller_addon.
var (
	Package = describe(packages)
	Addon   = describe(addons)
)

var (
	packages = items{client.KindPackage, session.TypePackage, topicPackageCode}
	addons   = items{client.KindAddon, session.TypeAddon, topicAddonCode}
)

// items is what differs between the two types.
type items struct {
	kind     client.Kind
	typeName string // without the provider's prefix
	topic    effect.Topic
}

func describe(t items) *object.Description[*model, *found, *step] {
	return &object.Description[*model, *found, *step]{
		Type:   t.typeName,
		Schema: t.schema,
		Policy: &effect.DeletionPolicy{
			Noun:   t.kind.String(),
			Values: []string{effect.PolicyDeactivate, effect.PolicyAbandon, effect.PolicyPrevent},
			Loss:   "deactivates it",
		},
		Identity: []object.Attribute{{Name: "id", Description: fmt.Sprintf("ID of the %s, 32 lowercase hex characters.", t.kind)}},
		Subject:  "code",
		Validate: validateSettings,
		Name: func(_ context.Context, _ *session.Session, m *model) string {
			return fmt.Sprintf("The %s %s", t.kind, m.name())
		},
		Key:  func(m *model) string { return m.Code.Normal() },
		Look: t.look,
		Presence: func(ctx context.Context, s *session.Session, m *model, refusal error) (inventory.Presence, error) {
			if refusal != nil {
				return inventory.PresenceUnknown, refusal // a rejected search shows nothing about one item
			}
			return s.Inventory.CheckItem(ctx, t.kind, m.ID.ValueString(), m.Reseller.ValueString())
		},
		Fill:     (*model).fill,
		Import:   t.importItem,
		Steps:    steps,
		Announce: t.notices,
		Drift:    drift,
		Plan:     t.plan,
		Check:    t.check,
		Take:     t.take,
		Failed:   t.failed,
		// A step that has to be read back is, in take.
		ReadBack: func(context.Context, *change, *model) diag.Diagnostics { return nil },
		AtUpdate: inventory.Cached,
		Texts:    object.Texts[*model]{SummaryRead: summaryRead, Gone: t.gone, Replace: notReplaceable},
	}
}

type change = object.Change[*model, *found, *step]

// found is an item of the catalog, with the settings that a model shows of it.
type found struct {
	*client.Item
	settings types.Dynamic
}

// action is what a step does.
type action string

const (
	create     action = "create"
	update     action = "update"
	deactivate action = "deactivate"
)

type step struct {
	action action
	code   string
}

// Key is the action and the code.
func (s *step) Key() string { return string(s.action) + " " + s.code }

// steps creates an item, and deactivates it in a second call: a create cannot. An update is one call.
func steps(was, want *model, live *found) []*step {
	switch {
	case want == nil && was.DeletionPolicy.ValueString() != effect.PolicyAbandon && was.isActive(live):
		return []*step{{deactivate, was.Code.Normal()}}
	case want == nil, was == nil && live != nil:
		return nil // check rejects the create of a code that exists
	case was == nil && want.isActive(nil):
		return []*step{{create, want.Code.Normal()}}
	case was == nil:
		return []*step{{create, want.Code.Normal()}, {deactivate, want.Code.Normal()}}
	}
	if diff, err := want.diff(was, live); err == nil && diff.IsEmpty() {
		return nil
	}
	return []*step{{update, was.Code.Normal()}}
}

// look finds an item by its ID, or by its code if there is no ID in state.
func (t items) look(ctx context.Context, s *session.Session, m *model, age inventory.Age) (*found, error) {
	all, err := s.Inventory.Items(ctx, t.kind, age)
	if err != nil {
		return nil, err
	}
	row, ok := all.ByID(m.ID.ValueString())
	byCode := m.ID.ValueString() == ""
	if byCode {
		row, ok = all.ByCode(m.Code.ValueString())
	}
	switch {
	case !ok:
		return nil, nil //nolint:nilnil // absence is a result of a look
	case byCode:
		return &found{Item: row}, nil
	}
	if row, err = t.completed(ctx, s, row, m.lacks(row)); err != nil {
		return nil, err
	}
	return m.found(ctx, row)
}

// completed returns a row of a search, completed by a read of the item if needed.
func (t items) completed(ctx context.Context, s *session.Session, row *client.Item, needed bool) (*client.Item, error) {
	if !needed {
		return row, nil
	}
	whole, err := s.Inventory.Item(ctx, t.kind, row.ID)
	if err != nil || whole == nil {
		return row, err
	}
	return row.CompletedBy(whole), nil
}

// plan warns about what the steps do not show.
func (t items) plan(ctx context.Context, c *change) (diags diag.Diagnostics) {
	if c.Session == nil {
		return nil
	}
	if c.Want != nil && !c.Creates() && c.Want.Active.ValueBool() && !c.Was.Active.ValueBool() {
		item := session.Object{Type: t.typeName, Name: c.Want.Code.Normal()}
		c.Planned.Record(effect.ProviderType+"_"+t.typeName, session.Claim{Does: session.Activates, Object: item})
	}
	if !c.Creates() && slices.ContainsFunc(c.Steps, func(*step) bool { return c.Destroys() || !c.Want.isActive(c.Live) && c.Was.isActive(nil) }) {
		at := path.Root("active")
		for _, host := range c.Planned.Deactivate(session.Object{Type: t.typeName, Name: c.Was.Code.Normal()}) {
			diags.Append(session.NotRestorable(at, host, c.Was.Code.Normal()))
		}
	}
	if !c.Ready() || c.Creates() {
		return nil
	}
	if labels := t.labelsWith(ctx, c); labels > 0 {
		diags.AddWarning(summaryInUse, inUse(c.Was.name(), labels))
	}
	if c.Destroys() {
		return diags
	}
	// A value that is unknown or cannot be sent is no removal: the apply reports it.
	if _, removed, err := c.Want.settingsChange(c.Was); err == nil && len(removed) > 0 {
		diags.AddAttributeWarning(path.Root("settings"), summarySettingsKept, fmt.Sprintf(settingsKept, t.kind, c.Was.name(), strings.Join(removed, ", ")))
	}
	return diags
}

// labelsWith counts the private labels that have a package, in the list that a run reads anyway. No list shows the
// add-ons of all private labels.
func (t items) labelsWith(ctx context.Context, c *change) (n int) {
	if t.kind != client.KindPackage || len(c.Steps) == 0 {
		return 0
	}
	labels, err := c.Inventory.Labels(ctx, inventory.Cached)
	if err != nil {
		return 0 // it only affects a text
	}
	for _, label := range labels.All() {
		if label.AssignedPackage != nil && label.AssignedPackage.PackageID == c.Was.ID.ValueString() {
			n++
		}
	}
	return n
}

// check rejects what the API would reject: a code that exists, an item beyond the limit, and settings that cannot be
// sent. An apply leaves the first two to the API, which saves a search. It counts the items that the limit still allows.
func (t items) check(ctx context.Context, c *change) (diags diag.Diagnostics) {
	switch {
	case c.Destroys():
		return nil
	case c.Applying:
		if _, err := settingsJSON(c.Want.Settings); err != nil {
			return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("settings"), summarySettings, diagnostic.Capitalize(err.Error())+". Nothing was sent.")}
		}
		return nil
	case !c.Creates() || !c.Ready():
		return nil
	}
	all, err := c.Inventory.Items(ctx, t.kind, inventory.Cached)
	if err != nil {
		return diag.Diagnostics{diagnostic.ReadFailure(summaryList, "The list of "+t.kind.String()+"s").Diagnostic(err)}
	}
	at, n := path.Root("code"), len(all.All())
	left := client.MaxItems - n - c.Planned.CreatesBeside(session.Object{Type: t.typeName, Name: c.Want.Code.Normal()}) - 1
	c.Want.remaining = &left
	if left < 0 && n < client.MaxItems {
		diags.AddAttributeWarning(at, summaryOverLimit, fmt.Sprintf(overLimit, client.MaxItems-left, t.kind, client.MaxItems))
	}
	switch {
	case c.Live != nil:
		diags.Append(t.codeTaken(c.Live.Item))
	case n >= client.MaxItems:
		diags.AddAttributeError(at, summaryLimit, fmt.Sprintf(limitReached, n, t.kind, c.Want.name(), client.MaxItems, withArticle(t.kind)))
	}
	return diags
}

var errCodeTaken = errors.New("another resource of this run has created the code")

func (t items) take(ctx context.Context, c *change, s *step, now *model) transport.Outcome {
	if s.action == create {
		return t.create(ctx, c, now)
	}
	return t.update(ctx, c, s)
}

// create takes effect at most once for a code, also where two resources have it and one response is lost.
func (t items) create(ctx context.Context, c *change, now *model) transport.Outcome {
	settings, err := settingsJSON(c.Want.Settings)
	if err != nil {
		return transport.NotDone(err)
	}
	done := c.Inventory.BeginItemWrite(t.kind)
	created := c.Client.CreateItem(ctx, t.kind, client.ItemRequest{
		Code:     c.Want.Code.ValueString(),
		Name:     c.Want.Name.ValueString(),
		Currency: c.Want.Currency.Normal(), // the configuration may have "eur", which the API rejects
		Settings: settings,
	})
	done()
	if created.State != transport.Applied {
		return created.Outcome
	}
	made := created.Value
	c.Inventory.RecordItem(t.kind, *made)
	if _, again := session.Shared(c.Session, func(*session.Session) *createdItems { return &createdItems{} }).LoadOrStore(made.ID, true); again {
		return transport.NotDone(errCodeTaken)
	}
	if created.ResponseLost {
		c.Warn(diag.NewWarningDiagnostic(summaryResponseLost, fmt.Sprintf(responseLost, t.kind, c.Want.name())))
	}
	c.Live = &found{Item: made}
	now.fillCreated(ctx, made)
	return created.Outcome
}

// createdItems are the IDs of the items that this run created.
type createdItems struct{ sync.Map }

// update changes of the item what it does not have yet. The row of a search may lack what is compared, or the name of
// the active flag: then the item is read by itself.
func (t items) update(ctx context.Context, c *change, s *step) transport.Outcome {
	lacks := func(live *found) (client.ItemChange, error) { // what it does not have of the step
		if s.action == update {
			return c.Want.diff(c.Was, live)
		}
		if live.HasActive() && !live.Active {
			return client.ItemChange{}, nil
		}
		return client.ItemChange{Active: new(bool)}, nil
	}
	if _, err := lacks(c.Live); err != nil {
		return transport.NotDone(err)
	}
	item, err := t.completed(ctx, c.Session, c.Live.Item, true) // an update sends the whole item
	if err != nil {
		return transport.NotDone(err)
	}
	diff, err := lacks(&found{Item: item})
	if err != nil {
		return transport.NotDone(err)
	}
	if diff.IsEmpty() {
		return transport.Done()
	}
	// The API may replace a field as a whole, so nested fields that only the API has are sent with it.
	if err := combine(diff.Settings, item.Settings, fwtype.Overlaid); err != nil {
		return transport.NotDone(err)
	}
	if diff.Active != nil && !*diff.Active {
		return t.deactivate(ctx, c.Session, item, diff)
	}
	o := t.sendUpdate(ctx, c.Session, item, diff)
	if o.State == transport.Applied && diff.Active != nil {
		active := *item
		active.Active = true
		c.Inventory.RecordItem(t.kind, active)
	}
	return o
}

func (t items) sendUpdate(ctx context.Context, s *session.Session, item *client.Item, diff client.ItemChange) transport.Outcome {
	done := s.Inventory.BeginItemWrite(t.kind)
	defer done()
	return s.Client.UpdateItem(ctx, t.kind, *item, diff)
}

// deactivate proves a deactivation by a read. An API that does not show the flag is believed.
func (t items) deactivate(ctx context.Context, s *session.Session, item *client.Item, diff client.ItemChange) transport.Outcome {
	return transport.Reconcile(ctx, s.Clock(), transport.Write[struct{}]{
		Op:      "deactivate the " + t.kind.String(),
		Subject: item.Code,
		Send: func(ctx context.Context) transport.Result[struct{}] {
			return transport.Result[struct{}]{Outcome: t.sendUpdate(ctx, s, item, diff)}
		},
		Read: func(ctx context.Context) (seen transport.Sight[struct{}], err error) {
			all, err := s.Inventory.Items(ctx, t.kind, inventory.Fresh)
			if err != nil {
				return seen, err
			}
			row, ok := all.ByID(item.ID)
			if !ok {
				return transport.SeenIf(false), nil
			}
			if row, err = t.completed(ctx, s, row, !row.HasActive()); err != nil {
				return seen, err
			}
			return transport.SeenIf(!row.HasActive() || !row.Active), nil
		},
		Proven: true,
	}).Outcome
}

func (t items) failed(ctx context.Context, c *change, s *step, o transport.Outcome) diag.Diagnostics {
	switch {
	case s.action == create:
		if o.State == transport.Absent && (errors.Is(o.Err, errCodeTaken) || transport.IsCode(o.Err, client.CodeCodeInUse)) {
			if all, readErr := c.Inventory.Items(ctx, t.kind, inventory.Fresh); readErr == nil {
				if item, ok := all.ByCode(s.code); ok {
					return diag.Diagnostics{t.codeTaken(item)}
				}
			}
		}
		return diag.Diagnostics{t.failure(s, o).Of(o)}
	case c.Creates():
		return diag.Diagnostics{diag.NewErrorDiagnostic(summaryNotDeactivated, notDeactivated(t.kind, s.code, o))}
	default:
		return diag.Diagnostics{t.failure(s, o).Of(o)}
	}
}

// importItem resolves an ID or a code. The ID takes precedence, because an ID may also be the code of another item.
func (t items) importItem(ctx context.Context, s *session.Session, given string) ([]string, diag.Diagnostics) {
	all, err := s.Inventory.Items(ctx, t.kind, inventory.Current)
	if err != nil {
		return nil, diag.Diagnostics{diagnostic.ReadFailure(summaryRead, diagnostic.Capitalize(t.kind.String())+" "+given).Diagnostic(err)}
	}
	item, ok := all.ByID(given)
	if !ok {
		item, ok = all.ByCode(given)
	}
	if !ok {
		return nil, diag.Diagnostics{diag.NewErrorDiagnostic(summaryNotFound, fmt.Sprintf(notImported, t.kind, cmp.Or(given, `""`), withArticle(t.kind)))}
	}
	return []string{item.ID}, nil
}
