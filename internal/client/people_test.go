package client

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

const (
	reqMembers = reqDetail + "/members"
	reqAdd     = "POST /console/reseller.example/reseller/private-labels/" + testID + "/users"
	reqRemove  = "DELETE /console/reseller.example/reseller/private-labels/" + testID + "/users/" + ownerID
	reqInvite  = "POST /console/reseller.example/reseller/private-labels/" + testID + "/users/" + ownerID + "/invite"
	reqPeople  = "POST /console/users/search"
	reqKeys    = "GET /console/reseller.example/reseller/keys"
	reqColors  = "POST /console/tenant/update-colors"

	theMembers = `{"members":[{"id":"` + ownerID + `","firstName":"Olive","lastName":"Owner","email":"` + testOwner + `","status":"Active","role":"owner","isOwner":true,"createdAt":1}]}`
	theAdded   = `{"status":"created","userID":"` + ownerID + `","created":true}`
)

func bob() NewMember {
	return NewMember{Email: "bob@customer.example", FirstName: "Bob", LastName: "Byte"}
}

func TestListMembers(t *testing.T) {
	t.Parallel()
	s := serve(t, step{reqMembers, ok(theMembers)})
	c, _ := dial(t, s)
	members, err := c.ListMembers(t.Context(), testID)
	if err != nil {
		t.Fatal(err)
	}
	if len(members) != 1 || members[0].Email != testOwner || !members[0].Administers() || members[0].CreatedAt.RFC3339() != "1970-01-01T00:00:00Z" {
		t.Errorf("members %+v", members)
	}
}

// An answer without its list, or with somebody nameless, is not an empty list.
func TestPeople_AnswersThatLack(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, request, data, want string
		act                       func(context.Context, *Client) error
	}{
		{"members", reqMembers, `{}`, "no members", listMembers},
		{"member", reqMembers, `{"members":[{"email":"a@b.example"}]}`, "members[0].id", listMembers},
		{"added", reqAdd, `{"status":"created"}`, "no userID", addMember},
		{"people", reqPeople, `{}`, "no users", func(ctx context.Context, c *Client) error { _, err := c.SearchPeople(ctx, "", ""); return err }},
		{"keys", reqKeys, `{}`, "no keys", func(ctx context.Context, c *Client) error { _, err := c.ListAPIKeys(ctx); return err }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, serve(t, step{tc.request, ok(tc.data)}))
			if err := tc.act(t.Context(), c); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
		})
	}
}

// One member with an id of another form is no reason to read none.
func TestListMembers_AnyID(t *testing.T) {
	t.Parallel()
	c, _ := dial(t, serve(t, step{reqMembers, ok(`{"members":[{"id":"` + ownerID + `"},{"id":"6d3f3e7c-8f0b-4f6e-9a3e-0a4b1c2d3e4f","email":"a@b.example"}]}`)}))
	members, err := c.ListMembers(t.Context(), testID)
	if err != nil || len(members) != 2 {
		t.Fatalf("got %+v, %v", members, err)
	}
	// What would go into a path is still checked.
	if err := c.RemoveMember(t.Context(), testID, members[1].ID); err == nil {
		t.Error("an id of another form was put into a path")
	}
}

func listMembers(ctx context.Context, c *Client) error {
	_, err := c.ListMembers(ctx, testID)
	return err
}

func addMember(ctx context.Context, c *Client) error {
	_, err := c.AddMember(ctx, testID, bob())
	return err
}

func TestAddMember(t *testing.T) {
	t.Parallel()
	added := `{"status":"added","userID":"` + ownerID + `","created":false}`
	for _, tc := range []struct {
		name          string
		answers       []answer
		created, lost bool
	}{
		{"created", []answer{ok(theAdded)}, true, false},
		{"held a seat", []answer{ok(added)}, false, false},
		{"first answer lost", []answer{reset, ok(added)}, false, true},
		{"server failure first", []answer{refuse(http.StatusInternalServerError, CodeInternal), ok(theAdded)}, true, true},
		{"limited first", []answer{limited("Retry-After", "3"), ok(theAdded)}, true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var steps []step
			for _, a := range tc.answers {
				steps = append(steps, step{reqAdd, a})
			}
			s := serve(t, steps...)
			c, _ := dial(t, s)
			got, err := c.AddMember(t.Context(), testID, bob())
			if err != nil {
				t.Fatal(err)
			}
			if got.Created != tc.created || got.AnswerLost != tc.lost || got.UserID != ownerID {
				t.Errorf("added %+v, want created %t, lost %t", got, tc.created, tc.lost)
			}
			body := mustJSON(t, s.body(len(steps)-1))
			if len(body) != 3 || body["email"] != "bob@customer.example" || body["firstName"] != "Bob" || body["lastName"] != "Byte" {
				t.Errorf("body %v", body)
			}
		})
	}
}

