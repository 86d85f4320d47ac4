package export

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/export/hclblock"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		separator rune
		texts     []string
		want      []string // ending in # for a hash
	}{
		{'.', []string{"sign.acme.example", "SIGN.Bolt.example"}, []string{"sign_acme_example", "sign_bolt_example"}},
		{'.', []string{"sign-acme.example"}, []string{"sign_acme_example"}},
		{'.', []string{"sign-acme.example", "sign.acme.example"}, []string{"sign_acme_example_#", "sign_acme_example"}},
		{'.', []string{"a-b.c.example", "a.b-c.example"}, []string{"a_b_c_example_#", "a_b_c_example_#"}},
		{'.', []string{"sign.acme.example", "Sign.Acme.Example"}, []string{"sign_acme_example", "sign_acme_example"}},
		{'.', []string{"1st.example", ".example", "-a.example"}, []string{"_1st_example", "_example_#", "_a_example_#"}},
		{'.', []string{"b\u00fccher.example", "xn--bcher-kva.example"}, []string{"b_cher_example_#", "xn__bcher_kva_example"}},
		{'.', []string{"${path.module}", ""}, []string{"_path_module__#", "__#"}},
		{'_', []string{"GOLD", "PLAN-02", "2ND"}, []string{"gold", "plan_02", "_2nd"}},
		{'_', []string{"GOLD_PLUS", "GOLD.PLUS", "GOLD-PLUS", "GOLD PLUS"}, []string{"gold_plus", "gold_plus_#", "gold_plus_#", "gold_plus_#"}},
		{'.', []string{strings.Repeat("a", 200)}, []string{strings.Repeat("a", maxName) + "_#"}},
	} {
		n := among(test.texts)
		for i, text := range test.texts {
			name, plain := n.identifierFor(text, test.separator)
			shown := name
			if !plain {
				shown = regexp.MustCompile(`_[0-9a-f]{8}$`).ReplaceAllString(name, "_#")
			}
			assert.Equal(t, test.want[i], shown, "%q: %q", text, name)
			assert.True(t, regexp.MustCompile(`^[a-z_][a-z0-9_]*$`).MatchString(name), "%q: %q is no name", text, name)
		}
	}
}

func TestAddress_Unique(t *testing.T) {
	t.Parallel()
	c := &configuration{taken: map[string]bool{}}
	for _, want := range []string{"x.a", "x.a_2", "x.a_3"} {
		assert.Equal(t, want, addressText(c.address("x", "a")))
	}
}

// A string of the configuration means the string of the API, for any string.
func FuzzString(f *testing.F) {
	for _, text := range []string{"", "${a}", "$${a}", "$$${", "%{ if }", "%%{", "$", "\x00\x1b\u202e", "\"\\\n\r\t", "\xff\xfe", "e\u0301", "\U0001f600", "<<EOT", "for", "null", "a-b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := cty.StringVal(strings.ToValidUTF8(text, "\ufffd"))
		c := &configuration{}
		tokens := c.expression(hclblock.Attribute{Name: "name", Value: cty.ObjectVal(map[string]cty.Value{
			"a": cty.TupleVal([]cty.Value{want}), "b": cty.MapVal(map[string]cty.Value{want.AsString(): want}),
		})})
		file := hclwrite.NewEmptyFile()
		file.Body().SetAttributeRaw("x", tokens)
		text = string(hclwrite.Format(file.Bytes()))
		read, diags := hclsyntax.ParseConfig([]byte(text), "x.tf", hcl.InitialPos)
		require.False(t, diags.HasErrors(), "%s\n%v", text, diags)
		attributes, _ := read.Body.JustAttributes()
		got, diags := attributes["x"].Expr.Value(nil)
		if diags.HasErrors() || !got.GetAttr("a").Index(cty.Zero).RawEquals(want) || !got.GetAttr("b").GetAttr(want.AsString()).RawEquals(want) {
			t.Errorf("%q is %s\n%v", want.AsString(), text, diags)
		}
	})
}
