package signing

import (
	"errors"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// redactor removes the secrets of one call from what the API returns: the user API key, a passcode, a document's
// password. Short secrets are removed, too: a passcode may have four digits.
type redactor struct{ transport.Redactor }

func newRedactor(secrets []string) redactor { return redactor{transport.NewRedactor(secrets...)} }

func (r redactor) error(err error) error {
	if e, ok := errors.AsType[*transport.Error](err); ok {
		e.Message = r.Text(e.Message)
		if !isDocumented(e) {
			e.Code = r.Text(e.Code)
		}
	}
	if err == nil || transport.NeverSent(err) && !errors.As(err, new(*transport.Error)) {
		return err // has no text from the API
	}
	return r.Error(err)
}
