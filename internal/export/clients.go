package export

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/privatelabels/terraform-provider-reseller/examples/clients"
	"github.com/privatelabels/terraform-provider-reseller/internal/estate"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
)

// clientFiles are a YAML file for each client, the configuration that reads them, and its module.
func (c *configuration) clientFiles() (out []file, err error) {
	byType := map[string][]instance{}
	for _, l := range c.Labels {
		if l.Own == nil || c.isManagedClient(l) {
			continue
		}
		c.keepMembersByEmail(l)
		for _, o := range l.Objects() {
			to := append(indexOf(address("module", "portal"), cty.StringVal(strings.ToLower(l.Host))), hcl.TraverseAttr{Name: o.Type}, hcl.TraverseAttr{Name: "this"})
			key := cty.Zero // of count
			switch o.Type {
			case estate.TypeLabel:
				key = cty.NilVal
			case estate.TypeMember:
				key = cty.StringVal(o.Text(attributeEmail))
			}
			byType[o.Type] = append(byType[o.Type], instance{to, key, o})
		}
		out = append(out, file{"clients/" + c.fileName(l) + ".yaml", c.client(l)})
	}
	for _, typ := range estate.Types {
		c.importModules(byType[typ])
	}
	shipped, err := fs.Glob(clients.Files, "modules/portal/*")
	for _, name := range append(shipped, "main.tf") {
		text, failed := clients.Files.ReadFile(name)
		out, err = append(out, file{name, string(text)}), errors.Join(err, failed)
	}
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

// keepMembersByEmail omits a second member with the same address, which a file of a client cannot have.
func (c *configuration) keepMembersByEmail(l *estate.Label) {
	seen := map[string]bool{}
	l.Members = slices.DeleteFunc(l.Members, func(m *estate.Object) bool {
		email := m.Text(attributeEmail)
		if seen[email] {
			c.notes = append(c.notes, fmt.Sprintf("%s of %s (%s) is omitted, because another member has this address.", printable.OneLine(email), l.Host, m.ID))
			return true
		}
		seen[email] = true
		return false
	})
}

// importModules writes one import block for all instances of an address, whose modules differ.
func (c *configuration) importModules(all []instance) {
	if len(all) == 0 {
		return
	}
	to, id := "module.portal[each.key]."+all[0].object.Type+".this", "each.value"
	switch {
	case all[0].object.Type == estate.TypeMember:
		to, id = "module.portal[each.value[0]]."+estate.TypeMember+".this[each.value[1]]", "each.key"
	case all[0].key != cty.NilVal:
		to += "[0]"
	}
	c.importAll(all, rawTokens(to), rawTokens(id), func(one instance, id hclwrite.Tokens) (key, value hclwrite.Tokens) {
		host := tokensOf(one.to[2].(hcl.TraverseIndex).Key) //nolint:forcetypeassert // by clientFiles
		if one.object.Type == estate.TypeMember {
			return id, hclwrite.TokensForTuple([]hclwrite.Tokens{host, tokensOf(one.key)})
		}
		return host, id
	})
}

const clientHead = "# yaml-language-server: $schema=../modules/portal/client.schema.json\n"

// client is the file of a client, as a person edits it.
func (c *configuration) client(l *estate.Label) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%shost: %s\n", clientHead, yamlText(l.Own.Text("domain")))
	if l.Assignment != nil {
		fmt.Fprintf(&b, "package: %s\n", yamlText(l.Package))
		c.used[l.Assignment.Text("package_id")] = true
		if l.Addons.LengthInt() > 0 {
			b.WriteString("addons:\n")
		}
		for code, quantity := range l.Addons.Elements() {
			c.used[strings.ToUpper(code.AsString())] = true
			fmt.Fprintf(&b, "  %s: %s\n", yamlText(code.AsString()), quantity.AsBigFloat().Text('f', -1))
		}
	}
	members := map[string]cty.Value{} // names by email address
	for _, m := range l.Members {
		members[m.Text(attributeEmail)] = cty.ObjectVal(map[string]cty.Value{"first_name": m.Value("first_name"), "last_name": m.Value("last_name")})
	}
	if l.Set != nil {
		b.WriteString("members_as: set\n")
		members = l.Set.Value("members").AsValueMap()
	}
	if len(members) > 0 {
		b.WriteString("members:\n")
	}
	for _, email := range slices.Sorted(maps.Keys(members)) {
		first, last := members[email].GetAttr("first_name"), members[email].GetAttr("last_name")
		fmt.Fprintf(&b, "  %s:\n    first_name: %s\n    last_name: %s\n", yamlText(email), yamlText(first.AsString()), yamlText(last.AsString()))
	}
	return b.String()
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
		if !c.used[name] && (len(c.only) > 0 || c.isLeft(o)) {
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
