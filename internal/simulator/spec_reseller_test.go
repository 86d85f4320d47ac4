package simulator_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The rows of the Reseller API Specification, in its order.
func TestResellerAPISpecification(t *testing.T) {
	t.Parallel()
	checkTable(t, resellerChapters, func(*world) {})
}

const (
	bobBody    = `{"email":"bob@client.example","firstName":"Bob","lastName":"Byte"}`
	addBobBody = `{"email":"bob@client.example","firstName":"Bob","lastName":"Byte","domain":"sign.client.example"}`
	bobCame    = "+email set-password bob@client.example of sign.client.example, +sign.client.example member bob@client.example"
	bobLeft    = "-sign.client.example member bob@client.example"
	newLabels  = "+email set-password ada@client.example of sign.new.example, +sign.new.example attached: true, +sign.new.example is Active, +sign.new.example owner ada@client.example"
	newSetup   = `"domainSetup":{"attached":true,"verified":false,"records":[{"type":"CNAME","name":"sign.new.example","value":"edge.portals.example"},` +
		`{"type":"A","name":"sign.new.example","value":"192.0.2.10"}]}`
	// withExtra has an add-on, and seatsTaken all seats of its package; points25 has a row on a second page.
	withExtra  = "assign sign.client.example FREE; attach sign.client.example EXTRA 1"
	seatsTaken = `SetPackageIncluded {SMALL} {"seats":2}; assign sign.client.example SMALL; bob`
	points25   = "25 times WritePoints sign.client.example documents 1"
	used       = "assign sign.client.example SMALL; UseDocuments sign.client.example 3; Notarize sign.client.example 2; " +
		"AddTemplateInConsole sign.client.example Terms terms false; WritePoints sign.client.example documents 7; WritePoints sign.client.example documents -2"
	figures       = `"documents":3,"notarizations":2,"seats":1,"templates":1,"points":5`
	gold          = `POST {reseller}/billing/packages {"code":"gold","name":"Gold","currency":"EUR","price":5,"note":"x","nested":{"a":1},"included":{"seats":2}}`
	wholeItem     = `{"packageId":"{GOLD}","code":"GOLD","name":"Gold","currency":"EUR","active":true,"createdAt":1792065600000,"price":5,"note":"x","nested":{"a":1},"included":{"seats":2}}`
	removeInBody  = "POST {label}/package/addons/remove"
	exchange      = "POST /api/v1/auth/token"
	console60     = "wait 1m; 60 times GET /console/dashboard"
	billing60     = "wait 1m; 30 times GET {label}/points; 30 times GET {reseller}/billing/quota"
	total300      = "wait 1m; 300 times GET /nowhere"
	allocations20 = `20 times POST {label}/package {"packageId":"{FREE}"}`
	smallLogo     = "+sign.client.example logo (4,4) #ffffff"
	bothLogos     = `FORM /console/tenant/upload-logos {"data":{"domain":"sign.client.example"},"logo":"<png 8x8>","bannerLogo":"<png 9x9>"}`
	justWritten   = free + "; bob; " + gold + `; POST {reseller}/billing/packages/update {"packageId":"{FREE}","name":"New"}`
	asksFirst     = `{"outcome":"ConfirmationRequired","confirmation":{"key":"<text>","expiresAt":1792066200000},` +
		`"warnings":[{"itemCode":"documents","requested":120,"remaining":100,"excess":20}]}`
	toSuspended = "-sign.client.example is Active, +sign.client.example is Suspended "
	asActive    = `200 {"tenantId":"{id}","status":"Active","suspendedAt":null,"suspendedBy":null,"suspendReason":null}`
)

// listed is a list of one private label with these fields.
func listed(fields string) string { return `200 {"privateLabels":[{` + fields + `,"…":0}],"…":0}` }

// allocated is the detail of a private label whose package has documents.
func allocated(documents int) string {
	return fmt.Sprintf(`200 {"assignment":{"allocated":{"documents":%d,"…":0},"…":0},"…":0}`, documents)
}

// dns is the detail of a private label whose DNS is or is not correct.
func dns(verified bool) string {
	return fmt.Sprintf(`200 {"domainSetup":{"verified":%t,"…":0},"…":0}`, verified)
}

// remaining is a quota with documents left.
func remaining(documents int) string {
	return fmt.Sprintf(`200 {"items":[{"itemCode":"documents","remaining":%d,"…":0},{"…":0},{"…":0},{"…":0}],"…":0}`, documents)
}

// dataRows have no object with a domain, and nothing else, in the data of logos.
func dataRows() (rows []row) {
	for _, data := range []string{
		`{"Domain":"sign.client.example"}`, `{"domain":"sign.client.example","host":1}`, `{"domain":"sign.client.example"}{}`,
		`{"host":1}`, client, `{"domain":null}`, `{"domain":7}`, `null`, `[]`, `""`, ``,
	} {
		rows = append(rows, row{"", "", fmt.Sprintf(`+{"data":%q}`, data), "400 INVALID_DATA", ""})
	}
	return rows
}

// logoHosts are the rows for hosts of others: foreignHosts replace a field of data.
func logoHosts() []row {
	rows := foreignHosts(nil)
	for i := range rows {
		rows[i].body = strings.Replace(rows[i].body, "{", `{"data":{`, 1) + "}"
	}
	return rows
}

// sizeRows are logos at the limit of 4096 pixels in each direction, in each format, and beyond it.
func sizeRows() (rows []row) {
	for format, color := range map[string]string{"png": "ffffff", "gif": "ffffff", "jpeg": "ffffff", "svg": "808080"} {
		logo := func(size string) string { return fmt.Sprintf(`+{"logo":"<%s %s>"}`, format, size) }
		rows = append(rows,
			row{"", "", logo("4096x1"), "200", "+sign.client.example logo (270,1) #" + color},
			row{"", "", logo("1x4096"), "200", "+sign.client.example logo (1,90) #" + color},
			row{"", "", logo("4097x1"), "400 INVALID_IMAGE", ""},
			row{"", "", logo("1x4097"), "400 INVALID_IMAGE", ""},
		)
	}
	return rows
}

// svgRows are images and the size of the stored one; those without a size are rejected.
func svgRows() (rows []row) {
	for svg, size := range map[string]string{
		`<svg width='270' height='90'/>`: "(270,90)", `<svg width='271' height='1'/>`: "(270,1)", `<svg width='4096' height='4096'/>`: "(90,90)", // fit
		`<svg width='535' height='1'/>`: "(270,1)", `<svg width='2140' height='1'/>`: "(270,1)", `<svg width='1' height='156'/>`: "(1,90)",
		`<svg width='100' height='180'/>`: "(50,90)", `<svg width='20px' height=' 10px '/>`: "(20,10)",
		`<svg width='20' height='10' viewBox='0 0 5000 5000'/>`: "(20,10)", `<svg viewBox='0 0 20 10'/>`: "(20,10)", `<svg viewBox='0,0, 20,10'/>`: "(20,10)",
		"<svg viewBox='0\t0\n20\t10'/>": "(20,10)", `<svg width='100%' height='100%' viewBox='0 0 20 10'/>`: "(20,10)",
		`<svg width='40' viewBox='0 0 20000 10000'/>`: "(40,20)", `<svg height='20' viewBox='0 0 20 10'/>`: "(40,20)", `<svg/>`: "(90,90)",
		`<svg viewBox='0 0 8'/>`: "(90,90)", `<svg width='NaN' height='-4'/>`: "(90,90)", `<svg width='0.4' height='19.5'/>`: "(1,20)",
		`<svg:svg xmlns:svg='http://www.w3.org/2000/svg' width='20' height='10'/>`:                                            "(20,10)",
		`<!DOCTYPE svg [<!ENTITY ns 'http://client.example/'><!ENTITY w '20'>]><svg xmlns:x='&ns;' width='&w;' height='10'/>`: "(20,10)",
		"\ufeff<?xml version='1.0'?>\n<!-- drawn --><svg width='20' height='10'/>\n":                                          "(20,10)",
		"<!--" + strings.Repeat(" ", 2000) + "--><svg width='20' height='10'/>":                                               "(20,10)",
		`<?xml version='1.0' encoding='ISO-8859-1'?><svg width='3' height='2'/>`:                                              "(3,2)",
		`<svg viewBox='0 0 5000 10'/>`: "", `<html><svg/></html>`: "", `<svg width='4096.5' height='10'/>`: "", `<svg width='4000' viewBox='0 0 10 20'/>`: "",
		`<svg width='Inf' height='10'/>`: "", `<svg width='1e999' height='1'/>`: "", `<svg width='20' height='10'><path></svg>`: "",
		`<svg width='20' height='10'><path/>`: "", `<svg width=20 height='10'/>`: "", `<svg width='20' height='10'>&nbsp;</svg>`: "",
		`<svg width='20' height='10'/><svg/>`: "", `<svg width='20' height='10'/>tail`: "", `head <svg width='20' height='10'/>`: "",
		`<g><svg width='20' height='10'/></g>`: "", `<!-- <svg/> -->`: "",
	} {
		rows = append(rows, svgRow("file:"+svg, size))
	}
	for svg, size := range map[string]string{
		"ÿþ<\x00s\x00v\x00g\x00/\x00>\x00": "(90,90)", "þÿ\x00<\x00s\x00v\x00g\x00/\x00>": "(90,90)", // UTF-16
		"<?xml version='1.0' encoding='ISO-8859-1'?><svg><!--ä--><text>ä</text></svg>": "",
	} {
		rows = append(rows, svgRow("bytes:"+svg, size))
	}
	return rows
}

func svgRow(file, size string) row {
	text, _ := json.Marshal(file)
	if size == "" {
		return row{"", "", `+{"logo":` + string(text) + "}", "400 INVALID_IMAGE", ""}
	}
	return row{"", "", `+{"logo":` + string(text) + "}", "200", "+sign.client.example logo " + size + " #808080"}
}

// early is a moment before a late read shows a write.
var early = map[string]string{"6s": "5999ms", "20s": "19999ms", "2m": "119999ms"}

// lateRows are the reads of §6, of which one kind is late and every other is up to date.
func lateRows() (rows []row) {
	for kind, late := range map[string]row{
		"list":    {"", "GET {reseller}/private-labels", "", listed(`"assignedPackage":null`), listed(`"assignedPackage":{"…":0}`)},
		"detail":  {"", "GET {label}", "", `200 {"assignment":null,"…":0}`, `200 {"assignment":{"…":0},"…":0}`},
		"members": {"", "GET {label}/members", "", `200 {"members":"<1 rows>"}`, `200 {"members":"<2 rows>"}`},
		"package": {"", "GET {label}/package", "", `200 {"assignment":null}`, `200 {"assignment":{"…":0}}`},
		"search":  {"", "POST {reseller}/billing/packages/search", `{"query":"gold","page":1,"pageSize":9}`, `200 {"total":0,"…":0}`, `200 {"total":1,"…":0}`},
		"item":    {"", "POST {reseller}/billing/packages/get", `{"packageId":"{FREE}"}`, `200 {"name":"FREE","…":0}`, `200 {"name":"New","…":0}`},
	} {
		for _, other := range []string{"list", "detail", "members", "package", "search", "item"} {
			want := late.effects
			if other == kind {
				want = late.want
			}
			rows = append(rows, row{"form late=20s; form late-reads=" + other + "; wait 20s; " + justWritten, late.call, late.body, want, ""})
		}
		for _, lag := range []string{"6s", "20s", "2m"} {
			given := "form late=" + lag + "; wait " + lag + "; " + justWritten + "; wait "
			rows = append(rows,
				row{given + lag, late.call, late.body, late.effects, ""},
				row{given + early[lag], late.call, late.body, late.want, ""},
			)
		}
	}
	return rows
}

// badPeople are the rows that both ways of adding a person have.
func badPeople(rows ...row) []row {
	return append(rows,
		row{"", "", "", "400 INVALID_REQUEST", ""},
		row{"", "", "{", "400 INVALID_REQUEST", ""},
		row{"", "", "[]", "400 INVALID_REQUEST", ""},
		row{"", "", `"bob"`, "400 INVALID_REQUEST", ""},
		row{"", "", `+{"email":null}`, "400 INVALID_REQUEST", ""},
		row{"", "", `+{"firstName":null}`, "400 INVALID_REQUEST", ""},
		row{"", "", `{"email":"bob@client.example","firstName":"Bob","lastName":null,"domain":"sign.client.example"}`, "400 INVALID_REQUEST", ""},
		row{"", "", `+{"lastName":5}`, "400 INVALID_REQUEST", ""},
		row{"", "", `+{"firstName":null,"firstname":"Bob"}`, "400 INVALID_REQUEST", ""},
		row{"", "", `+{"role":"admin"}`, "400 INVALID_REQUEST", ""},
		row{"", "", `+{"email":""}`, "400 INVALID_EMAIL", ""},
		row{"", "", `+{"email":"bob"}`, "400 INVALID_EMAIL", ""},
		row{"", "", `+{"email":"Bob <bob@client.example>"}`, "400 INVALID_EMAIL", ""},
		row{"", "", `+{"email":"bob@client.example, ann@client.example"}`, "400 INVALID_EMAIL", ""},
		row{"", "", `+{"email":" bob@client.example"}`, "400 INVALID_EMAIL", ""},
		row{"", "", `+{"email":"bob","firstName":""}`, "400 INVALID_EMAIL", ""}, // the email address first
		row{"", "", `+{"firstName":" "}`, "400 INVALID_NAME", ""},
		row{"", "", `+{"lastName":""}`, "400 INVALID_NAME", ""},
		row{"", "", `+{"firstName":"","lastName":"{x256}"}`, "400 INVALID_NAME", ""}, // before its length
		row{"", "", `+{"lastName":"{x256}"}`, "400 INVALID_REQUEST", ""},
	)
}

// foreignHosts are the rows for host names that are not those of the reseller's private labels.
func foreignHosts(codes map[string]string) (rows []row) {
	for _, host := range []string{
		"sign.nobody.example", "sign.foreign.example", "sign.moved.example", "sign.gone.example", ownSlug, "other.example", "deleted.example",
	} {
		code := codes[host]
		if code == "" {
			code = "UNAUTHORIZED"
		}
		rows = append(rows, row{"", "", `+{"domain":"` + host + `"}`, "400 " + code, ""})
	}
	return rows
}

