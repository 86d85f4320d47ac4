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

func TestAssignFits(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	require.Nil(t, pick(t, s.get(s.label+"/package").data(), "assignment"))
	got := s.assign(s.label, s.small).outcome("Assigned")
	allocated := object{"documents": 60.0, "seats": 0.0, "templates": 0.0, "notarizations": 0.0}
	exactly(t, object{"outcome": "Assigned", "assignmentId": id32, "allocated": allocated}, got)
	require.Equal(t, 40.0, s.remaining())

	read := s.get(s.label + "/package").data()["assignment"]
	require.Equal(t, s.get(s.label).data()["assignment"], read) // as §2.4
	require.Subset(t, read, object{"id": got["assignmentId"], "packageCode": "SMALL"})
	s.assign(s.label, s.small).rejected(400, "ALREADY_ASSIGNED")
	s.assign(s.label, s.free).rejected(400, "ALREADY_ASSIGNED") // another one as well
}

func TestAssignRefuses(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	s.assign(s.label, s.retired).rejected(400, "PACKAGE_INACTIVE")
	s.assign(s.label, "nobody").rejected(400, "PACKAGE_NOT_FOUND")
	s.assign(s.label, "").rejected(400, "INVALID_REQUEST")
	s.post(s.label+"/package", object{"packageId": s.free, "quantity": 1}).rejected(400, "INVALID_REQUEST")
	require.NoError(t, s.sim.SetSubscription(false))
	s.assign(s.label, s.free).rejected(400, "NO_SUBSCRIPTION")
}

func TestAssignExceeds(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	reply := s.assign(s.label, s.big)
	key := reply.question(120, 100)
	require.Equal(t, float64(start.Add(10*time.Minute).UnixMilli()), pick(t, reply.data(), "confirmation", "expiresAt"))
	require.Nil(t, s.get(s.label).data()["assignment"]) // nothing was written
	s.sim.Clock().Advance(10 * time.Minute)             // at most 10 minutes
	s.assign(s.label, s.big, key).outcome("Assigned")
	require.Equal(t, 0.0, s.remaining())
	s.assign(s.label, s.big, key).rejected(400, "ALREADY_ASSIGNED")
}

func TestConfirmationOfChangedNumbers(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	old := s.assign(s.label, s.big).question(120, 100)
	_, other := s.provision("sign.other.example")
	s.assign(other, s.small).outcome("Assigned")
	fresh := s.assign(s.label, s.big, old).question(120, 40)
	require.NotEqual(t, old, fresh)
	require.Nil(t, s.get(s.label).data()["assignment"])
	s.assign(s.label, s.big, fresh).outcome("Assigned")
}

func TestConfirmationOfAnotherRequest(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	_, other := s.provision("sign.other.example")
	key := s.assign(s.label, s.big).question(120, 100)
	s.assign(other, s.big, key).rejected(400, "CONFIRMATION_INVALID")
	s.assign(s.label, s.big, "invented").rejected(400, "CONFIRMATION_INVALID")
	s.assign(other, s.small, key).outcome("Assigned") // within the allowance: the key is ignored
	s.assign(s.label, s.free, "invented").outcome("Assigned")

	of4 := s.attach(s.extra, 4).question(120, 40)
	s.attach(s.extra, 5, of4).rejected(400, "CONFIRMATION_INVALID")
	s.attach(s.extra, 2, key).rejected(400, "CONFIRMATION_INVALID")
	require.Len(t, s.addonsOf(), 0)
	s.attach(s.extra, 1, of4).outcome("Attached") // within the allowance
}

func TestConfirmationExpires(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	key := s.assign(s.label, s.big).question(120, 100)
	s.sim.Clock().Advance(10*time.Minute + time.Millisecond)
	s.assign(s.label, s.big, key).rejected(400, "CONFIRMATION_EXPIRED")
	require.Nil(t, s.get(s.label).data()["assignment"])
	s.assign(s.label, s.free, key).outcome("Assigned") // within the allowance
}

