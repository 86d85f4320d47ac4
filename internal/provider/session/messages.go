package session

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// NoSuchLabel is the error of an argument that names no private label.
func NoSuchLabel(at path.Path, given, slug string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, SummaryLabelNotFound, notLive(given, slug)+
		"\n\nCheck the spelling, and that the API key belongs to the right reseller. The data source reseller_private_labels lists all private labels.")
}

// NotAmongLabels is the error of an import that names no private label.
func NotAmongLabels(given, slug string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryLabelNotFound, notLive(given, slug)+
		" Nothing was imported.\n\nCheck that the API key belongs to the right reseller. Import by private label ID (32 hex characters) or by host name (such as sign.acme.example).")
}

func notLive(given, slug string) string {
	return fmt.Sprintf("%s is not a live private label of %s. It was deprovisioned, belongs to a different reseller, or is mistyped.", given, cmp.Or(slug, "the reseller"))
}

// GoneText says that the list no longer has a private label that is in state.
func GoneText(host, id string) string {
	return fmt.Sprintf("The reseller's list no longer shows %s: it was deprovisioned, or the platform moved it to a different reseller.", cmp.Or(host, id))
}

// ImportBlock returns an import block with a placeholder for the resource's name, which a provider does not know, and a
// comment after its ID, "" for none.
func ImportBlock(typeName, id, note string) string {
	return importBlock("", typeName, id, note)
}

// ClientImportBlock is that block for what a private label has, with the addresses where a client's file or row declares it.
// inModule is the address in the module of a client.
func ClientImportBlock(typeName, id, host, inModule string) string {
	others := fmt.Sprintf("  # A client's file or row: to = module.portal[%q].%s\n  # A client's block: to = module.NAME.%[2]s\n",
		strings.ToLower(cmp.Or(host, "HOST")), inModule)
	return importBlock(others, typeName, id, "")
}

func importBlock(comments, typeName, id, note string) string {
	quoted := strings.NewReplacer("${", "$${", "%{", "%%{").Replace(strconv.Quote(id))
	return fmt.Sprintf("import {\n%s  to = %s.NAME\n  id = %s%s\n}", comments, typeName, quoted, note)
}

var NotOurHost = diagnostic.Remedy{At: path.Root("domain"), Advice: "The reseller has no live private label with this host name. Check its spelling and the API key. If the same apply provisions the private label, set domain = reseller_private_label.NAME.domain."}

// NotALabel is the remedy for a private_label_id that is not one of the reseller's.
var NotALabel = diagnostic.Remedy{At: path.Root("private_label_id"), Advice: "This is not a private label of the reseller. Check the ID."}

// notShown is the warning of an object that was made a short time ago.
func notShown(o Missing) diag.Diagnostic {
	return diag.NewWarningDiagnostic(SummaryNotShown,
		o.Name+" was created a short time ago, and the API does not show it yet. It stays in state, and nothing was changed. Plan again in a few minutes.")
}

func resellerMismatch(o Missing, slug string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryOtherReseller,
		fmt.Sprintf("%s was last read as reseller %s, and this API key acts for %s, which does not have it. The state was not changed.\n\n"+
			"Use an API key of %s. If the object no longer exists there, run terraform state rm.", o.Name, o.LastSlug, slug, o.LastSlug))
}

func unknownReseller(o Missing, slug string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryUnknownReseller,
		fmt.Sprintf("%s is not found under reseller %s, and its state does not say under which reseller it was last read. The state was not changed.\n\n"+
			"Check that the API key is of the reseller that the object belongs to. If the object no longer exists, run terraform state rm.", o.Name, slug))
}

func liveState(typeName, last string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryLiveState,
		fmt.Sprintf("This %s was last read or written with %s.\n\n"+
			"This run uses the simulator. To continue with this state, remove simulator from the provider block, or unset RESELLER_SIMULATOR. To try the configuration in the simulator, use a different workspace or directory.", typeName, last))
}

const liveSigning = "the live Signing API"

