package simulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file and billing_routes.go decide what the API documentation does not show of §4.21, by the forms of
// forms_table.go.

// Codes that the API documentation does not name.
const (
	codePackageUnknown = "PACKAGE_NOT_FOUND"
	codeAddonInactive  = "ADDON_INACTIVE"
	codePackagesFull   = "PACKAGE_LIMIT_REACHED"
	codeAddonsFull     = "ADDON_LIMIT_REACHED"
)

const statusInactive = "Inactive"

// activeFields are the spellings of the flag by form; a simulator knows one of them.
var activeFields = map[string]string{"active": "active", "none": "active", "is-active": "isActive", "status": "status"}

// ownFields of an item are read-only.
var ownFields = []string{"id", "packageId", "addonId", "package", "addon", "createdAt"}

func (f Forms) activeField() string {
	return activeFields[f.formOf("active-flag")]
}

// readActive reads the flag in the spelling of its form.
func (f Forms) readActive(raw json.RawMessage) (bool, error) {
	if !f.isForm("active-flag", "status") {
		var active *bool
		if err := json.Unmarshal(raw, &active); err != nil || active == nil {
			return false, fmt.Errorf("%s must be true or false", f.activeField())
		}
		return *active, nil
	}
	var status string
	if err := json.Unmarshal(raw, &status); err != nil || !strings.EqualFold(status, statusActive) && !strings.EqualFold(status, statusInactive) {
		return false, fmt.Errorf("status must be %s or %s", statusActive, statusInactive)
	}
	return strings.EqualFold(status, statusActive), nil
}

// itemShape is a package or an add-on in a response: the fields as sent, and those of the simulator.
func (f Forms) itemShape(k *kind, i *item) map[string]any {
	out := map[string]any{}
	for name, value := range i.Settings {
		out[name] = value
	}
	if _, sent := out["included"]; !sent && i.Included != (quantities{}) {
		out["included"] = i.Included
	}
	out["code"] = i.Code
	out["name"] = i.Name
	out["currency"] = i.Currency
	out["createdAt"] = f.time(i.CreatedAt)
	out[f.activeField()] = i.Active
	if f.isForm("active-flag", "none") {
		delete(out, f.activeField())
	}
	if f.isForm("active-flag", "status") {
		out["status"] = statusInactive
		if i.Active {
			out["status"] = statusActive
		}
	}
	if i.Currency == "" {
		delete(out, "currency") // §2.11 names no currency of an add-on
	}
	if k == addons {
		f.cutAddonFields(out)
	}
	idField := k.idField
	if f.isForm("item-id", "plain") || f.isForm("item-id", "nested-id") {
		idField = "id"
	}
	out[idField] = i.ID
	if f.isForm("item-id", "named") || f.isForm("item-id", "plain") {
		return out
	}
	return map[string]any{k.singular: out}
}

// cutAddonFields removes what a response does not have of an add-on.
func (f Forms) cutAddonFields(out map[string]any) {
	shown := f.formOf("addon-fields")
	if shown != "full" && shown != "currency" {
		delete(out, "currency")
	}
	if shown != "full" && shown != "active" {
		delete(out, f.activeField())
	}
}

// rowShape is an item in a search.
func (f Forms) rowShape(k *kind, i *item) map[string]any {
	if f.isForm("search-rows", "summaries") {
		i = &item{ID: i.ID, Code: i.Code, Name: i.Name, Currency: i.Currency, Active: i.Active, CreatedAt: i.CreatedAt}
	}
	row := f.itemShape(k, i)
	if f.isForm("item-id", "nested-alone") {
		row, _ = row[k.singular].(map[string]any)
	}
	return row
}

// rowsShape is a page of rows out of total.
func (f Forms) rowsShape(name string, rows any, total int, p paging) map[string]any {
	out := map[string]any{"total": total, "page": p.page, "pageSize": p.size}
	switch f.formOf("rows") {
	case "items":
		out["items"] = rows
	case "rows":
		out["rows"] = rows
	case "nested":
		out["rows"] = rows
		return map[string]any{name: out}
	default:
		out[name] = rows
	}
	return out
}

// time is a time in a response of §4.21.
func (f Forms) time(at int64) any {
	switch f.formOf("times") {
	case "digits":
		return strconv.FormatInt(at, 10)
	case "text":
		return time.UnixMilli(at).UTC().Format(time.RFC3339Nano)
	default:
		return at
	}
}

