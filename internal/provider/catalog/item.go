// Package catalog implements reseller_package and reseller_addon, which differ only in their endpoints, with their data
// sources and lists.
package catalog

import (
	"context"
	"errors"
	"fmt"
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
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Entry is what the provider has of the catalog.
var Entry = object.Entry{
	Resources: []object.Type{Package, Addon},
	DataSources: []func() datasource.DataSource{
		itemData(packages).New, itemData(addons).New, packagesData.New, addonsData.New,
	},
	Lists: []*object.Listing{listing(packages, Package), listing(addons, Addon)},
}

// Package describes reseller_package, Addon reseller_addon.
var (
	Package = describe(packages)
	Addon   = describe(addons)
)

var packages, addons = items{client.KindPackage, session.TypePackage}, items{client.KindAddon, session.TypeAddon}

// items is what differs between the two types.
type items struct {
	kind     client.Kind
	typeName string // without the provider's prefix
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
		Key:  keyOf,
		Look: t.look,
		Presence: func(ctx context.Context, s *session.Session, m *model, refusal error) (inventory.Presence, error) {
			if refusal != nil {
				return inventory.Present, nil //nolint:nilerr // a rejected search shows nothing about one item, and is reported
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
		Texts: object.Texts[*model]{
			SummaryRead: summaryRead,
			Gone:        t.gone,
			Replace:     notReplaceable,
		},
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

func keyOf(m *model) string {
	if m.Code.IsUnknown() {
		return ""
	}
	return m.Code.Normal()
}

// look finds an item by its ID, or by its code if there is no ID in state.
func (t items) look(ctx context.Context, s *session.Session, m *model, age inventory.Age) (*found, error) {
	all, err := s.Inventory.Items(ctx, t.kind, age)
	if err != nil {
		return nil, err
	}
	if m.ID.ValueString() == "" {
		row, ok := all.ByCode(m.Code.ValueString())
		if !ok {
			return nil, nil //nolint:nilnil // absence is a result of a look
		}
		return &found{Item: row}, nil
	}
	row, ok := all.ByID(m.ID.ValueString())
	if !ok {
		return nil, nil //nolint:nilnil // absence is a result of a look
	}
	whole, err := t.completed(ctx, s, row, m.lacks(row))
	if err != nil {
		return nil, err
	}
	return m.found(ctx, whole)
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
func (t items) plan(ctx context.Context, c *change) diag.Diagnostics {
	if c.Session == nil {
		return nil
	}
	if c.Want != nil && !c.Creates() && c.Want.Active.ValueBool() && !c.Was.Active.ValueBool() {
		c.Planned.Activate(t.typeName, keyOf(c.Want))
	}
	if !c.Ready() {
		return nil
	}
	if c.Creates() {
		return t.count(ctx, c)
	}
	var diags diag.Diagnostics
	if labels := t.labelsWith(ctx, c); labels > 0 {
		diags.AddWarning(summaryInUse, inUse(c.Was.name(), labels))
	}
	if c.Destroys() {
		return diags
	}
	if removed := c.Want.removedSettings(c.Was); len(removed) > 0 {
		diags.AddAttributeWarning(path.Root("settings"), summarySettingsKept, settingsKept(t.kind, c.Was.name(), removed))
	}
	return diags
}

// count counts the items that the limit still allows, and warns about a plan that exceeds it.
func (t items) count(ctx context.Context, c *change) diag.Diagnostics {
	all, err := c.Inventory.Items(ctx, t.kind, inventory.Cached)
	if err != nil {
		return nil // check reports it
	}
	left := client.MaxItems - len(all.All()) - c.Planned.CreatesBeside(t.typeName, keyOf(c.Want)) - 1
	c.Want.remaining = &left
	if left >= 0 || len(all.All()) >= client.MaxItems { // then check returns an error
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(path.Root("code"), summaryOverLimit, overLimit(t.kind, left))}
}

// labelsWith counts the private labels that have a package, in the list that a run reads anyway. No list shows the
// add-ons of all private labels.
func (t items) labelsWith(ctx context.Context, c *change) int {
	if t.kind != client.KindPackage || len(c.Steps) == 0 {
		return 0
	}
	labels, err := c.Inventory.Labels(ctx, inventory.Cached)
	if err != nil {
		return 0 // it only affects a text
	}
	n := 0
	for _, label := range labels.All() {
		if label.AssignedPackage != nil && label.AssignedPackage.PackageID == c.Was.ID.ValueString() {
			n++
		}
	}
	return n
}

// check rejects what the API would reject: a code that exists, an item beyond the limit, and settings that cannot be
// sent. An apply leaves the first two to the API, which saves a search.
func (t items) check(ctx context.Context, c *change) diag.Diagnostics {
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
	case c.Live != nil:
		return diag.Diagnostics{t.codeTaken(c.Live.Item)}
	}
	all, err := c.Inventory.Items(ctx, t.kind, inventory.Cached)
	if err != nil {
		return diag.Diagnostics{diagnostic.ReadFailure(summaryList, "The list of "+t.kind.String()+"s").Diagnostic(err)}
	}
	if n := len(all.All()); n >= client.MaxItems {
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("code"), summaryLimit, limitReached(t.kind, c.Want.name(), n))}
	}
	return nil
}

var (
	errCodeTaken   = errors.New("another resource of this run has created the code")
	errStillActive = errors.New("the API accepted the call, but a read afterwards shows the item as active")
	errNotShown    = errors.New("a read afterwards does not show the item")
)

func (t items) take(ctx context.Context, c *change, s *step, now *model) error {
	if s.action == create {
		return t.create(ctx, c, now)
	}
	return t.send(ctx, c, s)
}

// create takes effect at most once for a code, also where two resources have it and one response is lost.
func (t items) create(ctx context.Context, c *change, now *model) error {
	order, err := c.Want.request()
	if err != nil {
		return err
	}
	done := c.Inventory.BeginItemWrite(t.kind)
	made, lost, err := c.Client.CreateItem(ctx, t.kind, order)
	done()
	if err != nil {
		return err
	}
	c.Inventory.RecordItem(t.kind, *made)
	if _, again := session.Shared(c.Session, newCreatedItems).LoadOrStore(made.ID, true); again {
		return errCodeTaken
	}
	if lost {
		c.Warn(t.responseLost(c.Want.name()))
	}
	c.Live = &found{Item: made}
	now.fillCreated(ctx, made)
	return nil
}

// createdItems are the IDs of the items that this run created.
type createdItems struct{ sync.Map }

func newCreatedItems(*session.Session) *createdItems { return &createdItems{} }

// send updates the item with what it does not have yet. The row of a search may lack what is compared, or the name of
// the active flag: then the item is read by itself.
func (t items) send(ctx context.Context, c *change, s *step) error {
	diff, err := missing(c, s, c.Live)
	if err != nil {
		return err
	}
	item, err := t.completed(ctx, c.Session, c.Live.Item, lacksForChange(c.Live.Item, diff))
	if err != nil {
		return err
	}
	if diff, err = missing(c, s, &found{Item: item}); err != nil || diff.IsEmpty() {
		return err
	}
	done := c.Inventory.BeginItemWrite(t.kind)
	err = c.Client.UpdateItem(ctx, t.kind, *item, diff)
	done()
	if err != nil || diff.Active == nil {
		return err
	}
	if *diff.Active {
		active := *item
		active.Active = true
		c.Inventory.RecordItem(t.kind, active)
		return nil
	}
	return t.isDeactivated(ctx, c.Session, item.ID)
}

// missing is what a live item lacks of an update or a deactivation.
func missing(c *change, s *step, live *found) (client.ItemChange, error) {
	if s.action == update {
		return c.Want.diff(c.Was, live)
	}
	if live.HasActive() && !live.Active {
		return client.ItemChange{}, nil
	}
	off := false
	return client.ItemChange{Active: &off}, nil
}

// isDeactivated proves a deactivation by a read. An API that does not show the flag is believed.
func (t items) isDeactivated(ctx context.Context, s *session.Session, id string) error {
	all, err := s.Inventory.Items(ctx, t.kind, inventory.Current)
	if err != nil {
		return err
	}
	row, ok := all.ByID(id)
	if !ok {
		return errNotShown
	}
	item, err := t.completed(ctx, s, row, !row.HasActive())
	if err == nil && item.HasActive() && item.Active {
		return errStillActive
	}
	return err
}

func (t items) failed(ctx context.Context, c *change, s *step, err error) diag.Diagnostics {
	switch {
	case s.action == create:
		if errors.Is(err, errCodeTaken) || transport.IsCode(err, client.CodeCodeInUse) {
			if all, readErr := c.Inventory.Items(ctx, t.kind, inventory.Fresh); readErr == nil {
				if item, ok := all.ByCode(s.code); ok {
					return diag.Diagnostics{t.codeTaken(item)}
				}
			}
		}
		return diag.Diagnostics{t.createFailure(s.code).Diagnostic(err)}
	case c.Creates():
		return diag.Diagnostics{diag.NewErrorDiagnostic(summaryNotDeactivated, notDeactivated(t.kind, s.code, err))}
	default:
		return diag.Diagnostics{t.updateFailure(s).Diagnostic(err)}
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
		return nil, diag.Diagnostics{diag.NewErrorDiagnostic(summaryNotFound, notImported(t.kind, given))}
	}
	return []string{item.ID}, nil
}
