package page_test

import (
	"fmt"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator/page"
)

func TestReadable_KeepsContrast(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, wanted, background, want string }{
		{"white on black", "", "#000", "#ffffff"},
		{"black on white", "", "#fff", "#000000"},
		{"white on blue", "", "#0000ff", "#ffffff"},
		{"black on yellow", "", "#ff0", "#000000"},
		{"wanted and readable", "#fff", "#00f", "#fff"},
		{"wanted and unreadable", "#fed", "#fff", "#000000"},
		{"contrast of 4.54", "#767676", "#fff", "#767676"},
		{"contrast of 4.48", "#777777", "#FFF", "#000000"},
		{"upper case", "#ABCDEF", "#000", "#ABCDEF"},
		{"same color", "#112233", "#112233", "#ffffff"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := page.Readable(test.wanted, test.background); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
	for gray := range 256 {
		background := fmt.Sprintf("#%02x%02x%02x", gray, gray, gray)
		if got := page.Contrast(page.Readable("", background), background); got < 4.5 {
			t.Errorf("text on %s has a contrast of %.2f", background, got)
		}
	}
}

func TestContrast_FollowsWCAG(t *testing.T) {
	t.Parallel()
	for colors, want := range map[[2]string]string{{"#000", "#ffffff"}: "21.00", {"#777", "#fff"}: "4.48"} {
		if got := fmt.Sprintf("%.2f", page.Contrast(colors[0], colors[1])); got != want {
			t.Errorf("contrast of %v is %s, want %s", colors, got, want)
		}
	}
}