func liveSigningState(typeName, address string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryLiveState,
		fmt.Sprintf("This %s was last read or written with %s.\n\n"+
			"This run uses the Signing API at %s. To continue with this state, set signing.url to the live address, or RESELLER_SIGNING_URL. To try the configuration at %[3]s, use a different workspace or directory.", typeName, liveSigning, address))
}

// otherSigning is the error of an object that a simulator has.
func otherSigning(typeName, stored, now string) diag.Diagnostic {
	remedy := fmt.Sprintf("set signing.url to %s, or RESELLER_SIGNING_URL, where simulate serves the data file that it was written with", stored)
	if isSimulatorSlug(stored) {
		remedy = "set simulator in the provider block, with the data file that it was written with"
	}
	return diag.NewErrorDiagnostic(SummaryOtherSimulator, diagnostic.JoinParagraphs(writtenElsewhere(typeName, now),
		"To continue with this state, "+remedy+". To use a different service, use a different state, or run terraform state rm."))
}

// simulatorState is the error of a run without the provider's own simulator.
func simulatorState(typeName, now string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryOtherSimulator, diagnostic.JoinParagraphs(writtenElsewhere(typeName, now),
		"To continue with this state, set simulator in the provider block, or start simulate, with the data file that it was written with. To use the live API, use a different state, or run terraform state rm."))
}

func (s *Session) otherSimulator(typeName string) diag.Diagnostic {
	now := "the simulator of this command"
	remedy := otherCommand
	if s.Simulator.File != "" {
		now = s.Simulator.File
		remedy = otherFile
	}
	return diag.NewErrorDiagnostic(SummaryOtherSimulator, diagnostic.JoinParagraphs(writtenElsewhere(typeName, now), remedy))
}

const (
	otherCommand = "The simulator of ephemeral = true exists for one command only. To keep the data between commands, set path instead of ephemeral. To start over, delete the state, or run terraform state rm."
	otherFile    = "To continue with this state, restore the data file that it was written with. To start over, delete the state together with the data file, use another workspace, or run terraform state rm."
)

func writtenElsewhere(typeName, now string) string {
	return fmt.Sprintf("This %s belongs to other simulator data than %s", typeName, now)
}

// NotReady is the error of a request that needs the Reseller API without usable settings.
func (s *Session) NotReady() diag.Diagnostic {
	if s == nil {
		return unknownConfig(nil, "no API call can be made")
	}
	return unknownConfig(s.Pending, "no API call can be made")
}

func unknownConfig(settings path.Paths, consequence string) diag.Diagnostic {
	names := []string{}
	for _, p := range settings {
		names = append(names, p.String())
	}
	return diag.NewErrorDiagnostic(summaryUnknownConfig, fmt.Sprintf(
		"The provider block uses values known after apply (%s), so %s. Apply their source first with -target, or use variables.", strings.Join(names, ", "), consequence))
}

// CannotSign is the error of a request that needs the Signing API without usable settings.
func (s *Session) CannotSign() diag.Diagnostic {
	switch {
	case s == nil || len(s.Pending) > 0:
		return s.NotReady()
	case len(s.signingPending) > 0:
		return unknownConfig(s.signingPending, "the Signing API cannot be called")
	case s.signingProblem != nil:
		return diag.NewErrorDiagnostic(SummarySigningInvalid, diagnostic.JoinParagraphs(diagnostic.Capitalize(s.signingProblem.Error()), signingSettings))
	default:
		return diag.NewErrorDiagnostic(summarySigningMissing,
			diagnostic.JoinParagraphs(fmt.Sprintf("The configuration needs the Signing API. Missing: %s.", strings.Join(s.signingMissing, " and ")), signingSettings))
	}
}

const signingSettings = "Set signing = { url = \"https://…\", user_api_key = … } in the provider block, or set RESELLER_SIGNING_URL and RESELLER_SIGNING_API_KEY. The user API key is on the user's profile page. The simulator (simulator = {}) needs neither."

func invalidImportID(given string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryImportID, fmt.Sprintf("%q is neither a private label ID nor a host name. Nothing was imported. "+
		"Import by private label ID (32 hex characters, such as 0123456789abcdef0123456789abcdef) or by host name (such as sign.acme.example), without scheme or path.", given))
}
