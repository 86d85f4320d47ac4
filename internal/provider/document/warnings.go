package document

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/onetime"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

const (
	summaryUpload        = "Error uploading document"
	SummaryUploadUnknown = "Document upload outcome unknown"
	summarySign          = "Error signing document"
	SummarySignUnknown   = "Document signing outcome unknown"
	summaryMint          = "Error minting document"
	SummaryMintUnknown   = "Document minting outcome unknown"

	summaryListSent       = "Error listing sent documents"
	summaryListSignatures = "Error listing signatures"
	summaryRead           = "Error reading document"

	SummaryAdopted        = "Result of an earlier run adopted"
	SummaryChangeLater    = "Change would be rejected at apply"
	summaryFileChanged    = "Sent file has changed"
	SummaryFileGone       = "Sent file no longer exists"
	summaryFileUnreadable = "Sent file cannot be compared"
	SummaryImportID       = "Invalid ID of a document or asset"
	SummaryInProgress     = "Operation is already in progress"
	SummaryLogEntry       = "Reading a document adds a log entry"
	SummaryNoMarker       = "Operation marker cannot be created"
	summaryNotReplaceable = "Signing resources cannot be replaced"
	SummarySameSigner     = "Email address of two signers"
	SummaryOverdue        = "Due date has passed"
	SummaryRecorded       = "Configured values are recorded without comparison"
	summaryUnnamedAsset   = "Minted asset has no ID"
)

// What plans announce.
var (
	TopicUploading = effect.NewTopic("Document upload cannot be undone", effect.Permanent, effect.Email)
	TopicSigning   = effect.NewTopic("Signing cannot be undone", effect.Permanent, effect.Email)
	TopicMinting   = effect.NewTopic("Minting is public and permanent", effect.Permanent)
	TopicLeaving   = effect.NewTopic("Signing resources are only removed from state", effect.Forgotten)
)

var (
	uploaded  = effect.Permanent.Event("document uploaded")
	signed    = effect.Permanent.Event("document signed")
	minted    = effect.Permanent.Event("document minted")
	linked    = effect.Email.Event("link to sign a document")
	completed = effect.Email.Event("completed document")
	forwarded = effect.Email.Event("completed document, or a link to further signers")

	leftBehind = effect.Forgotten.Event("removed from state only")
)

// left announces that a destroy leaves what was sent.
func left(subject types.String, act, stays string) effect.Warning {
	return effect.Warning{
		Topic:   TopicLeaving,
		Detail:  "The API cannot undo " + act + ". " + stays,
		Effects: []effect.Effect{{Event: leftBehind, Name: effect.Text(subject)}},
	}
}

// operation is a one-time operation: what is sent, and how messages name it.
type operation struct {
	imported  bool                  // the state has only what an import sets, and not what was sent
	plannedID types.String          // in the plan of a create
	importAs  map[string]attr.Value // what an import of the ID sets besides the ID
	content   []attr.Value          // what is sent, except for secrets: of a file its hash, not its path
	files     []sentFile
	due       types.String // day by which to sign

	created, left effect.Warning // what a create and a destroy announce

	name           string                       // the document "Terms"
	verb           string                       // uploaded
	summary        string                       // of a failed call
	summaryUnknown string                       // of a call whose outcome is unknown
	unchanged      string                       // what a failed call did not do
	remedies       map[string]diagnostic.Remedy // by the API's error code
	reason         string                       // why it is not repeated, in sentences
	another        string                       // how to send another one
	typeName       string                       // "reseller_document"
	importID       string                       // in an import block; a placeholder if the ID is unknown
	attempt        int64

	secret            string       // attribute whose value is never shown; "" for none
	stored, writeOnly types.String // its value, and that of its write-only twin, which only a configuration has
}

// configuredSecret returns the secret of a configuration, in either attribute; null for none.
func (d operation) configuredSecret() types.String {
	if d.stored.IsNull() {
		return d.writeOnly
	}
	return d.stored
}

func (d operation) removalHint() string {
	return fmt.Sprintf("%s To stop managing this one, remove the resource.", d.another)
}

