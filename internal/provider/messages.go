package provider

import "fmt"

const unknownAfterFault = "If the request changes something, the change may have been made. The state was not changed. Plan again to see the result."

const notAnAPIKey = "this is not an API key, such as rsl_live_<key ID>_<secret>, with a key ID of 32 characters"

const ephemeralBesidePath = "ephemeral = true keeps the simulator's data for one command only, so path has no effect. Remove path, or remove ephemeral to keep the data in that file."

const uploadAtBaseURL = "It equals base_url, where the API rejects uploads. Set the base URL for uploads, or remove upload_url if you upload no logos"

const notGenerated = "%s: an import does not carry what its configuration requires, since the API does not return it. Nothing was imported.\n\n" +
	"Write the resource block yourself, with %s as they were sent, beside the import block, and plan without -generate-config-out."

const notMoved = "A moved block cannot turn %s into %s.\n\n" +
	"Remove the moved block. To keep the object, use a removed block with destroy = false for the old resource, and import the object with the new one."

const simulatorBesideCommand = "RESELLER_SIMULATOR selects the simulator, and this command calls the live API. Unset it; to call a simulator, start `simulate` and set the variables that it prints"

func simulatorBesideBlock(attribute string) string {
	return fmt.Sprintf("RESELLER_SIMULATOR selects the simulator, and %s in the provider block selects the live API. Unset RESELLER_SIMULATOR, or remove %s.", attribute, attribute)
}

// What the provider block and the environment lack.
const (
	urlAndKeyMissing = "base_url and api_key are not set.\n\n"
	urlMissing       = "base_url is not set.\n\n"
	keyMissing       = "Neither api_key nor access_token is set.\n\n"

	setURLAndKey     = "Set them in the provider block, or set RESELLER_BASE_URL and RESELLER_API_KEY." + simulatorInstead
	setURL           = "Set it in the provider block, or set RESELLER_BASE_URL." + simulatorInstead
	setKey           = "Set api_key in the provider block, or set RESELLER_API_KEY." + simulatorInstead
	simulatorInstead = " To try a configuration without an account, set simulator = {} in the provider block."
)