var resellerChapters = []chapter{
	{"§2.3 Private label (list item)", "GET {reseller}/private-labels", "", []row{
		{"form null-fields=omitted", "", "", listed(`"customDomain":"<none>","suspendedAt":"<none>"`), ""},
		{"form figure-fields=null", "", "", listed(`"metrics":null,"templateQuota":{"total":null,"used":0,"…":0}`), ""},
		{"form figure-fields=omitted", "", "", listed(`"metrics":"<none>","templateQuota":{"total":"<none>","used":0,"…":0}`), ""},
		{"form label-figures=text", "", "", `200 {"provisionedCount":"1","privateLabels":[{"metrics":{"members":"1","…":0},"…":0}],"…":0}`, ""},
		{"form status-case=lower", "", "", listed(`"status":"active"`), ""},
		{"form status-case=lower", "GET {label}/members", "", `200 {"members":[{"status":"active","role":"owner","…":0}]}`, ""},
		{"form primary-host=platform", "", "", listed(`"primaryHost":"sign-client-example.portals.example","customDomain":"sign.client.example"`), ""},
		{"form primary-host=platform", "GET /console/dashboard", "", `200 {"domains":[{"domain":"sign-client-example.portals.example","…":0}],"…":0}`, ""},
		{"form suspended-detail=rejected; suspend sign.client.example", "", "", listed(`"status":"Suspended"`), ""},
		{"form empty-arrays=null; DELETE {label}", "", "", `200 {"privateLabels":null,"provisionedCount":0,"period":"2026-10"}`, ""},
		{"form empty-arrays=omitted; DELETE {label}", "", "", `200 {"provisionedCount":0,"period":"2026-10"}`, ""},
		{"form empty-arrays=null", "GET {label}/templates", "", `200 {"templates":null}`, ""},
		{"form empty-arrays=omitted", "GET {label}/templates", "", `200 {"templates":[]}`, ""},
		{"bob; member promote sign.client.example bob@client.example; RemoveOwner sign.client.example", "", "", listed(`"adminEmail":"bob@client.example"`), ""},
	}},
	{"§2.4 Private label (detail)", "GET {label}", "", []row{
		{"form null-fields=omitted", "", "", `200 {"customDomain":"<none>","suspendReason":"<none>","…":0}`, ""},
		{"form figure-fields=omitted", "", "", `200 {"memberCount":"<none>","…":0}`, ""},
		{"form label-figures=text; " + withExtra, "", "", `200 {"memberCount":"1","assignment":{"addons":[{"quantity":"1","…":0}],"…":0},"…":0}`, ""},
		{"form detail-addons=omitted; " + withExtra, "", "", `200 {"assignment":{"addons":"<none>","…":0},"…":0}`, ""},
		{"form detail-addons=no-quantity; " + withExtra, "", "", `200 {"assignment":{"addons":[{"quantity":"<none>","code":"EXTRA","…":0}],"…":0},"…":0}`, ""},
		{"form detail-addons=no-code; " + withExtra, "", "", `200 {"assignment":{"addons":[{"quantity":1,"code":"<none>","…":0}],"…":0},"…":0}`, ""},
		{
			"form primary-host=platform", "", "", `200 {"primaryHost":"sign-client-example.portals.example","customDomain":"sign.client.example",` +
				`"domainSetup":{"records":[{"name":"sign.client.example","…":0},{"…":0}],"…":0},"…":0}`, "",
		},
		{"form suspended-detail=rejected; suspend sign.client.example", "", "", "400 INVALID_TARGET", ""},
		{"form suspended-detail=rejected; suspend sign.client.example", "POST {label}/unsuspend", "", asActive, "+sign.client.example is Active, -sign.client.example is Suspended Reseller"},
		{"AssignInConsole sign.client.example {BIG} {\"{EXTRA}\":2}", "", "", allocated(180), ""},
		{"assign sign.client.example BIG; assign sign.client.example FREE", "", "", `200 {"assignment":{"packageCode":"FREE","…":0},"…":0}`, ""},
		{"assign sign.client.example BIG; RemovePackageInConsole sign.client.example", "", "", `200 {"assignment":null,"…":0}`, ""},
		{"RenamePerson sign.client.example ada@client.example Augusta King", "", "", `200 {"owner":{"firstName":"Augusta","lastName":"King","…":0},"…":0}`, ""},
		{"bob", "", "", `200 {"memberCount":2,"…":0}`, ""},
	}},
	{"§2.5 domainSetup", "GET {label}", "", []row{
		{"CorrectDNS sign.client.example", "", "", dns(false), ""}, // §3.3: refreshed at most once a minute
		{"CorrectDNS sign.client.example; GET {label}; wait 59s", "", "", dns(false), ""},
		{"CorrectDNS sign.client.example; GET {label}; wait 60s", "", "", dns(true), "…"},
		{"CorrectDNS sign.client.example; wait 60s; GET {label}; BreakDNS sign.client.example", "", "", dns(true), ""},
		{"CorrectDNS sign.client.example; wait 60s; GET {label}; BreakDNS sign.client.example; wait 60s", "", "", dns(false), "…"},
		{"FailAttach 2; POST {reseller}/private-labels " + newLabelBody, "GET {sign.new.example}", "", `200 {"domainSetup":{"attached":false,"…":0},"…":0}`, ""},
		{"FailAttach 2; POST {reseller}/private-labels " + newLabelBody, "POST {sign.new.example}/domain/attach", "", `200 {"domainSetup":{"attached":false,"…":0}}`, ""},
		{
			"FailAttach 2; POST {reseller}/private-labels " + newLabelBody + "; POST {sign.new.example}/domain/attach", "POST {sign.new.example}/domain/attach", "",
			`200 {"domainSetup":{"attached":true,"…":0}}`, "+sign.new.example attached: true, -sign.new.example attached: false",
		},
		{"form record-name=relative", "", "", `200 {"domainSetup":{"records":[{"name":"sign","…":0},{"…":0}],"…":0},"…":0}`, ""},
		{
			"form record-name=dot", "", "",
			`200 {"domainSetup":{"records":[{"name":"sign.client.example.","value":"edge.portals.example.","…":0},{"…":0}],"…":0},"…":0}`, "",
		},
	}},
	{"§4.1 Token exchange", "POST /api/v1/auth/token", `{"grant_type":"client_credentials","api_key":"rsl_live_x"}`, []row{
		{"token", "", "", "400 invalid_request", ""},
		{"token", "", "{", "400 invalid_request", ""},
		{"token", "", "{}", "400 invalid_request", ""},
		{"token", "", `+{"api_key":null}`, "400 invalid_request", ""},
		{"token", "", `+{"api_key":""}`, "400 invalid_request", ""},
		{"token", "", `+{"grant_type":null}`, "400 invalid_request", ""},
		{"token", "", `+{"grant_type":"password"}`, "400 invalid_request", ""},
		{"token", "", `{"grantType":"client_credentials","apiKey":"rsl_live_x"}`, "400 invalid_request", ""},
		{"token", "", `{"Grant_Type":"client_credentials","API_Key":"rsl_live_x"}`, "400 invalid_request", ""},
		{"token", "", "+{}", "401 invalid_client", ""},
		{"token", "", `+{"api_key":"{key}"}`, `200 = {"access_token":"/^[^.]+[.][^.]+[.][^.]+$/","token_type":"Bearer","expires_in":3600,` +
			`"scope":"reseller:read reseller:provision reseller:packages"} | X-Request-Id /./`, "+token"},
		{"MintKey reseller:read reseller:packages", "", `+{"api_key":"{MintKey}"}`, `200 = {"scope":"reseller:read reseller:packages","…":0}`, "+token"},
		{"MintKey reseller:read; RevokeKey {MintKey}", "", `+{"api_key":"{MintKey}"}`, "401 invalid_client | X-Request-Id /./", ""},
		{"", "", `+{"api_key":"{key}x"}`, "401 invalid_client", ""},
		{"", "", `+{"api_key":"{signing key}"}`, "401 invalid_client", ""},
		{"", "POST:application/x-www-form-urlencoded /api/v1/auth/token", "grant_type=client_credentials&api_key={key}", "400 invalid_request", ""},
		{
			"form expires-in=text; form scope-list=array", "", `+{"api_key":"{key}"}`,
			`200 = {"expires_in":"3600","scope":["reseller:read","reseller:provision","reseller:packages"],"…":0}`, "+token",
		},
		{"form scope-list=commas", "", `+{"api_key":"{key}"}`, `200 = {"scope":"reseller:read,reseller:provision,reseller:packages","…":0}`, "+token"},
	}},
	{"§4.2 Dashboard", "GET /console/dashboard", "", []row{
		{"second label; bob", "", "", `200 {"totalDomains":2,"totalUsers":3,"domains":[{"domain":"sign.client.example","companyName":"Client Sign","userCount":2},` +
			`{"domain":"sign.second.example","companyName":"Client Sign","userCount":1}],"isReseller":true,"slug":"partner.example"}`, ""},
		{"DELETE {label}", "", "", `200 {"totalDomains":0,"totalUsers":0,"domains":[],"isReseller":true,"slug":"partner.example"}`, ""},
		{"ChangeSlug partner.example renamed.example", "", "", `200 {"slug":"renamed.example","…":0}`, ""}, // §2.1
		{"ChangeSlug partner.example renamed.example", "GET {reseller}/private-labels", "", "403 FORBIDDEN", ""},
		{"ChangeSlug partner.example renamed.example", "GET /console/renamed.example/reseller/private-labels", "", `200 {"privateLabels":"<1 rows>","…":0}`, ""},
		{"another reseller", "", "", `200 {"slug":"other.example","totalDomains":1,"…":0}`, ""},
	}},
	{"§4.3 Search people", "POST /console/users/search", `{"query":"nobody"}`, append([]row{
		{"bob", "", "+{}", `200 {"users":[]}`, ""},
		{"bob", "", `{"query":"bob"}`, `200 {"users":[{"id":"{bob}","firstName":"Bob","lastName":"Byte","email":"bob@client.example","status":"Active","domain":"sign.client.example"}]}`, ""},
		{"bob", "", "{}", `200 {"users":[{"email":"ada@client.example","…":0},{"email":"bob@client.example","…":0}]}`, ""},
		{"bob", "", `{"query":null,"domain":null}`, `200 {"users":[{"id":"{ada}","…":0},{"id":"{bob}","…":0}]}`, ""},
		{"bob; second label", "", `{"query":"","domain":""}`, `200 {"users":[{"id":"{ada}","…":0},{"id":"{bob}","…":0},{"domain":"sign.second.example","…":0}]}`, ""},
		{"bob; second label", "", `{"domain":"Sign.Client.example"}`, `200 {"users":[{"id":"{ada}","…":0},{"id":"{bob}","…":0}]}`, ""},
		{"bob; second label", "", `{"query":"lovelace","domain":"sign.second.example"}`, `200 {"users":[{"domain":"sign.second.example","email":"ada@client.example","…":0}]}`, ""},
		{"bob; second label", "", `{"query":"bob","domain":"sign.second.example"}`, `200 {"users":[]}`, ""},
		{"bob", "", `{"query":"BOB@"}`, `200 {"users":[{"id":"{bob}","…":0}]}`, ""},
		{"bob", "", `{"query":"byte"}`, `200 {"users":[{"id":"{bob}","…":0}]}`, ""},
		{"bob", "", `{"query":"bob by"}`, `200 {"users":[{"id":"{bob}","…":0}]}`, ""},
		{"bob", "", `{"query":"example bob"}`, `200 {"users":[]}`, ""}, // not across address and name
		{"bob; DELETE {label}/users/{bob}", "", `{"query":"bob"}`, `200 {"users":[]}`, ""},
		{"form foreign-search=empty", "", `{"domain":"sign.foreign.example"}`, `200 {"users":[]}`, ""},
		{"form foreign-search=empty", "", `{"domain":"sign.gone.example"}`, `200 {"users":[]}`, ""},
		{"", "", "", "400 INVALID_REQUEST", ""},
		{"", "", "{", "400 INVALID_REQUEST", ""},
		{"", "", "[]", "400 INVALID_REQUEST", ""},
		{"", "", `{"domain":5}`, "400 INVALID_REQUEST", ""},
		{"", "", `{"Domain":"sign.client.example"}`, "400 INVALID_REQUEST", ""},
		{"", "", `{"domain":"sign.client.example","page":1}`, "400 INVALID_REQUEST", ""},
	}, foreignHosts(nil)...)},
	{"§4.4 Add a person to a host", "POST /console/users/add", addBobBody, badPeople(append([]row{
		{"", "", `+{"domain":"Sign.CLIENT.example"}`, `200 {"message":"<text>"}`, bobCame},
		{"bob", "", "+{}", "400 ALREADY_IN_DOMAIN", ""}, // no retry, unlike §4.16 (§7.4)
		{"bob", "", `+{"email":"BOB@client.example"}`, "400 ALREADY_IN_DOMAIN", ""},
		{"bob", "", `+{"email":"ada@client.example"}`, "400 ALREADY_IN_DOMAIN", ""},
		{"bob", "", `+{"firstName":""}`, "400 INVALID_NAME", ""},
		{seatsTaken, "", `+{"email":"carol@client.example"}`, "400 SEAT_QUOTA_REACHED", ""},
		{seatsTaken, "", "+{}", "400 ALREADY_IN_DOMAIN", ""}, // at the cap, too
		{"form unsent-email=fails; FailEmails 1", "", "+{}", "500 INTERNAL_SERVER_ERROR", "+sign.client.example member bob@client.example"},
		{"FailEmails 1", "", "+{}", `200 {"…":0}`, "+sign.client.example member bob@client.example"},
		{"bob; DELETE {label}/users/{bob}", "", "+{}", `200 {"message":"<text>"}`, bobCame},
		{"", "", `+{"domain":null}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"domain":5}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"email":"bob","domain":"sign.foreign.example"}`, "400 UNAUTHORIZED", ""}, // the host name first
		{"", "", `+{"email":"bob","domain":"sign.gone.example"}`, "400 DOMAIN_NOT_FOUND", ""},
		{"form foreign-host=unauthorized", "", `+{"domain":"sign.nobody.example"}`, "400 UNAUTHORIZED", ""},
		{"form foreign-host=unauthorized", "", `+{"domain":"sign.gone.example"}`, "400 DOMAIN_NOT_FOUND", ""},
		{"form foreign-host=unauthorized", "", `+{"domain":"deleted.example"}`, "400 UNAUTHORIZED", ""},
		{"form foreign-host=unauthorized", "", `+{"domain":" "}`, "400 UNAUTHORIZED", ""},
		{"form foreign-host=unauthorized", "", `+{"domain":"sign.foreign.example"}`, "400 UNAUTHORIZED", ""},
		{"", "", `+{"domain":" "}`, "400 DOMAIN_NOT_FOUND", ""},
	}, foreignHosts(map[string]string{
		"sign.nobody.example": "DOMAIN_NOT_FOUND", "sign.gone.example": "DOMAIN_NOT_FOUND", "deleted.example": "DOMAIN_NOT_FOUND",
	})...)...)},
	{"§4.5 Remove a person from a host", "POST /console/users/remove", `{"email":"bob@client.example","domain":"sign.client.example"}`, append([]row{
		{"bob", "", `{"email":"BOB@client.example","domain":"SIGN.client.example"}`, `200 {"message":"<text>"}`, bobLeft},
		{"bob; DELETE {label}/users/{bob}", "", "+{}", "400 USER_NOT_FOUND", ""},
		{"form removed-again=succeeds; bob; DELETE {label}/users/{bob}", "", "+{}", `200 {"message":"<text>"}`, ""},
		{"form removed-again=succeeds", "", "+{}", "400 USER_NOT_FOUND", ""},
		{"", "", `+{"email":"ADA@client.example"}`, "400 CANNOT_REMOVE_OWNER", ""},
		{"bob; member promote sign.client.example bob@client.example", "", "+{}", "400 CANNOT_REMOVE_OWNER", ""},
		{"bob; member promote sign.client.example bob@client.example; DemoteAdmin sign.client.example bob@client.example", "", "+{}", `200 {"message":"<text>"}`, bobLeft},
		{"", "", "+{}", "400 USER_NOT_FOUND", ""},
		{"", "", `+{"email":"bob"}`, "400 USER_NOT_FOUND", ""},
		{"", "", `+{"email":""}`, "400 USER_NOT_FOUND", ""},
		{"bob", "", `+{"email":null}`, "400 INVALID_REQUEST", ""},
		{"bob", "", `+{"domain":null}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"domain":" "}`, "400 UNAUTHORIZED", ""},
		{"", "", `{"email":null,"domain":"sign.client.example"}`, "400 INVALID_REQUEST", ""},
		{"bob", "", `{"email":"bob@client.example","domain":null}`, "400 INVALID_REQUEST", ""},
		{"", "", "", "400 INVALID_REQUEST", ""},
		{"", "", "{", "400 INVALID_REQUEST", ""},
		{"", "", "[]", "400 INVALID_REQUEST", ""},
		{"bob", "", `+{"page":1}`, "400 INVALID_REQUEST", ""},
		{"bob", "", `{"email":"bob@client.example","Domain":"sign.client.example"}`, "400 INVALID_REQUEST", ""},
	}, foreignHosts(nil)...)},
	{"§4.6 Change a host's colors", "POST /console/tenant/update-colors", `{"domain":"sign.client.example"}`, []row{
		{
			"", "", `{"domain":"SIGN.client.example","colorPrimary":"#0a0","colorFooterBackground":"#112233"}`,
			`200 {"domain":"sign.client.example","message":"<text>"}`, "+colorFooterBackground #112233, +colorPrimary #0a0",
		},
		{
			"", "", `+{"colorPrimary":"#000000","colorPrimaryForeground":"#000001","colorAccent":"#000002","colorAccentForeground":"#000003",` +
				`"colorAppBarBackground":"#000004","colorFooterBackground":"#000005"}`, `200 {"domain":"sign.client.example","message":"<text>"}`,
			"+colorAccent #000002, +colorAccentForeground #000003, +colorAppBarBackground #000004, +colorFooterBackground #000005, " +
				"+colorPrimary #000000, +colorPrimaryForeground #000001",
		},
		{`POST /console/tenant/update-colors {"domain":"sign.client.example","colorPrimary":"#0a0"}`, "", // only what is sent
			`+{"colorPrimary":"","colorAccent":"#fff"}`, `200 {"…":0}`, "+colorAccent #fff"},
		{
			`POST /console/tenant/update-colors {"domain":"sign.client.example","colorPrimary":"#0a0"}`, "",
			`{"domain":"sign.client.example","colorPrimary":null}`, `200 {"…":0}`, "",
		},
		{"", "", "+{}", `200 {"…":0}`, ""},
		{"", "", `{"domain":null}`, "400 DOMAIN_EMPTY", ""},
		{"", "", `{"colorPrimary":"#0a0"}`, "400 DOMAIN_EMPTY", ""},
		{"", "", `+{"domain":" "}`, "400 DOMAIN_EMPTY", ""},
		{"DropBranding sign.client.example", "", `+{"colorPrimary":"#0a0"}`, "400 NOT_FOUND", ""},
		{"", "", `+{"colorAccent":"green"}`, "400 INVALID_COLOR", ""},
		{"", "", `+{"colorPrimary":"#123","colorAccent":"none"}`, "400 INVALID_COLOR", ""}, // changes none
		{"", "", `+{"colorPrimaryForegroundd":"#0a0"}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"color_primary":"#0a0"}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"colorPrimary":7}`, "400 INVALID_REQUEST", ""},
		{"", "", "colors", "400 INVALID_REQUEST", ""},
		{"", "", `+{"domain":"sign.foreign.example"}`, "400 UNAUTHORIZED", ""},
		{"", "", `+{"domain":"sign.gone.example"}`, "400 UNAUTHORIZED", ""},
		{"", "", `+{"domain":"sign.moved.example"}`, "400 UNAUTHORIZED", ""},
		{"", "", `+{"domain":"partner.example"}`, "400 UNAUTHORIZED", ""},
		{"another reseller", "", "+{}", "400 UNAUTHORIZED", ""},
		{"suspend sign.client.example -by platform", "", `+{"colorPrimary":"#0a0"}`, `200 {"…":0}`, "+colorPrimary #0a0"},
		{"form host-case=exact", "", `+{"domain":"SIGN.client.example","colorPrimary":"#0a0"}`, "400 UNAUTHORIZED", ""},
		{"form primary-host=platform", "", `+{"colorPrimary":"#0a0"}`, `200 {"domain":"sign-client-example.portals.example","…":0}`, "+colorPrimary #0a0"},
		{"form primary-host=platform", "", `+{"domain":"sign-client-example.portals.example","colorPrimary":"#0a0"}`, `200 {"…":0}`, "+colorPrimary #0a0"},
		{"", "", `+{"domain":"sign-client-example.portals.example"}`, "400 UNAUTHORIZED", ""},
	}},
	{"§4.7 Upload a host's logos", "FORM /console/tenant/upload-logos", `{"data":{"domain":"sign.client.example"},"logo":"<png 4x4>"}`, slices.Concat([]row{
		{"", "", `+{"logo":"<png 540x90>","bannerLogo":"<png 300x600>"}`, `200 {"message":"<text>"}`, "+sign.client.example logo (270,45) #ffffff, +sign.client.example banner (250,500) #ffffff"},
		{"", "", `+{"logo":"<gif 540x90>","bannerLogo":"<gif 300x600>"}`, `200 {"message":"<text>"}`, "+sign.client.example logo (270,45) #ffffff, +sign.client.example banner (250,500) #ffffff"},
		{"", "", `+{"logo":"<jpeg 540x90>","bannerLogo":"<jpeg 300x600>"}`, `200 {"message":"<text>"}`, "+sign.client.example logo (270,45) #ffffff, +sign.client.example banner (250,500) #ffffff"},
		{bothLogos, "", `+{"logo":"<png 30x10>"}`, "200", "+sign.client.example logo (30,10) #ffffff, -sign.client.example logo (8,8) #ffffff"},
		{bothLogos, "", `{"data":{"domain":"sign.client.example"},"bannerLogo":"<png 30x10>"}`, "200", "+sign.client.example banner (30,10) #ffffff, -sign.client.example banner (9,9) #ffffff"},
		{`POST /console/tenant/update-colors {"domain":"sign.client.example","colorPrimary":"#0a0"}`, "", `+{"logo":"<svg 20x10>"}`, "200", // in the label's color
			"+sign.client.example logo (20,10) #00aa00"},
		{`POST /console/tenant/update-colors {"domain":"sign.client.example","colorPrimary":"#112233"}`, "", `+{"logo":"<svg 20x10>"}`, "200", "+sign.client.example logo (20,10) #112233"},
		{"", "", `{"data":{"domain":"sign.client.example"}}`, "400 NO_FILES", ""},
		{"", "", `+{"data":{"domain":" "}}`, "400 DOMAIN_EMPTY", ""},
		{"", "", `+{"data":{"domain":"https://sign.client.example"}}`, "400 DOMAIN_INVALID", ""},
		{"", "", `+{"icon":"<png>"}`, "400 LIMIT_UNEXPECTED_FILE", ""},
		{"", "", `+{"logo":"text"}`, "400 LIMIT_UNEXPECTED_FILE", ""},
		{"", "", `+{"logo":"file:no image at all"}`, "400 LIMIT_UNEXPECTED_FILE", ""},
		{"", "", `+{"data":"file:{\"domain\":\"sign.client.example\"}"}`, "400 LIMIT_UNEXPECTED_FILE", ""},
		{"", "", `+{"logo":"<png 4x4 of 10>"}`, "400 INVALID_IMAGE", ""},
		{"", "", `+{"logo":"<png 4x4 of 60>"}`, "400 INVALID_IMAGE", ""},
		{bothLogos, "", `+{"bannerLogo":"<png 4x4 of 30>"}`, "400 INVALID_IMAGE", ""}, // both are read before either is saved
		{bothLogos, "", `+{"logo":"<png 4x4 of 30>","bannerLogo":"<png 4x4>"}`, "400 INVALID_IMAGE", ""},
		{"", "", `+{"logo":"<png 4x4 of 1048576>"}`, "200", smallLogo},
		{"", "", `+{"logo":"<png 4x4 of 1048577>"}`, "400 LIMIT_FILE_SIZE", ""},
		{"", "", `+{"bannerLogo":"<png 4x4 of 1048577>"}`, "400 LIMIT_FILE_SIZE", ""},
		{"", "", `+{"logo":"<png 4x4 of 17825792>"}`, "400 LIMIT_FILE_SIZE", ""}, // longer than what is read
		{"form logo-size=decimal", "", `+{"logo":"<png 4x4 of 1000000>"}`, "200", smallLogo},
		{"form logo-size=decimal", "", `+{"logo":"<png 4x4 of 1000001>"}`, "400 LIMIT_FILE_SIZE", ""},
		{"", "", `+{"logo":"<png 4x4 as image/gif>"}`, "200", smallLogo}, // its content determines the type
		{"", "", `+{"logo":"<png 4x4 as >"}`, "200", smallLogo},
		{"", "", `+{"logo":"<text as image/png>"}`, "400 LIMIT_UNEXPECTED_FILE", ""},
		{"form logo-type=part", "", `+{"logo":"<png 4x4 as image/gif>"}`, "200", smallLogo},
		{"form logo-type=part", "", `+{"logo":"<svg 4x4 as image/svg+xml; charset=utf-8>"}`, "200", strings.Replace(smallLogo, "ffffff", "808080", 1)},
		{"form logo-type=part", "", "+{}", "400 LIMIT_UNEXPECTED_FILE", ""},
		{"form logo-type=part", "", `+{"logo":"<png 4x4 as >"}`, "400 LIMIT_UNEXPECTED_FILE", ""},
		{"form logo-type=part", "", `+{"logo":"<text as image/png>"}`, "400 INVALID_IMAGE", ""},
		{"form logo-type=part", "", `+{"logo":"<text as text/plain>"}`, "400 LIMIT_UNEXPECTED_FILE", ""},
		{"", "POST /console/tenant/upload-logos", "{}", "403 ~blocked", ""}, // at the base URL
		{"form upload-at-base=not-found", "POST /console/tenant/upload-logos", "{}", "404 NOT_FOUND", ""},
		{"form upload-at-base=not-found", "", "+{}", "200", smallLogo},
		{"another reseller", "", "+{}", "400 UNAUTHORIZED", ""},
		{"suspend sign.client.example -by platform", "", "+{}", "200", smallLogo},
		{"DropBranding sign.client.example", "", "+{}", "200", smallLogo}, // which they need none of, and do not restore
		{
			"DropBranding sign.client.example; FORM /console/tenant/upload-logos " + `{"data":{"domain":"sign.client.example"},"logo":"<png>"}`, "POST /console/tenant/update-colors",
			`{"domain":"sign.client.example"}`, "400 NOT_FOUND", "",
		},
		{"token", "", "+{}", "400 JSON_WEB_TOKEN_ERROR", ""},
		{"token a.b.c", "", "+{}", "401 UNAUTHORIZED", ""},
		{"as reseller:read", "", "+{}", "403 INSUFFICIENT_SCOPE", ""},
		{"as reseller:provision", "", "+{}", "200", smallLogo},
		{"", "", `+{"data":{"domain":"SIGN.client.example"}}`, "200", smallLogo},
		{"", "", `{"logo":"<png>"}`, "400 INVALID_DATA", ""},
	}, dataRows(), sizeRows(), svgRows(), logoHosts())},
	{"§4.8 List private labels", "GET {reseller}/private-labels", "", []row{
		{"", "", "", `200 {"privateLabels":[{"tenantId":"{id}","primaryHost":"sign.client.example","customDomain":null,"adminEmail":"ada@client.example",` +
			`"assignedPackage":null,"templateQuota":{"used":0,"total":0,"unlimited":false},"metrics":{"templates":0,"documentsSent":0,"members":1},` +
			`"status":"Active","suspendedAt":null,"suspendedBy":null,"suspendReason":null}],"provisionedCount":1,"period":"2026-10"}`, ""},
		{"assign sign.client.example SMALL; AddTemplateInConsole sign.client.example Terms terms true; UseDocuments sign.client.example 3; bob; suspend sign.client.example -reason unpaid", "", "", `200 {"privateLabels":[{` +
			`"assignedPackage":{"packageId":"{SMALL}","code":"SMALL","name":"SMALL"},"templateQuota":{"used":1,"…":0},` +
			`"metrics":{"templates":1,"documentsSent":3,"members":2},"status":"Suspended","suspendedAt":"<now>","suspendedBy":"Reseller","suspendReason":"unpaid","…":0}],"…":0}`, ""},
		{"RemoveOwner sign.client.example", "", "", `200 {"privateLabels":[{"adminEmail":null,"…":0}],"…":0}`, ""},
		{"DELETE {label}", "", "", `200 {"privateLabels":[],"provisionedCount":0,"period":"2026-10"}`, ""},
		{"", "GET {reseller}/private-labels?period=", "", `200 {"privateLabels":[{"…":0}],"provisionedCount":1,"period":"2026-10"}`, ""},
		{"UseDocuments sign.client.example 3", "GET {reseller}/private-labels?period=2025-12", "", `200 {"privateLabels":[{"metrics":{"documentsSent":0,"…":0},"…":0}],"provisionedCount":1,"period":"2025-12"}`, ""},
		{"UseDocuments sign.client.example 3; wait 744h; as reseller:read", "", "", `200 {"privateLabels":[{"metrics":{"documentsSent":0,"…":0},"…":0}],"provisionedCount":1,"period":"2026-11"}`, ""},
		{"UseDocuments sign.client.example 3; wait 744h; as reseller:read", "GET {reseller}/private-labels?period=2026-10", "", `200 {"privateLabels":[{"metrics":{"documentsSent":3,"…":0},"…":0}],"…":0}`, ""},
		{
			"UseDocuments sign.client.example 3; wait 744h; UseDocuments sign.client.example 3; as reseller:read", "GET {reseller}/private-labels?period=lifetime", "",
			`200 {"privateLabels":[{"metrics":{"documentsSent":6,"…":0},"…":0}],"provisionedCount":1,"period":"lifetime"}`, "",
		},
		{"", "GET {reseller}/private-labels?period=2026-13", "", "400 INVALID_REQUEST", ""},
		{"", "GET {reseller}/private-labels?period=2026-1", "", "400 INVALID_REQUEST", ""},
		{"", "GET {reseller}/private-labels?period=2026", "", "400 INVALID_REQUEST", ""},
		{"", "GET {reseller}/private-labels?period=Lifetime", "", "400 INVALID_REQUEST", ""},
		{"", "GET {reseller}/private-labels?period=2026-10-01", "", "400 INVALID_REQUEST", ""},
		{"form bad-period=invalid-query", "GET {reseller}/private-labels?period=2026-13", "", "400 INVALID_QUERY", ""},
	}},
	{"§4.9 Provision a private label", "POST {reseller}/private-labels", `{"owner":{"email":"ada@client.example","firstName":"Ada","lastName":"Lovelace"},` +
		`"config":{"domain":"sign.new.example","appName":"New Sign"}}`, []row{
		{"", "", "+{}", `200 {"tenantId":"<id>","ownerUserId":"<id>",` + newSetup + `}`, newLabels},
		{
			"", "", `+{"config":{"supportUrl":"https://help.client.example/a?b=c","websiteUrl":"http://client.example","colorPrimary":"#0af","colorAccent":"#00AAff"}}`,
			`200 {"…":0}`, "+colorAccent #00AAff, +colorPrimary #0af, " + newLabels,
		},
		{"as reseller:provision", "", `{"owner":{"email":"ada@client.example","firstName":"Ada","lastName":"Lovelace"},` +
			`"config":{"domain":"sign.new.example","appName":"New Sign"},"package":null}`, `200 {"tenantId":"<id>","ownerUserId":"<id>",` + newSetup + `}`, newLabels},
		{"", "", "", "400 INVALID_REQUEST", ""},
		{"", "", "{", "400 INVALID_REQUEST", ""},
		{"", "", "{}{}", "400 INVALID_REQUEST", ""},
		{"", "", "[]", "400 INVALID_REQUEST", ""},
		{"", "", `+{"owner":null}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"config":null}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"config":{"domain":null}}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"config":{"appName":null}}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"config":{"appName":" \t"}}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"config":{"appName":"{x5000}"}}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"config":{"appName":5}}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"owner":{"firstName":"{x5000}"}}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"config":{"websiteUrl":"https://client.example/{x5000}"}}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"note":"x"}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"owner":{"phone":"1"}}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"owner":{"FirstName":"Ada","firstName":null}}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"package":{"packageId":""}}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"package":{"packageId":"x","confirmationKey":"y"}}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"config":{"domain":"https://sign.new.example"}}`, "400 DOMAIN_INVALID", ""},
		{"", "", `+{"config":{"domain":"sign.new.example/x"}}`, "400 DOMAIN_INVALID", ""},
		{"", "", `+{"config":{"domain":"ada@client.example"}}`, "400 DOMAIN_INVALID", ""},
		{"", "", `+{"config":{"domain":"sign.new.example:443"}}`, "400 DOMAIN_INVALID", ""},
		{"", "", `+{"config":{"domain":""}}`, "400 DOMAIN_INVALID", ""},
		{"", "", `+{"config":{"domain":"sign new.example"}}`, "400 DOMAIN_INVALID", ""},
		{"", "", `+{"config":{"domain":"192.0.2.1"}}`, "400 DOMAIN_INVALID", ""},
		{"", "", `+{"config":{"domain":"sign_up.new.example"}}`, "400 DOMAIN_INVALID", ""},
		{"", "", `+{"config":{"domain":"{dots260}example"}}`, "400 DOMAIN_INVALID", ""},
		{"", "", `+{"config":{"domain":"console.portals.example"}}`, "400 HOST_RESERVED", ""},
		{"", "", `+{"config":{"domain":"portals.example"}}`, "400 HOST_RESERVED", ""},
		{"", "", `+{"config":{"domain":"Static.Portals.Example"}}`, "400 HOST_RESERVED", ""},
		{"", "", `+{"config":{"domain":"api.simulator.invalid"}}`, "400 HOST_RESERVED", ""},
		{"", "", `+{"config":{"domain":"Upload.Simulator.invalid"}}`, "400 HOST_RESERVED", ""},
		{"", "", `+{"config":{"domain":"console.portals.example"},"package":{"packageId":"{SMALL}"}}`, "400 HOST_RESERVED", ""}, // assigns nothing
		{"", "", `+{"config":{"domain":"partner.example"}}`, "400 HOST_TAKEN", ""},
		{"", "", `+{"config":{"domain":"SIGN.Client.Example"}}`, "400 HOST_TAKEN", ""},
		{"", "", `+{"config":{"domain":"sign.foreign.example"}}`, "400 HOST_TAKEN", ""},
		{"", "", `+{"config":{"domain":"sign.moved.example"}}`, "400 HOST_TAKEN", ""},
		{"", "", `+{"config":{"domain":"Sign.GONE.example"}}`, "400 HOST_TAKEN", ""},
		{"wait 87600h; as reseller:provision", "", `+{"config":{"domain":"sign.gone.example"}}`, "400 HOST_TAKEN", ""},
		{"another reseller", "POST /console/other.example/reseller/private-labels", `+{"config":{"domain":"sign.gone.example"}}`, "400 HOST_TAKEN", ""},
		{"", "", `+{"config":{"colorPrimary":"red"}}`, "400 INVALID_COLOR", ""},
		{"", "", `+{"config":{"colorAccent":"#12345"}}`, "400 INVALID_COLOR", ""},
		{"", "", `+{"config":{"colorAccent":"#11223344"}}`, "400 INVALID_COLOR", ""},
		{"", "", `+{"config":{{links20}"websiteUrl":"https://client.example","supportUrl":"https://help.client.example"}}`, `200 {"…":0}`, newLabels},
		{"", "", `+{"config":{{links21}"websiteUrl":"https://client.example"}}`, "400 TOO_MANY_SOCIAL_LINKS", ""},
		{"", "", `+{"config":{"websiteUrl":"client.example"}}`, "400 INVALID_URL", ""},
		{"", "", `+{"config":{"supportUrl":"ftp://client.example"}}`, "400 INVALID_URL", ""},
		{"", "", `+{"config":{"supportUrl":"https://"}}`, "400 INVALID_URL", ""},
		{"", "", `+{"config":{"someNetwork":"@client"}}`, "400 INVALID_URL", ""},
		{"", "", `+{"owner":{"email":null}}`, "400 OWNER_INVALID_EMAIL", ""},
		{"", "", `+{"owner":{"email":"ada"}}`, "400 OWNER_INVALID_EMAIL", ""},
		{"", "", `+{"owner":{"email":"Ada <ada@client.example>"}}`, "400 OWNER_INVALID_EMAIL", ""},
		{"", "", `+{"owner":{"email":"ada@client.example,bob@client.example"}}`, "400 OWNER_INVALID_EMAIL", ""},
		{"", "", `+{"owner":{"firstName":null}}`, "400 OWNER_INVALID_NAME", ""},
		{"", "", `+{"owner":{"lastName":"  "}}`, "400 OWNER_INVALID_NAME", ""},
		{"as reseller:provision", "", `+{"package":{"packageId":"{SMALL}"}}`, "403 INSUFFICIENT_SCOPE", ""}, // before anything is created
		{"", "", `+{"package":{"packageId":"{SMALL}"}}`, `200 {"package":{"outcome":"Assigned","assignmentId":"<id>",` +
			`"allocated":{"documents":60,"seats":0,"templates":0,"notarizations":0}},"…":0}`, strings.Replace(newLabels, ", +sign.new.example is", ", +sign.new.example has SMALL, +sign.new.example is", 1)},
		{"", "", `+{"package":{"packageId":"{RETIRED}"}}`, `200 {"package":{"outcome":"Failed","error":"PACKAGE_INACTIVE"},"…":0}`, newLabels},
		{"", "", `+{"package":{"packageId":"{none}"}}`, `200 {"package":{"outcome":"Failed","error":"PACKAGE_NOT_FOUND"},"…":0}`, newLabels},
		{"SetSubscription false", "", `+{"package":{"packageId":"{SMALL}"}}`, `200 {"package":{"outcome":"Failed","error":"NO_SUBSCRIPTION"},"…":0}`, newLabels},
		{"", "", `+{"package":{"packageId":"{BIG}"}}`, `200 {"package":` + asksFirst + `,"…":0}`, "+confirmation key, " + newLabels},
		{
			`SetPackageIncluded {BIG} {"documents":120,"notarizations":10}`, "", `+{"package":{"packageId":"{BIG}"}}`,
			`200 {"package":{"warnings":[{"itemCode":"documents","…":0},{"itemCode":"notarizations","requested":10,"remaining":0,"excess":10}],"…":0},"…":0}`, "+confirmation key, " + newLabels,
		},
		{
			`POST {reseller}/private-labels ` + strings.Replace(newLabelBody, "{", `{"package":{"packageId":"{BIG}"},`, 1), "POST {sign.new.example}/package",
			`{"packageId":"{BIG}","confirmationKey":"{confirmation}"}`, `200 {"outcome":"Assigned","…":0}`, "+sign.new.example has BIG",
		},
		{`allowance seats 5; DELETE {label}; SetPackageIncluded {SMALL} {"seats":5}`, "", `+{"package":{"packageId":"{SMALL}"}}`, // of which the owner uses one
			`200 {"package":{"outcome":"Assigned","…":0},"…":0}`, newLabels + ", +sign.new.example has SMALL"},
		{"form empty-package=none", "", `+{"package":{}}`, `200 {"package":"<none>","…":0}`, newLabels},
		{"form empty-package=rejected", "", `+{"package":{}}`, "400 INVALID_REQUEST", ""},
		{"form unknown-package=invalid-request", "", `+{"package":{"packageId":"{none}"}}`, `200 {"package":{"outcome":"Failed","error":"INVALID_REQUEST"},"…":0}`, newLabels},
		{"form host-case=exact", "", `+{"config":{"domain":"Sign.New.Example"}}`, `200 {"…":0}`, strings.ReplaceAll(newLabels, "sign.new.example", "Sign.New.Example")},
		{"form host-case=exact", "", `+{"config":{"domain":"SIGN.Client.Example"}}`, "400 HOST_TAKEN", ""},
		{"form primary-host=platform", "", `+{"config":{"domain":"SIGN.Client.Example"}}`, "400 HOST_TAKEN", ""},
		{
			"", "", `+{"config":{"domain":"whole.example"}}`, `200 {"domainSetup":{"records":[{"type":"A","name":"whole.example","value":"192.0.2.10"},` +
				`{"type":"CNAME","name":"whole.example","value":"edge.portals.example"}],"…":0},"…":0}`, strings.ReplaceAll(newLabels, "sign.new.example", "whole.example"),
		},
		{
			"form record-name=relative", "", `+{"config":{"domain":"whole.example"}}`, `200 {"domainSetup":{"records":[{"name":"@","…":0},{"…":0}],"…":0},"…":0}`,
			strings.ReplaceAll(newLabels, "sign.new.example", "whole.example"),
		},
		{
			"form record-name=dot", "", `+{"config":{"domain":"whole.example"}}`, `200 {"domainSetup":{"records":[{"name":"whole.example.","…":0},{"…":0}],"…":0},"…":0}`,
			strings.ReplaceAll(newLabels, "sign.new.example", "whole.example"),
		},
		{"FailAttach 1", "", "+{}", `200 {"domainSetup":{"attached":false,"…":0},"…":0}`, strings.Replace(newLabels, "true", "false", 1)},
		{"FailEmails 1", "", "+{}", `200 {"…":0}`, strings.Replace(newLabels, "+email set-password ada@client.example of sign.new.example, ", "", 1)},
		{"", "POST:text/plain {reseller}/private-labels", "+{}", "400 INVALID_REQUEST", ""},
		{"", "DO AddConsoleLabel Sign.New.example ada@client.example", "", "200", newLabels},
		{"", "DO AddConsoleLabel SIGN.client.example ada@client.example", "", "0 ~HOST_TAKEN", ""},
		{"", "DO AddConsoleLabel console.portals.example ada@client.example", "", "0 ~HOST_RESERVED", ""},
		{"", "DO AddConsoleLabel https://client.example ada@client.example", "", "0 ~DOMAIN_INVALID", ""},
		{"", "DO AddConsoleLabel sign.new.example ada", "", "0 ~OWNER_INVALID_EMAIL", ""},
	}},
	{"§4.10 Get a private label", "GET {label}", "", []row{
		{"", "", "", `200 {"tenantId":"{id}","primaryHost":"sign.client.example","customDomain":null,"createdAt":"<now>","status":"Active","suspendedAt":null,` +
			`"suspendedBy":null,"suspendReason":null,"owner":{"userId":"{ada}","email":"ada@client.example","firstName":"Ada","lastName":"Lovelace"},"memberCount":1,` +
			`"assignment":null,` + strings.ReplaceAll(newSetup, "new", "client") + `}`, ""},
		{"assign sign.client.example SMALL; attach sign.client.example EXTRA 2", "", "", `200 {"assignment":{"id":"<id>","packageId":"{SMALL}","packageCode":"SMALL",` +
			`"packageName":"SMALL","currency":"EUR","assignedAt":"<now>","addons":[{"subscriptionAddonId":"{attached}","addonId":"{EXTRA}","code":"EXTRA","name":"EXTRA",` +
			`"quantity":2}],"allocated":{"documents":120,"seats":0,"templates":0,"notarizations":0}},"…":0}`, ""},
		{"RemoveOwner sign.client.example", "", "", `200 {"owner":null,"memberCount":0,"…":0}`, ""},
		{"suspend sign.client.example -reason unpaid", "", "", `200 {"status":"Suspended","suspendedAt":"<now>","suspendedBy":"Reseller","suspendReason":"unpaid","…":0}`, ""},
		{"suspend sign.client.example -by platform -reason abuse", "", "", `200 {"status":"Suspended","suspendedBy":"Platform","suspendReason":"abuse","…":0}`, ""},
		{"suspend sign.client.example; unsuspend sign.client.example", "", "", `200 {"status":"Active","suspendedAt":null,"suspendedBy":null,"suspendReason":null,"…":0}`, ""},
		{"suspend sign.client.example -by platform; LiftPlatformSuspension sign.client.example", "", "", `200 {"status":"Active","suspendedBy":null,"…":0}`, ""},
	}},
	{"§4.11 Retry attaching a host", "POST {label}/domain/attach", "", []row{
		{"FailAttach 1", "", "", `200 {"domainSetup":{"attached":true,"…":0}}`, ""}, // as attached
		{"", "", "{}", `200 {"domainSetup":{"attached":true,"…":0}}`, ""},
		{"", "", `{"domain":"x"}`, "400 INVALID_REQUEST", ""},
	}},
	{"§4.12 Deprovision", "DELETE {label}", "", []row{
		{"", "", "", `200 {"status":"deprovisioned"}`, "-sign.client.example attached: true, -sign.client.example is Active, -sign.client.example owner ada@client.example"},
		{
			"suspend sign.client.example", "", "{}", `200 {"status":"deprovisioned"}`,
			"-sign.client.example attached: true, -sign.client.example is Suspended Reseller, -sign.client.example owner ada@client.example",
		},
		{"DELETE {label}", "", "", "403 FORBIDDEN", ""},
		{"form gone-label=invalid-target", "DELETE {gone}", "", "403 FORBIDDEN", ""},
		{"form gone-label=invalid-target", "GET {gone}", "", "400 INVALID_TARGET", ""},
		{"", "", "nonsense", "400 INVALID_REQUEST", ""},
		{"", "", `{"force":true}`, "400 INVALID_REQUEST", ""},
		{"form removed=empty", "", "", "204", "-sign.client.example attached: true, -sign.client.example is Active, -sign.client.example owner ada@client.example"},
	}},
	{"§4.13 Suspend", "POST {label}/suspend", "", []row{
		{"", "", `{"reason":"unpaid"}`, `200 {"tenantId":"{id}","status":"Suspended","suspendedAt":"<now>","suspendedBy":"Reseller","suspendReason":"unpaid"}`, toSuspended + "Reseller unpaid"},
		{"", "", `{"reason":"{x500}"}`, `200 {"suspendReason":"{x500}","…":0}`, toSuspended + "Reseller {x500}"},
		{"", "", "", `200 {"suspendReason":null,"…":0}`, toSuspended + "Reseller"},
		{"", "", "{}", `200 {"suspendReason":null,"…":0}`, toSuspended + "Reseller"},
		{"", "", `{"reason":null}`, `200 {"suspendReason":null,"…":0}`, toSuspended + "Reseller"},
		{"suspend sign.client.example -reason first; wait 1m", "", `{"reason":"second"}`, // the suspension is kept (§3.1)
			`200 {"status":"Suspended","suspendedAt":1792065600000,"suspendedBy":"Reseller","suspendReason":"first","…":0}`, ""},
		{
			"suspend sign.client.example -by platform -reason abuse; wait 1m", "", `{"reason":"unpaid"}`,
			`200 {"status":"Suspended","suspendedAt":1792065600000,"suspendedBy":"Platform","suspendReason":"abuse","…":0}`, "",
		},
		{"", "", `{"reason":"{x501}"}`, "400 INVALID_REQUEST", ""},
		{"", "", `{"reason":5}`, "400 INVALID_REQUEST", ""},
		{"", "", `{"cause":"x"}`, "400 INVALID_REQUEST", ""},
		{"", "", `{"Reason":"x"}`, "400 INVALID_REQUEST", ""},
		{"", "", "{", "400 INVALID_REQUEST", ""},
		{"", "", `{"reason":"a"} again`, "400 ~The body has text after its JSON.", ""}, // in words of its own
		{"", "", `{"reason":"a`, "400 ~The body is not valid JSON.", ""},
		{"", "", `{"reason":5}`, "400 ~reason has the wrong type.", ""},
		{"", "", `[]`, "400 ~The body has the wrong type.", ""},
		{"", "", `{"why":"a"}`, "400 ~The body has an unknown field: why", ""},
	}},
	{"§4.14 Unsuspend", "POST {label}/unsuspend", "", []row{
		{"suspend sign.client.example -reason unpaid", "", "", asActive, "+sign.client.example is Active, -sign.client.example is Suspended Reseller unpaid"},
		{"", "", "", asActive, ""},
		{"suspend sign.client.example -by platform -reason abuse", "", "", "400 SUSPENDED_BY_PLATFORM", ""},
	}},
	{"§4.15 Templates of a label", "GET {label}/templates", "", []row{
		{"", "", "", `200 {"templates":[]}`, ""},
		{"AddTemplateInConsole sign.client.example Terms terms true", "", "", `200 {"templates":[{"id":"<id>","title":"Terms","slug":"terms","isPrivate":true,"createdAt":"<now>"}]}`, ""},
	}},
	{"§4.16 Add a member", "POST {label}/users", bobBody, badPeople(
		row{"", "", "+{}", `200 {"status":"created","userID":"<id>","created":true}`, bobCame},
		row{"bob", "", `+{"firstName":"Robert"}`, `200 {"status":"added","userID":"{bob}","created":false}`, ""}, // the name stays
		row{"bob", "", `+{"email":"BOB@Client.Example"}`, `200 {"status":"added","userID":"{bob}","created":false}`, ""},
		row{"", "", `+{"email":"ADA@client.example"}`, `200 {"status":"added","userID":"{ada}","created":false}`, ""},
		row{"", "", `+{"lastName":"{x255}"}`, `200 {"status":"created","…":0}`, bobCame}, // the longest
		row{"suspend sign.client.example", "", "+{}", `200 {"status":"created","…":0}`, bobCame},
		row{"bob; DELETE {label}/users/{bob}", "", "+{}", `200 {"status":"created","userID":"{bob}","created":true}`, bobCame}, // §3.4
		row{"form added-again=new-id; bob; DELETE {label}/users/{bob}", "", "+{}", `200 {"status":"created","userID":"<id>","created":true}`, bobCame},
		row{seatsTaken, "", `+{"email":"carol@client.example"}`, "400 SEAT_QUOTA_REACHED", ""},
		row{seatsTaken, "", "+{}", `200 {"status":"added","…":0}`, ""}, // at the cap, too
		row{seatsTaken + "; DELETE {label}/users/{bob}", "", `+{"email":"carol@client.example"}`, `200 {"…":0}`, strings.ReplaceAll(bobCame, bob, "carol@client.example")},
		row{seatsTaken + "; DELETE {label}/users/{bob}; member add sign.client.example carol@client.example", "", "+{}", "400 SEAT_QUOTA_REACHED", ""},
		row{seatsTaken + "; attach sign.client.example SEATS 1", "", `+{"email":"carol@client.example"}`, `200 {"…":0}`, strings.ReplaceAll(bobCame, bob, "carol@client.example")},
		row{seatsTaken, "DO member add sign.client.example carol@client.example", "", "200", strings.ReplaceAll(bobCame, bob, "carol@client.example")}, // in the console
		row{"form unsent-email=fails; FailEmails 1", "", "+{}", "500 INTERNAL_SERVER_ERROR", "+sign.client.example member bob@client.example"},
		row{"FailEmails 1", "", "+{}", `200 {"status":"created","…":0}`, "+sign.client.example member bob@client.example"},
		row{"form email-case=lowercase", "", `+{"email":"Οδυσσευς@client.example"}`, `200 {"…":0}`, strings.ReplaceAll(bobCame, bob, "οδυσσευς@client.example")},
		row{"form email-case=uppercase", "", `+{"email":"Οδυσσευς@client.example"}`, `200 {"…":0}`, strings.ReplaceAll(bobCame, bob, "ΟΔΥΣΣΕΥΣ@CLIENT.EXAMPLE")},
		row{"form email-case=uppercase; POST {label}/users " + strings.Replace(bobBody, "bob@", "ος@", 1), "", `+{"email":"ος@client.example"}`, `200 {"status":"added","…":0}`, ""},
		row{"form seats-no-package=none", "", "+{}", "400 SEAT_QUOTA_REACHED", ""},
		row{"form seats-of-zero=none", "", "+{}", `200 {"status":"created","…":0}`, bobCame},
		row{"assign sign.client.example FREE", "", "+{}", `200 {"status":"created","…":0}`, bobCame},
		row{"form seats-no-package=none; assign sign.client.example FREE", "", "+{}", `200 {"status":"created","…":0}`, bobCame},
		row{"form seats-of-zero=none; assign sign.client.example FREE", "", "+{}", "400 SEAT_QUOTA_REACHED", ""},
	)},
	{"§4.17 List members", "GET {label}/members", "", []row{
		{"wait 5m; bob; member promote sign.client.example bob@client.example", "", "", `200 {"members":[` +
			`{"id":"{ada}","firstName":"Ada","lastName":"Lovelace","email":"ada@client.example","status":"Active","role":"owner","isOwner":true,"createdAt":1792065600000},` +
			`{"id":"{bob}","firstName":"Bob","lastName":"Byte","email":"bob@client.example","status":"Active","role":"admin","isOwner":true,"createdAt":"<now>"}]}`, ""},
		{"RemoveOwner sign.client.example; bob", "", "", `200 {"members":[{"id":"{bob}","role":"member","isOwner":false,"…":0}]}`, ""},
		{ // added again, without the rights (§3.4)
			"bob; member promote sign.client.example bob@client.example; member remove sign.client.example bob@client.example; wait 1m; POST {label}/users " +
				`{"email":"BOB@client.example","firstName":"Robert","lastName":"B"}`, "", "",
			`200 {"members":[{"…":0},{"id":"{bob}","firstName":"Robert","lastName":"B","email":"BOB@client.example","status":"Active","role":"member","isOwner":false,"createdAt":"<now>"}]}`, "",
		},
		{ // on the host, likewise
			"bob; member promote sign.client.example bob@client.example; member remove sign.client.example bob@client.example; wait 1m; POST /console/users/add " +
				`{"email":"BOB@client.example","firstName":"Robert","lastName":"B","domain":"sign.client.example"}`, "", "",
			`200 {"members":[{"…":0},{"id":"{bob}","firstName":"Robert","email":"BOB@client.example","role":"member","createdAt":"<now>","…":0}]}`, "",
		},
		{ // and in the console
			"bob; member promote sign.client.example bob@client.example; member remove sign.client.example bob@client.example; wait 1m; member add sign.client.example BOB@client.example",
			"", "", `200 {"members":[{"…":0},{"id":"{bob}","firstName":"Console","email":"BOB@client.example","role":"member","createdAt":"<now>","…":0}]}`, "",
		},
		{"bob; RenamePerson sign.client.example bob@client.example Robert B", "", "", `200 {"members":[{"…":0},{"firstName":"Robert","lastName":"B","…":0}]}`, ""},
	}},
	{"§4.18 Remove a member", "DELETE {label}/users/{bob}", "", []row{
		{"bob", "", "", `200 {"status":"removed"}`, bobLeft},
		{"bob", "", "{}", `200 {"status":"removed"}`, bobLeft},
		{"bob; DELETE {label}/users/{bob}", "", "", `200 {"status":"removed"}`, ""}, // again
		{"bob; member remove sign.client.example bob@client.example", "", "", `200 {"status":"removed"}`, ""},
		{"RemoveOwner sign.client.example", "DELETE {label}/users/{ada}", "", `200 {"status":"removed"}`, ""},
		{"suspend sign.client.example; bob", "", "", `200 {"status":"removed"}`, bobLeft},
		{"", "DELETE {label}/users/{ada}", "", "400 CANNOT_REMOVE_OWNER", ""},
		{"bob; member promote sign.client.example bob@client.example", "", "", "400 CANNOT_REMOVE_OWNER", ""},
		{"bob; member promote sign.client.example bob@client.example; DemoteAdmin sign.client.example bob@client.example", "", "", `200 {"status":"removed"}`, bobLeft},
		{"", "DELETE {label}/users/{none}", "", "400 USER_NOT_FOUND", ""},
		{"bob", "DELETE {label}/users/nonsense", "", "400 USER_NOT_FOUND", ""},
		{"bob", "DELETE {label}/users/bob@client.example", "", "400 USER_NOT_FOUND", ""},
		{"second label; bob", "DELETE {second}/users/{bob}", "", "400 USER_NOT_FOUND", ""},
		{"second label; bob; DELETE {label}/users/{bob}", "DELETE {second}/users/{bob}", "", "400 USER_NOT_FOUND", ""},
		{"bob", "", `{"force":true}`, "400 INVALID_REQUEST", ""},
		{"bob", "", "nonsense", "400 INVALID_REQUEST", ""},
		{"form removed=empty; bob", "", "", "204", bobLeft},
		{"form added-again=new-id; bob; DELETE {label}/users/{bob}; POST {label}/users " + bobBody, "", "", `200 {"status":"removed"}`, ""}, // the old ID
	}},
	{"§4.19 Resend an invite", "POST {label}/users/{bob}/invite", "", []row{
		{"bob", "", "", "429 TOO_FREQUENT 300", ""}, // the email of adding counts
		{"bob; wait 4m58.5s", "", "", "429 TOO_FREQUENT 2", ""},
		{"bob; wait 4m59.999s", "", "", "429 TOO_FREQUENT 1", ""},
		{"bob; wait 5m", "", "{}", `200 {"status":"sent"}`, "+email set-password bob@client.example of sign.client.example"},
		{"bob; wait 5m; POST {label}/users/{bob}/invite", "", "", "429 TOO_FREQUENT 300", ""},
		{"wait 2m; bob; wait 3m", "POST {label}/users/{ada}/invite", "", `200 {"status":"sent"}`, "+email set-password ada@client.example of sign.client.example"}, // each person
		{"wait 2m; bob; wait 3m", "", "", "429 TOO_FREQUENT 120", ""},
		{"", "POST {label}/users/{ada}/invite", "", "429 TOO_FREQUENT 300", ""}, // from provisioning
		{"POST /console/users/add " + addBobBody, "", "", "429 TOO_FREQUENT 300", ""},
		{"suspend sign.client.example; bob; wait 5m", "", "", `200 {"status":"sent"}`, "+email set-password bob@client.example of sign.client.example"},
		{"", "POST {label}/users/{none}/invite", "", "400 USER_NOT_FOUND", ""},
		{"bob; DELETE {label}/users/{bob}; wait 5m", "", "", "400 USER_NOT_FOUND", ""},
		{"bob", "", `{"email":"bob@client.example"}`, "400 INVALID_REQUEST", ""},
		{"bob", "", "nonsense", "400 INVALID_REQUEST", ""},
		{"bob; wait 5m; FailEmails 1", "", "", "500 INTERNAL_SERVER_ERROR", "…"},
		{"bob; wait 5m; FailEmails 1; try POST {label}/users/{bob}/invite", "", "", "429 TOO_FREQUENT 300", ""},
		{"bob; wait 5m; FailEmails 1; try POST {label}/users/{bob}/invite; wait 5m", "", "", `200 {"status":"sent"}`, "+email set-password bob@client.example of sign.client.example"},
		{"bob; FailEmails 1; try POST {label}/users/{bob}/invite; wait 5m", "", "", "500 INTERNAL_SERVER_ERROR", "…"}, // what is rejected tries no email
		{"FailEmails 1; bob", "", "", "429 TOO_FREQUENT 300 | RateLimit-Limit 60", ""},
	}},
	{"§4.20 List API keys", "GET {reseller}/keys", "", []row{
		{
			"wait 1s; MintKey reseller:read reseller:packages; wait 1s; MintKey reseller:provision; RevokeKey {MintKey}; MintKey; wait 1s", "", "", `200 {"keys":[` +
				`{"id":"<id>","lastFour":"/^....$/","scopes":[],"createdAt":1792065602000,"lastUsedAt":null,"revokedAt":null},` +
				`{"id":"<id>","lastFour":"/^....$/","scopes":["reseller:provision"],"createdAt":1792065602000,"lastUsedAt":null,"revokedAt":1792065602000},` +
				`{"id":"<id>","lastFour":"/^....$/","scopes":["reseller:read","reseller:packages"],"createdAt":1792065601000,"lastUsedAt":null,"revokedAt":null},` +
				`{"id":"{key id}","lastFour":"{last four}","scopes":["reseller:read","reseller:provision","reseller:packages"],"createdAt":1792065600000,"lastUsedAt":"<now>","revokedAt":null}]}`, "",
		},
		{"", "", "", `200 {"keys":[{"id":"{key id}","…":0}]}`, ""},
	}},
	{"§4.21 Create a package", "POST {reseller}/billing/packages", `{"code":"c","name":"n","currency":"EUR"}`, []row{
		{
			"", "", `+{"code":"gold","name":"Gold","priceMonthly":1999,"tiers":[{"upTo":5}],"included":{"documents":10}}`,
			`200 {"packageId":"<id>","code":"GOLD","name":"Gold","currency":"EUR","active":true,"createdAt":"<now>","priceMonthly":1999,"tiers":[{"upTo":5}],"included":{"documents":10}}`,
			"+GOLD Gold active",
		},
		{
			"", "POST {reseller}/billing/addons", `+{"active":false,"included":{"seats":1}}`,
			`200 {"addonId":"<id>","code":"C","name":"n","currency":"EUR","active":false,"createdAt":"<now>","included":{"seats":1}}`, "+C n inactive",
		},
		{"form addon-fields=bare", "POST {reseller}/billing/addons", "+{}", `200 {"addonId":"<id>","code":"C","name":"n","createdAt":"<now>"}`, "+C n active"},
		{"", "", `+{"code":"SmAll"}`, "400 CODE_IN_USE", ""},
		{"", "", `+{"code":"retired"}`, "400 CODE_IN_USE", ""}, // deactivation keeps the code
		{"", "POST {reseller}/billing/addons", `+{"code":"Extra"}`, "400 CODE_IN_USE", ""},
		{"", "", `{"code":`, "400 INVALID_REQUEST", ""},
		{"", "", "[]", "400 INVALID_REQUEST", ""},
		{"", "", `+{"code":null}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"name":null}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"currency":null}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"code":" "}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"name":"{x256}"}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"name":1}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"currency":"Euro"}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"price_monthly":1}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"packageId":"x"}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"isActive":true}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"active":"yes"}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"included":{"stamps":1}}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"included":{"seats":-1}}`, "400 INVALID_REQUEST", ""},
		{"form item-id=plain; form active-flag=is-active", "", "+{}", `200 {"id":"<id>","isActive":true,"packageId":"<none>","active":"<none>","…":0}`, "+C n active"},
		{"form active-flag=status", "", `+{"status":"Inactive"}`, `200 {"status":"Inactive","active":"<none>","…":0}`, "+C n inactive"},
		{"form item-id=nested", "", "+{}", `200 {"package":{"packageId":"<id>","active":true,"code":"C","…":0}}`, "+C n active"},
		{"form active-flag=is-active", "", `+{"active":true}`, "400 INVALID_REQUEST", ""},
		{"form search-inactive=hidden", "", `+{"code":"retired"}`, "400 CODE_IN_USE", ""},
	}},
	{"§4.21 Read a package", "POST {reseller}/billing/packages/get", `{"packageId":"{SMALL}"}`, []row{
		{"", "", "+{}", `200 {"packageId":"{SMALL}","code":"SMALL","name":"SMALL","currency":"EUR","active":true,"createdAt":"<now>",` +
			`"included":{"documents":60,"seats":0,"templates":0,"notarizations":0}}`, ""},
		{"", "POST {reseller}/billing/addons/get", `{"addonId":"{EXTRA}"}`, `200 {"addonId":"{EXTRA}","code":"EXTRA","active":true,"currency":"EUR","…":0}`, ""},
		{"", "", `{"packageId":"nobody"}`, "400 PACKAGE_NOT_FOUND", ""},
		{"", "POST {reseller}/billing/addons/get", `{"addonId":"nobody"}`, "400 ADDON_NOT_FOUND", ""},
		{"", "", "{}", "400 INVALID_REQUEST", ""},
		{"", "", `+{"more":1}`, "400 INVALID_REQUEST", ""},
		{"", "GET {reseller}/billing/packages/get", "", "404 NOT_FOUND", ""},
		{"form get=query", "GET {reseller}/billing/packages/get?packageId={SMALL}", "", `200 {"packageId":"{SMALL}","…":0}`, ""},
		{"form get=query", "GET {reseller}/billing/packages/get", "", "400 INVALID_REQUEST", ""},
		{"form get=query", "", "+{}", "404 NOT_FOUND", ""},
		{"form search-inactive=hidden", "", `{"packageId":"{RETIRED}"}`, `200 {"code":"RETIRED","…":0}`, ""},
		{"form settings=dropped; " + gold, "", `{"packageId":"{GOLD}"}`, `200 {"price":"<none>","note":"<none>","…":0}`, ""},
		{"form settings=text; " + gold, "", `{"packageId":"{GOLD}"}`, `200 {"price":"5","note":"x","nested":{"a":1},"included":{"seats":2},"…":0}`, ""},
		{"form item-id=nested-id", "POST {reseller}/billing/addons/get", `{"addonId":"{EXTRA}"}`, `200 {"addon":{"id":"{EXTRA}","code":"EXTRA","…":0}}`, ""},
		{"form item-id=nested-alone", "POST {reseller}/billing/addons/get", `{"addonId":"{EXTRA}"}`, `200 {"addon":{"addonId":"{EXTRA}","…":0}}`, ""},
		{"form active-flag=none", "", "+{}", `200 {"active":"<none>","…":0}`, ""},
		{"form addon-fields=currency", "POST {reseller}/billing/addons/get", `{"addonId":"{EXTRA}"}`, `200 {"currency":"EUR","active":"<none>","…":0}`, ""},
		{"form addon-fields=active", "POST {reseller}/billing/addons/get", `{"addonId":"{EXTRA}"}`, `200 {"currency":"<none>","active":true,"…":0}`, ""},
		{"form times=text", "", "+{}", `200 {"createdAt":"2026-10-15T12:00:00Z","…":0}`, ""},
	}},
	{"§4.21 Change a package", "POST {reseller}/billing/packages/update", `{"packageId":"{SMALL}"}`, []row{
		{gold, "", `{"packageId":"{GOLD}","name":"New"}`, `200 {"packageId":"{GOLD}","code":"GOLD","name":"New","currency":"EUR","active":true,"createdAt":"<now>",` +
			`"price":5,"note":"x","nested":{"a":1},"included":{"seats":2}}`, "+GOLD New active, -GOLD Gold active"},
		{gold, "", `{"packageId":"{GOLD}","price":7}`, `200 {"price":7,"…":0}`, "…"},
		{gold, "", `{"packageId":"{GOLD}","note":null}`, `200 {"note":"<none>","price":5,"…":0}`, "…"},
		{gold, "", `{"packageId":"{GOLD}","nested":{"b":2}}`, `200 {"nested":{"b":2},"price":5,"…":0}`, "…"},
		{"form update-nested=merged; " + gold, "", `{"packageId":"{GOLD}","nested":{"b":2}}`, `200 {"nested":{"a":1,"b":2},"price":5,"…":0}`, "…"},
		{"form update-nested=merged; " + gold, "", `{"packageId":"{GOLD}","price":7}`, `200 {"nested":{"a":1},"price":7,"…":0}`, "…"},
		{"form update-omitted=removed; " + gold, "", `{"packageId":"{GOLD}","name":"Gold"}`, `200 {"price":"<none>","nested":"<none>","code":"GOLD","…":0}`, "…"},
		{"form update-omitted=removed", "", "+{}", "400 INVALID_REQUEST", ""}, // a name is required
		{"", "", `+{"active":false}`, `200 {"active":false,"…":0}`, "+SMALL SMALL inactive, -SMALL SMALL active"},
		{"", "POST {reseller}/billing/addons/update", `{"addonId":"{EXTRA}","active":false}`, `200 {"active":false,"…":0}`, "+EXTRA EXTRA inactive, -EXTRA EXTRA active"},
		{"", "", `+{"code":"small"}`, `200 {"…":0}`, ""}, // as it is
		{gold, "", wholeItem, `200 {"…":0}`, ""},
		{"", "", `+{"createdAt":5}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"code":"silver"}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"currency":"USD"}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"name":" "}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"active":1}`, "400 INVALID_REQUEST", ""},
		{"", "", `{"packageId":"nobody"}`, "400 PACKAGE_NOT_FOUND", ""},
		{"", "POST {reseller}/billing/addons/update", `{"addonId":"nobody"}`, "400 ADDON_NOT_FOUND", ""},
		{"", "", "{}", "400 INVALID_REQUEST", ""},
		{"", "GET {reseller}/billing/packages/update", "", "404 NOT_FOUND", ""},
		{"form update=put", "PUT {reseller}/billing/packages/update", `+{"name":"New"}`, `200 {"…":0}`, "+SMALL New active, -SMALL SMALL active"},
		{"form update=patch", "PATCH {reseller}/billing/packages/update", `+{"name":"New"}`, `200 {"…":0}`, "+SMALL New active, -SMALL SMALL active"},
		{"form update=put", "", "+{}", "404 NOT_FOUND", ""},
		{"form update-whole=rejected; " + gold, "", wholeItem, "400 INVALID_REQUEST", ""},
		{"form update-whole=invalid-data; form item-id=nested; " + gold, "", wholeItem, "400 INVALID_DATA", ""},
		{"form update-whole=code-in-use; " + gold, "", wholeItem, "400 CODE_IN_USE", ""},
		{"form update-whole=conflict; " + gold, "", wholeItem, "409 CODE_IN_USE", ""},
		{"form update-whole=unprocessable; " + gold, "", wholeItem, "422 INVALID_DATA", ""},
		{"form update-whole=rejected", "", `+{"name":"New"}`, `200 {"…":0}`, "+SMALL New active, -SMALL SMALL active"},
		{"form active-flag=is-active", "", `+{"isActive":false}`, `200 {"isActive":false,"…":0}`, "+SMALL SMALL inactive, -SMALL SMALL active"},
		{"form active-flag=is-active", "", `+{"active":false}`, "400 INVALID_REQUEST", ""},
		{"form active-flag=status", "", `+{"status":"Inactive"}`, `200 {"status":"Inactive","…":0}`, "+SMALL SMALL inactive, -SMALL SMALL active"},
		{"form active-flag=status", "", `+{"status":1}`, "400 INVALID_REQUEST", ""},
		{`assign sign.client.example SMALL; POST {reseller}/billing/packages/update {"packageId":"{SMALL}","included":{"documents":70}}`, "GET {label}", "", allocated(70), ""},
	}},
	{"§4.21 Search packages", "POST {reseller}/billing/packages/search", `{"query":"","page":1,"pageSize":100}`, []row{
		{"", "", "+{}", `200 {"packages":[{"code":"SMALL","…":0},{"code":"BIG","…":0},{"code":"FREE","…":0},{"code":"RETIRED","…":0}],"total":4,"…":0}`, ""},
		{"", "", `+{"pageSize":3}`, `200 {"packages":[{"code":"SMALL","…":0},{"code":"BIG","…":0},{"code":"FREE","…":0}],"total":4,"…":0}`, ""},
		{"", "", `+{"page":2,"pageSize":3}`, `200 {"packages":[{"packageId":"{RETIRED}","active":false,"…":0}],"total":4,"…":0}`, ""},
		{"", "", `+{"page":3,"pageSize":3}`, `200 {"packages":[],"total":4,"…":0}`, ""},
		{"", "", `+{"query":"re","pageSize":1}`, `200 {"packages":[{"code":"FREE","…":0}],"total":2,"…":0}`, ""},
		{"", "", `+{"query":"none"}`, `200 {"packages":[],"total":0,"…":0}`, ""},
		{`POST {reseller}/billing/packages {"code":"c","name":"The name","currency":"EUR"}`, "", `+{"query":"the N"}`, `200 {"packages":[{"code":"C","…":0}],"total":1,"…":0}`, ""},
		{"", "POST {reseller}/billing/addons/search", `+{"pageSize":1}`, `200 {"addons":[{"addonId":"{EXTRA}","…":0}],"total":2,"…":0}`, ""},
		{"", "", "{}", "400 INVALID_REQUEST", ""},
		{"", "", `+{"query":null}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"page":null}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"pageSize":null}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"page":0}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"pageSize":0}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"pageSize":101}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"page":1.5}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"sort":"code"}`, "400 INVALID_REQUEST", ""},
		{"", "POST {reseller}/billing/addons/search", `+{"pageSize":101}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"query":" "}`, `200 {"packages":[],"total":0,"…":0}`, ""},
		{"form rows=items; form item-id=plain", "", `+{"query":"BIG"}`, `200 {"items":[{"id":"{BIG}","…":0}],"total":1,"page":1,"pageSize":100}`, ""},
		{"form rows=rows; form active-flag=status", "", `+{"query":"BIG"}`, `200 {"rows":[{"packageId":"{BIG}","status":"Active","…":0}],"…":0}`, ""},
		{"form rows=nested; form item-id=nested", "", `+{"query":"BIG"}`, `200 {"packages":{"rows":[{"package":{"packageId":"{BIG}","…":0}}],"…":0}}`, ""},
		{
			"form search-rows=summaries; " + gold, "", `+{"query":"GOLD"}`,
			`200 {"packages":[{"packageId":"{GOLD}","code":"GOLD","name":"Gold","currency":"EUR","active":true,"createdAt":"<now>"}],"…":0}`, "",
		},
		{"form search-inactive=hidden", "", "+{}", `200 {"packages":[{"code":"SMALL","…":0},{"code":"BIG","…":0},{"code":"FREE","…":0}],"total":3,"…":0}`, ""},
		{"form item-id=nested-id", "POST {reseller}/billing/addons/search", `+{"query":"EXTRA"}`, `200 {"addons":[{"addon":{"id":"{EXTRA}","…":0}}],"…":0}`, ""},
		{"form item-id=nested-alone", "POST {reseller}/billing/addons/search", `+{"query":"EXTRA"}`, `200 {"addons":[{"addonId":"{EXTRA}","addon":"<none>","…":0}],"…":0}`, ""},
		{"form active-flag=none", "", `+{"query":"BIG"}`, `200 {"packages":[{"active":"<none>","code":"BIG","…":0}],"…":0}`, ""},
		{"form addon-fields=currency", "POST {reseller}/billing/addons/search", `+{"query":"EXTRA"}`, `200 {"addons":[{"currency":"EUR","active":"<none>","…":0}],"…":0}`, ""},
	}},
	{"§4.21 Assign a package", "POST {label}/package", `{"packageId":"{SMALL}"}`, []row{
		{"", "", "+{}", `200 {"outcome":"Assigned","assignmentId":"<id>","allocated":{"documents":60,"seats":0,"templates":0,"notarizations":0}}`, "+sign.client.example has SMALL"},
		{"assign sign.client.example SMALL", "", "+{}", "400 ALREADY_ASSIGNED", ""},
		{"assign sign.client.example SMALL", "", `+{"packageId":"{FREE}"}`, "400 ALREADY_ASSIGNED", ""},
		{"", "", `+{"packageId":"{RETIRED}"}`, "400 PACKAGE_INACTIVE", ""},
		{"", "", `+{"packageId":"nobody"}`, "400 PACKAGE_NOT_FOUND", ""},
		{"", "", `+{"packageId":""}`, "400 INVALID_REQUEST", ""},
		{"", "", `+{"quantity":1}`, "400 INVALID_REQUEST", ""},
		{"SetSubscription false", "", "+{}", "400 NO_SUBSCRIPTION", ""},
		{"", "", `+{"packageId":"{BIG}"}`, `200 {"outcome":"ConfirmationRequired","confirmation":{"key":"<text>","expiresAt":1792066200000},` +
			`"warnings":[{"itemCode":"documents","requested":120,"remaining":100,"excess":20}]}`, "+confirmation key"},
		{`POST {label}/package {"packageId":"{BIG}"}; wait 10m`, "", `+{"packageId":"{BIG}","confirmationKey":"{confirmation}"}`, `200 {"outcome":"Assigned","…":0}`, // §3.2
			"+sign.client.example has BIG"},
		{`POST {label}/package {"packageId":"{BIG}"}; wait 10m; wait 1ms`, "", `+{"packageId":"{BIG}","confirmationKey":"{confirmation}"}`, "400 CONFIRMATION_EXPIRED", ""},
		{`POST {label}/package {"packageId":"{BIG}"}; wait 11m`, "", `+{"packageId":"{FREE}","confirmationKey":"{confirmation}"}`, `200 {"outcome":"Assigned","…":0}`, "+sign.client.example has FREE"},
		{
			`POST {label}/package {"packageId":"{BIG}"}; second label; assign sign.second.example SMALL`, "", `+{"packageId":"{BIG}","confirmationKey":"{confirmation}"}`,
			`200 {"outcome":"ConfirmationRequired","confirmation":{"key":"<text>","expiresAt":1792066200000},` +
				`"warnings":[{"itemCode":"documents","requested":120,"remaining":40,"excess":80}]}`, "+confirmation key",
		},
		{`second label; POST {label}/package {"packageId":"{BIG}"}`, "POST {second}/package", `+{"packageId":"{BIG}","confirmationKey":"{confirmation}"}`, "400 CONFIRMATION_INVALID", ""},
		{"", "", `+{"packageId":"{BIG}","confirmationKey":"invented"}`, "400 CONFIRMATION_INVALID", ""},
		{"", "", `+{"confirmationKey":"invented"}`, `200 {"outcome":"Assigned","…":0}`, "+sign.client.example has SMALL"}, // it is ignored
		{
			`POST {label}/package {"packageId":"{BIG}"}; wait 25h; as reseller:packages; 1 times POST {label}/package {"packageId":"{BIG}"}`, "",
			`+{"packageId":"{BIG}","confirmationKey":"{confirmation}"}`, "400 CONFIRMATION_EXPIRED", "",
		},
		{
			`form late-confirmation=invalid; POST {label}/package {"packageId":"{BIG}"}; wait 25h; as reseller:packages; 1 times POST {label}/package {"packageId":"{BIG}"}`, "",
			`+{"packageId":"{BIG}","confirmationKey":"{confirmation}"}`, "400 CONFIRMATION_INVALID", "",
		},
		{"assign sign.client.example FREE; SetSubscription false", "", `+{"packageId":"{none}"}`, "400 PACKAGE_NOT_FOUND", ""},
		{"assign sign.client.example FREE; SetSubscription false", "", "+{}", "400 ALREADY_ASSIGNED", ""},
		{"form assign-order=subscription-first; assign sign.client.example FREE; SetSubscription false", "", `+{"packageId":"{none}"}`, "400 NO_SUBSCRIPTION", ""},
		{"form assign-order=subscription-first; assign sign.client.example FREE; SetSubscription false", "", "+{}", "400 NO_SUBSCRIPTION", ""},
		{"form unknown-package=invalid-request", "", `+{"packageId":"{none}"}`, "400 INVALID_REQUEST", ""},
		{"assign sign.client.example SMALL; DELETE {label}/package", "", `+{"packageId":"{BIG}"}`, // a change bills both
			`200 {"warnings":[{"requested":120,"remaining":40,"excess":80,"…":0}],"…":0}`, "+confirmation key"},
		{
			`form removed-item=freed; assign sign.client.example SMALL; DELETE {label}/package; SetPackageIncluded {SMALL} {"documents":150}`, "", "+{}",
			`200 {"warnings":[{"requested":150,"remaining":100,"excess":50,"…":0}],"…":0}`, "+confirmation key",
		},
		{
			"form remaining=negative; assign sign.client.example BIG", "POST {label}/package/addons", `{"addonId":"{EXTRA}","quantity":1}`,
			`200 {"warnings":[{"itemCode":"documents","requested":30,"remaining":-20,"excess":50}],"…":0}`, "+confirmation key",
		},
	}},
	{"§4.21 Read a label's package", "GET {label}/package", "", []row{
		{withExtra, "", "", `200 {"assignment":{"id":"<id>","packageId":"{FREE}","packageCode":"FREE","packageName":"FREE","currency":"EUR","assignedAt":"<now>",` +
			`"addons":[{"subscriptionAddonId":"{attached}","addonId":"{EXTRA}","code":"EXTRA","name":"EXTRA","quantity":1}],` +
			`"allocated":{"documents":30,"seats":0,"templates":0,"notarizations":0}}}`, ""},
		{"form assignment-read=bare; " + withExtra, "", "", `200 {"packageCode":"FREE","addons":"<1 rows>","…":0}`, ""},
		{"form assignment-read=bare", "", "", `200 = {"status":"OK","data":null}`, ""},
		{"form assignment-read=package; " + withExtra, "", "", `200 {"package":{"packageCode":"FREE","addons":"<1 rows>","…":0}}`, ""},
		{"form assignment-read=package", "", "", `200 {"package":null}`, ""},
		{"form assignment-read=missing; " + withExtra, "", "", "404 NOT_FOUND", ""},
		{"form assignment-addons=omitted; " + withExtra, "", "", `200 {"assignment":{"addons":"<none>","…":0}}`, ""},
		{"form assignment-addons=empty; " + withExtra, "", "", `200 {"assignment":{"addons":[],"…":0}}`, ""},
		{"form assignment-addons=empty; " + withExtra, "GET {label}", "", `200 {"assignment":{"addons":"<1 rows>","…":0},"…":0}`, ""}, // the detail shows all
		{"form figures=text; " + withExtra, "", "", `200 {"assignment":{"allocated":{"documents":"30","…":0},"…":0}}`, ""},
		{"", "", "", `200 {"assignment":null}`, ""},
		{"form no-assignment=not-assigned", "", "", "400 NOT_ASSIGNED", ""},
	}},
	{"§4.21 Remove a package", "DELETE {label}/package", "", []row{
		{"assign sign.client.example SMALL; attach sign.client.example EXTRA 1", "", "", `200 {"status":"removed"}`, "-sign.client.example has 1 EXTRA, -sign.client.example has SMALL"},
		{"", "", "", "400 NOT_ASSIGNED", ""},
		{"assign sign.client.example SMALL", "POST {label}/package/remove", "", "404 NOT_FOUND", ""},
		{"form removal=post-path; assign sign.client.example SMALL", "", "", "404 NOT_FOUND", ""},
		{"form removal=post-path; assign sign.client.example SMALL", "POST {label}/package/remove", "", `200 {"…":0}`, "-sign.client.example has SMALL"},
		{"form removed=empty; assign sign.client.example SMALL", "", "", "204", "-sign.client.example has SMALL"},
		{"form removal=post-body; assign sign.client.example SMALL", "POST {label}/package/remove", "", `200 {"…":0}`, "-sign.client.example has SMALL"},
	}},
	{"§4.21 Attach an add-on", "POST {label}/package/addons", `{"addonId":"{EXTRA}","quantity":1}`, []row{
		{"", "", "+{}", "400 NOT_ASSIGNED", ""},
		{"assign sign.client.example FREE", "", `+{"quantity":2}`, `200 {"outcome":"Attached","subscriptionAddonId":"<id>",` +
			`"allocated":{"documents":60,"seats":0,"templates":0,"notarizations":0}}`, "+sign.client.example has 2 EXTRA"},
		{"assign sign.client.example FREE; attach sign.client.example EXTRA 2", "", "+{}", "400 ALREADY_ATTACHED", ""}, // 30 would fit
		{
			"assign sign.client.example FREE; attach sign.client.example EXTRA 2", "", `+{"quantity":2}`,
			`200 {"outcome":"ConfirmationRequired","confirmation":{"…":0},"warnings":[{"itemCode":"documents","requested":60,"remaining":40,"excess":20}]}`, "+confirmation key",
		},
		{
			`assign sign.client.example FREE; attach sign.client.example EXTRA 2; POST {label}/package/addons {"addonId":"{EXTRA}","quantity":2}`, "",
			`+{"quantity":2,"confirmationKey":"{confirmation}"}`, "400 ALREADY_ATTACHED", "",
		},
		{
			`assign sign.client.example FREE; POST {label}/package/addons {"addonId":"{EXTRA}","quantity":4}`, "",
			`+{"quantity":5,"confirmationKey":"{confirmation}"}`, "400 CONFIRMATION_INVALID", "",
		},
		{`second label; POST {second}/package {"packageId":"{BIG}"}; assign sign.client.example FREE`, "", `+{"quantity":4,"confirmationKey":"{confirmation}"}`, "400 CONFIRMATION_INVALID", ""},
		{
			`assign sign.client.example FREE; POST {label}/package/addons {"addonId":"{EXTRA}","quantity":4}`, "",
			`+{"confirmationKey":"{confirmation}"}`, `200 {"outcome":"Attached","…":0}`, "+sign.client.example has 1 EXTRA",
		}, // it fits
		{"assign sign.client.example FREE", "", `+{"addonId":"nobody"}`, "400 ADDON_NOT_FOUND", ""},
		{"assign sign.client.example FREE; SetAddonActive {EXTRA} false", "", "+{}", "400 ADDON_INACTIVE", ""},
		{"assign sign.client.example FREE; SetSubscription false", "", "+{}", "400 NO_SUBSCRIPTION", ""},
		{"assign sign.client.example FREE", "", `+{"quantity":0}`, "400 INVALID_REQUEST", ""},
		{"assign sign.client.example FREE", "", `+{"quantity":-1}`, "400 INVALID_REQUEST", ""},
		{"assign sign.client.example FREE", "", `+{"quantity":1.5}`, "400 INVALID_REQUEST", ""},
		{"assign sign.client.example FREE", "", `+{"quantity":"1"}`, "400 INVALID_REQUEST", ""},
		{"assign sign.client.example FREE", "", `{"addonId":"{EXTRA}","quantity":null}`, "400 INVALID_REQUEST", ""},
	}},
	{"§4.21 Remove an add-on", "DELETE {label}/package/addons/{attached}", "", []row{
		{"assign sign.client.example FREE; attach sign.client.example EXTRA 1", "", "", `200 {"status":"removed"}`, "-sign.client.example has 1 EXTRA"},
		{"assign sign.client.example FREE; attach sign.client.example EXTRA 1; detach sign.client.example EXTRA", "", "", "400 ADDON_NOT_FOUND", ""},
		{"assign sign.client.example FREE; attach sign.client.example EXTRA 1", "DELETE {label}/package/addons/{EXTRA}", "", "400 ADDON_NOT_FOUND", ""},
		{"", "DELETE {label}/package/addons/x", "", "400 NOT_ASSIGNED", ""},
		{"form removal=post-path; form removal-id=addon; assign sign.client.example FREE; attach sign.client.example EXTRA 1", "DELETE {label}/package/addons/{EXTRA}", "", "404 NOT_FOUND", ""},
		{
			"form removal=post-path; form removal-id=addon; assign sign.client.example FREE; attach sign.client.example EXTRA 1",
			"POST {label}/package/addons/{attached}/remove", "", "400 ADDON_NOT_FOUND", "",
		},
		{
			"form removal=post-path; form removal-id=addon; assign sign.client.example FREE; attach sign.client.example EXTRA 1",
			"POST {label}/package/addons/{EXTRA}/remove", "", `200 {"…":0}`, "-sign.client.example has 1 EXTRA",
		},
		{"form removed=empty; " + withExtra, "", "", "204", "-sign.client.example has 1 EXTRA"},
		{"form removal=post-body; " + withExtra, removeInBody, `{"subscriptionAddonId":"{attached}"}`, `200 {"…":0}`, "-sign.client.example has 1 EXTRA"},
		{"form removal=post-body; " + withExtra, removeInBody, `{"addonId":"{EXTRA}"}`, "400 INVALID_REQUEST", ""},
		{"form removal=post-body; " + withExtra, removeInBody, `{"subscriptionAddonId":"{EXTRA}"}`, "400 ADDON_NOT_FOUND", ""},
		{"form removal=post-body; form removal-id=addon; " + withExtra, removeInBody, `{"addonId":"{EXTRA}"}`, `200 {"…":0}`, "-sign.client.example has 1 EXTRA"},
		{"form removal=post-body; form removal-id=addon; " + withExtra, removeInBody, `{"other":"{EXTRA}"}`, "400 INVALID_REQUEST", ""},
	}},
	{"§4.21 Points ledger", "GET {label}/points", "", []row{
		{"", "", "", `200 {"rows":[],"total":0,"page":1,"pageSize":20}`, ""},
		{"WritePoints sign.client.example documents 7; wait 1s; WritePoints sign.client.example seats -2", "", "", `200 {"rows":[` + // newest first
			`{"id":"<id>","itemCode":"seats","amount":-2,"createdAt":"<now>"},{"id":"<id>","itemCode":"documents","amount":7,"createdAt":1792065600000}],"total":2,"…":0}`, ""},
		{points25, "", "", `200 {"rows":"<20 rows>","total":25,"…":0}`, ""},
		{points25, "GET {label}/points?page=2", "", `200 {"rows":"<5 rows>","…":0}`, ""},
		{points25, "GET {label}/points?page=3", "", `200 {"rows":[],"total":25,"…":0}`, ""},
		{points25, "GET {label}/points?pageSize=100", "", `200 {"rows":"<25 rows>","…":0}`, ""},
		{points25 + "; WritePoints sign.client.example seats 1", "GET {label}/points?itemCode=seats", "", `200 {"rows":[{"itemCode":"seats","…":0}],"total":1,"…":0}`, ""},
		{points25, "GET {label}/points?itemCode=stamps", "", `200 {"rows":[],"total":0,"…":0}`, ""},
		{"", "GET {label}/points?page=0", "", "400 INVALID_QUERY", ""},
		{"", "GET {label}/points?page=-1", "", "400 INVALID_QUERY", ""},
		{"", "GET {label}/points?page=x", "", "400 INVALID_QUERY", ""},
		{"", "GET {label}/points?page=", "", "400 INVALID_QUERY", ""},
		{"", "GET {label}/points?pageSize=0", "", "400 INVALID_QUERY", ""},
		{"", "GET {label}/points?pageSize=101", "", "400 INVALID_QUERY", ""},
		{"form rows=nested", "", "", `200 {"rows":{"rows":[],"…":0}}`, ""},
		{"form rows=items", "", "", `200 {"items":[],"…":0}`, ""},
		{"form empty-arrays=null", "", "", `200 {"rows":null,"total":0,"…":0}`, ""},
		{"form empty-arrays=omitted", "", "", `200 {"rows":"<none>","total":0,"…":0}`, ""},
		{
			"form ledger=points; form figures=text; form times=text; WritePoints sign.client.example documents -2", "", "",
			`200 {"rows":[{"id":"<id>","itemCode":"documents","points":"2","type":"Returned","createdAt":"2026-10-15T12:00:00Z"}],"…":0}`, "",
		},
		{"form ledger=points; form times=digits; WritePoints sign.client.example documents 2", "", "", `200 {"rows":[{"points":2,"type":"Used","createdAt":"1792065600000","…":0}],"…":0}`, ""},
	}},
	{"§4.21 Usage, §2.10", "GET {reseller}/usage", "", []row{
		{used, "", "", `200 {"period":"2026-10","rows":[{"tenantId":"{id}","primaryHost":"sign.client.example",` + figures + `}],"totals":{` + figures + `}}`, ""},
		{used, "GET {reseller}/usage?period=2026-09", "", `200 {"period":"2026-09","totals":{"documents":0,"notarizations":0,"points":0,"…":0},"…":0}`, ""},
		{"", "GET {reseller}/usage?period=2026-13", "", "400 INVALID_REQUEST", ""},
		{"", "GET {reseller}/usage?period=lifetime", "", "400 INVALID_REQUEST", ""},
		{"", "GET {reseller}/usage?period=october", "", "400 INVALID_REQUEST", ""},
		{"form usage=items; form figures=text", "", "", `200 {"period":"2026-10","items":[{"itemCode":"documents","used":"0"},{"itemCode":"seats","used":"1"},{"…":0},{"…":0},{"…":0}],` +
			`"rows":[{"tenantId":"{id}","…":0}]}`, ""},
		{"form usage=rows", "", "", `200 {"period":"2026-10","rows":[{"tenantId":"{id}","seats":1,"…":0}]}`, ""},
		{"form usage=by-code", "", "", `200 {"period":"2026-10","items":{"seats":{"used":1},"…":0}}`, ""},
		{"form usage=flat", "", "", `200 {"period":"2026-10","seats":1,"rows":"<none>","…":0}`, ""},
	}},
	{"§4.21 Quota", "GET {reseller}/billing/quota", "", []row{
		{"assign sign.client.example SMALL; UseDocuments sign.client.example 3", "", "", `200 {"period":"2026-10","items":[` +
			`{"itemCode":"documents","allowance":100,"billed":60,"used":3,"remaining":40},{"itemCode":"seats","allowance":10,"billed":1,"used":1,"remaining":9},` +
			`{"itemCode":"templates","allowance":0,"billed":0,"used":0,"remaining":0},{"itemCode":"notarizations","allowance":0,"billed":0,"used":0,"remaining":0}]}`, ""},
		{"form quota=by-code", "", "", `200 {"period":"2026-10","items":{"documents":{"remaining":100,"…":0},"…":0}}`, ""},
		{"form quota=sections; form figures=text", "", "", `200 {"period":"2026-10","allowance":{"…":0},"billed":{"…":0},"used":{"…":0},"remaining":{"documents":"100","…":0}}`, ""},
		{"form quota=rows", "", "", `200 {"period":"2026-10","rows":[{"itemCode":"documents","…":0},{"…":0},{"…":0},{"…":0}]}`, ""},
		{"form quota=flat", "", "", `200 {"period":"2026-10","seats":{"used":1,"…":0},"items":"<none>","…":0}`, ""},
		{withExtra + "; detach sign.client.example EXTRA", "", "", remaining(70), ""}, // what was removed still counts (§1)
		{withExtra + "; detach sign.client.example EXTRA; attach sign.client.example EXTRA 1", "", "", remaining(70), ""},
		{"assign sign.client.example SMALL; DELETE {label}/package", "", "", remaining(40), ""},
		{"assign sign.client.example SMALL; DELETE {label}/package; assign sign.client.example SMALL", "", "", remaining(40), ""}, // it is billed already
		{"assign sign.client.example SMALL; DELETE {label}/package; wait 744h; as reseller:read", "", "", remaining(100), ""},
		{"form removed-item=freed; " + withExtra + "; detach sign.client.example EXTRA", "", "", remaining(100), ""},
		{"form removed-item=freed; assign sign.client.example SMALL; DELETE {label}/package", "", "", remaining(100), ""},
		{"UseDocuments sign.client.example 50; suspend sign.client.example", "", "", remaining(50), ""}, // the larger of allocated and used
		{"UseDocuments sign.client.example 50; assign sign.client.example SMALL", "", "", remaining(40), ""},
		{"UseDocuments sign.client.example 80; assign sign.client.example SMALL", "", "", remaining(20), ""},
		{"UseDocuments sign.client.example 80; assign sign.client.example SMALL; attach sign.client.example EXTRA 1", "", "", remaining(10), ""},
		{"assign sign.client.example SMALL; DELETE {label}", "", "", remaining(100), ""}, // until deprovisioned
		{"assign sign.client.example BIG", "", "", remaining(0), ""},
		{"form remaining=negative; assign sign.client.example BIG", "", "", remaining(-20), ""},
	}},
	{"§4.21 Points pool", "GET {reseller}/billing/points", "", []row{
		{
			"SetPointsPool 100; wait 20m; WritePoints sign.client.example documents 30", "", "",
			`200 {"granted":100,"used":30,"remaining":70,"writtenAt":1792065600000,"renewsAt":1793491200000}`, "",
		},
		{"form points-pool=nested; form figures=text", "", "", `200 {"pool":{"granted":"0","…":0}}`, ""},
	}},
	{"§5.1 Keys are minted in a session", "POST {reseller}/keys", "", []row{
		{"", "", `{"scopes":["reseller:read"]}`, "403 SESSION_REQUIRED", ""},
		{"as reseller:provision", "", "", "403 SESSION_REQUIRED", ""},
		{"", "DELETE {reseller}/keys/{key id}", "", "403 SESSION_REQUIRED", ""},
		{"token", "", "", "401 UNAUTHORIZED", ""},
		{"", "POST /console/other.example/reseller/keys", "", "403 FORBIDDEN", ""},
	}},
	{"§5.3 Tokens", "GET {reseller}/private-labels", "", []row{
		{"wait 59m59s", "", "", `200 {"…":0}`, ""},
		{"wait 1h", "", "", "401 UNAUTHORIZED", ""},
		{"wait 1h; as reseller:read", "", "", `200 {"…":0}`, ""},
		{"MintKey reseller:read; RevokeKey {MintKey}", "", "", `200 {"…":0}`, ""}, // another key's
		{"RevokeKey {key}", "", "", "401 UNAUTHORIZED", ""},
		{"token {none}", "GET /console/dashboard", "", "400 JSON_WEB_TOKEN_ERROR", ""},
		{"token a.b.c.d", "GET /console/dashboard", "", "400 JSON_WEB_TOKEN_ERROR", ""},
		{"RevokeKey {key}", "GET /console/dashboard", "", "401 UNAUTHORIZED", ""},
	}},
	{"§6 Events", "", "", lateRows()},
	{"§7.1, §9 No endpoint", "GET /nowhere", "", []row{
		{"", "", "", "404 NOT_FOUND", ""},
		{"token", "", "", "404 NOT_FOUND", ""},
		{"", "GET /", "", "404 NOT_FOUND", ""}, // without a token it is a browser (TestThePageIsNoEndpoint)
		{"", "GET /api/v1/reseller/private-labels", "", "404 NOT_FOUND", ""},
		{"token", "POST /api/v1/reseller/packages", "", "404 NOT_FOUND", ""},
		{"", "PUT {reseller}/private-labels", "", "404 NOT_FOUND", ""},
		{"token", "GET /api/v1/auth/token", "", "404 NOT_FOUND", ""},
		{"", "GET {reseller}/private-labels/", "", "404 NOT_FOUND", ""},
		{"token", "GET /v1{reseller}/private-labels", "", "404 NOT_FOUND", ""},
		{"", "GET /console/users/search", "", "404 NOT_FOUND", ""},
		{"", "GET /console/users/add", "", "404 NOT_FOUND", ""},
		{"", "GET /console/users/remove", "", "404 NOT_FOUND", ""},
		{"form no-endpoint=json", "GET {reseller}/no/such", "", "404 ~Cannot GET /", ""},
		{"form no-endpoint=page", "GET {reseller}/no/such", "", "404 ~<h1>Not Found", ""},
		{"form no-endpoint=page", "GET /signing/none", "", "404 ~<h1>Not Found", ""},
		{"", "", "", "404 NOT_FOUND | X-Request-Id ", ""}, // which only the exchange has
		{"token a.b.c", "GET {reseller}/private-labels", "", "401 UNAUTHORIZED | X-Request-Id ", ""},
		{"", "GET {reseller}/private-labels", "", "200 | X-Request-Id ", ""},
		{"", "POST {reseller}/private-labels", "{}", "400 INVALID_REQUEST | X-Request-Id ", ""},
	}},
	{"§8 Limits", "GET {reseller}/private-labels", "", []row{
		{"wait 15m; 4 times " + exchange, exchange, "", "400 invalid_request | RateLimit-Limit 5, RateLimit-Remaining 0, RateLimit-Reset 900", ""},
		{"wait 15m; 5 times " + exchange, exchange, "", "429 <text> 900 | RateLimit-Limit 5, RateLimit-Remaining 0, X-Request-Id ", ""},
		{"wait 15m; 5 times " + exchange + "; wait 1m", exchange, "", "429 <text> 840", ""},
		{"wait 15m; 5 times " + exchange + "; wait 14m59s", exchange, "", "429 <text> 1", ""},
		{"wait 15m; 5 times " + exchange + "; wait 15m", exchange, "", "400 invalid_request | RateLimit-Remaining 4", ""},
		{"wait 1m; 30 times GET {reseller}/private-labels; 29 times GET /console/dashboard", "", "", "200 | RateLimit-Limit 60, RateLimit-Remaining 0, RateLimit-Reset 60", ""},
		{console60, "", "", "429 <text> 60 | RateLimit-Limit 60, RateLimit-Remaining 0", ""},
		{console60, "POST {reseller}/private-labels", newLabelBody, "429 <text> 60", ""},
		{console60 + "; wait 59500ms", "", "", "429 <text> 1", ""},
		{console60 + "; wait 1m", "", "", "200 | RateLimit-Remaining 59", ""},
		{"wait 1m; 60 times POST {reseller}/private-labels {}", "", "", "429 <text> 60", ""}, // rejected calls count
		{"wait 1m; token; 60 times GET {reseller}/private-labels", "", "", "429 <text> 60", ""},
		{console60, "GET {reseller}/billing/quota", "", "200 | RateLimit-Limit 60, RateLimit-Remaining 59", ""},
		{billing60, "GET {reseller}/billing/quota", "", "429 <text> 60 | RateLimit-Limit 60", ""},
		{billing60, "GET {label}/package", "", "429 <text> 60", ""},
		{billing60, "POST {reseller}/billing/packages/search", `{"query":"","page":1,"pageSize":1}`, "429 <text> 60", ""},
		{billing60, "GET {reseller}/usage", "", `200 {"…":0}`, ""}, // it counts as console
		{billing60 + "; wait 1m", "GET {reseller}/billing/quota", "", `200 {"…":0}`, ""},
		{"wait 1m; 299 times GET /nowhere", "GET /nowhere", "", "404 NOT_FOUND | RateLimit-Limit 300, RateLimit-Remaining 0", ""},
		{total300, "GET /nowhere", "", "429 <text> 60 | RateLimit-Limit 300", ""},
		{total300, "", "", "429 <text> 60 | RateLimit-Limit 300", ""},
		{total300, exchange, "", "429 <text> 60 | RateLimit-Limit 300", ""},
		{total300 + "; wait 1m", "", "", `200 {"…":0}`, ""},
		{"wait 1m; 290 times GET /nowhere", "", "", "200 | RateLimit-Limit 300, RateLimit-Remaining 9", ""},
		{"form limit-headers=own; wait 1m; 290 times GET /nowhere", "", "", "200 | RateLimit-Limit 60, RateLimit-Remaining 59", ""},
		{"form reset=epoch; wait 1m", "", "", "200 | RateLimit-Reset 1792065720", ""},
		{"form reset=epoch-ms; wait 1m", "", "", "200 | RateLimit-Reset 1792065720000", ""},
		{"form reset=date; wait 1m", "", "", "200 | RateLimit-Reset Thu; 15 Oct 2026 12:02:00 GMT", ""},
		{"form reset=date; " + console60, "", "", "429 <text> 60", ""}, // always in seconds
		{"", "POST {label}/package", `{"packageId":"{FREE}"}`, "200 | RateLimit-Limit 20, RateLimit-Remaining 19", "+sign.client.example has FREE"},
		{free, "POST {label}/package/addons", `{"addonId":"{EXTRA}","quantity":1}`, "200 | RateLimit-Limit 20, RateLimit-Remaining 19", "+sign.client.example has 1 EXTRA"},
		{allocations20, "POST {label}/package", `{"packageId":"{FREE}"}`, "429 <text> 60 | RateLimit-Limit 20, RateLimit-Remaining 0", ""},
		{allocations20, "POST {label}/package/addons", `{"addonId":"{EXTRA}","quantity":1}`, "429 <text> 60 | RateLimit-Limit 20", ""},
		{allocations20, "POST {reseller}/private-labels", strings.Replace(newLabelBody, "{", `{"package":{"packageId":"{FREE}"},`, 1), "429 <text> 60 | RateLimit-Limit 20", ""},
		{allocations20, "POST {reseller}/private-labels", newLabelBody, "200", newLabels}, // no allocation
		{allocations20, "DELETE {label}/package", "", "200", "-sign.client.example has FREE"},
		{allocations20 + "; as reseller:packages", "POST {label}/package", `{"packageId":"{FREE}"}`, "429 <text> 60", ""}, // another key of the reseller
		{
			allocations20 + "; another reseller", "POST /console/other.example/reseller/private-labels", strings.Replace(newLabelBody, "{", `{"package":{"packageId":"{FREE}"},`, 1),
			`200 {"package":{"outcome":"Failed","…":0},"…":0} | RateLimit-Limit 20, RateLimit-Remaining 19`, "+email set-password ada@client.example of sign.new.example",
		},
		{allocations20 + "; wait 1m", "POST {label}/package", `{"packageId":"{FREE}"}`, "400 ALREADY_ASSIGNED", ""},
	}},
}