// change rejects a change of a value, and warns about one that is known after apply.
func (d operation) change(c change, isSecret bool) diag.Diagnostic {
	change := fmt.Sprintf(" from %s to %s", shown(c.was), shown(c.planned))
	if isSecret {
		change = ""
	}
	if !c.planned.IsKnown() {
		return diag.NewAttributeWarningDiagnostic(c.at, SummaryChangeLater,
			fmt.Sprintf("%s of %s is known after apply. If it changes, the apply fails and sends nothing. %s", c.at, d.name, session.DeferredHint))
	}
	return diag.NewAttributeErrorDiagnostic(c.at, session.SummaryImmutable,
		fmt.Sprintf("%s of %s cannot change%s. %s\n\nRestore the former value. %s", c.at, d.name, change, d.reason, d.another))
}

// cannotReplace rejects the second half of a replacement.
func (d operation) cannotReplace() diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryNotReplaceable,
		fmt.Sprintf("%s cannot be replaced. %s\n\nIf the resource is tainted, run terraform untaint. If you used -replace, run the plan without -replace. %s", diagnostic.Capitalize(d.name), d.reason, d.removalHint()))
}

// recorded warns about the plan that follows an import.
func (d operation) recorded() diag.Diagnostic {
	return diag.NewWarningDiagnostic(SummaryRecorded,
		fmt.Sprintf("%s was imported by its ID. The configured values are recorded in state, are immutable from then on, and are not compared with what was sent; no API call is made.", diagnostic.Capitalize(d.name)))
}

// overdue warns about a day to sign by that has passed everywhere.
func (d operation) overdue(now time.Time) diag.Diagnostics {
	due, err := time.Parse(dayForm, d.due.ValueString())
	const longest = 36 * time.Hour // until a day ends that begins at midnight in UTC
	if err != nil || now.Before(due.Add(longest)) {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(path.Root("due_date"), SummaryOverdue,
		fmt.Sprintf("%s is due on %s, a day that has passed. The date is sent as configured, and cannot be changed after the upload. Check the day and the month.", diagnostic.Capitalize(d.name), d.due.ValueString()))}
}

func (d operation) fileGone(at path.Path, name string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(at, SummaryFileGone,
		fmt.Sprintf("%s: file %s no longer exists, so it cannot be compared with what was sent. It is treated as unchanged, because nothing is sent again.", diagnostic.Capitalize(d.name), name))
}

func (d operation) fileUnreadable(at path.Path, was, problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, summaryFileUnreadable,
		fmt.Sprintf("%s: the file cannot be compared with what was sent. %s. Restore %s to %s.", diagnostic.Capitalize(d.name), problem, at, was))
}

func (d operation) fileChanged(at path.Path, name, sum string) diag.Diagnostic {
	if _, err := hex.DecodeString(sum); err != nil {
		name += " (" + sum + ")" // too large for a hash
	}
	return diag.NewAttributeErrorDiagnostic(at, summaryFileChanged,
		fmt.Sprintf("%s of %s is not the file that was sent. %s\n\nRestore the old file. %s", name, d.name, d.reason, d.another))
}

// failed converts an error of the operation's API call to a diagnostic.
func (d operation) failed(err error) diag.Diagnostic {
	if busy, ok := errors.AsType[*onetime.InProgressError](err); ok {
		return d.inProgress(busy)
	}
	if marker, ok := errors.AsType[*onetime.MarkerError](err); ok {
		return d.noMarker(marker)
	}
	f := diagnostic.APIFailure{
		Summary: d.summary, Failed: fmt.Sprintf("%s was not %s", diagnostic.Capitalize(d.name), d.verb), Unchanged: d.unchanged, Remedies: d.remedies,
	}
	failure := f.Diagnostic(err)
	if !transport.IsUnknownOutcome(err) {
		return failure
	}
	settle := d.settle(err)
	// A long message of the API is cut, so that the import blocks stay complete.
	cause := diagnostic.ShownText(failure.Detail(), diagnostic.MaxDetail-utf8.RuneCountInString(settle))
	return diag.NewErrorDiagnostic(d.summaryUnknown, cause+settle)
}

// at is the attribute that a code is about. Its advice is that of the code.
func at(attribute string) diagnostic.Remedy {
	return diagnostic.Remedy{At: path.Root(attribute)}
}

