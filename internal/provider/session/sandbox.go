package session

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// SandboxSlugSuffix ends the slug of every sandbox. No reseller of the live API can have it.
const SandboxSlugSuffix = ".sandbox.invalid"

// Sandbox distinguishes the sandbox of a session from all others.
type Sandbox struct {
	Slug string // of its reseller; "" outside of a sandbox
	File string // with its data, as it was named; "" for the sandbox of one command
}

// Wrote reports whether an object may have been written with this sandbox.
func (s Sandbox) Wrote(mem PrivateState) bool {
	return mem.Slug == "" || strings.EqualFold(mem.Slug, s.Slug)
}

// Mismatch is the error for an object in state that this sandbox did not write.
func (s Sandbox) Mismatch(typeName string, mem PrivateState) diag.Diagnostic {
	name := typeName + " " + cmp.Or(mem.Host, mem.ID, "without an ID")
	if !isSandboxSlug(mem.Slug) {
		return diag.NewErrorDiagnostic(summaryLiveState,
			fmt.Sprintf("%s was last read as reseller %s of the live API. This run uses a sandbox, which does not have it. The state stays as it is, and nothing was changed.\n\n"+
				"Remove sandbox from the provider block, or unset RESELLER_SANDBOX, to continue with this state. To try the configuration in a sandbox, use another workspace or directory.", name, mem.Slug))
	}
	if s.File == "" {
		return diag.NewErrorDiagnostic(summaryOtherSandbox, otherSandboxText(name, mem.Slug, s.Slug)+
			"The sandbox of ephemeral = true exists for one command only, so no later command can use its state. To keep a sandbox between commands, set path instead of ephemeral. To start over, delete the state, or run terraform state rm.")
	}
	return diag.NewErrorDiagnostic(summaryOtherSandbox, otherSandboxText(name, mem.Slug, s.Slug)+
		fmt.Sprintf("To continue with this state, use the data file that it was written with: this run uses %s. To start over, delete the state together with the data file, use another workspace, or run terraform state rm.", s.File))
}

func otherSandboxText(name, last, now string) string {
	return fmt.Sprintf("This state was written with another sandbox: %s was last read as reseller %s, and this run uses the sandbox of %s, which does not have it. The state stays as it is, and nothing was changed.\n\n", name, last, now)
}

func isSandboxSlug(slug string) bool {
	return strings.HasSuffix(strings.ToLower(slug), SandboxSlugSuffix)
}
