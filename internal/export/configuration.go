package export

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

const providers = `terraform {
  required_version = ">= 1.5"

  required_providers {
    reseller = {
      source = "privatelabels/reseller"
    }
  }
}

# Settings come from environment variables, such as RESELLER_BASE_URL and RESELLER_API_KEY.
provider "reseller" {}
`

// Attributes that an export has to know.
const (
	attributeLabel  = "private_label_id"
	attributeAddons = "addons" // whose keys are codes
)

// configuration is what is known of all files.
type configuration struct {
	names      map[string]names         // by type
	references map[string]hcl.Traversal // by ID, and by code of an add-on
}

// files of the configuration, in an order of their own.
func (r *reseller) files() []file {
	c := &configuration{map[string]names{}, map[string]hcl.Traversal{}}
	out := []file{{"providers.tf", providers}}
	var catalog body
	for _, o := range r.items {
		code := o.text("code")
		to := c.address(o.typ, code, '_')
		c.references[o.id] = attributeOf(to, "id")
		if o.typ == typeAddon {
			c.references[strings.ToUpper(code)] = attributeOf(to, "code")
		}
		catalog.resource(c, o, to)
	}
	if len(r.items) > 0 {
		out = append(out, file{"catalog.tf", catalog.text()})
	}
	files := names{}
	for _, l := range r.labels {
		if len(l.own) > 0 {
			name, exact := nameOf(l.host, '.')
			if exact {
				name = l.host
			}
			out = append(out, file{files.unique(name) + ".tf", c.label(l)})
		}
	}
	return out
}

// address of a new resource.
func (c *configuration) address(typ, text string, separator rune) hcl.Traversal {
	if c.names[typ] == nil {
		c.names[typ] = names{}
	}
	name, _ := nameOf(text, separator)
	return hcl.Traversal{hcl.TraverseRoot{Name: typ}, hcl.TraverseAttr{Name: c.names[typ].unique(name)}}
}

func attributeOf(of hcl.Traversal, name string) hcl.Traversal {
	return append(slices.Clone(of), hcl.TraverseAttr{Name: name})
}

func (c *configuration) label(l *label) string {
	var b body
	for _, o := range l.own {
		to := c.address(o.typ, l.host, '.')
		b.resource(c, o, to)
		if o.typ == typeLabel {
			c.references[l.id] = attributeOf(to, "id")
		}
	}
	if len(l.members) > 0 {
		b.each(c, l.members, c.address(typeMember, l.host, '.'))
	}
	return b.text()
}

// body of a file: resources, then their imports.
type body struct{ resources, imports []*hclwrite.Block }

func (b *body) add(o *object, to hcl.Traversal) *hclwrite.Body {
	name := to[1].(hcl.TraverseAttr).Name //nolint:forcetypeassert // by address
	block := hclwrite.NewBlock("resource", []string{o.typ, name})
	b.resources = append(b.resources, block)
	return block.Body()
}

func (b *body) imported(to hcl.Traversal, id string) {
	block := hclwrite.NewBlock("import", nil)
	block.Body().SetAttributeTraversal("to", to)
	block.Body().SetAttributeValue("id", cty.StringVal(id))
	b.imports = append(b.imports, block)
}

func (b *body) resource(c *configuration, o *object, to hcl.Traversal) {
	in := b.add(o, to)
	for _, a := range o.attributes {
		in.SetAttributeRaw(a.name, c.expression(a))
	}
	b.imported(to, o.id)
}

