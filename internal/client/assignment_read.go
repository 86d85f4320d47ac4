package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

const opReadAssignment = "read the package of the private label"

var routeGetAssignment = route{method: http.MethodGet, path: labelPackage, retryable: true, billing: true}

// IncompleteError: the response to reading an assignment lacks a field that the detail of the private label has (§2.4).
type IncompleteError struct {
	Op      string
	Missing string
}

func (e *IncompleteError) Error() string { return e.Op + ": the response has no " + e.Missing }

// GetAssignment reads the assignment of a private label (§4.21), nil for none. The API documentation does not show the
// response: it may be the assignment of §2.4, or contain it as `assignment` or `package`. If the response lacks a part
// of it, or is about another private label, the error is an *IncompleteError.
func (c *Client) GetAssignment(ctx context.Context, tenantID string) (*Assignment, error) {
	var data json.RawMessage
	err := c.do(ctx, &request{op: opReadAssignment, route: routeGetAssignment, ids: ofLabel(tenantID)}, &data)
	switch {
	case transport.IsCode(err, CodeNotAssigned):
		return nil, nil //nolint:nilnil // absence is a result here, as in attached
	case err != nil:
		return nil, err
	}
	a, missing := readAssignment(tenantID, data)
	if missing != "" {
		return nil, &IncompleteError{Op: opReadAssignment, Missing: missing}
	}
	return a, nil
}

// readAssignment returns the assignment in a response, nil for none, or the name of a missing field.
func readAssignment(tenantID string, data json.RawMessage) (a *Assignment, missing string) {
	if isNothing(data) {
		return nil, ""
	}
	var top struct {
		PackageID  json.RawMessage `json:"packageId"`
		Assignment json.RawMessage `json:"assignment"`
		Package    json.RawMessage `json:"package"`
	}
	if json.Unmarshal(data, &top) != nil {
		return nil, "assignment"
	}
	below := top.Assignment
	if below == nil {
		below = top.Package
	}
	if below == nil || !isNothing(top.PackageID) {
		return assignmentIn(tenantID, data)
	}
	if otherLabel(tenantID, data) {
		return nil, missingLabel
	}
	if isNothing(below) {
		return nil, ""
	}
	return assignmentIn(tenantID, below)
}

// isNothing reports whether JSON is null, or an empty text, string, object or array.
func isNothing(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", "{}", "[]", `""`:
		return true
	default:
		return false
	}
}

const missingLabel = "assignment of the private label that was asked for"

// otherLabel reports whether an object names another private label than tenantID.
func otherLabel(tenantID string, raw json.RawMessage) bool {
	var names struct {
		TenantID string `json:"tenantId"`
	}
	return json.Unmarshal(raw, &names) == nil && names.TenantID != "" && names.TenantID != tenantID
}

// assignmentIn decodes an assignment in the form of the private label's detail; its ID may also have the name of §4.9.
func assignmentIn(tenantID string, raw json.RawMessage) (a *Assignment, missing string) {
	var found struct {
		Assignment
		AssignmentID string `json:"assignmentId"`

		Allocated *shownItems `json:"allocated"`
	}
	if otherLabel(tenantID, raw) {
		return nil, missingLabel
	}
	if json.Unmarshal(raw, &found) != nil {
		return nil, "assignment that this version can read"
	}
	a = &found.Assignment
	if a.ID == "" {
		a.ID = found.AssignmentID
	}
	if a.Allocated, missing = found.Allocated.read(); missing != "" {
		return nil, missing
	}
	if missing = a.missingField(); missing != "" {
		return nil, missing
	}
	return a, ""
}

// shownItems distinguishes a missing field from 0.
type shownItems struct {
	Documents     *float64 `json:"documents"`
	Seats         *float64 `json:"seats"`
	Templates     *float64 `json:"templates"`
	Notarizations *float64 `json:"notarizations"`
}

func (s *shownItems) read() (allocated *Allocated, missing string) {
	switch {
	case s == nil:
		return nil, "allocated"
	case s.Documents == nil || s.Seats == nil || s.Templates == nil || s.Notarizations == nil:
		return nil, "allocated item"
	default:
		return &Allocated{Documents: *s.Documents, Seats: *s.Seats, Templates: *s.Templates, Notarizations: *s.Notarizations}, ""
	}
}

func (a *Assignment) missingField() string {
	switch {
	case a.ID == "":
		return "id"
	case a.PackageID == "":
		return "packageId"
	case a.PackageCode == "":
		return "packageCode"
	case a.PackageName == "":
		return "packageName"
	case a.Currency == "":
		return "currency"
	case a.AssignedAt == nil:
		return "assignedAt"
	case a.Addons == nil:
		return "addons"
	}
	for i, addon := range a.Addons {
		if addon.SubscriptionAddonID == "" || addon.AddonID == "" || addon.Code == "" || addon.Name == "" || addon.Quantity <= 0 {
			return fmt.Sprintf("whole addons[%d]", i)
		}
	}
	return ""
}
