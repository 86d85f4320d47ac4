package acceptance

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// workflow is what the tests read of a workflow's file.
type workflow struct {
	On   map[string]any `yaml:"on"`
	Jobs map[string]job `yaml:"jobs"`
}

type job struct {
	Needs       names             `yaml:"needs"`
	Uses        string            `yaml:"uses"`
	If          string            `yaml:"if"`
	Environment string            `yaml:"environment"`
	Permissions map[string]string `yaml:"permissions"`
	Strategy    struct {
		Matrix map[string]yaml.Node `yaml:"matrix"`
	} `yaml:"strategy"`
	Steps []step `yaml:"steps"`
}

type step struct {
	Uses string            `yaml:"uses"`
	Run  string            `yaml:"run"`
	If   string            `yaml:"if"`
	With map[string]string `yaml:"with"`
	Env  map[string]string `yaml:"env"`
}

// names is one name or a list of names.
type names []string

func (n *names) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*n = names{node.Value}
		return nil
	}
	return node.Decode((*[]string)(n))
}

func readWorkflow(t *testing.T, file string) workflow {
	t.Helper()
	var w workflow
	require.NoError(t, yaml.Unmarshal([]byte(readFile(t, file)), &w), file)
	return w
}

const releaseTag = "v1.2.0"

// release runs release.yml: each `run` as it is, in a checkout for each job, and each action as this file says. GoReleaser
// and GitHub's CLI are replaced.
type release struct {
	t    *testing.T
	dir  string // of everything
	plan workflow
	env  []string // besides what depends on dir

	before map[string]func(files string) // by job: happens before its last step
	failAt string                        // the step that fails, none of which is run
	log    strings.Builder
	steps  []string // that were started
}

const releasedBy = "github.com/privatelabels/terraform-provider-reseller"

// newRelease has a repository with the tag, whose only module is that of fakeModules.
func newRelease(t *testing.T) *release {
	t.Helper()
	needsTool(t, "gpg")
	needsTool(t, "unzip")
	r := &release{t: t, dir: t.TempDir(), plan: readWorkflow(t, ".github/workflows/release.yml")}
	for _, dir := range []string{"bin", "home", "hosted/releases", "source", "prepared"} {
		require.NoError(t, os.MkdirAll(r.path(dir), 0o700))
	}
	r.env = append(environWithout("GO", "GIT_", "GH_", "GITHUB_", "RUNNER_", "GPG_"),
		"GOPROXY="+fakeModules(t, http.StatusNotFound), "GOSUMDB=off", "GOFLAGS=-modcacherw", "GOMODCACHE="+r.path("modules"), "GOCACHE="+goCache(t),
		"GITHUB_REF_NAME="+releaseTag)
	r.env = append(r.env, gitAlone...)
	r.copy("internal/testing/acceptance/testdata/release/gh", "bin/gh")
	for _, file := range []string{
		"scripts/release", "scripts/release-build", "scripts/verify-release", "scripts/changelog", "scripts/modules", "terraform-registry-manifest.json",
		".goreleaser.yml", "internal/tool/sbom/main.go", "internal/tool/ocilayout/main.go",
	} {
		r.copy(file, filepath.Join("source", file))
	}
	for file, text := range map[string]string{
		"source/go.mod":                "module " + releasedBy + "\n\ngo 1.26.0\n\nrequire example.com/here v1.2.3\n",
		"source/main.go":               "package main\n\nimport _ \"example.com/here\"\n\nvar version string\n\nfunc main() { println(version) }\n",
		"source/CHANGELOG.md":          "# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-03-14\n\n### Added\n\n- A thing.\n",
		"source/GNUmakefile":           "test-full:\n\t@true\n",
		"source/.changelog/README.md":  "# Fragments\n",
		"source/scripts/release-tools": "#!/bin/sh\nmkdir -p \"$1\"\n",
		"bin/goreleaser":               "#!/bin/sh\nset -e\n[ \"$*\" = \"release --clean --skip=publish,announce\" ]\nmkdir dist\ncp \"$PREPARED\"/* dist\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(r.path(file)), 0o700))
		require.NoError(t, os.WriteFile(r.path(file), []byte(text), 0o700))
	}
	r.run("source", "go mod tidy; git init --quiet --initial-branch main; git add .; git commit --quiet --message first; git tag "+releaseTag)
	r.prepare()
	return r
}

