// Package assignment is reseller_assignment: the package and add-ons of a private label.
package assignment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
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
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// Entry is what the provider has of assignments.
var Entry = registration.Entry{Resources: []registration.Type{Assignment}, Lists: []*registration.Listing{listed}}

// Assignment is reseller_assignment.
var Assignment = object.New[*model](resource{})

type resource struct{}

type (
	change = object.Change[*model]
	view   = object.View[*model]
)

func (resource) Traits() object.Traits {
	return object.Traits{
		Type:        "assignment",
		Identity:    []object.Attribute{{Name: "private_label_id", Description: "Private label ID (tenant ID), 32 lowercase hex characters."}},
		Subject:     "private_label_id",
		Validate:    validateCodes,
		SummaryRead: summaryRead,
		Policy: &effect.DeletionPolicy{
			Noun:   "assignment of",
			Values: []string{effect.PolicyRemove, effect.PolicyAbandon, effect.PolicyPrevent},
			Loss:   "removes the package with its add-ons, which stay billed until the end of the billing period",
		},
		StaleCodes:       []string{client.CodeAlreadyAssigned, client.CodeAlreadyAttached, client.CodeNotAssigned, client.CodeAddonNotFound},
		Resumes:          true,
		NotReplaceable:   notReplaceable,
		ReadBeforeCreate: inventory.Cached,
	}
}

func (resource) Name(ctx context.Context, s *session.Session, m *model) string {
	return "assignment of " + hostOf(ctx, s, m)
}

func hostOf(ctx context.Context, s *session.Session, m *model) string {
	return s.HostOf(ctx, m.PrivateLabelID.ValueString())
}

func (resource) Key(*model) string {
	return register.OnlyOne
}

func (resource) Light(m *model, _ int) inventory.Seen {
	if m.AssignmentID.IsNull() { // after an import
		return inventory.Seen{}
	}
	return inventory.Seen{Label: m.PrivateLabelID.ValueString(), PackageID: m.PackageID.ValueString()}
}

// Read reads an assignment. The list of private labels shows which ones have none; the detail is read where it is needed. A
// fresh read of a private label without a package is not nil, so that the steps start from nothing.
func (resource) Read(ctx context.Context, s *session.Session, m *model, age inventory.Freshness) (*model, error) {
	id := m.PrivateLabelID.ValueString()
	if age == inventory.Fresh {
		now, err := inDetail(ctx, s, id, age)
		if err != nil {
			return nil, err
		}
		return m.filledFrom(now, false), nil
	}
	labels, err := s.Inventory.Labels(ctx, age)
	if err != nil {
		return nil, err
	}
	item, ok := labels.ByID(id)
	if !ok || !item.MayHavePackage() {
		return nil, nil //nolint:nilnil // absence is a result of a read
	}
	held := item.AssignedPackage.Value
	isTerse := held == nil || held.PackageID == "" || held.Code == ""
	isOther := isTerse || m.AssignmentID.IsNull() || m.PackageID.ValueString() != held.PackageID
	if isOther || m.showsAddons() {
		now, err := assigned(ctx, s, id, m.known())
		switch {
		case !isOther && s.Inventory.HidesSuspended(ctx, id, err): // only the list shows it
		case (age == inventory.Cached || isTerse) && errors.Is(err, errListOutdated):
			return nil, nil //nolint:nilnil // this run may have removed the package
		case err != nil:
			return nil, err
		default:
			return m.filledFrom(now, false), nil
		}
	}
	return m.filledFrom(holding{PackageID: held.PackageID, PackageCode: held.Code, PackageName: held.Name}, true), nil
}

var errPackageGone = fmt.Errorf("%w: its package is another one, or none", object.ErrChangedMeanwhile)

var errListOutdated = errors.New("the list of private labels shows a package, the detail shows none. Run again")

// assigned reads the assignment of a private label that has one.
func assigned(ctx context.Context, s *session.Session, label string, known inventory.Known) (holding, error) {
	a, err := s.Inventory.Assignment(ctx, label, known)
	if err == nil && a == nil {
		err = errListOutdated
	}
	return holding(*cmp.Or(a, &client.Assignment{})), err
}

