package provider_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/privatelabels/terraform-provider-reseller/internal/export/hclblock"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// generated are the import ID of an object of each type, and the attributes that its configuration has; for an error, what
// it names.
var generated = map[string]struct {
	id   string
	want string
}{
	"reseller_private_label":       {providertest.AcmeHost, "domain"},
	"reseller_package":             {"GOLD", "code currency name active settings"},
	"reseller_addon":               {"SEATS", "code name currency active settings"},
	"reseller_assignment":          {providertest.AcmeHost, "private_label_id package_id addons"},
	"reseller_member":              {providertest.AcmeHost + "/" + providertest.BobEmail, "private_label_id email first_name last_name"},
	"reseller_members":             {providertest.AcmeHost, "private_label_id members"},
	"reseller_branding":            {providertest.AcmeHost, "domain"},
	"reseller_domain_verification": {providertest.AcmeHost, "private_label_id"},
	"reseller_document":            {"doc-1", "error: file_path, owner_email, title"},
	"reseller_document_signing":    {"doc-1", "error: annotations"},
	"reseller_minted_document":     {"12345", "error: asset_name, file_path, nft_standard, store_on_ipfs, unit_name"},
}

// A CLI since Terraform 1.14 asks for the configuration of an imported object. It plans without a change.
func TestGeneratedConfig_EachType(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	if err := w.Assign(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", `${each.key} "Byte"`); err != nil {
		t.Fatal(err)
	}
	w.VerifyDNS(providertest.AcmeHost)
	p := w.Protocol()
	for typeName, schema := range p.Schema.ResourceSchemas {
		row, has := generated[typeName]
		if !has {
			t.Errorf("%s has no row", typeName)
			continue
		}
		state := p.ImportedByID(typeName, row.id)
		resp, err := p.Server.GenerateResourceConfig(t.Context(), &tfprotov6.GenerateResourceConfigRequest{TypeName: typeName, State: state})
		if err != nil {
			t.Errorf("%s: %v", typeName, err)
			continue
		}
		if missing, isError := strings.CutPrefix(row.want, "error: "); isError {
			p.WantDiag(resp.Diagnostics, "Configuration cannot be generated: "+typeName, "with "+missing+" as they were sent")
			continue
		}
		p.WantNone(resp.Diagnostics)
		typ, err := hclblock.Type(schema)
		if err != nil {
			t.Fatal(err)
		}
		config, err := msgpack.Unmarshal(resp.Config.MsgPack, typ)
		if err != nil {
			t.Fatal(err)
		}
		file := hclwrite.NewEmptyFile()
		body := file.Body().AppendNewBlock("resource", []string{typeName, "it"}).Body()
		want := strings.Fields(row.want)
		for name, value := range config.AsValueMap() {
			if value.IsNull() == slices.Contains(want, name) {
				t.Errorf("%s: %s is %#v", typeName, name, value)
			}
			if !value.IsNull() {
				body.SetAttributeValue(name, value)
			}
		}
		c := coretest.New(t, w.TestEnv)
		c.Config(w.Config(string(file.Bytes())))
		c.Import(typeName+".it", row.id)
		c.WantEmptyPlan()
	}
}

// The same with a CLI: one plan generates a block for each type, and imports.
func TestGeneratedConfig_CLI(t *testing.T) {
	t.Parallel()
	providertest.NeedsGeneration(t)
	w := providertest.NewLabelEnv(t)
	if err := w.Assign(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Byte"); err != nil {
		t.Fatal(err)
	}
	w.VerifyDNS(providertest.AcmeHost)
	imports := providertest.Imports{}
	for typeName, row := range generated {
		if !strings.HasPrefix(row.want, "error") && typeName != "reseller_members" { // which manages the person of reseller_member
			imports[typeName+".it"] = row.id
		}
	}
	text := w.Adopt(imports, nil)
	if !providertest.IsTofu(t) { // which writes the keys of a map, email addresses, without quotes
		text += w.Adopt(providertest.Imports{"reseller_members.it": generated["reseller_members"].id}, nil)
	}
	if providertest.OlderCLI(t, "1.14.0") {
		return // it generates by itself
	}
	for _, never := range []string{"owner ", "deletion_policy", "user_id"} {
		if strings.Contains(text, never) && !strings.Contains(text, never+"= null") {
			t.Errorf("%s is generated:\n%s", never, text)
		}
	}
}
