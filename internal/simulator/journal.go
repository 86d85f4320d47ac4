package simulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// unknownRoute names requests that no endpoint answers.
const unknownRoute = "(no endpoint)"

// Call is one request as the journal keeps it.
type Call struct {
	Time   time.Time       `json:"time"`
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Route  string          `json:"route"` // such as "GET /console/:slug/reseller/private-labels"
	Query  string          `json:"query,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"` // as sent, compact, secrets blanked; of a form its fields; files and what is long by digest; null for neither
	Status int             `json:"status"`
	Code   string          `json:"code,omitempty"` // the error's
	KeyID  string          `json:"key_id,omitempty"`
	Agent  string          `json:"agent,omitempty"`
	Fault  bool            `json:"fault,omitempty"` // a fault struck
}

// secretFields never are in the journal.
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
	// maxJournalBytes bounds the journal, about: the oldest calls go.
	maxJournalBytes = 64 << 20
	// callBytes is what a call takes beside its texts.
	callBytes = 200
	// maxJournalText bounds each text of a call that a client chooses, in bytes.
	maxJournalText = 2 << 10
)

// note appends a call, and makes room by a quarter where there is none.
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

// size in bytes, about.
func (c Call) size() int {
	return callBytes + len(c.Method) + len(c.Path) + len(c.Query) + len(c.Body) + len(c.Agent)
}

func sizeOf(calls []Call) (sum int) {
	for _, c := range calls {
		sum += c.size()
	}
	return sum
}

// shortened is a text cut where it is too long, between two characters.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// maxJournalBody bounds what the journal keeps of one text or one body, in
// bytes: what is longer is there by digest and size.
const maxJournalBody = 64 << 10

// journalBody is a form's fields as an object, or what was sent as JSON.
func (r *request) journalBody() json.RawMessage {
	body := journalBody(r.body)
	if _, isForm := r.boundary(); isForm {
		body = journalBody(r.journalForm())
	}
	if len(body) > maxJournalBody {
		return digested(body)
	}
	return body
}

// journalForm is a form as the journal keeps it: texts by name, the JSON lists
// in them as JSON, of files digest and size. It is nil for one that cannot be read.
func (r *request) journalForm() []byte {
	form, refusal := r.signingForm(false)
	if refusal != nil {
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

// journalBody keeps what was sent and what was left out apart: the JSON is the
// client's own, but for secrets.
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

// blankSecrets reports whether there was one, however deep.
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
				value[name], found = "(secret)", true
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
