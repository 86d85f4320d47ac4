package simulator

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// viewDocument implements §4.4: each view adds an entry to the log.
func (s *Simulator) viewDocument(r *request) (any, *apiError) {
	var body struct {
		DocID  string  `json:"docId"`
		Domain *string `json:"domain"`
	}
	if rejection := r.decodeText(s.forms, &body); rejection != nil {
		return nil, rejection
	}
	if s.lacksDomain(body.Domain) {
		return nil, invalidData("domain is required.")
	}
	d := s.store.data
	doc := d.Signing.document(body.DocID)
	if doc == nil {
		return nil, errDocID
	}
	if rejection := s.mayUse(body.Domain); rejection != nil {
		return nil, rejection
	}
	doc.Views = append(doc.Views, viewEntry{UserID: d.Signing.User.ID, Address: r.addr, CreatedAt: millis(r.now)})
	return s.viewed(doc), nil
}

// viewed is the object of §2.6.
func (s *Simulator) viewed(doc *document) map[string]any {
	d := s.store.data
	logs := make([]map[string]any, 0, len(doc.Views))
	for _, v := range doc.Views {
		logs = append(logs, map[string]any{"userId": v.UserID, "action": "View", "createdAt": v.CreatedAt, "ipAddr": v.Address, "credentialName": nil})
	}
	return map[string]any{
		"document":               s.viewedDocument(doc),
		"recipients":             d.recipients(doc),
		"annotations":            s.annotations(doc),
		"logs":                   logs,
		"domainOwners":           d.domainOwners(doc),
		"ownerShareReferralCode": d.derived("referral", strings.ToLower(doc.OwnerEmail))[:8],
	}
}

func (s *Simulator) viewedDocument(doc *document) map[string]any {
	first, last := s.store.data.nameOf(doc.OwnerEmail)
	out := map[string]any{
		"id": doc.ID, "title": doc.Title, "ownerId": s.store.data.userIDOf(doc.OwnerEmail), "domain": doc.domain(),
		"createdAt": doc.CreatedAt, "updatedAt": doc.UpdatedAt,
		"isDocumentEncrypted": doc.Passcode != nil,
		"firstName":           first, "lastName": last, "email": doc.OwnerEmail,
		"dueDate":         s.viewedDueDate(doc),
		"ownerTrustScore": 0,
		"additionalMsg":   doc.AdditionalMsg, "requireNotarisation": doc.RequireNotarisation,
		"notarisationStatus": nil, "transactionHash": nil, "merkleRoot": nil, "notarisationTimeStamp": nil,
		"passcode": doc.Passcode, "checksum": doc.SHA256,
		"notarisationNetwork": nil, "paymentMethod": nil, "templateId": nil,
	}
	addVerifyFlags(out)
	return out
}

// viewedDueDate is null or a date value, whose form the documentation does not show.
func (s *Simulator) viewedDueDate(doc *document) any {
	if doc.DueDate == nil {
		return nil
	}
	day, err := time.Parse(dueDateForm, *doc.DueDate)
	switch {
	case err == nil && s.forms.isForm("viewed-due-date", "milliseconds"):
		return millis(day)
	case err == nil && s.forms.isForm("viewed-due-date", "object"):
		return map[string]any{"day": day.Day(), "month": int(day.Month()), "year": day.Year()}
	default:
		return *doc.DueDate
	}
}

// addVerifyFlags sets all flags to false: the simulator verifies no identity.
func addVerifyFlags(to map[string]any) {
	for _, name := range []string{"verifyIdCheck", "verifyGovId", "verifyMobilePhone", "verifyPayment", "verifyWallet"} {
		to[name] = false
	}
}

// recipients are the signers, then the viewers.
func (d *data) recipients(doc *document) []map[string]any {
	out := []map[string]any{}
	add := func(p recipient, order float64, role any) {
		person := map[string]any{
			"userId": d.userIDOf(p.Email), "firstName": p.FirstName, "lastName": p.LastName, "signOrder": order,
			"trustScore": 0, "status": "Active", "email": p.Email, "role": role,
		}
		addVerifyFlags(person)
		out = append(out, person)
	}
	for _, sg := range doc.Signers {
		add(sg.recipient, sg.SignOrder, nil)
	}
	for _, v := range doc.Viewers {
		add(v, 0, "Viewer")
	}
	return out
}

