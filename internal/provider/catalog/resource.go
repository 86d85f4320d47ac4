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
	packages = resource{client.KindPackage, session.TypePackage, TopicPackageCode}
	addons   = resource{client.KindAddon, session.TypeAddon, TopicAddonCode}
)

// resource is what differs between the two types.
type resource struct {
	items    client.Kind
	typeName string // without the provider's prefix
	topic    effect.Topic
}

type (
	change = object.Change[*model]
	view   = object.View[*model]
)

func (k resource) Traits() object.Traits {
	return object.Traits{
		Type:        k.typeName,
		Identity:    []object.Attribute{{Name: "id", Description: fmt.Sprintf("ID of the %s, 32 lowercase hex characters.", k.items)}},
		Subject:     "code",
		Validate:    validateSettings,
		SummaryRead: summaryRead,
		Policy: &effect.DeletionPolicy{
			Noun:   k.items.String(),
			Values: []string{effect.PolicyDeactivate, effect.PolicyAbandon, effect.PolicyPrevent},
			Loss:   "deactivates it",
		},
		NotReplaceable:   notReplaceable,
		ReadBeforeCreate: object.DontRead, // the API rejects a code that exists
		ReadBeforeUpdate: inventory.Cached,
	}
}

func (k resource) Name(_ context.Context, _ *session.Session, m *model) string {
	return fmt.Sprintf("%s %s", k.items, m.name())
}

func (resource) Key(m *model) string {
	return m.Code.Normal()
}

// Read finds an item by its ID, or by its code if there is no ID in state.
func (k resource) Read(ctx context.Context, s *session.Session, m *model, age inventory.Freshness) (*model, error) {
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
func (k resource) completed(
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

func (k resource) Absence(m *model) inventory.Absence {
	return inventory.OfItem(k.items, m.ID.ValueString())
}

// operation is one plan or apply of an item.
type operation struct {
	*change
	item    resource
	created *client.Item // by this apply
}

func (k resource) Begin(c *change) object.Operation[*model] {
	return &operation{change: c, item: k}
}

// Plan warns about what the steps do not show.
func (op *operation) Plan(ctx context.Context) (diags diag.Diagnostics) {
	if op.Session == nil {
		return nil
	}
	if op.Want != nil && !op.Creates() && op.Want.Active.ValueBool() && !op.Was.Active.ValueBool() {
		op.Register.Activate(register.Object{Type: op.item.typeName, Name: op.Want.Code.Normal()})
	}
	if !op.Creates() && len(op.Steps) > 0 && (op.Destroys() || !op.Want.isActive(op.Live) && op.Was.isActive(nil)) {
		at := path.Root("active")
		for _, host := range op.Register.Deactivate(register.Object{Type: op.item.typeName, Name: op.Was.Code.Normal()}) {
			diags.Append(session.NotRestorable(at, host, op.Was.Code.Normal()))
		}
	}
	if !op.Ready() || op.Creates() {
		return nil
	}
	if op.Destroys() {
		return diags
	}
	if labels := op.labelsWithIt(ctx); labels > 0 {
		diags.AddWarning(SummaryInUse, inUse(op.Was.name(), labels))
	}
	// A value that is unknown or cannot be sent is no removal: the apply reports it.
	if _, removed, err := op.Want.settingsChange(op.Was); err == nil && len(removed) > 0 {
		diags.AddAttributeWarning(path.Root("settings"), SummarySettingsKept, fmt.Sprintf(settingsKept, op.item.items, op.Was.name(), strings.Join(removed, ", ")))
	}
	return diags
}

// labelsWithIt counts the private labels that have a package, in the list that a run reads anyway. No list shows the
// add-ons of all private labels.
func (op *operation) labelsWithIt(ctx context.Context) (n int) {
	if op.item.items != client.KindPackage || len(op.Steps) == 0 {
		return 0
	}
	labels, err := op.Inventory.Labels(ctx, inventory.Cached)
	if err != nil {
		return 0 // it only affects a text
	}
	for _, label := range labels.All() {
		if held := label.AssignedPackage.Value; held != nil && held.PackageID == op.Was.ID.ValueString() {
			n++
		}
	}
	return n
}

// Check rejects what the API would reject: a code that exists, an item beyond the limit, and settings that cannot be
// sent. An apply leaves the first two to the API, which saves a search. It counts the items that the limit still allows.
func (op *operation) Check(ctx context.Context) (diags diag.Diagnostics) {
	switch {
	case op.Destroys():
		return nil
	case op.Applying:
		if _, err := settingsOf(op.Want.Settings); err != nil {
			return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("settings"), summarySettings, diagnostic.Capitalize(err.Error())+". Nothing was sent.")}
		}
		return nil
	case !op.Creates() || !op.Ready():
		return nil
	}
	all, err := op.Inventory.Items(ctx, op.item.items, inventory.Cached)
	if err != nil {
		return diagnostic.ReadFailure(summaryList, "The list of "+op.item.items.String()+"s", err)
	}
	at := path.Root("code")
	n := len(all.All())
	left := client.MaxItems - n - op.Register.CreatesBeside(register.Object{Type: op.item.typeName, Name: op.Want.Code.Normal()}) - 1
	op.Want.remaining = &left
	if left < 0 && n < client.MaxItems {
		diags.AddAttributeWarning(at, SummaryOverLimit, fmt.Sprintf(overLimit, client.MaxItems-left, op.item.items, client.MaxItems))
	}
	switch {
	case op.Live != nil:
		diags.Append(op.codeTaken(op.Live.shown))
	case n >= client.MaxItems:
		diags.AddAttributeError(at, SummaryLimit, fmt.Sprintf(limitReached, n, op.item.items, op.Want.name(), client.MaxItems, withArticle(op.item.items)))
	}
	return diags
}

