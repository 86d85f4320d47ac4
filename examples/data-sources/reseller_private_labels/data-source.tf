# All private labels of the reseller, in one API call.
data "reseller_private_labels" "all" {
  period = "lifetime" # period of the figures; the current month if omitted
}

# Suspended private labels, with the reason and whether the platform or the reseller suspended them.
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
