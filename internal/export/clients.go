package export

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/privatelabels/terraform-provider-reseller/examples/clients"
	"github.com/privatelabels/terraform-provider-reseller/internal/estate"
)

// clientFiles are a YAML file for each client, the configuration that reads them, and its module.
func (c *configuration) clientFiles() (out []file, err error) {
	var labels, assignments, members, sets []instance
	for _, l := range c.Labels {
		if l.Own == nil || c.isManagedClient(l) {
			continue
		}
		label, own := cty.StringVal(strings.ToLower(l.Host)), c.onlyMembersByEmail(l)
		in := func(typ string, key cty.Value, o *estate.Object) instance {
			to := append(indexOf(address("module", "portal"), label), hcl.TraverseAttr{Name: typ}, hcl.TraverseAttr{Name: "this"})
			return instance{to, key, o}
		}
		labels = append(labels, in(estate.TypeLabel, cty.NilVal, l.Own))
		if l.Assignment != nil {
			assignments = append(assignments, in(estate.TypeAssignment, cty.Zero, l.Assignment))
		}
		if l.Set != nil {
			sets = append(sets, in(estate.TypeMembers, cty.Zero, l.Set))
		}
		for _, m := range own {
			members = append(members, in(estate.TypeMember, cty.StringVal(m.Text(attributeEmail)), m))
		}
		out = append(out, file{"clients/" + c.fileName(l) + ".yaml", c.client(l, own)})
	}
	for _, all := range [][]instance{labels, assignments, sets, members} {
		c.importModules(all)
	}
	err = fs.WalkDir(clients.Files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := clients.Files.ReadFile(path)
		out = append(out, file{path, string(text)})
		return err
	})
	return out, err
}

// isManagedClient reports whether a state has a private label, so that the client has no place here. What of it no state
// has is named.
func (c *configuration) isManagedClient(l *estate.Label) bool {
	if !c.isLeft(l.Own) {
		return false
	}
	for _, o := range l.Objects() {
		if c.isLeft(o) {
			c.left++
			continue
		}
		c.notes = append(c.notes, fmt.Sprintf("%s of %s is omitted, because a state has its private label.", o.Type, l.Host))
	}
	return true
}

// onlyMembersByEmail omits a second member with the same address, which a file of a client cannot have.
func (c *configuration) onlyMembersByEmail(l *estate.Label) []*estate.Object {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(l.Members), func(m *estate.Object) bool {
		email := m.Text(attributeEmail)
		if seen[email] {
			c.notes = append(c.notes, fmt.Sprintf("%s of %s (%s) is omitted, because another member has this address.", estate.Shown(email), l.Host, m.ID))
		}
		defer func() { seen[email] = true }()
		return seen[email]
	})
}

// importModules writes one import block for all instances of an address, whose modules differ.
func (c *configuration) importModules(all []instance) {
	if c.old {
		for _, one := range all {
			if one.key == cty.NilVal {
				c.importOne(one.to, one.object)
			} else {
				c.importEach([]instance{one})
			}
		}
		return
	}
	var elements []hclwrite.ObjectAttrTokens
	perKey := false
	for _, one := range all {
		if !c.place(one) {
			continue
		}
		host := one.to[2].(hcl.TraverseIndex).Key //nolint:forcetypeassert // by clientFiles
		key, value := tokensOf(host), tokensOf(cty.StringVal(one.object.ID))
		if one.object.Type == estate.TypeMember {
			perKey = true
			key, value = value, hclwrite.TokensForTuple([]hclwrite.Tokens{tokensOf(host), tokensOf(one.key)})
		}
		elements = append(elements, hclwrite.ObjectAttrTokens{Name: key, Value: value})
	}
	if len(elements) == 0 {
		return
	}
	to, id := "module.portal[each.key]."+all[0].object.Type+".this", "each.value"
	switch {
	case perKey:
		to, id = "module.portal[each.value[0]]."+estate.TypeMember+".this[each.value[1]]", "each.key"
	case all[0].key != cty.NilVal:
		to += "[0]"
	}
	c.importBlock(rawTokens(to), rawTokens(id), hclwrite.TokensForObject(elements))
}

