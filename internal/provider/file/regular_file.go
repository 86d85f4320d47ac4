package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// openRegular checks the type of a file before it opens the file, because opening a pipe would wait for its other end.
func openRegular(where string) (file *os.File, size int64, err error) {
	info, err := os.Stat(where)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, &missingFileError{where}
	case err != nil:
		return nil, 0, fmt.Errorf("the file cannot be opened: %w", err)
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s is not a file", where)
	}
	if file, err = os.Open(where); err != nil {
		return nil, 0, fmt.Errorf("the file cannot be opened: %w", err)
	}
	return file, info.Size(), nil
}

type missingFileError struct{ path string }

func (e *missingFileError) Error() string {
	if strings.HasPrefix(e.path, "~") {
		return fmt.Sprintf("there is no file %s. Terraform does not expand ~; write pathexpand(%q)", e.path, e.path)
	}
	return fmt.Sprintf("there is no file %s. Check the path. "+
		"A relative path begins in the working directory of Terraform; ${path.module} is the directory of the module", e.path)
}

func (e *missingFileError) Is(target error) bool { return target == fs.ErrNotExist }

// AboutFile capitalizes the first letter of an error, unless it is a path.
func AboutFile(err error, where string) string {
	if text := err.Error(); !strings.HasPrefix(text, where) {
		return diagnostic.Capitalize(text)
	}
	return err.Error()
}
