package inventory

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

func rejection(status int, code string) error {
	return fmt.Errorf("wrapped: %w", &transport.Error{Status: status, Code: code, Op: "read the private label"})
}

func TestCheckRejection(t *testing.T) {
	t.Parallel()
	forbidden := rejection(http.StatusForbidden, client.CodeForbidden)
	for _, tc := range []struct {
		name     string
		hosts    []string
		listErr  error
		lastSlug string
		err      error
		want     Presence
		calls    int
	}{
		{"absent after 403", nil, nil, ourSlug, forbidden, Absent, 2},
		{"absent after 403, slug in other case", nil, nil, "Reseller.Example", forbidden, Absent, 2},
		{"absent after invalid target", nil, nil, ourSlug, rejection(http.StatusBadRequest, client.CodeInvalidTarget), Absent, 2},
		{"absent under another reseller", nil, nil, "rival.example", forbidden, OtherReseller, 2},
		{"absent, reseller unknown", nil, nil, "", forbidden, PresenceUnknown, 2},
		{"present after 403", []string{"a.example"}, nil, ourSlug, forbidden, Present, 1},
		{"present under another slug", []string{"a.example"}, nil, "rival.example", forbidden, Present, 1},
		{"list fails", nil, errBroken, ourSlug, forbidden, PresenceUnknown, 1},
		{"missing scope", nil, nil, ourSlug, rejection(http.StatusForbidden, client.CodeInsufficientScope), PresenceUnknown, 0},
		{"404", nil, nil, ourSlug, rejection(http.StatusNotFound, client.CodeNotFound), PresenceUnknown, 0},
		{"500", nil, nil, ourSlug, rejection(http.StatusInternalServerError, client.CodeInternal), PresenceUnknown, 0},
		{"no response", nil, nil, ourSlug, errBroken, PresenceUnknown, 0},
		{"no error", nil, nil, ourSlug, nil, PresenceUnknown, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			api := &fakeAPI{hosts: tc.hosts, fail: tc.listErr}
			got, err := New(api).CheckRejection(t.Context(), idA, tc.lastSlug, tc.err)
			assert.Equal(t, tc.want, got, "%v with %d calls", err, api.callCount())
			assert.ErrorIs(t, err, tc.listErr, "got %v, with %d calls", got, api.callCount())
			assert.Equal(t, tc.calls, api.callCount(), "got %v, %v with calls", got, err)
		})
	}
}

func TestCheckRejection_ReadsAfterError(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"a.example"}}
	inv := New(api)
	if _, err := inv.Labels(t.Context(), Current); err != nil {
		t.Fatal(err)
	}
	api.set(nil) // deprovisioned in between
	got, err := inv.CheckRejection(t.Context(), idA, ourSlug, rejection(http.StatusForbidden, client.CodeForbidden))
	assert.Equal(t, Absent, got, "%v", err)
	assert.NoError(t, err, "got %v", got)
}

func TestProof(t *testing.T) {
	t.Parallel()
	type check func(context.Context, *Inventory, string) (Presence, error)
	byID := func(ctx context.Context, i *Inventory, slug string) (Presence, error) {
		return OfLabel(idA)(ctx, i, slug, nil)
	}
	byHost := func(ctx context.Context, i *Inventory, slug string) (Presence, error) {
		return OfHost("A.example")(ctx, i, slug, nil)
	}
	for name, look := range map[string]check{"by id": byID, "by host": byHost} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, tc := range []struct {
				name      string
				known     []string // in the list of this run; nil for no list
				now       []string
				lastSlug  string
				want      Presence
				listCalls int // after the first list
			}{
				{"present in the list of the run", []string{"a.example"}, nil, ourSlug, Present, 0},
				{"absent from both lists", []string{}, nil, ourSlug, Absent, 1},
				{"created since the list of the run", []string{}, []string{"a.example"}, ourSlug, Present, 1},
				{"present under a new slug", []string{}, []string{"a.example"}, "old.example", Present, 1},
				{"absent under another reseller", []string{}, nil, "rival.example", OtherReseller, 1},
				{"absent, reseller unknown", []string{}, nil, "", PresenceUnknown, 0},
			} {
				t.Run(tc.name, func(t *testing.T) {
					t.Parallel()
					api := &fakeAPI{hosts: tc.known}
					inv := New(api)
					if _, err := inv.Labels(t.Context(), Current); err != nil {
						t.Fatal(err)
					}
					api.set(nil, tc.now...)
					got, err := look(t.Context(), inv, tc.lastSlug)
					want := tc.listCalls
					if name == "by id" && tc.now == nil && tc.listCalls > 0 {
						want++ // the detail
					}
					assert.Equal(t, tc.want, got, "%v with %d calls", err, api.callCount()-1)
					require.NoError(t, err, "got %v, with %d calls", got, api.callCount()-1)
					assert.Equal(t, want, api.callCount()-1, "got %v, with calls", got)
				})
			}
		})
	}
}

