package check

import (
	"bytes"
	crypto "crypto/rand"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
)

// replacer replaces all text that is not known to be harmless. It works on words, the runs of letters and digits: a word
// has the same replacement everywhere, in any case and encoding, so that names, addresses and host names that belong
// together still do. Separators stay.
type replacer struct {
	rng       *rand.Rand
	collects  bool              // words are noted, and nothing is replaced yet
	words     map[string]string // replacement of each lowercase word
	used      map[string]bool   // replacements
	original  map[string]bool   // words of all texts that are replaced, lowercase
	personal  map[string]bool   // those of names, host names, addresses, codes and IDs
	fields    map[string]bool   // documented names of fields
	spellings map[string]bool   // of these names, in any case and without underscores
	kept      map[string]bool   // other names of fields, which stay
	shapes    map[string]*shape // of the objects in lists, by their place
}

// shape counts the rows of a list at one place, and how many have each key.
type shape struct {
	rows int
	keys map[string]int
}

// isMap reports whether keys differ between the rows: then they are data. One that only some rows have, beside documented
// names, is a field that can be omitted.
func (r *replacer) isMap(at string) bool {
	s := r.shapes[at]
	if s == nil {
		return false
	}
	differing := 0
	documented := 0
	for key, n := range s.keys {
		switch {
		case r.isDocumented(key):
			documented++
		case n < s.rows:
			differing++
		}
	}
	return differing > 1 || differing == 1 && documented == 0
}

func (r *replacer) noteShape(at string, object map[string]any) {
	if !r.collects || !strings.Contains(at, "[]") {
		return
	}
	s := r.shapes[at]
	if s == nil {
		s = &shape{keys: map[string]int{}}
		r.shapes[at] = s
	}
	s.rows++
	for key := range object {
		s.keys[key]++
	}
}

// replaced returns a transcript without what is secret or personal. It reads all of it first, because what is a name in
// one place may look harmless in another. fields are documented names, which stay. names are those that stay and are not
// documented.
func replaced(t Transcript, fields map[string]bool) (out Transcript, names []string) {
	var seed [32]byte
	_, _ = crypto.Read(seed[:]) // never fails
	r := &replacer{
		rng: rand.New(rand.NewChaCha8(seed)), words: map[string]string{}, used: map[string]bool{}, original: map[string]bool{}, //nolint:gosec // G404: ChaCha8
		personal: map[string]bool{}, fields: maps.Clone(fields), spellings: map[string]bool{}, kept: map[string]bool{}, shapes: map[string]*shape{}, collects: true,
	}
	maps.Copy(r.fields, requestFields)
	for name := range r.fields {
		r.spellings[spelling(name)] = true
	}
	r.transcript(t)
	r.collects = false
	out = r.transcript(t)
	return out, slices.Sorted(maps.Keys(r.kept))
}

func (r *replacer) transcript(t Transcript) Transcript {
	t.Slug = r.text("slug", t.Slug)
	t.Label = r.text("domain", t.Label)
	t.Exchanges = slices.Clone(t.Exchanges)
	for i, e := range t.Exchanges {
		e.Request.Path = r.path(e.Request.Path)
		e.Request.Query = r.texts(e.Request.Query)
		e.Request.Body = r.json(e.Request.Body, "")
		if e.Response != nil {
			resp := *e.Response
			resp.Header = r.headers(resp.Header)
			resp.Body = r.json(resp.Body, strconv.Itoa(i))
			resp.Text = r.free(resp.Text)
			e.Response = &resp
		}
		t.Exchanges[i] = e
	}
	return t
}

// path replaces the slug and the ID of a private label in a path; the rest of a path is the client's own.
func (r *replacer) path(path string) string {
	elements := strings.Split(path, "/")
	for i, element := range elements {
		isSlug := i > 0 && elements[i-1] == "console" && i+1 < len(elements) && elements[i+1] == "reseller"
		if plain, err := url.PathUnescape(element); err == nil && (isSlug || i > 0 && elements[i-1] == "private-labels") {
			elements[i] = url.PathEscape(r.text("slug", plain))
		}
	}
	return strings.Join(elements, "/")
}

