# Many schools from one table: a map by school code. A line that goes away archives its school (once its protection is off);
# no other school moves, which a list with count could not promise.

provider "school" {}

variable "schools" {
  description = "The schools by their code."
  type = map(object({
    name             = string
    short_name       = optional(string)
    province         = optional(string)
    status           = optional(string, "active")
    expires_on       = optional(string)
    student_quota    = optional(number, 10000)
    storage_quota_gb = optional(number, 100)
    grades           = optional(map(string), {})
    protected        = optional(bool, true)
  }))
}

# The platform's own: one role that all schools see, one parameter, one word more in a dictionary.

resource "school_role" "inspector" {
  scope       = "template"
  name        = "教学督导"
  permissions = ["adult:pc:class:list", "adult:pc:grade:list", "adult:pc:major:list"]
}

resource "school_param" "attempts" {
  code  = "auth.lockFailures"
  value = "5"
}

resource "school_dict_type" "teaching_mode" {
  type = "teaching_mode"
  name = "教学方式"
}

resource "school_dict_item" "teaching_mode" {
  for_each = { weekend = "周末班", evening = "夜校" }
  type     = school_dict_type.teaching_mode.type
  value    = each.key
  label    = each.value
}

module "school" {
  source   = "../../modules/school"
  for_each = var.schools

  code                = each.key
  name                = each.value.name
  short_name          = each.value.short_name
  province            = each.value.province
  status              = each.value.status
  expires_on          = each.value.expires_on
  student_quota       = each.value.student_quota
  storage_quota_gb    = each.value.storage_quota_gb
  deletion_protection = each.value.protected

  settings = { "school_info/printHeader" = each.value.name }
}

locals {
  # {"10589/2027" = {school = "10589", code = "2027", season = "spring"}}
  grades = merge([
    for code, school in var.schools : {
      for grade, season in school.grades : "${code}/${grade}" => { school = code, code = grade, season = season }
    }
  ]...)
}

resource "school_grade" "this" {
  for_each     = local.grades
  school_code  = module.school[each.value.school].code
  code         = each.value.code
  entry_season = each.value.season
}

output "numbers" {
  description = "The server's numbers of the schools by their codes."
  value       = { for code, school in module.school : code => school.id }
}
