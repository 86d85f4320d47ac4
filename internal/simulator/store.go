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

// store keeps the state of the service: in memory, or in one JSON file that
// several processes share. Everything under it happens one after another.
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

// fileStamp tells a file from what it was. The services' own writes are told by the
// head, whatever the file system's times say; an edit by hand by size and time.
type fileStamp struct {
	head     string
	size     int64
	modified time.Time
}

func (m fileStamp) editedTo(now fileStamp) bool { return m.head == now.head && m != now }

// effect is how much a request or a move changed, and so how much is written.
type effect int

const (
	effectNone    effect = iota // nothing but the clock, if that
	effectLive                  // meters and journal
	effectLasting               // what lasts
)

// fileHead begins every file. Its revision is another with every write, which
// reports whether another process wrote, whatever the file system's times say.
func fileHead() string { return `{"revision":"` + rand.Text() + `",` }

const (
	// maxFile bounds a file that is read, in bytes: it is held in memory several
	// times. 10,000 labels with all they have take a quarter of it.
	maxFile = 256 << 20
	// fileMargin is room for what stands around the two parts.
	fileMargin = 1 << 10
)

// maxJournal bounds the journal of a file; in memory it is kept whole.
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
	// Whether the file can be read is told now and not by the first request.
	if err := s.begin(context.Background()); err != nil {
		return nil, err
	}
	return s, s.unlock()
}

// followLink finds the file behind a symbolic link: there is one lock for one
// file, whatever it is called by, and replacing the file keeps the link.
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

// begin locks the store and adopts what another process wrote.
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
	// defaultLockWait bounds the wait for another process, which holds the lock for the
	// time of one request.
	defaultLockWait = time.Minute
	lockRetry       = 2 * time.Millisecond
)

// takeLock waits for other processes, but not for one that is stopped, and not
// for the other end of a pipe in the lock's place.
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

// save writes down what changed. After a write that failed the file is
// believed: what was told to have failed must not come back with a later write.
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

// dropCache lets everything be read again from the file, if there is one.
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

// load reads the file when it is another than this process knows.
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
	if edited { // for the other processes, which know the generation as it was
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

// loadLive adopts the live part alone, which stands first, and reports whether
// that was enough: mostly the other process only read, and then what lasts,
// which is long, need not be read at all.
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

// checkVersion comes first: of data of a later version nothing else may be as expected.
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

// foreign is the error for a file that is not the service's, or was damaged.
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

// liveName stands between the head of a file and its live part.
const liveName = `"live":`

// write replaces the file whole. The lasting part is only encoded again when it
// changed: most requests read.
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

// replace puts a file of these parts in the place of the old one. The lock makes
// one name enough for what is on its way, so that a process which was killed
// leaves at most one such file, and the next write clears it away.
func (s *store) replace(parts ...[]byte) (fileStamp, error) {
	_ = os.Remove(s.path + ".tmp") // one that stays is told by the next line
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

// newID is the next id of the store: 32 lowercase hex characters (§2.1).
func (d *data) newID(kind string) string {
	d.Counter++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%s/%d", d.Salt, kind, d.Counter))
	return hex.EncodeToString(sum[:16])
}
