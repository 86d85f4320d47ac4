// Package catalog implements reseller_package and reseller_addon, which differ only in their endpoints, with their data
// sources and lists.
package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Entry is what the provider has of the catalog.
var Entry = registration.Entry{
	Resources: []registration.Type{Package, Addon},
	DataSources: []func() datasource.DataSource{
		itemData(packages).New, itemData(addons).New, listData(packages).New, listData(addons).New,
	},
	Lists: []*registration.Listing{listing(packages, Package), listing(addons, Addon)},
}

// Package is reseller_package, Addon reseller_addon.
var (
	Package = object.New[*model](packages)
	Addon   = object.New[*model](addons)
)

var (
	packages = kind{client.KindPackage, session.TypePackage, TopicPackageCode}
	addons   = kind{client.KindAddon, session.TypeAddon, TopicAddonCode}
)

// kind is what differs between the two types.
type kind struct {
	items    client.Kind
	typeName string // without the provider's prefix
	topic    effect.Topic
}

type (
	request = object.Request[*model]
	view    = object.View[*model]
)

func (k kind) Describe() object.Description {
	return object.Description{
		Type:        k.typeName,
		Identity:    []object.Attribute{{Name: "id", Description: fmt.Sprintf("ID of the %s, 32 lowercase hex characters.", k.items)}},
		Subject:     "code",
		SummaryRead: summaryRead,
		Policy: &effect.DeletionPolicy{
			Noun:   k.items.String(),
			Values: []string{effect.PolicyDeactivate, effect.PolicyAbandon, effect.PolicyPrevent},
			Loss:   "deactivates it",
		},
		LookBeforeCreate: object.DontLook, // the API rejects a code that exists
		LookBeforeUpdate: inventory.Cached,
	}
}

func (k kind) Name(_ context.Context, _ *session.Session, m *model) string {
	return fmt.Sprintf("The %s %s", k.items, m.name())
}

func (kind) Key(m *model) string { return m.Code.Normal() }

// Read finds an item by its ID, or by its code if there is no ID in state.
func (k kind) Read(ctx context.Context, s *session.Session, m *model, age inventory.Freshness) (*model, error) {
	if m.ID.ValueString() == "" {
		all, err := s.Inventory.Items(ctx, k.items, age)
		if err != nil {
			return nil, err
		}
		if row, ok := all.ByCode(m.Code.ValueString()); ok {
			return m.filledFrom(row), nil
		}
		return nil, nil //nolint:nilnil // absence is a result of a read
	}
	row, err := s.Inventory.FindItem(ctx, k.items, m.ID.ValueString(), age)
	if err != nil || row == nil {
		return nil, err
	}
	declared, err := settingsOf(m.Settings)
	if err != nil {
		return nil, unreadable(err)
	}
	row, isWhole, err := k.completed(ctx, s, row, m.lacks(row, declared), inventory.Current)
	if err != nil {
		return nil, err
	}
	return m.withSettingsOf(ctx, row, declared, isWhole)
}

// completed returns a row of a search, completed by a read of the item if needed. isWhole is whether the item can be read by
// itself, and was.
func (k kind) completed(
	ctx context.Context, s *session.Session, row *client.Item, needed bool, age inventory.Freshness,
) (item *client.Item, isWhole bool, err error) {
	if !needed {
		return row, false, nil
	}
	whole, err := s.Inventory.Item(ctx, k.items, row.ID, age)
	if err != nil || whole == nil {
		return row, false, err
	}
	return row.CompletedBy(whole), true, nil
}

func (k kind) Proof(m *model) inventory.Absence { return inventory.OfItem(k.items, m.ID.ValueString()) }

// change is one plan or apply of an item.
type change struct {
	*request
	kind    kind
	created *client.Item // by this apply
}

func (k kind) Begin(q *request) object.Change[*model] { return &change{request: q, kind: k} }

// Plan warns about what the steps do not show.
func (c *change) Plan(ctx context.Context) (diags diag.Diagnostics) {
	if c.Session == nil {
		return nil
	}
	if c.Want != nil && !c.Creates() && c.Want.Active.ValueBool() && !c.Was.Active.ValueBool() {
		c.Register.Activate(register.Object{Type: c.kind.typeName, Name: c.Want.Code.Normal()})
	}
	if !c.Creates() && len(c.Steps) > 0 && (c.Destroys() || !c.Want.isActive(c.Live) && c.Was.isActive(nil)) {
		at := path.Root("active")
		for _, host := range c.Register.Deactivate(register.Object{Type: c.kind.typeName, Name: c.Was.Code.Normal()}) {
			diags.Append(session.NotRestorable(at, host, c.Was.Code.Normal()))
		}
	}
	if !c.Ready() || c.Creates() {
		return nil
	}
	if labels := c.labelsWithIt(ctx); labels > 0 {
		diags.AddWarning(SummaryInUse, inUse(c.Was.name(), labels))
	}
	if c.Destroys() {
		return diags
	}
	// A value that is unknown or cannot be sent is no removal: the apply reports it.
	if _, removed, err := c.Want.settingsChange(c.Was); err == nil && len(removed) > 0 {
		diags.AddAttributeWarning(path.Root("settings"), SummarySettingsKept, fmt.Sprintf(settingsKept, c.kind.items, c.Was.name(), strings.Join(removed, ", ")))
	}
	return diags
}

