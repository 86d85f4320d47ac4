package signing

import (
	"fmt"
	"strings"
)

// What the list of sent documents shows of an upload whose response was lost.

func unreadableList(sent int) string {
	return fmt.Sprintf("The response was lost. Of %d sent documents in the list, none has an ID, a title and a time that this version can find. The document may have been uploaded.", sent)
}

func uploadNotListed(sent int) string {
	return fmt.Sprintf("The response was lost. Two later reads of the sent documents (%d) do not show it, so most likely nothing was uploaded. It may still appear later.", sent)
}

func uploadOffInTime(near []string) string {
	return fmt.Sprintf("The response was lost. Two later reads of the sent documents show %s, which matches except for its time. It may be this upload, if the API's clock differs from this machine's.", strings.Join(near, " or "))
}