// inDetail reads an assignment with its add-ons, which the list does not show; an empty one for none.
func inDetail(ctx context.Context, s *session.Session, label string, age inventory.Freshness) (holding, error) {
	a, err := s.Inventory.AssignedNow(ctx, label, age)
	return holding(*cmp.Or(a, &client.Assignment{})), err
}

// ReadToDestroy finds the add-ons, too. A refresh has read those of a state that has some.
func (k resource) ReadToDestroy(ctx context.Context, s *session.Session, m *model, age inventory.Freshness) (live *model, err error) {
	if m.showsAddons() {
		live, err = k.Read(ctx, s, m, age)
	}
	if !m.showsAddons() || live != nil && live.fromList {
		var now holding
		now, err = inDetail(ctx, s, m.PrivateLabelID.ValueString(), age)
		live = m.filledFrom(now, false)
	}
	if err != nil || live == nil || live.held.isEmpty() {
		return nil, err
	}
	return live, nil
}

func (resource) Absence(m *model) inventory.Absence {
	return inventory.OfAssignment(m.PrivateLabelID.ValueString())
}

// operation is one plan or apply of an assignment.
type operation struct {
	*change
	before     holding
	budget     excessBudget
	assignedID string        // ID of the assignment that this apply made
	inDoubt    []effect.Step // may be in effect: one, or none
	restored   []effect.Step // by the apply
	missing    []effect.Step // to add again, and not restored
	unread     bool          // no read shows what is missing
	rejection  string        // why the first of them was not confirmed

	// What the catalog shows; nil if it was not read.
	packages, addons *inventory.Catalog
}

func (resource) Begin(c *change) object.Operation[*model] {
	allowed, _ := c.Subject().allowed()
	op := &operation{change: c, before: heldBefore(c.Was, c.Live)}
	op.budget = newExcessBudget(allowed, op.before.Allocated)
	op.budget.resumes = c.Creates() && !op.before.isEmpty()
	if c.Kept != nil && c.Want.managesAddons() && !c.Kept.managesAddons() {
		c.Kept.Addons = c.Want.Addons // managed from now on, also after a failure
	}
	return op
}

// Plan plans the computed attributes that the steps change, and has the rules that only a plan can explain.
func (op *operation) Plan(ctx context.Context) (diags diag.Diagnostics) {
	if op.Destroys() || op.Creates() {
		return nil
	}
	host := hostOf(ctx, op.Session, op.Was)
	want := op.Want
	if want.PrivateLabelID.IsUnknown() {
		diags.AddAttributeWarning(path.Root("private_label_id"), SummaryLabelLater, sentencePrefix(host)+labelLater)
	}
	// Another package needs consent, because up to both are billed. One that is known after apply may be the same.
	if !want.PackageID.Equal(op.Was.PackageID) && !want.mayChangePackage() {
		if want.PackageID.IsUnknown() {
			diags.Append(packageLater(host, op.Was.PackageCode.ValueString(), "allow_package_change is not true"))
		} else {
			id := want.PackageID.ValueString()
			detail := fmt.Sprintf(packageChangeRejected, sentencePrefix(host), fwtype.Display(op.Was.PackageCode), cmp.Or(op.CodeOf(ctx, id), id))
			diags.AddAttributeError(path.Root("package_id"), SummaryPackageChange, detail)
		}
	}
	if len(op.Steps) > 0 {
		// An apply reads these values again. An unknown `allocated` says that the apply makes API calls.
		want.Allocated = types.ObjectUnknown(allocatedAttrs)
		want.AttachedAddons = types.MapUnknown(attachedAddonType)
		if want.changesPackage(op.Was.holding()) {
			want.AssignmentID = types.StringUnknown()
			want.PackageCode = types.StringUnknown()
			want.PackageName = types.StringUnknown()
			want.Currency = types.StringUnknown()
			want.AssignedAt = timetypes.NewRFC3339Unknown()
		}
	}
	if old := op.Was.PackageCode.ValueString(); op.Session != nil && want.changesPackage(op.Was.holding()) && !diags.HasError() {
		if op.Register.Leave(register.Object{Type: session.TypePackage, Name: normal(old)}, host) || isInactive(ctx, op, op.Was.PackageID.ValueString()) {
			diags.Append(session.NotRestorable(path.Root("package_id"), host, old))
		}
	}
	becomesManaged := want.managesAddons() && !op.Was.managesAddons()
	if becomesManaged && len(op.Steps) == 0 && !diags.HasError() && op.Ready() { // without a step, nothing is checked
		diags.Append(rejectUnannounced(ctx, op)...)
	}
	return diags
}

