package export

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

func TestNameOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text      string
		separator rune
		want      string // ending in # for a hash
	}{
		{"sign.acme.example", '.', "sign_acme_example"},
		{"SIGN.Acme.example", '.', "sign_acme_example"},
		{"sign-acme.example", '.', "sign-acme_example"},
		{"sign_acme.example", '.', "sign_acme_example_#"},
		{"1st.example", '.', "_1st_example"},
		{".example", '.', "_example_#"},
		{"-a.example", '.', "_-a_example"},
		{"bücher.example", '.', "b_cher_example_#"},
		{"xn--bcher-kva.example", '.', "xn--bcher-kva_example"},
		{"${path.module}", '.', "_path_module__#"},
		{"", '.', "__#"},
		{"GOLD", '_', "gold"},
		{"GOLD_PLUS", '_', "gold_plus"},
		{"GOLD.PLUS", '_', "gold_plus_#"},
		{"2ND", '_', "_2nd"},
		{strings.Repeat("a", 200), '.', strings.Repeat("a", maxName) + "_#"},
	} {
		name, exact := nameOf(test.text, test.separator)
		shown := name
		if !exact {
			shown = regexp.MustCompile(`_[0-9a-f]{8}$`).ReplaceAllString(name, "_#")
		}
		if shown != test.want {
			t.Errorf("%q: %q, want %q", test.text, name, test.want)
		}
		if !hclsyntax.ValidIdentifier(name) {
			t.Errorf("%q: %q is no name", test.text, name)
		}
	}
}

func TestNames_Unique(t *testing.T) {
	t.Parallel()
	n := names{}
	for _, want := range []string{"a", "a_2", "a_3"} {
		if got := n.unique("a"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
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
		tokens := c.expression(attribute{"name", cty.ObjectVal(map[string]cty.Value{
			"a": cty.TupleVal([]cty.Value{want}), "b": cty.MapVal(map[string]cty.Value{want.AsString(): want}),
		})})
		file := hclwrite.NewEmptyFile()
		file.Body().SetAttributeRaw("x", tokens)
		text = string(hclwrite.Format(file.Bytes()))
		read, diags := hclsyntax.ParseConfig([]byte(text), "x.tf", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatalf("%s\n%v", text, diags)
		}
		attributes, _ := read.Body.JustAttributes()
		got, diags := attributes["x"].Expr.Value(nil)
		if diags.HasErrors() || !got.GetAttr("a").Index(cty.Zero).RawEquals(want) || !got.GetAttr("b").GetAttr(want.AsString()).RawEquals(want) {
			t.Errorf("%q is %s\n%v", want.AsString(), text, diags)
		}
	})
}
