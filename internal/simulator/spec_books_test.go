package simulator_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

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

// What each call adds to the books; a call without effects changes no lasting data, and the books are lasting data.
func TestBooks(t *testing.T) {
	t.Parallel()
	checkTable(t, bookChapters, func(w *world) {
		maps.Copy(w.names, families["B"])
		w.books = true
	})
}

// What `simulate do` does in the simulator, and why it does not; on a file and by URL alike (TestDoMovesAFileAndAServer).
func TestDo(t *testing.T) {
	t.Parallel()
	checkTable(t, doChapters, func(*world) {})
}

var doChapters = []chapter{
	{"simulate do", "", "", []row{
		{"", "DO provision sign.new.example", "", "200", strings.ReplaceAll(newLabels, ada, "owner@sign.new.example")},
		{"", "DO provision " + longHost, "", "200", strings.NewReplacer(ada, "owner@"+longHost[63:], "sign.new.example", longHost).Replace(newLabels)},
		{"", "DO provision acme", "", "0 ~DOMAIN_INVALID", ""},
		{"", "DO provision b\u00fccher.example", "", "0 ~DOMAIN_INVALID", ""},
		{"", "DO provision 192.0.2.1", "", "0 ~DOMAIN_INVALID", ""},
		{"", "DO provision sign.client.example", "", "0 ~HOST_TAKEN", ""},
		{"", "DO provision app.portals.example", "", "0 ~HOST_RESERVED", ""},
		{"", "DO suspend sign.client.example -by platform -reason unpaid", "", "200", toSuspended + "Platform unpaid"},
		{"", "DO suspend sign.client.example", "", "200", toSuspended + "Reseller"},
		{"suspend sign.client.example", "DO unsuspend sign.client.example", "", "200", "+sign.client.example is Active, -sign.client.example is Suspended Reseller"},
		{"suspend sign.client.example -by platform", "DO unsuspend sign.client.example", "", "200", "+sign.client.example is Active, -sign.client.example is Suspended Platform"},
		{"", "DO assign sign.client.example free", "", "200", "+sign.client.example has FREE"},
		{free, "DO attach sign.client.example extra 3", "", "200", "+sign.client.example has 3 EXTRA"},
		{withExtra, "DO detach sign.client.example extra", "", "200", "-sign.client.example has 1 EXTRA"},
		{"", "DO member add sign.client.example bob@client.example", "", "200", bobCame},
		{"bob", "DO member promote sign.client.example bob@client.example", "", "200", bobLeft + ", +sign.client.example admin bob@client.example"},
		{"bob", "DO member remove sign.client.example bob@client.example", "", "200", bobLeft},
		{"allowance documents 7", "GET {reseller}/billing/quota", "", remaining(7), ""},
		{"dns sign.client.example ok; wait 1m", "GET {label}", "", dns(true), "…"},
		{"dns sign.client.example ok; dns sign.client.example missing; wait 1m", "GET {label}", "", dns(false), "…"},
		{"dns sign.client.example ok; dns sign.client.example wrong; wait 1m", "GET {label}", "", dns(false), "…"},
		{"fault POST_/suspend 500 -after -times 2; try POST {label}/suspend", "POST {label}/suspend", "", "500 INTERNAL_SERVER_ERROR", ""},
		{"fault POST_/suspend 500 -after -times 2; 2 times POST {label}/suspend", "POST {label}/suspend", "", `200 {"…":0}`, ""},
		{"", "DO move-away sign.client.example", "", "200", "-sign.client.example attached: true, -sign.client.example is Active, -sign.client.example owner ada@client.example"},
		{"", "DO deprovision sign.client.example", "", "200", "-sign.client.example attached: true, -sign.client.example is Active, -sign.client.example owner ada@client.example"},
		{"", "DO jump", "", "0 ~unknown verb jump; simulate do -h lists the verbs", ""},
		{"", "DO suspend", "", "0 ~usage: simulate do suspend HOST [-by platform] [-reason TEXT]", ""},
		{"", "DO suspend sign.client.example -by nobody", "", "0 ~-by is reseller or platform, not nobody", ""},
		{"", "DO suspend sign.client.example -for ever", "", "0 ~usage: simulate do suspend HOST [-by platform] [-reason TEXT]", ""},
		{"", "DO suspend sign.client.example -reason", "", "0 ~usage: simulate do suspend HOST [-by platform] [-reason TEXT]", ""},
		{"", "DO suspend nowhere.example", "", "0 ~no private label has the host name nowhere.example", ""},
		{"", "DO dns sign.client.example late", "", "0 ~DNS is ok, missing or wrong, not late", ""},
		{free, "DO attach sign.client.example GOLD 1", "", "0 ~no addon has the code GOLD", ""},
		{"", "DO assign sign.client.example GOLD", "", "0 ~no package has the code GOLD", ""},
		{"", "DO allowance paper 3", "", "0 ~paper is not an item code", ""},
		{"", "DO allowance seats -3", "", "0 ~usage: simulate do allowance ITEM NUMBER", ""},
		{"", "DO allowance seats many", "", "0 ~many is no whole number", ""},
		{"", "DO member marry sign.client.example a@b.c", "", "0 ~a member is added, removed or promoted: add, remove or promote, not marry", ""},
		{"", "DO fault /suspend 500", "", `0 ~"/suspend" is 0 routes; name one as the list of calls on the page does`, ""},
		{"", "DO fault POST_/suspend odd", "", "0 ~odd is no kind of fault", ""},
		{"", "DO fault POST_/suspend 500 -times none", "", "0 ~-times is a whole number of at least 1, not none", ""},
	}},
	{"Moves of what does not exist", "", "", noMoves(
		"SuspendByPlatform nobody.example x", "LiftPlatformSuspension nobody.example", "SuspendInConsole nobody.example x", "UnsuspendInConsole nobody.example",
		"MoveAway nobody.example", "DeprovisionInConsole nobody.example", "CorrectDNS nobody.example", "BreakDNS nobody.example", "RemoveOwner nobody.example",
		"DeleteReseller nobody.example", "ChangeSlug nobody.example x", "RevokeKey nonsense", `SetAllowance {"pages":1}`, "RenamePerson sign.client.example eve@client.example N B",
		"RenamePerson nobody.example eve@client.example N B", "MakeAdmin sign.client.example eve@client.example", "MakeAdmin sign.client.example ada@client.example",
		"DemoteAdmin sign.client.example ada@client.example", "DemoteAdmin sign.client.example eve@client.example",
		"RemovePersonInConsole sign.client.example eve@client.example", "RemovePersonInConsole nobody.example ada@client.example", `AddPackage a {"pages":1} true`,
		"AddPackage small null true", "AddTemplateInConsole nobody.example Terms terms false", "AddPersonInConsole sign.client.example ADA@client.example Ada Lovelace",
	)},
}