func (r *replacer) texts(in map[string]string) map[string]string {
	var out map[string]string
	for _, name := range sorted(in) {
		out = with(out, name, r.text(name, in[name]))
	}
	return out
}

// headers keeps the words of media types, times, numbers and the parameters of a rate limit policy.
func (r *replacer) headers(in map[string]string) map[string]string {
	var out map[string]string
	for _, name := range sorted(in) {
		value := in[name]
		if media, _, _ := strings.Cut(value, ";"); strings.EqualFold(name, "Content-Type") {
			value = r.media(strings.TrimSpace(media))
		} else if _, err := http.ParseTime(value); err != nil && !headerNumbers.MatchString(value) {
			value = r.free(value)
		}
		out = with(out, name, value)
	}
	return out
}

var (
	headerNumbers = regexp.MustCompile(`^[0-9 .,;=wq]*$`)
	mediaWords    = setOf("application text multipart image json problem xml html plain octet stream form data x www urlencoded png jpeg gif svg vnd")
)

// media replaces names in a media type: application/vnd.NAME+json.
func (r *replacer) media(value string) string {
	return tokens.ReplaceAllStringFunc(value, func(word string) string {
		if mediaWords[lower(word)] {
			return word
		}
		return r.free(word)
	})
}

// json replaces the texts and numbers of JSON. at is the place of its root.
func (r *replacer) json(raw json.RawMessage, at string) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	var value any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	_ = dec.Decode(&value)                                  // it is valid JSON
	out, _ := anyjson.Encode(r.value(value, at, "", false)) // plain values
	return out
}

// value replaces the texts of a value at a place. field is its name, "error.code" for the code of an error.
func (r *replacer) value(value any, at, field string, isSecret bool) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		r.noteShape(at, v)
		isMap := r.isMap(at)
		for _, key := range sorted(v) {
			name := key
			if field == "error" {
				name = "error." + key
			}
			out[r.key(key, isMap)] = r.value(v[key], at+"."+key, name, isSecret || secretField.MatchString(name))
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			out[i] = r.value(element, at+"[]", field, isSecret)
		}
		return out
	case string:
		if isSecret && v != "" {
			return substitute
		}
		return r.text(field, v)
	case json.Number:
		if isSecret {
			return 0
		}
		return r.number(field, v)
	}
	return value
}

// number replaces the digits of a number, unless it is an amount or a time of the API documentation.
func (r *replacer) number(field string, number json.Number) json.Number {
	digits, exponent, _ := strings.Cut(strings.ToLower(number.String()), "e")
	if figures[field] || strings.Trim(digits, "-0.") == "" {
		return number
	}
	digits = decimals.ReplaceAllStringFunc(digits, func(run string) string {
		if len(run) == 1 || strings.Trim(run, "0") == "" {
			return run
		}
		return r.free(run)
	})
	if exponent != "" {
		digits += "e" + exponent
	}
	return json.Number(digits)
}

var decimals = regexp.MustCompile(`[0-9]+`)

// figures are the documented fields whose numbers are amounts or times.
var figures = setOf(`documents seats templates notarizations points quantity total used remaining excess requested page pageSize
	totalDomains totalUsers userCount provisionedCount memberCount documentsSent members expires_in allowance billed granted
	createdAt updatedAt suspendedAt expiresAt assignedAt lastUsedAt revokedAt notarisationTimeStamp`)

// secretField matches names of fields whose value is secret. Numbers of a period or a quota are not.
var secretField = regexp.MustCompile(`(?i)^(?:.*(?:access_?token|refresh_?token|api_?key|confirmation_?key|secret|pass_?(?:word|code|phrase)|` +
	`authorization|private_?key|cookie|bearer).*|token|key|pin|otp)$`)

const substitute = "removed"

// words of the API documentation, which stay in any field but a name.
var vocabulary = setOf(`OK Err Fail Active Suspended Platform Reseller owner admin member created added removed sent deprovisioned
	Assigned Attached ConfirmationRequired Failed Bearer client_credentials invalid_request invalid_client documents seats templates notarizations points
	reseller:read reseller:provision reseller:packages lifetime A AAAA CNAME TXT ALIAS ANAME NS Signature Name Date Stamp View null`)

