package page

// Readable and Contrast choose the text color of a card.
var (
	Readable = readable
	Contrast = contrast
)
