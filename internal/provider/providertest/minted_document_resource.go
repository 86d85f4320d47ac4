package providertest

import (
	"image/color"
)

func (w *SigningEnv) CliToMint() *CLI {
	c := w.CliWith(OnePage("Terms"))
	c.File("cover.png", string(Drawn(w.T, 2, 2, color.White)))
	return c
}