// A list may be one read behind: what it lacks is absent only if the API rejects its detail, too.
func TestProof_ListIsBehind(t *testing.T) {
	t.Parallel()
	for name, look := range map[string]func(*Inventory) (Presence, error){
		"label": func(i *Inventory) (Presence, error) { return OfLabel(idA)(t.Context(), i, ourSlug, nil) },
		"after a rejection": func(i *Inventory) (Presence, error) {
			return i.CheckRejection(t.Context(), idA, ourSlug, rejection(http.StatusForbidden, client.CodeForbidden))
		},
	} {
		got, err := look(New(&fakeAPI{behind: "a.example"}))
		assert.Equal(t, Present, got, "%s: %v", name, err)
		assert.NoError(t, err, "%s: got %v", name, got)
	}
}

// One additional list proves the absence of a hundred private labels, with one detail of each.
func TestProof_SharesTheProof(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{}
	inv := New(api)
	for range 100 {
		got, err := OfLabel(idA)(t.Context(), inv, ourSlug, nil)
		require.Equal(t, Absent, got, "%v", err)
		require.NoError(t, err, "got %v", got)
	}
	assert.Equal(t, 3, api.callCount(), "calls")
	inv.BeginWrite()()
	api.set(nil, "a.example")
	got, err := OfLabel(idA)(t.Context(), inv, ourSlug, nil)
	assert.Equal(t, Present, got, "after a write: %v", err)
	assert.NoError(t, err, "after a write: got %v", got)
}

func TestProof_ErrorsProveNothing(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{fail: errBroken}
	inv := New(api)
	for name, look := range map[string]func() (Presence, error){
		"label":      func() (Presence, error) { return OfLabel(idA)(t.Context(), inv, ourSlug, nil) },
		"host":       func() (Presence, error) { return OfHost("a.example")(t.Context(), inv, ourSlug, nil) },
		"assignment": func() (Presence, error) { return OfAssignment(idA)(t.Context(), inv, ourSlug, nil) },
		"member":     func() (Presence, error) { return OfMember(idA, idB)(t.Context(), inv, ourSlug, nil) },
		"item":       func() (Presence, error) { return OfItem(client.KindPackage, idA)(t.Context(), inv, ourSlug, nil) },
	} {
		got, err := look()
		assert.Equal(t, PresenceUnknown, got, "%s: %v", name, err)
		assert.Error(t, err, "%s: got %v", name, got)
	}
}

func TestProof_OfMember(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"ada@acme.example"}}
	inv := New(api)
	got, err := OfMember(idA, idA)(t.Context(), inv, "", nil)
	assert.Equal(t, Present, got, "who is listed: %v", err)
	assert.NoError(t, err, "who is listed: got %v", got)
	got, err = OfMember(idA, idB)(t.Context(), inv, ourSlug, nil)
	assert.Equal(t, Absent, got, "who is not listed: %v", err)
	assert.NoError(t, err, "who is not listed: got %v", got)
}
