package session

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
)

// ConflictDiagnostic says what two resources of one plan do to one object, which a sentence calls object.
func ConflictDiagnostic(conflict register.Conflict, claim, other register.Claim, object string) diag.Diagnostic {
	switch conflict {
	case register.Renamed:
		return Renamed(claim.By, other.By, object)
	case register.Kept:
		remover, keeper := claim, other
		if other.Role == register.Removes {
			remover, keeper = other, claim
		}
		return diag.NewErrorDiagnostic(SummaryKeptElsewhere, fmt.Sprintf(keptElsewhere, object, remover.By, keeper.By))
	case register.Disputed:
		return diag.NewErrorDiagnostic(SummaryDisputed, fmt.Sprintf(disputed, object))
	default:
		return diag.NewWarningDiagnostic(SummaryHeldTwice, heldTwice(claim.By, other.By, object))
	}
}

const (
	renamed = "This plan creates or imports %[2]s at one resource address and destroys it at another one, so its resource address changed. Applying both would %[3]s.\n\n" +
		"To keep the object, add a moved block with both addresses, remove an import block of the new address, and plan again:\n\n" +
		"moved {\n  from = %[1]s.OLD\n  to   = %[1]s.NEW\n}\n\n" +
		"An address in a module or with a for_each key is written in full, such as module.clients.%[1]s.NAME[\"key\"]. " + shifted + "\n\n" +
		"If the old resource belongs to another state, use a removed block with destroy = false there instead, and import the object here."
	shifted = "If a count shifted its instances, moved blocks cannot chain them: use for_each with a key for each object, or run terraform state mv for each instance."
	retyped = "This plan creates or imports %[3]s as %[1]s and destroys it as %[2]s. Applying both would %[4]s.\n\n" +
		"Manage one object with one resource. A moved block cannot change the type. To keep the object, use a removed block with destroy = false for the old resource and import the object with the new one; " +
		"to keep it in reseller_members, leave it in the map and add no resource for it."
	keptElsewhere = "This plan removes %[1]s at one resource address (%[2]s), and another one (%[3]s) keeps it.\n\n" +
		"To stop managing it at the first address only, use a removed block with destroy = false there, run terraform state rm, or put the block back, " +
		"set deletion_policy = \"ABANDON\" and apply before you remove it. For a member of reseller_members, leave the member in the map. To remove the object, remove both."
	disputed = "%s: two reseller_members resources list different members. Each apply would remove the members that only the other one lists.\n\n" +
		"List all members in one of them, and remove the other one from state with a removed block and destroy = false, or with terraform state rm. " +
		"To manage some members separately, use reseller_member for each member, and no reseller_members."
	storedElsewhere = "This apply has stored %[1]s at another resource address, so destroying it here would remove what that resource has. It was not destroyed, and stays in state at both addresses.\n\n" +
		"Remove the old address from state with terraform state rm, or with a removed block and destroy = false. Next time, use a moved block."
)

func heldTwice(typeName, other, object string) string {
	const (
		sameType = "Two %[2]s resources manage %[1]s. Each apply can undo what the other one sets, and bill for it again. Removing one removes the object for both."
		types    = "A %[2]s and a %[3]s manage %[1]s. Removing the member from one of them removes and signs out the member for both."
		remedy   = "\n\nKeep one of them. Remove the other one from state with a removed block and destroy = false, or with terraform state rm."
	)
	if typeName == other {
		return fmt.Sprintf(sameType+remedy, object, typeName)
	}
	return fmt.Sprintf(types+remedy, object, typeName, other)
}

// Renamed is the error of an object that one plan creates or imports, and destroys. object names it in a sentence, such as
// "the package of sign.acme.example"; the types of both resources have the provider's prefix.
func Renamed(typeName, other, object string) diag.Diagnostic {
	consequence := "remove what is still configured"
	if isSigningType(typeName) {
		consequence = "repeat what cannot be undone"
	}
	if typeName != other {
		return diag.NewErrorDiagnostic(SummaryRenamed, fmt.Sprintf(retyped, typeName, other, object, consequence))
	}
	return diag.NewErrorDiagnostic(SummaryRenamed, fmt.Sprintf(renamed, typeName, object, consequence))
}

// StoredElsewhere is the error of a destroy of what the same apply has stored at another resource address.
func StoredElsewhere(object string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryStoredElsewhere, fmt.Sprintf(storedElsewhere, object))
}

// NotRestorable warns about a package change that leaves no package if the API rejects the new one.
func NotRestorable(at path.Path, host, code string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(at, SummaryNotRestorable,
		fmt.Sprintf("%s: this plan replaces package %[2]s, which is inactive now, or which this plan deactivates. "+
			"If the API rejects the new package, %[2]s could not be restored, and the private label would have no package. "+
			"To keep a way back, change the package first, and deactivate %[2]s in a later apply.", host, code))
}
