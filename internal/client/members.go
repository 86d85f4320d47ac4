package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Roles of people who hold a seat (§2.8).
const (
	RoleOwner  = "owner"
	RoleAdmin  = "admin"
	RoleMember = "member"
)

// Member holds a seat on a label (§2.8).
type Member struct {
	ID        string  `json:"id"`
	FirstName string  `json:"firstName"`
	LastName  string  `json:"lastName"`
	Email     string  `json:"email"`
	Status    string  `json:"status"`
	Role      string  `json:"role"`
	IsOwner   bool    `json:"isOwner"` // true for every admin, too
	CreatedAt *Millis `json:"createdAt"`
}

// Administers reports whether the service refuses to remove this person (§3.4).
func (m *Member) Administers() bool {
	return m.IsOwner || m.Role == RoleOwner || m.Role == RoleAdmin
}

// NewMember is the body of §4.16.
type NewMember struct {
	Email     string `json:"email"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

// Added is the answer of §4.16.
type Added struct {
	Status  string `json:"status"` // "created" or "added"
	UserID  string `json:"userID"`
	Created bool   `json:"created"`

	// ResponseLost: an earlier try got no answer, so "added" may be its work.
	ResponseLost bool `json:"-"`
}

func (a *Added) missingField() string {
	if !idForm.MatchString(a.UserID) {
		return "userID"
	}
	return ""
}

type membersAnswer struct {
	Members []Member `json:"members"`
}

// A list without members must not be read as one of a label that nobody is on.
func (a *membersAnswer) missingField() string {
	if a.Members == nil {
		return "members"
	}
	for i := range a.Members {
		if a.Members[i].ID == "" {
			return fmt.Sprintf("members[%d].id", i)
		}
	}
	return ""
}

const ofUser = reseller + "/private-labels/:tenantId/users/:userId"

var (
	routeMembers      = route{method: http.MethodGet, path: reseller + "/private-labels/:tenantId/members", retryable: true}
	routeAddMember    = route{method: http.MethodPost, path: reseller + "/private-labels/:tenantId/users", retryable: true}
	routeRemoveMember = route{method: http.MethodDelete, path: ofUser, retryable: true}
	routeInvite       = route{method: http.MethodPost, path: ofUser + "/invite"}
)

func onLabel(tenantID, userID string) map[string]string {
	return map[string]string{"tenantId": tenantID, "userId": userID}
}

// ListMembers lists everybody who holds a seat on a label, owner first, whole
// (§4.17). Its refusals are those of GetPrivateLabel.
func (c *Client) ListMembers(ctx context.Context, tenantID string) ([]Member, error) {
	var out membersAnswer
	if err := c.do(ctx, &request{op: "list the members", route: routeMembers, ids: ofLabel(tenantID)}, &out); err != nil {
		return nil, err
	}
	return out.Members, nil
}

// AddMember seats a person and emails a set-password link (§4.16). A user who
// holds a seat is answered as added, with no email, so the call is repeated
// after a doubtful answer (§7.4). Refusals: SEAT_QUOTA_REACHED, INVALID_EMAIL,
// INVALID_NAME, INVALID_REQUEST.
func (c *Client) AddMember(ctx context.Context, tenantID string, who NewMember) (*Added, error) {
	var out Added
	op := &request{op: "add " + who.Email, route: routeAddMember, ids: ofLabel(tenantID), body: who}
	if err := c.do(ctx, op, &out); err != nil {
		return nil, err
	}
	out.ResponseLost = op.uncertain
	return &out, nil
}

// RemoveMember takes a person's seat away and signs them out (§4.18). A repeat
// succeeds. Refusals: CANNOT_REMOVE_OWNER for the owner and every admin,
// USER_NOT_FOUND.
func (c *Client) RemoveMember(ctx context.Context, tenantID, userID string) error {
	return c.do(ctx, &request{op: "remove the member", route: routeRemoveMember, ids: onLabel(tenantID, userID)}, nil)
}

// Reasons why an outcome is unknown.
const (
	ReasonInvite      transport.Reason = "invite"        // whether an invitation was sent cannot be read
	ReasonMadeByOther transport.Reason = "made by other" // another user has made what was to be made
)

// ResendInvite emails a fresh set-password link (§4.19). It is sent once: a
// repeat would be a second email or 429 TOO_FREQUENT (one per person in five
// minutes, counting the one of adding). A 500 says that no email went out, and
// starts the five minutes too; an answer that was lost is a *transport.UnknownOutcomeError.
func (c *Client) ResendInvite(ctx context.Context, tenantID, userID string) error {
	const op = "send the invite"
	err := c.do(ctx, &request{op: op, route: routeInvite, ids: onLabel(tenantID, userID)}, nil)
	if !transport.MayHaveTakenEffect(err) || transport.IsCode(err, CodeInternal) {
		return err
	}
	return &transport.UnknownOutcomeError{
		Op: op, Subject: "for user " + userID, Reason: ReasonInvite, Err: err,
		Seen: "The response was lost, and the API has no call that shows whether the email was sent.",
	}
}