// number is a figure in a response of §4.21.
func (f Forms) number(n float64) any {
	if f.isForm("figures", "text") {
		return number(n)
	}
	return n
}

// figures are a number of each item.
func (f Forms) figures(q quantities) map[string]any {
	out := map[string]any{}
	for _, code := range itemCodes {
		out[code] = f.number(q.get(code))
	}
	return out
}

// assignmentShape is a private label's package by itself; null for none.
func (f Forms) assignmentShape(fields *assignmentFields) any {
	var shown any
	if fields != nil {
		shown = f.assignmentRead(fields)
	}
	if f.isForm("assignment-read", "bare") {
		return shown
	}
	return map[string]any{f.formOf("assignment-read"): shown}
}

func (f Forms) assignmentRead(a *assignmentFields) map[string]any {
	out := map[string]any{
		"id": a.ID, "packageId": a.PackageID, "packageCode": a.PackageCode, "packageName": a.PackageName, "currency": a.Currency,
		"assignedAt": f.time(a.AssignedAt), "addons": a.Addons, "allocated": f.figures(a.Allocated),
	}
	switch f.formOf("assignment-addons") {
	case "omitted":
		delete(out, "addons")
	case "empty":
		out["addons"] = []attachedField{}
	}
	return out
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

// ledgerRow is a row of the points ledger.
func (f Forms) ledgerRow(row *pointsRow) map[string]any {
	out := map[string]any{"id": row.ID, "itemCode": row.ItemCode, "createdAt": f.time(row.CreatedAt)}
	if f.isForm("ledger", "amount") {
		out["amount"] = f.number(row.Amount)
		return out
	}
	out["points"] = f.number(math.Abs(row.Amount))
	out["type"] = "Used"
	if row.Amount < 0 {
		out["type"] = "Returned"
	}
	return out
}

// usageShape is the usage report (§2.10).
func (f Forms) usageShape(period string, labels []*label) map[string]any {
	rows := []map[string]any{}
	sum := quantities{}
	points := 0.0
	for _, l := range labels {
		row := f.figures(l.used(period))
		row["tenantId"] = l.ID
		row["points"] = f.number(l.pointsUsed(period))
		row["primaryHost"], _ = f.hosts(l)
		rows = append(rows, row)
		sum, points = sum.plus(l.used(period), 1), points+l.pointsUsed(period)
	}
	totals := f.figures(sum)
	totals["points"] = f.number(points)
	out := map[string]any{"period": period, "rows": rows}
	switch f.formOf("usage") {
	case "totals":
		out["totals"] = totals
	case "items":
		items := []map[string]any{}
		for _, code := range append(slices.Clone(itemCodes), "points") {
			items = append(items, map[string]any{"itemCode": code, "used": totals[code]})
		}
		out["items"] = items
	case "by-code":
		byCode := map[string]any{}
		for code, figure := range totals {
			byCode[code] = map[string]any{"used": figure}
		}
		return map[string]any{"period": period, "items": byCode}
	case "flat":
		totals["period"] = period
		return totals
	}
	return out
}

// quotaShape is one item of the quota.
type quotaShape struct {
	ItemCode                           string
	Allowance, Billed, Used, Remaining float64
}

// Left is negative after an excess was confirmed (§3.2).
func (q quotaShape) Left() float64 {
	return q.Allowance - q.Billed
}

// quotaFields has the fields of an item of the quota, without its code.
func (f Forms) quotaFields(q quotaShape) map[string]any {
	return map[string]any{"allowance": f.number(q.Allowance), "billed": f.number(q.Billed), "used": f.number(q.Used), "remaining": f.number(q.Remaining)}
}

// quota of the four items.
func (f Forms) quota(period string, items []quotaShape) map[string]any {
	list := []map[string]any{}
	byCode := map[string]any{}
	out := map[string]any{"period": period}
	for _, i := range items {
		fields := f.quotaFields(i)
		byCode[i.ItemCode] = fields
		for name, figure := range fields {
			if f.isForm("quota", "sections") {
				section, _ := out[name].(map[string]any)
				if section == nil {
					section = map[string]any{}
					out[name] = section
				}
				section[i.ItemCode] = figure
			}
		}
		row := maps.Clone(fields)
		row["itemCode"] = i.ItemCode
		list = append(list, row)
	}
	switch f.formOf("quota") {
	case "list":
		out["items"] = list
	case "by-code":
		out["items"] = byCode
	case "rows":
		out["rows"] = list
	case "flat":
		maps.Copy(out, byCode)
	}
	return out
}
