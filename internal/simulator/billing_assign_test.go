package simulator_test

import (
	"fmt"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const clientHost = "sign.client.example"

// shop is a reseller with an allowance of 100 documents, and one private label.
type shop struct {
	*caller
	label, id                 string
	small, big, free, retired string // packages of 60, 120 and no documents, and a deactivated one
	extra, seats              string // add-ons of 30 documents and 5 seats
}

func newShop(t *testing.T, assume simulator.Forms) *shop {
	t.Helper()
	s := &shop{caller: assuming(t, assume)}
	require.NoError(t, s.sim.SetAllowance(map[string]float64{"documents": 100, "seats": 10}))
	s.small = s.made(s.sim.AddPackage("small", documents(60), true))
	s.big = s.made(s.sim.AddPackage("big", documents(120), true))
	s.free = s.made(s.sim.AddPackage("free", nil, true))
	s.retired = s.made(s.sim.AddPackage("retired", nil, false))
	s.extra = s.made(s.sim.AddAddon("extra", documents(30), true))
	s.seats = s.made(s.sim.AddAddon("seats", map[string]float64{"seats": 5}, true))
	s.id, s.label = s.provision(clientHost)
	return s
}

func documents(n float64) map[string]float64 { return map[string]float64{"documents": n} }

// assign sends a package; keys are confirmation keys.
func (s *shop) assign(label, id string, keys ...string) *reply {
	s.t.Helper()
	return s.post(label+"/package", keyed(object{"packageId": id}, keys))
}

func (s *shop) attach(id string, quantity any, keys ...string) *reply {
	s.t.Helper()
	return s.post(s.label+"/package/addons", keyed(object{"addonId": id, "quantity": quantity}, keys))
}

func keyed(body object, keys []string) object {
	for _, key := range keys {
		body["confirmationKey"] = key
	}
	return body
}

// remaining returns the remaining documents of the quota.
func (s *shop) remaining() float64 {
	s.t.Helper()
	return as[float64](pick(s.t, list(s.t, s.get(quotaPath).data(), "items")[0], "remaining"))
}

func (r *reply) outcome(want string) object {
	r.t.Helper()
	got := r.data()
	require.Equal(r.t, want, got["outcome"])
	return got
}

// question checks a ConfirmationRequired about documents and returns its confirmation key.
func (r *reply) question(requested, remaining float64) string {
	r.t.Helper()
	got := r.outcome("ConfirmationRequired")
	exactly(r.t, object{
		"outcome": "ConfirmationRequired", "confirmation": object{"key": regexp.MustCompile(`.`), "expiresAt": pick(r.t, got, "confirmation", "expiresAt")},
		"warnings": []any{object{"itemCode": "documents", "requested": requested, "remaining": remaining, "excess": requested - remaining}},
	}, got)
	return text(r.t, got, "confirmation", "key")
}

// addonsOf returns the add-ons in the detail of the private label.
func (s *shop) addonsOf() []any {
	s.t.Helper()
	return list(s.t, s.get(s.label).data(), "assignment", "addons")
}

// What was allocated counts for the whole period, even if it was removed the same day (§1).
func TestRemovedStillCounts(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	s.assign(s.label, s.small).outcome("Assigned")
	addon := text(t, s.attach(s.extra, 1).data(), "subscriptionAddonId")
	s.del(s.label + "/package/addons/" + addon).data()
	require.Equal(t, 10.0, s.remaining())
	s.attach(s.extra, 1).outcome("Attached") // it is already billed
	require.Equal(t, 10.0, s.remaining())
	s.del(s.label + "/package").data()
	require.Equal(t, 10.0, s.remaining())
	s.assign(s.label, s.small).outcome("Assigned") // likewise
	require.Equal(t, 10.0, s.remaining())
	s.del(s.label + "/package").data()
	s.assign(s.label, s.big).question(120, 10) // a change bills both

	s.sim.Clock().Advance(31 * 24 * time.Hour)
	again := s.as(s.sim.APIKey())
	require.Equal(t, 100.0, (&shop{caller: again}).remaining()) // the next period
}

// A private label counts at the larger of allocated and used, suspended or not (§1).
func TestAllowanceCountsUse(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	require.NoError(t, s.sim.UseDocuments(clientHost, 50))
	require.NoError(t, s.sim.SuspendInConsole(clientHost, ""))
	require.Equal(t, 50.0, s.remaining())
	s.assign(s.label, s.small).outcome("Assigned") // uses 10 more
	require.Equal(t, 40.0, s.remaining())
	require.NoError(t, s.sim.UseDocuments(clientHost, 30))
	require.Equal(t, 20.0, s.remaining())
	s.attach(s.extra, 1).outcome("Attached") // 90, of which 80 are used
	require.Equal(t, 10.0, s.remaining())
	s.del(s.label).data()
	require.Equal(t, 100.0, s.remaining()) // until deprovisioned
}

// Two assignments that each fit alone cannot both pass unconfirmed (§3.2).
func TestAssignmentsOneAfterAnother(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	labels := []string{s.label}
	for i := range 7 {
		_, label := s.provision(fmt.Sprintf("n%d.client.example", i))
		labels = append(labels, label)
	}
	outcomes := make([]any, len(labels))
	var wait sync.WaitGroup
	for i, label := range labels {
		wait.Go(func() {
			if got, err := s.try("POST", label+"/package", object{"packageId": s.small}); err == nil {
				outcomes[i] = pick(t, got.body, "data", "outcome")
			}
		})
	}
	wait.Wait()
	count := map[any]int{}
	for _, outcome := range outcomes {
		count[outcome]++
	}
	require.Equal(t, map[any]int{"Assigned": 1, "ConfirmationRequired": 7}, count)
}

// 20 a minute, across all API keys of the reseller (§8).
func TestAllocationLimit(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	other := s.withScopes(scopeRead, scopePackages)
	s.assign(s.label, s.free).limits(20, 19)
	s.attach(s.extra, 1).limits(20, 18)
	s.post(labelsPath, order("two.client.example", withPackage(s.free))).limits(20, 17)
	for i := range 17 {
		other.post(s.label+"/package", object{"packageId": s.free}).limits(20, 16-i)
	}
	s.assign(s.label, s.free).limited(20, 60)
	s.attach(s.extra, 1).limited(20, 60)
	s.post(labelsPath, order("three.client.example", withPackage(s.free))).limited(20, 60)
	s.post(labelsPath, order("three.client.example")).data() // without a package it is no allocation, and the host is free
	s.del(s.label + "/package").data()                       // a removal allocates nothing
	s.sim.Clock().Advance(time.Minute)
	s.assign(s.label, s.free).outcome("Assigned")
}

func TestConsoleMovesOfBilling(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	require.NoError(t, s.sim.AssignInConsole(clientHost, s.big, map[string]float64{s.extra: 2}))
	require.Equal(t, 180.0, pick(t, s.get(s.label).data(), "assignment", "allocated", "documents"))
	require.NoError(t, s.sim.AssignInConsole(clientHost, s.free, nil))
	require.Equal(t, "FREE", text(t, s.get(s.label).data(), "assignment", "packageCode"))
	require.NoError(t, s.sim.RemovePackageInConsole(clientHost))
	require.Nil(t, s.get(s.label).data()["assignment"])
	require.Equal(t, 0.0, s.remaining())
}

// What was confirmed before counts in the next question, and in the quota.
func TestRemainingBelowZero(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{"remaining": "negative"})
	s.assign(s.label, s.big, s.assign(s.label, s.big).question(120, 100)).outcome("Assigned")
	require.Equal(t, -20.0, s.remaining())
	s.attach(s.extra, 1, s.attach(s.extra, 1).question(30, -20)).outcome("Attached")
	require.Equal(t, -50.0, s.remaining())
}

func TestRemovedIsFreed(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{"removed-item": "freed"})
	s.assign(s.label, s.small).outcome("Assigned")
	s.attach(s.extra, 1).outcome("Attached")
	require.Equal(t, 10.0, s.remaining())
	s.del(s.label + "/package/addons/" + text(t, as[object](s.addonsOf()[0]), "subscriptionAddonId")).data()
	require.Equal(t, 40.0, s.remaining())
	s.del(s.label + "/package").data()
	require.Equal(t, 100.0, s.remaining())
	require.NoError(t, s.sim.SetPackageIncluded(s.small, documents(150)))
	s.assign(s.label, s.small).question(150, 100)
}