// requestFields are documented fields that no type of the client has.
var requestFields = setOf(`status data error code message outcome total page pageSize query period itemCode grant_type api_key name currency
	packages addons rows items results result list documents signatures assignment package packageId addonId id docId title fileName active
	isActive confirmation key expiresAt warnings requested remaining excess privateLabels included allowance billed used granted json totals
	primaryHost tenantId domain email url metadata createdAt updatedAt count limit offset type points`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// Fields whose values have a known form that stays.
var (
	personalField = regexp.MustCompile(`(?i)(?:name|mail|host|domain|code|slug|title|label|company|owner|user|id|address|phone|path|url|four)$`)
	enumField     = setOf("status role suspendedBy outcome action currency error scope scopes token_type")
	errorCode     = regexp.MustCompile(`^[A-Z]{2,20}(?:_[A-Z]{1,20}){0,5}$`)
	figureField   = regexp.MustCompile(`(?i)(?:^(?:page|pageSize|total|count|quantity|documents|seats|templates|notarizations|points|requested)|` +
		`remaining|excess|used|allocated|allowance|billed|granted|amount|price)$`)
	figureValue = regexp.MustCompile(`^-?[0-9]{1,12}(?:\.[0-9]{1,6})?$`)
	timeField   = regexp.MustCompile(`(?:At|_at|^period|^date|imestamp)$`)
	timeValue   = regexp.MustCompile(`^(?:[0-9]{9,16}|[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:[T ][0-9:.]{5,18}(?:Z|[+-][0-9:]{4,6})?)?)?)$`)
)

// text replaces the text of a field.
func (r *replacer) text(field, text string) string {
	isPersonal := field != "error.code" && field != "itemCode" && personalField.MatchString(field)
	switch trimmed := strings.TrimSpace(text); {
	case secretField.MatchString(field) && text != "":
		return substitute
	case !isPersonal && vocabulary[text],
		enumField[field] && len(text) <= 80 && isEnum(field, text), field == "error.code" && errorCode.MatchString(text),
		figureField.MatchString(field) && figureValue.MatchString(text),
		timeField.MatchString(field) && timeValue.MatchString(text):
		return text
	case strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "["):
		if json.Valid([]byte(trimmed)) {
			return string(r.json(json.RawMessage(trimmed), ""))
		}
	}
	if r.collects && isPersonal {
		r.each(text, func(word string) { r.personal[word] = true })
	}
	return r.free(text)
}

// isEnum reports whether a text of a field is of words of the API documentation in any case, such as a list of scopes.
func isEnum(field, text string) bool {
	words := strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == ',' })
	isOther := func(word string) bool { return !foldedVocabulary[lower(word)] }
	return field == "currency" && currencyCode.MatchString(text) || len(words) > 0 && !slices.ContainsFunc(words, isOther)
}

var foldedVocabulary = func() map[string]bool {
	out := map[string]bool{}
	for word := range vocabulary {
		out[lower(word)] = true
	}
	return out
}()

var currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)

// fieldName is a name as the API writes it, in camelCase or with underscores.
var fieldName = regexp.MustCompile(`^[a-z_$][A-Za-z_]{0,39}[0-9]{0,2}$`)

// isDocumented reports whether the API documentation has a name, in this spelling or in another one.
func (r *replacer) isDocumented(key string) bool {
	return vocabulary[key] || r.spellings[spelling(key)]
}

