package export

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/existing"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/export/hclblock"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
)

const providers = `terraform {
  required_version = ">= %s" # imports.tf; for %s, export with: -terraform %s

  required_providers {
    reseller = {
      source = "privatelabels/reseller"
    }
  }

  # Without a backend the state is a file in this directory. To work on it with others, keep it where it can be locked:
  # backend "s3" {}
}

# Settings come from environment variables, such as RESELLER_BASE_URL and RESELLER_API_KEY.
provider "reseller" {}
`

// Attributes that an export has to know.
const (
	attributeEmail  = "email"
	attributeAddons = "addons" // whose keys are codes
)

// file of the configuration.
type file struct{ name, text string }

// configuration is what is known of all files.
type configuration struct {
	*existing.Reseller
	options
	states     states
	names      map[string]names         // by type
	taken      map[string]bool          // addresses and names of files
	references map[string]hcl.Traversal // by ID, and by code of an add-on
	used       map[string]bool          // references
	imports    body
	moves      body
	counts     map[string]int // objects to import, by type
	moved      int
	left       int      // objects that a state has
	notes      []string // what a user has to know
}

func newConfiguration(r *existing.Reseller, o options, s states) *configuration {
	c := &configuration{
		Reseller: r, options: o, states: s,
		names: map[string]names{}, taken: map[string]bool{}, references: map[string]hcl.Traversal{}, used: map[string]bool{}, counts: map[string]int{},
	}
	for typ, texts := range r.Names {
		c.names[typ] = among(texts)
	}
	return c
}

// files of the configuration. Catalog and imports are written last, when it is known what is used.
func (c *configuration) files() (out []file, err error) {
	items := map[*existing.Object]hcl.Traversal{}
	for _, o := range c.Items {
		to := c.address(o.Type, c.itemName(o))
		if c.isLeft(o) {
			to = dataSource(to)
		}
		items[o] = to
		c.references[o.ID] = attributeOf(to, "id")
		if o.Type == existing.TypeAddon {
			c.references[strings.ToUpper(o.Text("code"))] = attributeOf(to, "code")
		}
	}
	var labels []file
	if c.style == styleClients {
		if labels, err = c.clientFiles(); err != nil {
			return nil, err
		}
	} else {
		for _, l := range c.Labels {
			if text := c.label(l); text != "" {
				labels = append(labels, file{c.fileName(l) + ".tf", text})
			}
		}
	}
	ofLabels := c.imports
	c.imports = body{}
	out = []file{{"providers.tf", c.providers()}}
	if text := c.catalog(items); text != "" {
		out = append(out, file{"catalog.tf", text})
	}
	out = append(out, labels...)
	c.imports.blocks = append(c.imports.blocks, ofLabels.blocks...)
	if text := c.importsFile(); text != "" {
		out = append(out, file{"imports.tf", text})
	}
	return append(out, file{".gitignore", ignored}), nil
}

const ignored = `.terraform/
*.tfstate
*.tfstate.*
*.plan
*.tfvars
crash.log
`

func (c *configuration) providers() string {
	if c.old {
		return fmt.Sprintf(providers, "1.5", "1.7 and later", "1.7")
	}
	return fmt.Sprintf(providers, "1.7", "Terraform 1.5 and 1.6", "1.5")
}

func (c *configuration) itemName(o *existing.Object) string {
	name, _ := c.names[o.Type].identifierFor(o.Text("code"), codeSeparator)
	return name
}

// device matches the names that Windows takes for a device, with any extension.
var device = regexp.MustCompile(`^(con|prn|aux|nul|com\d|lpt\d)(\.|$)`)

// fileName of a new file, without its extension. A number matters only for host names that differ in case alone.
func (c *configuration) fileName(l *existing.Label) string {
	name := strings.ToLower(l.Host)
	isDevice := device.MatchString(strings.ToLower(l.Host))
	if _, plain := plainName(name); !plain {
		name, _ = c.names[existing.TypeLabel].identifierFor(l.Host, hostSeparator)
	} else if isDevice {
		name = "_" + name
	}
	free := name
	for i := 2; c.taken[free]; i++ {
		free = fmt.Sprintf("%s_%d", name, i)
	}
	c.taken[free] = true
	return free
}

