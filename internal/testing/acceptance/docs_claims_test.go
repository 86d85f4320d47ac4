package acceptance

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// inlineCode is a literal in a sentence, and fenced a block.
var (
	inlineCode = regexp.MustCompile("`([^`\n]+)`")
	fenced     = regexp.MustCompile("(?ms)^ *```.*?\n *```$")
)

// A page names only commands and flags that exist.
func TestDocs_Commands(t *testing.T) {
	t.Parallel()
	binary := binaryOf(t)
	var flags strings.Builder // of all commands that pages name without their program
	for _, command := range []string{"check", "review", "export", "coverage", "simulate"} {
		flags.WriteString(helpOf(binary, command, "-h"))
	}
	flags.WriteString(helpOf(binary, "simulate", "do", "-h"))
	for _, command := range []string{"plan", "apply", "test"} {
		flags.WriteString(helpOf(providertest.CliBinary(t), command, "-help"))
	}
	flags.WriteString(" -debug -check -suppress-forget-errors -minimal-refresh ") // of the provider, of `make bench`, `tofu destroy` and a coming Terraform
	for page, text := range pages(t) {
		for _, code := range inlineCode.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			switch words := strings.Fields(code[1]); {
			case len(words) < 2 && !strings.HasPrefix(code[1], "-"):
			case strings.HasPrefix(code[1], "-"):
				if flag, _, _ := strings.Cut(words[0], "="); !strings.Contains(flags.String(), flag) && flag != "-/+" {
					t.Errorf("%s: no command has %s", page, flag)
				}
			case slices.Contains([]string{"check", "review", "export", "coverage", "simulate"}, words[0]):
				checkCommand(t, page, "terraform-provider-reseller "+code[1])
			case slices.Contains([]string{"make", "terraform", "terraform-provider-reseller"}, words[0]):
				checkCommand(t, page, code[1])
			}
		}
	}
}

// helpOf is what a command prints about itself.
func helpOf(program string, args ...string) string {
	out, _ := exec.Command(program, args...).CombinedOutput() // some exit with 2
	return string(out)
}

var (
	pageLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	ownFile  = regexp.MustCompile(`^https://github\.com/privatelabels/terraform-provider-reseller/(?:blob|tree)/main/([^#]+)`)
)

// Every link inside the repository leads to a file, and to a heading of it. The first page links to each guide.
func TestDocs_Links(t *testing.T) {
	t.Parallel()
	all := pages(t)
	for page := range all {
		if guide := "](guides/" + filepath.Base(page); filepath.Base(filepath.Dir(page)) == "guides" && !strings.Contains(all["docs/index.md"], guide) {
			t.Errorf("docs/index.md has no link to %s", page)
		}
	}
	for page, text := range all {
		for _, link := range pageLink.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			if own := ownFile.FindStringSubmatch(link[1]); own != nil {
				if _, err := os.Stat(own[1]); err != nil {
					t.Errorf("%s: %s leads nowhere", page, link[1])
				}
			}
			if strings.Contains(link[1], "://") {
				continue
			}
			target, anchor, _ := strings.Cut(link[1], "#")
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), target)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %s leads nowhere", page, link[1])
			} else if anchor != "" && !anchorsOf(all[file])[anchor] {
				t.Errorf("%s: %s leads to no heading of %s", page, link[1], file)
			}
		}
	}
}

var (
	pageHeading = regexp.MustCompile(`(?m)^#+ (.+)$|<a id="([^"]+)">`)
	notInAnchor = regexp.MustCompile(`[^\pL\d_ -]`)
)

// anchorsOf are those that GitHub and the registry give to the headings of a page.
func anchorsOf(text string) map[string]bool {
	anchors := map[string]bool{}
	for _, heading := range pageHeading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		anchors[heading[2]] = true
		anchors[strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(heading[1]), ""), " ", "-")] = true
	}
	return anchors
}

var variableName = regexp.MustCompile(`RESELLER_[A-Z_]+`)

// A page names only environment variables that the provider or the tests read, and each one of the provider is at its argument.
func TestDocs_EnvironmentVariables(t *testing.T) {
	t.Parallel()
	read := map[string]bool{"RESELLER_PLAN_API_KEY": true} // a secret of the pipelines
	for _, name := range variableName.FindAllString(sourcesOf(t, "*.go"), -1) {
		read[name] = true
	}
	all := pages(t)
	for page, text := range all {
		for _, name := range variableName.FindAllString(text, -1) {
			if !read[name] && name != "RESELLER_" {
				t.Errorf("%s: nothing reads %s", page, name)
			}
		}
	}
	settings := regexp.MustCompile(`"(RESELLER_[A-Z_]+)"`).FindAllStringSubmatch(readFile(t, "internal/provider/settings.go"), -1)
	require.GreaterOrEqual(t, len(settings), 15)
	for _, name := range settings {
		assert.True(t, strings.Contains(all["docs/index.md"], "Environment: `"+name[1]+"`"), "no argument on docs/index.md names %s", name[1])
	}
}

