package simulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// unknownRoute is the route of requests without an endpoint.
const unknownRoute = "(no endpoint)"

// Call is one request in the journal.
type Call struct {
	Time   time.Time       `json:"time"`
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Route  string          `json:"route"` // such as "GET /console/:slug/reseller/private-labels"
	Query  string          `json:"query,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"` // as sent, compact, without secrets; a form by its fields; files and long texts by digest; null for neither
	Status int             `json:"status"`
	Code   string          `json:"code,omitempty"` // the error's
	KeyID  string          `json:"key_id,omitempty"`
	Agent  string          `json:"agent,omitempty"`
	Fault  bool            `json:"fault,omitempty"` // a fault occurred
}

// secretFields are never in the journal.
var secretFields = []string{"api_key", "confirmationKey", "passcode", "docPassword"}

func (s *Simulator) note(r *request, a *response, f *Fault) {
	c := Call{
		Time:   r.now,
		Method: shortened(r.method, maxJournalText),
		Path:   shortened(r.path, maxJournalText),
		Route:  r.routeName(),
		Query:  shortened(r.query.Encode(), maxJournalText),
		Body:   r.journalBody(),
		Status: a.status,
		Code:   a.code,
		Agent:  shortened(r.header.Get("User-Agent"), maxJournalText),
		Fault:  f != nil,
	}
	if r.key != nil {
		c.KeyID = r.key.ID
	}
	s.store.live.note(c)
}

const (
	// maxJournalBytes is the approximate limit of the journal; the oldest calls are removed.
	maxJournalBytes = 64 << 20
	// callBytes is the size of a call without its texts.
	callBytes = 200
	// maxJournalText limits each text of a call that a client chooses, in bytes.
	maxJournalText = 2 << 10
)

// note appends a call, and removes a quarter of the journal if it is full.
func (l *live) note(c Call) {
	l.Journal = append(l.Journal, c)
	l.size += c.size()
	if l.size <= maxJournalBytes {
		return
	}
	first := 0
	for ; l.size > maxJournalBytes/4*3; first++ {
		l.size -= l.Journal[first].size()
	}
	l.Journal = append([]Call(nil), l.Journal[first:]...)
}

// size is approximate, in bytes.
func (c Call) size() int {
	return callBytes + len(c.Method) + len(c.Path) + len(c.Query) + len(c.Body) + len(c.Agent)
}

func sizeOf(calls []Call) (sum int) {
	for _, c := range calls {
		sum += c.size()
	}
	return sum
}

// shortened cuts a text that is too long, between two characters.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// maxJournalBody limits what the journal stores of one text or one body, in bytes; a longer one is stored as digest and
// size.
const maxJournalBody = 64 << 10

// journalBody is the fields of a form as an object, or the JSON that was sent.
func (r *request) journalBody() json.RawMessage {
	if r.isCutJSON() {
		return nil
	}
	sent := r.body
	if _, isForm := r.boundary(); isForm {
		sent = r.journalForm()
	}
	body := journalBody(sent)
	if len(body) > maxJournalBody {
		return digested(body)
	}
	return body
}

// journalForm is a form in the journal: texts by name, JSON lists as JSON, files by digest and size. It is nil for a
// form that cannot be read.
func (r *request) journalForm() []byte {
	form, rejection := r.signingForm()
	if rejection != nil {
		return nil
	}
	out := map[string]any{}
	for name, text := range form.fields.text {
		out[name] = journalText(text)
	}
	for _, file := range form.files {
		out[file.field] = digested(file.data)
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return nil
	}
	return raw
}

func journalText(text string) any {
	switch {
	case len(text) > maxJournalBody:
		return digested([]byte(text))
	case strings.HasPrefix(text, "[") && json.Valid([]byte(text)):
		return json.RawMessage(text)
	default:
		return text
	}
}

func digested(content []byte) json.RawMessage {
	return fmt.Appendf(nil, `{"sha256":%q,"size":%d}`, digest(content), len(content))
}

// journalBody keeps null fields apart from omitted ones: the JSON is the client's own, except for secrets.
func journalBody(body []byte) json.RawMessage {
	var compact bytes.Buffer
	if len(body) == 0 || json.Compact(&compact, body) != nil {
		return nil
	}
	var value any
	if json.Unmarshal(body, &value) != nil || !blankSecrets(value) {
		return compact.Bytes()
	}
	blanked, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	return blanked
}

// blankSecrets reports whether there was a secret at any depth.
func blankSecrets(value any) bool {
	found := false
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			found = blankSecrets(element) || found
		}
	case map[string]any:
		for name, nested := range value {
			if isSecret(name) && nested != nil {
				value[name] = "(secret)"
				found = true
				continue
			}
			found = blankSecrets(nested) || found
		}
	}
	return found
}

func isSecret(name string) bool {
	return slices.ContainsFunc(secretFields, func(secret string) bool { return strings.EqualFold(name, secret) })
}
