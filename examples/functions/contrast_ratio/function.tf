variable "brand" {
  type    = string
  default = "#0b5d3b"

  validation {
    condition     = provider::reseller::contrast_ratio(var.brand, "#fff") >= 4.5
    error_message = "White text would be hard to read on this color."
  }
}

output "contrast" {
  value = provider::reseller::contrast_ratio(var.brand, "#fff")
}
