package document

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// passcodeDigits is a rule of its own since the stock one would show the value.
type passcodeDigits struct{}

var passcodeForm = regexp.MustCompile(`^[0-9]{4,8}$`)

func (passcodeDigits) Description(context.Context) string { return "4 to 8 digits" }

func (v passcodeDigits) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (passcodeDigits) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || passcodeForm.MatchString(req.ConfigValue.ValueString()) {
		return
	}
	resp.Diagnostics.AddAttributeError(req.Path, "Not a valid passcode", "A passcode has 4 to 8 digits and nothing else. Write it as a text (in quotes), so that leading zeros stay.")
}

// dayMonthYear is the form of §8, and a day that there is.
type dayMonthYear struct{}

var dayMonthYearForm = regexp.MustCompile(`^\d{2}-\d{2}-\d{4}$`)

func (dayMonthYear) Description(context.Context) string { return "a day as dd-mm-yyyy" }

func (v dayMonthYear) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (dayMonthYear) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	given := req.ConfigValue.ValueString()
	if _, err := time.Parse("02-01-2006", given); err != nil || !dayMonthYearForm.MatchString(given) {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a valid day", fmt.Sprintf("%q: write a day that there is as dd-mm-yyyy, such as 31-12-2026.", given))
	}
}

// signatureContent is §2.4: a signature that is verified names a stored one,
// one that is not has the word Signature.
type signatureContent struct{}

func (signatureContent) Description(context.Context) string {
	return "the content of a Signature goes by is_verified"
}

func (v signatureContent) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (signatureContent) ValidateObject(ctx context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	var a annotationModel
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	resp.Diagnostics.Append(asObject(ctx, req.ConfigValue, &a)...)
	if a.Type.ValueString() != signing.AnnotationSignature || a.Content.IsNull() || a.Content.IsUnknown() || a.IsVerified.IsUnknown() {
		return
	}
	at, content := req.Path.AtName("content"), a.Content.ValueString()
	switch {
	case a.IsVerified.ValueBool() && (strings.TrimSpace(content) == "" || content == signing.AnnotationSignature):
		resp.Diagnostics.AddAttributeError(at, "A verified signature without a signature",
			fmt.Sprintf("is_verified is true, so content has to be the id of a stored signature (the name of an image file, from the data source reseller_signatures); it is %q. To let the signer sign, set is_verified = false.", content))
	case !a.IsVerified.ValueBool() && content != signing.AnnotationSignature:
		resp.Diagnostics.AddAttributeError(at, "A signature that is not verified has the content Signature",
			fmt.Sprintf("is_verified is false, so the signer is to sign here, and content has to be the word Signature; it is %q. If it is the id of a stored signature, set is_verified = true.", content))
	}
}

// signersOnce: a person stands among the signers once.
type signersOnce struct{}

func (signersOnce) Description(context.Context) string { return "each address once" }

func (v signersOnce) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (signersOnce) ValidateList(ctx context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	var k fwtype.EmailKind
	first := map[string]int{}
	for i, element := range req.ConfigValue.Elements() {
		object, ok := element.(types.Object)
		if !ok || object.IsNull() || object.IsUnknown() {
			continue
		}
		var s signerModel
		resp.Diagnostics.Append(asObject(ctx, object, &s)...)
		if s.Email.IsNull() || s.Email.IsUnknown() {
			continue
		}
		name := k.Normal(s.Email.ValueString())
		if before, twice := first[name]; twice {
			resp.Diagnostics.AddAttributeError(req.Path.AtListIndex(i).AtName("email"), "The same signer twice",
				fmt.Sprintf("%s is %s already (addresses are compared without case). Put all annotations of a person into one signer.", s.Email.ValueString(), req.Path.AtListIndex(before)))
			continue
		}
		first[name] = i
	}
}

// asObject reads an object; what is null or unknown in it stays so.
func asObject(ctx context.Context, from types.Object, into any) diag.Diagnostics {
	return from.As(ctx, into, basetypes.ObjectAsOptions{})
}
