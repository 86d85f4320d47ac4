package document

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// passcodeDigits replaces the stock validator, which would show the value.
type passcodeDigits struct{}

var passcodeForm = regexp.MustCompile(`^[0-9]{4,8}$`)

func (passcodeDigits) Description(context.Context) string { return "4 to 8 digits" }

func (v passcodeDigits) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (passcodeDigits) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || passcodeForm.MatchString(req.ConfigValue.ValueString()) {
		return
	}
	resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path, "", passcodeRule))
}

// dayMonthYear is the form of §8, and a day that exists.
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
		resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path, strconv.Quote(given), "write an existing day as dd-mm-yyyy, such as 31-12-2026"))
	}
}

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
	resp.Diagnostics.Append(asObject(ctx, req.ConfigValue, &a)...)
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
			resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path.AtListIndex(i).AtName("email"), strconv.Quote(s.Email.ValueString()),
				sameSigner(req.Path.AtListIndex(before))))
			continue
		}
		first[name] = i
	}
}

// asObject reads an object; null and unknown values stay null and unknown.
func asObject(ctx context.Context, from types.Object, into any) diag.Diagnostics {
	return from.As(ctx, into, basetypes.ObjectAsOptions{})
}