// The pages of what newer CLIs have name the first version, and an older CLI rejects it. TestExamples, TestExamples_Actions
// and TestExamples_Queries run it with newer ones.
func TestDocs_MinimumCLI(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ pages, says, since, example string }{
		{"actions", "Requires Terraform 1.14 or later", "1.14.0", "actions/reseller_attach_domain/action.tf"},
		{"list-resources", "Requires Terraform 1.14 or later", "1.14.0", ""},
		{"ephemeral-resources", "Requires Terraform 1.10 or OpenTofu 1.11", "1.10.0", "ephemeral-resources/reseller_access_token/ephemeral-resource.tf"},
		{"functions", "Requires Terraform 1.8 or OpenTofu 1.7", "1.8.0", "functions/contrast_ratio/function.tf"},
	} {
		t.Run(tc.pages, func(t *testing.T) {
			t.Parallel()
			files, err := filepath.Glob(filepath.Join("docs", tc.pages, "*.md"))
			require.NoError(t, err, "no pages")
			require.NotEmpty(t, files, "no pages: %v", err)
			for _, file := range files {
				assert.True(t, strings.Contains(readFile(t, file), tc.says), "%s lacks %q", file, tc.says)
			}
			if !providertest.OlderCLI(t, tc.since) {
				return
			}
			c := providertest.InstalledCLI(t)
			c.File("provider.tf", inSimulator)
			command := []string{"query", "-no-color"}
			if tc.example != "" {
				command = []string{"validate", "-no-color"}
				c.File("example.tf", readFile(t, filepath.Join("examples", tc.example)))
			}
			c.Run("init", "-no-color", "-input=false") // fails here, or the next command does
			ran := c.Run(command...)
			assert.NotEqual(t, 0, ran.Code, "a CLI before %s accepts it:\n%s", tc.since, ran.Out)
		})
	}
}

// simulate serves the simulator, and returns the environment variables that it prints.
func simulate(t *testing.T, args ...string) map[string]string {
	t.Helper()
	cmd := exec.Command(binaryOf(t), append([]string{"simulate", "-listen", "127.0.0.1:0"}, args...)...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	env := map[string]string{}
	for range 5 {
		var name, value string
		var line string
		if _, err := fmt.Fscanln(out, &line, &name); err != nil || line != "export" {
			t.Fatalf("%q, %v", line, err)
		}
		name, value, _ = strings.Cut(name, "=")
		env[name] = value
	}
	return env
}

// shell is the environment of the tests with the variables.
func shell(env map[string]string, more ...string) []string {
	all := append(environWithout("RESELLER_"), more...)
	for name, value := range env {
		all = append(all, name+"="+value)
	}
	return all
}

// The calls with curl of the simulator's guide work as they are.
func TestExamples_Curl(t *testing.T) {
	t.Parallel()
	needsTool(t, "curl")
	out, err := bash(checkout, shell(simulate(t, "-seed", "2"), "NO_PROXY=127.0.0.1"), readFile(t, "examples/simulator/calls.sh"))
	require.NoError(t, err, out)
	assert.Equal(t, 2, strings.Count(out, `"status":"OK"`), out)
	for _, want := range []string{"sign.client-0002.example", `"name":"sign.acme.example"`} {
		assert.Contains(t, out, want)
	}
}

// estate is a simulator with private labels, seen by programs through a proxy that counts their calls.
type estate struct {
	t           *testing.T
	environment []string
	calls       atomic.Int64
}

func newEstate(t *testing.T, labels int) *estate {
	t.Helper()
	env := simulate(t, "-seed", strconv.Itoa(labels), "-fast")
	target, err := url.Parse(env["RESELLER_BASE_URL"])
	require.NoError(t, err)
	e := &estate{t: t}
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ModifyResponse: func(resp *http.Response) error {
			if resp.StatusCode != http.StatusTooManyRequests { // on a busy machine, a second is short
				e.calls.Add(1)
			}
			return nil
		},
	})
	t.Cleanup(proxy.Close)
	env["RESELLER_BASE_URL"] = proxy.URL
	e.environment = shell(env, "TF_CLI_CONFIG_FILE="+providertest.MirrorOf(t, providertest.TestVersion).RC, "CHECKPOINT_DISABLE=1", "TF_CLI_ARGS=-no-color", "TF_INPUT=0")
	return e
}

// run runs a program in a directory, with the access token of the cache, and returns how many calls it made.
func (e *estate) run(cache, dir, want, program string, args ...string) int {
	e.t.Helper()
	before := e.calls.Load()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, slices.Concat(e.environment, []string{"RESELLER_TOKEN_CACHE_DIR=" + cache})
	out, err := cmd.CombinedOutput()
	require.NoError(e.t, err, "%v, want %q\n%.2000s", args, want, out)
	require.Contains(e.t, string(out), want, args)
	return int(e.calls.Load() - before)
}

