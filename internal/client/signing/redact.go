package signing

import (
	"errors"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// redactor takes the secrets of one call out of what the service says: the user
// API key, a passcode, a document's password. Even short ones go: a passcode
// has as few as four digits.
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
		return err // nothing of it is the service's
	}
	return r.Error(err)
}
