package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/action"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
)

var _ action.ActionWithConfigure = (*member.ResendInviteAction)(nil)

var _ action.ActionWithConfigure = (*privatelabel.AttachDomainAction)(nil)
