package signing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/onetime"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// markedIn keeps markers in a directory, which several runs can share.
func markedIn(dir string) func(*Config) {
	return func(cfg *Config) { cfg.Markers = onetime.NewMarkers(dir) }
}

func operationsDir(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "operations")
}

func wantMarkers(t *testing.T, dir string, n int) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, "*.operation*"))
	require.NoError(t, err, "%d markers, want %d: %v", len(left), n, left)
	assert.Len(t, left, n, "markers")
}

// oneTime is a one-time call, with the parts that all three have in common.
type oneTime struct {
	kind      string
	answer    string // response of the API
	do        func(*Client, context.Context) (id string, source Source, err error)
	operation Operation
	saved     string // ID of the result in state
	another   oneTimeOther
}

func (o oneTime) script() string { return o.kind + " -> 200 " + o.answer }

// oneTimeOther is what does not settle a one-time call, even by an import.
type oneTimeOther struct {
	operation Operation
	saved     string
}

func oneTimeCalls(t *testing.T) map[string]oneTime {
	t.Helper()
	return oneTimeAttempts(t, 1)
}

func oneTimeAttempts(t *testing.T, attempt int64) map[string]oneTime {
	t.Helper()
	upload, mint := uploadRequest(t), mintRequest(t)
	sign := SignRequest{DocID: testDocID, Domain: new("acme.example"), Annotations: map[string]string{"a": "b", "c": "d"}, Attempt: attempt}
	otherSign := sign
	otherSign.Annotations = map[string]string{"a": "b"}
	upload.Attempt, mint.Attempt = attempt, attempt
	digest := sha256.Sum256([]byte(testPDF))
	sum := hex.EncodeToString(digest[:])
	must := func(o Operation, err error) Operation {
		t.Helper()
		require.NoError(t, err)
		return o
	}
	uploading, signing, minting := must(upload.Operation(sum)), must(sign.Operation()), mint.Operation(sum)
	return map[string]oneTime{
		"upload": {
			kind: uploads, answer: `{"docId":"doc-1"}`,
			do:        func(c *Client, ctx context.Context) (string, Source, error) { return c.Upload(ctx, upload) },
			operation: uploading, saved: "doc-1", another: oneTimeOther{uploading, "doc-2"},
		},
		"sign": {
			kind: signs, answer: `{}`,
			do: func(c *Client, ctx context.Context) (string, Source, error) {
				source, err := c.Sign(ctx, sign)
				return testDocID, source, err
			},
			operation: signing, saved: testDocID, another: oneTimeOther{must(otherSign.Operation()), testDocID},
		},
		"mint": {
			kind: mints, answer: `{"assetId":7,"transactionId":"t7","nftMetadata":{"name":"x"}}`,
			do: func(c *Client, ctx context.Context) (string, Source, error) {
				minted, err := c.Mint(ctx, mint)
				return minted.AssetID + minted.TransactionID + string(minted.Metadata), minted.Source, err
			},
			operation: minting, saved: "7", another: oneTimeOther{minting, "8"},
		},
	}
}

// killed leaves what a run leaves when it is killed during the call: a marker that is not locked.
func killed(t *testing.T, dir string, call oneTime) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	c, f, _ := dial(t, call.kind+" -> connection reset; {sent} -> refused", markedIn(dir))
	f.Before = cancel
	_, _, err := call.do(c, ctx)
	require.True(t, transport.IsUnknownOutcome(err), err)
	wantMarkers(t, dir, 1)
}

// killUpload is killed for one upload.
func killUpload(t *testing.T, dir string, req UploadRequest) {
	t.Helper()
	killed(t, dir, oneTime{kind: uploads, do: func(c *Client, ctx context.Context) (string, Source, error) { return c.Upload(ctx, req) }})
}

func TestOperation_UploadAfterAnInterruptedRun(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ list, want string }{
		"it is there":     {`[` + sent("new", transporttest.Start.Add(time.Second), "") + `]`, "new@12:00:01"},
		"it is not there": {`[]`, ""},
		"others are":      {`[` + sent("old", transporttest.Start.Add(-time.Hour), "") + `,` + sent("late", transporttest.Start.Add(2*time.Hour), "") + `,` + sent("near", transporttest.Start.Add(-time.Minute), "") + `]`, "near@11:59:00 late@14:00:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, req := operationsDir(t), uploadRequest(t)
			killUpload(t, dir, req)
			c, f, clock := dial(t, `{upload} -> 200 {"docId":"again"}; {sent} -> 200 `+tc.list, markedIn(dir))
			clock.Move(24 * time.Hour)
			req.FilePath = write(t, "moved.pdf", testPDF) // the path is not sent
			id, _, err := c.Upload(t.Context(), req)
			if id != "" || f.Count(uploads) != 0 || listed(err) != tc.want || !strings.Contains(everyText(err), "An earlier run started it at 2026-10-05T12:00:00Z") {
				t.Errorf("got %q, %s after %v", id, everyText(err), f.Calls())
			}
			wantMarkers(t, dir, 1)
			// The user checked and raises the attempt.
			req.Attempt++
			id, _, err = c.Upload(t.Context(), req)
			assert.NoError(t, err)
			assert.Equal(t, "again", id)
			wantMarkers(t, dir, 1)
		})
	}
}