// each writes members as one resource with for_each. An import has a block for each, because older CLIs know no other.
func (b *body) each(c *configuration, members []*object, to hcl.Traversal) {
	keys := keysOf(members)
	var elements []hclwrite.ObjectAttrTokens
	in := b.add(members[0], to)
	fields := members[0].attributes
	for i, m := range members {
		var fields []hclwrite.ObjectAttrTokens
		for _, a := range m.attributes {
			if !isReference(a) && !c.isKey(members, keys, a.name) {
				fields = append(fields, hclwrite.ObjectAttrTokens{Name: hclwrite.TokensForIdentifier(a.name), Value: c.expression(a)})
			}
		}
		elements = append(elements, hclwrite.ObjectAttrTokens{Name: hclwrite.TokensForValue(cty.StringVal(keys[i])), Value: inline(fields)})
		b.imported(append(slices.Clone(to), hcl.TraverseIndex{Key: cty.StringVal(keys[i])}), m.id)
	}
	in.SetAttributeRaw("for_each", hclwrite.TokensForObject(elements))
	in.AppendNewline()
	each := hcl.Traversal{hcl.TraverseRoot{Name: "each"}}
	for _, a := range fields {
		switch {
		case isReference(a):
			in.SetAttributeRaw(a.name, c.expression(a))
		case c.isKey(members, keys, a.name):
			in.SetAttributeTraversal(a.name, attributeOf(each, "key"))
		default:
			in.SetAttributeTraversal(a.name, attributeOf(attributeOf(each, "value"), a.name))
		}
	}
}

// isKey reports whether an attribute of all members is the key.
func (c *configuration) isKey(members []*object, keys []string, name string) bool {
	for i, m := range members {
		if m.text(name) != keys[i] {
			return false
		}
	}
	return true
}

// keysOf returns the email addresses. A user ID stands for one that older CLIs do not read in an address, or that is there
// twice.
func keysOf(members []*object) []string {
	keys, seen := make([]string, len(members)), map[string]bool{}
	for i, m := range members {
		keys[i] = m.text("email")
		special := strings.ContainsFunc(keys[i], func(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune("\"\\$%", r) })
		if special || seen[strings.ToLower(keys[i])] {
			_, keys[i], _ = strings.Cut(m.id, "/")
		}
		seen[strings.ToLower(keys[i])] = true
	}
	return keys
}

func isReference(a attribute) bool { return strings.HasSuffix(a.name, "_id") }

// expression is the value of an attribute, with references instead of the IDs and codes of what is exported.
func (c *configuration) expression(a attribute) hclwrite.Tokens {
	if isReference(a) {
		if to, ok := c.references[a.value.AsString()]; ok {
			return hclwrite.TokensForTraversal(to)
		}
	}
	if a.name != attributeAddons || a.value.LengthInt() == 0 {
		return hclwrite.TokensForValue(a.value)
	}
	var elements []hclwrite.ObjectAttrTokens
	for code, value := range a.value.Elements() {
		key := hclwrite.TokensForValue(code)
		if to, ok := c.references[strings.ToUpper(code.AsString())]; ok {
			key = slices.Concat(token(hclsyntax.TokenOParen, "("), hclwrite.TokensForTraversal(to), token(hclsyntax.TokenCParen, ")"))
		}
		elements = append(elements, hclwrite.ObjectAttrTokens{Name: key, Value: hclwrite.TokensForValue(value)})
	}
	return hclwrite.TokensForObject(elements)
}

func token(typ hclsyntax.TokenType, text string) hclwrite.Tokens {
	return hclwrite.Tokens{{Type: typ, Bytes: []byte(text)}}
}

// inline is an object on one line.
func inline(attributes []hclwrite.ObjectAttrTokens) hclwrite.Tokens {
	out := token(hclsyntax.TokenOBrace, "{")
	for i, a := range attributes {
		if i > 0 {
			out = append(out, token(hclsyntax.TokenComma, ",")...)
		}
		out = slices.Concat(out, a.Name, token(hclsyntax.TokenEqual, "="), a.Value)
	}
	return append(out, token(hclsyntax.TokenCBrace, "}")...)
}

func (b *body) text() string {
	f := hclwrite.NewEmptyFile()
	for i, block := range slices.Concat(b.resources, b.imports) {
		if i > 0 {
			f.Body().AppendNewline()
		}
		f.Body().AppendBlock(block)
	}
	return string(hclwrite.Format(f.Bytes()))
}
