package inventory

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// lateAPI is a fake whose reads of a private label are rejected until a time.
type lateAPI struct {
	*fakeAPI
	clock *transporttest.Clock
	shown time.Time // from when on the private label is shown
	code  string    // of the rejection
	count int64     // provisionedCount of the list
}

func newLateAPI(after time.Duration, code string) *lateAPI {
	clock := transporttest.NewClock()
	api := &lateAPI{&fakeAPI{patience: transport.Patience{Clock: clock, MaxWait: time.Hour}}, clock, clock.Now().Add(after), code, 0}
	return api
}

func (f *lateAPI) isShown() bool { return !f.clock.Now().Before(f.shown) }

func (f *lateAPI) ListPrivateLabels(context.Context, string) (*client.PrivateLabelList, error) {
	count := anyjson.Count(f.count)
	list := &client.PrivateLabelList{ProvisionedCount: &count, Period: "2026-10"}
	switch {
	case f.isShown():
		list.PrivateLabels = []client.PrivateLabelSummary{{TenantID: idA, PrimaryHost: "a.example"}}
	case f.count > 0:
		return nil, &client.ContradictoryError{Err: errBroken}
	}
	return list, nil
}

func (f *lateAPI) GetPrivateLabel(context.Context, string) (*client.PrivateLabel, error) {
	if !f.isShown() {
		return nil, &transport.Error{Status: http.StatusBadRequest, Code: f.code}
	}
	return &client.PrivateLabel{TenantID: idA}, nil
}

// A read waits for what this run has provisioned, and for 30 seconds at most.
func TestReads_WaitForOwnWrites(t *testing.T) {
	t.Parallel()
	for after, waited := range map[time.Duration]time.Duration{
		0: 0, 5 * time.Second: 7 * time.Second, 20 * time.Second: 30 * time.Second, time.Hour: 30 * time.Second,
	} {
		api := newLateAPI(after, client.CodeInvalidTarget)
		inv := New(api)
		inv.RecordProvisioned(idA, "a.example")
		_, err := inv.Label(t.Context(), idA, Current)
		assert.Equal(t, after == time.Hour, err != nil, "%s: %v", after, err)
		assert.Equal(t, waited, api.clock.Slept(), after)
		_, _ = inv.Label(t.Context(), idA, Fresh)
		assert.Equal(t, waited, api.clock.Slept(), "%s: the time is over", after)
	}
	api := newLateAPI(time.Hour, client.CodeInvalidTarget)
	_, err := New(api).Label(t.Context(), idA, Current)
	require.Error(t, err)
	assert.Zero(t, api.clock.Slept(), "of another run")
}

// What a list and a detail that lack a private label prove.
func TestProof_Late(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		code      string
		own       bool
		freshness time.Duration // of the private label; negative if no read has shown it
		count     int64
		want      Presence
		fails     bool
	}{
		"forbidden":                         {client.CodeForbidden, false, time.Minute, 0, Absent, false},
		"forbidden, of this run":            {client.CodeForbidden, true, time.Hour, 0, NotShown, false},
		"no target, new":                    {client.CodeInvalidTarget, false, 9 * time.Minute, 0, NotShown, false},
		"no target, never read":             {client.CodeInvalidTarget, false, -1, 0, NotShown, false},
		"no target, old":                    {client.CodeInvalidTarget, false, 10 * time.Minute, 0, Absent, false},
		"no target, old, of this run":       {client.CodeInvalidTarget, true, time.Hour, 0, NotShown, false},
		"a count beside no rows":            {client.CodeInvalidTarget, false, time.Hour, 3, PresenceUnknown, true},
		"a count beside no rows, forbidden": {client.CodeForbidden, false, time.Hour, 3, Absent, false},
	} {
		api := newLateAPI(time.Hour, tc.code)
		api.count = tc.count
		inv := New(api)
		createdAt := api.clock.Now().Add(-tc.freshness)
		if tc.freshness < 0 {
			createdAt = time.Time{}
		}
		if tc.own {
			inv.RecordProvisioned(idA, "a.example")
		}
		var rejection error
		if tc.count > 0 {
			_, rejection = inv.Labels(t.Context(), Current)
			require.True(t, IsContradictory(rejection), name)
		}
		got, err := OfLabelSince(idA, "sign.acme.example", createdAt)(t.Context(), inv, ourSlug, rejection)
		assert.Equal(t, tc.want, got, "%s: %v", name, err)
		assert.Equal(t, tc.fails, err != nil, "%s: %v", name, err)
		if tc.want == NotShown { // so is what belongs to it
			for about, proof := range map[string]Absence{"assignment": OfAssignment(idA), "host": OfHost("a.example")} {
				if about == "host" && !tc.own {
					continue
				}
				got, err := proof(t.Context(), inv, ourSlug, nil)
				assert.Equal(t, NotShown, got, "%s, %s: %v", name, about, err)
			}
		}
	}
}

// What this run has made and a read has shown is absent when a later read lacks it.
func TestProof_ShownOnce(t *testing.T) {
	t.Parallel()
	api := newLateAPI(0, client.CodeForbidden)
	inv := New(api)
	inv.RecordProvisioned(idA, "a.example")
	_, err := inv.Label(t.Context(), idA, Current)
	require.NoError(t, err)
	api.shown = api.clock.Now().Add(time.Hour)
	api.clock.Move(time.Minute)
	got, err := OfLabel(idA)(t.Context(), inv, ourSlug, nil)
	assert.Equal(t, Absent, got, "%v", err)
}

// A member whom this run has added is not absent before ten minutes have passed, unless a list has shown the member.
func TestProof_LateMember(t *testing.T) {
	t.Parallel()
	clock := transporttest.NewClock()
	api := &fakeAPI{hosts: []string{"a.example"}, patience: transport.Patience{Clock: clock, MaxWait: time.Hour}}
	inv := New(api)
	inv.ExpectMember(idA, idB)
	got, err := OfMember(idA, idB)(t.Context(), inv, ourSlug, nil)
	assert.Equal(t, NotShown, got, "%v", err)
	assert.Equal(t, 30*time.Second, clock.Slept())
	clock.Move(lateFor)
	got, err = OfMember(idA, idB)(t.Context(), inv, ourSlug, nil)
	assert.Equal(t, Absent, got, "%v", err)
	api.hosts = append(api.hosts, "b.example") // the lists so far are no proof
	got, err = OfMember(idA, idB)(t.Context(), inv, ourSlug, nil)
	assert.Equal(t, Present, got, "%v", err)
}
