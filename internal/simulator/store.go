package simulator

import (
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
	written []byte    // data of the generation below, encoded
	encoded string
}

// fileStamp identifies a version of the file. Writes of simulators differ in the head, independent of the file system's
// times; an edit by hand differs in size and time.
type fileStamp struct {
	head     string
	size     int64
	modified time.Time
}

func (m fileStamp) editedTo(now fileStamp) bool { return m.head == now.head && m != now }

// effect is how much a request or an out-of-band change modified, and therefore how much is written.
type effect int

const (
	effectNone    effect = iota // at most the clock
	effectLive                  // meters and journal
	effectLasting               // lasting data
)

// fileHead begins every file. Its revision changes with every write, which shows whether another process wrote,
// independent of the file system's times.
func fileHead() string { return `{"revision":"` + rand.Text() + `",` }

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
	s.live = &live{Generation: rand.Text(), Meters: map[string]*meter{}}
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
		s.live.Generation = rand.Text()
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
func (s *store) dropCache() { s.seen, s.encoded = fileStamp{}, "" }

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
	}
	f, err := os.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", s.path, err)
	}
	defer func() { _ = f.Close() }()
	now, err := markOf(f)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", s.path, err)
	}
	if now.size > maxFile {
		return s.foreign(fmt.Errorf("it has %d bytes, and the maximum is %d", now.size, int64(maxFile)))
	}
	if now == s.seen {
		return nil
	}
	edited := s.seen.editedTo(now)
	if edited || !s.loadLive(f) {
		if err := s.loadAll(f); err != nil {
			return err
		}
	}
	if edited { // for the other processes, which know the previous generation
		s.live.Generation = rand.Text()
		s.encoded = s.live.Generation
	}
	s.clock.atLeast(s.live.Offset)
	s.seen = now
	return nil
}

func markOf(f *os.File) (fileStamp, error) {
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

// loadLive reads only the live part, which comes first, and reports whether that was enough. Usually the other process
// only read, and the lasting part, which is long, need not be read.
func (s *store) loadLive(f io.ReadSeeker) bool {
	if _, err := f.Seek(int64(len(fileHead())+len(liveName)), io.SeekStart); err != nil {
		return false
	}
	var l *live
	if json.NewDecoder(f).Decode(&l) != nil || l == nil || l.Generation == "" || l.Generation != s.encoded {
		return false
	}
	s.setLive(l)
	return true
}

func (s *store) loadAll(f io.ReadSeeker) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("cannot read %s: %w", s.path, err)
	}
	raw, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", s.path, err)
	}
	var parts file
	if err := json.Unmarshal(raw, &parts); err != nil || parts.Live == nil || parts.Live.Generation == "" || len(parts.Data) == 0 {
		return s.foreign(err)
	}
	if err := s.checkVersion(parts.Data); err != nil {
		return err
	}
	d := &data{}
	if err := json.Unmarshal(parts.Data, d); err != nil || d.Salt == "" || d.isIncomplete() {
		return s.foreign(err)
	}
	d.complete()
	s.data, s.written, s.encoded = d, parts.Data, parts.Live.Generation
	s.setLive(parts.Live)
	return nil
}

// checkVersion comes first, because data of a later version may have any form.
func (s *store) checkVersion(raw []byte) error {
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return s.foreign(err)
	}
	if head.Version > dataVersion || head.Version < 0 {
		return fmt.Errorf("%s has data of version %d, and this version of the provider reads versions up to %d. "+
			"The file was not changed. Use the provider version that wrote it, or use another file",
			s.path, head.Version, dataVersion)
	}
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
	return fmt.Errorf("%s is not data of the simulator, or is damaged (%s). The file was not changed. "+
		"Move or delete it to start with an empty reseller account, or use another file", s.path, orIncomplete(err))
}

func orIncomplete(err error) string {
	if err != nil {
		return err.Error()
	}
	return "data is missing"
}

// liveName is between the head of a file and its live part.
const liveName = `"live":`

// write replaces the whole file. It encodes the lasting part only if that has changed, because most requests read.
func (s *store) write() error {
	if s.encoded != s.live.Generation {
		raw, err := json.Marshal(s.data)
		if err != nil {
			return err
		}
		s.written, s.encoded = raw, s.live.Generation
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
	written, err := s.replace([]byte(fileHead()), []byte(liveName), head, []byte(`,"data":`), s.written, []byte("}\n"))
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", s.path, err)
	}
	s.seen = written
	return nil
}

// replace replaces the file with one of these parts. The lock allows one name for the temporary file, so a killed
// process leaves at most one such file, and the next write removes it.
func (s *store) replace(parts ...[]byte) (fileStamp, error) {
	_ = os.Remove(s.path + ".tmp") // the next line reports a file that could not be removed
	tmp, err := os.OpenFile(s.path+".tmp", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fileStamp{}, err
	}
	written, err := fill(tmp, parts)
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), s.path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return fileStamp{}, err
	}
	return written, nil
}

func fill(f *os.File, parts [][]byte) (fileStamp, error) {
	for _, part := range parts {
		if _, err := f.Write(part); err != nil {
			return fileStamp{}, err
		}
	}
	return markOf(f)
}

// newID is the next ID of the store: 32 lowercase hex characters (§2.1).
func (d *data) newID(kind string) string {
	d.Counter++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%s/%d", d.Salt, kind, d.Counter))
	return hex.EncodeToString(sum[:16])
}
