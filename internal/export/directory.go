package export

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// directory that the files are moved into when all of them are written.
type directory struct {
	path, temporary string
	created         bool
}

// openDirectory checks that a directory can take the files, before any API call.
func openDirectory(path string) (*directory, error) {
	d := &directory{path: path}
	err := d.checkEmpty()
	if errors.Is(err, os.ErrNotExist) {
		d.created = true
		err = os.MkdirAll(path, 0o750)
	}
	if err == nil {
		d.temporary, err = os.MkdirTemp(path, ".export-")
	}
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// checkEmpty ignores hidden files, such as those of git.
func (d *directory) checkEmpty() error {
	entries, err := os.ReadDir(d.path)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			return fmt.Errorf("%s has files, such as %s, and an export overwrites nothing. Name an empty or a new directory", d.path, e.Name())
		}
	}
	return err
}

func (d *directory) write(files []file) error {
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(d.temporary, f.name), []byte(f.text), 0o600); err != nil {
			return err
		}
	}
	if err := d.checkEmpty(); err != nil {
		return err
	}
	for i, f := range files {
		if err := os.Rename(filepath.Join(d.temporary, f.name), filepath.Join(d.path, f.name)); err != nil {
			for _, moved := range files[:i] {
				err = errors.Join(err, os.Remove(filepath.Join(d.path, moved.name)))
			}
			return err
		}
	}
	d.created = false
	return nil
}

// close leaves nothing but written files.
func (d *directory) close() {
	if d.temporary != "" {
		_ = os.RemoveAll(d.temporary)
	}
	if d.created {
		_ = os.Remove(d.path)
	}
}
