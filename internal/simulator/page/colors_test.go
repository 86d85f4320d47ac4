package page_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

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
			assert.Equal(t, test.want, page.Readable(test.wanted, test.background))
		})
	}
	for gray := range 256 {
		background := fmt.Sprintf("#%02x%02x%02x", gray, gray, gray)
		assert.GreaterOrEqual(t, page.Contrast(page.Readable("", background), background), 4.5, "text on %s has a contrast", background)
	}
}

func TestContrast_FollowsWCAG(t *testing.T) {
	t.Parallel()
	for colors, want := range map[[2]string]string{{"#000", "#ffffff"}: "21.00", {"#777", "#fff"}: "4.48"} {
		assert.Equal(t, want, fmt.Sprintf("%.2f", page.Contrast(colors[0], colors[1])), "contrast of %v", colors)
	}
}