// goCache is the build cache of the tests, so that the programs of the repository are built once.
func goCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

func (r *release) path(elements ...string) string {
	return filepath.Join(append([]string{r.dir}, elements...)...)
}

func (r *release) copy(from, to string) {
	r.t.Helper()
	require.NoError(r.t, os.MkdirAll(filepath.Dir(r.path(to)), 0o700))
	require.NoError(r.t, os.WriteFile(r.path(to), []byte(readFile(r.t, from)), 0o700))
}

func (r *release) run(dir, commands string) {
	r.t.Helper()
	out, err := r.bash(r.path(dir), commands)
	require.NoError(r.t, err, "%s\n%s", commands, out)
}

func (r *release) bash(dir, commands string, env ...string) (string, error) {
	return bash(dir, slices.Concat(r.env, env, []string{
		"PATH=" + r.path("bin") + ":" + os.Getenv("PATH"), "HOME=" + r.path("home"), "HOSTED=" + r.path("hosted"), "PREPARED=" + r.path("prepared"),
	}), commands)
}

// prepare makes what GoReleaser and Syft would: a zip, its SBOM and the checksums, for the machine of the tests.
func (r *release) prepare() {
	r.t.Helper()
	name := "terraform-provider-reseller_1.2.0"
	binary := r.path("binary")
	r.run("source", "scripts/release-build "+binary+" 1.2.0")
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	f, err := z.Create("terraform-provider-reseller_v1.2.0")
	require.NoError(r.t, err)
	_, err = f.Write([]byte(readFile(r.t, binary)))
	require.NoError(r.t, err)
	require.NoError(r.t, z.Close())
	info, err := buildinfo.ReadFile(binary)
	require.NoError(r.t, err)
	require.Len(r.t, info.Deps, 1)
	target := name + "_" + runtime.GOOS + "_" + runtime.GOARCH + ".zip"
	files := map[string]string{
		target:                archive.String(),
		target + ".sbom.json": `{"packages": [{"name": "example.com/here", "versionInfo": "v1.2.3", "externalRefs": [{"referenceLocator": "pkg:golang/example.com/here@v1.2.3"}]}]}`,
	}
	sums := ""
	for _, file := range []string{target, target + ".sbom.json"} {
		write(r.t, r.path("prepared", file), files[file])
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(files[file])), file)
	}
	sums += fmt.Sprintf("%x  %s_manifest.json\n", sha256.Sum256([]byte(readFile(r.t, "terraform-registry-manifest.json"))), name)
	write(r.t, r.path("prepared", name+"_SHA256SUMS"), sums)
}

// isPublic reports whether the release is public.
func (r *release) isPublic() bool {
	state, err := os.ReadFile(r.path("hosted", "releases", releaseTag+".state"))
	return err == nil && strings.TrimSpace(string(state)) == "public"
}

// start runs the workflow until a job fails, and returns what was printed.
func (r *release) start() (string, error) {
	r.t.Helper()
	done := map[string]bool{}
	for len(done) < len(r.plan.Jobs) {
		progress := false
		for name, j := range r.plan.Jobs {
			ready := !done[name] && !slices.ContainsFunc(j.Needs, func(need string) bool { return !done[need] })
			if !ready {
				continue
			}
			if err := r.job(name, j); err != nil {
				return r.log.String(), fmt.Errorf("job %s: %w", name, err)
			}
			done[name], progress = true, true
		}
		require.True(r.t, progress, "jobs need each other: %v", done)
	}
	return r.log.String(), nil
}

