# Everything the reseller has, in one call.
data "reseller_private_labels" "all" {
  period = "lifetime" # what the figures count; the current month if left out
}

# Only what is suspended, with who did it and why.
data "reseller_private_labels" "suspended" {
  status = "Suspended"
}

output "documents_sent" {
  value = { for l in data.reseller_private_labels.all.private_labels : l.domain => l.metrics.documents_sent }
}

output "suspended" {
  value = {
    for l in data.reseller_private_labels.suspended.private_labels : l.domain => {
      by     = l.suspended_by
      reason = l.suspend_reason
    }
  }
}
