package fwtype

const summaryTime = "API returned an invalid time"
