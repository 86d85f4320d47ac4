package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// maxRowsDepth is the maximum number of objects around the rows.
const maxRowsDepth = 3

var errNoRows = errors.New("the response has no rows that this version can find")

// readRows returns the rows of a search and its total, -1 for none. The API documentation does not show where they are:
// they are in the first of the named fields that has rows, else in the only field that has any. The first name is the
// most probable one. If that field exists without rows, the result is empty: rows from another field would make all
// other objects look deleted.
func readRows(data json.RawMessage, names ...string) (rows []json.RawMessage, total int, err error) {
	return rowFinder{names}.find(data, maxRowsDepth)
}

type rowFinder struct{ names []string }

func (f rowFinder) find(data json.RawMessage, depth int) (rows []json.RawMessage, total int, err error) {
	if rows := arrayIn(data); rows != nil {
		return rows, -1, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil || fields == nil || depth == 0 {
		return nil, 0, errNoRows
	}
	rows, total, err = f.in(fields, depth)
	if err != nil {
		return nil, 0, err
	}
	told := Count(-1)
	if fields["total"] == nil || json.Unmarshal(fields["total"], &told) != nil {
		told = -1
	}
	return rows, max(int(told), total), nil
}

func (f rowFinder) in(fields map[string]json.RawMessage, depth int) (rows []json.RawMessage, total int, err error) {
	for i, name := range f.names {
		value, has := fields[name]
		if !has || isScalar(value) {
			continue
		}
		if rows, total, err := f.find(value, depth-1); err == nil || i == 0 {
			return rows, total, err
		}
	}
	var arrays, objects []json.RawMessage
	for _, value := range fields {
		if arrayIn(value) != nil {
			arrays = append(arrays, value)
		} else if !isScalar(value) {
			objects = append(objects, value)
		}
	}
	if len(arrays) > 0 {
		return f.only(arrays, depth)
	}
	return f.only(objects, depth)
}

// only returns the rows if exactly one of the values has them.
func (f rowFinder) only(values []json.RawMessage, depth int) (rows []json.RawMessage, total int, err error) {
	found := 0
	for _, value := range values {
		if inner, t, err := f.find(value, depth-1); err == nil {
			rows, total, found = inner, t, found+1
		}
	}
	if found != 1 {
		return nil, 0, fmt.Errorf("the response has %d arrays where one of rows was expected", found)
	}
	return rows, total, nil
}

// arrayIn returns nil if value is not an array.
func arrayIn(value json.RawMessage) []json.RawMessage {
	var rows []json.RawMessage
	_ = json.Unmarshal(value, &rows)
	return rows
}

// isScalar reports whether value is a number, string or boolean. It is false for null, which an API may send instead of
// rows.
func isScalar(value json.RawMessage) bool {
	text := bytes.TrimLeft(value, " \t\r\n")
	return len(text) == 0 || !bytes.ContainsAny(text[:1], "{[n")
}
