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
	return strings.TrimSuffix("the provider failed internally ("+e.What+") in "+e.Where, " in ")
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
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	for thrown, more := false, true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if function, own := strings.CutPrefix(frame.Function, ownModule); thrown && own {
			return fmt.Sprintf("%s (%s:%d)", function, path.Base(frame.File), frame.Line)
		}
		thrown = thrown || frame.Function == "runtime.gopanic"
	}
	return ""
}
