variable "name" {
  description = "Name of the instance, and before the names of what belongs to it."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,50}$", var.name))
    error_message = "name is small letters, digits and -, a letter first."
  }
}

variable "vpc_id" {
  type = string
}

variable "subnet_ids" {
  description = "Private subnets of two zones or more."
  type        = list(string)

  validation {
    condition     = length(var.subnet_ids) >= 2
    error_message = "subnet_ids names subnets of at least two zones."
  }
}

variable "clients" {
  description = "Security groups that may connect, each by a name for people."
  type        = map(string)
}

variable "engine_version" {
  description = "Version of PostgreSQL, 15 or newer."
  type        = string
  default     = "17"

  validation {
    condition     = tonumber(split(".", var.engine_version)[0]) >= 15
    error_message = "engine_version is 15 or newer: the product's constraints need it."
  }
}

variable "instance_class" {
  type    = string
  default = "db.m7g.large"
}

variable "storage_gb" {
  description = "Storage at the beginning; it grows by itself to four times of it."
  type        = number
  default     = 100
}

variable "kms_key_id" {
  description = "Key of the encryption; the account's own when left out."
  type        = string
  default     = null
}

variable "multi_az" {
  type    = bool
  default = true
}

variable "backup_days" {
  description = "For how many days any second can be restored."
  type        = number
  default     = 14

  validation {
    condition     = var.backup_days >= 1 && var.backup_days <= 35
    error_message = "backup_days is from 1 to 35; a database without backups is not made here."
  }
}

variable "deletion_protection" {
  type    = bool
  default = true
}

variable "password" {
  description = "Password of the master user; in no state and no plan. Without / @ \" and blanks."
  type        = string
  ephemeral   = true
  sensitive   = true
}

variable "password_version" {
  description = "Another number than before sets the password again."
  type        = number
  default     = 1
}