var errCodeTaken = errors.New("another resource of this run has created the code")

func (op *operation) Execute(ctx context.Context, s effect.Step, now *model) transport.Outcome {
	if s.Verb == create {
		return op.create(ctx, now)
	}
	return op.update(ctx, s)
}

// create takes effect at most once for a code, also where two resources have it and one response is lost.
func (op *operation) create(ctx context.Context, now *model) transport.Outcome {
	settings, err := settingsOf(op.Want.Settings)
	if err != nil {
		return transport.NotDone(err)
	}
	done := op.Inventory.BeginItemWrite(op.item.items)
	createdItem, o := op.Client.CreateItem(ctx, op.item.items, client.ItemRequest{
		Code:     op.Want.Code.ValueString(),
		Name:     op.Want.Name.ValueString(),
		Currency: op.Want.Currency.Normal(), // the configuration may have "eur", which the API rejects
		Settings: settings,
	})
	done()
	if o.State != transport.Applied {
		return o
	}
	op.Inventory.RecordCreatedItem(op.item.items, *createdItem)
	if op.Register.RecordCreated(register.Object{Type: op.item.typeName, ID: createdItem.ID}) {
		return transport.NotDone(errCodeTaken)
	}
	if o.ResponseLost {
		op.Warn(diag.NewWarningDiagnostic(summaryResponseLost, fmt.Sprintf(responseLost, op.item.items, op.Want.name())))
	}
	op.created = createdItem
	now.fillCreated(ctx, createdItem)
	return o
}

// update changes of the item what it does not have yet. The row of a search may lack what is compared, or the name of
// the active flag: then the item is read by itself.
func (op *operation) update(ctx context.Context, s effect.Step) transport.Outcome {
	lacks := func(live *client.Item) (client.ItemChange, error) { // what it does not have of the step
		if s.Verb == update {
			return op.Want.diff(op.Was, live)
		}
		if live.HasActive() && !live.Active {
			return client.ItemChange{}, nil
		}
		return client.ItemChange{Active: new(bool)}, nil
	}
	live := cmp.Or(op.created, op.Live.item())
	if _, err := lacks(live); err != nil {
		return transport.NotDone(err)
	}
	item, _, err := op.item.completed(ctx, op.Session, live, true, inventory.Current) // an update sends the whole item
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
		return op.item.deactivate(ctx, op.Session, item, diff)
	}
	o := op.item.sendUpdate(ctx, op.Session, item, diff)
	if o.State == transport.Applied && diff.Active != nil {
		active := *item
		active.Active = true
		op.Inventory.RecordItem(op.item.items, active)
	}
	return o
}

func (k resource) sendUpdate(ctx context.Context, s *session.Session, item *client.Item, diff client.ItemChange) transport.Outcome {
	done := s.Inventory.BeginItemWrite(k.items)
	defer done()
	return s.Client.UpdateItem(ctx, k.items, *item, diff)
}

// deactivate proves a deactivation by a read. The response of an API that does not show the flag is believed, if it arrives.
func (k resource) deactivate(ctx context.Context, s *session.Session, item *client.Item, diff client.ItemChange) transport.Outcome {
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

func (op *operation) Explain(ctx context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics {
	if op.Creates() && s.Verb == deactivate {
		return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryNotDeactivated, notDeactivated(op.item.items, s.Name, o))}
	}
	if o.State == transport.Absent && s.Verb == create && (errors.Is(o.Err, errCodeTaken) || transport.IsCode(o.Err, client.CodeCodeInUse)) {
		if all, readErr := op.Inventory.Items(ctx, op.item.items, inventory.Fresh); readErr == nil {
			if item, ok := all.ByCode(s.Name); ok {
				return diag.Diagnostics{op.codeTaken(item)}
			}
		}
	}
	return op.item.failure(s, o).Of(o)
}

// ReadBack warns about what the API did not keep of an item that was created. An update is read back in Execute.
func (op *operation) ReadBack(ctx context.Context, _ *model) diag.Diagnostics {
	if op.created == nil {
		return nil
	}
	declared, err := settingsOf(op.Want.Settings)
	if err != nil {
		return nil // it was sent
	}
	item := op.created
	isWhole := false
	if len(declared) > 0 { // a response may repeat the request
		whole, err := op.Inventory.Item(ctx, op.item.items, item.ID, inventory.Current)
		switch {
		case err != nil:
			return nil // the next refresh reads it
		case whole != nil:
			item = whole
			isWhole = true
		}
	}
	now := maps.Clone(declared)
	if err := combine(now, item.Settings, fwtype.DeclaredPart); err != nil {
		return nil
	}
	lost := op.Want.otherFields(item)
	for _, name := range notKept(now, declared, item, isWhole) {
		lost = append(lost, "settings."+name)
	}
	if len(lost) == 0 {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(SummaryNotKept,
		fmt.Sprintf(notKeptByAPI, diagnostic.Capitalize(op.item.items.String()), op.Want.name(), strings.Join(lost, ", ")))}
}

// Import resolves an ID or a code. The ID takes precedence, because an ID may also be the code of another item. An ID that
// a search lacks is read by itself.
func (k resource) Import(ctx context.Context, s *session.Session, given string) ([]string, diag.Diagnostics) {
	id := ""
	if fwtype.IDForm.MatchString(given) {
		id = given
	}
	all, err := s.Inventory.CatalogWith(ctx, k.items, id, inventory.Current)
	if err != nil {
		return nil, diagnostic.ReadFailure(summaryRead, diagnostic.Capitalize(k.items.String())+" "+given, err)
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
