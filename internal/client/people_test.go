package client

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

const (
	reqMembers = transporttest.ReqDetail + "/members"
	reqAdd     = "POST /console/reseller.example/reseller/private-labels/" + transporttest.ID + "/users"
	reqRemove  = "DELETE /console/reseller.example/reseller/private-labels/" + transporttest.ID + "/users/" + transporttest.OwnerID
	reqInvite  = "POST /console/reseller.example/reseller/private-labels/" + transporttest.ID + "/users/" + transporttest.OwnerID + "/invite"
	reqPeople  = "POST /console/users/search"
	reqKeys    = "GET /console/reseller.example/reseller/keys"
	reqColors  = "POST /console/tenant/update-colors"

	theMembers = `{"members":[{"id":"` + transporttest.OwnerID + `","firstName":"Olive","lastName":"Owner","email":"` + transporttest.Owner + `","status":"Active","role":"owner","isOwner":true,"createdAt":1}]}`
	theAdded   = `{"status":"created","userID":"` + transporttest.OwnerID + `","created":true}`
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
	c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: reqMembers, Answer: transporttest.OK(strings.Replace(theMembers, `}]}`, `},{"id":"6d3f3e7c-8f0b-4f6e-9a3e-0a4b1c2d3e4f","email":"a@b.example"}]}`, 1))}))
	members, err := c.ListMembers(t.Context(), transporttest.ID)
	require.NoError(t, err, "got %+v", members)
	require.Len(t, members, 2)
	if owner := members[0]; owner.Email != transporttest.Owner || !owner.Administers() || owner.CreatedAt.Time().Format(time.RFC3339) != "1970-01-01T00:00:00Z" {
		t.Errorf("got %+v", owner)
	}
	// An ID is still checked before it becomes part of a path.
	assert.Error(t, c.RemoveMember(t.Context(), transporttest.ID, members[1].ID).Err, "an id of another form was put into a path")
}

func listMembers(ctx context.Context, c *Client) error {
	_, err := c.ListMembers(ctx, transporttest.ID)
	return err
}

func addMember(ctx context.Context, c *Client) error {
	return errors.Unwrap(failure(c.AddMember(ctx, transporttest.ID, bob())))
}

func TestAddMember(t *testing.T) {
	t.Parallel()
	added := `{"status":"added","userID":"` + transporttest.OwnerID + `","created":false}`
	for _, tc := range []struct {
		name          string
		answers       []transporttest.Answer
		created, lost bool
	}{
		{"created", []transporttest.Answer{transporttest.OK(theAdded)}, true, false},
		{"held a seat", []transporttest.Answer{transporttest.OK(added)}, false, false},
		{"first answer lost", []transporttest.Answer{transporttest.Reset, transporttest.OK(added)}, false, true},
		{"server failure first", []transporttest.Answer{transporttest.Reject(http.StatusInternalServerError, CodeInternal), transporttest.OK(theAdded)}, true, true},
		{"limited first", []transporttest.Answer{transporttest.Limited("Retry-After", "3"), transporttest.OK(theAdded)}, true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var steps []transporttest.Step
			for _, a := range tc.answers {
				steps = append(steps, transporttest.Step{Request: reqAdd, Answer: a})
			}
			s := transporttest.Expect(t, steps...)
			c, _ := dial(t, s)
			got, o := c.AddMember(t.Context(), transporttest.ID, bob())
			require.NoError(t, o.Err)
			assert.Equal(t, tc.created, got.Created, "added %+v", got)
			assert.Equal(t, tc.lost, o.ResponseLost, "added %+v", got)
			assert.Equal(t, transporttest.OwnerID, got.UserID, "added %+v", got)
			assert.JSONEq(t, `{"email":"bob@customer.example","firstName":"Bob","lastName":"Byte"}`, s.Body(len(steps)-1))
		})
	}
}

