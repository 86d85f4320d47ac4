package assignment

import (
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// What warnings and errors say of steps such as "assign GOLD" and "attach SEATS 2"; "?" is known after apply.

func Announced(given ...string) string { return stepsInWords(stepsOf(given, "")) }

func Possible(given ...string) string { return stepsInWords(stepsOf(given, "a condition")) }

func NotTaken(given string) string { return notTaken(stepsOf([]string{given}, "")[0]) }

func Written(given ...string) string {
	return labelWritten + ": " + pastTense(stepsOf(given, "")) + "."
}

func Restored(given ...string) string {
	return labelRestored + ": " + pastTense(stepsOf(given, "")) + "."
}

func Lost(given ...string) string { return labelLost + ": " + named(stepsOf(given, "")) + "." }

// InEffect is a clause of a sentence, or begins one.
func InEffect(given ...string) string { return alreadyInWords(stepsOf(given, "")) }

func stepsOf(given []string, condition string) (out []effect.Step) {
	for _, text := range given {
		words := strings.Fields(text)
		quantity := types.Float64Unknown()
		if n, err := strconv.ParseFloat(words[len(words)-1], 64); err == nil {
			quantity = types.Float64Value(n)
		}
		s := addonStep(words[0], "", strings.TrimPrefix(words[1], "?"), quantity)
		s.If = condition
		out = append(out, s)
	}
	return out
}