func (r *release) job(name string, j job) error {
	if j.Uses != "" {
		return r.begin(name, 0)
	}
	copies := []string{""}
	if values, ok := j.Strategy.Matrix["build"]; ok {
		require.NoError(r.t, values.Decode(&copies))
	}
	for _, matrix := range copies {
		runner := r.path("runners", name+matrix)
		require.NoError(r.t, os.MkdirAll(runner, 0o700))
		for i, s := range j.Steps {
			if happens := r.before[name+matrix]; happens != nil && i == len(j.Steps)-1 {
				happens(filepath.Join(runner, "temp", "release"))
			}
			if err := r.begin(name, i); err != nil {
				return err
			}
			if r.failAt != "" {
				continue
			}
			if err := r.step(runner, matrix, j, s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *release) begin(name string, i int) error {
	id := fmt.Sprint(name, " ", i)
	r.steps = append(r.steps, id)
	if r.failAt == id {
		return fmt.Errorf("%s failed", id)
	}
	return nil
}

func (r *release) step(runner, matrix string, j job, s step) error {
	require.Empty(r.t, s.If, "a step with a condition can be passed over")
	checkout, temp := filepath.Join(runner, "checkout"), filepath.Join(runner, "temp")
	expression := regexp.MustCompile(`\$\{\{ (.*?) \}\}`)
	value := func(text string) string {
		return expression.ReplaceAllStringFunc(text, func(found string) string {
			switch what := expression.FindStringSubmatch(found)[1]; what {
			case "matrix.build":
				return matrix
			case "runner.temp":
				return temp
			case "github.token":
				return "token"
			case "secrets.GPG_PRIVATE_KEY", "secrets.GPG_PASSPHRASE":
				require.Equal(r.t, "release", j.Environment, "a secret outside of the protected environment")
				secret, _ := os.ReadFile(r.path(strings.TrimPrefix(what, "secrets.")))
				return string(secret)
			default:
				r.t.Fatalf("the test has no value of %s", what)
				return ""
			}
		})
	}
	var script string
	switch action, _, _ := strings.Cut(s.Uses, "@"); action {
	case "":
		script = s.Run
	case "actions/checkout":
		script = fmt.Sprintf("git clone --quiet %s . && git checkout --quiet %s", r.path("source"), releaseTag)
	case "actions/setup-go":
		require.Equal(r.t, "false", s.With["cache"], "the cache of another run gets into a release")
	case "hashicorp/setup-terraform":
		script = ":"
	case "actions/upload-artifact":
		script = fmt.Sprintf("mkdir %[1]s && cp %[2]s* %[1]s", r.path("artifact-"+value(s.With["name"])), value(s.With["path"]))
	case "actions/download-artifact":
		script = fmt.Sprintf("mkdir -p %[2]s && cp %[1]s/* %[2]s", r.path("artifact-"+value(s.With["name"])), value(s.With["path"]))
	case "actions/attest":
		require.Equal(r.t, "write", j.Permissions["attestations"])
		script = fmt.Sprintf("for file in %s; do sha256sum < $file >> %s; done", value(s.With["subject-path"]), r.path("hosted", "attested"))
	default:
		r.t.Fatalf("the test does not know %s", s.Uses)
	}
	require.NoError(r.t, os.MkdirAll(checkout, 0o700))
	require.NoError(r.t, os.MkdirAll(temp, 0o700))
	env := []string{"RUNNER_TEMP=" + temp, "GITHUB_PATH=" + filepath.Join(temp, "path"), fmt.Sprint("PERMISSIONS=contents: ", j.Permissions["contents"])}
	for key, text := range s.Env {
		env = append(env, key+"="+value(text))
	}
	out, err := r.bash(checkout, script, env...)
	r.log.WriteString(out)
	return err
}

// key makes a signing key with a passphrase, as the secrets of the environment.
func (r *release) key() {
	r.t.Helper()
	r.run(".", `mkdir -m 700 keys
gpg --homedir keys --batch --quiet --pinentry-mode loopback --passphrase secret --quick-generate-key 'Ada <ada@acme.example>' ed25519 sign never
gpg --homedir keys --batch --quiet --pinentry-mode loopback --passphrase secret --armor --export-secret-keys > GPG_PRIVATE_KEY
printf secret > GPG_PASSPHRASE
gpgconf --homedir keys --kill gpg-agent`)
}

func TestRelease(t *testing.T) {
	t.Parallel()
	providertest.Once(t)
	r := newRelease(t)
	r.key()
	out, err := r.start()
	require.NoError(t, err, out)
	require.True(t, r.isPublic(), out)
	for _, want := range []string{
		"Each file was built from v1.2.0 by the release workflow", "signed with the key", "Each SBOM lists the modules", "The source of v1.2.0 builds the same binary",
	} {
		assert.Contains(t, out, want)
	}
	files, err := filepath.Glob(r.path("hosted", "releases", releaseTag, "*"))
	require.NoError(t, err)
	var kinds []string
	for _, file := range files {
		_, kind, _ := strings.Cut(filepath.Base(file), "_1.2.0_")
		kinds = append(kinds, strings.Replace(kind, runtime.GOOS+"_"+runtime.GOARCH, "PLATFORM", 1))
	}
	slices.Sort(kinds)
	assert.Equal(t, []string{"PLATFORM.zip", "PLATFORM.zip.sbom.json", "SHA256SUMS", "SHA256SUMS.sig", "manifest.json", "oci.tar", "public_key.asc"}, kinds)

	r.verify()

	publish := r.plan.Jobs["publish"].Steps
	assert.Contains(t, publish[len(publish)-1].Run, "scripts/release publish", "a step follows the publication")
	for name, j := range r.plan.Jobs {
		assert.Equal(t, name == "publish", j.Permissions["contents"] == "write", name)
	}
	started := slices.Clone(r.steps)
	last := started[len(started)-1]
	for _, id := range started[:len(started)-1] {
		r.steps, r.failAt = nil, id
		_, err := r.start()
		require.Error(t, err, id)
		assert.NotContains(t, r.steps, last, "publishes, although %s failed", id)
	}
}

// verify checks the public release as its users would, and again after an attacker who can sign and attest changed an SBOM.
func (r *release) verify() {
	r.t.Helper()
	r.run(".", "git clone --quiet source user")
	out, err := r.bash(r.path("user"), "scripts/verify-release "+releaseTag, "GH_TOKEN=token")
	require.NoError(r.t, err, out)
	assert.Contains(r.t, out, "The source of v1.2.0 builds the same binary")

	r.run(".", `cp -R hosted/releases/v1.2.0 forged; cd forged; sed -i 's/"v1.2.3"/"v1.2.2"/' *.sbom.json; rm *.sig; list=$(ls *SHA256SUMS)
sha256sum $(ls | grep -v SHA256SUMS) > $list
mkdir -m 700 ../signer; export GNUPGHOME=$PWD/../signer; gpg --batch --quiet --import < ../GPG_PRIVATE_KEY
gpg --batch --quiet --pinentry-mode loopback --passphrase secret --output $list.sig --detach-sign $list; gpgconf --kill gpg-agent
for file in *; do sha256sum < $file >> ../hosted/attested; done`)
	out, err = r.bash(r.path("user"), "scripts/verify-release "+releaseTag+" ../forged", "GH_TOKEN=token")
	require.Error(r.t, err, out)
	assert.Contains(r.t, out, ".zip.sbom.json does not list the modules of its binary: example.com/here@v1.2.2 is listed, and the binary does not have it. Do not use")
}

// clone is the same release in a directory of its own.
func (r *release) clone(t *testing.T) *release {
	t.Helper()
	c := &release{t: t, dir: t.TempDir(), plan: r.plan, env: r.env, before: map[string]func(string){}}
	out, err := exec.Command("cp", "-R", r.dir+"/.", c.dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return c
}

// edit commits a change, and moves the tag to it.
func (r *release) edit(commands string) {
	r.t.Helper()
	r.run("source", commands+"; git commit --quiet --all --message edit; git tag --force "+releaseTag)
}

// Each fault of testdata/release/faults.txt is stopped by the step that looks for it, and nothing gets public.
func TestRelease_Faults(t *testing.T) {
	t.Parallel()
	providertest.Once(t)
	whole := newRelease(t)
	whole.key()
	faults := strings.Split(readFile(t, "internal/testing/acceptance/testdata/release/faults.txt"), "\n# ")[1:]
	for _, fault := range faults {
		name, lines, _ := strings.Cut(strings.TrimSpace(fault), "\n")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := whole.clone(t)
			start := r.start
			for line := range strings.SplitSeq(strings.NewReplacer("DIR", r.dir, "PLATFORM", runtime.GOOS+"_"+runtime.GOARCH).Replace(lines), "\n") {
				verb, rest, _ := strings.Cut(line, " ")
				switch first, commands, _ := strings.Cut(rest, " "); verb {
				case "edit":
					r.edit(rest)
				case "run":
					r.run(".", rest)
				case "env":
					r.env = append(slices.Clone(r.env), rest)
				case "before":
					r.before[first] = func(files string) {
						out, err := r.bash(files, commands)
						require.NoError(r.t, err, out)
					}
				case "user":
					r.run(".", "git clone --quiet source clone")
					start = func() (string, error) { return r.bash(r.path("clone"), rest) }
				case "released":
					out, err := start()
					require.NoError(t, err, out)
					assert.True(t, r.isPublic(), out)
					start = nil
				case "->":
					was := r.isPublic()
					out, err := start()
					require.Error(t, err, out)
					if job := "job " + first + ":"; strings.HasPrefix(err.Error(), "job ") {
						require.ErrorContains(t, err, job, out)
						rest = commands
					}
					assert.Contains(t, out, rest)
					assert.Equal(t, was, r.isPublic(), out)
					start = nil
				default:
					t.Fatal("no fault has the word ", verb)
				}
			}
			require.Nil(t, start, "the fault is planted and not looked for")
		})
	}
}

// A user's build of the source has the flags of the release's.
func TestRelease_Flags(t *testing.T) {
	t.Parallel()
	var config struct {
		Builds []struct {
			Env, Flags, Tags, Ldflags []string
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(readFile(t, ".goreleaser.yml")), &config))
	require.Len(t, config.Builds, 1)
	build := config.Builds[0]
	want := "GOPROXY=off \\\n  go build " + strings.Join(build.Flags, " ") + " -tags " + strings.Join(build.Tags, ",") +
		" -ldflags \"" + strings.ReplaceAll(strings.Join(build.Ldflags, " "), "{{ .Version }}", "$2") + "\" -o \"$1\" .\n"
	script := readFile(t, "scripts/release-build")
	assert.Contains(t, script, want)
	for _, setting := range build.Env {
		assert.Contains(t, script, " "+setting+" ")
	}
	_, minor, _ := strings.Cut(readFile(t, "go.mod"), "\ngo ")
	minor = regexp.MustCompile(`^\d+\.\d+`).FindString(minor)
	versions := regexp.MustCompile(`go-version: (.*)`).FindAllStringSubmatch(readFile(t, ".github/workflows/release.yml"), -1)
	require.NotEmpty(t, versions)
	for _, version := range versions {
		assert.Regexp(t, `^`+minor+`\.\d+$`, version[1])
		assert.Equal(t, versions[0], version)
	}
}

// Syft asks no network: GoReleaser's own arguments would make it look for licenses there.
func TestRelease_SBOM(t *testing.T) {
	t.Parallel()
	var config struct {
		SBOMs []struct{ Args, Env []string } `yaml:"sboms"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(readFile(t, ".goreleaser.yml")), &config))
	require.Len(t, config.SBOMs, 1)
	assert.Subset(t, config.SBOMs[0].Args, []string{"$artifact", "spdx-json=$document"})
	assert.NotContains(t, config.SBOMs[0].Args, "--enrich")
	assert.Contains(t, config.SBOMs[0].Env, "SYFT_CHECK_FOR_APP_UPDATE=false")
}
