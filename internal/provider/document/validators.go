package document

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

var passcodeForm = regexp.MustCompile(`^[1-9][0-9]{3,7}$`)

var passcodeDigits = &fwtype.StringRule{Accepts: "4 to 8 digits without a leading zero", Secret: true, Check: func(given string) error {
	if passcodeForm.MatchString(given) {
		return nil
	}
	return errors.New(passcodeRule)
}}

var dayMonthYearForm = regexp.MustCompile(`^\d{2}-\d{2}-\d{4}$`)

// dayMonthYear is the form of §8, and a day that exists.
var dayMonthYear = &fwtype.StringRule{Accepts: "a day as dd-mm-yyyy", Check: func(given string) error {
	if _, err := time.Parse("02-01-2006", given); err == nil && dayMonthYearForm.MatchString(given) {
		return nil
	}
	return errors.New("write an existing day as dd-mm-yyyy, such as 31-12-2026")
}}

// signatureContent is the rule of §2.4: a verified signature has the ID of a stored signature, any other one has the
// word Signature.
type signatureContent struct{}

func (signatureContent) Description(context.Context) string {
	return "the content of a Signature depends on is_verified"
}

func (v signatureContent) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (signatureContent) ValidateObject(ctx context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	var a annotationModel
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	resp.Diagnostics.Append(req.ConfigValue.As(ctx, &a, basetypes.ObjectAsOptions{})...)
	if a.Type.ValueString() != signing.AnnotationSignature || a.Content.IsNull() || a.Content.IsUnknown() || a.IsVerified.IsUnknown() {
		return
	}
	at, content := req.Path.AtName("content"), a.Content.ValueString()
	switch {
	case a.IsVerified.ValueBool() && (strings.TrimSpace(content) == "" || content == signing.AnnotationSignature):
		resp.Diagnostics.Append(diagnostic.InvalidValue(at, strconv.Quote(content), storedSignatureNeeded))
	case !a.IsVerified.ValueBool() && content != signing.AnnotationSignature:
		resp.Diagnostics.Append(diagnostic.InvalidValue(at, strconv.Quote(content), signatureWordNeeded))
	}
}

// signersOnce: each email address is in the list of signers once.
type signersOnce struct{}

func (signersOnce) Description(context.Context) string { return "each email address once" }

func (v signersOnce) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (signersOnce) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	first := map[string]int{}
	for i, element := range req.ConfigValue.Elements() {
		signer, _ := element.(types.Object)
		email, _ := signer.Attributes()["email"].(fwtype.Email)
		before, twice := first[email.Normal()]
		switch {
		case email.ValueString() == "": // null or unknown, or rejected by its own rule
		case twice:
			resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path.AtListIndex(i).AtName("email"), strconv.Quote(email.ValueString()),
				sameSigner(req.Path.AtListIndex(before))))
		default:
			first[email.Normal()] = i
		}
	}
}
