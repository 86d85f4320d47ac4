package signing

import "fmt"

// What the list of sent documents shows of an upload whose response was lost.

func sentUnread(err error) string {
	return "The response was lost, and reading the sent documents failed, too (" + err.Error() + "). The document may have been uploaded."
}

func sentShows(sent, candidates int) string {
	switch {
	case sent == 0:
		return "The response was lost. The list of sent documents has no entry with an ID, and a title or a time, that this version can find. The document may have been uploaded."
	case candidates == 0:
		return fmt.Sprintf("The response was lost. The list of sent documents (%d) does not show it. It may still appear later.", sent)
	default:
		return fmt.Sprintf("The response was lost, and the document may have been uploaded. Of the sent documents, %d could be it. Title and time are no proof: another run may have sent the same title.", candidates)
	}
}
