package simulator

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
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

	data *data
	live *live

	seen    fileStamp // the file as this process last read or wrote it
	written []byte    // data of the generation below, encoded
	encoded int64
}

// fileStamp tells whether another process wrote the file.
type fileStamp struct {
	size    int64
	modTime time.Time
	inode   os.FileInfo
}

func (s fileStamp) same(info os.FileInfo) bool {
	return s.inode != nil && os.SameFile(s.inode, info) && s.size == info.Size() && s.modTime.Equal(info.ModTime())
}

// maxJournal bounds the journal of a file; in memory it is kept whole.
const maxJournal = 5000

func openStore(path string, clock *Clock) (*store, error) {
	s := &store{path: path, clock: clock}
	s.fresh()
	if path == "" {
		return s, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("the folder of the data file cannot be made: %w", err)
	}
	s.lock = flock.New(path+".lock", flock.SetPermissions(0o600))
	// Whether the file can be read is told now and not by the first request.
	if err := s.begin(); err != nil {
		return nil, err
	}
	return s, s.end(false)
}

func (s *store) fresh() {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never fails
	s.data = &data{Salt: hex.EncodeToString(salt), Burnt: map[string]bool{}, Tokens: map[string]*token{}, Asked: map[string]*question{}}
	s.data.index()
	s.live = &live{Generation: 1, Meters: map[string]*meter{}}
}

// begin locks the store and takes over what another process wrote.
func (s *store) begin() error {
	if s.path == "" {
		return nil
	}
	if err := s.lock.Lock(); err != nil {
		return fmt.Errorf("the lock of %s cannot be had: %w", s.path, err)
	}
	if err := s.load(); err != nil {
		_ = s.lock.Unlock()
		return err
	}
	return nil
}

// end writes down what changed and unlocks.
func (s *store) end(dirty bool) error {
	if dirty {
		s.live.Generation++
	}
	if s.path == "" {
		return nil
	}
	err := s.save()
	return errors.Join(err, s.lock.Unlock())
}

type file struct {
	Live *live           `json:"live"`
	Data json.RawMessage `json:"data"`
}

func (s *store) load() error {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", s.path, err)
	}
	if s.seen.same(info) {
		return nil
	}
	raw, err := os.ReadFile(s.path)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", s.path, err)
	}
	var f file
	if err := json.Unmarshal(raw, &f); err != nil || f.Live == nil || len(f.Data) == 0 {
		return fmt.Errorf("%s is not the data of a simulated service (%s); it was left as it is", s.path, orIncomplete(err))
	}
	if s.encoded == 0 || f.Live.Generation != s.encoded {
		d := &data{}
		if err := json.Unmarshal(f.Data, d); err != nil {
			return fmt.Errorf("%s is not the data of a simulated service (%w); it was left as it is", s.path, err)
		}
		d.index()
		s.data, s.written, s.encoded = d, f.Data, f.Live.Generation
	}
	s.live = f.Live
	if s.live.Meters == nil {
		s.live.Meters = map[string]*meter{}
	}
	s.clock.atLeast(s.live.Offset)
	s.seen = fileStamp{size: info.Size(), modTime: info.ModTime(), inode: info}
	return nil
}

func orIncomplete(err error) string {
	if err != nil {
		return err.Error()
	}
	return "parts are missing"
}

// save replaces the file whole. The lasting part is only encoded anew when it
// changed: most requests read.
func (s *store) save() error {
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
	}
	head, err := json.Marshal(s.live)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	buf.Grow(len(head) + len(s.written) + 32)
	buf.WriteString(`{"live":`)
	buf.Write(head)
	buf.WriteString(`,"data":`)
	buf.Write(s.written)
	buf.WriteString("}\n")
	return s.replace(buf.Bytes())
}

func (s *store) replace(raw []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(s.path), filepath.Base(s.path)+".*.tmp") // mode 0600
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", s.path, err)
	}
	_, err = tmp.Write(raw)
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), s.path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return fmt.Errorf("%s cannot be written: %w", s.path, err)
	}
	info, err := os.Stat(s.path)
	if err != nil {
		return err
	}
	s.seen = fileStamp{size: info.Size(), modTime: info.ModTime(), inode: info}
	return nil
}

// newID is the next id of the store: 32 lower-case hex characters (§2.1).
func (d *data) newID(kind string) string {
	d.Counter++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%s/%d", d.Salt, kind, d.Counter))
	return hex.EncodeToString(sum[:16])
}
