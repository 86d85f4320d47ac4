package effect

import (
	"slices"
	"strings"
)

// Topic is the subject of a warning: a constant summary, so that the CLI folds equal warnings into one block, and the
// kinds of effects that a warning of this topic may announce.
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
func Topics() []Topic {
	return slices.Clone(topics)
}

// ForHost returns the topic with the host name behind the first word of its summary. Only the topics about the deprovisioning
// of a private label use it: what is lost differs for each private label, and folding would hide a loss.
func (t Topic) ForHost(host string) Topic {
	first, rest, _ := strings.Cut(t.Summary, " ")
	return Topic{Summary: first + " " + host + " " + rest, Kinds: t.Kinds}
}

// Announces reports whether a warning of this topic may carry an effect of a kind.
func (t Topic) Announces(k Kind) bool {
	return slices.Contains(t.Kinds, k)
}

// Topics of all resources with deletion_policy, by what a destroy does afterwards. Each has a summary of its own, so that the
// CLI folds no worse warning into a milder one.
var (
	LoweringProtection       = NewTopic("Deletion protection will be lowered", Unprotected) // it suspends, or changes the state only
	RemovingProtection       = NewTopic("Deletion protection will be removed", Unprotected) // it removes or deactivates
	PermittingDeprovisioning = NewTopic("Deprovisioning will be permitted", Unprotected)
)

// loweringTo returns the topic of a change towards a value. name is the host name of a private label.
func loweringTo(value, name string) Topic {
	switch value {
	case PolicyDeprovision:
		return PermittingDeprovisioning.ForHost(name)
	case PolicyRemove, PolicyDeactivate:
		return RemovingProtection
	default:
		return LoweringProtection
	}
}
