// Package fault describes panics of the provider.
package fault

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// Error is a panic of the provider as an error. Its text has no values that the code used, which may be secret.
type Error struct {
	What  string // message of the Go runtime, or the type of the panic's value
	Where string // function and line, the innermost of this provider; "" if there is none
}

func (e *Error) Error() string {
	return strings.TrimSuffix("the provider failed internally ("+e.What+") in "+e.Where, " in ")
}

const ownModule = "github.com/privatelabels/terraform-provider-reseller/"

// New returns an error for the value that recover returned. The deferred function must call it directly.
func New(thrown any) *Error {
	fault := &Error{What: fmt.Sprintf("a %T", thrown)}
	if err, ok := thrown.(runtime.Error); ok {
		fault.What = err.Error()
	}
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	beyond := false // the runtime's own
	for more := true; more && fault.Where == ""; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if function, ours := strings.CutPrefix(frame.Function, ownModule); beyond && ours {
			fault.Where = fmt.Sprintf("%s (%s:%d)", function, path.Base(frame.File), frame.Line)
		}
		beyond = beyond || frame.Function == "runtime.gopanic"
	}
	return fault
}
