package wording

import (
	"fmt"
	"regexp"
	"strings"
)

// rule is a form of sentence that a list of words cannot describe.
type rule struct {
	expression *regexp.Regexp
	except     *regexp.Regexp // matches that begin like this are right
	instead    string
}

var syntax = []rule{
	{regexp.MustCompile(`(?i)\bat plan\b(?: \w+)?`), regexp.MustCompile(`(?i)^at plan time$`), "at plan time"},
	{regexp.MustCompile(`(?i)\b(?:is|are) (?:also )?(?:an error|errors)\b`), nil, "the plan fails, the provider rejects"},
	{regexp.MustCompile(`(?i)\banother (?:\w+ ){0,2}than\b`), nil, "a different … from, or: … differs from"},
	{regexp.MustCompile(`(?i), too\b(?: \w+)?`), regexp.MustCompile(`(?i)^, too (?:many|few|large|long|old|short|small)`), "also, before the verb"},
	{regexp.MustCompile(`(?i)\bknows? (?:no|nothing)\b`), nil, "does not support, contains no"},
	{regexp.MustCompile(`(?i)\bin exchange for\b`), nil, "replaces"},
	{regexp.MustCompile(`!(?:\s|$)`), regexp.MustCompile(`^!\s\[`), "no exclamation mark"},
}

// Syntax returns the forms of sentences in a paragraph that are not used, each with what to write instead.
func Syntax(paragraph string) []string {
	paragraph = strings.Join(strings.Fields(paragraph), " ")
	var found []string
	for _, r := range syntax {
		for _, match := range r.expression.FindAllString(paragraph, -1) {
			if r.except == nil || !r.except.MatchString(match) {
				found = append(found, fmt.Sprintf("%q: write %s", match, r.instead))
			}
		}
	}
	return found
}
