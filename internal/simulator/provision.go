package simulator

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// Lengths that the API documentation does not show (ASSUMPTIONS.md: lengths).
const (
	maxText        = 255
	maxURL         = 2048
	maxSocialLinks = 20
)

type provisionBody struct {
	Owner *struct {
		Email     string `json:"email"`
		FirstName string `json:"firstName"`
		LastName  string `json:"lastName"`
	} `json:"owner"`
	Config  map[string]json.RawMessage `json:"config"`
	Package *struct {
		PackageID       *string `json:"packageId"`
		ConfirmationKey *string `json:"confirmationKey"`
	} `json:"package"`
}

// provisionRequest is a decoded provision request.
type provisionRequest struct {
	host, appName string
	owner         member
	links         map[string]string
	colors        map[string]string
	packageID     string
}

// provisionsPackage reports whether a request has a package; it then counts as an allocation (§8).
func provisionsPackage(r *request) bool {
	var body struct {
		Package json.RawMessage `json:"package"`
	}
	return json.Unmarshal(r.body, &body) == nil && len(body.Package) > 0 && string(body.Package) != "null"
}

// provision implements §4.9. All checks run before anything is created, the private label is created first, and a
// rejected package leaves a working private label.
func (s *Simulator) provision(r *request) (any, *apiError) {
	if provisionsPackage(r) && !slices.Contains(r.key.Scopes, scopePackages) {
		return nil, errScope
	}
	o, rejection := s.readOrder(r.body)
	if rejection != nil {
		return nil, rejection
	}
	if rejection := s.checkHost(strings.ToLower(o.host)); rejection != nil {
		return nil, rejection
	}
	l := s.create(r.reseller, o, r.now)
	out := map[string]any{
		"tenantId":    l.ID,
		"ownerUserId": l.owner().ID,
		"domainSetup": s.forms.setup(l, r.now),
	}
	if o.packageID != "" {
		out["package"] = s.provisionPackage(r, l, o.packageID)
	}
	return out, nil
}

func (s *Simulator) checkHost(host string) *apiError {
	switch {
	case !validHost(host):
		return bad("DOMAIN_INVALID", "domain is not a host name.")
	case reservedHost(host):
		return bad("HOST_RESERVED", "This host name is reserved for the API provider.")
	case s.store.data.hostTaken(host):
		return bad("HOST_TAKEN", "This host name is taken.")
	default:
		return nil
	}
}

func (s *Simulator) create(re *reseller, o *provisionRequest, now time.Time) *label {
	d := s.store.data
	l := &label{
		ID:         d.newID("label"),
		ResellerID: re.ID,
		Host:       s.forms.storedHost(o.host),
		AppName:    o.appName,
		Links:      o.links,
		Colors:     o.colors,
		CreatedAt:  millis(now),
		Domain:     domainState{Attached: s.attachWorks()},
	}
	if s.opts.DNSDelay > 0 {
		l.Domain.CorrectAt = millis(now.Add(s.opts.DNSDelay))
	}
	owner := o.owner
	owner.ID = d.newID("user")
	owner.Role = roleOwner
	owner.Status = memberActive
	owner.CreatedAt = millis(now)
	l.Members = []*member{&owner}
	d.add(l)
	s.book(Entry{Kind: EntryHostBound, Host: l.Host}, now)
	s.invite(l, &owner, now)
	return l
}

const memberActive = "Active"

func (s *Simulator) readOrder(raw []byte) (*provisionRequest, *apiError) {
	var body provisionBody
	if rejection := decodeStrict(raw, &body); rejection != nil {
		return nil, rejection
	}
	if body.Owner == nil || body.Config == nil {
		return nil, badRequest("owner and config are required.")
	}
	o := &provisionRequest{
		links:  map[string]string{},
		colors: map[string]string{},
		owner:  member{Email: body.Owner.Email, FirstName: body.Owner.FirstName, LastName: body.Owner.LastName},
	}
	return o, cmp.Or(o.readPackage(s.forms, &body), o.readConfig(body.Config), o.checkOwner())
}

func (o *provisionRequest) readPackage(forms Forms, body *provisionBody) *apiError {
	if body.Package == nil {
		return nil
	}
	if body.Package.ConfirmationKey != nil {
		return badRequest("Provisioning does not accept a confirmation key.")
	}
	if body.Package.PackageID == nil && forms.isForm("empty-package", "none") {
		return nil
	}
	if body.Package.PackageID == nil || blank(*body.Package.PackageID) {
		return badRequest("package.packageId is required.")
	}
	o.packageID = *body.Package.PackageID
	return nil
}

func (o *provisionRequest) readConfig(config map[string]json.RawMessage) *apiError {
	text := map[string]string{}
	for name, raw := range config {
		var value *string
		if json.Unmarshal(raw, &value) != nil {
			return badRequest("config." + name + " must be a text.")
		}
		if value != nil {
			text[name] = *value
		}
	}
	o.host = text["domain"]
	o.appName = text["appName"]
	if _, given := text["domain"]; !given || blank(o.appName) || len([]rune(o.appName)) > maxText {
		return badRequest("config.domain and config.appName are required. appName must not be blank or too long.")
	}
	delete(text, "domain")
	delete(text, "appName")
	return o.readOptional(text)
}

// readOptional reads colors, then URLs; every other field is a social link (ASSUMPTIONS.md: social links).
func (o *provisionRequest) readOptional(text map[string]string) *apiError {
	for _, name := range []string{"colorPrimary", "colorAccent"} {
		value, given := text[name]
		if !given {
			continue
		}
		if !hexColor.MatchString(value) {
			return bad("INVALID_COLOR", name+" is not a valid color.")
		}
		o.colors[name] = value
		delete(text, name)
	}
	social := 0
	for _, name := range slices.Sorted(maps.Keys(text)) {
		value := text[name]
		if !validURL(value) {
			return bad("INVALID_URL", name+" must be a complete http or https URL.")
		}
		if len(value) > maxURL {
			return badRequest(name + " is too long.")
		}
		if name != "supportUrl" && name != "websiteUrl" {
			social++
		}
		o.links[name] = value
	}
	if social > maxSocialLinks {
		return bad("TOO_MANY_SOCIAL_LINKS", "At most 20 social links are allowed.")
	}
	return nil
}

func (o *provisionRequest) checkOwner() *apiError {
	switch {
	case !validEmail(o.owner.Email):
		return bad("OWNER_INVALID_EMAIL", "owner.email is not a plain email address.")
	case blank(o.owner.FirstName), blank(o.owner.LastName):
		return bad("OWNER_INVALID_NAME", "owner.firstName and owner.lastName must not be blank.")
	case len([]rune(o.owner.FirstName)) > maxText, len([]rune(o.owner.LastName)) > maxText, len(o.owner.Email) > maxText:
		return badRequest("A field of owner is too long.")
	default:
		return nil
	}
}
