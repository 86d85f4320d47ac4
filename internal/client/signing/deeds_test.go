package signing

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// markedIn keeps marks in a folder, as each run does that shares it.
func markedIn(dir string) func(*Config) {
	return func(cfg *Config) { cfg.Marks = client.NewDeedMarks(dir) }
}

func wantNoMark(t *testing.T, dir string) {
	t.Helper()
	if left, err := filepath.Glob(filepath.Join(dir, "*.deed*")); err != nil || len(left) > 0 {
		t.Errorf("marks that stay: %v %v", left, err)
	}
}

// killUpload leaves what a run leaves that is killed during an upload.
func killUpload(t *testing.T, dir string, req UploadRequest) {
	t.Helper()
	c, _, _ := dial(t, nil, markedIn(dir))
	pdf, err := openFile(req.FilePath)
	if err != nil {
		t.Fatal(err)
	}
	defer pdf.close()
	fields, err := req.fields()
	if err == nil {
		_, err = c.beginForm(t.Context(), opUpload, fields, pdf)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestUploadAfterAKilledRun(t *testing.T) {
	t.Parallel()
	later := testStart.Add(24 * time.Hour)
	for name, tc := range map[string]struct{ list, id, says string }{
		"it is there":            {`[` + sent("new", testStart.Add(time.Second), "") + `]`, "new", ""},
		"it is not there":        {`[]`, "", "does not help"},
		"an older one is":        {`[` + sent("old", testStart.Add(-time.Hour), "") + `]`, "", "most likely nothing was uploaded"},
		"one right before it is": {`[` + sent("old", testStart.Add(-time.Minute), "") + `]`, "", "old of 2026-10-05T11:59:00Z is it in all but its time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, req := t.TempDir(), uploadRequest(t)
			if err := os.Chmod(dir, 0o700); err != nil { // of any umask
				t.Fatal(err)
			}
			killUpload(t, dir, req)
			c, f, clock := dial(t, map[string][]reply{uploads: {ok(`{"docId":"again"}`)}, sents: {ok(tc.list)}}, markedIn(dir))
			clock.now = later
			req.FilePath = write(t, "moved.pdf", testPDF) // a path is no part of what is sent
			id, answerLost, err := c.Upload(t.Context(), req)
			if id != tc.id || f.count(uploads) != 0 {
				t.Errorf("got %q, %v after %v", id, err, f.calls())
			}
			if tc.id != "" && (!answerLost || err != nil) {
				t.Errorf("got %v, %v", answerLost, err)
			}
			if tc.id == "" && (!client.IsDoubt(err) || !strings.Contains(err.Error(), tc.says) || !strings.Contains(everyText(err), "an earlier run of 2026-10-05T12:00:00Z")) {
				t.Errorf("got %v", everyText(err))
			}
			wantNoMark(t, dir)
			if tc.id == "" { // they looked, and apply again
				c, _, _ := dial(t, map[string][]reply{uploads: {ok(`{"docId":"again"}`)}}, markedIn(dir))
				if id, _, err := c.Upload(t.Context(), req); id != "again" || err != nil {
					t.Errorf("got %q, %v", id, err)
				}
				wantNoMark(t, dir)
			}
		})
	}
}

func TestAnotherUploadAfterAKilledRun(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*UploadRequest){
		"title":   func(r *UploadRequest) { r.Title = "Other" },
		"content": func(r *UploadRequest) { r.FilePath = write(t, testFile, testPDF+"other") },
		"signer":  func(r *UploadRequest) { r.Signers = []Signer{{Email: "bob@acme.example"}} },
		"domain":  func(r *UploadRequest) { r.Domain = nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, req := t.TempDir(), uploadRequest(t)
			if err := os.Chmod(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			killUpload(t, dir, req)
			change(&req)
			c, f, _ := dial(t, map[string][]reply{uploads: {ok(`{"docId":"new"}`)}}, markedIn(dir))
			if id, answerLost, err := c.Upload(t.Context(), req); id != "new" || answerLost || err != nil {
				t.Errorf("got %q, %v, %v after %v", id, answerLost, err, f.calls())
			}
		})
	}
}

func TestSigningAndMintingAfterAKilledRun(t *testing.T) {
	t.Parallel()
	mint := mintRequest(t)
	for name, tc := range map[string]struct {
		kill func(*Client) error
		act  func(*Client) error
		kind string
	}{
		"sign": {
			func(c *Client) error {
				whole, err := encode([]signAnnotation{{"a", "b"}})
				if err == nil {
					_, err = c.begin(t.Context(), opSign, testDocID, string(whole))
				}
				return err
			},
			func(c *Client) error {
				return c.Sign(t.Context(), testDocID, "acme.example", map[string]string{"a": "b"}, nil)
			},
			signs,
		},
		"mint": {
			func(c *Client) error {
				files, err := mint.files()
				if err == nil {
					_, err = c.beginForm(t.Context(), opMint, mint.fields(), opened(files)...)
				}
				return err
			},
			func(c *Client) error {
				_, err := c.Mint(t.Context(), mint)
				return err
			},
			mints,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.Chmod(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			c, f, _ := dial(t, map[string][]reply{tc.kind: {ok(`{}`)}}, markedIn(dir))
			if err := tc.kill(c); err != nil {
				t.Fatal(err)
			}
			if err := tc.act(c); !client.IsDoubt(err) || !strings.Contains(everyText(err), "an earlier run") || len(f.calls()) != 0 {
				t.Errorf("got %v after %v", err, f.calls())
			}
			wantNoMark(t, dir)
			if err := tc.act(c); err != nil || f.count(tc.kind) != 1 {
				t.Errorf("got %v after %v", err, f.calls())
			}
			wantNoMark(t, dir)
		})
	}
}

// What fails in front of its reader leaves no mark: the error has told of it.
func TestADoubtfulUploadLeavesNoMark(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	c, _, _ := dial(t, map[string][]reply{uploads: {page(502)}, sents: {ok(`[]`)}}, markedIn(dir))
	if _, _, err := c.Upload(t.Context(), uploadRequest(t)); !client.IsDoubt(err) {
		t.Error(err)
	}
	wantNoMark(t, dir)
}
