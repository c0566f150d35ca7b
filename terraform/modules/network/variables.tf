variable "name" {
  description = "Before the names of everything that is made."
  type        = string
}

variable "cidr" {
  description = "Addresses of the network; a /20 or larger."
  type        = string
  default     = "10.20.0.0/16"

  validation {
    condition     = can(cidrhost(var.cidr, 0)) && tonumber(split("/", var.cidr)[1]) <= 20
    error_message = "cidr is a range such as 10.20.0.0/16, not smaller than a /20."
  }
}

variable "zones" {
  description = "Availability zones: two survive the loss of one."
  type        = number
  default     = 2

  validation {
    condition     = var.zones >= 2 && var.zones <= 8
    error_message = "zones is from 2 to 8: a load balancer and a database that survives a zone want two."
  }
}

variable "nat" {
  description = "How private subnets reach the internet (mail, short messages, WeChat): none, one gateway, or one in each zone."
  type        = string
  default     = "one"

  validation {
    condition     = contains(["none", "one", "each"], var.nat)
    error_message = "nat is none, one or each."
  }
}