func TestAttach(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	s.attach(s.extra, 1).rejected(400, "NOT_ASSIGNED")
	s.assign(s.label, s.free).outcome("Assigned")
	got := s.attach(s.extra, 2).outcome("Attached")
	allocated := object{"documents": 60.0, "seats": 0.0, "templates": 0.0, "notarizations": 0.0}
	exactly(t, object{"outcome": "Attached", "subscriptionAddonId": id32, "allocated": allocated}, got)
	want := object{"subscriptionAddonId": got["subscriptionAddonId"], "addonId": s.extra, "code": "EXTRA", "name": "EXTRA", "quantity": 2.0}
	require.Equal(t, []any{want}, s.addonsOf())

	s.attach(s.extra, 1).rejected(400, "ALREADY_ATTACHED") // 30 would be within the allowance
	s.attach(s.seats, 1).outcome("Attached")
	s.attach("nobody", 1).rejected(400, "ADDON_NOT_FOUND")
	for _, quantity := range []any{0, -1, 1.5, "1", nil} {
		s.attach(s.extra, quantity).rejected(400, "INVALID_REQUEST")
	}
	s.post(addonsPath+"/update", object{"addonId": s.extra, "active": false}).data()
	s.attach(s.extra, 1).rejected(400, "ADDON_INACTIVE")
	require.NoError(t, s.sim.SetSubscription(false))
	s.attach(s.seats, 1).rejected(400, "NO_SUBSCRIPTION")

	view := s.sim.Labels()[0]
	require.Equal(t, "FREE", view.Package)
	require.Len(t, view.Addons, 2)
	require.Equal(t, 2.0, view.Addons[0].Quantity)
	require.Equal(t, map[string]float64{"documents": 60, "seats": 5, "templates": 0, "notarizations": 0}, view.Allocated)
}

func TestAttachTwiceThatNoLongerFits(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	s.assign(s.label, s.free).outcome("Assigned")
	s.attach(s.extra, 2).outcome("Attached")
	key := s.attach(s.extra, 2).question(60, 40)
	s.attach(s.extra, 2, key).rejected(400, "ALREADY_ATTACHED")
	require.Len(t, s.addonsOf(), 1)
}

func TestRemovePackage(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	s.del(s.label+"/package").rejected(400, "NOT_ASSIGNED")
	s.assign(s.label, s.small).outcome("Assigned")
	s.attach(s.extra, 1).outcome("Attached")
	require.Equal(t, object{"status": "removed"}, s.del(s.label+"/package").data())
	require.Nil(t, s.get(s.label).data()["assignment"]) // with its add-ons
	s.del(s.label+"/package").rejected(400, "NOT_ASSIGNED")
	s.post(s.label+"/package/remove", nil).rejected(404, "NOT_FOUND")
}

func TestRemoveAddon(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	s.del(s.label+"/package/addons/x").rejected(400, "NOT_ASSIGNED")
	s.assign(s.label, s.free).outcome("Assigned")
	path := s.label + "/package/addons/" + text(t, s.attach(s.extra, 1).data(), "subscriptionAddonId")
	s.del(s.label+"/package/addons/"+s.extra).rejected(400, "ADDON_NOT_FOUND") // it needs the ID of the attachment
	require.Equal(t, object{"status": "removed"}, s.del(path).data())
	require.Len(t, s.addonsOf(), 0)
	s.del(path).rejected(400, "ADDON_NOT_FOUND")
}

func TestRemovalAlternatives(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{"removal": "post-path", "removal-id": "addon", "no-assignment": "not-assigned", "assignment-read": "bare"})
	s.get(s.label+"/package").rejected(400, "NOT_ASSIGNED")
	s.assign(s.label, s.free).outcome("Assigned")
	require.Equal(t, "FREE", text(t, s.get(s.label+"/package").data(), "packageCode"))
	attachment := text(t, s.attach(s.extra, 1).data(), "subscriptionAddonId")
	s.del(s.label+"/package").rejected(404, "NOT_FOUND")
	s.del(s.label+"/package/addons/"+s.extra).rejected(404, "NOT_FOUND")
	s.post(s.label+"/package/addons/"+attachment+"/remove", nil).rejected(400, "ADDON_NOT_FOUND")
	s.post(s.label+"/package/addons/"+s.extra+"/remove", nil).data()
	s.post(s.label+"/package/remove", nil).data()
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