func TestRemoveMember(t *testing.T) {
	t.Parallel()
	s := serve(t, step{reqRemove, reset}, step{reqRemove, ok(`{"status":"removed"}`)})
	c, _ := dial(t, s)
	if err := c.RemoveMember(t.Context(), testID, ownerID); err != nil {
		t.Error(err)
	}
	c, _ = dial(t, serve(t, step{reqRemove, refuse(http.StatusBadRequest, CodeCannotRemoveOwner)}))
	if err := c.RemoveMember(t.Context(), testID, ownerID); !IsCode(err, CodeCannotRemoveOwner) {
		t.Errorf("error %v", err)
	}
	c, _ = dial(t, serve(t))
	if err := c.RemoveMember(t.Context(), testID, "../keys"); err == nil || !NeverSent(err) {
		t.Errorf("error %v, want one before the call", err)
	}
}

// An invite is an e-mail: it is sent once, whatever happens.
func TestResendInvite(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		answer answer
		check  func(error) bool
	}{
		{"sent", ok(`{"status":"sent"}`), func(err error) bool { return err == nil }},
		{"too frequent", refuse(http.StatusTooManyRequests, CodeTooFrequent, "Retry-After", "240"), func(err error) bool {
			var e *Error
			return errors.As(err, &e) && e.Code == CodeTooFrequent && e.RetryAfter == 4*time.Minute
		}},
		{"not sent", refuse(http.StatusInternalServerError, CodeInternal), func(err error) bool { return IsCode(err, CodeInternal) && !IsUnknownOutcome(err) }},
		{"lost", reset, IsUnknownOutcome},
		{"cut", truncated, IsUnknownOutcome},
		{"html", html(http.StatusBadGateway), IsUnknownOutcome},
		{"unknown", refuse(http.StatusBadRequest, CodeUserNotFound), func(err error) bool { return IsCode(err, CodeUserNotFound) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, clock := dial(t, serve(t, step{reqInvite, tc.answer}))
			if err := c.ResendInvite(t.Context(), testID, ownerID); !tc.check(err) {
				t.Errorf("error %v", err)
			}
			if clock.slept() != 0 {
				t.Errorf("waited %s", clock.slept())
			}
		})
	}
}

func TestSearchPeople(t *testing.T) {
	t.Parallel()
	s := serve(t,
		step{reqPeople, ok(`{"users":[{"id":"` + ownerID + `","email":"` + testOwner + `","domain":"` + testHost + `"}]}`)},
		step{reqPeople, ok(`{"users":[]}`)})
	c, _ := dial(t, s)
	people, err := c.SearchPeople(t.Context(), "olive", testHost)
	if err != nil || len(people) != 1 || people[0].Domain != testHost {
		t.Errorf("people %+v, error %v", people, err)
	}
	if body := mustJSON(t, s.body(0)); body["query"] != "olive" || body["domain"] != testHost || len(body) != 2 {
		t.Errorf("body %v", body)
	}
	if people, err = c.SearchPeople(t.Context(), "", ""); err != nil || len(people) != 0 {
		t.Errorf("people %+v, error %v", people, err)
	}
	if body := mustJSON(t, s.body(1)); len(body) != 0 {
		t.Errorf("body %v, want none of the fields", body)
	}
}

func TestListAPIKeys(t *testing.T) {
	t.Parallel()
	c, _ := dial(t, serve(t, step{reqKeys, ok(`{"keys":[{"id":"k","lastFour":"wxyz","scopes":["reseller:read"],"createdAt":1000,"lastUsedAt":null,"revokedAt":2000}]}`)}))
	keys, err := c.ListAPIKeys(t.Context())
	if err != nil || len(keys) != 1 || keys[0].LastFour != "wxyz" || keys[0].LastUsedAt != nil || keys[0].RevokedAt == nil {
		t.Errorf("keys %+v, error %v", keys, err)
	}
}

func TestUpdateColors(t *testing.T) {
	t.Parallel()
	s := serve(t, step{reqColors, reset}, step{reqColors, ok(`{"domain":"` + testHost + `","message":"Updated"}`)})
	c, _ := dial(t, s)
	if err := c.UpdateColors(t.Context(), testHost, Colors{PrimaryForeground: "#fff", AppBarBackground: "#0a0"}); err != nil {
		t.Fatal(err)
	}
	body := mustJSON(t, s.body(1))
	if len(body) != 3 || body["domain"] != testHost || body["colorPrimaryForeground"] != "#fff" || body["colorAppBarBackground"] != "#0a0" {
		t.Errorf("body %v", body)
	}
}