func (s *Simulator) annotations(doc *document) []map[string]any {
	out := []map[string]any{}
	for _, sg := range doc.Signers {
		for _, a := range sg.Annotations {
			filePath := ""
			if a.Type == typeSignature && a.Verified {
				filePath = a.Content
			}
			out = append(out, map[string]any{
				"id": a.ID, "type": s.forms.viewedType(a.Type, filePath), "isVerified": a.Verified, "content": a.Content,
				"width": a.Style.Width, "height": a.Style.Height, "x": a.Style.X, "y": a.Style.Y, "page": a.Style.Page,
				"fontSize": s.forms.viewedFontSize(a.Style.FontSize),
				"userId":   s.store.data.userIDOf(sg.Email), "docId": doc.ID, "email": sg.Email,
			})
		}
	}
	return out
}

// viewedType is the type of an annotation.
func (f Forms) viewedType(name, filePath string) any {
	if f.isForm("viewed-type", "text") {
		return name
	}
	return map[string]string{"type": name, "filePath": filePath}
}

// viewedFontSize is a font size; an empty text for none.
func (f Forms) viewedFontSize(size string) any {
	n, isNumber := strings.CutSuffix(size, "pt")
	if isNumber && f.isForm("viewed-font-size", "number") {
		return json.Number(n)
	}
	return size
}

// domainOwners are the owner and the admins of the domain's private label.
func (d *data) domainOwners(doc *document) []map[string]any {
	out := []map[string]any{}
	l, _ := d.knownDomain(doc.Domain)
	if l == nil {
		return out
	}
	for _, m := range l.Members {
		if m.Role != roleMember {
			out = append(out, map[string]any{"userId": m.ID, "email": m.Email, "firstName": m.FirstName, "lastName": m.LastName})
		}
	}
	return out
}

// listSignatures implements §4.5: the signatures of the key's user.
func (s *Simulator) listSignatures(*request) (any, *apiError) {
	rows := []any{}
	for i, id := range s.store.data.signatures(s.store.data.Signing.User.Email) {
		row := map[string]any{"id": id, "type": typeSignature}
		switch {
		case s.forms.isForm("signature-row", "text"):
			rows = append(rows, id)
			continue
		case s.forms.isForm("signature-row", "odd") && i == 0:
			delete(row, "id")
		}
		rows = append(rows, row)
	}
	return s.rows("signatures", rows), nil
}

// sentDocuments implements §4.2: what the key's user sent on a domain, oldest first.
func (s *Simulator) sentDocuments(r *request) (any, *apiError) {
	domain, rejection := s.sentDomain(r)
	if rejection != nil {
		return nil, rejection
	}
	if rejection := s.mayUse(domain); rejection != nil {
		return nil, rejection
	}
	on := keptDomain(domain)
	rows := []any{}
	for _, doc := range s.store.data.Signing.Documents {
		if doc.Domain == on {
			rows = append(rows, s.sentDocument(doc))
		}
	}
	return s.rows("documents", rows), nil
}

func (s *Simulator) sentDomain(r *request) (*string, *apiError) {
	var body struct {
		Domain *string `json:"domain"`
	}
	if s.forms.isForm("sent-method", "get") {
		if asked := r.query.Get("domain"); r.query.Has("domain") && asked != "null" { // null as in a form
			body.Domain = &asked
		}
	} else if rejection := r.decodeText(s.forms, &body); rejection != nil {
		return nil, rejection
	}
	if s.lacksDomain(body.Domain) {
		return nil, invalidData("domain is required.")
	}
	return body.Domain, nil
}

func (s *Simulator) sentDocument(doc *document) map[string]any {
	return map[string]any{
		"id": doc.ID, "title": doc.Title, "fileName": doc.FileName, "domain": doc.domain(),
		"ownerId": s.store.data.userIDOf(doc.OwnerEmail), "email": doc.OwnerEmail, "checksum": doc.SHA256,
		"createdAt": doc.CreatedAt, "updatedAt": doc.UpdatedAt,
		"isCompleted": doc.CompletedAt != 0, "recipients": s.store.data.recipients(doc),
	}
}

// rows is a list whose shape the documentation does not show.
func (s *Simulator) rows(name string, rows []any) any {
	switch s.forms.formOf("signing-rows") {
	case "bare":
		return rows
	case "two-lists":
		return map[string]any{name: rows, "shared": []any{}}
	case "by-id":
		return map[string]any{name: byID(rows)}
	default:
		return map[string]any{name: rows}
	}
}

// byID is a list as an object; a row without an ID has its place as the key.
func byID(rows []any) map[string]any {
	out := map[string]any{}
	for i, row := range rows {
		key := strconv.Itoa(i)
		switch row := row.(type) {
		case map[string]any:
			if id, hasID := row["id"].(string); hasID {
				key = id
			}
		case string:
			key = row
		}
		out[key] = row
	}
	return out
}