// An import settles an interrupted operation, unless its marker has another result or another run holds it.
func TestOperation_Imported(t *testing.T) {
	t.Parallel()
	for name, call := range oneTimeCalls(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := operationsDir(t)
			killed(t, dir, call)
			c, f, _ := dial(t, call.script(), markedIn(dir))
			f.Before = func() {
				other, _, _ := dial(t, "", markedIn(dir))
				other.Confirm(t.Context(), call.operation, call.saved, true)
				wantMarkers(t, dir, 1)
			}
			c.Confirm(t.Context(), call.operation, call.saved, false)
			wantMarkers(t, dir, 1)
			c.Confirm(t.Context(), call.operation, call.saved, true)
			wantMarkers(t, dir, 0)
			if _, source, err := call.do(c, t.Context()); err != nil || source != FromResponse || f.Count(call.kind) != 1 {
				t.Errorf("got %v, %v after %v", source, err, f.Calls())
			}

			ctx, cancel := context.WithCancel(t.Context())
			c, f, _ = dial(t, call.script(), markedIn(dir))
			f.Before = cancel
			_, _, err := call.do(c, ctx)
			assert.NoError(t, err)
			c.Confirm(t.Context(), call.another.operation, call.another.saved, true)
			wantMarkers(t, dir, 1)
			c.Confirm(t.Context(), call.operation, call.saved, true)
			wantMarkers(t, dir, 0)
		})
	}
}

// A change of the content is another operation; a change of the passcode or of the file's name is not.
func TestOperation_Identity(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*UploadRequest)
		cfg    func(*Config)
		same   bool
	}{
		"title":     {change: func(r *UploadRequest) { r.Title = "Other" }},
		"content":   {change: func(r *UploadRequest) { r.FilePath = write(t, testFile, testPDF+"other") }},
		"signer":    {change: func(r *UploadRequest) { r.Signers = []Signer{{Email: "bob@acme.example"}} }},
		"domain":    {change: func(r *UploadRequest) { r.Domain = nil }},
		"service":   {cfg: func(cfg *Config) { cfg.URL = "https://other.example" }},
		"user":      {cfg: func(cfg *Config) { cfg.UserAPIKey = "another-key" }},
		"passcode":  {change: func(r *UploadRequest) { r.Passcode = new("1234") }, same: true},
		"file name": {change: func(r *UploadRequest) { r.FileName = "other.pdf" }, same: true},
		"slash":     {cfg: func(cfg *Config) { cfg.URL += "/" }, same: true},
		"family":    {cfg: familyA, same: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, req := operationsDir(t), uploadRequest(t)
			killUpload(t, dir, req)
			if tc.change != nil {
				tc.change(&req)
			}
			if tc.cfg == nil {
				tc.cfg = func(*Config) {}
			}
			script := uploadsA + ` -> 200 {"docId":"new"}; {upload} -> 200 {"docId":"new"}; {sent} -> 200 []`
			c, f, _ := dial(t, script, markedIn(dir), tc.cfg)
			id, _, err := c.Upload(t.Context(), req)
			if tc.same && (!transport.IsUnknownOutcome(err) || f.Count(uploads)+f.Count(uploadsA) != 0) {
				t.Errorf("got %q, %v after %v", id, err, f.Calls())
			}
			if !tc.same && (id != "new" || err != nil) {
				t.Errorf("got %q, %v after %v", id, err, f.Calls())
			}
		})
	}
}

