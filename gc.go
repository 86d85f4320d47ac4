package main

// gcPercent lets the heap grow ninefold between collections. A plan over a thousand resources makes much garbage over a
// small heap; at 400, collecting it still takes a tenth of the CPU. The peak over 1,000 private labels is near 75 MB.
const gcPercent = 800

// tuneGC leaves a collector alone that the user tuned.
func tuneGC(getenv func(string) string, setPercent func(int) int) {
	if getenv("GOGC") == "" && getenv("GOMEMLIMIT") == "" {
		setPercent(gcPercent)
	}
}
