package provider

import (
	"context"
	"errors"
	"sort"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// reach brings a label from what it has to what the plan wants, and returns
// what it has then. Each step that succeeded stays; a label is never left
// without the package it had.
func (r *assignmentResource) reach(ctx context.Context, plan *assignmentResourceModel, live *client.Assignment) (*client.Assignment, diag.Diagnostics) {
	id, host := plan.PrivateLabelID.ValueString(), r.hostOf(ctx, plan.PrivateLabelID.ValueString())
	consent, diags := plan.consent(ctx)
	if diags.HasError() {
		return nil, diags
	}
	wanted, d := r.resolveAddons(ctx, plan)
	diags.Append(d...)
	if diags.HasError() {
		return nil, diags
	}
	live, err := r.reachPackage(ctx, plan, live, consent)
	if err == nil {
		err = r.reachAddons(ctx, id, wanted, plan.managesAddons(), live, consent)
	}
	if err != nil {
		diags.Append(r.stepFailed(ctx, id, host, err))
		return nil, diags
	}
	after, err := r.assigned(ctx, id)
	if err != nil || after == nil {
		diags.Append(r.failure(ctx, id, "was changed, but not read back").diagnose(orMissing(err)))
	}
	return after, diags
}

// resolvedAddon is a wanted add-on with the ID that attaching it needs.
type resolvedAddon struct {
	id       string
	quantity int64
}

// resolveAddons finds the IDs of the wanted codes in the catalog. An unknown code is an error before the first write.
func (r *assignmentResource) resolveAddons(ctx context.Context, plan *assignmentResourceModel) (map[string]resolvedAddon, diag.Diagnostics) {
	var diags diag.Diagnostics
	wanted := plan.wanted()
	if len(wanted) == 0 {
		return nil, diags
	}
	catalog, err := r.inventory.Items(ctx, client.KindAddon)
	if err != nil {
		diags.Append(readFailure("The catalog of add-ons").diagnose(err))
		return nil, diags
	}
	out := map[string]resolvedAddon{}
	for _, code := range sortedKeys(wanted) {
		item, ok := catalog.ByCode(code)
		if !ok {
			diags.AddAttributeError(path.Root("addons").AtMapKey(wanted[code].code), "Add-on not found",
				"The reseller's catalog has no add-on with the code "+code+". Nothing was changed. Check the code, or create the add-on first.")
			continue
		}
		out[code] = resolvedAddon{item.ID, int64(wanted[code].quantity.ValueFloat64())}
	}
	return out, diags
}

func (r *assignmentResource) stepFailed(ctx context.Context, id, host string, err error) diag.Diagnostic {
	var over *client.ExcessError
	var other *otherPackageError
	switch {
	case errors.As(err, &over):
		return excess(host, over)
	case errors.As(err, &other):
		return otherPackage(host, other.code)
	default:
		return r.failure(ctx, id, "did not get all that was declared").diagnose(err)
	}
}

// otherPackageError: the label has another package than the declared one.
type otherPackageError struct{ code string }

func (e *otherPackageError) Error() string { return "the label has the package " + e.code }

func otherPackage(host, code string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("package_id"), host+" has another package",
		host+" has the package "+code+". A change of the package bills both for the whole period, so it is never done by itself. Nothing was written.\n\n"+
			"Declare the package that it has (and import the assignment by the host name); or, once the assignment is in state, set allow_package_change = true to change it.")
}

func (r *assignmentResource) reachPackage(ctx context.Context, plan *assignmentResourceModel, live *client.Assignment, consent client.Consent) (*client.Assignment, error) {
	id, want := plan.PrivateLabelID.ValueString(), plan.PackageID.ValueString()
	switch {
	case live == nil:
		err := r.assign(ctx, id, want, consent)
		if !client.IsCode(err, client.CodeAlreadyAssigned) {
			return nil, err
		}
		// Somebody was faster: what is there is taken over where it is the same.
		found, readErr := r.assigned(ctx, id)
		if readErr != nil || found == nil {
			return nil, err
		}
		if found.PackageID != want {
			return nil, &otherPackageError{found.PackageCode}
		}
		return found, nil
	case live.PackageID == want:
		return live, nil
	case !plan.AllowPackageChange.ValueBool():
		return nil, &otherPackageError{live.PackageCode}
	default:
		return r.changePackage(ctx, id, want, live, consent)
	}
}

