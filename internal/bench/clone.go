package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// multiply returns a state with one instance for each object. The state has
// the first object; each other instance is a copy in which the object's texts
// replace those of the first.
func multiply(state []byte, texts [][]string) ([]byte, error) {
	var file map[string]json.RawMessage
	if err := json.Unmarshal(state, &file); err != nil {
		return nil, err
	}
	var resources []map[string]json.RawMessage
	if err := json.Unmarshal(file["resources"], &resources); err != nil {
		return nil, err
	}
	if len(resources) != 1 {
		return nil, fmt.Errorf("the state has %d resources instead of one", len(resources))
	}
	var instances []map[string]json.RawMessage
	if err := json.Unmarshal(resources[0]["instances"], &instances); err != nil {
		return nil, err
	}
	if len(instances) != 1 {
		return nil, fmt.Errorf("the state has %d instances instead of one", len(instances))
	}
	all := make([]map[string]json.RawMessage, 0, len(texts))
	for i := range texts {
		instance, err := copyOf(instances[0], i, replacer(texts[0], texts[i]))
		if err != nil {
			return nil, err
		}
		all = append(all, instance)
	}
	var err error
	if resources[0]["instances"], err = json.Marshal(all); err != nil {
		return nil, err
	}
	if file["resources"], err = json.Marshal(resources); err != nil {
		return nil, err
	}
	return json.Marshal(file)
}

func replacer(from, to []string) *strings.Replacer {
	pairs := make([]string, 0, 2*len(from))
	for i := range from {
		pairs = append(pairs, from[i], to[i])
	}
	return strings.NewReplacer(pairs...)
}

func copyOf(first map[string]json.RawMessage, index int, r *strings.Replacer) (map[string]json.RawMessage, error) {
	instance := map[string]json.RawMessage{}
	for key, raw := range first {
		instance[key] = json.RawMessage(r.Replace(string(raw)))
	}
	instance["index_key"] = fmt.Append(nil, index)
	if len(first["private"]) == 0 {
		return instance, nil
	}
	var private string
	if err := json.Unmarshal(first["private"], &private); err != nil {
		return nil, err
	}
	private, err := replacePrivate(private, r)
	if err != nil {
		return nil, err
	}
	instance["private"], err = json.Marshal(private)
	return instance, err
}

// replacePrivate replaces texts in a private state as the framework stores it:
// base64 of a JSON object whose values are JSON in base64.
func replacePrivate(private string, r *strings.Replacer) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(private)
	if err != nil {
		return "", errors.New("the private state is not base64")
	}
	var keys map[string][]byte
	if err := json.Unmarshal(raw, &keys); err != nil {
		return "", err
	}
	for key, value := range keys {
		keys[key] = []byte(r.Replace(string(value)))
	}
	raw, err = json.Marshal(keys)
	return base64.StdEncoding.EncodeToString(raw), err
}