// isInactive reports whether the catalog shows that a package is inactive. It only affects a warning.
func isInactive(ctx context.Context, op *operation, packageID string) bool {
	if !op.Ready() {
		return false
	}
	item, err := op.Inventory.FindItem(ctx, client.KindPackage, packageID, inventory.Cached)
	return err == nil && item != nil && !item.Active
}

// Check has the rules of a plan that an apply holds as well, before its first call. It rejects items that the catalog
// does not have, and a package that cannot be assigned. If the apply removes something before it adds something else,
// the catalog is read now.
func (op *operation) Check(ctx context.Context) diag.Diagnostics {
	if op.Destroys() || !op.Ready() {
		return nil
	}
	diags := rejectUnannounced(ctx, op)
	if diags.HasError() || !slices.ContainsFunc(op.Steps, adds) {
		return diags
	}
	age := inventory.Cached
	switch {
	case op.Applying && !adds(op.Steps[0]): // removals come first
		age = inventory.Fresh
	case op.Applying:
		age = inventory.Current
	}
	switch err := readCatalog(ctx, op, age); {
	case err != nil && op.Applying:
		return op.Explain(ctx, op.Steps[0], transport.NotDone(err))
	case err != nil:
		return diags // the apply checks it
	}
	return append(diags, catalogProblems(op, hostOf(ctx, op.Session, op.Want))...)
}

// rejectUnannounced rejects what would have to be changed or removed without being announced: the package or add-ons that a create
// finds, and add-ons that were attached outside of Terraform.
func rejectUnannounced(ctx context.Context, op *operation) (diags diag.Diagnostics) {
	if op.Creates() {
		return rejectUnannouncedCreate(ctx, op)
	}
	host := hostOf(ctx, op.Session, op.Want)
	want := *op.Want
	known := op.Was.holding()
	have := known
	id := op.Was.PrivateLabelID.ValueString()
	changes := want.changesPackage(known)
	if !op.Was.showsAddons() || changes && op.Live == nil && op.Inventory.IsSuspended(ctx, id) {
		if op.Live == nil {
			now, err := inDetail(ctx, op.Session, id, inventory.Current)
			if err != nil {
				return diagnostic.ReadFailure(summaryRead, "The assignment of "+host, err)
			}
			if now.PackageID != known.PackageID {
				return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryMoved, fmt.Sprintf(packageMoved, sentencePrefix(host), cmp.Or(known.PackageCode, known.PackageID)))}
			}
			op.Live = op.Was.filledFrom(now, false)
		}
		have = heldBefore(op.Was, op.Live)
	}
	if changes && op.Live != nil && op.Live.held.AddonsUnproven {
		diags.AddAttributeError(path.Root("package_id"), SummaryAddonsNotShown, fmt.Sprintf(addonsNotShown, sentencePrefix(host)))
		return diags
	}
	if want.PackageID.IsUnknown() {
		if others := want.conflicts(have, known); len(others) > 0 {
			diags.Append(packageLater(host, known.PackageCode, fmt.Sprintf(detachesOthers, addonsInWords(others))))
		}
		want.PackageID = op.Was.PackageID // assume that the package stays, which is the least that the apply may do
	}
	if others := want.conflicts(have, known); len(others) > 0 {
		why := "The plan cannot announce that they change or are detached."
		if want.changesPackage(have) {
			why = "A package change detaches all add-ons, and the plan could not announce that."
		}
		diags.AddAttributeError(path.Root("addons"), SummaryOtherAddons, fmt.Sprintf(attachedElsewhere, sentencePrefix(host), addonsInWords(others), why))
	}
	return diags
}