func TestRemoveMember(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, transporttest.Step{Request: reqRemove, Answer: transporttest.Reset}, transporttest.Step{Request: reqRemove, Answer: transporttest.OK(`{"status":"removed"}`)})
	c, _ := dial(t, s)
	assert.NoError(t, c.RemoveMember(t.Context(), transporttest.ID, transporttest.OwnerID).Err)
	c, _ = dial(t, transporttest.Expect(t, transporttest.Step{Request: reqRemove, Answer: transporttest.Reject(http.StatusBadRequest, CodeCannotRemoveOwner)}))
	err := c.RemoveMember(t.Context(), transporttest.ID, transporttest.OwnerID).Err
	assert.True(t, transport.IsCode(err, CodeCannotRemoveOwner), "error %v", err)
	c, _ = dial(t, transporttest.Expect(t))
	err = c.RemoveMember(t.Context(), transporttest.ID, "../keys").Err
	require.Error(t, err)
	assert.True(t, transport.NeverSent(err), "error %v, want one before the call", err)
}

// An invitation is an email, so that it is sent only once in every case.
func TestResendInvite(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		answer transporttest.Answer
		check  func(error) bool
	}{
		{"sent", transporttest.OK(`{"status":"sent"}`), func(err error) bool { return err == nil }},
		{"too frequent", transporttest.Reject(http.StatusTooManyRequests, CodeTooFrequent, "Retry-After", "240"), func(err error) bool {
			var e *transport.Error
			return errors.As(err, &e) && e.Code == CodeTooFrequent && e.RetryAfter == 4*time.Minute
		}},
		{"not sent", transporttest.Reject(http.StatusInternalServerError, CodeInternal), func(err error) bool { return transport.IsCode(err, CodeInternal) && !transport.IsUnknownOutcome(err) }},
		{"lost", transporttest.Reset, transport.IsUnknownOutcome},
		{"cut", transporttest.Truncated, transport.IsUnknownOutcome},
		{"html", transporttest.HTML(http.StatusBadGateway), transport.IsUnknownOutcome},
		{"unknown", transporttest.Reject(http.StatusBadRequest, CodeUserNotFound), func(err error) bool { return transport.IsCode(err, CodeUserNotFound) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, clock := dial(t, transporttest.Expect(t, transporttest.Step{Request: reqInvite, Answer: tc.answer}))
			err := c.ResendInvite(t.Context(), transporttest.ID, transporttest.OwnerID)
			assert.True(t, tc.check(err), "error %v", err)
			assert.Equal(t, time.Duration(0), clock.Slept(), "waited")
		})
	}
}

func TestSearchPeople(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t,
		transporttest.Step{Request: reqPeople, Answer: transporttest.OK(`{"users":[{"id":"` + transporttest.OwnerID + `","email":"` + transporttest.Owner + `","domain":"` + transporttest.Host + `"}]}`)},
		transporttest.Step{Request: reqPeople, Answer: transporttest.OK(`{"users":[]}`)})
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
	c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: reqKeys, Answer: transporttest.OK(`{"keys":[{"id":"k","lastFour":"wxyz","scopes":["reseller:read"],"createdAt":1000,"lastUsedAt":null,"revokedAt":2000}]}`)}))
	keys, err := c.ListAPIKeys(t.Context())
	if err != nil || len(keys) != 1 || keys[0].LastFour != "wxyz" || keys[0].LastUsedAt != nil || keys[0].RevokedAt == nil {
		t.Errorf("keys %+v, error %v", keys, err)
	}
}

func TestUpdateColors(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, transporttest.Step{Request: reqColors, Answer: transporttest.Reset}, transporttest.Step{Request: reqColors, Answer: transporttest.OK(`{"domain":"` + transporttest.Host + `","message":"Updated"}`)})
	c, _ := dial(t, s)
	require.NoError(t, c.UpdateColors(t.Context(), upperHost, Colors{PrimaryForeground: "#fff", AppBarBackground: "#0a0"}).Err)
	assert.JSONEq(t, `{"domain":"`+transporttest.Host+`","colorPrimaryForeground":"#fff","colorAppBarBackground":"#0a0"}`, s.Body(1))
}