// An operation with an unknown outcome stays one: every plan and call returns the same error and sends nothing, until an
// import settles it, or the attempt is raised.
func TestOperation_StaysInDoubt(t *testing.T) {
	t.Parallel()
	for name, call := range oneTimeCalls(t) {
		for what, lose := range map[string]func(t *testing.T, dir string){
			"killed": func(t *testing.T, dir string) { t.Helper(); killed(t, dir, call) },
			"lost": func(t *testing.T, dir string) {
				t.Helper()
				c, f, _ := dial(t, call.kind+" -> 502 page; {sent} -> 200 []", markedIn(dir))
				_, _, err := call.do(c, t.Context())
				assert.True(t, transport.IsUnknownOutcome(err), "got %v after %v", err, f.Calls())
				assert.Equal(t, 1, f.Count(call.kind), "got %v after %v", err, f.Calls())
			},
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				dir := operationsDir(t)
				c, f, _ := dial(t, call.script()+"; {sent} -> 200 []", markedIn(dir))
				assert.NoError(t, c.InDoubt(t.Context(), call.operation), "in doubt before the call")
				lose(t, dir)
				inDoubt := func(err error) {
					t.Helper()
					assert.True(t, transport.IsUnknownOutcome(err), "got %v after %v", err, f.Calls())
					assert.Contains(t, everyText(err), "An earlier run started it at 2026-10-05T12:00:00Z", "got %v after %v", err, f.Calls())
					assert.Equal(t, 0, f.Count(call.kind), "got %v after %v", err, f.Calls())
					wantMarkers(t, dir, 1)
				}
				for range 3 {
					inDoubt(c.InDoubt(t.Context(), call.operation))
					_, _, err := call.do(c, t.Context())
					inDoubt(err)
				}
				c.Confirm(t.Context(), call.operation, call.saved, false)
				inDoubt(c.InDoubt(t.Context(), call.operation))

				next := oneTimeAttempts(t, 2)[name]
				if _, source, err := next.do(c, t.Context()); err != nil || source != FromResponse || f.Count(call.kind) != 1 {
					t.Errorf("the second attempt got %v, %v after %v", source, err, f.Calls())
				}
				wantMarkers(t, dir, 1)
				c.Confirm(t.Context(), call.operation, call.saved, true)
				wantMarkers(t, dir, 0)
				if _, source, err := call.do(c, t.Context()); err != nil || source != FromResponse || f.Count(call.kind) != 2 {
					t.Errorf("got %v, %v after %v", source, err, f.Calls())
				}
			})
		}
	}
}

// During the call its marker exists and is locked: the same call of another run is an error, and nothing is sent.
func TestOperation_InProgress(t *testing.T) {
	t.Parallel()
	for name, call := range oneTimeCalls(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := operationsDir(t)
			var second error
			var inner *transporttest.Fake
			c, f, _ := dial(t, call.script(), markedIn(dir))
			f.Before = func() {
				wantMarkers(t, dir, 1)
				var other *Client
				other, inner, _ = dial(t, "", markedIn(dir))
				_, _, second = call.do(other, t.Context())
			}
			_, source, err := call.do(c, t.Context())
			require.NoError(t, err, "got %v", source)
			assert.Equal(t, FromResponse, source)
			assert.Equal(t, 1, f.Count(call.kind), "got %v", source)
			busy, isBusy := errors.AsType[*onetime.InProgressError](second)
			if !isBusy || !busy.StartedAt.Equal(transporttest.Start) || transport.IsUnknownOutcome(second) || transport.MayHaveTakenEffect(second) || len(inner.Calls()) != 0 {
				t.Errorf("the second run got %v after %v", second, inner.Calls())
			}
			wantMarkers(t, dir, 0)
		})
	}
}

// Without a marker nothing is sent.
func TestOperation_WithoutAMarker(t *testing.T) {
	t.Parallel()
	file := write(t, "file", "")
	for name, call := range oneTimeCalls(t) {
		for which, change := range map[string]func(*Config){
			"none":             func(cfg *Config) { cfg.Markers = nil },
			"a file":           markedIn(file),
			"in place of one":  markedIn(filepath.Join(file, "operations")),
			"no directory set": markedIn(""),
		} {
			c, f, _ := dial(t, "", change)
			_, _, err := call.do(c, t.Context())
			if _, ok := errors.AsType[*onetime.MarkerError](err); !ok || transport.IsUnknownOutcome(err) || transport.MayHaveTakenEffect(err) || len(f.Calls()) != 0 {
				t.Errorf("%s, %s: got %v after %v", name, which, err, f.Calls())
			}
		}
	}
}

