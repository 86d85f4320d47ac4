package main

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const name = "terraform-provider-reseller_1.2.0"

func writeZips(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, platform := range []string{"linux_amd64", "windows_arm64"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+"_"+platform+".zip"), []byte("zip of "+platform), 0o600))
	}
	return dir
}

func readLayout(t *testing.T, dir string) map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, name+"_oci.tar"))
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	files := map[string]string{}
	for archive := tar.NewReader(file); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		require.NoError(t, err)
		content, err := io.ReadAll(archive)
		require.NoError(t, err)
		require.NotContains(t, files, header.Name)
		files[header.Name] = string(content)
	}
}

// OpenTofu follows the tag to the index, by platform to a manifest, and to its only layer.
func TestRun(t *testing.T) {
	t.Parallel()
	dir := writeZips(t)
	require.NoError(t, run(dir, name, "1.2.0"))
	files := readLayout(t, dir)
	follow := func(d descriptor) (text string) {
		text = files["blobs/sha256/"+d.Digest[len("sha256:"):]]
		require.Equal(t, d.Digest, fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))))
		require.Len(t, text, d.Size)
		return text
	}
	read := func(text string) (m manifest) {
		require.NoError(t, json.Unmarshal([]byte(text), &m))
		return m
	}
	assert.JSONEq(t, `{"imageLayoutVersion": "1.0.0"}`, files["oci-layout"])
	tags := read(files["index.json"]).Manifests
	require.Len(t, tags, 1)
	assert.Equal(t, "1.2.0", tags[0].Annotations["org.opencontainers.image.ref.name"])
	assert.Equal(t, "application/vnd.oci.image.index.v1+json", tags[0].MediaType)
	index := read(follow(tags[0]))
	assert.Equal(t, "application/vnd.opentofu.provider", index.ArtifactType)
	var platforms []string
	for _, target := range index.Manifests {
		assert.Equal(t, "application/vnd.opentofu.provider-target", target.ArtifactType)
		one := read(follow(target))
		assert.Equal(t, target.ArtifactType, one.ArtifactType)
		assert.Equal(t, target.MediaType, one.MediaType)
		require.Len(t, one.Layers, 1)
		assert.Equal(t, "archive/zip", one.Layers[0].MediaType)
		assert.Equal(t, "{}", follow(*one.Config))
		platforms = append(platforms, target.Platform.OS+" "+target.Platform.Architecture+": "+follow(one.Layers[0]))
	}
	assert.Equal(t, []string{"linux amd64: zip of linux_amd64", "windows arm64: zip of windows_arm64"}, platforms)

	again := writeZips(t)
	require.NoError(t, run(again, name, "1.2.0"))
	assert.Equal(t, files, readLayout(t, again))
}

func TestRun_Fails(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, run(t.TempDir(), name, "1.2.0"), "has no zip of "+name)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name+"_linux.zip"), nil, 0o600))
	require.ErrorContains(t, run(dir, name, "1.2.0"), "does not name a platform")
}
