package fwtype

const SummaryTime = "API returned an invalid time"
