# A school as its operator hands it over: the tenant with its brand, its site, its roles and its people of the first day.

resource "school" "this" {
  code             = var.code
  name             = var.name
  short_name       = var.short_name
  identity_code    = var.identity_code
  domain           = var.domain
  status           = var.status
  expires_on       = var.expires_on
  student_quota    = var.student_quota
  storage_quota_gb = var.storage_quota_gb
  province         = var.province
  address          = var.address
  contact          = var.contact
  brand            = var.brand

  assistance_center_enabled = var.assistance_center_enabled
  deletion_protection       = var.deletion_protection

  admin                     = var.administrator
  admin_password_wo         = var.administrator_password_given ? var.administrator_password : null
  admin_password_wo_version = var.administrator_password_given ? 1 : null
}

# What people see before they sign in; without it the platform's.
resource "school_website_config" "this" {
  count       = var.website == null ? 0 : 1
  school_code = school.this.code

  title          = coalesce(var.website.title, var.name)
  domain         = var.domain
  copyright      = var.website.copyright
  icp            = var.website.icp
  police_record  = var.website.police_record
  service_phone  = var.website.service_phone
  user_agreement = var.website.user_agreement
  privacy_policy = var.website.privacy_policy
}

resource "school_role" "this" {
  for_each = var.roles
  scope    = school.this.code
  name     = each.key

  data_scope    = each.value.data_scope
  permissions   = each.value.permissions
  totp_required = each.value.totp_required
  remark        = each.value.remark
}

resource "school_admin" "this" {
  for_each    = var.people
  school_code = school.this.code
  login_name  = each.key

  real_name  = each.value.real_name
  phone      = each.value.phone
  email      = each.value.email
  expires_at = each.value.expires_at
  role_names = each.value.role_names

  # Roles are named, so that Terraform does not see that they must be there.
  depends_on = [school_role.this]
}

resource "school_setting" "this" {
  for_each    = var.settings
  school_code = school.this.code
  group       = split("/", each.key)[0]
  key         = split("/", each.key)[1]
  value       = each.value
}
