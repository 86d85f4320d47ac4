package client

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// File is a file to upload. It is streamed, never held in memory.
type File struct {
	Path        string
	ContentType string // "image/png"
}

// Colors of a host name by the field names of §4.6 (as corrected there), in hex as #rgb or #rrggbb. An empty color
// stays unchanged.
type Colors struct {
	Primary           string `json:"colorPrimary,omitempty"`
	PrimaryForeground string `json:"colorPrimaryForeground,omitempty"`
	Accent            string `json:"colorAccent,omitempty"`
	AccentForeground  string `json:"colorAccentForeground,omitempty"`
	AppBarBackground  string `json:"colorAppBarBackground,omitempty"`
	FooterBackground  string `json:"colorFooterBackground,omitempty"`
}

// Limits of a logo (§4.7).
const (
	MaxLogoBytes  = 1 << 20 // 1 MB may also be 10^6
	MaxLogoPixels = 4096    // each side
)

// Logos of a host name: PNG, JPEG, GIF or SVG files (§4.7). One of them may be missing.
type Logos struct {
	Logo       *File
	BannerLogo *File
}

var (
	routeColors = post("change the colors", "/console/tenant/update-colors", repeatable)
	routeLogos  = post("upload the logos", "/console/tenant/upload-logos", repeatable) // at the upload URL
)

// UpdateColors changes the given colors of a host name (§4.6). Error codes: DOMAIN_EMPTY, 400 UNAUTHORIZED (not a host name
// of the reseller), 400 NOT_FOUND (the host name has no branding), INVALID_COLOR, INVALID_REQUEST.
func (c *Client) UpdateColors(ctx context.Context, domain string, colors Colors) transport.Outcome {
	body := struct {
		Domain string `json:"domain"`
		Colors
	}{transport.SentHost(domain), colors}
	return writeOnly(ctx, c, routeColors.with(body), "of "+domain)
}

// ErrNoUploadURL: logos need their own base URL, and it is not set.
var ErrNoUploadURL = errors.New("upload_url is not set")

// UploadLogos streams the logos of a host name to the upload URL (§4.7). The API reads both before it stores either,
// and the call may be retried. Error codes: NO_FILES, DOMAIN_EMPTY, INVALID_DATA, DOMAIN_INVALID, INVALID_IMAGE, 400
// UNAUTHORIZED, LIMIT_FILE_SIZE, LIMIT_UNEXPECTED_FILE.
func (c *Client) UploadLogos(ctx context.Context, domain string, logos Logos) transport.Outcome {
	if c.upload == nil {
		return transport.NotDone(transport.NotSent(ErrNoUploadURL))
	}
	data, err := json.Marshal(map[string]string{"domain": transport.SentHost(domain)})
	if err != nil {
		return transport.NotDone(err)
	}
	var files []transport.FormFile
	for _, part := range []struct {
		name string
		file *File
	}{{"logo", logos.Logo}, {"bannerLogo", logos.BannerLogo}} {
		if part.file != nil {
			files = append(files, transport.FormFile{Name: part.name, Path: part.file.Path, ContentType: part.file.ContentType})
		}
	}
	form, err := transport.OpenForm([]transport.FormField{{Name: "data", Value: string(data)}}, files...)
	if err != nil {
		return transport.NotDone(err)
	}
	defer form.Close()
	req := routeLogos
	req.Base = c.upload
	req.Form = form
	return writeOnly(ctx, c, req, "of "+domain)
}
