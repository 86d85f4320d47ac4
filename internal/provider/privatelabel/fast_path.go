package privatelabel

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// FastPath handles private labels that are settled according to their private state. The list shows whether they still
// are.
type FastPath struct{}

func (FastPath) Identity() []string { return []string{"id"} }

func (FastPath) Read(ctx context.Context, run *session.Session, _ *tfprotov6.DynamicValue, mem session.PrivateState) ([]string, bool) {
	if !isSettled(mem) {
		return nil, false
	}
	labels, err := run.Labels(ctx)
	if err != nil {
		return nil, false
	}
	item, ok := labels.ByID(mem.ID)
	return []string{mem.ID}, ok && showsAsRead(mem, item) && mem.Slug == run.Slug(ctx)
}

func (FastPath) Plan(_ context.Context, _ *session.Session, _ *tfprotov6.DynamicValue, mem session.PrivateState) bool {
	return isSettled(mem)
}

// isSettled reports whether a read with this version's schema found the label settled.
func isSettled(m session.PrivateState) bool { return m.Stable && m.Schema == fingerprint() }

// showsAsRead reports whether an item of the list equals the last read of a settled private label.
func showsAsRead(m session.PrivateState, item *client.PrivateLabelSummary) bool {
	custom := ""
	if item.CustomDomain != nil {
		custom = *item.CustomDomain
	}
	return item.Status == client.StatusActive && item.SuspendedAt == nil && item.SuspendedBy == nil &&
		strings.EqualFold(item.PrimaryHost, m.Host) && custom == m.CustomDomain
}
