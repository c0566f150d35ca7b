# Schools that were opened in the console come under Terraform without a change to them.
#
# 1. Let Terraform write down what there is. In an empty folder with only the provider and the import blocks:
#       terraform plan -generate-config-out=schools.tf
# 2. Shorten what it wrote: secrets stand in it as null, defaults may go. Here it has become one resource for all schools.
# 3. terraform plan shows "N to import, 0 to change". Only then: terraform apply.
# 4. The import blocks have done their work and may go.

provider "school" {}

variable "existing" {
  description = "The schools as they are now, by their code."
  type = map(object({
    name          = string
    status        = optional(string, "active")
    student_quota = optional(number)
    site_title    = optional(string)
  }))
}

import {
  for_each = var.existing
  to       = school.this[each.key]
  id       = each.key
}

resource "school" "this" {
  for_each      = var.existing
  code          = each.key
  name          = each.value.name
  status        = each.value.status
  student_quota = each.value.student_quota
}

# Roles are found by their school and name, sites and grades by their school and code.

import {
  for_each = var.existing
  to       = school_role.clerk[each.key]
  id       = "${each.key}/招生办"
}

resource "school_role" "clerk" {
  for_each    = var.existing
  scope       = school.this[each.key].code
  name        = "招生办"
  permissions = ["adult:pc:preRegistration:list"]
}

# The site before sign-in has no name of its own: of each school there is one.

import {
  for_each = { for code, school in var.existing : code => school if school.site_title != null }
  to       = school_website_config.this[each.key]
  id       = each.key
}

resource "school_website_config" "this" {
  for_each    = { for code, school in var.existing : code => school if school.site_title != null }
  school_code = school.this[each.key].code
  title       = each.value.site_title
}

# What is only looked at.

data "school_health" "this" {
  for_each = var.existing
  code     = school.this[each.key].code
}

output "students" {
  value = { for code, health in data.school_health.this : code => health.student_count }
}
