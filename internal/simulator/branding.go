package simulator

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// colorNames are the six colors of §4.6, with the spelling of its correction.
var colorNames = []string{
	"colorPrimary", "colorPrimaryForeground",
	"colorAccent", "colorAccentForeground",
	"colorAppBarBackground", "colorFooterBackground",
}

// updateColors implements §4.6: only the fields that were sent change, and a blank one keeps its color. All are checked
// before any of them changes.
func (s *Simulator) updateColors(r *request) (any, *apiError) {
	var body map[string]*string
	if rejection := decodeStrict(r.body, &body); rejection != nil {
		return nil, rejection
	}
	for name := range body {
		if name != "domain" && !slices.Contains(colorNames, name) {
			return nil, badRequest("The body has an unknown field: " + name)
		}
	}
	maps.DeleteFunc(body, func(_ string, value *string) bool { return value == nil || blank(*value) })
	if body["domain"] == nil {
		return nil, bad("DOMAIN_EMPTY", "domain is empty.")
	}
	l, rejection := s.administered(r, *body["domain"])
	if rejection != nil {
		return nil, rejection
	}
	if l.Unbranded {
		return nil, bad("NOT_FOUND", "The host name has no branding.")
	}
	for _, name := range colorNames {
		if value := body[name]; value != nil && !hexColor.MatchString(*value) {
			return nil, bad("INVALID_COLOR", name+" is not a valid color.")
		}
	}
	if l.Colors == nil {
		l.Colors = map[string]string{}
	}
	for _, name := range colorNames {
		if value := body[name]; value != nil {
			l.Colors[name] = *value
		}
	}
	host, _ := s.forms.hosts(l)
	return map[string]any{"domain": host, "message": "The colors were changed."}, nil
}

// administered is the live private label with a host name that a flat endpoint received: one of the key's reseller
// (§7.2).
func (s *Simulator) administered(r *request, host string) (*label, *apiError) {
	l := s.store.data.byHost[strings.ToLower(host)]
	if l == nil && s.forms.isForm("primary-host", "platform") {
		l = first(s.store.data.labelsOf(r.reseller.ID), func(l *label) bool { return s.forms.isHostOf(l, host) })
	}
	if l == nil || l.ResellerID != r.reseller.ID || !s.forms.isHostOf(l, host) {
		return nil, bad("UNAUTHORIZED", "You do not administer this domain.")
	}
	return l, nil
}

func brandingRoutes() []*route {
	const post, logos = http.MethodPost, "/console/tenant/upload-logos"
	return []*route{
		{method: post, pattern: "/console/tenant/update-colors", scope: scopeProvision, bucket: bucketConsole, flat: true, serve: (*Simulator).updateColors},
		{method: post, pattern: UploadPrefix + logos, scope: scopeProvision, bucket: bucketConsole, flat: true, serve: (*Simulator).uploadLogos},
		{method: post, pattern: logos, bucket: bucketConsole, raw: uploadBlocked},
	}
}

// uploadBlocked: uploads to the base URL do not reach the API (§4.7).
func uploadBlocked(s *Simulator, _ *request) *response {
	if s.forms.isForm("upload-at-base", "not-found") {
		return rejected(errNotFound)
	}
	return &response{
		status: http.StatusForbidden,
		header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		body:   []byte("<html><body><h1>Request blocked</h1></body></html>\n"),
		code:   "blocked",
	}
}

// DropBranding removes the branding of a host name (§4.6).
func (s *Simulator) DropBranding(host string) error {
	return s.onLabel(host, func(l *label) { l.Unbranded = true })
}

// Branding is the colors and logos of a host name in the books.
type Branding struct {
	Colors                   map[string]string // by the API's field names
	Logo, BannerLogo         []byte            // PNG; nil for none
	LogoSHA256, BannerSHA256 string            // hex, of what was uploaded
}

// Branding returns the branding of a host name; the zero value if there is no such private label.
func (s *Simulator) Branding(host string) Branding {
	return read(s, func(d *data) Branding {
		if l := d.byHost[strings.ToLower(host)]; l != nil {
			return l.branding()
		}
		return Branding{}
	})
}

func (l *label) branding() Branding {
	logo, banner := cmp.Or(l.Logo, &logo{}), cmp.Or(l.BannerLogo, &logo{})
	return Branding{
		Colors: maps.Clone(l.Colors), Logo: logo.PNG, LogoSHA256: logo.SHA256, BannerLogo: banner.PNG, BannerSHA256: banner.SHA256,
	}
}
