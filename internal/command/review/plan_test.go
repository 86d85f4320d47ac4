package review

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRead_Fails(t *testing.T) {
	t.Parallel()
	_, err := read(io.MultiReader(strings.NewReader("{"), failing{}))
	require.Error(t, err)
	assert.Equal(t, "disk on fire", err.Error(), err)
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, fmt.Errorf("disk on fire") }

func TestSecrets_Hide(t *testing.T) {
	t.Parallel()
	s := &secrets{texts: []string{"5", "bob@x.example", "bobo", "bob", "of", "a.b"}}
	for in, want := range map[string]struct{ phrase, subject string }{
		"":                     {"", ""},
		"50 of 5":              {"50 of (sensitive value)", "50 of (sensitive value)"},
		"5":                    {"(sensitive value)", "(sensitive value)"},
		"5 5":                  {"(sensitive value) (sensitive value)", "(sensitive value) (sensitive value)"},
		"BOB@x.example, bobby": {"(sensitive value), bobby", "(sensitive value), bobby"},
		"(bobo)":               {"((sensitive value))", "((sensitive value))"},
		"package of a.b":       {"package of (sensitive value)", "package of (sensitive value)"},
		"of":                   {"of", "(sensitive value)"},
		" BOB ":                {" BOB ", "(sensitive value)"},
		"terms of Bob":         {"terms of Bob", "terms of Bob"},
	} {
		assert.Equal(t, want.phrase, s.hide(in), "phrase %q", in)
		assert.Equal(t, want.subject, s.hideSubject(in), "subject %q", in)
	}
}
