# The points pool, as the service tells it.
data "reseller_points" "pool" {}

output "pool" {
  value = jsondecode(data.reseller_points.pool.json)
}