// longHost has the most characters of a host name, so that an email address at it would have too many.
var longHost = strings.Repeat(strings.Repeat("a", 62)+".", 3) + strings.Repeat("a", 56) + ".example"

func noMoves(moves ...string) (rows []row) {
	for _, move := range moves {
		rows = append(rows, row{"", "DO " + move, "", "0", ""})
	}
	return rows
}

const (
	free         = "assign sign.client.example FREE"
	mailedBob    = "+emailed sign.client.example bob@client.example Set your password for Client Sign"
	boundNew     = "+emailed sign.new.example ada@client.example Set your password for New Sign, +host bound sign.new.example"
	newLabelBody = `{"owner":{"email":"ada@client.example","firstName":"Ada","lastName":"Lovelace"},"config":{"domain":"sign.new.example","appName":"New Sign"}}`
	askBig       = `POST {label}/package {"packageId":"{BIG}"}`
)

var bookChapters = []chapter{
	{"Private labels", "POST {reseller}/private-labels", newLabelBody, []row{
		{"", "", "+{}", "200", boundNew},
		{"", "", `+{"package":{"packageId":"{SMALL}"}}`, "200", "+billed sign.new.example package SMALL x1, " + boundNew},
		{"", "", `+{"package":{"packageId":"{BIG}"}}`, "200", boundNew},
		{"", "POST {label}/suspend", "", "200", "+suspended sign.client.example"},
		{"suspend sign.client.example", "POST {label}/unsuspend", "", "200", "+unsuspended sign.client.example"},
		{"", "DELETE {label}", "", "200", "+deprovisioned sign.client.example"},
		{
			"", "DO AddConsoleLabel sign.new.example ada@client.example", "", "200",
			"+emailed (console) sign.new.example ada@client.example Set your password for sign.new.example, +host bound (console) sign.new.example",
		},
		{"", "DO AddConsoleLabel sign.client.example ada@client.example", "", "0 ~HOST_TAKEN", ""},
		{"", "DO SuspendByPlatform sign.client.example abuse", "", "200", "+suspended (console) sign.client.example"},
		{"", "DO SuspendInConsole sign.client.example unpaid", "", "200", "+suspended (console) sign.client.example"},
		{"SuspendInConsole sign.client.example unpaid", "DO UnsuspendInConsole sign.client.example", "", "200", "…"},
		{"", "DO move-away sign.client.example", "", "200", "…"}, // it is another's then
		{"", "DO DeprovisionInConsole sign.client.example", "", "200", "+deprovisioned (console) sign.client.example"},
		{"fault POST_/suspend 500", "POST {label}/suspend", "", "500", ""},
		{"fault POST_/suspend 500 -after", "POST {label}/suspend", "", "500", "+suspended sign.client.example"},
	}},
	{"People", "POST {label}/users", bobBody, []row{
		{"", "", "+{}", "200", mailedBob},
		{"FailEmails 1", "", "+{}", "200", "…"},
		{"bob; wait 5m", "POST {label}/users/{bob}/invite", "", "200", mailedBob},
		{"bob", "DELETE {label}/users/{bob}", "", "200", "+member removed sign.client.example bob@client.example"},
		{"bob", "DO RemovePersonInConsole sign.client.example bob@client.example", "", "200", "+member removed (console) sign.client.example bob@client.example"},
	}},
	{"Packages and add-ons", "POST {reseller}/billing/packages/update", `{"packageId":"{SMALL}"}`, []row{
		{"", "POST {reseller}/billing/packages", `{"code":"gold","name":"Gold","currency":"EUR"}`, "200", "+code created package GOLD"},
		{"", "POST {reseller}/billing/addons", `{"code":"gold","name":"Gold","currency":"EUR"}`, "200", "+code created addon GOLD"},
		{"", "", `+{"name":"New"}`, "200", "…"},
		{"", "", `+{"active":false}`, "200", "+item deactivated package SMALL"},
		{"SetPackageActive {SMALL} false", "", `+{"active":true}`, "200", "…"},
		{"SetPackageActive {SMALL} false", "", `+{"active":false}`, "200", ""},
		{"", "POST {reseller}/billing/addons/update", `{"addonId":"{EXTRA}","active":false}`, "200", "+item deactivated addon EXTRA"},
		{"", "DO SetPackageActive {SMALL} false", "", "200", "+item deactivated (console) package SMALL"},
		{"", "DO SetAddonActive {EXTRA} false", "", "200", "+item deactivated (console) addon EXTRA"},
		{"SetAddonActive {EXTRA} false", "DO SetAddonActive {EXTRA} true", "", "200", "…"},
		{"", "DO SetPackageActive {none} false", "", "0", ""},
		{"", "DO SetAddonActive {SMALL} false", "", "0", ""},
	}},
	{"Assignments", "POST {label}/package", `{"packageId":"{BIG}"}`, []row{
		{"", "", "+{}", "200", "…"}, // only the key
		{askBig, "", `+{"confirmationKey":"{confirmation}"}`, "200", "+billed sign.client.example package BIG x1, +excess confirmed sign.client.example package BIG x1 documents+20"},
		{askBig + "; allowance documents 500", "", `+{"confirmationKey":"{confirmation}"}`, "200", "+billed sign.client.example package BIG x1"}, // it confirms nothing
		{"assign sign.client.example BIG", "DELETE {label}/package", "", "200", "+item removed sign.client.example package BIG x1"},
		{free, "POST {label}/package/addons", `{"addonId":"{SEATS}","quantity":2}`, "200", "+billed sign.client.example addon SEATS x2"},
		{
			"assign sign.client.example BIG; " + `POST {label}/package/addons {"addonId":"{EXTRA}","quantity":2}`, "POST {label}/package/addons",
			`{"addonId":"{EXTRA}","quantity":2,"confirmationKey":"{confirmation}"}`, "200",
			"+billed sign.client.example addon EXTRA x2, +excess confirmed sign.client.example addon EXTRA x2 documents+60",
		},
		{free + "; attach sign.client.example SEATS 2", "DELETE {label}/package/addons/{attached}", "", "200", "+item removed sign.client.example addon SEATS x2"},
		{
			"", "DO AssignInConsole sign.client.example {FREE} {\"{SEATS}\":2}", "", "200",
			"+billed (console) sign.client.example addon SEATS x2, +billed (console) sign.client.example package FREE x1",
		},
		{free, "DO AttachInConsole sign.client.example {EXTRA} 3", "", "200", "+billed (console) sign.client.example addon EXTRA x3"},
		{free + "; attach sign.client.example EXTRA 3", "DO AttachInConsole sign.client.example {EXTRA} 3", "", "0", ""},
		{free, "DO AttachInConsole sign.client.example {none} 3", "", "0", ""},
		{"", "DO AttachInConsole sign.client.example {EXTRA} 3", "", "0", ""},
		{free + "; attach sign.client.example SEATS 2", "DO DetachInConsole sign.client.example {SEATS}", "", "200", "+item removed (console) sign.client.example addon SEATS x2"},
		{free, "DO DetachInConsole sign.client.example {none}", "", "0", ""},
		{free, "DO RemovePackageInConsole sign.client.example", "", "200", "+item removed (console) sign.client.example package FREE x1"},
		{"", "DO RemovePackageInConsole sign.client.example", "", "200", ""},
	}},
	{"Documents", "POST {sign}", signBody, []row{
		{"", "FORM {upload}", termsBody, "200", "+document sent personal.portals.example Terms, +emailed personal.portals.example bob@client.example Please sign: Terms"},
		{uploaded, "", "+{}", "200", "+document signed personal.portals.example Terms, +emailed personal.portals.example ada@client.example Completed: Terms"},
		{
			uploaded, "DO SignInApp {doc0} bob@client.example", "", "200",
			"+document signed (console) personal.portals.example Terms, +emailed (console) personal.portals.example ada@client.example Completed: Terms",
		},
		{"", "FORM /signing-api/mintDocument", mintBody, "200", "+document minted Terms 2026"},
	}},
}
