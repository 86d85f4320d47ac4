package client

import (
	"encoding/json"
	"testing"
)

// Times and counts are read in any JSON notation.
func TestNumbers_AnyNotation(t *testing.T) {
	t.Parallel()
	var list PrivateLabelList
	if err := json.Unmarshal([]byte(`{"privateLabels":[{"tenantId":"x","primaryHost":"y","suspendedAt":1.7e12}],"provisionedCount":1.0,"period":"2026-10"}`), &list); err != nil {
		t.Fatal(err)
	}
	if list.ProvisionedCount != 1 || *list.PrivateLabels[0].SuspendedAt != 1700000000000 {
		t.Errorf("got %+v", list)
	}
	var detail PrivateLabel
	if err := json.Unmarshal([]byte(`{"tenantId":"x","memberCount":3.0,"createdAt":null}`), &detail); err != nil || detail.MemberCount != 3 || detail.CreatedAt != nil {
		t.Errorf("got %+v, %v", detail, err)
	}
}
