package simulator_test

import (
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
	toSuspended = "-sign.client.example is Active, +sign.client.example is Suspended "
	asActive    = `200 {"tenantId":"{id}","status":"Active","suspendedAt":null,"suspendedBy":null,"suspendReason":null}`
)

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
	}},
	{"§4.2 Dashboard", "GET /console/dashboard", "", []row{
		{"second label; bob", "", "", `200 {"totalDomains":2,"totalUsers":3,"domains":[{"domain":"sign.client.example","companyName":"Client Sign","userCount":2},` +
			`{"domain":"sign.second.example","companyName":"Client Sign","userCount":1}],"isReseller":true,"slug":"partner.example"}`, ""},
		{"DELETE {label}", "", "", `200 {"totalDomains":0,"totalUsers":0,"domains":[],"isReseller":true,"slug":"partner.example"}`, ""},
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
	}},
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
	}},
	{"§4.21 Remove a package", "DELETE {label}/package", "", []row{
		{"assign sign.client.example SMALL; attach sign.client.example EXTRA 1", "", "", `200 {"status":"removed"}`, "-sign.client.example has 1 EXTRA, -sign.client.example has SMALL"},
		{"", "", "", "400 NOT_ASSIGNED", ""},
		{"assign sign.client.example SMALL", "POST {label}/package/remove", "", "404 NOT_FOUND", ""},
		{"form removal=post-path; assign sign.client.example SMALL", "", "", "404 NOT_FOUND", ""},
		{"form removal=post-path; assign sign.client.example SMALL", "POST {label}/package/remove", "", `200 {"…":0}`, "-sign.client.example has SMALL"},
		{"form no-assignment=not-assigned", "GET {label}/package", "", "400 NOT_ASSIGNED", ""},
		{"", "GET {label}/package", "", `200 {"assignment":null}`, ""},
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
	}},
	{"§5.1 Keys are minted in a session", "POST {reseller}/keys", "", []row{
		{"", "", `{"scopes":["reseller:read"]}`, "403 SESSION_REQUIRED", ""},
		{"as reseller:provision", "", "", "403 SESSION_REQUIRED", ""},
		{"", "DELETE {reseller}/keys/{key id}", "", "403 SESSION_REQUIRED", ""},
		{"token", "", "", "401 UNAUTHORIZED", ""},
		{"", "POST /console/other.example/reseller/keys", "", "403 FORBIDDEN", ""},
	}},
	{"§7.1, §9 No endpoint", "GET /nowhere", "", []row{
		{"", "", "", "404 NOT_FOUND", ""},
		{"token", "", "", "404 NOT_FOUND", ""},
		{"", "GET /", "", "404 NOT_FOUND", ""}, // without a token it is a browser (TestPage_IsNoEndpoint)
		{"", "GET /api/v1/reseller/private-labels", "", "404 NOT_FOUND", ""},
		{"token", "POST /api/v1/reseller/packages", "", "404 NOT_FOUND", ""},
		{"", "PUT {reseller}/private-labels", "", "404 NOT_FOUND", ""},
		{"token", "GET /api/v1/auth/token", "", "404 NOT_FOUND", ""},
		{"", "GET {reseller}/private-labels/", "", "404 NOT_FOUND", ""},
		{"token", "GET /v1{reseller}/private-labels", "", "404 NOT_FOUND", ""},
		{"", "GET /console/users/search", "", "404 NOT_FOUND", ""},
		{"", "GET /console/users/add", "", "404 NOT_FOUND", ""},
		{"", "GET /console/users/remove", "", "404 NOT_FOUND", ""},
	}},
}
