package review

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// inputError is an input that cannot be reviewed, in the user's words.
type inputError string

func (e inputError) Error() string { return string(e) }

func noPlan(what string) error { return inputError(what + " " + howTo + ".") }

var errTooDeep error = inputError("The input is nested too deeply for a plan.")

// limitedReader ends with an error once a limit is passed; left is negative then.
type limitedReader struct {
	from   io.Reader
	left   int64
	failed error // of the source
}

var errTooLarge = errors.New("too large")

func (r *limitedReader) Read(p []byte) (int, error) {
	if r.left < 0 {
		return 0, errTooLarge
	}
	n, err := r.from.Read(p)
	r.left -= int64(n)
	if r.left < 0 {
		return 0, errTooLarge
	}
	if err != nil && !errors.Is(err, io.EOF) {
		r.failed = err
	}
	return n, err
}

// recognize identifies inputs that are often confused with the JSON of a plan, by their first bytes.
func recognize(in io.Reader) (*bufio.Reader, error) {
	const buffered = 64 << 10
	text := bufio.NewReaderSize(in, buffered)
	head, err := text.Peek(4)
	switch {
	case len(head) == 0 && errors.Is(err, io.EOF):
		return nil, noPlan("The input is empty.")
	case len(head) == 0:
		return nil, err
	case bytes.HasPrefix(head, []byte("PK")):
		return nil, inputError("The input is a saved plan in its binary form. Run `terraform show -json PLAN` and review what it prints.")
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return nil, inputError("The input is UTF-16, as some shells write redirected output. Write it as UTF-8, or pipe it into this command.")
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, err := text.Discard(3)
		return text, err
	}
	return text, nil
}

// stream reads JSON in parts, so that only what is needed is in memory.
type stream struct{ *json.Decoder }

// maxDepth of nested values.
const maxDepth = 1000

// open reads the beginning of an object or array. It is false for null.
func (s stream) open(with json.Delim) (bool, error) {
	token, err := s.Token()
	switch {
	case err != nil, token == nil:
		return false, err
	case token != with:
		return false, fmt.Errorf("no %s where one belongs", with)
	}
	return true, nil
}

// object calls a function for each key, which reads the value.
func (s stream) object(each func(key string) error) error {
	return s.inside('{', func() error {
		token, err := s.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		return each(key)
	})
}

// array calls a function for each element, which reads it.
func (s stream) array(each func() error) error { return s.inside('[', each) }

func (s stream) inside(with json.Delim, each func() error) error {
	opened, err := s.open(with)
	if !opened || err != nil {
		return err
	}
	for s.More() {
		if err := each(); err != nil {
			return err
		}
	}
	_, err = s.Token()
	return err
}

// skip passes over the next value.
func (s stream) skip() error {
	token, err := s.Token()
	if _, nested := token.(json.Delim); err != nil || !nested {
		return err
	}
	return s.rest()
}

// rest skips the remainder of a value that has begun.
func (s stream) rest() error {
	for depth := 1; depth > 0; {
		token, err := s.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth > maxDepth {
			return errTooDeep
		}
	}
	return nil
}

// end expects no data after the value.
func (s stream) end() error {
	_, err := s.Token()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil:
		return errors.New("more than one JSON value")
	default:
		return err
	}
}
