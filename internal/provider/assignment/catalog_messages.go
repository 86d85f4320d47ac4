package assignment

import (
	"fmt"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

func packageNotFound(id string) string {
	return fmt.Sprintf("the reseller's catalog has no package with ID %s. Nothing was changed. Check package_id, and that the API key belongs to the right reseller.", id)
}

func packageInactive(code string) string {
	return fmt.Sprintf("package %s is inactive, so it cannot be assigned. Nothing was changed. Activate the package, or choose another one.", code)
}

func packageNotRestorable(code string) string {
	return fmt.Sprintf("package %s is inactive, so it could not be assigned again if the API rejected the new package. Nothing was changed. Activate %s and apply, then change the package.", code, code)
}

func addonNotFound(code string) string {
	return fmt.Sprintf("the reseller's catalog has no add-on with code %s. Nothing was changed. Check the code. If this configuration creates the add-on, use (reseller_addon.NAME.code) as the key, or apply the add-on first with -target.", code)
}

func addonInactive(code string) string {
	return fmt.Sprintf("add-on %s is inactive, so it cannot be attached. Nothing was changed. Activate the add-on, or remove it from addons.", code)
}

func otherCurrency(addon, pkg *client.Item) string {
	return fmt.Sprintf("Add-on %s has currency %s, package %s has %s. Nothing was changed. Choose an add-on in the currency of the package.", addon.Code, addon.Currency, pkg.Code, pkg.Currency)
}
