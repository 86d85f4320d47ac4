package signing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/forms"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// This file sends and reads what the API documentation leaves open, in the forms that the package forms lists. Where its
// reading ends, an error names what is missing.

// §4: the two families of paths.

type family struct{ upload, sign, view, signatures string }

var families = map[string]family{
	FamilySigning:    {"/signing/upload", "/signing/sign", "/signing/view-document", "/signing/signature-list"},
	FamilySigningAPI: {"/signing-api/documents", "/signing-api/documents/update", "/signing-api/documents/view", "/signing-api/signatures/list"},
}

// pathMint is the same for both families (§4.6).
const pathMint = "/signing-api/mintDocument"

// readAt returns a request that may be retried.
func readAt(op, method, path string) transport.Request {
	return transport.Request{Op: op, Method: method, Path: path, Route: path, Retryable: true}
}

// writeAt returns a request that continues after the run is canceled.
func writeAt(op, path string, secret *string) transport.Request {
	return transport.Request{Op: op, Method: http.MethodPost, Path: path, Route: path, Writes: true, NeedsBody: true, Secrets: []string{text(secret)}}
}

// §2.1: the field `domain` is required, and null for the personal account. §4.2 to §4.4 give it no null; §4.4 says that it
// defaults to the personal account.

// jsonDomain returns the field of a JSON body: null for "". A domain may be a word other than a host name.
func jsonDomain(domain string) *string {
	if domain == "" {
		return nil
	}
	if strings.Contains(domain, ".") {
		domain = transport.SentHost(domain)
	}
	return &domain
}

// formDomain returns the field of a form or a query, which cannot express null.
func formDomain(domain string) string {
	if sent := jsonDomain(domain); sent != nil {
		return *sent
	}
	return "null"
}

// §4.2: the method, the path and the shape of the list of sent documents.

const opSent = "list the sent documents"

// sentForm is a way to read the list of sent documents.
type sentForm struct{ path, method forms.Form }

// sentForms returns the ways to try: family A has the documented path only.
func (c *Client) sentForms() (out []sentForm) {
	if worked := c.sent.Load(); worked != nil {
		return []sentForm{*worked}
	}
	paths := forms.SentPath.Forms
	if c.cfg.Family == FamilySigning {
		paths = paths[:1]
	}
	for _, path := range paths {
		for _, method := range forms.SentMethod.Forms {
			out = append(out, sentForm{path, method})
		}
	}
	return out
}

// SentDocuments returns `data` of the list of documents that the user sent in a domain, as normalized JSON (§4.2). The
// domain "" is the personal account. Each form is tried, the documented one first, until one succeeds, which is used
// from then on. Only an error about the key ends the search: another one may be that of a path with another meaning. The
// domain is in the query and in the body, as the API documentation does not show where an API reads it.
func (c *Client) SentDocuments(ctx context.Context, domain string) (json.RawMessage, error) {
	tried := c.sentForms()
	var likeliest, last error
	for _, f := range tried {
		if f.method.Bare && last != nil && certainty(last) != otherError {
			continue // the endpoint itself rejected the GET with a body, or there is none
		}
		req := readAt(opSent, f.method.Method, f.path.Path)
		if domain != "" || req.Method == http.MethodGet {
			req.Query = url.Values{"domain": {formDomain(domain)}}
		}
		if !f.method.Bare {
			req.Body = map[string]*string{"domain": jsonDomain(domain)}
		}
		data, err := c.do(ctx, req)
		last = err
		switch {
		case err == nil:
			c.sent.Store(&f)
			return normalize(opSent, data)
		case len(tried) == 1 || !isAnswer(err) || transport.IsCode(err, CodeInvalidAPIKey, CodeInvalidUserAPIKey):
			return nil, err
		case likeliest == nil || certainty(err) > certainty(likeliest):
			likeliest = err
		}
	}
	if isDocumented(likeliest) {
		return nil, likeliest
	}
	first := tried[0]
	return nil, fmt.Errorf("no address that this version knows has the list of sent documents, from %s %s on: %w", first.method.Method, first.path.Path, likeliest)
}

