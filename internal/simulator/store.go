package simulator

import (
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

	seen    string // head of the file as this process last read or wrote it
	written []byte // data of the generation below, encoded
	encoded string
}

// fileHead begins every file. Its revision is another with every write, which
// tells whether another process wrote, whatever the file system's times say.
func fileHead() string { return `{"revision":"` + rand.Text() + `",` }

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
	s.data = &data{Salt: hex.EncodeToString(salt)}
	s.data.complete()
	s.seen = fileHead()
	s.live = &live{Generation: rand.Text(), Meters: map[string]*meter{}}
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
		s.live.Generation = rand.Text()
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
	raw, err := s.readNews()
	if err != nil || raw == nil {
		return err
	}
	var f file
	if err := json.Unmarshal(raw, &f); err != nil || f.Live == nil || f.Live.Generation == "" || len(f.Data) == 0 {
		return fmt.Errorf("%s is not the data of a simulated service (%s); it was left as it is", s.path, orIncomplete(err))
	}
	if f.Live.Generation != s.encoded {
		d := &data{}
		if err := json.Unmarshal(f.Data, d); err != nil || d.Salt == "" {
			return fmt.Errorf("%s is not the data of a simulated service (%s); it was left as it is", s.path, orIncomplete(err))
		}
		d.complete()
		s.data, s.written, s.encoded = d, f.Data, f.Live.Generation
	}
	s.live = f.Live
	if s.live.Meters == nil {
		s.live.Meters = map[string]*meter{}
	}
	s.clock.atLeast(s.live.Offset)
	s.seen = string(raw[:min(len(raw), len(s.seen))])
	return nil
}

// readNews returns the file when another process wrote it since; nil when not,
// or when there is none.
func (s *store) readNews() ([]byte, error) {
	f, err := os.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", s.path, err)
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, len(s.seen))
	if n, _ := io.ReadFull(f, head); n == len(head) && string(head) == s.seen {
		return nil, nil
	}
	// A fresh read: the file is whole, for it is only ever replaced.
	raw, err := os.ReadFile(s.path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", s.path, err)
	}
	return raw, nil
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
	revision := fileHead()
	err = s.replace([]byte(revision), []byte(`"live":`), head, []byte(`,"data":`), s.written, []byte("}\n"))
	if err != nil {
		return err
	}
	s.seen = revision
	return nil
}

// replace puts a file of these parts in the place of the old one.
func (s *store) replace(parts ...[]byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(s.path), filepath.Base(s.path)+".*.tmp") // mode 0600
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", s.path, err)
	}
	for _, part := range parts {
		if _, err = tmp.Write(part); err != nil {
			break
		}
	}
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), s.path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return fmt.Errorf("%s cannot be written: %w", s.path, err)
	}
	return nil
}

// newID is the next id of the store: 32 lower-case hex characters (§2.1).
func (d *data) newID(kind string) string {
	d.Counter++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%s/%d", d.Salt, kind, d.Counter))
	return hex.EncodeToString(sum[:16])
}