// changePackage removes the old package first, since a label holds one at most.
// When the new one is refused the old one is assigned again.
func (r *assignmentResource) changePackage(ctx context.Context, id, want string, live *client.Assignment, consent client.Consent) (*client.Assignment, error) {
	if err := r.removeAll(ctx, id, live); err != nil {
		return nil, err
	}
	// Add-ons went with the package. Those that are managed are attached by
	// what follows; those that are not are brought back.
	err := r.assign(ctx, id, want, consent)
	if err == nil {
		return nil, r.reattach(ctx, id, live.Addons)
	}
	asBefore := func([]client.Warning) bool { return true } // it stood there a moment ago
	if back := r.assign(ctx, id, live.PackageID, asBefore); back != nil {
		return nil, errors.Join(err, back)
	}
	return nil, errors.Join(err, r.reattach(ctx, id, live.Addons))
}

func (r *assignmentResource) reattach(ctx context.Context, id string, addons []client.AttachedAddon) error {
	asBefore := func([]client.Warning) bool { return true }
	for _, addon := range addons {
		if err := r.attach(ctx, id, addon.AddonID, int64(addon.Quantity), asBefore); err != nil {
			return err
		}
	}
	return nil
}

func (r *assignmentResource) assign(ctx context.Context, id, packageID string, consent client.Consent) error {
	done := r.inventory.Writing(id)
	defer done()
	_, err := r.client.AssignPackage(ctx, id, packageID, consent)
	return err
}

func (r *assignmentResource) attach(ctx context.Context, id, addonID string, quantity int64, consent client.Consent) error {
	done := r.inventory.Writing(id)
	_, err := r.client.AttachAddon(ctx, id, addonID, quantity, consent)
	done()
	var over *client.ExcessError
	if !client.IsCode(err, client.CodeAlreadyAttached) && !errors.As(err, &over) {
		return err
	}
	// Somebody was faster, and may have used the room that was needed (§3.2):
	// the same quantity is taken over.
	now, readErr := r.assigned(ctx, id)
	if readErr != nil || now == nil {
		return err
	}
	for _, addon := range now.Addons {
		if addon.AddonID == addonID && addon.Quantity == float64(quantity) {
			return nil
		}
	}
	return err
}

func (r *assignmentResource) detach(ctx context.Context, id string, addon client.AttachedAddon) error {
	done := r.inventory.Writing(id)
	defer done()
	_, err := r.client.RemoveAddon(ctx, id, addon)
	return err
}

// reachAddons detaches what is not wanted, then attaches what is missing. A
// quantity is changed by both, and set back when the new one is refused.
func (r *assignmentResource) reachAddons(ctx context.Context, id string, wanted map[string]resolvedAddon, managed bool, live *client.Assignment, consent client.Consent) error {
	if !managed {
		return nil
	}
	if live == nil {
		// The package is new or changed: what is attached now is to be read.
		now, err := r.assigned(ctx, id)
		if err != nil {
			return err
		}
		live = now
	}
	have := map[string]client.AttachedAddon{}
	if live != nil {
		for _, addon := range live.Addons {
			have[codeKind{}.normal(addon.Code)] = addon
		}
	}
	for _, code := range sortedKeys(have) {
		addon := have[code]
		want, keep := wanted[code]
		if keep && float64(want.quantity) == addon.Quantity {
			continue
		}
		if err := r.detach(ctx, id, addon); err != nil {
			return err
		}
		if !keep {
			continue
		}
		if err := r.attach(ctx, id, want.id, want.quantity, consent); err != nil {
			return errors.Join(err, r.reattach(ctx, id, []client.AttachedAddon{addon}))
		}
	}
	for _, code := range sortedKeys(wanted) {
		if _, there := have[code]; there {
			continue
		}
		if err := r.attach(ctx, id, wanted[code].id, wanted[code].quantity, consent); err != nil {
			return err
		}
	}
	return nil
}

// sortedKeys makes the order of calls the same in every run.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
