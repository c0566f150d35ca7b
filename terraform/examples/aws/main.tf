# The product on AWS: network, database, bucket and two servers behind a load balancer.
#
# In this order, once:
# (Terraform asks for all variables at each step; the secrets of later steps may be any text until then.)
#   1. terraform apply -target=module.storage, make the access key of its account (output storage_user) in the console
#   2. terraform apply -target=module.database, then from a machine that reaches it, as its master user: infra/hosting/database.sql (passwords from the environment)
#   3. terraform apply with all secrets (TF_VAR_…)
# What stands in the state: no password and no key.

provider "aws" {
  region = var.region

  default_tags {
    tags = { product = "chengjiao", environment = var.name }
  }
}

variable "region" {
  type    = string
  default = "cn-northwest-1"
}

variable "name" {
  type    = string
  default = "chengjiao"
}

variable "host" {
  description = "Host name of the operators' site, such as school.example.cn."
  type        = string
}

variable "school_hosts" {
  description = "Host names of schools that have their own."
  type        = list(string)
  default     = []
}

variable "certificate_arn" {
  description = "Certificate of all these hosts."
  type        = string
}

variable "image_id" {
  description = "Image of Debian 12 or newer in this region."
  type        = string
}

variable "package" {
  description = "The Debian package in a bucket of releases; another version exchanges the servers."
  type        = string
}

variable "bucket" {
  type = string
}

variable "database_master_password" {
  type      = string
  ephemeral = true
  sensitive = true
}

variable "database_owner_password" {
  type      = string
  ephemeral = true
  sensitive = true
}

variable "database_app_password" {
  type      = string
  ephemeral = true
  sensitive = true
}

variable "master_key" {
  description = "32 bytes in Base64 (openssl rand -base64 32). It seals the deployment's keys: keep a copy apart from here."
  type        = string
  ephemeral   = true
  sensitive   = true
}

variable "store_key_id" {
  type      = string
  ephemeral = true
}

variable "store_secret" {
  type      = string
  ephemeral = true
  sensitive = true
}

module "network" {
  source = "../../modules/network"
  name   = var.name
  nat    = "each"
}

module "storage" {
  source  = "../../modules/storage"
  bucket  = var.bucket
  origins = [for host in concat([var.host], var.school_hosts) : "https://${host}"]
}

module "database" {
  source     = "../../modules/database"
  name       = var.name
  vpc_id     = module.network.vpc_id
  subnet_ids = module.network.private_subnet_ids
  clients    = { servers = module.server.security_group_id }
  password   = var.database_master_password
}

locals {
  database = "${module.database.address}:${module.database.port}/chengjiao?${module.server.database_options}"
}

module "server" {
  source              = "../../modules/server"
  name                = var.name
  vpc_id              = module.network.vpc_id
  public_subnet_ids   = module.network.public_subnet_ids
  private_subnet_ids  = module.network.private_subnet_ids
  load_balancer_cidrs = module.network.public_cidrs
  certificate_arn     = var.certificate_arn
  operator_hosts      = [var.host]
  image_id            = var.image_id
  package             = var.package
  bucket              = module.storage.bucket

  secrets = {
    DATABASE_URL           = "postgres://chengjiao_app:${urlencode(var.database_app_password)}@${local.database}"
    DATABASE_OWNER_URL     = "postgres://chengjiao_owner:${urlencode(var.database_owner_password)}@${local.database}"
    CHENGJIAO_MASTER_KEY   = var.master_key
    CHENGJIAO_STORE_KEY_ID = var.store_key_id
    CHENGJIAO_STORE_SECRET = var.store_secret
  }
}

output "address" {
  description = "The hosts are aliases of this name."
  value       = module.server.address
}

output "storage_user" {
  value = module.storage.user
}

output "database_address" {
  value = module.database.address
}
