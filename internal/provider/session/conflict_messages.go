package session

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
)

// ConflictDiagnostic says what two resources of one plan do to one object, which a sentence calls object.
func ConflictDiagnostic(conflict register.Conflict, claim, other register.Claim, object string) diag.Diagnostic {
	switch conflict {
	case register.Renamed:
		if claim.Destroys() {
			return renamedBetween(claim, other, object)
		}
		return renamedBetween(other, claim, object)
	case register.Kept:
		remover := claim
		keeper := other
		if other.Role == register.Removes {
			remover = other
			keeper = claim
		}
		return diag.NewErrorDiagnostic(SummaryKeptElsewhere, fmt.Sprintf(keptElsewhere, object, remover.By, keeper.By))
	case register.Disputed:
		return diag.NewErrorDiagnostic(SummaryDisputed, fmt.Sprintf(disputed, object))
	default:
		return diag.NewWarningDiagnostic(SummaryHeldTwice, heldTwice(claim, other, object))
	}
}

const (
	renamed = "This plan destroys %[1]s at one resource address and creates or imports it at another.\n\n" +
		"To keep it, add a moved block with both addresses, not an import block:\n\n" +
		"%[2]s\n\n" +
		// No block can name a deposed object, and terraform state rm drops it with the current one.
		"For a shifted count, use for_each or terraform state mv. For a deposed object, use terraform state rm, then import the resource's current object."
	// Of a member and a set that has, or wants, the same member.
	leavesSet = "This plan drops %[1]s from the map of reseller_members, and %[2]s the member as reseller_member.\n\n" +
		"Leave the member in the map, and delete the reseller_member block. To manage single members instead, " +
		"delete the reseller_members block, which removes nobody, and add a reseller_member for each member."
	entersSet = "This plan destroys %[1]s as reseller_member, and %[2]s the member with the map of reseller_members.\n\n" +
		"A moved block cannot change the type. To keep the member, use a removed block with destroy = false for the reseller_member. " +
		"The set then adopts the member without an email."
	keptElsewhere = "This plan removes %[1]s (%[2]s), which a %[3]s keeps.\n\n" +
		"To keep it, remove the former with a removed block and destroy = false, with terraform state rm, or with deletion_policy = \"ABANDON\". " +
		"In reseller_members, leave the member in the map. To remove the object, remove both."
	disputed = "%s: two reseller_members resources list different members, and each apply would remove those of the other.\n\n" +
		"List all members in one of them, and remove the other one from state with a removed block and destroy = false, or with terraform state rm. " +
		"To manage single members, use reseller_member instead."
	storedElsewhere = "This apply has stored %[1]s at another resource address, so destroying it here would remove what that resource has. It was not destroyed, and stays in state at both addresses.\n\n" +
		"Remove the old address from state with terraform state rm, or with a removed block and destroy = false. Next time, use a moved block."
)

func heldTwice(claim, other register.Claim, object string) string {
	const (
		sameType = "Two %[2]s resources manage %[1]s: each can undo or remove what the other one sets."
		types    = "A %[2]s and a %[3]s manage %[1]s. Removing the member from one removes it for both."
		inState  = " Remove one of them from state with a removed block and destroy = false."
		bothNew  = " Delete one of the two blocks."
	)
	remedy := inState
	if claim.Role != register.Keeps && other.Role != register.Keeps {
		remedy = bothNew
	}
	if claim.By == other.By {
		return fmt.Sprintf(sameType+remedy, object, claim.By)
	}
	return fmt.Sprintf(types+remedy, object, claim.By, other.By)
}

// inClientModule are the types that the module of a client has.
var inClientModule = []string{
	"reseller_private_label", "reseller_assignment", "reseller_member", "reseller_members", "reseller_branding", "reseller_domain_verification",
}

// renamedBetween is the error of an object that one resource destroys or drops, and another one creates or imports.
func renamedBetween(gone, taker register.Claim, object string) diag.Diagnostic {
	creates := "creates"
	if taker.Role == register.Imports {
		creates = "imports"
	}
	switch {
	case gone.Called != "" && taker.Called != "":
		return diag.NewErrorDiagnostic(SummaryDisputed, fmt.Sprintf(disputed, object))
	case gone.Called != "":
		return diag.NewErrorDiagnostic(SummaryRenamed, fmt.Sprintf(leavesSet, object, creates))
	case taker.Called != "":
		return diag.NewErrorDiagnostic(SummaryRenamed, fmt.Sprintf(entersSet, object, creates))
	default:
		return Renamed(gone.By, object)
	}
}

// Renamed is the error of an object that one plan creates or imports, and destroys. object names it in a sentence, such as
// "the package of sign.acme.example"; the type of both resources has the provider's prefix.
func Renamed(typeName, object string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryRenamed, fmt.Sprintf(renamed, object, movedBlock(typeName)))
}

// ExistsInState ends the error of a create of an object that this plan has found in state, probably at its address before a
// rename. It is "" for other objects.
func (s *Session) ExistsInState(objectType, id string) string {
	if !s.Register.InState(register.Object{Type: objectType, ID: id}) {
		return ""
	}
	return " and is in this state.\n\nIf you renamed the resource, add a moved block:\n\n" + movedBlock("reseller_"+objectType) +
		"\n\nIf it is tainted, run terraform untaint. Otherwise, keep one of the two resources."
}

func movedBlock(typeName string) string {
	ofClient := ""
	if slices.Contains(inClientModule, typeName) {
		ofClient = "  # A client's block: from = module.OLD_NAME, to = module.NEW_NAME\n"
	}
	return fmt.Sprintf("moved {\n%[2]s  from = %[1]s.OLD_NAME\n  to   = %[1]s.NEW_NAME\n}", typeName, ofClient)
}

// StoredElsewhere is the error of a destroy of what the same apply has stored at another resource address.
func StoredElsewhere(object string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryStoredElsewhere, fmt.Sprintf(storedElsewhere, object))
}

// NotRestorable warns about a package change that leaves no package if the API rejects the new one.
func NotRestorable(at path.Path, host, code string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(at, SummaryNotRestorable,
		fmt.Sprintf("%s: this plan replaces package %[2]s, which is deactivated, or which this plan deactivates. "+
			"If the API rejects the new package, %[2]s could not be restored. Deactivate %[2]s in a later apply.", host, code))
}