// address of a new resource. A number matters only for objects that the API says to be different and that have the same text.
func (c *configuration) address(typ, name string) hcl.Traversal {
	to := address(typ, name)
	for i := 2; c.taken[addressText(to)]; i++ {
		to = address(typ, fmt.Sprintf("%s_%d", name, i))
	}
	c.taken[addressText(to)] = true
	return to
}

// isLeft reports whether a state has an object, so that it is omitted.
func (c *configuration) isLeft(o *existing.Object) bool {
	return c.toMove(o) == nil && len(c.states.others.ByKey[o.Key()]) > 0
}

// toMove is what the state has that the plan moves, nil for nothing.
func (c *configuration) toMove(o *existing.Object) *existing.Managed {
	if managed := c.states.moved.ByKey[o.Key()]; len(managed) > 0 {
		return managed[0]
	}
	return nil
}

// catalog has only the items that are used, if not all private labels are exported.
func (c *configuration) catalog(items map[*existing.Object]hcl.Traversal) string {
	var b body
	var others []string
	for _, o := range c.Items {
		used := c.used[o.ID] || c.used[strings.ToUpper(o.Text("code"))]
		switch left := c.isLeft(o); {
		case left:
			c.left++
			if used {
				b.dataSource(items[o], "code", o.Text("code"))
			}
		case len(c.only) > 0 && !used:
			others = append(others, o.Text("code"))
		default:
			c.resource(&b, o, items[o])
			c.importOne(items[o], o)
		}
	}
	if c.style == styleClients {
		b.add(c.catalogMaps())
	}
	text := b.text()
	if len(others) > 0 {
		text += fmt.Sprintf("\n# Not used by these private labels: %s.\n", strings.ReplaceAll(printable.Text(strings.Join(others, ", ")), "\n", " "))
	}
	return text
}

// label is the text of a private label's file, "" if a state has all of it.
func (c *configuration) label(l *existing.Label) string {
	objects := slices.DeleteFunc(l.Objects(), func(o *existing.Object) bool {
		left := c.isLeft(o)
		if left {
			c.left++
		}
		return left
	})
	if len(objects) == 0 {
		return ""
	}
	name, _ := c.names[existing.TypeLabel].identifierFor(l.Host, hostSeparator)
	var b body
	labelAddress := c.address(existing.TypeLabel, name)
	if objects[0] != l.Own {
		labelAddress = dataSource(labelAddress)
		b.dataSource(labelAddress, "domain", l.Host)
	}
	c.references[l.ID] = attributeOf(labelAddress, "id")
	c.references[l.Host] = attributeOf(labelAddress, "domain")
	var members []*existing.Object
	for _, o := range objects {
		switch o.Type {
		case existing.TypeMember:
			members = append(members, o)
			continue
		case existing.TypeLabel:
			c.resource(&b, o, labelAddress)
			c.importOne(labelAddress, o)
		default:
			to := c.address(o.Type, name)
			c.noteFiles(o, l.Host)
			c.resource(&b, o, to)
			c.importOne(to, o)
		}
	}
	if len(members) > 0 {
		c.each(&b, members, c.address(existing.TypeMember, name))
	}
	return b.text()
}

// body of a file.
type body struct{ blocks []*hclwrite.Block }

func (b *body) add(block *hclwrite.Block) {
	b.blocks = append(b.blocks, block)
}

func (b *body) empty() bool {
	return len(b.blocks) == 0
}

func (b *body) resource(to hcl.Traversal) *hclwrite.Body {
	block := hclwrite.NewBlock("resource", []string{to.RootName(), to[1].(hcl.TraverseAttr).Name}) //nolint:forcetypeassert // by address
	b.add(block)
	return block.Body()
}

func (b *body) dataSource(to hcl.Traversal, key, value string) {
	block := hclwrite.NewBlock("data", []string{to[1].(hcl.TraverseAttr).Name, to[2].(hcl.TraverseAttr).Name}) //nolint:forcetypeassert // by dataSource
	block.Body().SetAttributeValue(key, cty.StringVal(value))
	b.add(block)
}

func (b *body) text() string {
	f := hclwrite.NewEmptyFile()
	for i, block := range b.blocks {
		if i > 0 {
			f.Body().AppendNewline()
		}
		f.Body().AppendBlock(block)
	}
	return string(hclwrite.Format(f.Bytes()))
}

