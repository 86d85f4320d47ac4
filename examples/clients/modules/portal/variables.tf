variable "client" {
  description = <<-TEXT
    texts: the YAML of the client by file name. defaults: keys that the file can omit. catalog: IDs of packages by code and codes of
    add-ons by code, in upper case.
  TEXT
  type        = any

  validation {
    condition     = length(var.client.texts) > 0
    error_message = "${try(var.client.key, "")}: clients.tf has a module block for this ${startswith(try(var.client.key, ""), "clients/") ? "file" : "row of clients.csv"}, which does not exist. If the client has another file, write its name in the block. To remove the client, also remove the block. Otherwise restore it."
  }
}
