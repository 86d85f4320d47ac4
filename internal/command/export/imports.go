package export

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/existing"
)

const importsHead = `# Imports what exists, once. Delete this file after the apply: a block of a member or client who leaves later fails each plan.
# Terraform 1.16.0 uses only the first import block of an address, so each address has one, with for_each where it is needed.
# Terraform before 1.7 does not support for_each here ("Unsupported argument"). For these versions, export with -terraform 1.5.
`

const importsHeadOld = `# Imports what exists, once. Delete this file after the apply: a block of a member or client who leaves later fails each plan.
# Written for Terraform 1.5 and 1.6, which have no for_each in import blocks. Use it with these versions only: Terraform 1.16.0
# uses only the first import block of an address. For later versions, export without -terraform.
`

// instance of a resource, and the object that it has. Its key is cty.NilVal without for_each.
type instance struct {
	to     hcl.Traversal
	key    cty.Value
	object *existing.Object
}

func (placed instance) address() hcl.Traversal {
	if placed.key == cty.NilVal {
		return placed.to
	}
	return indexOf(placed.to, placed.key)
}

// place is where an object is written: imported, moved from another address of a state, or already there.
func (c *configuration) place(placed instance) (imported bool) {
	managed := c.toMove(placed.object)
	if managed == nil {
		c.counts[placed.object.Type]++
		return true
	}
	from, diags := hclsyntax.ParseTraversalAbs([]byte(managed.Address), "", hcl.InitialPos)
	if diags.HasErrors() || addressText(from) == addressText(placed.address()) {
		return false
	}
	c.moved++
	block := hclwrite.NewBlock("moved", nil)
	block.Body().SetAttributeTraversal("from", from)
	block.Body().SetAttributeTraversal("to", placed.address())
	c.moves.add(block)
	return false
}

// importOne writes an import block for an address without for_each.
func (c *configuration) importOne(to hcl.Traversal, o *existing.Object) {
	if c.place(instance{to, cty.NilVal, o}) {
		c.importBlock(hclwrite.TokensForTraversal(to), tokensOf(cty.StringVal(o.ID)), nil)
	}
}

// importEach writes one import block for all instances of a resource with for_each.
func (c *configuration) importEach(all []instance) {
	to := append(hclwrite.TokensForTraversal(all[0].to), rawTokens("[each.key]")...)
	c.importAll(all, to, rawTokens("each.value"), func(placed instance, id hclwrite.Tokens) (key, value hclwrite.Tokens) {
		return tokensOf(placed.key), id
	})
}

// importAll writes one import block with for_each, or one for each instance where the CLI does not know it. element is
// what for_each has of an instance with an ID.
func (c *configuration) importAll(all []instance, to, id hclwrite.Tokens, element func(placed instance, id hclwrite.Tokens) (key, value hclwrite.Tokens)) {
	var elements []hclwrite.ObjectAttrTokens
	for _, placed := range all {
		switch objectID := tokensOf(cty.StringVal(placed.object.ID)); {
		case !c.place(placed):
		case c.old:
			c.importBlock(hclwrite.TokensForTraversal(placed.address()), objectID, nil)
		default:
			key, value := element(placed, objectID)
			elements = append(elements, hclwrite.ObjectAttrTokens{Name: key, Value: value})
		}
	}
	if len(elements) > 0 {
		c.importBlock(to, id, hclwrite.TokensForObject(elements))
	}
}

func (c *configuration) importBlock(to, id, forEach hclwrite.Tokens) {
	block := hclwrite.NewBlock("import", nil)
	if forEach != nil {
		block.Body().SetAttributeRaw("for_each", forEach)
		block.Body().AppendNewline()
	}
	block.Body().SetAttributeRaw("to", to)
	block.Body().SetAttributeRaw("id", id)
	c.imports.add(block)
}

// rawTokens is an expression that is written unchanged.
func rawTokens(text string) hclwrite.Tokens {
	return token(hclsyntax.TokenIdent, text)
}

// importsFile has all import and moved blocks; "" for none.
func (c *configuration) importsFile() string {
	head := importsHead
	switch {
	case c.old:
		head = importsHeadOld
	case c.imports.empty():
		head = "# Moves what a state has under another address. Delete this file after the apply.\n"
	}
	all := body{append(c.moves.blocks, c.imports.blocks...)}
	if all.empty() {
		return ""
	}
	return head + "\n" + all.text()
}
