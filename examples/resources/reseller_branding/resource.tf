resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

# The API does not return colors or logos. The state contains what was last sent.
resource "reseller_branding" "acme" {
  domain = reseller_private_label.acme.domain

  color_primary            = "#0b5d3b"
  color_primary_foreground = "#fff"
  color_accent             = "#8a4f00"
  color_accent_foreground  = "#fff"
  color_app_bar_background = "#fff"
  color_footer_background  = "#22302a"

  # PNG, JPEG, GIF or SVG, up to 1 MB and 4096 x 4096 pixels.
  logo_path        = "${path.module}/logo.svg"
  banner_logo_path = "${path.module}/banner.svg"

  # Change it to send all colors and logos again, for example after a change in
  # the console.
  reapply_trigger = "1"
}
