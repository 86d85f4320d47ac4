package check

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/subcommand"
	"github.com/privatelabels/terraform-provider-reseller/internal/privatefile"
)

const help = `Usage: terraform-provider-reseller check [-out FILE] [-label HOST] [-format text|markdown|json]
       terraform-provider-reseller check -replay FILE [-format text|markdown|json]

Tests whether the provider can use the API, with one token exchange and at most 40 calls. It only reads. It reports a result
for each endpoint, and answers questions that the API documentation leaves open. Settings are the provider's environment
variables, such as RESELLER_BASE_URL and RESELLER_API_KEY. The API key needs the scope reseller:read. The Signing API is
read if RESELLER_SIGNING_URL and RESELLER_SIGNING_API_KEY are set.

  -out FILE       write a transcript to this file, which must not exist. It contains requests and responses without secrets,
                  with names, host names, email addresses, IDs and texts replaced
  -label HOST     read this private label, by host name or ID. Default: up to three that differ
  -format FORMAT  text (default), markdown or json
  -replay FILE    report what a transcript shows, without a network

A call is retried once, and a wait for a rate limit takes at most two minutes.
Exit status: 0 if all that was read can be used; 2 if something cannot, or could not be read; 1 if nothing could be read,
and for any error. With 1, no file is written.
`

var formats = []string{"text", "markdown", "json"}

type options struct{ out, label, format, replay string }

// Main is the subcommand. connect returns the provider's settings. It returns the exit status.
func Main(ctx context.Context, args []string, version string, connect func() (Settings, error), stdout, stderr io.Writer) int {
	return subcommand.Run(ctx, "check", help, " No file was written.", stdout, stderr, func(stderr io.Writer) (int, error) {
		o, err := parse(args)
		if err != nil {
			return subcommand.Failed, err
		}
		return o.check(ctx, version, connect, stdout, stderr)
	})
}

func parse(args []string) (o options, err error) {
	flags := subcommand.NewFlags("check")
	flags.StringVar(&o.out, "out", "", "")
	flags.StringVar(&o.label, "label", "", "")
	flags.OneOf("format", &o.format, formats...)
	flags.StringVar(&o.replay, "replay", "", "")
	err = flags.Parse(args, 0, "", func() error {
		if o.replay != "" && o.out+o.label != "" {
			return errors.New("-replay takes neither -out nor -label")
		}
		return nil
	})
	return o, err
}

// check makes a check and prints its report. An error says why nothing could be read, or written.
func (o options) check(ctx context.Context, version string, connect func() (Settings, error), stdout, stderr io.Writer) (status int, err error) {
	var s Settings
	var clock transport.Clock = transport.RealClock{}
	var file *os.File
	if o.replay != "" {
		t, err := readTranscript(o.replay)
		if err != nil {
			return 1, err
		}
		s, clock, o.label = t.settings(), t.clock(), t.Label
	} else if s, err = connect(); err != nil {
		return 1, err
	}
	if o.out != "" { // before the first API call
		if file, err = createFile(o.out); err != nil {
			return 1, err
		}
		defer func() {
			if err != nil {
				_ = file.Close()
				_ = os.Remove(o.out)
			}
		}()
	}
	c := newCheck(s, cmp.Or(s.API.Clock, clock), o.label)
	if err := c.run(ctx); err != nil {
		return 1, err
	}
	if ctx.Err() != nil || !c.readsAnything() {
		return 1, cmp.Or(ctx.Err(), nothingRead(c.first))
	}
	report := c.report()
	var names []string
	if file != nil {
		var t Transcript
		t, names = c.transcript(version, s, o.label)
		if err := cmp.Or(writeJSON(file, t), file.Close()); err != nil {
			return 1, err
		}
	}
	if err := report.write(stdout, o.format); err != nil {
		return 1, err
	}
	if file != nil {
		fmt.Fprintf(stderr, aboutFile, o.out, len(c.exchanges))
		if len(names) > 0 {
			fmt.Fprintf(stderr, aboutNames, strings.Join(names, ", "))
		}
	}
	if report.fails > 0 || c.stopped != nil {
		return 2, nil
	}
	return 0, nil
}

