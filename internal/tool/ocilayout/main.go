// Command ocilayout writes the zips of a release as an OCI image layout, which OpenTofu installs from once a registry has it:
// https://opentofu.org/docs/cli/oci_registries/provider-mirror/. The same zips give the same bytes.
package main

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeEmpty    = "application/vnd.oci.empty.v1+json"
	typeProvider = "application/vnd.opentofu.provider"
	typeTarget   = "application/vnd.opentofu.provider-target"
	typeZip      = "archive/zip"
)

// descriptor names a blob.
type descriptor struct {
	MediaType    string            `json:"mediaType"`
	ArtifactType string            `json:"artifactType,omitempty"`
	Digest       string            `json:"digest"`
	Size         int               `json:"size"`
	Platform     *platform         `json:"platform,omitempty"`
	Annotations  map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

type manifest struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	ArtifactType  string       `json:"artifactType,omitempty"`
	Config        *descriptor  `json:"config,omitempty"`
	Layers        []descriptor `json:"layers,omitempty"`
	Manifests     []descriptor `json:"manifests,omitempty"`
}

func main() {
	const arguments = 4
	if len(os.Args) != arguments {
		fmt.Fprintln(os.Stderr, "ocilayout: name the directory of the zips, what their names begin with, and the version")
		os.Exit(1)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "ocilayout:", err)
		os.Exit(1)
	}
}

// run writes NAME_oci.tar into a directory, from its files NAME_OS_ARCH.zip.
func run(dir, name, version string) (err error) {
	zips, err := filepath.Glob(filepath.Join(dir, name+"_*.zip"))
	if err != nil {
		return err
	}
	if len(zips) == 0 {
		return fmt.Errorf("%s has no zip of %s", dir, name)
	}
	file, err := os.Create(filepath.Join(dir, name+"_oci.tar"))
	if err != nil {
		return err
	}
	l := &layout{tar: tar.NewWriter(file), has: map[string]bool{}}
	defer func() { err = errors.Join(err, l.tar.Close(), file.Close()) }()

	if err := l.file("oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`)); err != nil {
		return err
	}
	index := manifest{SchemaVersion: 2, MediaType: typeIndex, ArtifactType: typeProvider}
	for _, path := range zips {
		target, err := l.target(path, name)
		if err != nil {
			return err
		}
		index.Manifests = append(index.Manifests, target)
	}
	release, err := l.json(index)
	if err != nil {
		return err
	}
	// A tag cannot have the "+" of a version.
	release.Annotations = map[string]string{"org.opencontainers.image.ref.name": strings.ReplaceAll(version, "+", "_")}
	text, err := json.Marshal(manifest{SchemaVersion: 2, MediaType: typeIndex, Manifests: []descriptor{release}})
	if err != nil {
		return err
	}
	return l.file("index.json", text)
}

// layout is the archive of an image layout.
type layout struct {
	tar *tar.Writer
	has map[string]bool
}

func (l *layout) file(path string, content []byte) error {
	if l.has[path] {
		return nil
	}
	l.has[path] = true
	if err := l.tar.WriteHeader(&tar.Header{Name: path, Mode: 0o644, Size: int64(len(content))}); err != nil {
		return err
	}
	_, err := l.tar.Write(content)
	return err
}

func (l *layout) blob(mediaType string, content []byte) (descriptor, error) {
	sum := sha256.Sum256(content)
	digest := hex.EncodeToString(sum[:])
	err := l.file("blobs/sha256/"+digest, content)
	return descriptor{MediaType: mediaType, Digest: "sha256:" + digest, Size: len(content)}, err
}

func (l *layout) json(m manifest) (descriptor, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return descriptor{}, err
	}
	d, err := l.blob(m.MediaType, text)
	d.ArtifactType = m.ArtifactType
	return d, err
}

// target is the manifest of one platform, which has the zip as its only layer.
func (l *layout) target(path, name string) (descriptor, error) {
	system, architecture, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), name+"_"), ".zip"), "_")
	if system == "" || architecture == "" || strings.Contains(architecture, "_") {
		return descriptor{}, fmt.Errorf("%s does not name a platform", path)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return descriptor{}, err
	}
	config, err := l.blob(typeEmpty, []byte("{}"))
	if err != nil {
		return descriptor{}, err
	}
	layer, err := l.blob(typeZip, content)
	if err != nil {
		return descriptor{}, err
	}
	layer.Annotations = map[string]string{"org.opencontainers.image.title": filepath.Base(path)}
	d, err := l.json(manifest{SchemaVersion: 2, MediaType: typeManifest, ArtifactType: typeTarget, Config: &config, Layers: []descriptor{layer}})
	d.Platform = &platform{Architecture: architecture, OS: system}
	return d, err
}