// The figures of an export in the guide "Import an existing reseller": 300 private labels are exported, imported and planned.
func TestDocs_Export(t *testing.T) {
	t.Parallel()
	providertest.Once(t)
	const page = "docs/guides/import-reseller.md"
	binary := binaryOf(t)
	e, cli, cache, dir := newEstate(t, 300), providertest.CliBinary(t), t.TempDir(), filepath.Join(t.TempDir(), "portals")
	form := "1.7"
	if providertest.OlderCLI(t, "1.7.0") {
		form = "1.5"
	}
	rows := map[string]int{
		"export with `-members none`": e.run(t.TempDir(), ".", "300 API calls", binary, "export", "-members", "none", "-out", filepath.Join(t.TempDir(), "out")),
		"export":                      e.run(cache, ".", "1178 to import", binary, "export", "-terraform", form, "-out", dir),
	}
	e.run(cache, dir, "", cli, "init")
	rows["plan of the import"] = e.run(cache, dir, "1178 to import, 0 to add, 0 to change, 0 to destroy", cli, "plan", "-out=portals.plan")
	rows["apply of the saved plan"] = e.run(cache, dir, "1178 imported", cli, "apply", "portals.plan")
	rows["the next plan"] = e.run(cache, dir, "No changes.", cli, "plan")
	text := readFile(t, page)
	for row, calls := range rows {
		shown := fmt.Sprintf("| %s | %d calls, ", row, calls)
		if calls == 0 {
			shown = fmt.Sprintf("| %s | no call, ", row)
		}
		assert.True(t, strings.Contains(text, shown), "%s does not say %q", page, shown)
	}
	assert.True(t, strings.Contains(text, "| objects to import | 1,178 |"), "%s does not say how many objects are imported", page)
}

// The figures of an import by hand are those of 20 private labels, with the calls of each further
// one.
func TestDocs_ImportByHand(t *testing.T) {
	t.Parallel()
	providertest.Once(t)
	providertest.NeedsCLI(t, "1.7.0", "for_each of import blocks")
	providertest.NeedsGeneration(t)
	const page, here, there = "docs/guides/import-reseller.md", 20, 300
	e, cli, cache := newEstate(t, here), providertest.CliBinary(t), t.TempDir()
	required, _, _ := strings.Cut(inSimulator, "provider \"reseller\"")
	directory := func(example string) string {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "provider.tf"), required+"provider \"reseller\" {}\n")
		if example != "" {
			write(t, filepath.Join(dir, "main.tf"), readFile(t, filepath.Join("examples", "importing", example)))
		}
		e.run(cache, dir, "", cli, "init")
		return dir
	}
	const imported = "118 to import, 0 to add, 0 to change, 0 to destroy"
	find, adopt := directory("blocks.tf"), directory("")
	calls := e.run(cache, find, "Apply complete!", cli, "apply", "-auto-approve")
	blocks := exec.Command(cli, "output", "-raw", "imports")
	blocks.Dir, blocks.Env = find, e.environment
	text, err := blocks.Output()
	require.NoError(t, err)
	imports := string(text)
	if !providertest.OlderCLI(t, "1.16.0") { // as the page says
		imports = strings.ReplaceAll(imports, "import {\n", "import {\n  provider = reseller\n")
	}
	write(t, filepath.Join(adopt, "imports.tf"), imports)
	calls += e.run(cache, adopt, imported, cli, "plan", "-generate-config-out=generated.tf", "-out=adopt.plan")
	calls += e.run(cache, adopt, "118 imported", cli, "apply", "adopt.plan")
	all := e.run(t.TempDir(), directory("everything.tf"), imported, cli, "plan")
	for example, calls := range map[string]int{"blocks.tf": calls + 3*(there-here), "everything.tf": all + 2*(there-here)} {
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^\|.*/examples/importing/%s\)[^|]* \| %d \|`, regexp.QuoteMeta(example), calls))
		assert.Regexp(t, row, readFile(t, page))
	}
}

// The steps of the guide for a signing: with the IDs in the resource and without the data sources, a plan is empty.
func TestDocs_SigningSteps(t *testing.T) {
	t.Parallel()
	const example = "examples/resources/reseller_document_signing/resource.tf"
	p := newProject(t, example)
	p.Apply().WantOK(t)
	command := regexp.MustCompile("`(terraform state show [^`]+)`").FindStringSubmatch(readFile(t, "docs/guides/signing.md"))
	require.NotNil(t, command, "the guide shows no IDs")
	shown := p.Raw(append(strings.Fields(command[1])[1:], "-no-color")...)
	ids := regexp.MustCompile(`(?s)annotations\s*= (\{.*?\n    \})`).FindStringSubmatch(shown)
	require.NotNil(t, ids, "no annotations in\n%s", shown)
	documents, signing, _ := strings.Cut(readFile(t, example), "# Each read adds")
	_, signing, _ = strings.Cut(signing, "data \"reseller_signatures\" \"mine\" {}\n")
	before, _, _ := strings.Cut(signing, "  # Do not filter")
	p.File("resource.tf", documents+before+"  annotations = "+ids[1]+"\n}\n")
	planned := p.Plan()
	planned.WantOK(t)
	assert.NotContains(t, planned.Out, "log entry", "the plan views the document")
}
