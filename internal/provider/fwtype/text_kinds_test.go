package fwtype

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestKinds_Check(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 63)
	for _, tc := range []struct {
		kind     Kind
		good     []string
		rejected []string
	}{
		{
			HostKind{},
			[]string{"sign.acme.example", "SIGN.Acme.Example", "a.b", "xn--bcher-kva.example", long + ".example", "1.acme.example", "a-b.example"},
			[]string{
				"", "acme", "https://sign.acme.example", "sign.acme.example/", "sign.acme.example:443", "ada@acme.example",
				"sign.acme.example.", ".acme.example", "sign..example", "-sign.example", "sign-.example", "si_gn.example", "bücher.example",
				"sign acme.example", "192.0.2.1", "::1", "a" + long + ".example", strings.Repeat("abcd.", 51) + "e",
			},
		},
		{
			EmailKind{},
			[]string{
				"ada@acme.example", "ADA+test@acme.example", "a.b_c@sub.acme.example", "ada@bücher.example", "ada@xn--bcher-kva.example",
				"ada@日本語.example", `"ada lovelace"@acme.example`, `"ada@home"@acme.example`, `"say \"hi\""@acme.example`, "jürgen@acme.example", "a/b@acme.example",
				"ada@acme", "ada@192.0.2.1", "ada@acme_2.example", // the API judges the domain
			},
			[]string{
				"<ada@acme.example>", `"Ada" <ada@acme.example>`, "ada@acme..example", "ada@acme.example (Ada)", "", "ada", "ada@", "@acme.example", "Ada <ada@acme.example>", "ada@acme.example, bob@acme.example", "ada @acme.example", "ada@@acme.example",
			},
		},
		{
			// Codes that ISO 4217 added or removed over the years.
			CurrencyKind{},
			[]string{"EUR", "eur", "MRU", "VES", "SLE", "VED", "ZWG", "XCG", "HRK", "XXX"},
			[]string{"", "EU", "EURO", "€", "E1R", " EUR", "ÉUR"},
		},
		{
			ColorKind{},
			[]string{"#0a4", "#0A4", "#00aa44", "#FFFFFF"},
			[]string{"", "0a4", "#0a", "#0a44", "#0a4g", "#00aa4", "#00aa445", "red", " #0a4"},
		},
		{
			URLKind{},
			[]string{"https://acme.example", "http://acme.example/help?x=1#top"},
			[]string{"", "acme.example", "ftp://acme.example", "https://", "https:///help", "https://acme example", "//acme.example", "javascript:alert(1)"},
		},
	} {
		t.Run(fmt.Sprintf("%T", tc.kind), func(t *testing.T) {
			t.Parallel()
			for _, s := range tc.good {
				assert.NoError(t, tc.kind.Check(s), "%q is rejected", s)
			}
			for _, s := range tc.rejected {
				assert.Error(t, tc.kind.Check(s), "%q is allowed", s)
			}
		})
	}
}

func TestKinds_Meaning(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		kind Kind
		a, b string
		same bool
	}{
		{HostKind{}, "SIGN.acme.example", "sign.ACME.example", true},
		{HostKind{}, "sign.acme.example", "sign.acme.examples", false},
		{EmailKind{}, "Ada@ACME.example", "ada@acme.example", true},
		{ColorKind{}, "#0A4", "#00aa44", true},
		{ColorKind{}, "#0a4", "#00aa45", false},
		{URLKind{}, "https://acme.example/A", "https://acme.example/a", false},
	} {
		assert.Equal(t, tc.same, tc.kind.Normal(tc.a) == tc.kind.Normal(tc.b), "%T: %q and %q the same", tc.kind, tc.a, tc.b)
	}
}

// What the API returns is on one line, with its spaces: the state of a code with two in a row is that code.
func TestNewText_OneLine(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"A  B": "A  B", "A\u00a0B": "A\u00a0B", " A ": "A", "A\r\n  B": "A B", "A\tB": "A B", "A\u0085B": "A B", "A\u2028B": "A B", "": "",
	} {
		assert.Equal(t, want, NewText[CodeKind](given).ValueString(), "%q", given)
	}
}

func FuzzKinds(f *testing.F) {
	for _, s := range []string{"sign.acme.example", "ada@acme.example", "#0a4", "https://acme.example", "", "é", "xn--"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, k := range []Kind{HostKind{}, EmailKind{}, ColorKind{}, URLKind{}, CurrencyKind{}} {
			// An accepted value stays accepted, and equal, in its normal spelling.
			if k.Check(s) != nil {
				continue
			}
			n := k.Normal(s)
			assert.NoError(t, k.Check(n), "%T: %q is allowed, its normal spelling %q is not", k, s, n)
			assert.Equal(t, n, k.Normal(n), "%T: the normal spelling of %q is not stable", k, s)
		}
	})
}

// Kinds have rules only for configurations: comparing and calculating works for any value.
func TestKinds_AnyValue(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "#", "#12", "#1234567", "é", "@", "a@", ".", "\xff"} {
		for _, k := range []Kind{HostKind{}, EmailKind{}, ColorKind{}, URLKind{}, CodeKind{}, CurrencyKind{}} {
			_ = k.Normal(s)
			_ = k.Check(s)
		}
		ratio := ContrastRatio(NewText[ColorKind](s), NewText[ColorKind]("#fff"))
		assert.GreaterOrEqual(t, ratio, 1.0, "%q has the contrast", s)
		assert.LessOrEqual(t, ratio, 21.0, "%q has the contrast", s)
	}
}

// An address that looks like the right one is an error that shows the character by its code point.
func TestEmail_InvisibleCharacters(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"ulla@yoga.example\u200b": "U+200B", "\ufeffulla@yoga.example": "U+FEFF", "vera@yoga.example\u00a0": "U+00A0", "ve\u00adra@yoga.example": "U+00AD",
		"vera\u2003@yoga.example": "U+2003", "vera@yoga\u2060.example": "U+2060", "vera@yoga.example\u202e": "U+202E", "vera@yoga.example\n": "U+000A",
		"vera@yoga.example ": "U+0020", "\"ve\u200bra\"@yoga.example": "U+200B", "\"ve ra\"@yoga.example": "", "vera@yoga.example": "", "véra@yoga.example": "",
	} {
		err := (EmailKind{}).Check(address)
		if want == "" {
			assert.NoError(t, err, "%q", address)
		} else {
			assert.ErrorContains(t, err, want, "%q", address)
		}
	}
}
