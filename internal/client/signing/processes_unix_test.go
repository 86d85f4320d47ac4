//go:build unix

package signing

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/onetime"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// The test binary starts itself as a second process. With a base URL in the environment it waits for the end of its
// input, uploads a document, and prints the outcome.
const (
	childAddress = "RESELLER_TEST_CHILD_ADDRESS"
	childKey     = "RESELLER_TEST_CHILD_KEY"
	childDir     = "RESELLER_TEST_CHILD_OPERATIONS"
	childFile    = "RESELLER_TEST_CHILD_FILE"
	childLimit   = "RESELLER_TEST_CHILD_LIMIT" // set: no file may grow
	childAttempt = "RESELLER_TEST_CHILD_ATTEMPT"

	uploadRoute = "POST /signing-api/documents"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(childAddress); address != "" {
		fmt.Fprintln(os.Stdout, "ready")
		_, _ = io.Copy(io.Discard, os.Stdin)
		fmt.Fprintln(os.Stdout, uploadInChild(address))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func uploadInChild(address string) string {
	if os.Getenv(childLimit) != "" {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{}); err != nil {
			return err.Error()
		}
	}
	c, err := New(Config{URL: address, UserAPIKey: os.Getenv(childKey), Markers: onetime.NewMarkers(os.Getenv(childDir))})
	if err != nil {
		return err.Error()
	}
	attempt, _ := strconv.ParseInt(os.Getenv(childAttempt), 10, 64)
	_, _, err = c.Upload(context.Background(), UploadRequest{
		Attempt:  attempt,
		FilePath: os.Getenv(childFile), FileName: testFile, Title: "Terms", OwnerEmail: testOwner,
		Signers: []Signer{{Email: "bob@acme.example", FirstName: "Bob", LastName: "Byte", SignOrder: 1, Annotations: []Annotation{
			{Type: AnnotationSignature, Content: "Signature", Style: Style{Width: 10, Height: 10, Page: 1}},
		}}},
	})
	_, busy := errors.AsType[*onetime.InProgressError](err)
	_, noMarker := errors.AsType[*onetime.MarkerError](err)
	switch {
	case busy:
		return "in progress"
	case noMarker:
		return "no marker: " + err.Error()
	case transport.IsUnknownOutcome(err):
		return "unknown: " + err.Error()
	case err != nil:
		return err.Error()
	default:
		return "uploaded"
	}
}

// processes share a simulator and a directory for markers.
type processes struct {
	t      *testing.T
	sim    *simulator.Simulator
	env    []string
	dir    string
	self   string
	served chan struct{} // receives once for each processed request
}

func newProcesses(t *testing.T) *processes {
	t.Helper()
	sim, err := simulator.New(simulator.Options{Clock: simulator.NewClock()})
	require.NoError(t, err)
	served := make(chan struct{}, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sim.ServeHTTP(w, r)
		served <- struct{}{}
	}))
	t.Cleanup(func() {
		server.Close()
		assert.NoError(t, sim.Close())
	})
	self, err := os.Executable()
	require.NoError(t, err)
	dir := operationsDir(t)
	return &processes{t: t, sim: sim, dir: dir, self: self, served: served, env: append(os.Environ(),
		childAddress+"="+server.URL, childKey+"="+sim.SigningAPIKey(), childDir+"="+dir, childFile+"="+write(t, testFile, testPDF))}
}

// process is one run. It uploads when it is released.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	input io.WriteCloser
	out   *bufio.Scanner
}

func (p *processes) start(env ...string) *process {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), p.self)
	cmd.Env, cmd.Stderr = slices.Concat(p.env, env), os.Stderr
	input, err := cmd.StdinPipe()
	require.NoError(p.t, err)
	output, err := cmd.StdoutPipe()
	require.NoError(p.t, err)
	require.NoError(p.t, cmd.Start())
	run := &process{t: p.t, cmd: cmd, input: input, out: bufio.NewScanner(output)}
	run.want("ready")
	return run
}

