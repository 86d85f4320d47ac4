package file

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// SentFile is a kind of file that is sent once, and its requirements.
type SentFile struct {
	At        path.Path
	sure      int64                   // bytes from which the API may reject it; 0 is no limit
	less      int64                   // bytes; 0 is no limit
	checkHead func(head []byte) error // by what the file begins with
	ends      []string                // of the name; the API documentation has its error for other ones (§7)
}

var (
	// "less than 10 MB" (§2.1): decimal in the documentation's words, and at most binary.
	UploadedPDF = SentFile{path.Root("file_path"), 10_000_000, 10 << 20, isPDF, pdfEnds}
	MintedPDF   = SentFile{path.Root("file_path"), 0, 0, isPDF, pdfEnds} // no limit is documented
	MintedImage = SentFile{path.Root("image_path"), 0, 0, isThumbnail, []string{".png", ".jpg", ".jpeg"}}
)

var pdfEnds = []string{".pdf"}

// headSize is the part of a file by which it is known, in bytes: PDF readers accept other bytes before the PDF itself.
const headSize = 1024

func isPDF(head []byte) error {
	if !bytes.Contains(head, []byte("%PDF-")) {
		return fmt.Errorf("is not a PDF: its first %d bytes do not contain %%PDF-", headSize)
	}
	return nil
}

func isThumbnail(head []byte) error {
	if kind := http.DetectContentType(head); kind != "image/png" && kind != "image/jpeg" {
		return errors.New("is not a PNG or JPEG by its content")
	}
	return nil
}

// Announce warns about the size and the name of a file that a plan will send, if the API may reject it.
func (f SentFile) Announce(where, name types.String) (diags diag.Diagnostics) {
	hasEnd := func(end string) bool { return strings.HasSuffix(strings.ToLower(name.ValueString()), end) }
	if name.ValueString() != "" && !slices.ContainsFunc(f.ends, hasEnd) {
		diags.AddAttributeWarning(f.At, SummaryFileName,
			fmt.Sprintf("%s is sent under the name %q, which does not end in %s. The API may decide by the name and reject the file.",
				where.ValueString(), name.ValueString(), strings.Join(f.ends, " or ")))
	}
	if info, err := os.Stat(where.ValueString()); err == nil && f.sure > 0 && info.Size() >= f.sure {
		diags.AddAttributeWarning(f.At, SummaryLarge,
			fmt.Sprintf("%s has %d bytes. The API documentation says less than 10 MB. If that is %d bytes, the API rejects the file.",
				where.ValueString(), info.Size(), f.sure))
	}
	return diags
}

// Digest checks a file and returns its SHA-256 in hex, like filesha256.
func (f SentFile) Digest(ctx context.Context, where string) (string, error) {
	file, size, err := openLess(where, f.less, fmt.Sprintf("less than 10 MB (%d bytes)", f.less))
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	head := make([]byte, headSize)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", fmt.Errorf("%s cannot be read: %w", where, err)
	}
	if err := f.checkHead(head[:n]); err != nil {
		return "", fmt.Errorf("%s %w", where, err)
	}
	return hexSHA256(ctx, io.MultiReader(bytes.NewReader(head[:n]), io.LimitReader(file, size-int64(n))), where)
}

// DigestNow returns the hash of a file that may have changed since it was sent. A file that is too large to have been
// sent is another file, and is not read.
func (f SentFile) DigestNow(ctx context.Context, where string) (string, error) {
	file, size, err := openRegular(where)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	if f.less > 0 && size >= f.less {
		return "of a file that is too large to be sent", nil
	}
	return hexSHA256(ctx, io.LimitReader(file, size), where)
}

func hexSHA256(ctx context.Context, content io.Reader, where string) (string, error) {
	sum, err := transport.SHA256(ctx, content)
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", where, err)
	}
	return sum, nil
}

// openLess opens a file that is not empty and has less than a number of bytes; 0 is no limit.
func openLess(where string, less int64, accepted string) (*os.File, int64, error) {
	file, size, err := openRegular(where)
	switch {
	case err != nil:
		return nil, 0, err
	case size == 0:
		err = fmt.Errorf("%s is empty", where)
	case less > 0 && size >= less:
		err = fmt.Errorf("%s has %d bytes; the API accepts %s", where, size, accepted)
	default:
		return file, size, nil
	}
	_ = file.Close()
	return nil, 0, err
}

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

func (e *missingFileError) Is(target error) bool {
	return target == fs.ErrNotExist
}

// AboutFile capitalizes the first letter of an error, unless it is a path.
func AboutFile(err error, where string) string {
	if strings.HasPrefix(err.Error(), where) {
		return err.Error()
	}
	return diagnostic.Capitalize(err.Error())
}
