package simulator

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// store has the simulator's data: in memory, or in one JSON file that several processes share. All access is
// serialized.
type store struct {
	path  string // empty: memory
	clock *Clock
	lock  *flock.Flock
	wait  time.Duration // for another process that holds the lock

	data *data
	live *live

	seen    fileStamp // the file as this process last read or wrote it
	written []byte    // data, encoded; nil after a change
}

// fileStamp identifies a version of the file. Writes of simulators differ in the head, independent of the file system's
// times; an edit by hand differs in size and time.
type fileStamp struct {
	head     string
	size     int64
	modified time.Time
}

// effect is how much a request or an out-of-band change modified, and therefore how much is written.
type effect int

const (
	effectNone    effect = iota // at most the clock
	effectLive                  // meters and journal
	effectLasting               // lasting data
)

// fileHead begins every file. Its revision changes with every write, which shows whether another process wrote,
// independent of the file system's times.
func fileHead() string {
	return `{"revision":"` + rand.Text() + `",`
}

const (
	// maxFile limits the size of a file that is read, in bytes, because it is in memory several times. 10,000 private
	// labels with everything that belongs to them need a quarter of it.
	maxFile = 256 << 20
	// fileMargin is the space for what surrounds the two parts.
	fileMargin = 1 << 10
)

// maxJournal limits the journal of a file; in memory it is not limited.
const maxJournal = 5000

func openStore(opts Options) (*store, error) {
	s := &store{clock: opts.Clock, wait: cmp.Or(opts.LockWait, defaultLockWait)}
	s.fresh(opts.IDs)
	if opts.File == "" {
		return s, nil
	}
	path, err := followLink(opts.File)
	if err != nil {
		return nil, err
	}
	s.path = path
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("cannot create the directory of the data file: %w", err)
	}
	s.lock = flock.New(path+".lock", flock.SetPermissions(0o600))
	// A file that cannot be read is an error now, not in the first request.
	if err := s.begin(context.Background()); err != nil {
		return nil, err
	}
	return s, s.unlock()
}

// followLink returns the target of a symbolic link: one file has one lock under all its names, and replacing the file
// keeps the link.
func followLink(path string) (string, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		target, err := filepath.EvalSymlinks(path)
		if err != nil {
			return "", fmt.Errorf("%s is a broken link: %w", path, err)
		}
		return target, nil
	}
	return path, nil
}

func (s *store) fresh(ids string) {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never fails
	s.data = &data{Salt: cmp.Or(ids, hex.EncodeToString(salt))}
	s.data.complete()
	s.live = &live{Meters: map[string]*meter{}}
}

// begin locks the store and reads what another process wrote.
func (s *store) begin(ctx context.Context) error {
	if s.path == "" {
		return nil
	}
	if err := s.takeLock(ctx); err != nil {
		return fmt.Errorf("cannot lock %s: %w", s.path, err)
	}
	if err := s.load(); err != nil {
		_ = s.lock.Unlock()
		return err
	}
	return nil
}

const (
	// defaultLockWait limits the wait for another process, which holds the lock for the time of one request.
	defaultLockWait = time.Minute
	lockRetry       = 2 * time.Millisecond
)

// takeLock waits for other processes, but with a limit, and does not wait for the other end of a pipe that has the
// lock's name.
func (s *store) takeLock(ctx context.Context) error {
	info, err := os.Lstat(s.lock.Path())
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", s.lock.Path())
	}
	if locked, err := s.lock.TryLock(); locked || err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	_, err = s.lock.TryLockContext(waiting, lockRetry)
	switch {
	case ctx.Err() != nil:
		return errors.Join(ctx.Err(), s.lock.Unlock())
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("another process has held the lock %s for %s; end that process", s.lock.Path(), s.wait)
	}
	return err
}

// save writes what changed. After a failed write the file is read again, because a change that was reported as failed
// must not appear with a later write.
func (s *store) save(e effect) error {
	if e == effectLasting {
		s.written = nil
	}
	if s.path == "" || e == effectNone && s.live.Offset == s.clock.shift() {
		return nil
	}
	err := s.write()
	if err != nil {
		s.dropCache()
	}
	return err
}

// dropCache makes the next load read everything from the file, if there is one.
func (s *store) dropCache() {
	s.seen = fileStamp{}
	s.written = nil
}

func (s *store) unlock() error {
	if s.path == "" {
		return nil
	}
	return s.lock.Unlock()
}

type file struct {
	Live *live           `json:"live"`
	Data json.RawMessage `json:"data"`
}