// isAnswer reports whether a server responded: without a connection, or in an exhausted limit, no other path helps.
func isAnswer(err error) bool {
	_, answered := errors.AsType[*transport.Error](err)
	return answered && !transport.IsRateLimitError(err)
}

// How likely an endpoint sent an error.
const (
	noEndpointThere = iota // what a server sends that has no such endpoint: 404, 405, 501, a redirect or an HTML page
	otherError
	ownCode
)

// certainty ranks the errors of several paths.
func certainty(err error) int {
	e, _ := errors.AsType[*transport.Error](err)
	switch {
	case isDocumented(err):
		return ownCode
	case transport.IsStatus(err, noEndpoint...) || e.Status < http.StatusBadRequest && e.Code == "":
		return noEndpointThere
	default:
		return otherError
	}
}

// sentDocument is an entry of the list of sent documents. Missing fields are empty.
type sentDocument struct {
	id, title, fileName, owner, checksum string
	createdAt                            time.Time
}

// readSent reads every object with an ID and with a title, a file name or a time, in any list of the response. The
// document may be one level below such an object.
func readSent(data json.RawMessage) []sentDocument {
	var sent []sentDocument
	for _, l := range listsIn("", data, maxListDepth) {
		for _, raw := range l.rows {
			row := anyjson.ReadObject(raw)
			if row == nil {
				continue
			}
			maps.Copy(row, anyjson.ReadObject(row["document"]))
			d := sentDocument{
				id: documentID(row), title: row.Text("title"), fileName: row.Text("fileName"),
				owner: row.Text("ownerEmail", "email"), checksum: row.Text("checksum"), createdAt: readTime(row.Text("createdAt")),
			}
			if d.id != "" && (d.title+d.fileName != "" || !d.createdAt.IsZero()) {
				sent = append(sent, d)
			}
		}
	}
	return sent
}

// readTime reads milliseconds or seconds since the Unix epoch, or RFC 3339; the zero time for anything else.
func readTime(text string) time.Time {
	const epochMillis = 100_000_000_000 // milliseconds from here on; as seconds this is the year 5138
	if n, err := strconv.ParseFloat(text, 64); err == nil && n > 0 && n < 1e15 {
		if n < epochMillis {
			n *= 1000
		}
		return time.UnixMilli(int64(n))
	}
	t, _ := time.Parse(time.RFC3339, text) // the zero time if it is none
	return t
}

// list is an array in a response and the name of its field, "" at the top.
type list struct {
	name string
	rows []json.RawMessage
}

const maxListDepth = 2 // objects above an array

// listsIn returns every array in data, up to depth levels down, ordered by field name. An object by ID in the field of a
// list is one, too.
func listsIn(name string, data json.RawMessage, depth int) (found []list) {
	var rows []json.RawMessage
	if json.Unmarshal(data, &rows) == nil && rows != nil { // null is not a list
		return []list{{name, rows}}
	}
	fields := anyjson.ReadObject(data)
	if fields != nil && slices.Contains(forms.SigningRows.Form("by-id").Names, name) && !hasRows(fields) {
		rows := []json.RawMessage{}
		for _, id := range slices.Sorted(maps.Keys(fields)) {
			rows = append(rows, fields[id])
		}
		return []list{{name, rows}}
	}
	if depth > 0 {
		for _, field := range slices.Sorted(maps.Keys(fields)) {
			found = append(found, listsIn(field, fields[field], depth-1)...)
		}
	}
	return found
}

// hasRows reports whether an object has an array or a number, such as a total, and therefore is not by ID.
func hasRows(fields anyjson.Object) bool {
	for _, value := range fields {
		var text string
		if anyjson.ReadObject(value) == nil && json.Unmarshal(value, &text) != nil {
			return true
		}
	}
	return false
}

// §4.1, §4.4, §4.6: one family wraps the result of an upload, so that any response may be wrapped.

