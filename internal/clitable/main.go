// Command clitable writes CLIS.md from the output of `go test -json` on several CLIs. scripts/clis runs both.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "clitable: name the directory of the results")
		os.Exit(1)
	}
	page, err := run(os.Args[1], "CONTRIBUTING.md")
	if err != nil {
		fmt.Fprintln(os.Stderr, "clitable:", err)
		os.Exit(1)
	}
	fmt.Print(page)
}

// outcome is how a test ended: "pass", "fail", "skip", or "part" if some of its subtests were skipped.
type outcome string

// suite is a run of the tests on one CLI.
type suite struct {
	product string
	version *version.Version
	day     string
	scope   string             // which tests ran
	tests   map[string]outcome // top-level tests, by package and name
	parts   map[string]bool    // those of which a subtest was skipped
}

func (s suite) name() string { return s.product + " " + s.version.Original() }

func (s suite) count(want outcome) (n int) {
	for _, got := range s.tests {
		if got == want {
			n++
		}
	}
	return n
}

// of returns how a test ended, whichever package it is in.
func (s suite) of(test string) outcome {
	for name, got := range s.tests {
		if strings.HasSuffix(name, "."+test) {
			if got == "pass" && s.parts[name] {
				return "part"
			}
			return got
		}
	}
	return ""
}

// read reads a file of results, whose name is that of the CLI: terraform-1.17.0.json.
func read(file string) (suite, error) {
	product, number, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".json"), "-")
	s := suite{product: map[string]string{"terraform": "Terraform", "tofu": "OpenTofu"}[product], tests: map[string]outcome{}, parts: map[string]bool{}}
	v, err := version.NewVersion(number)
	if err != nil || s.product == "" {
		return s, fmt.Errorf("%s is not named by a CLI and its version", file)
	}
	s.version = v
	input, err := os.Open(file)
	if err != nil {
		return s, err
	}
	defer func() { _ = input.Close() }()
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var event struct {
			Time    string `json:"Time"`
			Action  string `json:"Action"`
			Package string `json:"Package"`
			Test    string `json:"Test"`
		}
		if json.Unmarshal(lines.Bytes(), &event) != nil {
			if scope, ok := strings.CutPrefix(lines.Text(), "scope: "); ok {
				s.scope = strings.ReplaceAll(scope, "|", `\|`)
			}
			continue // what the build prints
		}
		if len(event.Time) >= len("2006-01-02") {
			s.day = event.Time[:len("2006-01-02")]
		}
		test, _, isPart := strings.Cut(event.Test, "/")
		name := event.Package + "." + test
		switch ended := outcome(event.Action); {
		case test == "":
		case isPart && ended == "skip":
			s.parts[name] = true
		case !isPart && (ended == "pass" || ended == "fail" || ended == "skip"):
			s.tests[name] = ended
		}
	}
	if err := lines.Err(); err != nil {
		return s, err
	}
	if len(s.tests) == 0 {
		return s, fmt.Errorf("%s has no test", file)
	}
	return s, nil
}

// feature is a row of the table in CONTRIBUTING.md: what a CLI can use, since which Terraform and OpenTofu, and its test.
var feature = regexp.MustCompile("(?m)^\\| ([^|]+) \\| ([\\d.–]+) \\| ([\\d.–]+) \\| `(Test\\w+)` \\|$")

// has reports whether a CLI has a feature. Prereleases have what their release has.
func (s suite) has(terraform, tofu string) bool {
	since, err := version.NewVersion(map[string]string{"Terraform": terraform, "OpenTofu": tofu}[s.product])
	return err == nil && s.version.Core().GreaterThanOrEqual(since)
}

func run(dir, contributing string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return "", err
	}
	var suites []suite
	for _, file := range files {
		s, failed := read(file)
		suites, err = append(suites, s), errors.Join(err, failed)
	}
	if err != nil {
		return "", err
	}
	if len(suites) == 0 {
		return "", fmt.Errorf("%s has no results", dir)
	}
	slices.SortFunc(suites, func(a, b suite) int {
		return cmp.Or(-cmp.Compare(a.product, b.product), a.version.Compare(b.version))
	})
	text, err := os.ReadFile(contributing)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	out.WriteString("<!-- Written by scripts/clis. -->\n# Test results by CLI\n\n")
	out.WriteString("| CLI | day | tests | passed | failed | skipped |\n|---|---|---|---|---|---|\n")
	for _, s := range suites {
		fmt.Fprintf(&out, "| %s | %s | %s | %d | %d | %d |\n", s.name(), s.day, s.scope, s.count("pass"), s.count("fail"), s.count("skip"))
	}
	out.WriteString("\n`–` marks a CLI that does not have the feature.\n\n| feature |")
	for _, s := range suites {
		fmt.Fprintf(&out, " %s |", s.name())
	}
	out.WriteString("\n|---|" + strings.Repeat("---|", len(suites)) + "\n")
	for _, row := range feature.FindAllStringSubmatch(string(text), -1) {
		fmt.Fprintf(&out, "| %s |", row[1])
		for _, s := range suites {
			if !s.has(row[2], row[3]) {
				out.WriteString(" – |")
				continue
			}
			fmt.Fprintf(&out, " %s |", map[outcome]string{"pass": "passed", "part": "in part", "fail": "**failed**", "skip": "skipped", "": "not run"}[s.of(row[4])])
		}
		out.WriteString("\n")
	}
	for _, s := range suites {
		for _, name := range slices.Sorted(maps.Keys(s.tests)) {
			if s.tests[name] == "fail" {
				fmt.Fprintf(&out, "\n%s: `%s` failed.\n", s.name(), name)
			}
		}
	}
	return out.String(), nil
}
