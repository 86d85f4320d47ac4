package simulator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// personal is the host name of documents without a domain.
const personal = "personal.portals.example"

// written is an entry as a test states it.
func written(e simulator.Entry) string {
	parts := []string{string(e.Kind)}
	if e.Console {
		parts = append(parts, "(console)")
	}
	parts = append(parts, e.Host, e.Item, e.Code)
	if e.Quantity != 0 {
		parts = append(parts, fmt.Sprintf("x%g", e.Quantity))
	}
	if e.Allowance != "" {
		parts = append(parts, fmt.Sprintf("%s+%g", e.Allowance, e.Excess))
	}
	parts = append(parts, e.Person, e.Subject)
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")
}

// wantBooks runs f and compares what it adds to the books.
func wantBooks(t *testing.T, sim *simulator.Simulator, f func(), want ...string) {
	t.Helper()
	before := len(sim.Books())
	f()
	var got []string
	for _, e := range sim.Books()[before:] {
		got = append(got, written(e))
	}
	assert.Equal(t, want, got, "what the books gained")
}

func TestBooks_Labels(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	path := labelsPath + "/"
	wantBooks(t, c.sim, func() {
		id, _ := c.provision(clientHost)
		path += id
	}, "host bound sign.client.example", "emailed sign.client.example ada@client.example Set your password for Client Sign")
	wantBooks(t, c.sim, func() { c.post(labelsPath, order(clientHost)).rejected(400, "HOST_TAKEN") })
	wantBooks(t, c.sim, func() { c.post(path+"/suspend", object{"reason": "unpaid"}).data() }, "suspended sign.client.example")
	wantBooks(t, c.sim, func() { c.post(path+"/suspend", object{"reason": "again"}).data() })
	wantBooks(t, c.sim, func() { c.post(path+"/unsuspend", nil).data() }, "unsuspended sign.client.example")
	wantBooks(t, c.sim, func() { require.NoError(t, c.sim.SuspendByPlatform(clientHost, "abuse")) }, "suspended (console) sign.client.example")
	wantBooks(t, c.sim, func() { c.post(path+"/suspend", object{}).data() })
	wantBooks(t, c.sim, func() { c.del(path).data() }, "deprovisioned sign.client.example")
	wantBooks(t, c.sim, func() { c.del(path).rejected(403, "FORBIDDEN") })
}

func TestBooks_ConsoleLabel(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	wantBooks(t, c.sim, func() {
		c.made(c.sim.AddConsoleLabel(clientHost, ada))
	}, "host bound (console) sign.client.example", "emailed (console) sign.client.example ada@client.example Set your password for sign.client.example")
	wantBooks(t, c.sim, func() {
		_, err := c.sim.AddConsoleLabel(clientHost, ada)
		assert.Error(t, err, "a host was bound twice")
	})
	wantBooks(t, c.sim, func() { require.NoError(t, c.sim.SuspendInConsole(clientHost, "unpaid")) }, "suspended (console) sign.client.example")
	wantBooks(t, c.sim, func() { require.NoError(t, c.sim.DeprovisionInConsole(clientHost)) }, "deprovisioned (console) sign.client.example")
}

func TestBooks_People(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	mailed := "emailed sign.client.example " + bob + " Set your password for Client Sign"
	id := ""
	wantBooks(t, c.sim, func() { id = c.addBob(path) }, mailed)
	wantBooks(t, c.sim, func() { c.addBob(path) })
	wantBooks(t, c.sim, func() { c.post(path+"/users/"+id+"/invite", nil) })
	wantBooks(t, c.sim, func() {
		c.sim.Clock().Advance(5 * time.Minute)
		c.post(path+"/users/"+id+"/invite", nil).data()
	}, mailed)
	wantBooks(t, c.sim, func() { c.del(path + "/users/" + id).data() }, "member removed sign.client.example "+bob)
	wantBooks(t, c.sim, func() { c.del(path + "/users/" + id).data() })
	c.sim.FailEmails(1)
	wantBooks(t, c.sim, func() { c.addBob(path) })
	wantBooks(t, c.sim, func() { require.NoError(t, c.sim.RemovePersonInConsole(clientHost, bob)) }, "member removed (console) sign.client.example "+bob)
	owner := as[string](c.member(path, "ada@client.example")["id"])
	wantBooks(t, c.sim, func() { c.del(path+"/users/"+owner).rejected(400, "CANNOT_REMOVE_OWNER") })
}