// labelsWithIt counts the private labels that have a package, in the list that a run reads anyway. No list shows the
// add-ons of all private labels.
func (c *change) labelsWithIt(ctx context.Context) (n int) {
	if c.kind.items != client.KindPackage || len(c.Steps) == 0 {
		return 0
	}
	labels, err := c.Inventory.Labels(ctx, inventory.Cached)
	if err != nil {
		return 0 // it only affects a text
	}
	for _, label := range labels.All() {
		if held := label.AssignedPackage.Value; held != nil && held.PackageID == c.Was.ID.ValueString() {
			n++
		}
	}
	return n
}

// Check rejects what the API would reject: a code that exists, an item beyond the limit, and settings that cannot be
// sent. An apply leaves the first two to the API, which saves a search. It counts the items that the limit still allows.
func (c *change) Check(ctx context.Context) (diags diag.Diagnostics) {
	switch {
	case c.Destroys():
		return nil
	case c.Applying:
		if _, err := settingsOf(c.Want.Settings); err != nil {
			return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("settings"), summarySettings, diagnostic.Capitalize(err.Error())+". Nothing was sent.")}
		}
		return nil
	case !c.Creates() || !c.Ready():
		return nil
	}
	all, err := c.Inventory.Items(ctx, c.kind.items, inventory.Cached)
	if err != nil {
		return diag.Diagnostics{diagnostic.ReadFailure(summaryList, "The list of "+c.kind.items.String()+"s").Diagnostic(err)}
	}
	at, n := path.Root("code"), len(all.All())
	left := client.MaxItems - n - c.Register.CreatesBeside(register.Object{Type: c.kind.typeName, Name: c.Want.Code.Normal()}) - 1
	c.Want.remaining = &left
	if left < 0 && n < client.MaxItems {
		diags.AddAttributeWarning(at, SummaryOverLimit, fmt.Sprintf(overLimit, client.MaxItems-left, c.kind.items, client.MaxItems))
	}
	switch {
	case c.Live != nil:
		diags.Append(c.kind.codeTaken(c.Live.shown))
	case n >= client.MaxItems:
		diags.AddAttributeError(at, SummaryLimit, fmt.Sprintf(limitReached, n, c.kind.items, c.Want.name(), client.MaxItems, withArticle(c.kind.items)))
	}
	return diags
}

var errCodeTaken = errors.New("another resource of this run has created the code")

func (c *change) Take(ctx context.Context, s effect.Step, now *model) transport.Outcome {
	if s.Verb == create {
		return c.create(ctx, now)
	}
	return c.update(ctx, s)
}

// create takes effect at most once for a code, also where two resources have it and one response is lost.
func (c *change) create(ctx context.Context, now *model) transport.Outcome {
	settings, err := settingsOf(c.Want.Settings)
	if err != nil {
		return transport.NotDone(err)
	}
	done := c.Inventory.BeginItemWrite(c.kind.items)
	createdItem, o := c.Client.CreateItem(ctx, c.kind.items, client.ItemRequest{
		Code:     c.Want.Code.ValueString(),
		Name:     c.Want.Name.ValueString(),
		Currency: c.Want.Currency.Normal(), // the configuration may have "eur", which the API rejects
		Settings: settings,
	})
	done()
	if o.State != transport.Applied {
		return o
	}
	c.Inventory.RecordCreatedItem(c.kind.items, *createdItem)
	if _, again := session.Shared(c.Session, func(*session.Session) *createdItems { return &createdItems{} }).LoadOrStore(createdItem.ID, true); again {
		return transport.NotDone(errCodeTaken)
	}
	if o.ResponseLost {
		c.Warn(diag.NewWarningDiagnostic(summaryResponseLost, fmt.Sprintf(responseLost, c.kind.items, c.Want.name())))
	}
	c.created = createdItem
	now.fillCreated(ctx, createdItem)
	return o
}

// createdItems are the IDs of the items that this run created.
type createdItems struct{ sync.Map }

// update changes of the item what it does not have yet. The row of a search may lack what is compared, or the name of
// the active flag: then the item is read by itself.
func (c *change) update(ctx context.Context, s effect.Step) transport.Outcome {
	lacks := func(live *client.Item) (client.ItemChange, error) { // what it does not have of the step
		if s.Verb == update {
			return c.Want.diff(c.Was, live)
		}
		if live.HasActive() && !live.Active {
			return client.ItemChange{}, nil
		}
		return client.ItemChange{Active: new(bool)}, nil
	}
	live := cmp.Or(c.created, c.Live.item())
	if _, err := lacks(live); err != nil {
		return transport.NotDone(err)
	}
	item, _, err := c.kind.completed(ctx, c.Session, live, true, inventory.Current) // an update sends the whole item
	if err != nil {
		return transport.NotDone(err)
	}
	diff, err := lacks(item)
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
		return c.kind.deactivate(ctx, c.Session, item, diff)
	}
	o := c.kind.sendUpdate(ctx, c.Session, item, diff)
	if o.State == transport.Applied && diff.Active != nil {
		active := *item
		active.Active = true
		c.Inventory.RecordItem(c.kind.items, active)
	}
	return o
}

