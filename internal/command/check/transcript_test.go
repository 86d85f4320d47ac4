package check_test

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

// hostile are values that no transcript may have. Each is in the responses in many places and encodings.
var hostile = slices.Concat(texttable.Rows(names.Replace(`
	$apiKey | $signingKey | $token | kljhgfdsapoiuytrewq | $slug | lovelace | Babbage | byron | ada@lovelace.example
	partner.resellers | $goldLabel | $bareLabel | $suspended | $gold | $scans | 88888888888888888888888888888888 | 0123456789abcdef0123456789abcdef
	GOLD | Golden | SCANS | Lovelace Ltd | ewqz | signature-of-ada | Terms of Lovelace | quimby | Quimby-Ferrars | mayor.quimby@city-hall.example
	city-hall | Zoë Ærøskøbing | Ærøskøbing | Ωμέγα | 東京タワー | Bookkeeper | countersigned | lovelycorp | mabel | dorothea
	🦊🦊 | 203.0.113.77 | 2001:db8:85a3::8a2e:370:7334 | +49 30 901820 | 901820 | tenfour-secret-word | 471193 | sesame-open-key
	hunter2hunter2 | 8b1f0c9e-72da-4a6f-9d3e-5f0a1b2c3d4e | Evergreen Terrace | 74298 | QUIMBY10 | Nordwind | springfield | 901827
`))...)

// encodings are how a text can have a value.
var encodings = map[string]func(string) string{
	"plain":   func(s string) string { return s },
	"query":   url.QueryEscape,
	"percent": func(s string) string { return regexp.MustCompile(`..`).ReplaceAllString(fmt.Sprintf("%X", s), "%$0") },
	"hex":     func(s string) string { return fmt.Sprintf("%x", s) },
	"base64":  func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64url": func(s string) string {
		return base64.RawURLEncoding.EncodeToString([]byte("x" + s))
	},
	"escaped": func(s string) string {
		var out strings.Builder
		for _, c := range s {
			fmt.Fprintf(&out, `\u%04x`, c)
		}
		return out.String()
	},
	"html": func(s string) string {
		var out strings.Builder
		for _, c := range s {
			fmt.Fprintf(&out, "&#%d;", c)
		}
		return out.String()
	},
	"json":  func(s string) string { return `{"name":` + quoted(s) + `,"` + strings.ReplaceAll(s, `"`, "") + `":1}` },
	"json2": func(s string) string { return `[` + quoted(`{"of":`+quoted(s)+`}`) + `]` },
	"upper": strings.ToUpper,
	"url": func(s string) string {
		return "https://" + strings.ReplaceAll(s, " ", "-") + "/a?b=" + url.QueryEscape(s) + "#" + url.PathEscape(s)
	},
}

func quoted(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

// hostileService has the values in documented fields, in fields that are not documented, in keys and in headers.
func hostileService() *service {
	notes := map[string]any{}
	for i, value := range hostile {
		for name, encode := range encodings {
			notes[fmt.Sprintf("note%c%c%s", 'A'+i/26, 'a'+i%26, name)] = []string{encode(value), "see " + encode(value) + ", or call"}
		}
		notes[value] = map[string]any{value: i, "role": value, "status": value, "type": value, "period": value, "createdAt": value}
	}
	notes["teams"] = []any{map[string]any{"mabel": 1, "dorothea": 2}, map[string]any{"bookkeeper": 3}}
	notes["list"] = []any{map[string]any{"id": "x", "mabel": 1}, map[string]any{"id": "y", "dorothea": 2}}
	notes["mark"], notes["lastFour"], notes["logged"] = "🦊🦊", 901827, []any{map[string]any{"role": "Bookkeeper", "action": "countersigned"}}
	notes["mailPassword"], notes["docPassword"], notes["passcode"] = "hunter2hunter2", "tenfour-secret-word", 471193
	notes["confirmation"] = map[string]any{"key": "sesame-open-key", "expiresAt": 1790000000000}
	notes["secrets"] = map[string]any{"deep": []string{"hunter2hunter2"}}
	more, _ := json.Marshal(notes)
	return newService(strings.ReplaceAll(hostileScript, "NOTES", string(more)))
}

//go:embed testdata/hostile.txt
var hostileScript string

func TestTranscript_Hostile(t *testing.T) {
	t.Parallel()
	got := run(t, hostileService())
	require.Equal(t, 2, got.status, "status\n%s\n%s", got.out, got.said)
	searched := 0
	for text, what := range map[string]string{got.fileContent: "the file", decoded(got.fileContent): "the decoded file", got.out: "the report"} {
		folded := strings.ToLower(text)
		for _, value := range hostile {
			if what == "the decoded file" && len(value) < 6 {
				continue // by chance, what was replaced decodes to any short text
			}
			for name, encode := range encodings {
				searched++
				assert.NotContains(t, folded, strings.ToLower(encode(value)), "%s has %q (%s)", what, value, name)
			}
		}
	}
	t.Logf("searched for %d texts in %d bytes", searched, len(got.fileContent))
	for _, kept := range []string{
		"privateLabels", `"Suspended"`, "INVALID_REQUEST", "client_credentials", "reseller:read", `"RateLimit-Limit": "60"`, "1790000000000", `"status": "OK"`,
		`"api_key": "removed"`, `"access_token": "removed"`, `"docPassword": "removed"`, `"key": "removed"`, `"passcode": 0`,
	} {
		assert.Contains(t, got.fileContent, kept, "the file lost")
	}
	again := replay(t, got.transcript)
	assert.Equal(t, got.status, again.status, "the replay has status: %s", again.said)
}

// decoded returns the text with the base64 and the escapes in it decoded.
func decoded(text string) string {
	var out strings.Builder
	for _, run := range regexp.MustCompile(`[A-Za-z0-9+/_-]{8,}`).FindAllString(text, -1) {
		for skip := range 4 {
			plain, err := base64.RawStdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(run[min(skip, len(run)):]))
			if err == nil {
				out.Write(plain)
			}
		}
	}
	plain, err := url.PathUnescape(strings.ReplaceAll(text, "%", "%25"))
	if err == nil {
		out.WriteString(plain)
	}
	return out.String()
}