func TestBooks_Catalog(t *testing.T) {
	t.Parallel()
	for name, kind := range catalogs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := assuming(t, simulator.Forms{})
			item := strings.TrimSuffix(kind.id, "Id")
			id := ""
			wantBooks(t, c.sim, func() {
				id = text(t, c.post(kind.path, object{"code": "gold", "name": "Gold", "currency": "EUR"}).data(), kind.id)
			}, "code created "+item+" GOLD")
			wantBooks(t, c.sim, func() {
				c.post(kind.path, object{"code": "Gold", "name": "Gold", "currency": "EUR"}).rejected(400, "CODE_IN_USE")
			})
			update := func(fields object) func() {
				return func() { fields[kind.id] = id; c.post(kind.path+"/update", fields).data() }
			}
			wantBooks(t, c.sim, update(object{"name": "Golden"}))
			wantBooks(t, c.sim, update(object{"active": false}), "item deactivated "+item+" GOLD")
			wantBooks(t, c.sim, update(object{"active": false}))
			wantBooks(t, c.sim, update(object{"active": true}))
		})
	}
}

func TestBooks_Assignments(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{}) // 100 documents
	key := ""
	wantBooks(t, s.sim, func() { key = s.assign(s.label, s.big).question(120, 100) })
	wantBooks(t, s.sim, func() { s.assign(s.label, s.big, key).outcome("Assigned") },
		"billed sign.client.example package BIG x1", "excess confirmed sign.client.example package BIG x1 documents+20")
	wantBooks(t, s.sim, func() { s.assign(s.label, s.small).rejected(400, "ALREADY_ASSIGNED") })
	wantBooks(t, s.sim, func() { s.del(s.label + "/package").data() }, "item removed sign.client.example package BIG x1")
	wantBooks(t, s.sim, func() { s.del(s.label+"/package").rejected(400, "NOT_ASSIGNED") })

	wantBooks(t, s.sim, func() { s.assign(s.label, s.free).outcome("Assigned") }, "billed sign.client.example package FREE x1")
	wantBooks(t, s.sim, func() { s.attach(s.seats, 2).outcome("Attached") }, "billed sign.client.example addon SEATS x2")
	wantBooks(t, s.sim, func() { key = s.attach(s.extra, 2).question(60, 0) })
	wantBooks(t, s.sim, func() { s.attach(s.extra, 1, key).rejected(400, "CONFIRMATION_INVALID") })
	wantBooks(t, s.sim, func() { s.attach(s.extra, 2, key).outcome("Attached") },
		"billed sign.client.example addon EXTRA x2", "excess confirmed sign.client.example addon EXTRA x2 documents+60")
	attached := text(t, as[object](s.addonsOf()[0]), "subscriptionAddonId")
	wantBooks(t, s.sim, func() { s.del(s.label + "/package/addons/" + attached).data() }, "item removed sign.client.example addon SEATS x2")
	wantBooks(t, s.sim, func() { s.del(s.label+"/package/addons/"+attached).rejected(400, "ADDON_NOT_FOUND") })
}

// A key that is sent when none is needed confirms nothing.
func TestBooks_KeyNotNeeded(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	key := s.assign(s.label, s.big).question(120, 100)
	require.NoError(t, s.sim.SetAllowance(documents(500)))
	wantBooks(t, s.sim, func() { s.assign(s.label, s.big, key).outcome("Assigned") }, "billed sign.client.example package BIG x1")
}

func TestBooks_ProvisionWithPackage(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	bound := []string{"host bound sign.second.example", "emailed sign.second.example ada@client.example Set your password for Client Sign"}
	wantBooks(t, s.sim, func() { s.post(labelsPath, order("sign.second.example", withPackage(s.small))).data() },
		append(bound, "billed sign.second.example package SMALL x1")...)
	wantBooks(t, s.sim, func() { s.post(labelsPath, order("sign.third.example", withPackage(s.big))).data() },
		"host bound sign.third.example", "emailed sign.third.example ada@client.example Set your password for Client Sign")
}