// A call that had no effect, or whose outcome is known, leaves no marker. The marker of a call that may have had one stays,
// and that of a result that a canceled run cannot save.
func TestOperation_Ends(t *testing.T) {
	t.Parallel()
	for name, call := range oneTimeCalls(t) {
		for what, answer := range map[string]string{
			"success":     "200 " + call.answer,
			"rejected":    "403 " + CodeNoPermission,
			"not served":  "404 page",
			"queued":      "429 page",
			"lost":        "502 page",
			"never sent":  "refused",
			"reset":       "connection reset",
			"other words": "200 SOMETHING_NEW",
		} {
			for _, canceled := range []bool{false, true} {
				dir := operationsDir(t)
				ctx, cancel := context.WithCancel(t.Context())
				c, f, _ := dial(t, call.kind+" -> "+answer+"; {sent} -> 200 []", markedIn(dir))
				if canceled {
					f.Before = cancel
				}
				_, _, err := call.do(c, ctx)
				cancel()
				doubt := what == "lost" || what == "reset"
				assert.Equal(t, what == "success", err == nil, "%s, %s: %v after %v", name, what, err, f.Calls())
				assert.NotEqual(t, 0, f.Count(call.kind), "%s, %s: %v after %v", name, what, err, f.Calls())
				assert.Equal(t, doubt, transport.IsUnknownOutcome(err), "%s, %s, canceled %t: %v", name, what, canceled, err)
				wantMarkers(t, dir, map[bool]int{true: 1}[doubt || canceled && what == "success"])
			}
		}
	}
}

// The CLI ends during the call, and its request is canceled. The result stays in the marker; the next run adopts it and
// sends nothing.
func TestOperation_CanceledBeforeTheResponse(t *testing.T) {
	t.Parallel()
	for name, call := range oneTimeCalls(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := operationsDir(t)
			orphan := func() string {
				ctx, cancel := context.WithCancel(t.Context())
				c, f, _ := dial(t, call.script(), markedIn(dir))
				f.Before = cancel
				id, source, err := call.do(c, ctx)
				require.NoError(t, err, "got %v", source)
				assert.Equal(t, FromResponse, source)
				assert.Equal(t, 1, f.Count(call.kind), "got %v", source)
				wantMarkers(t, dir, 1)
				return id
			}
			id := orphan()

			// A run that is canceled during the adoption keeps the marker, too.
			ctx, cancel := context.WithCancel(t.Context())
			c, f, clock := dial(t, "", markedIn(dir))
			clock.Move(24 * time.Hour)
			cancel()
			_, _, err := call.do(c, ctx)
			assert.ErrorIs(t, err, context.Canceled)
			wantMarkers(t, dir, 1)

			again, source, err := call.do(c, t.Context())
			if again != id || source != FromEarlierRun || err != nil || len(f.Calls()) != 0 {
				t.Errorf("got %q, %v, %v after %v, want %q", again, source, err, f.Calls(), id)
			}
			wantMarkers(t, dir, 0)

			// After an interrupt the CLI still saved the result.
			orphan()
			c.Confirm(t.Context(), call.another.operation, call.another.saved, false)
			wantMarkers(t, dir, 1)
			c.Confirm(t.Context(), call.operation, call.saved, false)
			wantMarkers(t, dir, 0)
		})
	}
}

// The response to a mint may have no data; the mint is adopted all the same.
func TestOperation_CanceledMintWithoutData(t *testing.T) {
	t.Parallel()
	dir, req := operationsDir(t), mintRequest(t)
	for _, body := range []string{`{"status":"OK"}`, `{"status":"OK","data":null}`} {
		ctx, cancel := context.WithCancel(t.Context())
		c, f, _ := dial(t, "{mint} -> 200 body "+body, markedIn(dir))
		f.Before = cancel
		minted, err := c.Mint(ctx, req)
		require.NoError(t, err, "%s: got %+v", body, minted)
		assert.Empty(t, minted.AssetID, "%s: got %+v", body, minted)
		wantMarkers(t, dir, 1)
		c, f, _ = dial(t, "", markedIn(dir))
		if minted, err := c.Mint(t.Context(), req); err != nil || minted.Source != FromEarlierRun || len(f.Calls()) != 0 {
			t.Errorf("%s: got %+v, %v after %v", body, minted, err, f.Calls())
		}
		wantMarkers(t, dir, 0)
	}
}

// A run that cannot read a stored result searches for it.
func TestOperation_UnreadableResult(t *testing.T) {
	t.Parallel()
	dir, req := operationsDir(t), uploadRequest(t)
	killUpload(t, dir, req)
	found, err := filepath.Glob(filepath.Join(dir, "*.operation"))
	require.NoError(t, err, found)
	require.Len(t, found, 1)
	require.NoError(t, os.WriteFile(found[0], []byte("\n"+`{"started_at":"2026-10-05T12:00:00.000000000Z","result":{"docId":"d"}}`), 0o600))
	c, f, _ := dial(t, "{sent} -> 200 []", markedIn(dir))
	_, _, err = c.Upload(t.Context(), req)
	assert.True(t, transport.IsUnknownOutcome(err), "got %v after %v", err, f.Calls())
	assert.NotEqual(t, 0, f.Count(sents), "got %v after %v", err, f.Calls())
}