// placeOf returns the object of a response that has one of the fields: the response itself, or one inside of it.
func placeOf(data json.RawMessage, fields ...string) json.RawMessage {
	places := []json.RawMessage{data}
	top := anyjson.ReadObject(data)
	for _, name := range forms.SigningResult.Form("nested").Names {
		places = append(places, top[name])
	}
	at := slices.IndexFunc(places, func(place json.RawMessage) bool {
		o := anyjson.ReadObject(place)
		return slices.ContainsFunc(fields, func(name string) bool { return !anyjson.IsNothing(o[name]) })
	})
	return places[max(at, 0)]
}

// readDocID reads the ID of an uploaded document.
func readDocID(data json.RawMessage) (string, error) {
	id := documentID(anyjson.ReadObject(placeOf(data, documentIDs...)))
	if id == "" {
		return "", unreadable(opUpload, "the response has no document ID that this version can find")
	}
	return id, nil
}

var documentIDs = forms.SigningResult.Form("flat").Names

func documentID(o anyjson.Object) string {
	return o.Text(documentIDs...)
}

// readMint reads the result of a mint. What cannot be read is empty.
func readMint(data json.RawMessage) MintResult {
	asset := anyjson.ReadObject(placeOf(data, "assetId", "transactionId"))
	result := MintResult{
		AssetID: asset.Text("assetId"), TransactionID: asset.Text("transactionId"),
		PDFIPFSURL: asset.Text("pdfIpfsUrl"), ImageIPFSURL: asset.Text("imageIpfsUrl"),
	}
	if metadata := asset["nftMetadata"]; string(metadata) != "null" {
		result.Metadata, _ = normalize(opMint, metadata)
	}
	result.Raw, _ = normalize(opMint, data)
	return result
}

// §4.5: the shape of the signature list.

// signaturesIn returns the list named after signatures, else all lists that have an entry with an ID, else the only list.
func signaturesIn(data json.RawMessage) ([]json.RawMessage, error) {
	lists := listsIn("", data, maxListDepth)
	if named := slices.IndexFunc(lists, func(l list) bool { return slices.Contains(forms.SigningRows.Form("named").Names, l.name) }); named >= 0 {
		return lists[named].rows, nil
	}
	var rows []json.RawMessage
	for _, l := range lists {
		if slices.ContainsFunc(l.rows, func(row json.RawMessage) bool { return isImageName(signatureID(row)) }) {
			rows = append(rows, l.rows...)
		}
	}
	switch {
	case rows != nil:
		return rows, nil
	case len(lists) == 1:
		return lists[0].rows, nil
	default:
		return nil, unreadable(opSignatures, fmt.Sprintf("the response has %d arrays where one of signatures was expected", len(lists)))
	}
}

// signatureID returns the ID of an entry, which is the file name of an image: the entry itself if that is text, else the
// field of an ID, or the only other field with such a name. "" for none.
func signatureID(raw json.RawMessage) string {
	var id string
	if json.Unmarshal(raw, &id) == nil {
		return id
	}
	row := anyjson.ReadObject(raw)
	named := row.Text(forms.SignatureRow.Names()...)
	if isImageName(named) {
		return named
	}
	var images []string
	for _, value := range row {
		if json.Unmarshal(value, &id) == nil && isImageName(id) {
			images = append(images, id)
		}
	}
	if len(images) == 1 {
		return images[0]
	}
	return named
}

// isImageName reports whether a text is the file name of an image.
func isImageName(s string) bool {
	ends := []string{".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"}
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(strings.ToLower(s), end) })
}

// normalize returns JSON with sorted keys and unchanged numbers, so that equal responses have equal texts.
func normalize(op string, data json.RawMessage) (json.RawMessage, error) {
	out, err := anyjson.Normalize(data)
	if err != nil {
		return nil, unreadable(op, "the response's data cannot be read: "+err.Error())
	}
	return out, nil
}

func unreadable(op, message string) error {
	return transport.Unreadable(op, http.StatusOK, message)
}
