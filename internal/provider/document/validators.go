package document

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

var passcodeForm = regexp.MustCompile(`^[1-9][0-9]{3,7}$`)

var passcodeDigits = &fwtype.StringRule{
	Accepts: "4 to 8 digits without a leading zero", Secret: true, Check: fwtype.Matching(passcodeForm, passcodeRule),
}

const dayForm = "02-01-2006"

// dayMonthYear is the form of §8, and a day that exists.
var dayMonthYear = &fwtype.StringRule{Accepts: "a day as dd-mm-yyyy", Check: func(given string) error {
	if _, err := time.Parse(dayForm, given); err != nil {
		return errors.New("write an existing day as dd-mm-yyyy, such as 31-12-2026")
	}
	return nil
}}

// signerRules are what a signer's own attributes cannot check: an email address that is in the list twice, and what a
// Signature contains.
type signerRules struct{}

func (signerRules) Description(context.Context) string {
	return "the content of a Signature as is_verified requires"
}

func (v signerRules) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (signerRules) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	first := map[string]int{}
	for i, element := range req.ConfigValue.Elements() {
		signer, _ := element.(types.Object)
		email, _ := signer.Attributes()["email"].(fwtype.Email)
		annotations, _ := signer.Attributes()["annotations"].(types.List)
		at := req.Path.AtListIndex(i)
		before, twice := first[email.Normal()]
		switch {
		case email.ValueString() == "": // null or unknown, or rejected by its own rule
		case twice:
			resp.Diagnostics.AddAttributeWarning(at.AtName("email"), SummarySameSigner, sameSigner(email.ValueString(), req.Path.AtListIndex(before)))
		default:
			first[email.Normal()] = i
		}
		for j, annotation := range annotations.Elements() {
			if given, rule := brokenRule(annotation); rule != "" {
				at := at.AtName("annotations").AtListIndex(j).AtName("content")
				resp.Diagnostics.Append(diagnostic.InvalidValue(at, strconv.Quote(given), rule))
			}
		}
	}
}

// brokenRule is that of §2.4: a verified signature has the ID of a stored signature, any other one has the word Signature.
func brokenRule(annotation attr.Value) (given, rule string) {
	object, _ := annotation.(types.Object)
	kind, _ := object.Attributes()["type"].(types.String)
	content, _ := object.Attributes()["content"].(types.String)
	verified, _ := object.Attributes()["is_verified"].(types.Bool)
	given = content.ValueString()
	switch {
	case kind.ValueString() != signing.AnnotationSignature, content.IsNull(), content.IsUnknown(), verified.IsUnknown():
		return "", ""
	case verified.ValueBool() && (strings.TrimSpace(given) == "" || given == signing.AnnotationSignature):
		return given, storedSignatureNeeded
	case !verified.ValueBool() && given != signing.AnnotationSignature:
		return given, signatureWordNeeded
	default:
		return "", ""
	}
}