func (c *configuration) resource(b *body, o *existing.Object, to hcl.Traversal) {
	in := b.resource(to)
	for _, a := range o.Attributes {
		text := c.expression(a)
		if o.Type == existing.TypeBranding && a.Name == "domain" {
			text = c.reference(strings.ToLower(a.Value.AsString()))
		}
		in.SetAttributeRaw(a.Name, text)
	}
}

// each writes members as one resource with for_each.
func (c *configuration) each(b *body, members []*existing.Object, to hcl.Traversal) {
	in := b.resource(to)
	each := hcl.Traversal{hcl.TraverseRoot{Name: "each"}}
	keys, emails := keysOf(members)
	var names []string // of the attributes
	for _, m := range members {
		for _, a := range m.Attributes {
			if !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	var elements []hclwrite.ObjectAttrTokens
	var instances []instance
	for i, m := range members {
		fields := token(hclsyntax.TokenOBrace, "{")
		for _, name := range names {
			if name == hclblock.Label || emails && name == attributeEmail {
				continue
			}
			if len(fields) > 1 {
				fields = append(fields, token(hclsyntax.TokenComma, ",")...)
			}
			value := m.Value(name)
			if value == cty.NilVal {
				value = cty.NullVal(cty.String)
			}
			fields = slices.Concat(fields, hclwrite.TokensForIdentifier(name), token(hclsyntax.TokenEqual, "="), tokensOf(value))
		}
		fields = append(fields, token(hclsyntax.TokenCBrace, "}")...)
		key := cty.StringVal(keys[i])
		elements = append(elements, hclwrite.ObjectAttrTokens{Name: hclwrite.TokensForValue(key), Value: fields})
		instances = append(instances, instance{to, key, m})
	}
	c.importEach(instances)
	in.SetAttributeRaw("for_each", hclwrite.TokensForObject(elements))
	in.AppendNewline()
	for _, name := range names {
		switch {
		case name == hclblock.Label:
			in.SetAttributeRaw(name, c.expression(hclblock.Attribute{Name: name, Value: members[0].Value(name)}))
		case emails && name == attributeEmail:
			in.SetAttributeTraversal(name, attributeOf(each, "key"))
		default:
			in.SetAttributeTraversal(name, attributeOf(attributeOf(each, "value"), name))
		}
	}
}

// keysOf returns the email addresses, and whether all keys are that. A user ID stands for an address that older CLIs do
// not read in an import block, or that occurs twice.
func keysOf(members []*existing.Object) (keys []string, emails bool) {
	emails = true
	for _, m := range members {
		key := m.Text(attributeEmail)
		special := strings.ContainsFunc(key, func(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune("\"\\$%", r) })
		if special || slices.Contains(keys, key) {
			emails = false
			_, key, _ = strings.Cut(m.ID, "/")
		}
		keys = append(keys, key)
	}
	return keys, emails
}

func isReference(a hclblock.Attribute) bool {
	return strings.HasSuffix(a.Name, "_id")
}

// noteFiles names the files that a branding needs beside the configuration.
func (c *configuration) noteFiles(o *existing.Object, host string) {
	for _, a := range o.Attributes {
		if strings.HasSuffix(a.Name, "_path") {
			c.notes = append(c.notes, fmt.Sprintf("Copy the %s of %s to the same path here: %s.", a.Name, host, printable.OneLine(a.Value.AsString())))
		}
	}
}

// expression is the value of an attribute, with references instead of the IDs and codes of what is exported.
func (c *configuration) expression(a hclblock.Attribute) hclwrite.Tokens {
	switch {
	case isReference(a):
		if to := c.reference(a.Value.AsString()); to != nil {
			return to
		}
		return tokensOf(a.Value)
	case a.Name != attributeAddons || a.Value.LengthInt() == 0:
		return tokensOf(a.Value)
	}
	var elements []hclwrite.ObjectAttrTokens
	for code, value := range a.Value.Elements() {
		key := hclwrite.TokensForValue(code)
		if to := c.reference(strings.ToUpper(code.AsString())); to != nil {
			key = slices.Concat(token(hclsyntax.TokenOParen, "("), to, token(hclsyntax.TokenCParen, ")"))
		}
		elements = append(elements, hclwrite.ObjectAttrTokens{Name: key, Value: hclwrite.TokensForValue(value)})
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