// The same value has the same replacement, in the same form, in every place and encoding.
func TestTranscript_Consistent(t *testing.T) {
	t.Parallel()
	got := run(t, newService(`data GET …/private-labels/$goldLabel | "attached":true | "note":"Write to ADA@lovelace.example, `+
		`ada%40lovelace.example or {\"of\":\"ada@lovelace.example\"} by \\u0061da; 203.0.113.77","attached":true
data GET …/private-labels/$goldLabel | "firstName":"Ada" | "firstName":"ADA"`))
	var file struct {
		Exchanges []struct {
			Request struct {
				Path string
				Body json.RawMessage
			}
			Response struct{ Body json.RawMessage }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(got.fileContent), &file))
	var detail struct {
		Data struct {
			TenantID, PrimaryHost string
			Owner                 struct{ Email, FirstName, LastName, UserID string }
			DomainSetup           struct{ Note string }
		}
	}
	for _, e := range file.Exchanges {
		if strings.Contains(string(e.Response.Body), `"note"`) {
			require.NoError(t, json.Unmarshal(e.Response.Body, &detail))
			assert.True(t, strings.HasSuffix(e.Request.Path, "/private-labels/"+detail.Data.TenantID), "%s is about %s", e.Request.Path, detail.Data.TenantID)
		}
	}
	d := detail.Data
	assert.True(t, regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(d.TenantID), "another form: %q, %q", d.TenantID, d.Owner.Email)
	assert.True(t, regexp.MustCompile(`^[a-z]{3}@[a-z]{8}\.[a-z]{7}$`).MatchString(d.Owner.Email), "another form: %q, %q", d.TenantID, d.Owner.Email)
	name, host, _ := strings.Cut(d.Owner.Email, "@")
	if !strings.EqualFold(d.Owner.FirstName, name) || d.Owner.FirstName == name || !strings.EqualFold(d.Owner.LastName, strings.Split(host, ".")[0]) || !strings.HasSuffix(d.PrimaryHost, "."+host) {
		t.Errorf("what belonged together does not: %+v of %s", d.Owner, d.PrimaryHost)
	}
	for _, part := range []string{strings.ToUpper(name) + "@" + host, name + "%40" + host, `"` + d.Owner.Email + `"`} {
		assert.Contains(t, d.DomainSetup.Note, part, "has no")
	}
	assert.True(t, regexp.MustCompile(`; \d{3}\.\d\.\d{3}\.\d{2}$`).MatchString(d.DomainSetup.Note), "no IP address at the end of %q", d.DomainSetup.Note)
}

func TestTranscript_Mode(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	got := run(t, newService(""))
	info, err := os.Stat(got.transcript)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	assert.Contains(t, got.said, "Read it before you send it", "does not ask for a look")
	assert.Contains(t, got.fileContent, "Read it before you send it", "does not ask for a look: %s", got.said)
}