// load reads the file if another process has changed it.
func (s *store) load() error {
	info, err := os.Stat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("cannot read %s: %w", s.path, err)
	case !info.Mode().IsRegular(): // opening a pipe would wait for its other end
		return s.foreign(errors.New("it is not a regular file"))
	case info.Size() > maxFile:
		return s.foreign(fmt.Errorf("it has %d bytes, and the maximum is %d", info.Size(), int64(maxFile)))
	}
	raw, now, err := readUnless(s.seen, s.path)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", s.path, err)
	}
	if now == s.seen {
		return nil
	}
	if err := s.decode(raw); err != nil {
		return err
	}
	s.clock.atLeast(s.live.Offset)
	s.seen = now
	return nil
}

// readUnless reads a file, unless this version of it was seen.
func readUnless(seen fileStamp, path string) (raw []byte, now fileStamp, _ error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, now, err
	}
	defer func() { _ = f.Close() }()
	now, err = stampOf(f)
	if err != nil || now == seen {
		return nil, now, err
	}
	raw, err = io.ReadAll(f)
	return raw, now, err
}

func stampOf(f *os.File) (fileStamp, error) {
	info, err := f.Stat()
	if err != nil {
		return fileStamp{}, err
	}
	head := make([]byte, len(fileHead()))
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return fileStamp{}, err
	}
	return fileStamp{string(head[:n]), info.Size(), info.ModTime()}, nil
}

// decode reads a whole file. Usually the other process only read, and the lasting part, which is long, is the same.
func (s *store) decode(raw []byte) error {
	var parts file
	if err := json.Unmarshal(raw, &parts); err != nil || parts.Live == nil || len(parts.Data) == 0 {
		return s.foreign(err)
	}
	if !bytes.Equal(parts.Data, s.written) {
		d := &data{}
		err := json.Unmarshal(parts.Data, d) // data of a later version may have any form
		if d.Version > dataVersion || d.Version < 0 {
			return fmt.Errorf("%s has data of version %d, and this version of the provider reads versions up to %d. "+
				"The file was not changed. Use the provider version that wrote it, or use another file",
				s.path, d.Version, dataVersion)
		}
		if err != nil || d.Salt == "" || d.isIncomplete() {
			return s.foreign(err)
		}
		d.complete()
		s.data = d
		s.written = parts.Data
	}
	s.setLive(parts.Live)
	return nil
}

func (s *store) setLive(l *live) {
	s.live = l
	l.size = sizeOf(l.Journal)
	if l.Meters == nil {
		l.Meters = map[string]*meter{}
	}
}

// foreign is the error for a file that is not data of the simulator, or is damaged.
func (s *store) foreign(err error) error {
	return fmt.Errorf("%s is not data of the simulator, or is damaged (%w). The file was not changed. "+
		"Move or delete it to start with an empty reseller account, or use another file", s.path, cmp.Or(err, errIncomplete))
}

var errIncomplete = errors.New("data is missing")

// write replaces the whole file. It encodes the lasting part only if that has changed, because most requests read.
func (s *store) write() error {
	if s.written == nil {
		raw, err := json.Marshal(s.data)
		if err != nil {
			return err
		}
		s.written = raw
	}
	s.live.Offset = s.clock.shift()
	if over := len(s.live.Journal) - maxJournal; over > 0 {
		s.live.Journal = append([]Call(nil), s.live.Journal[over:]...)
		s.live.size = sizeOf(s.live.Journal)
	}
	head, err := json.Marshal(s.live)
	if err != nil {
		return err
	}
	if len(head)+len(s.written) > maxFile-fileMargin {
		return fmt.Errorf("%s has reached the maximum of %d bytes. Use another file", s.path, int64(maxFile))
	}
	stamp, err := s.replace(net.Buffers{[]byte(fileHead() + `"live":`), head, []byte(`,"data":`), s.written, []byte("}\n")})
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", s.path, err)
	}
	s.seen = stamp
	return nil
}

// replace replaces the file with these parts. The lock allows one name for the temporary file, so a killed
// process leaves at most one such file, and the next write removes it.
func (s *store) replace(parts net.Buffers) (fileStamp, error) {
	_ = os.Remove(s.path + ".tmp") // the next line reports a file that could not be removed
	tmp, err := os.OpenFile(s.path+".tmp", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fileStamp{}, err
	}
	_, err = parts.WriteTo(tmp)
	stamp, unstamped := stampOf(tmp)
	if err = errors.Join(err, unstamped, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), s.path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return stamp, err
}

// newID is the next ID of the store: 32 lowercase hex characters (§2.1).
func (d *data) newID(kind string) string {
	d.Counter++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%s/%d", d.Salt, kind, d.Counter))
	return hex.EncodeToString(sum[:16])
}
