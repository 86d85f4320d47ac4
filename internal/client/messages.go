package client

import (
	"fmt"

	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
)

// Texts about an object that another user created or changed, as a read shows it.

const hostTaken = "The first response was lost. On retry, the API reports that the host name is taken, but no list shows a private label with it. Either the first call provisioned it and it does not appear yet, or another reseller has the host name."

func otherOwner(label *PrivateLabel, wanted string) string {
	owner := "unknown"
	if label.Owner != nil {
		owner = label.Owner.Email
	}
	return fmt.Sprintf("The list shows a private label with this host name (ID %s), but its owner is %s, not %s. Another user provisioned it.", label.TenantID, owner, wanted)
}

func otherItem(item *Item) string {
	return fmt.Sprintf("The catalog has the code %s, but with the name %q and the currency %q: another user created it.", item.Code, item.Name, item.Currency)
}

func otherPackage(a *Assignment) string {
	return fmt.Sprintf("The private label has package %s, not the one to assign.", a.PackageCode)
}

func otherQuantity(attached *AttachedAddon, wanted float64) string {
	return fmt.Sprintf("The private label has quantity %s of add-on %s, not %s.", printable.Number(attached.Quantity), attached.Code, printable.Number(wanted))
}

func noItemID(k Kind) string {
	return fmt.Sprintf("the response to POST /billing/%s has no %s that this version can find, and a search does not show the code", k.path, k.id)
}
