package simulator

import (
	"net/http"
)

// peopleRoutes are those of §4.3 to §4.5 and §4.16 to §4.20. Creating and revoking a key requires no scope, because no
// key may do it (§5.1).
func peopleRoutes() []*route {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	return []*route{
		{method: post, pattern: "/console/users/search", scope: scopeRead, bucket: bucketConsole, flat: true, serve: (*Simulator).searchPeople},
		{method: post, pattern: "/console/users/add", scope: scopeProvision, bucket: bucketConsole, flat: true, serve: (*Simulator).addPerson},
		{method: post, pattern: "/console/users/remove", scope: scopeProvision, bucket: bucketConsole, flat: true, serve: (*Simulator).removePerson},

		{method: post, pattern: ofLabel + "/users", scope: scopeProvision, bucket: bucketConsole, serve: forLabel((*Simulator).addMember)},
		{method: get, pattern: ofLabel + "/members", scope: scopeRead, bucket: bucketConsole, serve: forLabel((*Simulator).listMembers), read: readMembers},
		{
			method: del, pattern: ofLabel + "/users/:userId", scope: scopeProvision, bucket: bucketConsole,
			serve: withoutBody((*Simulator).removeMember), removes: true,
		},
		{method: post, pattern: ofLabel + "/users/:userId/invite", scope: scopeProvision, bucket: bucketConsole, serve: withoutBody((*Simulator).resendInvite)},

		{method: get, pattern: ofReseller + "/keys", scope: scopeRead, bucket: bucketConsole, serve: (*Simulator).listKeys},
		{method: post, pattern: ofReseller + "/keys", bucket: bucketConsole, serve: (*Simulator).needsSession},
		{method: del, pattern: ofReseller + "/keys/:keyId", bucket: bucketConsole, serve: (*Simulator).needsSession},
	}
}
