package anyjson

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Read decodes JSON as encoding/json does, except that a value of another type than its field costs that field alone: it
// is left at zero. A number may be written as a text. Read returns an error if the JSON as a whole has another type.
func Read(raw json.RawMessage, into any) error {
	err := json.Unmarshal(raw, into)
	if err == nil {
		return nil
	}
	if !json.Valid(raw) || !readValue(raw, reflect.ValueOf(into).Elem()) {
		return err
	}
	return nil
}

// readValue reports whether a value has the type of the JSON, except for parts of it.
func readValue(raw json.RawMessage, v reflect.Value) bool {
	v.SetZero()
	if json.Unmarshal(raw, v.Addr().Interface()) == nil {
		return true
	}
	v.SetZero() // it may have a part of the JSON
	switch v.Kind() {
	case reflect.Pointer:
		target := reflect.New(v.Type().Elem())
		if !readValue(raw, target.Elem()) {
			return false
		}
		v.Set(target)
		return true
	case reflect.Struct:
		fields := ReadObject(raw)
		if fields == nil {
			return false
		}
		readFields(raw, fields, v)
		return true
	case reflect.Slice:
		var rows []json.RawMessage
		if json.Unmarshal(raw, &rows) != nil {
			return false
		}
		v.Set(reflect.MakeSlice(v.Type(), len(rows), len(rows)))
		for i, row := range rows {
			readValue(row, v.Index(i))
		}
		return true
	case reflect.Int, reflect.Int64, reflect.Float64:
		var number json.Number // accepts a text
		return json.Unmarshal(raw, &number) == nil && json.Unmarshal([]byte(number), v.Addr().Interface()) == nil
	default:
		return false
	}
}

// readFields reads the fields of an object. The name of a field may have another case.
func readFields(raw json.RawMessage, fields Object, v reflect.Value) {
	for field, value := range v.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous:
			readValue(raw, value)
			continue
		case name == "" || name == "-":
			continue
		}
		given, exact := fields[name]
		for other, text := range fields {
			if !exact && strings.EqualFold(other, name) {
				given = text
			}
		}
		if given != nil {
			readValue(given, value)
		}
	}
}
