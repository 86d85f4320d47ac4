package simulator_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// dataFile is a path without a file.
func dataFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "data.json")
}

// openFile opens a simulator on a file with its own clock, as a process does.
func openFile(t *testing.T, path string) *simulator.Simulator {
	t.Helper()
	return newSim(t, simulator.Options{File: path})
}

// fileText is the content of a file.
func fileText(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(content)
}

func TestProcessesShareAFile(t *testing.T) {
	t.Parallel()
	const workers, each, contested = 3, 5, 4
	path := dataFile(t)
	first, second := openFile(t, path), openFile(t, path)
	require.Equal(t, second.APIKey(), first.APIKey())
	token := inProcess(t, first).as(first.APIKey()).token
	var won atomic.Int32
	var all sync.WaitGroup
	for n, sim := range []*simulator.Simulator{first, second} {
		c := inProcess(t, sim).with(token)
		for w := range workers {
			all.Go(func() {
				for i := range each {
					got, err := c.try(http.MethodPost, labelsPath, order(fmt.Sprintf("sign.client-%d-%d-%d.example", n, w, i)))
					require.NoError(t, err, got)
					assert.Equal(t, http.StatusOK, got.status, got)
				}
				for i := range contested { // the same hosts on both
					got, err := c.try(http.MethodPost, labelsPath, order(fmt.Sprintf("sign.wanted-%d.example", i)))
					if err == nil && got.status == http.StatusOK {
						won.Add(1)
					}
				}
			})
		}
	}
	all.Wait()
	require.Equal(t, int32(contested), won.Load())
	want := 2*workers*each + contested
	for _, sim := range []*simulator.Simulator{first, second, openFile(t, path)} {
		hosts, ids := map[string]bool{}, map[string]bool{}
		for _, l := range sim.Labels() {
			hosts[l.Host], ids[l.ID] = true, true
		}
		require.Len(t, hosts, want)
		require.Len(t, ids, want)
		require.Len(t, sim.Outbox(), want)
		require.Len(t, sim.Journal(), 1+2*workers*(each+contested))
	}
}

func TestAFileKeepsEverything(t *testing.T) {
	t.Parallel()
	w := newWorld(t, simulator.Options{File: dataFile(t)}, `assign sign.client.example SMALL; attach sign.client.example EXTRA 1; `+
		`POST /console/tenant/update-colors {"domain":"sign.client.example","colorPrimary":"#0a0"}; `+
		`FORM /console/tenant/upload-logos {"data":{"domain":"sign.client.example"},"logo":"<png 4x4>"}; `+contract+
		`; FORM /signing-api/mintDocument {"file":"<pdf>","unitName":"TERMS","assetName":"Terms 2026","storeOnIPFS":"true","nftStandard":"ARC3"}; `+
		`wait 20m; GET {label}`) // the clock is written with a call
	everything := func(s *simulator.Simulator) []any {
		return []any{
			s.Clock().Now(), s.APIKey(), s.SigningAPIKey(), s.Labels(), s.Packages(), s.Addons(), s.Branding(client), s.Documents(), s.Minted(), s.Books(), s.Outbox(),
			s.Journal(),
		}
	}
	require.NoError(t, w.sim.Close())
	for _, part := range everything(w.sim) {
		require.NotEmpty(t, part)
	}
	require.Equal(t, everything(w.sim), everything(openFile(t, w.file)))
}

// Close saves a clock that moved after the last call.
func TestCloseSavesTheClock(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	first := openFile(t, path)
	first.Clock().Advance(time.Hour)
	require.NoError(t, first.Close())
	require.Equal(t, start.Add(time.Hour), openFile(t, path).Clock().Now())
}

func TestAFileIsItsOwnersOnly(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	sim := openFile(t, path)
	inProcess(t, sim).as(sim.APIKey()).provision(client)
	info, err := os.Stat(path)
	require.NoError(t, err)
	if runtime.GOOS != "windows" { // which has no permission bits
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	left, err := filepath.Glob(path + "*")
	require.NoError(t, err)
	require.Equal(t, path+" "+path+".lock", strings.Join(left, " "))
}

// A reader never sees half a file.
func TestAReaderSeesNoHalfFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not replace a file while another process reads it without the store's lock")
	}
	path := dataFile(t)
	sim := openFile(t, path)
	c := inProcess(t, sim).as(sim.APIKey())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 30 {
			_, err := c.try(http.MethodPost, labelsPath, order(fmt.Sprintf("sign.client-%d.example", i)))
			assert.NoError(t, err)
		}
	}()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, json.Valid(raw), "half a file of %d bytes", len(raw))
	}
}

