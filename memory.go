package main

// ballastSize is what the garbage collector takes for memory in use. It
// collects when the heap has doubled, and a plan over a thousand resources
// makes much garbage over a small heap: counted from here it collects a few
// times instead of many. Over 1,000 labels that is a tenth of the CPU less for
// some 50 MB more at the peak.
const ballastSize = 64 << 20

// newBallast is never written to, so it takes address space and no memory. A
// collector that a user tuned is left as it is.
func newBallast(getenv func(string) string) []byte {
	if getenv("GOGC") != "" || getenv("GOMEMLIMIT") != "" {
		return nil
	}
	return make([]byte, ballastSize)
}
