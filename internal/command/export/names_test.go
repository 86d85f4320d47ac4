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
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for _, row := range texttable.Rows(strings.ReplaceAll(` # is a hash
		. | sign.acme.example,SIGN.Bolt.example          | sign_acme_example,sign_bolt_example
		. | sign-acme.example                            | sign_acme_example
		. | sign-acme.example,sign.acme.example          | sign_acme_example_#,sign_acme_example
		. | a-b.c.example,a.b-c.example                  | a_b_c_example_#,a_b_c_example_#
		. | sign.acme.example,Sign.Acme.Example          | sign_acme_example,sign_acme_example
		. | 1st.example,.example,-a.example              | _1st_example,_example_#,_a_example_#
		. | bücher.example,xn--bcher-kva.example         | b_cher_example_#,xn__bcher_kva_example
		. | ${path.module},                              | _path_module__#,__#
		_ | GOLD,PLAN-02,2ND                             | gold,plan_02,_2nd
		_ | GOLD_PLUS,GOLD.PLUS,GOLD-PLUS,GOLD PLUS      | gold_plus,gold_plus_#,gold_plus_#,gold_plus_#
		. | LONGLONG                                     | LONG_#
	`, "LONG", strings.Repeat("a", maxName)))[1:] {
		texts := strings.Split(row[1], ",")
		n := among(texts)
		var got []string
		for _, text := range texts {
			name, plain := n.identifierFor(text, rune(row[0][0]))
			assert.Regexp(t, `^[a-z_][a-z0-9_]*$`, name)
			if !plain {
				name = regexp.MustCompile(`_[0-9a-f]{8}$`).ReplaceAllString(name, "_#")
			}
			got = append(got, name)
		}
		assert.Equal(t, row[2], strings.Join(got, ","), row[1])
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
