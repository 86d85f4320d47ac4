package effect

import "slices"

// Topic is the subject of a notice: a constant summary, so that the CLI folds equal warnings into one block, and the
// kinds of effects that a notice of this topic may announce.
type Topic struct {
	Summary string
	Kinds   []Kind
}

// ForHost returns the topic with the host name in its summary. Only the deprovisioning of a private label uses it:
// what is lost differs for each private label, and folding would hide a loss.
func (t Topic) ForHost(host string) Topic {
	return Topic{Summary: "Deprovisioning " + host + " is permanent", Kinds: t.Kinds}
}

// Announces reports whether a notice of this topic may carry an effect of a kind.
func (t Topic) Announces(k Kind) bool { return slices.Contains(t.Kinds, k) }

// Topics of all resources. Summaries are unique, have at most eight words and no value; a test holds that.
var (
	// All resources with deletion_policy.
	LoweringProtection = Topic{"Deletion protection will be lowered", []Kind{Unprotected}}

	// Private labels.
	Provisioning   = Topic{"Provisioning is permanent and emails the owner", []Kind{Permanent, Email}}
	Deprovisioning = Topic{"Deprovisioning is permanent", []Kind{Destroyed}}
	Suspending     = Topic{"Suspending a private label signs out its members", []Kind{Suspended}}
	SuspendOnly    = Topic{"Private label is suspended and removed from state", []Kind{Suspended, Forgotten}}
	Abandoning     = Topic{"Private label will only be removed from state", []Kind{Forgotten}}
	KeptSuspension = Topic{"Suspension stays and is no longer managed", []Kind{Forgotten}}

	// Catalog items.
	PackageCode     = Topic{"Package code is permanent", []Kind{Permanent}}
	AddonCode       = Topic{"Add-on code is permanent", []Kind{Permanent}}
	DeactivatedCode = Topic{"Deactivated code stays reserved", []Kind{Deactivated}}
	Deactivating    = Topic{"Catalog items cannot be deleted", []Kind{Deactivated, Forgotten}}

	// Assignments.
	Billing          = Topic{"Package is billed for the entire billing period", []Kind{Billed, Excess}}
	ChangingPackage  = Topic{"Changing the package bills both packages", []Kind{Billed, Excess, Removed}}
	ChangingAddons   = Topic{"Changing add-ons bills old and new quantities", []Kind{Billed, Excess, Removed}}
	Unassigning      = Topic{"Removed package stays billed this period", []Kind{Billed, Removed}}
	KeptAssignment   = Topic{"Assignment is only removed from state", []Kind{Forgotten}}
	UnmanagingAddons = Topic{"Add-ons stay attached and are no longer managed", []Kind{Forgotten}}

	// Members.
	AddingMember    = Topic{"Adding a member sends an email", []Kind{Email}}
	RemovingMember  = Topic{"Removed member is signed out immediately", []Kind{Removed}}
	ReplacingMember = Topic{"Member must be replaced", []Kind{Removed}}
	UnknownMembers  = Topic{"Members are known after apply", []Kind{Removed, Email}}
	LeavingMembers  = Topic{"Members stay and are no longer managed", []Kind{Forgotten}}

	// Signing.
	Uploading = Topic{"Document upload cannot be undone", []Kind{Permanent, Email}}
	Signing   = Topic{"Signing cannot be undone", []Kind{Permanent, Email}}
	Minting   = Topic{"Minting is public and permanent", []Kind{Permanent}}
	Leaving   = Topic{"Signing resources are only removed from state", []Kind{Forgotten}}

	// Branding and domain verification.
	KeptBranding     = Topic{"Branding is only removed from state", []Kind{Forgotten}}
	KeptVerification = Topic{"Domain verification is only removed from state", []Kind{Forgotten}}
)

// Topics lists them all.
func Topics() []Topic {
	return []Topic{
		LoweringProtection,
		Provisioning, Deprovisioning, Suspending, SuspendOnly, Abandoning, KeptSuspension,
		PackageCode, AddonCode, DeactivatedCode, Deactivating,
		Billing, ChangingPackage, ChangingAddons, Unassigning, KeptAssignment, UnmanagingAddons,
		AddingMember, RemovingMember, ReplacingMember, UnknownMembers, LeavingMembers,
		Uploading, Signing, Minting, Leaving,
		KeptBranding, KeptVerification,
	}
}
