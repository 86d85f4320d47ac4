# The code is permanent and counts toward the limit of 100 packages. Destroying
# the resource deactivates the package.
resource "reseller_package" "gold" {
  code     = "GOLD"
  name     = "Gold"
  currency = "EUR"

  # Further API fields, which the API documentation does not list. The simulator
  # counts the quantities in `included`.
  settings = {
    monthlyPrice = 4900 # cents
    included     = { documents = 500, seats = 10 }
  }
}
