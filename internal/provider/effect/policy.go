package effect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// Values of `deletion_policy`.
const (
	PolicyPrevent     = "PREVENT"
	PolicyAbandon     = "ABANDON"
	PolicySuspend     = "SUSPEND"
	PolicyRemove      = "REMOVE"
	PolicyDeactivate  = "DEACTIVATE"
	PolicyDeprovision = "DEPROVISION"
)

// loss ranks the values by what a destroy loses. A value that this version does not know protects.
var loss = map[string]int{PolicyPrevent: 0, PolicyAbandon: 1, PolicySuspend: 1, PolicyRemove: 2, PolicyDeactivate: 2, PolicyDeprovision: 2}

const SummaryProtected = "Resource is protected from deletion"

// DeletionPolicy describes `deletion_policy` of one resource.
type DeletionPolicy struct {
	Noun   string   // stands before the name of an object: "member", "assignment of"
	Values []string // the default first
	Loss   string   // what a destroy does under the value that loses most: "removes the member, who is signed out immediately"
}

// Attribute is the attribute of the schema.
func (p DeletionPolicy) Attribute() schema.StringAttribute {
	var values strings.Builder
	for i, value := range p.Values {
		name := "`" + value + "`"
		if i == 0 {
			name += " (default)"
		}
		fmt.Fprintf(&values, " %s: %s.", name, p.destroy(value))
	}
	return schema.StringAttribute{
		Optional: true,
		Computed: true,
		Default:  stringdefault.StaticString(p.Values[0]),
		MarkdownDescription: "What destroying the resource does." + values.String() +
			" Terraform uses the value in state. Apply a change before you destroy the resource.",
		Validators: []validator.String{fwtype.OneOf(p.Values...)},
	}
}

// Protects reports whether a value in state rejects a destroy. Null, as in an import, is the default, and a value that this
// version does not know protects.
func (p DeletionPolicy) Protects(inState types.String) bool {
	value := cmp.Or(inState.ValueString(), p.Values[0])
	return value == PolicyPrevent || !slices.Contains(p.Values, value)
}

// Prevented is the error of a destroy under PREVENT. It says where to write another value, also for a block that was
// removed.
func (p DeletionPolicy) Prevented(object string) diag.Diagnostic {
	remedy := preventedItem
	if !slices.Contains(p.Values, PolicyDeactivate) {
		remedy = preventedOfClient
	}
	remedy = fmt.Sprintf(remedy, strings.TrimSuffix(p.Noun, " of"))
	return diag.NewAttributeErrorDiagnostic(path.Root("deletion_policy"), SummaryProtected, fmt.Sprintf(prevented, p.Noun, object)+"\n\n"+remedy)
}

// AlsoPrevented is that error where another one of the plan has the remedy.
func (p DeletionPolicy) AlsoPrevented(object string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("deletion_policy"), SummaryProtected, fmt.Sprintf(prevented, p.Noun, object))
}

const (
	prevented         = `deletion_policy of the %s %s is "PREVENT".`
	preventedOfClient = "If you renamed it, add a moved block. To keep the %s, use a removed block with destroy = false. " +
		"To destroy it, apply a new deletion_policy in its block (a client's file: leaving). Restore a removed block or file first."
	preventedItem = "If you renamed it, add a moved block. To keep the %s, use a removed block with destroy = false. " +
		"To destroy it, apply a new deletion_policy in its block. Restore a removed block first."
)

// Unenforced is the warning of a destroy under PREVENT where nothing can be lost: `terraform test` cleans up after itself.
func (p DeletionPolicy) Unenforced(object string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("deletion_policy"), SummaryProtected,
		fmt.Sprintf("deletion_policy of the %s %s is \"PREVENT\". It is only removed from state, because the data of this simulator ends with the command. "+
			"With the live API, the destroy fails.", p.Noun, object))
}

// Lowered announces a deletion_policy under which a destroy loses more than before. object is a host name, a code or an
// email address, and about has it as data. A create has no prior value. That of an import is the default, so that an import
// under another policy is announced: Terraform shows the same change.
func (p DeletionPolicy) Lowered(object string, about Effect, prior, planned types.String) Warnings {
	was := prior.ValueString()
	will := planned.ValueString()
	about.Event = Unprotected.Event("deletion_policy changes from {before} to {after}, so that a destroy " + p.destroy(will))
	about.Before = was
	about.After = will
	detail := fmt.Sprintf("deletion_policy of the %s %s changes from %s to %s. After this apply, a destroy %s.", p.Noun, object, was, will, p.destroy(will))
	worse := slices.DeleteFunc(slices.Clone(p.Values), func(v string) bool { return loss[v] <= loss[was] })
	switch {
	case prior.IsNull() || prior.IsUnknown() || len(worse) == 0:
		return nil
	case planned.IsUnknown():
		becomes := "is " + Series("or", worse)
		about.Event = Unprotected.Event("deletion protection lowered from {before}")
		about.After = nil
		about.If = "deletion_policy " + becomes
		detail = fmt.Sprintf("deletion_policy of the %s %s is known after apply. If it %s, a later destroy does more than %s allows.",
			p.Noun, object, becomes, was)
	case loss[will] <= loss[was]:
		return nil
	}
	if planned.IsUnknown() { // the worst that it may become
		will = slices.MaxFunc(worse, func(a, b string) int { return loss[a] - loss[b] })
	}
	return Warnings{{
		Topic: loweringTo(will, object), At: path.Root("deletion_policy"), Effects: []Effect{about},
		Detail: detail,
	}}
}

// destroy says what a destroy does under a value.
func (p DeletionPolicy) destroy(value string) string {
	switch value {
	case PolicyPrevent:
		return "fails at plan time"
	case PolicyAbandon:
		return "only removes it from state"
	case PolicySuspend:
		return "suspends it and removes it from state"
	default:
		return p.Loss
	}
}

// Series joins words with commas, and the last one with a conjunction: "a, b and c".
func Series(conjunction string, words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}