// nothingRead says what to do about the first failure.
func nothingRead(err error) error {
	hint := "Check RESELLER_BASE_URL, the network and its proxy"
	rejected, _ := errors.AsType[*transport.Error](err)
	switch {
	case transport.IsCode(err, transport.CodeInvalidClient):
		hint = "The API key is unknown, revoked or mistyped: check RESELLER_API_KEY"
	case transport.IsCode(err, client.CodeInsufficientScope):
		hint = "The API key needs the scope reseller:read, and scopes cannot be changed: create another key in the reseller console"
	case rejected != nil && rejected.GivenToken != nil:
		hint = strings.TrimSuffix(rejected.GivenToken.Advice(), ".")
	case transport.IsCode(err, client.CodeForbidden):
		hint = "Is RESELLER_SLUG the reseller of this API key?"
	case transport.IsRateLimitError(err), transport.IsStatus(err, 429), errors.Is(err, errLimit):
		hint = "Run check again when the rate limit allows it"
	}
	return fmt.Errorf("nothing could be read: %w. %s", err, hint)
}

const aboutFile = `
The transcript %s has the %d requests and responses of this check. The API key, tokens, confirmation keys and passcodes
are removed. Names, host names, email addresses, IDs, codes, IP addresses, texts and numbers are replaced, the same by the
same. Times and amounts of documented fields, names of fields and documented words such as Active are as they were.
Read it before you send it to anybody, and change what you like: it has no checksum.
`

const aboutNames = `
These names of fields are not documented and are as they were. Look whether any of them names somebody: %s.
`

const aboutTranscript = "Requests and responses of `terraform-provider-reseller check`. Secrets are removed. Names, host names, email addresses, IDs, codes, " +
	"IP addresses, texts and numbers are replaced. Times and amounts of documented fields, and names of fields, are as they were. Read it before you send it."

// transcript returns what was recorded, without what is secret or personal, and the names of fields that stay and are not
// documented.
func (c *check) transcript(version string, s Settings, label string) (out Transcript, names []string) {
	t := Transcript{
		Format: transcriptFormat, About: aboutTranscript, Provider: version, Started: c.started.UnixMilli(),
		Slug: s.API.Slug, Label: label, Exchanges: c.exchanges, Answers: c.answers(),
	}
	if s.signs() {
		t.Family = cmp.Or(s.Signing.Family, signing.FamilySigningAPI)
	}
	return replaced(t, c.fields)
}

const maxTranscript = 64 << 20 // bytes of a file

// readTranscript reads a file of -out.
func readTranscript(path string) (t Transcript, err error) {
	raw, err := privatefile.ReadRegular(path, maxTranscript)
	if err != nil {
		return t, err
	}
	err = json.Unmarshal(raw, &t)
	switch {
	case err == nil && t.Format != transcriptFormat:
		return t, fmt.Errorf("%s is not a transcript of this version: its format is not %q", path, transcriptFormat)
	case err != nil && bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")):
		return t, fmt.Errorf("%s is not a whole transcript: %w", path, err)
	case err != nil:
		return t, fmt.Errorf("%s is not a transcript", path)
	case !t.hasTimes():
		return t, fmt.Errorf("%s is not a transcript of a check: its times are not those of one", path)
	case len(t.Exchanges) == 0 || len(t.Exchanges) > maxCalls:
		return t, fmt.Errorf("%s has %d exchanges, and a transcript has 1 to %d", path, len(t.Exchanges), maxCalls)
	}
	return t, nil
}

// Bounds of the times of a transcript.
const (
	lastStart  = 253402300799999 // milliseconds: the end of the year 9999
	longestRun = 24 * time.Hour
)

// hasTimes reports whether a check can have taken the time that a transcript states. With a clock that is far off, a client
// would wait without end.
func (t *Transcript) hasTimes() bool {
	isOf := func(ms int64) bool { return ms >= 0 && ms <= longestRun.Milliseconds() }
	return t.Started >= 0 && t.Started <= lastStart && !slices.ContainsFunc(t.Exchanges, func(e Exchange) bool { return !isOf(e.At) || !isOf(e.Took) })
}

// settings are those of a replay: the clients answer from the transcript.
func (t *Transcript) settings() Settings {
	const anywhere, key = "https://transcript.invalid", "removed"
	p := &player{left: slices.Clone(t.Exchanges)}
	s := Settings{API: client.Config{BaseURL: anywhere, Slug: t.Slug}}
	s.API.Transport = p.transportOf(apiReseller)
	s.Signing.Transport = p.transportOf(apiSigning)
	if strings.HasSuffix(endpoints[0].name, t.Exchanges[0].Request.Path) {
		s.API.APIKey = key
	} else {
		s.API.AccessToken = key
	}
	if t.Family != "" {
		s.Signing.URL = anywhere
		s.Signing.UserAPIKey = key
		s.Signing.Family = t.Family
	}
	return s
}

func (t *Transcript) clock() transport.Clock {
	return &playedClock{now: time.UnixMilli(t.Started)}
}

// createFile creates the file of -out, before any API call. It is removed unless it becomes whole.
func createFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%s exists, and check overwrites nothing. Name a new file", path)
	}
	return f, err
}