func TestBooks_ConsoleAssignments(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	const on = " (console) sign.client.example "
	wantBooks(t, s.sim, func() { require.NoError(t, s.sim.AssignInConsole(clientHost, s.free, map[string]float64{s.seats: 2})) },
		"billed"+on+"package FREE x1", "billed"+on+"addon SEATS x2")
	wantBooks(t, s.sim, func() { require.NoError(t, s.sim.AttachInConsole(clientHost, s.extra, 3)) }, "billed"+on+"addon EXTRA x3")
	wantBooks(t, s.sim, func() {
		for name, err := range map[string]error{
			"attached twice": s.sim.AttachInConsole(clientHost, s.extra, 3),
			"no add-on":      s.sim.AttachInConsole(clientHost, nobodyID, 3),
			"not attached":   s.sim.DetachInConsole(clientHost, nobodyID),
			"no package":     s.sim.SetPackageActive(nobodyID, false),
			"no such add-on": s.sim.SetAddonActive(s.small, false),
		} {
			assert.Error(t, err, "%s: no error", name)
		}
	})
	wantBooks(t, s.sim, func() { require.NoError(t, s.sim.DetachInConsole(clientHost, s.seats)) }, "item removed"+on+"addon SEATS x2")
	require.Len(t, s.addonsOf(), 1)
	wantBooks(t, s.sim, func() { require.NoError(t, s.sim.SetPackageActive(s.small, false)) }, "item deactivated (console) package SMALL")
	wantBooks(t, s.sim, func() { require.NoError(t, s.sim.SetAddonActive(s.extra, false)) }, "item deactivated (console) addon EXTRA")
	wantBooks(t, s.sim, func() { require.NoError(t, s.sim.SetAddonActive(s.extra, true)) })
	require.NoError(t, s.sim.RemovePackageInConsole(clientHost))
	s.assign(s.label, s.small).rejected(400, "PACKAGE_INACTIVE")
	assert.Error(t, s.sim.AttachInConsole(clientHost, s.extra, 1), "an add-on was attached without a package")
	wantBooks(t, s.sim, func() { require.NoError(t, s.sim.RemovePackageInConsole(clientHost)) })
}

func TestBooks_Documents(t *testing.T) {
	t.Parallel()
	bothFamilies(t, func(t *testing.T, c *signingCaller) {
		user, id := c.sim.SigningUserEmail(), ""
		wantBooks(t, c.sim, func() {
			id = c.uploadForm(uploadOf(signerOf(user, 1, field("Date", "Date")), signerOf(bob, 2, field("Name", "Name"))))
		}, "document sent "+personal+" Terms", "emailed "+personal+" "+user+" Please sign: Terms")
		for _, e := range c.sim.Books() {
			require.Equal(t, id, e.Document)
		}
		ids := c.annotationIDs(id)
		sign := func(annotation string) func() {
			return func() { c.post(c.sign, signOrder(id, annotation, "15-10-2026")).data() }
		}
		wantBooks(t, c.sim, sign(ids[0]), "document signed "+personal+" Terms", "emailed "+personal+" "+bob+" Please sign: Terms")
		wantBooks(t, c.sim, sign(ids[0])) // the same again changes nothing
		wantBooks(t, c.sim, func() { require.NoError(t, c.sim.SignInApp(id, bob)) },
			"document signed (console) "+personal+" Terms", "emailed (console) "+personal+" "+ada+" Completed: Terms")
		wantBooks(t, c.sim, func() { c.sendForm(mintPath, mintForm("ARC3")).data() }, "document minted Terms 2026")
		wantBooks(t, c.sim, func() { c.sendForm(mintPath, mintForm("ARC3").with("unitName", nil)).rejected(400, "INVALID_DATA") })
	})
}

// A call whose response was lost took effect; one that a fault stopped did not.
func TestBooks_Faults(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	const route = "POST " + ofLabel + "/suspend"
	c.sim.Inject(simulator.Fault{Route: route, Kind: simulator.FaultServerError})
	wantBooks(t, c.sim, func() { c.post(path+"/suspend", object{}) })
	c.sim.Inject(simulator.Fault{Route: route, Kind: simulator.FaultReset, After: true})
	wantBooks(t, c.sim, func() { _, _ = c.try("POST", path+"/suspend", object{}) }, "suspended sign.client.example")
}
