# What a label can be given. The code and its place in the cap of 100 are for
# ever; destroying the resource deactivates the package.
resource "reseller_package" "gold" {
  code     = "GOLD"
  name     = "Gold"
  currency = "EUR"

  # Further fields of the service, by its own names. They are sent as they stand.
  settings = {
    monthlyPrice = 4900 # cents
  }
}
