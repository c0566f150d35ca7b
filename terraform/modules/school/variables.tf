variable "code" {
  description = "Code of the school (院校代码); it never changes, and is never given twice."
  type        = string

  validation {
    condition     = can(regex("^[0-9a-z]{2,20}$", var.code))
    error_message = "code is 2 to 20 of 0-9 and a-z."
  }
}

variable "name" {
  description = "Name of the school (院校名称)."
  type        = string
}

variable "short_name" {
  type    = string
  default = null
}

variable "identity_code" {
  description = "National number (院校标识码), ten digits."
  type        = string
  default     = null
}

variable "domain" {
  description = "Host name of its own site."
  type        = string
  default     = null
}

variable "status" {
  description = "trial, active or suspended."
  type        = string
  default     = "active"
}

variable "expires_on" {
  description = "Until when it is served, YYYY-MM-DD; the server says when left out."
  type        = string
  default     = null
}

variable "student_quota" {
  type    = number
  default = null
}

variable "storage_quota_gb" {
  type    = number
  default = null
}

variable "province" {
  type    = string
  default = null
}

variable "address" {
  type    = string
  default = null
}

variable "contact" {
  description = "Whom to ask at the school."
  type        = object({ name = optional(string), phone = optional(string) })
  default     = null
}

variable "brand" {
  description = "How its site looks."
  type = object({
    logo             = optional(string)
    logo_no_word     = optional(string)
    ico              = optional(string)
    title            = optional(string)
    login_background = optional(string)
    color            = optional(string)
  })
  default = null
}

variable "assistance_center_enabled" {
  type    = bool
  default = false
}

variable "deletion_protection" {
  description = "Whether archiving and deleting are refused."
  type        = bool
  default     = true
}

variable "website" {
  description = "What people see before they sign in; without it the platform's."
  type = object({
    title          = optional(string)
    copyright      = optional(string)
    icp            = optional(string)
    police_record  = optional(string)
    service_phone  = optional(string)
    user_agreement = optional(string)
    privacy_policy = optional(string)
  })
  default = null
}

variable "administrator" {
  description = "The first administrator, made with the school; <code>_admin when left out. Counts at creation only."
  type        = object({ login_name = optional(string), real_name = optional(string), phone = optional(string) })
  default     = null
}

variable "administrator_password" {
  description = "The first administrator's password; in no state and no plan. A random one that nobody knows when left out."
  type        = string
  default     = null
  ephemeral   = true
  sensitive   = true
}

variable "administrator_password_given" {
  description = "Whether administrator_password is given: a plan does not look at what it must not keep."
  type        = bool
  default     = false
}

variable "roles" {
  description = "The school's own roles by their name; the permissions of each are exactly those that are listed."
  type = map(object({
    permissions   = set(string)
    data_scope    = optional(string, "whole_school")
    totp_required = optional(bool, false)
    remark        = optional(string)
  }))
  default = {}
}

variable "people" {
  description = "Further administrators by the name with which they sign in; their passwords are set in the console."
  type = map(object({
    real_name  = string
    role_names = set(string)
    phone      = optional(string)
    email      = optional(string)
    expires_at = optional(string)
  }))
  default = {}
}

variable "settings" {
  description = "Settings of the school by group/key; text as it is, everything else in JSON."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for key in keys(var.settings) : can(regex("^[a-z_]+/[^/]+$", key))])
    error_message = "Each key of settings is group/key."
  }
}
