variable "client" {
  description = <<-TEXT
    texts: the YAML of the client by file name. defaults: keys that the file can omit. catalog: IDs of packages by code and codes of
    add-ons by code, in upper case.
  TEXT
  type        = any
}