const clientHead = "# yaml-language-server: $schema=../modules/portal/client.schema.json\n"

// client is the file of a client, as a person edits it.
func (c *configuration) client(l *estate.Label, members []*estate.Object) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%shost: %s\n", clientHead, yamlText(l.Own.Text("domain")))
	if l.Assignment != nil {
		fmt.Fprintf(&b, "package: %s\n", yamlText(l.Package))
		c.used[l.Assignment.Text("package_id")] = true
		for i, code := range codesOf(l.Addons) {
			if i == 0 {
				b.WriteString("addons:\n")
			}
			c.used[strings.ToUpper(code)] = true
			quantity, _ := l.Addons.Index(cty.StringVal(code)).AsBigFloat().Float64()
			fmt.Fprintf(&b, "  %s: %s\n", yamlText(code), strconv.FormatFloat(quantity, 'f', -1, 64))
		}
	}
	if l.Set != nil {
		b.WriteString("members_as: set\n")
		yamlMembers(&b, l.Set.Value("members"))
	}
	all := map[string]cty.Value{}
	for _, m := range members {
		all[m.Text(attributeEmail)] = cty.ObjectVal(map[string]cty.Value{"first_name": m.Value("first_name"), "last_name": m.Value("last_name")})
	}
	yamlMembers(&b, cty.ObjectVal(all))
	return b.String()
}

// yamlMembers writes names by email address, sorted.
func yamlMembers(b *strings.Builder, members cty.Value) {
	if members == cty.NilVal || members.LengthInt() == 0 {
		return
	}
	b.WriteString("members:\n")
	for email, names := range members.Elements() {
		fmt.Fprintf(b, "  %s:\n    first_name: %s\n    last_name: %s\n", yamlText(email.AsString()),
			yamlText(names.GetAttr("first_name").AsString()), yamlText(names.GetAttr("last_name").AsString()))
	}
}

func codesOf(addons cty.Value) (codes []string) {
	if addons == cty.NilVal || addons.IsNull() {
		return nil
	}
	for code := range addons.Elements() {
		codes = append(codes, code.AsString())
	}
	return codes
}

var (
	yamlPlain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9@._+-]*( [A-Za-z][A-Za-z0-9._-]*)*$`)
	yamlWord  = regexp.MustCompile(`(?i)^(true|false|yes|no|on|off|y|n|null)$`)
)

// yamlText is a string of YAML. Quotes and escapes of Go mean the same there.
func yamlText(text string) string {
	if yamlPlain.MatchString(text) && !yamlWord.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}

// catalogMaps are what the module asks for: IDs of packages and codes of add-ons, by code.
func (c *configuration) catalogMaps() *hclwrite.Block {
	elements := map[string][]hclwrite.ObjectAttrTokens{}
	for _, o := range c.Items {
		name := map[string]string{estate.TypePackage: o.ID, estate.TypeAddon: strings.ToUpper(o.Text("code"))}[o.Type]
		if len(c.only)+len(c.options.states) > 0 && !c.used[name] && (len(c.only) > 0 || c.isLeft(o)) {
			continue
		}
		elements[o.Type] = append(elements[o.Type], hclwrite.ObjectAttrTokens{
			Name: hclwrite.TokensForValue(cty.StringVal(strings.ToUpper(o.Text("code")))), Value: hclwrite.TokensForTraversal(c.references[name]),
		})
	}
	block := hclwrite.NewBlock("locals", nil)
	block.Body().SetAttributeRaw("catalog", hclwrite.TokensForObject([]hclwrite.ObjectAttrTokens{
		{Name: hclwrite.TokensForIdentifier("packages"), Value: hclwrite.TokensForObject(elements[estate.TypePackage])},
		{Name: hclwrite.TokensForIdentifier("addons"), Value: hclwrite.TokensForObject(elements[estate.TypeAddon])},
	}))
	return block
}
