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

// outcome is how a test ended: "pass", "fail" or "skip".
type outcome string

// suite is a run of the tests on one CLI.
type suite struct {
	product string
	version *version.Version
	day     string
	commit  string             // of the checkout
	scope   string             // which tests ran
	tests   map[string]outcome // top-level tests, by package and name
}

func (s suite) name() string {
	return s.product + " " + s.version.Original()
}

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
			return got
		}
	}
	return ""
}

// read reads a file of results, whose name is that of the CLI: terraform-1.17.0.json.
func read(file string) (suite, error) {
	product, number, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".json"), "-")
	s := suite{product: map[string]string{"terraform": "Terraform", "tofu": "OpenTofu"}[product], tests: map[string]outcome{}}
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
				s.scope = scope
			}
			if commit, ok := strings.CutPrefix(lines.Text(), "commit: "); ok {
				s.commit = commit
			}
			continue // what the build prints
		}
		if len(event.Time) >= len("2006-01-02") {
			s.day = event.Time[:len("2006-01-02")]
		}
		switch event.Action {
		case "pass", "fail", "skip":
			if event.Test != "" && !strings.Contains(event.Test, "/") {
				s.tests[event.Package+"."+event.Test] = outcome(event.Action)
			}
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

// feature is a row of the table in CONTRIBUTING.md: what a CLI can use, and the test that is skipped without it.
var feature = regexp.MustCompile("(?m)^\\| ([^|]+) \\| [\\d.–]+ \\| [\\d.–]+ \\| `(Test\\w+)` \\|$")

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
	out.WriteString("| CLI | day | commit | tests | passed | failed | skipped |\n|---|---|---|---|---|---|---|\n")
	for _, s := range suites {
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %d | %d | %d |\n", s.name(), s.day, s.commit, s.scope, s.count("pass"), s.count("fail"), s.count("skip"))
	}
	out.WriteString("\nA CLI without a feature skips its test.\n\n| feature |")
	for _, s := range suites {
		fmt.Fprintf(&out, " %s |", s.name())
	}
	out.WriteString("\n|---|" + strings.Repeat("---|", len(suites)) + "\n")
	for _, row := range feature.FindAllStringSubmatch(string(text), -1) {
		fmt.Fprintf(&out, "| %s |", row[1])
		for _, s := range suites {
			fmt.Fprintf(&out, " %s |", map[outcome]string{"pass": "passed", "fail": "**failed**", "skip": "–", "": "not run"}[s.of(row[2])])
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
