package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// sentFile is a kind of file that is sent once, and what is fit to be sent.
type sentFile struct {
	at    path.Path
	less  int64                   // bytes; 0 is no limit
	judge func(head []byte) error // by what the file begins with
}

// uploadLimit is "less than 10 MB" (§2.1).
const uploadLimit = 10 << 20

var (
	uploadedPDF = sentFile{path.Root("file_path"), uploadLimit, isPDF}
	mintedPDF   = sentFile{path.Root("file_path"), 0, isPDF} // no limit is documented
	mintedImage = sentFile{path.Root("image_path"), 0, isThumbnail}
)

func isPDF(head []byte) error {
	if !bytes.HasPrefix(head, []byte("%PDF-")) {
		return errors.New("is no PDF by its content (a PDF begins with %PDF-), whatever its name says")
	}
	return nil
}

func isThumbnail(head []byte) error {
	if kind := http.DetectContentType(head); kind != "image/png" && kind != "image/jpeg" {
		return errors.New("is no PNG or JPEG by its content, whatever its name says")
	}
	return nil
}

// plan judges a file that is going to be sent, and plans its hash.
func (f sentFile) plan(ctx context.Context, where types.String, name string) (types.String, diag.Diagnostics) {
	switch {
	case where.IsNull():
		return types.StringNull(), nil
	case where.IsUnknown():
		return types.StringUnknown(), nil // judged again at apply
	}
	sum, err := f.digest(ctx, where.ValueString())
	if err != nil {
		return types.StringUnknown(), diag.Diagnostics{diag.NewAttributeErrorDiagnostic(f.at, "Not usable as the file of "+name, aboutFile(err, where.ValueString())+". Nothing was planned or sent.")}
	}
	return types.StringValue(sum), nil
}

// reopen judges a file right before it is sent: it has to be what was planned.
func (f sentFile) reopen(ctx context.Context, where, planned types.String, name string) (types.String, diag.Diagnostics) {
	sum, diags := f.plan(ctx, where, name)
	if !diags.HasError() && !planned.IsUnknown() && !planned.Equal(sum) {
		diags.AddAttributeError(f.at, "The file of "+name+" changed after the plan",
			fmt.Sprintf("%s has another content than when it was planned. Nothing was sent. Plan again.", where.ValueString()))
	}
	return sum, diags
}

// digest judges a file and returns its SHA-256 in hex, as filesha256 gives it.
func (f sentFile) digest(ctx context.Context, where string) (string, error) {
	file, size, err := openRegular(where)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	switch {
	case size == 0:
		return "", fmt.Errorf("%s is empty", where)
	case f.less > 0 && size >= f.less:
		return "", fmt.Errorf("%s has %d bytes; the service takes less than 10 MB (%d bytes)", where, size, f.less)
	}
	head := make([]byte, 512) // what http.DetectContentType looks at
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", fmt.Errorf("%s cannot be read: %w", where, err)
	}
	if err := f.judge(head[:n]); err != nil {
		return "", fmt.Errorf("%s %w", where, err)
	}
	return hexSHA256(ctx, io.MultiReader(bytes.NewReader(head[:n]), io.LimitReader(file, size-int64(n))), where)
}

// digestNow of a file that may have changed since it was sent. One that is too
// large to have been sent is another, and is not read.
func (f sentFile) digestNow(ctx context.Context, where string) (string, error) {
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
	sum, err := client.SHA256(ctx, content)
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", where, err)
	}
	return sum, nil
}
