# Reads clients.csv: a text of YAML for each row, by the row's name in messages.
variable "csv" {
  description = "The text of clients.csv by its name, empty if there is none."
  type        = map(string)
}

locals {
  columns = ["host", "app_name", "owner_email", "owner_first_name", "owner_last_name", "package", "addons"]
  exists  = length(var.csv) > 0
  text    = replace(trimprefix(try(var.csv["clients.csv"], ""), "\uFEFF"), "\r\n", "\n")
  lines   = split("\n", local.text)
  head    = try(compact(local.lines)[0], "")
  header  = try(keys(csvdecode("${local.head}\n${local.head}\n")[0]), []) # of other separators than commas, the line is one column
  commas  = length(local.header) > 1

  # The numbers of rows are those of a spreadsheet: an empty line is a row, and a line break in quotes begins none.
  records = [for record in regexall("((?:\"[^\"]*\"|[^\"\n])*)(?:\n|$)", local.text) : record[0]]
  numbers = [for i, record in local.records : i + 1 if record != ""]
  decoded = try(csvdecode(local.commas ? local.text : ""), [])
  rows = { # without those of empty cells, which a spreadsheet leaves at the end
    for i, line in local.decoded : "clients.csv row ${local.numbers[i + 1]}" => { for column, cell in line : column => trimspace(cell) } if trimspace(join("", values(line))) != ""
  }
  # Where quotes are not closed, records have no end: then rows are lines.
  cut   = trimsuffix(local.text, "\n") == join("\n", local.records) ? local.records : local.lines
  owner = { owner_email = "email", owner_first_name = "first_name", owner_last_name = "last_name" }

  problems = !local.exists ? [] : concat(
    local.commas ? [] : ["clients.csv: separate the columns by commas: ${join(",", local.columns)}. The first line is: ${local.head}"],
    [for column in setsubtract(local.columns, local.header) : "clients.csv: there is no column ${column}. Columns are ${join(", ", local.columns)}." if local.commas],
    [for column in setsubtract(local.header, local.columns) : "clients.csv: ${column}: there is no such column. Columns are ${join(", ", local.columns)}." if local.commas],
    !local.commas || can(csvdecode(local.text)) ? [] : [
      for i, line in local.cut : "clients.csv row ${i + 1}: write a cell for each column, and quotes around a cell that contains a comma."
      if line != "" && !can(csvdecode("${local.head}\n${line}\n"))
    ],
    flatten([for name, row in local.rows : [for column, cell in row : "${name}: ${column}: write it on one line." if can(regex("[\n\r]", cell))]]),
    [for name, row in local.rows : "${name}: host: write the host name of the portal." if try(row.host, "-") == ""],
    flatten([
      for name, row in local.rows : [for column in keys(local.owner) : "${name}: ${column}: this cell is empty. Fill in all cells of the owner." if try(row[column], "-") == ""]
      if length(compact([for column in keys(local.owner) : try(row[column], "")])) > 0
    ]),
    [for name, row in local.rows : "${name}: addons: write a quantity for each code, and each code once, such as SEATS=10;MAIL=1." if !can(local.addons[name])],
  )
  addons = {
    for name, row in local.rows : name => { for addon in compact(split(";", try(row.addons, ""))) : upper(trimspace(regex("^(.+)=", addon)[0])) => tonumber(trimspace(regex("=([^=]+)$", addon)[0])) }
    if can({ for addon in compact(split(";", try(row.addons, ""))) : upper(regex("^(.+)=", addon)[0]) => regex("^[ ]*[0-9]+[ ]*$", regex("=([^=]+)$", addon)[0]) })
  }
}

output "texts" {
  value = {
    for name, row in local.rows : name => jsonencode(merge(
      { for key in ["host", "app_name", "package"] : key => row[key] if row[key] != "" },
      { for key in ["owner"] : key => { for column, part in local.owner : part => row[column] if row[column] != "" } if join("", [for column in keys(local.owner) : row[column]]) != "" },
      { for key in ["addons"] : key => local.addons[name] if row.addons != "" },
    ))
  }

  precondition {
    condition     = length(local.problems) == 0
    error_message = join("\n", local.problems)
  }
}
