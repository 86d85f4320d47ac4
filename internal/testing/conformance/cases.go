// Package conformance has the case of every type of resource. Its test derives from them what each resource must do.
package conformance

import (
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/assignmenttest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/brandingtest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/catalogtest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/documenttest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/labeltest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/membertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Cases are the cases in the order in which a configuration reads best.
func Cases() []providertest.Case {
	return []providertest.Case{
		labeltest.Label, catalogtest.Package, catalogtest.Addon, assignmenttest.Assignment, membertest.Member, membertest.Members,
		brandingtest.Branding, labeltest.Verification, documenttest.Document, documenttest.Signing, documenttest.Minted,
	}
}

// Of is the case of a type; false if it has none.
func Of(typeName string) (providertest.Case, bool) {
	for _, c := range Cases() {
		if c.Type == typeName {
			return c, true
		}
	}
	return providertest.Case{}, false
}
