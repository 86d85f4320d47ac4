package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// keep plans the state's path for a file with the content that was sent,
// wherever it lies now. One that is gone from its place is no change either:
// nothing needs it any more.
func (f sentFile) keep(ctx context.Context, where *types.String, was, sum types.String, d deed) diag.Diagnostics {
	if where.IsUnknown() || where.IsNull() || was.IsNull() || sum.IsNull() {
		return nil // a change, if it is one, is blocked like any other
	}
	now, err := f.digestNow(ctx, where.ValueString())
	switch {
	case errors.Is(err, fs.ErrNotExist) && where.Equal(was):
		return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(f.at, "Sent file no longer exists",
			fmt.Sprintf("%s: there is no file %s to compare with what was sent. It is treated as unchanged, because nothing is sent again.", capitalised(d.name), was.ValueString()))}
	case err != nil:
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(f.at, "The file of "+d.name+" cannot be compared",
			fmt.Sprintf("%s, so that it cannot be told whether it has the content that was sent. Nothing was planned or sent. Set %s back to %s.", aboutFile(err, where.ValueString()), f.at, was.ValueString()))}
	case now == sum.ValueString():
		*where = was
		return nil
	}
	there := where.ValueString()
	*where = was // told here, and not a second time as another path
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(f.at, "The file of "+d.name+" changed",
		fmt.Sprintf("%s has another content than what was sent (SHA-256 %s, sent was %s). %s\n\nNothing was planned or sent. Put the old file back. %s", there, now, sum.ValueString(), d.because, d.wayOut()))}
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
