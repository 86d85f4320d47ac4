package effect

import "slices"

// Topic is the subject of a notice: a constant summary, so that the CLI folds equal warnings into one block, and the
// kinds of effects that a notice of this topic may announce.
type Topic struct {
	Summary string
	Kinds   []Kind
}

var topics []Topic

// NewTopic returns a topic with its summary. Summaries are unique, have at most eight words and no value; a test holds that.
// Topics are package variables, so that Topics has all of them.
func NewTopic(text string, kinds ...Kind) Topic {
	t := Topic{text, kinds}
	topics = append(topics, t)
	return t
}

// Topics lists those of all packages that a program imports.
func Topics() []Topic { return slices.Clone(topics) }

// ForHost returns the topic with the host name in its summary. Only the deprovisioning of a private label uses it:
// what is lost differs for each private label, and folding would hide a loss.
func (t Topic) ForHost(host string) Topic {
	return Topic{Summary: "Deprovisioning " + host + " is permanent", Kinds: t.Kinds}
}

// Announces reports whether a notice of this topic may carry an effect of a kind.
func (t Topic) Announces(k Kind) bool { return slices.Contains(t.Kinds, k) }

// LoweringProtection is the topic of all resources with deletion_policy.
var LoweringProtection = NewTopic("Deletion protection will be lowered", Unprotected)