func spelling(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

// key replaces the key of an object that is data: not documented, and of a map, not like the name of a field, or known as a
// name.
func (r *replacer) key(key string, ofMap bool) string {
	switch {
	case r.isDocumented(key):
		return key
	case !ofMap && fieldName.MatchString(key) && !r.isPersonal(key):
		if !r.collects {
			r.kept[key] = true
		}
		return key
	}
	return r.text("name", key)
}

// isPersonal reports whether a text has a word of a name, a host name, an address, a code or an ID.
func (r *replacer) isPersonal(text string) bool {
	found := false
	r.each(text, func(word string) { found = found || r.personal[word] && !vocabulary[word] && !r.fields[word] })
	return found
}

func (r *replacer) each(text string, do func(word string)) {
	for _, word := range tokens.FindAllString(text, -1) {
		if !isEscape.MatchString(word) {
			do(lower(word))
		}
	}
}

const punctuation = `%(?:2[0-9A-Fa-f]|3[A-Fa-f]|40|5[B-Fb-f]|7[B-Eb-e])`

// tokens are punctuation that is encoded for a URL, which separates words, and words: letters, digits and symbols, also those that
// are encoded for a URL, in a JSON text inside of a text, or for HTML.
var (
	isEscape = regexp.MustCompile(`^` + punctuation + `$`)
	tokens   = regexp.MustCompile(punctuation + `|(?:[\pL\pN\pM]|[^\x00-\x7f]|%(?:[0189A-Fa-f][0-9A-Fa-f]|[37][0-9]|4[1-9A-Fa-f]|5[0-9Aa]|6[0-9A-Fa-f]|7[AFaf])|` +
		`\\u[0-9A-Fa-f]{4}|&#[0-9A-Za-z]{1,8};)+`)
)

func lower(text string) string {
	return strings.Map(unicode.ToLower, text)
}

// free replaces all words of a text, in its case.
func (r *replacer) free(text string) string {
	if r.collects {
		r.each(text, func(word string) { r.original[word] = true })
		return text
	}
	return tokens.ReplaceAllStringFunc(text, func(word string) string {
		if isEscape.MatchString(word) {
			return word
		}
		next := []rune(r.word(lower(word)))
		like := []rune(word)
		for i, c := range like {
			if unicode.IsUpper(c) {
				next[i] = unicode.ToUpper(next[i])
			}
		}
		return string(next)
	})
}

// word returns the replacement of a lowercase word: of the same form, unlike any word of the originals, and of no other
// word.
func (r *replacer) word(word string) string {
	if known, ok := r.words[word]; ok {
		return known
	}
	const tries = 1000
	next := word
	for range tries {
		if next = r.random(word); next != word && !r.used[next] {
			break
		}
	}
	r.words[word] = next
	r.used[next] = true
	return next
}

// endsLikeOriginal reports whether a text ends with an original word. Those of one and two characters are in any text,
// and long ones in none by chance.
func (r *replacer) endsLikeOriginal(text []rune) bool {
	const shortest, longest = 3, 8
	for n := shortest; n <= min(len(text), longest); n++ {
		if r.original[string(text[len(text)-n:])] {
			return true
		}
	}
	return false
}

var (
	hexWord  = regexp.MustCompile(`^(?:[0-9a-f]*[0-9][0-9a-f]*|[0-9a-f]{16,})$`)
	byteWord = regexp.MustCompile(`^[0-9]{3}$`)
)

// random returns a word of the same form: digits for digits, and letters for letters of as many bytes. Three digits stay
// the part of an IP address.
func (r *replacer) random(word string) string {
	const leastByte, mostByte, tries = 100, 255, 30
	letters := "abcdefghijklmnopqrstuvwxyz"
	switch {
	case byteWord.MatchString(word):
		return strconv.Itoa(leastByte + r.rng.IntN(mostByte-leastByte+1))
	case hexWord.MatchString(word):
		letters = letters[:6]
	}
	var out []rune
	for i, c := range []rune(word) {
		out = append(out, r.character(c, letters))
		isZero := func() bool { return i == 0 && c != '0' && out[0] == '0' }
		for try := 0; try < tries && (r.endsLikeOriginal(out) || isZero()); try++ {
			out[i] = r.character(c, letters)
		}
	}
	return string(out)
}

func (r *replacer) character(like rune, letters string) rune {
	switch {
	case '0' <= like && like <= '9':
		return '0' + r.rng.Int32N(10)
	case 'a' <= like && like <= 'z':
		return rune(letters[r.rng.IntN(len(letters))])
	case like <= unicode.MaxASCII: // of an encoding
		return like
	case utf8.RuneLen(like) == 2:
		return 'à' + r.rng.Int32N('ö'-'à')
	case utf8.RuneLen(like) == 3:
		return '一' + r.rng.Int32N(20_000)
	}
	return '𠀀' + r.rng.Int32N(40_000)
}