func (k kind) sendUpdate(ctx context.Context, s *session.Session, item *client.Item, diff client.ItemChange) transport.Outcome {
	done := s.Inventory.BeginItemWrite(k.items)
	defer done()
	return s.Client.UpdateItem(ctx, k.items, *item, diff)
}

// deactivate proves a deactivation by a read. The response of an API that does not show the flag is believed, if it arrives.
func (k kind) deactivate(ctx context.Context, s *session.Session, item *client.Item, diff client.ItemChange) transport.Outcome {
	accepted := false
	return transport.Settle(ctx, s.Client.Patience(), transport.Write{
		Op:      "deactivate the " + k.items.String(),
		Subject: item.Code,
		Send: func(ctx context.Context) transport.Outcome {
			o := k.sendUpdate(ctx, s, item, diff)
			accepted = o.State == transport.Applied
			return o
		},
		Read: func(ctx context.Context) (seen transport.Outcome, err error) {
			row, err := s.Inventory.FindItem(ctx, k.items, item.ID, inventory.Fresh)
			if err != nil || row == nil {
				return transport.SeenIf(false), err
			}
			if row, _, err = k.completed(ctx, s, row, !row.HasActive(), inventory.Fresh); err != nil {
				return seen, err
			}
			if !row.HasActive() && !accepted {
				return transport.Outcome{Seen: fmt.Sprintf("The API does not show whether the %s is active.", k.items), Reason: transport.ReasonHidden}, nil
			}
			return transport.SeenIf(!row.HasActive() || !row.Active), nil
		},
		Proven: true,
	})
}

func (c *change) Failed(ctx context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics {
	if c.Creates() && s.Verb == deactivate {
		return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryNotDeactivated, notDeactivated(c.kind.items, s.Name, o))}
	}
	if o.State == transport.Absent && s.Verb == create && (errors.Is(o.Err, errCodeTaken) || transport.IsCode(o.Err, client.CodeCodeInUse)) {
		if all, readErr := c.Inventory.Items(ctx, c.kind.items, inventory.Fresh); readErr == nil {
			if item, ok := all.ByCode(s.Name); ok {
				return diag.Diagnostics{c.kind.codeTaken(item)}
			}
		}
	}
	return diag.Diagnostics{c.kind.failure(s, o).Of(o)}
}

// ReadBack warns about what the API did not keep of an item that was created. An update is read back in Take.
func (c *change) ReadBack(ctx context.Context, _ *model) diag.Diagnostics {
	if c.created == nil {
		return nil
	}
	declared, err := settingsOf(c.Want.Settings)
	if err != nil {
		return nil // it was sent
	}
	item, isWhole := c.created, false
	if len(declared) > 0 { // a response may repeat the request
		whole, err := c.Inventory.Item(ctx, c.kind.items, item.ID, inventory.Current)
		switch {
		case err != nil:
			return nil // the next refresh reads it
		case whole != nil:
			item, isWhole = whole, true
		}
	}
	now := maps.Clone(declared)
	if err := combine(now, item.Settings, fwtype.DeclaredPart); err != nil {
		return nil
	}
	lost := c.Want.otherFields(item)
	for _, name := range notKept(now, declared, item, isWhole) {
		lost = append(lost, "settings."+name)
	}
	if len(lost) == 0 {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(SummaryNotKept,
		fmt.Sprintf(notKeptByAPI, diagnostic.Capitalize(c.kind.items.String()), c.Want.name(), strings.Join(lost, ", ")))}
}

// Import resolves an ID or a code. The ID takes precedence, because an ID may also be the code of another item. An ID that
// a search lacks is read by itself.
func (k kind) Import(ctx context.Context, s *session.Session, given string) ([]string, diag.Diagnostics) {
	id := ""
	if fwtype.IDForm.MatchString(given) {
		id = given
	}
	all, err := s.Inventory.CatalogWith(ctx, k.items, id, inventory.Current)
	if err != nil {
		return nil, diag.Diagnostics{diagnostic.ReadFailure(summaryRead, diagnostic.Capitalize(k.items.String())+" "+given).Diagnostic(err)}
	}
	item, ok := all.ByID(given)
	if !ok {
		item, ok = all.ByCode(given)
	}
	if !ok {
		return nil, diag.Diagnostics{diag.NewErrorDiagnostic(summaryNotFound, fmt.Sprintf(notImported, k.items, cmp.Or(given, `""`), withArticle(k.items)))}
	}
	return []string{item.ID}, nil
}
