package acceptance

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// snippet is a fenced block of a page.
type snippet struct{ page, language, text string }

// pages are all pages that users read, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, page := range found {
			texts[page] = readFile(t, page)
		}
	}
	return texts
}

// snippets of all pages that users read.
func snippets(t *testing.T) []snippet {
	t.Helper()
	var all []snippet
	for page, text := range pages(t) {
		all = append(all, snippetsIn(page, text)...)
	}
	require.NotEmpty(t, all, "the pages have no blocks")
	return all
}

func snippetsIn(page, text string) []snippet {
	var found []snippet
	inside := false
	indent := "" // of a block in a list
	for line := range strings.Lines(text) {
		before, language, isFence := strings.Cut(line, "```")
		isFence = isFence && strings.TrimSpace(before) == ""
		switch {
		case isFence && !inside:
			indent = before
			found = append(found, snippet{page: page, language: strings.TrimSpace(language)})
		case inside && !isFence:
			found[len(found)-1].text += strings.TrimPrefix(line, indent)
		}
		inside = inside != isFence
	}
	return found
}

// tested maps the files under examples/ to the test that runs them.
var tested = map[string][]string{
	"TestExamples":                                 {"examples/provider/provider.tf", "examples/resources/*/resource.tf", "examples/data-sources/*/*.tf", "examples/ephemeral-resources/*/*.tf", "examples/functions/*/*.tf", "examples/signing/*.tf"},
	"TestExamples_Live":                            {"examples/provider/live.tf", "examples/provider/signing.tf"},
	"TestExamples_Imports":                         {"examples/resources/*/import*"},
	"TestExamples_Configurations":                  {"examples/configurations/*/*.tf", "examples/configurations/*/*/*.tf", "examples/configurations/*/*.hcl", "examples/configurations/*/.github/workflows/*", "examples/configurations/*/.gitlab-ci.yml"},
	"TestScripts":                                  {"examples/configurations/ci/.github/actions/review/action.yml", "examples/configurations/ci/atlantis.yaml"},
	"TestExamples_Curl":                            {"examples/simulator/*.sh"},
	"TestDocs_Drills":                              {"examples/simulator/drills/*.tf"},
	"TestExamples_Moved":                           {"examples/troubleshooting/moved.tf"},
	"TestExamples_Removed":                         {"examples/troubleshooting/removed.tf"},
	"TestExamples_Watching":                        {"examples/watching/*.tf"},
	"TestExamples_DNS":                             {"examples/dns/*.tf"},
	"TestExamples_Actions":                         {"examples/actions/*/action.tf"},
	"TestExamples_Queries":                         {"examples/list-resources/*/*"},
	"TestImport_Estate (internal/provider)":        {"examples/importing/*.tf"},
	"TestExport_Example (internal/command/export)": {"examples/export/*.tf"},
	"TestExport_Clients (internal/command/export)": {"examples/clients/*.tf", "examples/export/sign.acme.example.yaml"},
	"TestExamples_Testing":                         {"examples/testing/*.hcl", "examples/testing/setup/*.tf"},
	"TestExport_Tested (internal/command/export)":  {"examples/testing/export/*.hcl", "examples/export/sign.dune.example.yaml"},
}

// A test runs everything that a page shows to be copied.
func TestDocs_Snippets(t *testing.T) {
	t.Parallel()
	run := map[string]bool{}
	for _, patterns := range tested {
		for _, pattern := range patterns {
			files, err := filepath.Glob(pattern)
			require.NoError(t, err, "%s: no files", pattern)
			assert.NotEmpty(t, files, "%s: no files, %v", pattern, err)
			for _, file := range files {
				run[strings.TrimSpace(readFile(t, file))] = true
			}
		}
	}
	for _, s := range snippets(t) {
		switch s.language {
		case "terraform", "hcl", "yaml", "shell":
			if s.page != "README.md" && !run[strings.TrimSpace(s.text)] { // TestReadme_QuickStart runs that
				t.Errorf("%s shows what no test runs; put it into a file under examples/:\n%s", s.page, s.text)
			}
		case "sh":
			for line := range strings.Lines(s.text) {
				checkCommand(t, s.page, line)
			}
		}
	}
}

// assignment sets an environment variable for one command.
var assignment = regexp.MustCompile(`^[A-Z_]+=`)

