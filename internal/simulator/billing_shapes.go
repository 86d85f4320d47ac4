package simulator

import (
	"encoding/json"
	"fmt"
)

// This file and billing_routes.go decide what the API documentation does not show of §4.21 (ASSUMPTIONS.md: billing).

// BillingAssumptions are the choices of §4.21; the zero value is the choice of
// ASSUMPTIONS.md.
type BillingAssumptions struct {
	AssignmentRead     AssignmentRead // of a private label's package
	GetMethod          string         // of /get; POST if empty. GET has the ID in the query
	UpdateMethod       string         // of /update; POST if empty
	UpdateReplaces     bool           // an update replaces name and settings instead of changing the fields that it has
	RemovalsArePosts   bool           // POST …/remove instead of DELETE
	RemovalByAddonID   bool           // addonId instead of subscriptionAddonId removes an add-on
	UnassignedIsError  bool           // reading the package of a private label without one responds with NOT_ASSIGNED
	QuotaByCode        bool           // items of the quota are an object by item code instead of a list
	RemainingBelowZero bool           // remaining of warnings and quota counts what exceeds the allowance; 0 is the least otherwise
	RemovedIsFreed     bool           // what is removed from a private label no longer uses the allowance; it stays billed
	RowsPlace          RowsPlace      // of searches and of the points ledger
	RowsAreSummaries   bool           // a search shows ID, code, name, currency and active flag; only /get shows the rest
	AddonsAreBare      bool           // an add-on shows neither currency nor active flag: §2.11 names code and name only
	IDPlace            IDPlace        // of a package or an add-on
	ActiveFlag         ActiveFlag     // of a package or an add-on
}

// AssignmentRead is how the package of a private label is read.
type AssignmentRead struct {
	Place  AssignmentPlace
	Addons AssignmentAddons
	None   bool // no endpoint has the read: 404
}

// AssignmentPlace is where that read has the assignment.
type AssignmentPlace int

const (
	// AssignmentNested is data.assignment.
	AssignmentNested AssignmentPlace = iota
	// AssignmentBare is data itself.
	AssignmentBare
	// AssignmentBelowPackage is data.package.
	AssignmentBelowPackage
)

// AssignmentAddons is what that read shows of the add-ons.
type AssignmentAddons int

const (
	// AddonsShown as in the detail.
	AddonsShown AssignmentAddons = iota
	// AddonsLeftOut omits the field.
	AddonsLeftOut
	// AddonsEmpty shows an empty list, even if add-ons are attached.
	AddonsEmpty
)

// RowsPlace is where the rows of a search or of the points ledger are.
type RowsPlace int

const (
	// RowsByKind is data.packages, data.addons, and data.rows of the ledger.
	RowsByKind RowsPlace = iota
	// RowsItems is data.items.
	RowsItems
	// RowsRows is data.rows.
	RowsRows
	// RowsNested is data.packages.rows, with total in the same object.
	RowsNested
)

// IDPlace is where a response has the ID of a package or an add-on.
type IDPlace int

const (
	// IDNamed is packageId or addonId.
	IDNamed IDPlace = iota
	// IDPlain is id.
	IDPlain
	// IDNested is package.packageId: the whole item is one level down, and so is each row of a search.
	IDNested
)

// ActiveFlag is how an item shows that it is active, and how a request sets it.
type ActiveFlag int

const (
	// ActiveBool is `active`, a boolean.
	ActiveBool ActiveFlag = iota
	// ActiveIs is `isActive`, a boolean.
	ActiveIs
	// ActiveStatus is `status`, "Active" or "Inactive".
	ActiveStatus
)

// Codes that the API documentation does not name.
const (
	codePackageUnknown = "PACKAGE_NOT_FOUND"
	codeAddonInactive  = "ADDON_INACTIVE"
	codePackagesFull   = "PACKAGE_LIMIT_REACHED"
	codeAddonsFull     = "ADDON_LIMIT_REACHED"
)

const statusInactive = "Inactive"

// activeFields are all spellings of the flag; a simulator knows one of them.
var activeFields = []string{"active", "isActive", "status"}

// ownFields of an item are read-only.
var ownFields = []string{"id", "packageId", "addonId", "package", "addon", "createdAt"}

func (a BillingAssumptions) activeField() string { return activeFields[a.ActiveFlag] }

// readActive reads the flag in the spelling of the assumption.
func (a BillingAssumptions) readActive(raw json.RawMessage) (bool, error) {
	if a.ActiveFlag != ActiveStatus {
		var active *bool
		if err := json.Unmarshal(raw, &active); err != nil || active == nil {
			return false, fmt.Errorf("%s must be true or false", a.activeField())
		}
		return *active, nil
	}
	var status string
	if err := json.Unmarshal(raw, &status); err != nil || (status != statusActive && status != statusInactive) {
		return false, fmt.Errorf("status must be %s or %s", statusActive, statusInactive)
	}
	return status == statusActive, nil
}

