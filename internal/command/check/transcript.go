// Package check is the subcommand `check`: it meets the API with reads only, reports what of it the provider can
// use, and writes and replays transcripts of what it saw.
package check

import "encoding/json"

// transcriptFormat is the value of Transcript.Format. A file with another one is not read.
const transcriptFormat = "terraform-provider-reseller check 1"

// Transcript is what a check sent and received, in order. It has no secret, and every name, host name, email address,
// ID and free text is replaced, the same value by the same replacement everywhere (replace.go).
type Transcript struct {
	Format    string     `json:"format"`
	About     string     `json:"about"`            // says what was replaced, to a reader of the file
	Provider  string     `json:"provider"`         // version
	Started   int64      `json:"started"`          // milliseconds since the Unix epoch
	Slug      string     `json:"slug,omitempty"`   // if it was configured
	Label     string     `json:"label,omitempty"`  // host name of -label
	Family    string     `json:"family,omitempty"` // of the Signing API; "" without its settings
	Exchanges []Exchange `json:"exchanges"`

	// Answers are what the responses show of questions that the API documentation leaves open, by the stable names of
	// questions.go. They only repeat what the exchanges show.
	Answers map[string]string `json:"answers"`
}

// Exchange is one HTTP request and what came back. A retry is an exchange of its own.
type Exchange struct {
	API      string    `json:"api"` // "reseller" or "signing"
	At       int64     `json:"at"`  // milliseconds after Started
	Took     int64     `json:"took"`
	Request  Request   `json:"request"`
	Response *Response `json:"response,omitempty"`
	Failure  string    `json:"failure,omitempty"` // kind of failure if no complete response arrived: "interrupted"
}

// Request is the request. Its headers are those of every call, and not recorded.
type Request struct {
	Method string            `json:"method"`
	Path   string            `json:"path"`            // escaped, below the base URL
	Query  map[string]string `json:"query,omitempty"` // not escaped
	Body   json.RawMessage   `json:"body,omitempty"`
}

// Response is the response. A body that is JSON is in Body, any other in Text.
type Response struct {
	Status int               `json:"status"`
	Header map[string]string `json:"header"` // Content-Type, RateLimit-Limit, -Remaining and -Reset, Retry-After, X-Request-Id
	Body   json.RawMessage   `json:"body,omitempty"`
	Text   string            `json:"text,omitempty"`
}