func rejectUnannouncedCreate(ctx context.Context, op *operation) (diags diag.Diagnostics) {
	host := hostOf(ctx, op.Session, op.Want)
	id := op.Want.PrivateLabelID.ValueString()
	want := *op.Want
	have := heldBefore(nil, op.Live)
	if have.isEmpty() {
		if op.Applying || id == "" || !op.LacksLabel(ctx, id) {
			return nil
		}
		// The list may be older than a provisioning, so that the detail decides.
		presence, err := inventory.OfLabel(id)(ctx, op.Inventory, op.Slug(ctx), nil)
		switch {
		case err != nil:
			return diagnostic.ReadFailure(summaryRead, "The assignment of private label "+id, err)
		case presence == inventory.Absent:
			diags.AddAttributeError(path.Root("private_label_id"), session.SummaryLabelNotFound, fmt.Sprintf(labelMissing, id))
		}
		return diags
	}
	listed, _ := op.ListedHost(id)
	block := session.ClientImportBlock("reseller_assignment", id, listed, "reseller_assignment.this[0]")
	switch {
	case want.PackageID.IsUnknown():
		diags.Append(packageLater(host, have.PackageCode, "creating this resource does not change it"))
	case want.changesPackage(have):
		other := fmt.Sprintf(otherPackage, sentencePrefix(host), cmp.Or(have.PackageCode, have.PackageID), block)
		diags.AddAttributeError(path.Root("package_id"), SummaryOtherPackage, other)
		return diags
	}
	want.PackageID = types.StringValue(have.PackageID)
	if others := want.conflicts(have, holding{}); len(others) > 0 {
		other := fmt.Sprintf(otherAddons, sentencePrefix(host), addonsInWords(others), block)
		diags.AddAttributeError(path.Root("addons"), SummaryOtherAddons, other)
	}
	return diags
}

// readCatalog reads the items of the catalog that a configuration refers to.
func readCatalog(ctx context.Context, op *operation, age inventory.Freshness) (err error) {
	items := func(k client.Kind, find func(*inventory.Catalog, string) (*client.Item, bool), names ...string) (*inventory.Catalog, error) {
		catalog, err := op.Inventory.Items(ctx, k, age)
		lacks := func(name string) bool { _, ok := find(catalog, name); return !ok }
		if err == nil && age == inventory.Cached && slices.ContainsFunc(names, lacks) { // by an item that this run created
			return op.Inventory.Items(ctx, k, inventory.Current)
		}
		return catalog, err
	}
	id := op.Want.PackageID.ValueString()
	codes := fwtype.SortedKeys(op.Want.wanted())
	if id != "" {
		op.packages, err = items(client.KindPackage, (*inventory.Catalog).ByID, id)
	}
	if err == nil && id != "" && op.item(assign(id, "")) == nil { // which a search may hide
		op.packages, err = op.Inventory.CatalogWith(ctx, client.KindPackage, id, age)
	}
	if err == nil && len(codes) > 0 {
		op.addons, err = items(client.KindAddon, (*inventory.Catalog).ByCode, codes...)
	}
	return err
}

// catalogProblems finds what the API would reject after other steps: an item that is not in the catalog, and an inactive
// package.
func catalogProblems(op *operation, host string) (diags diag.Diagnostics) {
	have := heldBefore(op.Was, op.Live)
	at := path.Root("package_id")
	// What this plan creates or activates is no error. The apply checks the catalog itself.
	pending := func(typeName, code string) bool {
		return !op.Applying && op.Register.Provides(register.Object{Type: typeName, Name: normal(code)})
	}
	for _, s := range op.Steps {
		item := op.item(s)
		_, attached := have.addon(s.Name)
		switch {
		case s.Verb == stepAssign && item == nil && s.ID != "":
			diags.AddAttributeError(at, SummaryPackageNotFound, fmt.Sprintf(packageNotFound, sentencePrefix(host), s.ID))
		case s.Verb == stepAssign && item != nil && !item.Active && !pending(session.TypePackage, item.Code):
			diags.AddAttributeError(at, SummaryPackageInactive, fmt.Sprintf(packageInactive, sentencePrefix(host), item.Code))
		case s.Verb == stepAttach && item == nil && s.Name != "" && !attached && !pending(session.TypeAddon, s.Name):
			diags.AddAttributeError(addonPath(op.Want, s.Name), SummaryAddonNotFound, fmt.Sprintf(addonNotFound, sentencePrefix(host), s.Name))
		}
	}
	return diags
}

