package object

const (
	summaryChanged     = "Object changed since the plan"
	summaryNotBelieved = "API call had no effect"
	summaryNotRead     = "Object was written, but not read"
	summaryVanished    = "Object disappeared during the apply"
)
