package session

import "strings"

// SandboxSlugSuffix is the suffix of every sandbox's slug. No reseller of the live API can have it.
const SandboxSlugSuffix = ".sandbox.invalid"

// Sandbox identifies the sandbox of a session.
type Sandbox struct {
	Slug string // of its reseller; "" without a sandbox
	File string // path of its data as configured; "" for the sandbox of one command
}

// Wrote reports whether this sandbox may have written an object.
func (s Sandbox) Wrote(mem PrivateState) bool {
	return mem.Slug == "" || strings.EqualFold(mem.Slug, s.Slug)
}

func isSandboxSlug(slug string) bool {
	return strings.HasSuffix(strings.ToLower(slug), SandboxSlugSuffix)
}
