package export

import (
	"cmp"
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
	"github.com/privatelabels/terraform-provider-reseller/internal/command/existing"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/export/hclblock"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
)

// clientFiles are a YAML file for each client, the configuration that reads them, and its module.
func (c *configuration) clientFiles() (out []file, err error) {
	byType := map[string][]instance{}
	keys := map[string]bool{}
	var blocks body
	for _, l := range c.Labels {
		if l.Own == nil || c.isManagedClient(l) {
			continue
		}
		key := strings.ToLower(l.Host)
		if keys[key] {
			c.notes = append(c.notes, fmt.Sprintf("%s (%s) is omitted, because another private label has this host name. Export it with -style files.", l.Host, l.ID))
			continue
		}
		keys[key] = true
		c.keepMembersByEmail(l)
		name := "clients/" + c.fileName(l) + ".yaml"
		module := indexOf(address("module", "portal"), cty.StringVal(key))
		if c.blocks {
			identifier, _ := c.names[existing.TypeLabel].identifierFor(l.Host, hostSeparator)
			module = address("module", identifier)
			blocks.add(moduleBlock(identifier, name))
			byType = map[string][]instance{}
		}
		for _, o := range l.Objects() {
			byType[o.Type] = append(byType[o.Type], inModule(module, o))
		}
		if c.blocks {
			c.importClient(byType)
		}
		text, failed := c.client(l)
		out, err = append(out, file{name, text}), errors.Join(err, failed)
	}
	main := "main.tf"
	if c.blocks {
		main = "blocks/main.tf"
		out = append(out, file{"clients.tf", blocksHead + blocks.text()})
	} else {
		for _, typ := range existing.Types {
			c.importModules(byType[typ])
		}
	}
	failed := fs.WalkDir(clients.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "main.tf") && !strings.HasPrefix(name, "modules/") && name != main {
			return err
		}
		text, err := clients.Files.ReadFile(name)
		out = append(out, file{strings.TrimPrefix(name, "blocks/"), string(text)})
		return err
	})
	return out, errors.Join(err, failed)
}

const blocksHead = `# A module block for each client, so that a client that fails does not stop others. A new client needs a new file and a
# block here. Then run terraform init.

`

// moduleBlock is the block of a client, by the name of its file.
func moduleBlock(name, file string) *hclwrite.Block {
	block := hclwrite.NewBlock("module", []string{name})
	block.Body().SetAttributeValue("source", cty.StringVal("./modules/portal"))
	block.Body().SetAttributeTraversal("client", indexOf(address("local", "clients"), cty.StringVal(file)))
	return block
}

// inModule is an object of a client in its module.
func inModule(module hcl.Traversal, o *existing.Object) instance {
	to := append(slices.Clone(module), hcl.TraverseAttr{Name: o.Type}, hcl.TraverseAttr{Name: "this"})
	switch o.Type {
	case existing.TypeLabel:
		return instance{to, cty.NilVal, o}
	case existing.TypeMember:
		return instance{to, cty.StringVal(o.Text(attributeEmail)), o}
	default:
		return instance{to, cty.Zero, o} // of count
	}
}

// importClient writes the import blocks of a client with a module of its own.
func (c *configuration) importClient(byType map[string][]instance) {
	for _, typ := range existing.Types {
		switch all := byType[typ]; {
		case len(all) == 0:
		case typ == existing.TypeMember:
			c.importEach(all)
		default:
			c.importOne(all[0].address(), all[0].object)
		}
	}
}