// letGo ends the input of the process.
func (r *process) letGo() {
	r.t.Helper()
	assert.NoError(r.t, r.input.Close())
}

// line returns the next line of the process's output.
func (r *process) line() string {
	if !r.out.Scan() {
		return "ended"
	}
	return r.out.Text()
}

func (r *process) want(text string) {
	r.t.Helper()
	got := r.line()
	assert.True(r.t, strings.HasPrefix(got, text), "a process printed %q, want %q", got, text)
}

func (r *process) wait() { _ = r.cmd.Wait() }

func (p *processes) run(want string, env ...string) {
	p.t.Helper()
	run := p.start(env...)
	run.letGo()
	run.want(want)
	run.wait()
}

// wantUploads asserts how often the document was sent and how often it exists.
func (p *processes) wantUploads(sent, there int) {
	p.t.Helper()
	got := 0
	for _, call := range p.sim.Journal() {
		if call.Route == uploadRoute {
			got++
		}
	}
	assert.Equal(p.t, sent, got, "times sent")
	assert.Len(p.t, p.sim.Documents(), there, "sent %d times", got)
}

// Of many processes that send the same document at the same time, one sends it; the others report that it is in
// progress.
func TestProcesses_Race(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	release := make(chan struct{})
	p.sim.Inject(simulator.Fault{Route: uploadRoute, Times: -1, Hook: func() { <-release }})
	const n = 6
	var runs []*process
	for range n {
		runs = append(runs, p.start())
	}
	lines := make(chan string, n)
	for _, r := range runs {
		r.letGo()
	}
	for _, r := range runs {
		go func() {
			lines <- r.line()
			r.wait()
		}()
	}
	for range n - 1 {
		assert.Equal(t, "in progress", <-lines, "a process printed while another one uploads")
	}
	close(release)
	assert.Equal(t, "uploaded", <-lines, "the first process printed")
	p.wantUploads(1, 1)
	wantMarkers(t, p.dir, 0)
}

// While a process holds its marker, others report that the operation is in progress. After it is killed, the next one
// reports what the list of sent documents shows, and sends nothing.
func TestProcesses_Killed(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault simulator.FaultKind // of the first call
		then  string
		there int
	}{
		"the document is there":     {simulator.FaultNone, "1 could be it", 1},
		"the document is not there": {simulator.FaultServerError, "has no entry", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProcesses(t)
			arrived, release := make(chan struct{}), make(chan struct{})
			p.sim.Inject(simulator.Fault{Route: uploadRoute, Kind: tc.fault, Hook: func() {
				close(arrived)
				<-release
			}})
			first := p.start()
			first.letGo()
			<-arrived
			p.run("in progress")
			require.NoError(t, first.cmd.Process.Signal(syscall.SIGSTOP))
			p.run("in progress") // it may continue at any time
			require.NoError(t, first.cmd.Process.Signal(syscall.SIGKILL))
			first.wait()
			wantMarkers(t, p.dir, 1)
			close(release)
			<-p.served // it continues with what it has
			p.wantUploads(1, tc.there)
			next := p.start()
			next.letGo()
			got := next.line()
			assert.True(t, strings.HasPrefix(got, "unknown: "), "the next process printed %q, want %q", got, tc.then)
			assert.Contains(t, got, tc.then, "the next process printed")
			next.wait()
			p.run("unknown: ") // as long as nobody decides
			p.wantUploads(1, tc.there)
			wantMarkers(t, p.dir, 1)
			p.run("uploaded", childAttempt+"=2") // the user checked and sends it again
			p.wantUploads(2, tc.there+1)
			wantMarkers(t, p.dir, 1)
		})
	}
}

// A limit of the file size acts like a full disk: nothing is sent.
func TestProcesses_FileSizeLimit(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	p.run("no marker: upload the document: write "+p.dir, childLimit+"=1")
	p.wantUploads(0, 0)
	wantMarkers(t, p.dir, 0)
	p.run("uploaded")
	p.wantUploads(1, 1)
}
