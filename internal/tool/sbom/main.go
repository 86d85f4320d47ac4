// Command sbom compares an SBOM (SPDX, JSON) with the Go modules that its binary says it was built from, and with the SBOM of
// another build. The binary may be in a zip.
package main

import (
	"archive/zip"
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
)

func main() {
	const least, most = 3, 4
	if len(os.Args) < least || len(os.Args) > most {
		fmt.Fprintln(os.Stderr, "sbom: name the SBOM and the file that it describes, then the SBOM of another build if there is one")
		os.Exit(1)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[least:]...); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(sbom, file string, others ...string) error {
	text, err := os.ReadFile(sbom)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(file)
	if err == nil && strings.HasSuffix(file, ".zip") {
		raw, err = binaryIn(raw)
	}
	if err != nil {
		return err
	}
	built, err := modulesOf(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	listed, err := modulesIn(text)
	if err != nil {
		return fmt.Errorf("%s: %w", sbom, err)
	}
	if err := compare(built, listed); err != nil {
		return fmt.Errorf("%s: %w", sbom, err)
	}
	for _, other := range others {
		if err := compareBuilds(text, other); err != nil {
			return fmt.Errorf("%s: %w", sbom, err)
		}
	}
	fmt.Printf("%s lists the %d modules of %s.\n", sbom, len(built), file)
	return nil
}

// compareBuilds compares an SBOM with that of another build, without the time and the random name that each run of Syft adds.
func compareBuilds(sbom []byte, other string) error {
	text, err := os.ReadFile(other)
	if err != nil {
		return err
	}
	one, err := withoutRun(sbom)
	if err != nil {
		return err
	}
	two, err := withoutRun(text)
	if err != nil {
		return fmt.Errorf("%s: %w", other, err)
	}
	if !reflect.DeepEqual(one, two) {
		return fmt.Errorf("differs from %s", other)
	}
	return nil
}

func withoutRun(sbom []byte) (map[string]any, error) {
	var all map[string]any
	if err := json.Unmarshal(sbom, &all); err != nil {
		return nil, err
	}
	delete(all, "documentNamespace")
	if creation, ok := all["creationInfo"].(map[string]any); ok {
		delete(creation, "created")
	}
	return all, nil
}

func binaryIn(archive []byte) ([]byte, error) {
	files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	for _, f := range files.File {
		if !strings.HasPrefix(f.Name, "terraform-provider-") {
			continue
		}
		content, err := f.Open()
		if err != nil {
			return nil, err
		}
		return io.ReadAll(content)
	}
	return nil, errors.New("no binary in the archive")
}

// modulesOf lists the modules of a binary, as path@version.
func modulesOf(binary []byte) ([]string, error) {
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, m := range info.Deps {
		if m.Replace != nil {
			return nil, fmt.Errorf("%s is replaced by %s", m.Path, m.Replace.Path)
		}
		out = append(out, m.Path+"@"+m.Version)
	}
	return out, nil
}

// modulesIn lists the Go modules of an SBOM, without the standard library and the program itself, which has no version of
// a module.
func modulesIn(sbom []byte) ([]string, error) {
	var all struct {
		Packages []struct {
			Name    string `json:"name"`
			Version string `json:"versionInfo"`
			Refs    []struct {
				Locator string `json:"referenceLocator"`
			} `json:"externalRefs"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(sbom, &all); err != nil {
		return nil, err
	}
	var out []string
	for _, p := range all.Packages {
		isModule := false
		for _, ref := range p.Refs {
			isModule = isModule || strings.HasPrefix(ref.Locator, "pkg:golang/")
		}
		if isModule && p.Name != "stdlib" && !strings.HasSuffix(p.Name, "/terraform-provider-reseller") {
			out = append(out, p.Name+"@"+p.Version)
		}
	}
	return out, nil
}

func compare(built, listed []string) error {
	var errs []error
	for _, m := range built {
		if !slices.Contains(listed, m) {
			errs = append(errs, fmt.Errorf("the binary has %s, which is not listed", m))
		}
	}
	for _, m := range listed {
		if !slices.Contains(built, m) {
			errs = append(errs, fmt.Errorf("%s is listed, and the binary does not have it", m))
		}
	}
	if len(built) == 0 {
		errs = append(errs, errors.New("the binary names no modules"))
	}
	return errors.Join(errs...)
}