// isManagedClient reports whether a state has a private label, so that the client has no place here. What of it no state
// has is named.
func (c *configuration) isManagedClient(l *existing.Label) bool {
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
func (c *configuration) keepMembersByEmail(l *existing.Label) {
	seen := map[string]bool{}
	l.Members = slices.DeleteFunc(l.Members, func(m *existing.Object) bool {
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
	to := "module.portal[each.key]." + all[0].object.Type + ".this"
	id := "each.value"
	switch {
	case all[0].object.Type == existing.TypeMember:
		to = "module.portal[each.value[0]]." + existing.TypeMember + ".this[each.value[1]]"
		id = "each.key"
	case all[0].key != cty.NilVal:
		to += "[0]"
	}
	c.importAll(all, rawTokens(to), rawTokens(id), func(placed instance, id hclwrite.Tokens) (key, value hclwrite.Tokens) {
		host := tokensOf(placed.to[2].(hcl.TraverseIndex).Key) //nolint:forcetypeassert // by clientFiles
		if placed.object.Type == existing.TypeMember {
			return id, hclwrite.TokensForTuple([]hclwrite.Tokens{host, tokensOf(placed.key)})
		}
		return host, id
	})
}

const clientHead = "# yaml-language-server: $schema=../modules/portal/client.schema.json\n"

// clientKeys are the keys of a client's file, in the order in which they are written.
var clientKeys = []string{
	"host", "app_name", "owner", "at_creation", "package", "addons", "members_as", "members", "branding", "verification", "suspended", "suspend_reason",
	"allow_excess", "allow_package_change", "leaving",
}

// keyOf is the key of each attribute, with a nested key after a slash; "" for what the module writes itself. Where a file
// has no such key, an attribute cannot be carried.
var keyOf = map[string]map[string]string{
	existing.TypeLabel: {
		"domain": "host", "app_name": "app_name", "owner": "owner", "suspended": "suspended", "suspend_reason": "suspend_reason", policy: "leaving/private_label",
		"support_url": "at_creation/support_url", "website_url": "at_creation/website_url", "social_links": "at_creation/social_links",
		"color_primary": "at_creation/color_primary", "color_accent": "at_creation/color_accent",
	},
	existing.TypeAssignment: {
		hclblock.Label: "", "package_id": "package", attributeAddons: attributeAddons, "allow_excess": "allow_excess", "allow_package_change": "allow_package_change",
		policy: "leaving/assignment",
	},
	existing.TypeMember:  {hclblock.Label: "", attributeEmail: "", "first_name": "", "last_name": "", policy: "leaving/members"},
	existing.TypeMembers: {hclblock.Label: "", "members": "members"},
	existing.TypeBranding: {
		"domain": "", "color_primary": "branding/color_primary", "color_primary_foreground": "branding/color_primary_foreground",
		"color_accent": "branding/color_accent", "color_accent_foreground": "branding/color_accent_foreground",
		"color_app_bar_background": "branding/color_app_bar_background", "color_footer_background": "branding/color_footer_background",
		"logo_path": "branding/logo_path", "banner_logo_path": "branding/banner_logo_path", "reapply_trigger": "branding/reapply_trigger",
	},
	existing.TypeVerification: {hclblock.Label: "", "required": "verification/required", "timeouts": "verification/timeout"},
}

const (
	policy        = "deletion_policy"
	defaultPolicy = "REMOVE" // of what a private label has
)

// leaving are the policies of a private label, its assignment and its members that one word means.
var leaving = map[string][3]string{
	"suspend": {"SUSPEND", defaultPolicy, defaultPolicy}, "keep": {"ABANDON", "ABANDON", "ABANDON"}, "release": {"ABANDON", defaultPolicy, defaultPolicy},
	"deprovision": {"DEPROVISION", defaultPolicy, defaultPolicy},
}

// clientFile is what the file of a client has.
type clientFile map[string]any // cty.Value, or a clientFile

// put sets a key, or one in a key.
func (f clientFile) put(key string, value cty.Value) {
	outer, inner, isNested := strings.Cut(key, "/")
	if !isNested {
		f[key] = value
		return
	}
	f.in(outer).put(inner, value)
}

func (f clientFile) in(key string) clientFile {
	nested, _ := f[key].(clientFile)
	if nested == nil {
		nested = clientFile{}
		f[key] = nested
	}
	return nested
}

// client is the file of a client, as a person edits it. What it has no key for is an error.
func (c *configuration) client(l *existing.Label) (string, error) {
	f := clientFile{}
	errs := []error(nil)
	for _, o := range l.Objects() {
		for _, a := range o.Attributes {
			switch key, ok := keyOf[o.Type][a.Name]; {
			case !ok:
				errs = append(errs, c.notCarried(o, l, a.Name, "a file of a client has no key for it"))
			case a.Name == "timeouts":
				f.put(key, a.Value.GetAttr("create"))
			case key != "":
				f.put(key, a.Value)
			}
		}
		switch o.Type {
		case existing.TypeMember:
			f.in("members")[o.Text(attributeEmail)] = cty.ObjectVal(map[string]cty.Value{"first_name": o.Value("first_name"), "last_name": o.Value("last_name")})
		case existing.TypeMembers:
			f.put("members_as", cty.StringVal("set"))
		case existing.TypeAssignment:
			f.put("package", cty.StringVal(l.Package))
			c.used[o.Text("package_id")] = true
			c.putAddons(f, o.Value(attributeAddons))
		case existing.TypeBranding:
			f.in("branding")
			c.noteFiles(o, l.Host)
		case existing.TypeVerification:
			f.in("verification")
		}
	}
	if err := c.onePolicy(l); err != nil {
		errs = append(errs, err)
	}
	f.leave()
	f.look()
	var b strings.Builder
	b.WriteString(clientHead)
	for _, key := range clientKeys {
		writeYAML(&b, "", key, f[key])
	}
	return b.String(), errors.Join(errs...)
}

func (c *configuration) notCarried(o *existing.Object, l *existing.Label, attribute, why string) error {
	at := o.Type
	if managed := c.toMove(o); managed != nil {
		at = managed.Address
	}
	return fmt.Errorf("%s (%s): %s cannot move, because %s. Change it and apply, or export with -style files", at, l.Host, attribute, why)
}

// putAddons writes none where there are none, which is what a file without add-ons means.
func (c *configuration) putAddons(f clientFile, addons cty.Value) {
	switch {
	case addons == cty.NilVal:
		f.put(attributeAddons, cty.StringVal("unmanaged"))
	case addons.LengthInt() == 0:
		delete(f, attributeAddons)
	default:
		for code := range addons.Elements() {
			c.used[strings.ToUpper(code.AsString())] = true
		}
	}
}

// onePolicy is an error if members that a state has differ in their policy, which all members of a client share.
func (c *configuration) onePolicy(l *existing.Label) error {
	var first *existing.Object
	for _, m := range l.Members {
		if c.toMove(m) == nil {
			continue
		}
		if first = cmp.Or(first, m); m.Text(policy) != first.Text(policy) {
			return c.notCarried(m, l, policy, "the members of a client have one, and that of "+first.Text(attributeEmail)+" differs")
		}
	}
	return nil
}

// leave writes one word for the policies, if one means them.
func (f clientFile) leave() {
	policies, _ := f["leaving"].(clientFile)
	if policies == nil {
		return
	}
	var chosen [3]string
	for i, name := range []string{"private_label", "assignment", "members"} {
		if chosen[i] = defaultPolicy; policies[name] != nil {
			chosen[i] = policies[name].(cty.Value).AsString() //nolint:forcetypeassert // by put
		}
	}
	for word, all := range leaving {
		if all == chosen {
			f.put("leaving", cty.StringVal(word))
		}
	}
}

// look writes how the DNS is read, unless the module decides the same: once, if there is an app name.
func (f clientFile) look() {
	verification, isManaged := f["verification"].(clientFile)
	switch {
	case !isManaged && f["app_name"] != nil:
		f.put("verification", cty.StringVal("none"))
	case isManaged && verification["required"] == nil:
		verification.put("required", cty.True)
	case isManaged && f["app_name"] != nil && maps.Equal(verification, clientFile{"required": cty.False, "timeout": cty.StringVal("0s")}):
		delete(f, "verification")
	}
}

// writeYAML writes a key and what it has, sorted.
func writeYAML(b *strings.Builder, indent, key string, value any) {
	var nested map[string]any
	switch value := value.(type) {
	case nil:
		return
	case clientFile:
		nested = value
	case cty.Value:
		if !value.CanIterateElements() {
			fmt.Fprintf(b, "%s%s: %s\n", indent, key, yamlScalar(value))
			return
		}
		nested = map[string]any{}
		for key, element := range value.Elements() {
			nested[key.AsString()] = element
		}
	}
	if len(nested) == 0 {
		fmt.Fprintf(b, "%s%s: {}\n", indent, key)
		return
	}
	fmt.Fprintf(b, "%s%s:\n", indent, key)
	for _, key := range slices.Sorted(maps.Keys(nested)) {
		writeYAML(b, indent+"  ", yamlText(key), nested[key])
	}
}

func yamlScalar(value cty.Value) string {
	switch {
	case value.IsNull():
		return "null"
	case value.Type() == cty.String:
		return yamlText(value.AsString())
	case value.Type() == cty.Bool:
		return strconv.FormatBool(value.True())
	}
	return value.AsBigFloat().Text('f', -1)
}

var (
	yamlPlain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9@._+-]*( [A-Za-z][A-Za-z0-9._-]*)*$`)
	yamlWord  = regexp.MustCompile(`(?i)^(true|false|yes|no|on|off|y|n|null)$`)
)

// yamlText is a string of YAML. Quotes and escapes of Go mean the same there. Without a tag, the CLI takes a key "<<" for a
// merge even in quotes.
func yamlText(text string) string {
	if text == "<<" {
		return `!!str "<<"`
	}
	if yamlPlain.MatchString(text) && !yamlWord.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}

// catalogMaps are what the module asks for: IDs of packages and codes of add-ons, by code.
func (c *configuration) catalogMaps() *hclwrite.Block {
	elements := map[string][]hclwrite.ObjectAttrTokens{}
	for _, o := range c.Items {
		name := map[string]string{existing.TypePackage: o.ID, existing.TypeAddon: strings.ToUpper(o.Text("code"))}[o.Type]
		if !c.used[name] && (len(c.only) > 0 || c.isLeft(o)) {
			continue
		}
		elements[o.Type] = append(elements[o.Type], hclwrite.ObjectAttrTokens{
			Name: hclwrite.TokensForValue(cty.StringVal(strings.ToUpper(o.Text("code")))), Value: hclwrite.TokensForTraversal(c.references[name]),
		})
	}
	block := hclwrite.NewBlock("locals", nil)
	block.Body().SetAttributeRaw("catalog", hclwrite.TokensForObject([]hclwrite.ObjectAttrTokens{
		{Name: hclwrite.TokensForIdentifier("packages"), Value: hclwrite.TokensForObject(elements[existing.TypePackage])},
		{Name: hclwrite.TokensForIdentifier("addons"), Value: hclwrite.TokensForObject(elements[existing.TypeAddon])},
	}))
	return block
}