// holed is the data file of a simulator without one part of it.
func holed(part, content string) string {
	return `{"revision":"x","live":{},"data":{"salt":"x","` + part + `":` + content + `}}`
}

func TestAForeignFileIsNotChanged(t *testing.T) {
	t.Parallel()
	whole := dataFile(t)
	require.NoError(t, newSim(t, simulator.Options{File: whole}).Close())
	valid := fileText(t, whole)
	for name, content := range map[string]string{
		"empty":           "",
		"text":            "hello\n",
		"half":            valid[:len(valid)/2],
		"more behind":     valid + "{}",
		"other JSON":      `{"version": 4, "resources": []}`,
		"empty parts":     `{"live":{},"data":{}}`,
		"data of another": `{"live":{},"data":{"labels":[]}}`,
		"null":            "null",
		"array":           "[]",
		"null label":      holed("labels", "[null]"),
		"null key":        holed("keys", "[null]"),
		"null reseller":   holed("resellers", "[null]"),
		"null package":    holed("resellers", `[{"packages":[null]}]`),
		"null member":     holed("labels", `[{"members":[null]}]`),
		"null former":     holed("labels", `[{"former":[null]}]`),
		"empty logo":      holed("labels", `[{"logo":{}}]`),
		"empty banner":    holed("labels", `[{"banner_logo":{"sha256":"x"}}]`),
		"null add-on":     holed("labels", `[{"assignment":{"addons":[null]}}]`),
		"null token":      holed("tokens", `{"a.b.c":null}`),
		"null question":   holed("confirmations", `{"a":null}`),
		"null document":   holed("signing", `{"documents":[null]}`),
		"null mint":       holed("signing", `{"minted":[null]}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := dataFile(t)
			require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
			_, err := simulator.New(simulator.Options{File: path, Clock: simulator.NewFrozenClock(start)})
			assert.ErrorContains(t, err, path, "the error does not name the file and what to do")
			assert.ErrorContains(t, err, "delete it", "the error does not name the file and what to do")
			require.Equal(t, content, fileText(t, path))
		})
	}
	t.Run("a folder", func(t *testing.T) {
		t.Parallel()
		path := t.TempDir()
		_, err := simulator.New(simulator.Options{File: path})
		assert.ErrorContains(t, err, path)
		assert.ErrorContains(t, err, "not a regular file")
	})
	t.Run("broken under an open service", func(t *testing.T) {
		t.Parallel()
		path := dataFile(t)
		sim, err := simulator.New(simulator.Options{File: path, Clock: simulator.NewFrozenClock(start)})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, []byte("broken"), 0o600))
		_, err = inProcess(t, sim).try(http.MethodGet, labelsPath, nil)
		assert.ErrorContains(t, err, path)
		require.Equal(t, http.StatusInternalServerError, overHTTP(t, sim).get(labelsPath).status)
		require.Equal(t, "broken", fileText(t, path))
	})
}

// The journal of a file keeps the newest calls, a journal in memory all.
func TestTheJournalOfAFileKeepsTheNewestCalls(t *testing.T) {
	t.Parallel()
	const kept, calls = 5000, 5100
	sim := openFile(t, dataFile(t))
	sim.FillJournal(calls)
	inProcess(t, sim).get("/newest")
	journal := sim.Journal()
	require.Len(t, journal, kept)
	require.Equal(t, "/newest", journal[kept-1].Path)

	inMemory := newSim(t, simulator.Options{})
	inMemory.FillJournal(calls)
	inProcess(t, inMemory).get("/newest")
	require.Len(t, inMemory.Journal(), calls+1)
	inMemory.ResetJournal()
	require.Len(t, inMemory.Journal(), 0)
}

// A run of Terraform starts several processes: a start writes nothing that
// the others would have to read.
func TestAStartWritesNothing(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	require.NoError(t, openFile(t, path).Seed(3))
	before := fileText(t, path)
	second := openFile(t, path)
	require.Len(t, second.Labels(), 3)
	require.Equal(t, 0, second.Count(""))
	require.NoError(t, second.Close())
	require.Equal(t, before, fileText(t, path))
}

// A change whose save failed was reported as failed: it must not appear later.
func TestAChangeThatWasNotSavedDoesNotAppear(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	sim := openFile(t, path)
	c := inProcess(t, sim).as(sim.APIKey())
	c.provision(client)
	require.Error(t, sim.UseDocuments(client, math.NaN()), "it was saved") // JSON has no such number
	item := as[object](c.items()[0])
	require.Equal(t, 0.0, as[object](item["metrics"])["documentsSent"])
	require.NoError(t, sim.UseDocuments(client, 2))
	item = as[object](inProcess(t, openFile(t, path)).with(c.token).items()[0])
	require.Equal(t, 2.0, as[object](item["metrics"])["documentsSent"])
}

// A panic leaves no partial change and releases the lock.
func TestAPanicLeavesNoPartialChange(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	first, second := openFile(t, path), openFile(t, path)
	require.NoError(t, first.Seed(1))
	first.PanicHalfway()
	require.Len(t, first.Labels(), 1)
	require.Len(t, second.Labels(), 1)
	require.NoError(t, second.Seed(1))
	require.Len(t, first.Labels(), 2)
}

// An edit by hand while simulators are open: a valid one is read by all, an invalid one is an error and stays
// unchanged.
func TestAnEditByHandIsRead(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	first, second := openFile(t, path), openFile(t, path)
	c := inProcess(t, first).as(first.APIKey())
	c.provision(client)
	require.Len(t, second.Labels(), 1)
	whole := fileText(t, path)

	require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(whole, "Client Sign", "Client Signs")), 0o600))
	c.get(labelsPath).data()
	require.Equal(t, "Client Signs", first.Labels()[0].AppName)
	require.Equal(t, "Client Signs", second.Labels()[0].AppName)

	whole = fileText(t, path)
	half := whole[:len(whole)/2]
	require.NoError(t, os.WriteFile(path, []byte(half), 0o600))
	for _, sim := range []*simulator.Simulator{first, second} {
		_, err := inProcess(t, sim).try(http.MethodGet, labelsPath, nil)
		assert.ErrorContains(t, err, path)
	}
	require.Equal(t, half, fileText(t, path))
	require.NoError(t, os.WriteFile(path, []byte(whole), 0o600)) // for Close
}

// A process that was killed while it wrote leaves a partial temporary file next to the data file.
func TestAPartialTemporaryFileDoesNotMatter(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	first := openFile(t, path)
	require.NoError(t, first.Seed(2))
	require.NoError(t, os.WriteFile(path+".tmp", bytes.Repeat([]byte("half "), 100_000), 0o600))
	second := openFile(t, path)
	require.Len(t, second.Labels(), 2)
	require.NoError(t, second.Seed(1))
	require.Len(t, first.Labels(), 3)
	left, err := filepath.Glob(path + "*")
	require.NoError(t, err)
	require.Equal(t, path+" "+path+".lock", strings.Join(left, " "))
}

// One file has one lock, also through a link, which stays a link.
func TestALinkHasTheLockOfItsFile(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	direct := openFile(t, path)
	link := filepath.Join(t.TempDir(), "link.json")
	require.NoError(t, os.Symlink(path, link))
	linked := openFile(t, link)
	require.NoError(t, linked.Seed(2))
	require.Len(t, direct.Labels(), 2)
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.Equal(t, os.ModeSymlink, info.Mode()&os.ModeSymlink)
	_, err = os.Stat(link + ".lock")
	assert.Error(t, err, "the link has a lock of its own")

	nowhere := filepath.Join(t.TempDir(), "nowhere.json")
	require.NoError(t, os.Symlink(nowhere+".gone", nowhere))
	_, err = simulator.New(simulator.Options{File: nowhere})
	assert.ErrorContains(t, err, nowhere)
}

// A file that is too large is not changed and not read: it would be in memory several times.
func TestAFileThatIsTooLargeIsNotRead(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	require.NoError(t, os.WriteFile(path, []byte(`{"revision":"`), 0o600))
	require.NoError(t, os.Truncate(path, 3<<30))
	_, err := simulator.New(simulator.Options{File: path})
	assert.ErrorContains(t, err, path, "the error")
	assert.ErrorContains(t, err, "the maximum is 268435456", "the error")
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, int64(3<<30), info.Size())
}

// A lock that is not a regular file is an error without a wait.
func TestALockIsARegularFile(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	require.NoError(t, os.Mkdir(path+".lock", 0o700))
	_, err := simulator.New(simulator.Options{File: path})
	assert.ErrorContains(t, err, "not a regular file", "the error")
}
