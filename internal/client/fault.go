package client

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// FaultError is a panic of the provider as an error. Its text has no values that the code used, which may be secret.
type FaultError struct {
	What  string // message of the Go runtime, or the type of the panic's value
	Where string // function and line, the innermost of this provider; "" if there is none
}

func (e *FaultError) Error() string {
	text := "the provider failed internally (" + e.What + ")"
	if e.Where != "" {
		text += " in " + e.Where
	}
	return text
}

// NewFault returns an error for the value that recover returned. The deferred function must call it directly.
func NewFault(thrown any) *FaultError {
	what := fmt.Sprintf("a %T", thrown)
	if fault, ok := thrown.(runtime.Error); ok {
		what = fault.Error()
	}
	return &FaultError{What: what, Where: whereThrown()}
}

const ownModule = "github.com/privatelabels/terraform-provider-reseller/"

// whereThrown returns the first function of this module on the stack, beyond the runtime's own.
func whereThrown() string {
	const depth = 64
	callers := make([]uintptr, depth)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	thrown := false
	for {
		frame, more := frames.Next()
		if thrown && strings.HasPrefix(frame.Function, ownModule) {
			return fmt.Sprintf("%s (%s:%d)", strings.TrimPrefix(frame.Function, ownModule), path.Base(frame.File), frame.Line)
		}
		thrown = thrown || frame.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}
