package signing

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Signature is a stored signature (Signing API §4.5).
type Signature struct {
	ID  string          // file name of an image; the content of a signed Signature annotation
	Raw json.RawMessage // the whole entry, normalized
}

const opSignatures = "list the signatures"

// SignatureList returns the user's stored signatures (§4.5). Of an entry only the ID is documented, which is the file
// name of an image. It is the entry itself if that is text, else the field of an ID or the only field with such a name.
func (c *Client) SignatureList(ctx context.Context) ([]Signature, error) {
	data, err := c.do(ctx, &call{op: opSignatures, endpoint: c.routes.signatures, repeatable: true})
	if err != nil {
		return nil, err
	}
	rows, err := signatureRows(data)
	if err != nil {
		return nil, err
	}
	out := make([]Signature, 0, len(rows))
	for i, row := range rows {
		raw, err := normalize(opSignatures, row)
		if err != nil {
			return nil, err
		}
		id := signatureID(raw)
		if id == "" {
			return nil, transport.Unreadable(opSignatures, http.StatusOK, fmt.Sprintf("entry %d of the response has no signature ID that this version can find", i))
		}
		out = append(out, Signature{ID: id, Raw: raw})
	}
	return out, nil
}

// signatureRows returns the list named after signatures, or the only list.
func signatureRows(data json.RawMessage) ([]json.RawMessage, error) {
	lists := listsIn(data)
	named := slices.IndexFunc(lists, func(l list) bool { return l.name == "signatures" || l.name == "signatureList" })
	switch {
	case named >= 0:
		return lists[named].rows, nil
	case len(lists) == 1:
		return lists[0].rows, nil
	default:
		return nil, transport.Unreadable(opSignatures, http.StatusOK, fmt.Sprintf("the response has %d arrays where one of signatures was expected", len(lists)))
	}
}

// signatureID returns the ID of an entry: an image name. An ID in another form is used only if not exactly one other
// field has an image name.
func signatureID(raw json.RawMessage) string {
	var id string
	if json.Unmarshal(raw, &id) == nil {
		return id
	}
	row := readObject(raw)
	named := row.text("id", "signatureId")
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
