package session

import "strings"

// SandboxSlugSuffix ends the slug of every sandbox. No reseller of the live API can have it.
const SandboxSlugSuffix = ".sandbox.invalid"

// Sandbox distinguishes the sandbox of a session from all others.
type Sandbox struct {
	Slug string // of its reseller; "" outside of a sandbox
	File string // with its data, as it was named; "" for the sandbox of one command
}

// Wrote reports whether an object may have been written with this sandbox.
func (s Sandbox) Wrote(mem PrivateState) bool {
	return mem.Slug == "" || strings.EqualFold(mem.Slug, s.Slug)
}

func isSandboxSlug(slug string) bool {
	return strings.HasSuffix(strings.ToLower(slug), SandboxSlugSuffix)
}