// settle says how to settle an operation whose outcome is unknown, with an import block for each candidate.
func (d operation) settle(err error) string {
	unknown, ok := errors.AsType[*signing.UnknownUploadError](err)
	if !ok || len(unknown.Candidates) == 0 {
		return fmt.Sprintf("\n\nNothing is in state. %s. If it was %s, import it; if not, set attempt = %d. Until then nothing is sent.\n\n%s",
			whereToLook[d.typeName], d.verb, d.attempt+1, session.ImportBlock(d.typeName, d.importID, ""))
	}
	text := fmt.Sprintf("\n\nNothing is in state. %s. If one of these is it, import it; if none is, set attempt = %d. Until then nothing is sent.", whereToLook[d.typeName], d.attempt+1)
	more := unknown.More
	for _, c := range unknown.Candidates {
		block := "\n\n" + session.ImportBlock(d.typeName, c.ID, candidateNote(c))
		if utf8.RuneCountInString(text+block) > maxSettle {
			more++
			continue
		}
		text += block
	}
	if more > 0 {
		text += fmt.Sprintf("\n\nThe list has %d more that could be it.", more)
	}
	return text
}

// whereToLook for the result of an operation whose outcome is unknown.
var whereToLook = map[string]string{
	"reseller_document":         "Look for it among the sent documents",
	"reseller_document_signing": "Look at the document in the web application",
	"reseller_minted_document":  "Look for the asset in the account",
}

// maxSettle limits the import blocks, so that the cause of the error stays readable.
const maxSettle = 1500

func candidateNote(c signing.Candidate) string {
	note := " # time unknown"
	if !c.SentAt.IsZero() {
		note = " # sent at " + c.SentAt.UTC().Format(time.RFC3339)
	}
	if c.SameFile {
		note += ", with the checksum of the file"
	}
	return note
}

func invalidImportID(given string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryImportID, fmt.Sprintf("%s cannot be the ID of a document or an asset. Nothing was imported. "+
		"Import reseller_document and reseller_document_signing by document ID, and reseller_minted_document by asset ID: 1 to 128 characters, without slashes, control characters and white space at either end.", strconv.Quote(given)))
}

func (d operation) inProgress(busy *onetime.InProgressError) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryInProgress,
		fmt.Sprintf("%s was not %s by this resource. Nothing was sent, and nothing is in state. Another run or another resource started the same operation at %s and has locked its marker:\n\n  %s\n\n"+
			"Wait until it ends, then plan again: an apply after a success sends it a second time. If two resources configure the same by mistake, keep one of them.",
			diagnostic.Capitalize(d.name), d.verb, busy.StartedAt.UTC().Format(time.RFC3339), busy.Path))
}

func (d operation) noMarker(marker *onetime.MarkerError) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryNoMarker,
		fmt.Sprintf("%s was not %s: no operation marker can be created (%s), without which the call could be sent twice. Nothing was sent, and nothing is in state.\n\n"+
			"Set operations_dir in the provider block, or RESELLER_OPERATIONS_DIR, to a directory that only you can write, on a disk with free space.",
			diagnostic.Capitalize(d.name), d.verb, strings.Join(strings.Fields(marker.Error()), " ")))
}

// adopted warns about the result of an earlier run, which its operation marker has.
func (d operation) adopted(id string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(SummaryAdopted,
		fmt.Sprintf("%s was %s once (ID %s) by an earlier run, which Terraform did not save. It is in state now, and this run sent nothing.", diagnostic.Capitalize(d.name), d.verb, id))
}

// titled names an object by its title, also if that is unknown.
func titled(what string, title types.String, unknown string) string {
	if title.IsNull() || title.IsUnknown() {
		return what + unknown
	}
	return fmt.Sprintf("%s %q", what, title.ValueString())
}

const unknownName = " (name known after apply)"

func addsLogEntry(id, title string) string {
	return fmt.Sprintf("Each read of %s (%q), in every plan and apply, is recorded in its log as a view by the API key's user. Remove the data source when you no longer need it.", id, title)
}

func unnamedAsset(name string, response json.RawMessage) string {
	return fmt.Sprintf("%s was minted once, but the response has no asset ID or transaction ID that this version can find: %s. It is in state with the hash of its file as ID.", diagnostic.Capitalize(name), response)
}

// What is wrong with a value of the configuration.

const (
	passcodeRule          = "a passcode has 4 to 8 digits and nothing else. It is a number for the API, so that it does not begin with 0"
	storedSignatureNeeded = "with is_verified = true, set the ID of a stored signature (the name of an image file, from the data source reseller_signatures). To let the signer sign, set is_verified = false"
	signatureWordNeeded   = "with is_verified = false, the signer signs here: set the word Signature. If the value is the ID of a stored signature, set is_verified = true"
)

func sameSigner(email string, other path.Path) string {
	return fmt.Sprintf("%q is also the email address of %s, compared without case. The API documentation does not say whether a signer may sign twice. "+
		"To sign once, put all annotations of the signer into one element.", email, other)
}
