variable "bucket" {
  description = "Name of the bucket, unique in the world."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9-]{1,54}[a-z0-9]$", var.bucket))
    error_message = "bucket is 3 to 56 of small letters, digits and -."
  }
}

variable "origins" {
  description = "From which addresses of the console browsers may send files, such as https://school.example.cn."
  type        = list(string)

  validation {
    condition     = length(var.origins) > 0 && alltrue([for origin in var.origins : can(regex("^https://[^/*]+$", origin))])
    error_message = "origins are addresses with https:// and without a path; * lets every page of the web send files."
  }
}

variable "kms_key_id" {
  description = "ARN of the key of the encryption; the bucket's own when left out."
  type        = string
  default     = null
}

variable "former_versions_days" {
  description = "For how many days an object that was overwritten or deleted can be had back."
  type        = number
  default     = 30
}
