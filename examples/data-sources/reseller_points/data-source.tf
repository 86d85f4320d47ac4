# The points pool.
data "reseller_points" "pool" {}

# In the simulator: granted, used, remaining, writtenAt and renewsAt.
output "pool" {
  value = jsondecode(data.reseller_points.pool.json)
}
