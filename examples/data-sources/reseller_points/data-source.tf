# The points pool.
data "reseller_points" "pool" {}

output "pool" {
  value = jsondecode(data.reseller_points.pool.json)
}
