package export

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// tokensOf is hclwrite.TokensForValue, which writes a first key "for" so that it begins a for expression.
func tokensOf(v cty.Value) hclwrite.Tokens {
	typ := v.Type()
	switch {
	case v.IsNull() || !v.CanIterateElements():
		return hclwrite.TokensForValue(v)
	case !typ.IsObjectType() && !typ.IsMapType():
		var elements []hclwrite.Tokens
		for _, element := range v.Elements() {
			elements = append(elements, tokensOf(element))
		}
		return hclwrite.TokensForTuple(elements)
	}
	var elements []hclwrite.ObjectAttrTokens
	for key, element := range v.Elements() {
		name := hclwrite.TokensForValue(key)
		if text := key.AsString(); hclsyntax.ValidIdentifier(text) && text != "for" {
			name = hclwrite.TokensForIdentifier(text)
		}
		elements = append(elements, hclwrite.ObjectAttrTokens{Name: name, Value: tokensOf(element)})
	}
	return hclwrite.TokensForObject(elements)
}

func token(typ hclsyntax.TokenType, text string) hclwrite.Tokens {
	return hclwrite.Tokens{{Type: typ, Bytes: []byte(text)}}
}

// address of a resource, such as `reseller_package`, `gold`.
func address(typ, name string) hcl.Traversal {
	return hcl.Traversal{hcl.TraverseRoot{Name: typ}, hcl.TraverseAttr{Name: name}}
}

// dataSource is the address of a data source in place of that of a resource.
func dataSource(resource hcl.Traversal) hcl.Traversal {
	return append(hcl.Traversal{hcl.TraverseRoot{Name: "data"}, hcl.TraverseAttr{Name: resource.RootName()}}, resource[1:]...)
}

func attributeOf(object hcl.Traversal, name string) hcl.Traversal {
	return append(slices.Clone(object), hcl.TraverseAttr{Name: name})
}

func indexOf(object hcl.Traversal, key cty.Value) hcl.Traversal {
	return append(slices.Clone(object), hcl.TraverseIndex{Key: key})
}

// addressText is an address as a plan shows it.
func addressText(traversal hcl.Traversal) string {
	return string(hclwrite.TokensForTraversal(traversal).Bytes())
}
