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
		name := filepath.Join(d.temporary, f.name)
		err := os.MkdirAll(filepath.Dir(name), 0o750)
		if err == nil {
			err = os.WriteFile(name, []byte(f.text), 0o600)
		}
		if err != nil {
			return err
		}
	}
	if err := d.checkEmpty(); err != nil {
		return err
	}
	entries, err := os.ReadDir(d.temporary)
	if err != nil {
		return err
	}
	var moved []string
	for _, e := range entries {
		to := filepath.Join(d.path, e.Name())
		if _, err := os.Lstat(to); err == nil && strings.HasPrefix(e.Name(), ".") {
			continue // a .gitignore that is there stays
		}
		if err := os.Rename(filepath.Join(d.temporary, e.Name()), to); err != nil {
			for _, done := range moved {
				err = errors.Join(err, os.RemoveAll(done))
			}
			return err
		}
		moved = append(moved, to)
	}
	d.created = false
	return nil
}

// close leaves nothing but written files.
func (d *directory) close() {
	_ = os.RemoveAll(d.temporary)
	if d.created {
		_ = os.Remove(d.path)
	}
}
