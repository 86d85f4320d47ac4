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
	attributeEmail  = "email"
	attributeAddons = "addons" // whose keys are codes
)

// file of the configuration.
type file struct{ name, text string }

// configuration is what is known of all files.
type configuration struct {
	names      map[string]names         // by type
	references map[string]hcl.Traversal // by ID, and by code of an add-on
	used       map[string]bool          // references
}

// files of the configuration. The catalog has only the items that are used, if not all private labels are exported.
func (r *reseller) files() []file {
	c := &configuration{map[string]names{}, map[string]hcl.Traversal{}, map[string]bool{}}
	for _, o := range r.items {
		to := c.address(o.typ, o.text("code"), '_')
		c.references[o.id] = attributeOf(to, "id")
		if o.typ == typeAddon {
			c.references[strings.ToUpper(o.text("code"))] = attributeOf(to, "code")
		}
	}
	var labels []file
	taken := names{}
	for _, l := range r.labels {
		if len(l.objects) > 0 {
			name, exact := nameOf(l.host, '.')
			if exact {
				name = l.host
			}
			labels = append(labels, file{taken.unique(name) + ".tf", c.label(l)})
		}
	}
	if len(r.only) > 0 {
		r.items = slices.DeleteFunc(r.items, func(o *object) bool { return !c.used[o.id] && !c.used[strings.ToUpper(o.text("code"))] })
	}
	out := []file{{"providers.tf", providers}}
	if len(r.items) > 0 {
		var catalog body
		for _, o := range r.items {
			catalog.resource(c, o, c.references[o.id][:2])
		}
		out = append(out, file{"catalog.tf", catalog.text()})
	}
	return append(out, labels...)
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
	for _, o := range l.objects {
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

func (b *body) add(to hcl.Traversal) *hclwrite.Body {
	block := hclwrite.NewBlock("resource", []string{to.RootName(), to[1].(hcl.TraverseAttr).Name}) //nolint:forcetypeassert // by address
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
	in := b.add(to)
	for _, a := range o.attributes {
		in.SetAttributeRaw(a.name, c.expression(a))
	}
	b.imported(to, o.id)
}

// each writes members as one resource with for_each. An import has a block for each, because older CLIs know no other.
func (b *body) each(c *configuration, members []*object, to hcl.Traversal) {
	in, each := b.add(to), hcl.Traversal{hcl.TraverseRoot{Name: "each"}}
	keys, emails := keysOf(members)
	var elements []hclwrite.ObjectAttrTokens
	for i, m := range members {
		fields := token(hclsyntax.TokenOBrace, "{")
		for _, a := range m.attributes {
			if isReference(a) || emails && a.name == attributeEmail {
				continue
			}
			if len(fields) > 1 {
				fields = append(fields, token(hclsyntax.TokenComma, ",")...)
			}
			fields = slices.Concat(fields, hclwrite.TokensForIdentifier(a.name), token(hclsyntax.TokenEqual, "="), c.expression(a))
		}
		fields = append(fields, token(hclsyntax.TokenCBrace, "}")...)
		elements = append(elements, hclwrite.ObjectAttrTokens{Name: hclwrite.TokensForValue(cty.StringVal(keys[i])), Value: fields})
		b.imported(append(slices.Clone(to), hcl.TraverseIndex{Key: cty.StringVal(keys[i])}), m.id)
	}
	in.SetAttributeRaw("for_each", hclwrite.TokensForObject(elements))
	in.AppendNewline()
	for _, a := range members[0].attributes {
		switch {
		case isReference(a):
			in.SetAttributeRaw(a.name, c.expression(a))
		case emails && a.name == attributeEmail:
			in.SetAttributeTraversal(a.name, attributeOf(each, "key"))
		default:
			in.SetAttributeTraversal(a.name, attributeOf(attributeOf(each, "value"), a.name))
		}
	}
}

// keysOf returns the email addresses, and whether all keys are that. A user ID stands for an address that older CLIs do
// not read in an import block, or that occurs twice.
func keysOf(members []*object) (keys []string, emails bool) {
	emails = true
	for _, m := range members {
		key := m.text(attributeEmail)
		special := strings.ContainsFunc(key, func(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune("\"\\$%", r) })
		if special || slices.Contains(keys, key) {
			emails = false
			_, key, _ = strings.Cut(m.id, "/")
		}
		keys = append(keys, key)
	}
	return keys, emails
}

func isReference(a attribute) bool { return strings.HasSuffix(a.name, "_id") }

// expression is the value of an attribute, with references instead of the IDs and codes of what is exported.
func (c *configuration) expression(a attribute) hclwrite.Tokens {
	switch {
	case isReference(a):
		if to := c.reference(a.value.AsString()); to != nil {
			return to
		}
		return tokensOf(a.value)
	case a.name != attributeAddons || a.value.LengthInt() == 0:
		return tokensOf(a.value)
	}
	var elements []hclwrite.ObjectAttrTokens
	for code, value := range a.value.Elements() {
		key := hclwrite.TokensForValue(code)
		if to := c.reference(strings.ToUpper(code.AsString())); to != nil {
			key = slices.Concat(token(hclsyntax.TokenOParen, "("), to, token(hclsyntax.TokenCParen, ")"))
		}
		elements = append(elements, hclwrite.ObjectAttrTokens{Name: key, Value: hclwrite.TokensForValue(value)})
	}
	return hclwrite.TokensForObject(elements)
}

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

// reference returns nil for what is not exported.
func (c *configuration) reference(key string) hclwrite.Tokens {
	to, ok := c.references[key]
	if !ok {
		return nil
	}
	c.used[key] = true
	return hclwrite.TokensForTraversal(to)
}

func token(typ hclsyntax.TokenType, text string) hclwrite.Tokens {
	return hclwrite.Tokens{{Type: typ, Bytes: []byte(text)}}
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
