package member

import (
	"context"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// addPerson makes the API call that adds a member, and records the member if the API created one.
func addPerson(ctx context.Context, s *session.Session, label string, who client.NewMember) (*client.Added, error) {
	done := s.Inventory.BeginMemberWrite(label)
	added, err := s.Client.AddMember(ctx, label, who)
	done()
	if err != nil {
		return nil, err
	}
	if added.Created {
		s.Inventory.RecordMemberAdded(label, client.Member{
			ID: added.UserID, Email: who.Email, FirstName: who.FirstName, LastName: who.LastName, Role: client.RoleMember,
		})
	}
	return added, nil
}

// removePerson makes the API call that removes a member, and records the removal.
func removePerson(ctx context.Context, s *session.Session, label, id string) error {
	done := s.Inventory.BeginMemberWrite(label)
	err := s.Client.RemoveMember(ctx, label, id)
	done()
	if err == nil {
		s.Inventory.RecordMemberRemoved(label, id)
	}
	return err
}