// item is what the catalog shows of the package or add-on that a step adds, nil if nothing.
func (op *operation) item(s effect.Step) (item *client.Item) {
	switch {
	case s.Verb == stepAssign && op.packages != nil:
		item, _ = op.packages.ByID(s.ID)
	case s.Verb == stepAttach && op.addons != nil:
		item, _ = op.addons.ByCode(s.Name)
	}
	return item
}

// completed is a step with the code of a package or the ID of an add-on.
func (op *operation) completed(s effect.Step) effect.Step {
	if item := op.item(s); item != nil {
		s.ID = cmp.Or(s.ID, item.ID)
		s.Name = cmp.Or(s.Name, item.Code)
	}
	return s
}

// written are the completed steps of this apply that are in effect.
func (op *operation) written() []effect.Step {
	return slice.Map(op.Done, op.completed)
}

// Execute makes the call of a step. An excess may be that of another run, which has taken this very step.
func (op *operation) Execute(ctx context.Context, s effect.Step, _ *model) (o transport.Outcome) {
	if isUnseen(s) { // the removal of the package has done it
		return transport.Done()
	}
	id := op.Subject().PrivateLabelID.ValueString()
	if s.Verb == stepRemove && (len(op.Done) > 0 || !op.Destroys()) { // else the read was just now
		// The API removes any package, with all add-ons that the private label has.
		now, err := inDetail(ctx, op.Session, id, inventory.Fresh)
		if err != nil {
			return transport.NotDone(err)
		}
		unseen := now.AddonsUnproven && !slices.ContainsFunc(op.Steps, isUnseen)
		switch {
		case now.PackageID != s.ID:
			return transport.NotDone(errPackageGone)
		case len(now.Addons) > 0 || unseen:
			return transport.NotDone(object.ErrChangedMeanwhile)
		}
	}
	done := op.Inventory.BeginWrite(id)
	defer done()
	s = op.completed(s)
	switch s.Verb {
	case stepDetach:
		attached, _ := heldBefore(op.Was, op.Live).addon(s.Name)
		return op.Client.RemoveAddon(ctx, id, client.AttachedAddon{SubscriptionAddonID: attached.SubscriptionAddonID, AddonID: s.ID, Code: s.Name})
	case stepRemove:
		return op.Client.RemovePackage(ctx, id)
	case stepAttach:
		o = op.Client.AttachAddon(ctx, id, s.ID, s.Quantity.ValueFloat64(), op.budget)
	default:
		op.assignedID, o = op.Client.AssignPackage(ctx, id, s.ID, op.budget)
	}
	if _, ok := errors.AsType[*client.ExcessError](o.Err); ok {
		o.Err = errors.Join(o.Err, object.ErrChangedMeanwhile)
	}
	return o
}

// ReadBack reads the assignment after the last step, and believes only what it shows.
func (op *operation) ReadBack(ctx context.Context, now *model) diag.Diagnostics {
	id := op.Want.PrivateLabelID.ValueString()
	var known inventory.Known
	if assignmentID := cmp.Or(op.assignedID, now.AssignmentID.ValueString()); assignmentID != "" {
		known = inventory.Known{Addons: true, Agrees: func(a *client.Assignment) bool {
			return a.ID == assignmentID && len(steps(holding(*a), op.Want)) == 0
		}}
	}
	op.Inventory.ExpectAssignment(id, func(a *client.Assignment) bool { return a != nil && len(steps(holding(*a), op.Want)) == 0 })
	detached, cancel := transport.DetachedContext(ctx)
	defer cancel()
	after, err := assigned(detached, op.Session, id, known) // which waits for what the steps have made
	host := op.HostOf(ctx, id)
	switch {
	case errors.Is(err, errListOutdated), client.MayBeGone(err):
		after = holding{}
	case err != nil:
		return applyFailure(op, host, notReadBack, transport.NotDone(err), nil)
	}
	left := steps(after, op.Want)
	switch {
	case len(left) == 0:
		op.Inventory.AssignmentShown(id)
		*now = *now.filledFrom(after, false)
		return nil
	case !op.isStage(after):
		op.Inventory.AssignmentShown(id)
		return movedError(op, fmt.Sprintf(notInEffect, sentencePrefix(host), stepsInWords(left)))
	case op.Creates():
		*now = *now.filledFrom(op.confirmed(), false)
		return diag.Diagnostics{diag.NewWarningDiagnostic(object.SummaryNotRead, fmt.Sprintf(assignedNotShown, sentencePrefix(host)))}
	default:
		return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryUpdate,
			diagnostic.JoinParagraphs(fmt.Sprintf(updatedNotShown, sentencePrefix(host), stepsInWords(left)), report(op),
				"Plan again in a few minutes to see what is in effect."))}
	}
}

