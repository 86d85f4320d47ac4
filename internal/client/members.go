package client

import (
	"context"
	"reflect"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Roles of members (§2.8).
const (
	RoleOwner  = "owner"
	RoleAdmin  = "admin"
	RoleMember = "member"
)

// Member is a member of a label (§2.8).
type Member struct {
	ID        string          `json:"id" required:"true"`
	FirstName string          `json:"firstName,omitempty"`
	LastName  string          `json:"lastName,omitempty"`
	Email     string          `json:"email,omitempty" required:"step"`
	Status    string          `json:"status,omitempty"`
	Role      string          `json:"role,omitempty" required:"step"`
	IsOwner   *bool           `json:"isOwner"` // also true for every admin
	CreatedAt *anyjson.Millis `json:"createdAt"`
}

// Administers reports whether the API rejects removing this member (§3.4).
func (m *Member) Administers() bool {
	return m.IsOwner != nil && *m.IsOwner || m.Role == RoleOwner || m.Role == RoleAdmin
}

// FoldEmail returns one spelling of all email addresses that are equal but for the case of ASCII letters. The API
// documentation does not say how addresses compare: other foldings differ in letters such as the final sigma and the
// dotted capital I, and would take one user for another.
func FoldEmail(address string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, address)
}

// NewMember is the body of §4.16, and the owner of a new private label (§4.9).
type NewMember struct {
	Email     string `json:"email"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

// Added is the response of §4.16.
type Added struct {
	Status  string `json:"status"` // "created" or "added"
	UserID  string `json:"userID" required:"id"`
	Created bool   `json:"created"`
}

const labelUser = privateLabel + "/users/:userId"

var (
	routeMembers      = get("list the members", privateLabel+"/members")
	routeAddMember    = post("add", privateLabel+"/users", repeatable)
	routeRemoveMember = remove("remove the member", labelUser, repeatable)
	routeInvite       = post("send the invite", labelUser+"/invite", sentOnce)
)

// ListMembers returns all members of a private label, the owner first (§4.17). Its error codes are those of
// GetPrivateLabel.
func (c *Client) ListMembers(ctx context.Context, labelID string) ([]Member, error) {
	members, err := fetch(ctx, c, routeMembers.withIDs(labelID), rowsIn[Member]("members"))
	for i := range members {
		if m := &members[i]; m.Role == "" && m.IsOwner != nil && !*m.IsOwner { // an owner's role may also be admin
			m.Role = RoleMember
		}
	}
	return members, err
}

// CheckMembers returns an error that names a field on which adding and removing members depends, and which a list lacks.
func CheckMembers(members []Member) error {
	if missing := missingField(reflect.ValueOf(members), needStep); missing != "" {
		return errLacks(routeMembers, "members"+missing)
	}
	return nil
}

// AddMember adds a member and emails a set-password link (§4.16). For an existing member the API returns the same
// response and sends no email, so that the call is retried if the response is lost (§7.4); then "added" may be the effect
// of the first attempt. Error codes: SEAT_QUOTA_REACHED, INVALID_EMAIL, INVALID_NAME, INVALID_REQUEST.
func (c *Client) AddMember(ctx context.Context, labelID string, who NewMember) (*Added, transport.Outcome) {
	return write(ctx, c, routeAddMember.withIDs(labelID).with(who), who.Email, whole[Added])
}

// RemoveMember removes a member and signs the user out (§4.18). It may be retried. Error codes: CANNOT_REMOVE_OWNER for
// the owner and every admin, USER_NOT_FOUND.
func (c *Client) RemoveMember(ctx context.Context, labelID, userID string) transport.Outcome {
	return writeOnly(ctx, c, routeRemoveMember.withIDs(labelID, userID), "(user ID "+userID+")")
}

// Reasons why an outcome is unknown.
const (
	ReasonInvite      transport.Reason = "invite"        // no endpoint shows whether an invitation was sent
	ReasonMadeByOther transport.Reason = "made by other" // another user created the object
)

// ResendInvite emails a new set-password link (§4.19). It is sent once: a retry would send a second email or return 429
// TOO_FREQUENT (one email for a user in five minutes, including the one of AddMember). A 500 shows that no email was
// sent, and starts the five minutes, too.
func (c *Client) ResendInvite(ctx context.Context, labelID, userID string) error {
	_, err := fetch(ctx, c, routeInvite.withIDs(labelID, userID), ignored)
	if !transport.MayHaveTakenEffect(err) || transport.IsCode(err, CodeInternal) {
		return err
	}
	return &transport.UnknownOutcomeError{
		Op: routeInvite.Op, Subject: "for user " + userID, Reason: ReasonInvite, Err: err,
		Seen: "The response was lost, and the API has no call that shows whether the email was sent.",
	}
}
