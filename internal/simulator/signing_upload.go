package simulator

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"regexp"
	"slices"
	"time"
)

// dueDateForm is dd-mm-yyyy (§8).
const dueDateForm = "02-01-2006"

var (
	passcodeForm = regexp.MustCompile(`^[0-9]{4,8}$`)
	fontSizeForm = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?pt$`)
	dueDateShape = regexp.MustCompile(`^[0-9]{2}-[0-9]{2}-[0-9]{4}$`)
)

type viewerBody struct {
	Email     string `json:"email"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

type signerBody struct {
	viewerBody

	Domain      *string           `json:"domain"`
	SignOrder   *float64          `json:"signOrder"`
	Annotations *[]annotationBody `json:"annotations"`
}

type annotationBody struct {
	Type       string     `json:"type"`
	Content    *string    `json:"content"`
	IsVerified *bool      `json:"isVerified"`
	Style      *styleBody `json:"style"`
}

type styleBody struct {
	Width    *float64 `json:"width"`
	Height   *float64 `json:"height"`
	X        *float64 `json:"x"`
	Y        *float64 `json:"y"`
	Page     *float64 `json:"page"`
	FontSize *string  `json:"fontSize"`
}

// uploadDocument implements §4.1. Nothing of a rejected upload is kept.
func (s *Simulator) uploadDocument(r *request) (any, *apiError) {
	if rejection := s.mayWrite(); rejection != nil {
		return nil, rejection
	}
	form, rejection := r.signingForm()
	if rejection != nil {
		return nil, rejection
	}
	if len(form.fields.text) == 0 && len(form.files) == 0 {
		return nil, errMissingBody
	}
	pdf := form.file("file")
	if pdf == nil {
		return nil, errNoFile
	}
	if rejection := s.checkUploadedFile(form, pdf); rejection != nil {
		return nil, rejection
	}
	doc, rejection := s.readDocument(&form.fields)
	if rejection != nil {
		return nil, rejection
	}
	doc.Size = len(pdf.data)
	doc.SHA256 = digest(pdf.data)
	s.keep(doc, r.now)
	return map[string]any{"message": "The document was inserted.", "docId": doc.ID}, nil
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// isPDF accepts other bytes before a PDF, as PDF readers do.
func isPDF(content []byte) bool {
	return bytes.Contains(content[:min(len(content), 1024)], []byte("%PDF-"))
}

func (s *Simulator) checkUploadedFile(form *signingForm, pdf *signingFile) *apiError {
	limit := 10 << 20
	if s.forms.isForm("upload-size", "decimal") {
		limit = 10_000_000
	}
	switch {
	case len(form.files) > 1:
		return invalidData("Exactly one file is required, in the field file.")
	case !isPDF(pdf.data):
		return invalidData("The file is not a PDF.")
	case len(pdf.data) >= limit:
		return invalidData("The file must be smaller than 10 MB.")
	default:
		return nil
	}
}

func (s *Simulator) readDocument(fields *formFields) (*document, *apiError) {
	viewersName := "viewers"
	signersName := "signers"
	if s.forms.isForm("upload-arrays", "singular") {
		viewersName = "viewer"
		signersName = "signer"
	}
	var viewers []viewerBody
	var signers []signerBody
	fields.list(viewersName, &viewers)
	fields.list(signersName, &signers)
	domain := fields.nullable("domain")
	doc := &document{
		OwnerEmail:          fields.needed("ownerEmail"),
		Title:               fields.needed("title"),
		FileName:            fields.needed("fileName"),
		Domain:              keptDomain(domain),
		AdditionalMsg:       fields.nullable("additionalMsg"),
		RequireNotarisation: fields.flag("requireNotarisation", false),
		Passcode:            fields.nullable("passcode"),
		DueDate:             fields.nullable("dueDate"),
	}
	return doc, cmp.Or(fields.done(), doc.checkScalars(), s.readPeople(doc, viewers, signers), s.mayUse(domain))
}

func (doc *document) checkScalars() *apiError {
	if !validEmail(doc.OwnerEmail) {
		return invalidData("ownerEmail is not a plain email address.")
	}
	if doc.Passcode != nil && !passcodeForm.MatchString(*doc.Passcode) {
		return invalidData("passcode must be 4 to 8 digits.")
	}
	if doc.DueDate != nil && !realDate(*doc.DueDate) {
		return invalidData("dueDate must be a date of the form dd-mm-yyyy.")
	}
	return nil
}

func realDate(text string) bool {
	_, err := time.Parse(dueDateForm, text)
	return err == nil && dueDateShape.MatchString(text)
}

func (s *Simulator) readPeople(doc *document, viewers []viewerBody, signers []signerBody) *apiError {
	for _, v := range viewers {
		viewer := recipient(v)
		if rejection := viewer.check(); rejection != nil {
			return rejection
		}
		doc.Viewers = append(doc.Viewers, viewer)
	}
	for _, body := range signers {
		sg, rejection := s.readSigner(body)
		if rejection != nil {
			return rejection
		}
		doc.Signers = append(doc.Signers, *sg)
	}
	return nil
}

func (p recipient) check() *apiError {
	if !validEmail(p.Email) || blank(p.FirstName) || blank(p.LastName) {
		return invalidData("A viewer or signer requires a plain email address, firstName and lastName.")
	}
	return nil
}

// firstPage is the least number of a page.
var firstPage = map[string]float64{"any": math.Inf(-1), "one": 1, "zero": 0}

func (s *Simulator) readSigner(body signerBody) (*signer, *apiError) {
	sg := &signer{recipient: recipient(body.viewerBody), Domain: body.Domain}
	if rejection := sg.check(); rejection != nil {
		return nil, rejection
	}
	if body.SignOrder == nil || body.Annotations == nil {
		return nil, invalidData("A signer requires signOrder and annotations.")
	}
	sg.SignOrder = *body.SignOrder
	for _, sentAnnotation := range *body.Annotations {
		a, rejection := sentAnnotation.read()
		if rejection != nil {
			return nil, rejection
		}
		if a.Style.Page < firstPage[s.forms.formOf("annotation-page")] {
			return nil, invalidData("There is no such page.")
		}
		if a.Verified {
			if rejection := s.store.data.checkContent(sg, a, a.Content); rejection != nil {
				return nil, rejection
			}
		}
		sg.Annotations = append(sg.Annotations, *a)
	}
	return sg, nil
}

// read implements §2.4: a signature that is not verified has the content `Signature`.
func (body annotationBody) read() (*annotation, *apiError) {
	switch {
	case !slices.Contains(annotationTypes, body.Type):
		return nil, invalidData("The type of an annotation is unknown.")
	case body.Content == nil, body.IsVerified == nil, body.Style == nil:
		return nil, invalidData("An annotation requires content, isVerified and style.")
	case body.Type == typeSignature && !*body.IsVerified && *body.Content != typeSignature:
		return nil, invalidData("The content of a signature that is not verified must be Signature.")
	}
	st, rejection := body.Style.read()
	return &annotation{Type: body.Type, Content: *body.Content, Verified: *body.IsVerified, Style: st}, rejection
}

func (body *styleBody) read() (style, *apiError) {
	for _, n := range []*float64{body.Width, body.Height, body.X, body.Y, body.Page} {
		if n == nil {
			return style{}, invalidData("A style requires width, height, x, y and page.")
		}
	}
	st := style{Width: *body.Width, Height: *body.Height, X: *body.X, Y: *body.Y, Page: *body.Page}
	if body.FontSize != nil {
		if st.FontSize = *body.FontSize; !fontSizeForm.MatchString(st.FontSize) {
			return style{}, invalidData("fontSize must be a number followed by pt.")
		}
	}
	return st, nil
}

// keep adds a document to the books. A document on a private label's domain counts as sent by the private label.
func (s *Simulator) keep(doc *document, now time.Time) {
	d := s.store.data
	doc.ID = d.newID("document")
	doc.CreatedAt = millis(now)
	doc.UpdatedAt = millis(now)
	for i := range doc.Signers {
		for j := range doc.Signers[i].Annotations {
			doc.Signers[i].Annotations[j].ID = d.newID("annotation")
		}
	}
	d.Signing.Documents = append(d.Signing.Documents, doc)
	s.bookDocument(EntryDocumentSent, doc, now)
	if l, _ := d.knownDomain(doc.Domain); l != nil {
		l.Documents = counting(l.Documents, periodOf(now), 1)
	}
	s.advance(doc, now)
}