// checkCommand checks that a command exists: a target of make, a flag of `simulate`, or another program.
func checkCommand(t *testing.T, page, line string) {
	t.Helper()
	line, _, _ = strings.Cut(line, "#")
	words := strings.Fields(line)
	for len(words) > 0 && assignment.MatchString(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	programs := []string{"cd", "curl", "gh", "go", "mkdir", "rm", "tar", "terraform-provider-reseller"}
	switch program := filepath.Base(words[0]); {
	case program == "make":
		if len(words) > 1 && exec.Command("make", "-n", "-s", words[1]).Run() != nil {
			t.Errorf("%s: there is no `make %s`", page, words[1])
		}
	case program == "terraform" && len(words) > 1:
		checkTerraform(t, page, words)
	case program == "terraform-provider-reseller" && len(words) > 1 && words[1] != "version":
		command, rest := words[1:2], words[2:]
		if len(rest) > 1 && rest[0] == "do" {
			command = words[1:3]
		}
		help, _ := exec.Command(binaryOf(t), append(slices.Clone(command), "-h")...).CombinedOutput() // -h exits with 2
		if len(command) > 1 && rest[1] != "-h" && !strings.Contains(string(help), "\n  "+rest[1]+" ") {
			t.Errorf("%s: simulate do has no verb %s:\n%s", page, rest[1], help)
		}
		for _, word := range rest {
			if word != "-h" && strings.HasPrefix(word, "-") && !strings.Contains(string(help), word) {
				t.Errorf("%s: %s has no flag %s:\n%s", page, strings.Join(command, " "), word, help)
			}
		}
	case !slices.Contains(programs, program):
		t.Errorf("%s: nobody looks whether there is %s", page, program)
	}
}

// newerCommands came with a version of Terraform.
var newerCommands = map[string]string{"test": "1.6.0", "query": "1.14.0"}

// checkTerraform checks that the CLI has a command with its flags.
func checkTerraform(t *testing.T, page string, words []string) {
	t.Helper()
	if since := newerCommands[words[1]]; since != "" && providertest.OlderCLI(t, since) {
		return
	}
	args := []string{words[1], "-help"}
	if words[1] == "state" && len(words) > 2 {
		args = slices.Insert(args, 1, words[2])
	}
	help, err := exec.Command(providertest.CliBinary(t), args...).CombinedOutput()
	assert.NoError(t, err, "%s: there is no `terraform %s`:\n%s", page, strings.Join(args, " "), help)
	if words[1] == "apply" { // it has the options of plan, which its help does not repeat
		help = append(help, helpOf(providertest.CliBinary(t), "plan", "-help")...)
	}
	for _, word := range words[2:] {
		flag, _, _ := strings.Cut(word, "=")
		if word == "|" || word == "&&" {
			break
		}
		if strings.HasPrefix(flag, "-") && !strings.Contains(string(help), flag) {
			t.Errorf("%s: terraform %s has no flag %s", page, words[1], flag)
		}
	}
}

// The error that the page of the assignment shows is the one of the demo, and the consent of its example is enough.
func TestDocs_ExceedTheAllowance(t *testing.T) {
	t.Parallel()
	const page = "docs/resources/assignment.md"
	p := newProject(t, "demo/three/main.tf", "demo/catalog/catalog.tf")
	exceeds := p.Apply()
	exceeds.WantError(t)
	wantShownBy(t, page, exceeds.Out)
	_, example, _ := strings.Cut(readFile(t, page), "## Exceed the allowance\n")
	consent := regexp.MustCompile("`(allow_excess = [^`]+)`").FindStringSubmatch(example)
	require.NotNil(t, consent, "the example shows other numbers:\n%s", example)
	require.Contains(t, example, "20,000 documents", "the example shows other numbers")
	require.Contains(t, example, "10,000 of the allowance remain", "the example shows other numbers")
	p.File("terraform.tfvars", consent[1]+"\n")
	p.Apply().WantOK(t)
}

// wantShownBy asserts that the CLI printed what a page shows of it.
func wantShownBy(t *testing.T, page, said string) {
	t.Helper()
	shown := ""
	for _, s := range snippets(t) {
		if s.page == page && s.language == "" {
			shown = plainWords(s.text)
		}
	}
	if said = plainWords(said); shown == "" || !strings.Contains(said, shown) {
		t.Errorf("%s shows\n%s\nand the CLI prints\n%s", page, shown, said)
	}
}

var cliFrame = regexp.MustCompile(`(?m)^[│╷╵] ?|^ *with reseller_.*$|^ *on .* line .*$|^ *\d+: .*$`)

// plainWords is a text without the CLI's frame and its line breaks.
func plainWords(text string) string {
	return strings.Join(strings.Fields(cliFrame.ReplaceAllString(text, "")), " ")
}

// Settings for the live API cannot be applied here; they are validated.
func TestExamples_Live(t *testing.T) {
	t.Parallel()
	for _, example := range []string{"examples/provider/live.tf", "examples/provider/signing.tf"} {
		t.Run(filepath.Base(example), func(t *testing.T) {
			t.Parallel()
			c := providertest.InstalledCLI(t)
			c.Config(readFile(t, example))
			c.Validate().WantOK(t)
		})
	}
}

// Actions came with CLI 1.14.
func TestExamples_Actions(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.14.0", "actions")
	for name, needs := range map[string]string{"reseller_attach_domain": "reseller_private_label", "reseller_resend_invite": "reseller_member"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, "examples/resources/"+needs+"/resource.tf", "examples/actions/"+name+"/action.tf")
			invoke := regexp.MustCompile(`-invoke=(\S+)`).FindString(p.Read("action.tf"))
			p.Apply().WantOK(t)
			invoked := p.Apply(invoke)
			// The email of adding the person is younger than five minutes.
			if name != "reseller_resend_invite" || !strings.Contains(invoked.Out, "TOO_FREQUENT") {
				invoked.WantOK(t)
			}
		})
	}
}

// Queries came with CLI 1.14.
func TestExamples_Queries(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.14.0", "terraform query")
	queries, err := filepath.Glob("examples/list-resources/*/*.tfquery.hcl")
	require.NoError(t, err, "no queries")
	require.NotEmpty(t, queries, "no queries: %v", err)
	for _, query := range queries {
		t.Run(filepath.Base(filepath.Dir(query)), func(t *testing.T) {
			t.Parallel()
			p := newProject(t, "examples/resources/reseller_member/resource.tf")
			p.Apply().WantOK(t)
			p.File(filepath.Base(query), idsOf(p.State())["reseller_private_label.acme"].Replace(readFile(t, query)))
			p.Ok("query", "-no-color")
		})
	}
}

// The warning that the first page shows equals the plan's.
func TestDocs_IndexWarning(t *testing.T) {
	t.Parallel()
	wantShownBy(t, "docs/index.md", newProject(t, exampleLabel).Plan().Out)
}
