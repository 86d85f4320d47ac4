package client

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// The API documentation does not say whether flat endpoints ignore the case of host names. DNS and the list of private labels
// have them in lowercase, and so have the requests.
var upperHost = strings.ToUpper(transporttest.Host)

func bob() NewMember {
	return NewMember{Email: "bob@customer.example", FirstName: "Bob", LastName: "Byte"}
}

// A member ID in another form does not fail the whole list.
func TestListMembers(t *testing.T) {
	t.Parallel()
	c, _ := dial(t, transporttest.Expect(t, `GET {label}/members -> 200 {"members":[`+
		`{"id":"{owner}","firstName":"Olive","lastName":"Owner","email":"{email}","status":"Active","role":"owner","isOwner":true,"createdAt":1},`+
		`{"id":"6d3f3e7c-8f0b-4f6e-9a3e-0a4b1c2d3e4f","email":"a@b.example"}]}`))
	members, err := c.ListMembers(t.Context(), transporttest.ID)
	require.NoError(t, err, "got %+v", members)
	require.Len(t, members, 2)
	if owner := members[0]; owner.Email != transporttest.Owner || !owner.Administers() || owner.CreatedAt.Time().Format(time.RFC3339) != "1970-01-01T00:00:00Z" {
		t.Errorf("got %+v", owner)
	}
	// An ID is still checked before it becomes part of a path.
	assert.Error(t, c.RemoveMember(t.Context(), transporttest.ID, members[1].ID).Err, "an id of another form was put into a path")
}

func TestAddMember(t *testing.T) {
	t.Parallel()
	const script = `
		created: POST {label}/users -> 200 {"status":"created","userID":"{owner}","created":true}
		added: POST {label}/users -> 200 {"status":"added","userID":"{owner}","created":false}
	`
	texttable.Run(t, `
		created              | created                                                  | created | done
		held a seat          | added                                                    | added   | done
		first response lost  | POST {label}/users -> reset; added                       | added   | lost
		server failure first | POST {label}/users -> 500 INTERNAL_SERVER_ERROR; created | created | lost
		limited first        | POST {label}/users -> limited + Retry-After: 3; created  | created | done
	`, func(t *testing.T, row []string) {
		s := transporttest.Expect(t, script+row[1])
		c, _ := dial(t, s)
		got, o := c.AddMember(t.Context(), transporttest.ID, bob())
		wantOutcome(t, row[3], o)
		assert.Equal(t, row[2] == "created", got.Created, "added %+v", got)
		assert.Equal(t, transporttest.OwnerID, got.UserID, "added %+v", got)
		assert.JSONEq(t, `{"email":"bob@customer.example","firstName":"Bob","lastName":"Byte"}`, s.Body(len(s.Calls())-1))
	})
}

func TestRemoveMember(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, `
		DELETE {label}/users/{owner} -> reset
		DELETE {label}/users/{owner} -> 200 {"status":"removed"}
	`)
	c, _ := dial(t, s)
	assert.NoError(t, c.RemoveMember(t.Context(), transporttest.ID, transporttest.OwnerID).Err)
	c, _ = dial(t, transporttest.Expect(t, "DELETE {label}/users/{owner} -> 400 CANNOT_REMOVE_OWNER"))
	err := c.RemoveMember(t.Context(), transporttest.ID, transporttest.OwnerID).Err
	assert.True(t, transport.IsCode(err, CodeCannotRemoveOwner), "error %v", err)
	c, _ = dial(t, transporttest.Expect(t, ""))
	err = c.RemoveMember(t.Context(), transporttest.ID, "../keys").Err
	require.Error(t, err)
	assert.True(t, transport.NeverSent(err), "error %v, want one before the call", err)
}

// An invitation is an email, so that it is sent only once in every case.
func TestResendInvite(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		sent         | 200 {"status":"sent"}               | done
		too frequent | 429 TOO_FREQUENT + Retry-After: 240 | TOO_FREQUENT in 4m0s
		not sent     | 500 INTERNAL_SERVER_ERROR           | INTERNAL_SERVER_ERROR
		lost         | reset                               | doubt: …
		cut          | truncated                           | doubt: …
		html         | 502 page                            | doubt: …
		unknown      | 400 USER_NOT_FOUND                  | USER_NOT_FOUND
	`, func(t *testing.T, row []string) {
		c, clock := dial(t, transporttest.Expect(t, "POST {label}/users/{owner}/invite -> "+row[1]))
		err := c.ResendInvite(t.Context(), transporttest.ID, transporttest.OwnerID)
		got := inWords(transport.Outcome{Err: err})
		if e, answered := errors.AsType[*transport.Error](err); answered && e.RetryAfter > 0 {
			got += " in " + e.RetryAfter.String()
		}
		wantWords(t, row[2], got)
		assert.Zero(t, clock.Slept())
	})
}

func TestSearchPeople(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, `
		POST /console/users/search -> 200 {"users":[{"id":"{owner}","email":"{email}","domain":"{host}"}]}
		POST /console/users/search -> 200 {"users":[]}
	`)
	c, _ := dial(t, s)
	people, err := c.SearchPeople(t.Context(), "olive", upperHost)
	require.NoError(t, err, "people %+v, error", people)
	require.Len(t, people, 1, "people, error")
	assert.Equal(t, transporttest.Host, people[0].Domain, "people %+v, error", people)
	assert.JSONEq(t, `{"query":"olive","domain":"`+transporttest.Host+`"}`, s.Body(0))
	people, err = c.SearchPeople(t.Context(), "", "")
	require.NoError(t, err)
	assert.Empty(t, people)
	assert.JSONEq(t, `{}`, s.Body(1))
}

func TestListAPIKeys(t *testing.T) {
	t.Parallel()
	c, _ := dial(t, transporttest.Expect(t, `GET {reseller}/keys -> 200 {"keys":[{"id":"k","lastFour":"wxyz","scopes":["reseller:read"],"createdAt":1000,"lastUsedAt":null,"revokedAt":2000}]}`))
	keys, err := c.ListAPIKeys(t.Context())
	if err != nil || len(keys) != 1 || keys[0].LastFour != "wxyz" || keys[0].LastUsedAt != nil || keys[0].RevokedAt == nil {
		t.Errorf("keys %+v, error %v", keys, err)
	}
}

func TestUpdateColors(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, `
		POST /console/tenant/update-colors -> reset
		POST /console/tenant/update-colors -> 200 {"domain":"{host}","message":"Updated"}
	`)
	c, _ := dial(t, s)
	require.NoError(t, c.UpdateColors(t.Context(), upperHost, Colors{PrimaryForeground: "#fff", AppBarBackground: "#0a0"}).Err)
	assert.JSONEq(t, `{"domain":"`+transporttest.Host+`","colorPrimaryForeground":"#fff","colorAppBarBackground":"#0a0"}`, s.Body(1))
}