// isStage reports whether a private label may have been read late: it has what it had before the apply, or between two steps.
func (op *operation) isStage(found holding) bool {
	stage := op.before
	for _, s := range op.written() {
		if stage.isSame(found) {
			return true
		}
		stage = stage.after(s)
	}
	return false
}

// confirmed is what the private label has according to the responses, with the names of the catalog.
func (op *operation) confirmed() holding {
	h := op.before
	for _, s := range op.written() {
		h = h.after(s)
	}
	h.ID = op.assignedID
	if item := op.item(assign(h.PackageID, "")); item != nil {
		h.PackageCode = item.Code
		h.PackageName = item.Name
		h.Currency = item.Currency
	}
	for i, addon := range h.Addons {
		if item := op.item(attach("", addon.Code, types.Float64Null())); item != nil {
			h.Addons[i].Name = item.Name
		}
	}
	return h
}

// Explain explains an apply that stopped at a step.
func (op *operation) Explain(ctx context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics {
	restore(ctx, op, s, o)
	host := hostOf(ctx, op.Session, op.Subject())
	s = op.completed(s)
	if op.Creates() && len(op.Done) == 0 {
		if diags := rejectUnannounced(ctx, op); diags.HasError() { // another run was faster
			return diags
		}
	}
	if excess, ok := errors.AsType[*client.ExcessError](o.Err); ok {
		if why, rejected := errors.AsType[*excessRejectedError](excess.Err); rejected && op.Creates() && len(op.Done) > 0 {
			detached, cancel := transport.DetachedContext(ctx)
			defer cancel()
			now, _ := op.readAgain(detached)
			why.countNow(excess.Warnings, now.Allocated)
		}
		return diag.Diagnostics{exceeds(host, op, s, excess)}
	}
	failure := notTaken(s) + "."
	removal := s.Verb == stepRemove || s.Verb == stepDetach
	gone := errors.Is(o.Err, errPackageGone) || transport.IsCode(o.Err, client.CodeNotAssigned, client.CodeAddonNotFound)
	if removal && gone { // perhaps, and the read late
		failure = subject(s) + " " + saying[s.Verb].couldNotBe + "."
	}
	if !errors.Is(o.Err, object.ErrChangedMeanwhile) {
		return applyFailure(op, host, failure, o, remedies(op, s))
	}
	moved := sentencePrefix(host) + "the package or the add-ons changed outside of Terraform while this apply was running, so " + failure
	if now := heldBefore(nil, op.Live); s.Verb == stepRemove && len(now.Addons) > 0 {
		moved += " Attached: " + addonsInWords(now.sorted()) + "."
	}
	return movedError(op, moved)
}

// Import takes a private label ID or a host name.
func (resource) Import(ctx context.Context, s *session.Session, given string) ([]string, diag.Diagnostics) {
	id, diags := s.LookUp(ctx, given)
	if diags.HasError() {
		return nil, diags
	}
	a, err := s.Inventory.Assignment(ctx, id, inventory.Known{})
	switch {
	case err != nil:
		diags.Append(diagnostic.ReadFailure(summaryRead, "The assignment of "+given, err)...)
	case a == nil:
		diags.AddError(summaryNoImport, fmt.Sprintf(notAssigned, given))
	}
	return []string{id}, diags
}