// itemShape is a package or an add-on in a response: the fields as sent, and those of the simulator.
func (a BillingAssumptions) itemShape(k *kind, i *item) map[string]any {
	out := map[string]any{}
	for name, value := range i.Settings {
		out[name] = value
	}
	if _, sent := out["included"]; !sent && i.Included != (quantities{}) {
		out["included"] = i.Included
	}
	out["code"], out["name"], out["currency"], out["createdAt"] = i.Code, i.Name, i.Currency, i.CreatedAt
	out[a.activeField()] = i.Active
	if a.ActiveFlag == ActiveStatus {
		out["status"] = statusInactive
		if i.Active {
			out["status"] = statusActive
		}
	}
	if i.Currency == "" {
		delete(out, "currency") // §2.11 names no currency of an add-on
	}
	if a.AddonsAreBare && k == addons {
		delete(out, "currency")
		delete(out, a.activeField())
	}
	if a.IDPlace == IDPlain {
		out["id"] = i.ID
		return out
	}
	out[k.idField] = i.ID
	if a.IDPlace == IDNested {
		return map[string]any{k.singular: out}
	}
	return out
}

// rowShape is an item in a search.
func (a BillingAssumptions) rowShape(k *kind, i *item) map[string]any {
	if !a.RowsAreSummaries {
		return a.itemShape(k, i)
	}
	return a.itemShape(k, &item{ID: i.ID, Code: i.Code, Name: i.Name, Currency: i.Currency, Active: i.Active, CreatedAt: i.CreatedAt})
}

// rowsShape is a page of rows out of total.
func (a BillingAssumptions) rowsShape(name string, rows any, total int, p paging) map[string]any {
	out := map[string]any{"total": total, "page": p.page, "pageSize": p.size}
	switch a.RowsPlace {
	case RowsItems:
		out["items"] = rows
	case RowsRows:
		out["rows"] = rows
	case RowsNested:
		out["rows"] = rows
		return map[string]any{name: out}
	case RowsByKind:
		out[name] = rows
	}
	return out
}

// shape of a private label's package by itself.
func (a AssignmentRead) shape(fields *assignmentFields) any {
	var shown any
	if fields != nil {
		shown = a.withAddons(fields)
	}
	switch a.Place {
	case AssignmentBare:
		return shown
	case AssignmentBelowPackage:
		return map[string]any{"package": shown}
	default:
		return map[string]any{"assignment": shown}
	}
}

func (a AssignmentRead) withAddons(fields *assignmentFields) any {
	cut := *fields
	switch a.Addons {
	case AddonsLeftOut:
		return struct {
			assignmentFields
			Addons *struct{} `json:"addons,omitempty"`
		}{assignmentFields: cut}
	case AddonsEmpty:
		cut.Addons = []attachedField{}
		return &cut
	default:
		return fields
	}
}

// assignedShape is the outcome of §3.2 in the form of §4.9.
func assignedShape(id string, allocated quantities) map[string]any {
	return map[string]any{"outcome": "Assigned", "assignmentId": id, "allocated": allocated}
}

func attachedShape(id string, allocated quantities) map[string]any {
	return map[string]any{"outcome": "Attached", "subscriptionAddonId": id, "allocated": allocated}
}

func confirmationShape(c confirmation, w []warning) map[string]any {
	return map[string]any{"outcome": "ConfirmationRequired", "confirmation": c, "warnings": w}
}

var removedShape = map[string]string{"status": "removed"}

// pointsShape is a row of the ledger. An amount above 0 was used, one below 0 was returned.
type pointsShape struct {
	ID        string  `json:"id"`
	ItemCode  string  `json:"itemCode"`
	Amount    float64 `json:"amount"`
	CreatedAt int64   `json:"createdAt"`
}

// usageShape is the row of a private label in the usage report (§2.10).
type usageShape struct {
	TenantID    string `json:"tenantId"`
	PrimaryHost string `json:"primaryHost"`
	quantities
	Points float64 `json:"points"`
}

// quotaShape is one item of the quota.
type quotaShape struct {
	ItemCode  string  `json:"itemCode"`
	Allowance float64 `json:"allowance"`
	Billed    float64 `json:"billed"`
	Used      float64 `json:"used"`
	Remaining float64 `json:"remaining"`
}

// Left is negative after an excess was confirmed (§3.2).
func (q quotaShape) Left() float64 { return q.Allowance - q.Billed }

// quotaItems are a list, or an object by item code.
func (a BillingAssumptions) quotaItems(items []quotaShape) any {
	if !a.QuotaByCode {
		return items
	}
	out := map[string]quotaShape{}
	for _, i := range items {
		out[i.ItemCode] = i
	}
	return out
}
