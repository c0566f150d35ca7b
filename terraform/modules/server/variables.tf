variable "name" {
  description = "Before the names of everything that is made."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,30}$", var.name))
    error_message = "name is at most 31 small letters, digits and -, a letter first."
  }
}

variable "vpc_id" {
  type = string
}

variable "public_subnet_ids" {
  description = "Where the load balancer stands."
  type        = list(string)
}

variable "private_subnet_ids" {
  description = "Where the servers stand."
  type        = list(string)
}

variable "load_balancer_cidrs" {
  description = "Addresses of the public subnets: what comes from there may say for whom it speaks."
  type        = list(string)
}

variable "visitors" {
  description = "Who may connect."
  type        = set(string)
  default     = ["0.0.0.0/0"]
}

variable "certificate_arn" {
  type = string
}

variable "operator_hosts" {
  description = "Hosts of the operators' own site."
  type        = list(string)
}

variable "package" {
  description = "The Debian package in a bucket, with its version in the name: another one exchanges the servers."
  type        = string

  validation {
    condition     = can(regex("^s3://[^/]+/.+\\.deb$", var.package))
    error_message = "package is an address such as s3://releases/chengjiao_0.1.0-1_amd64.deb."
  }
}

variable "image_id" {
  description = "Debian 12 or newer, of the architecture of the package."
  type        = string
}

variable "root_device" {
  description = "Name of the image's first disk."
  type        = string
  default     = "/dev/xvda"
}

variable "instance_type" {
  type    = string
  default = "m7i.large"
}

variable "disk_gb" {
  description = "Files lie in the bucket; a disk is for the system and for exports while they are made."
  type        = number
  default     = 40
}

variable "servers" {
  description = "How many run at the same time."
  type        = number
  default     = 2

  validation {
    condition     = var.servers >= 2
    error_message = "servers is 2 or more: with one, an exchange of servers cuts people off."
  }
}

variable "leave_seconds" {
  description = "How long a server that is to stop still answers after it said that it is not ready: the load balancer needs two questions to learn it."
  type        = number
  default     = 15
}

variable "bucket" {
  description = "Bucket of the files."
  type        = string
}

variable "secrets" {
  description = "Environment of the servers: DATABASE_URL, DATABASE_OWNER_URL, CHENGJIAO_MASTER_KEY, CHENGJIAO_STORE_KEY_ID, CHENGJIAO_STORE_SECRET."
  type        = map(string)
  ephemeral   = true
  sensitive   = true

  validation {
    condition = length(setsubtract(
      ["DATABASE_URL", "DATABASE_OWNER_URL", "CHENGJIAO_MASTER_KEY", "CHENGJIAO_STORE_KEY_ID", "CHENGJIAO_STORE_SECRET"],
      keys(var.secrets),
    )) == 0
    error_message = "secrets lacks one of DATABASE_URL, DATABASE_OWNER_URL, CHENGJIAO_MASTER_KEY, CHENGJIAO_STORE_KEY_ID and CHENGJIAO_STORE_SECRET."
  }
}

variable "secrets_version" {
  description = "Another number than before writes the secrets again and exchanges the servers."
  type        = number
  default     = 1
}

variable "deletion_protection" {
  type    = bool
  default = true
}
