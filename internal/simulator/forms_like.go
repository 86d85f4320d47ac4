package simulator

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// transcriptFormat begins the format of every transcript of `check`.
const transcriptFormat = "terraform-provider-reseller check"

const maxTranscript = 64 << 20 // bytes of a file

// FormsLike reads the forms of the API that a transcript of `check` met. A question that the transcript does not
// answer, or answers with a form that this version does not have, keeps its default.
func FormsLike(file string) (Forms, error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxTranscript: // a device or a pipe may never end
		return nil, fmt.Errorf("%s is not a regular file of at most %d MB", file, maxTranscript>>20)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var transcript struct {
		Format  string            `json:"format"`
		Answers map[string]string `json:"answers"`
	}
	if err := json.Unmarshal(raw, &transcript); err != nil || !strings.HasPrefix(transcript.Format, transcriptFormat) {
		return nil, fmt.Errorf("%s is not a transcript of terraform-provider-reseller check", file)
	}
	out := Forms{}
	for name, form := range transcript.Answers {
		if q := questionNamed(name); q != nil && q.hasForm(form) {
			out[name] = form
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s answers no question that the simulator has a form for", file)
	}
	return out, nil
}
