// Command formpages writes the table of forms into pages, between two comments.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const begin, end = "<!-- forms -->\n", "<!-- /forms -->\n"

func main() {
	for _, page := range os.Args[1:] {
		if err := rewrite(page); err != nil {
			fmt.Fprintln(os.Stderr, "formpages:", err)
			os.Exit(1)
		}
	}
}

func rewrite(page string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, opens := strings.Cut(string(text), begin)
	_, after, closes := strings.Cut(rest, end)
	if !opens || !closes {
		return fmt.Errorf("%s has no table of forms", page)
	}
	return os.WriteFile(page, []byte(before+begin+simulator.FormsTable()+end+after), 0o600) // which keeps the mode of the page
}
