mock_provider "aws" {
  mock_data "aws_availability_zones" {
    defaults = { names = ["cn-northwest-1a", "cn-northwest-1b"] }
  }
  mock_data "aws_region" {
    defaults = { region = "cn-northwest-1" }
  }
  mock_data "aws_partition" {
    defaults = { partition = "aws-cn", dns_suffix = "amazonaws.com.cn" }
  }
}

variables {
  host                     = "school.example.cn"
  certificate_arn          = "arn:aws-cn:acm:cn-northwest-1:1:certificate/1"
  image_id                 = "ami-1"
  package                  = "s3://releases/chengjiao_0.1.0-1_amd64.deb"
  bucket                   = "chengjiao-files"
  database_master_password = "master-secret"
  database_owner_password  = "owner-secret"
  database_app_password    = "app-secret"
  master_key               = "key-secret"
  store_key_id             = "key"
  store_secret             = "store-secret"
}

run "the_parts_know_each_other" {
  command = apply

  assert {
    condition     = output.storage_user == "chengjiao-files-server"
    error_message = "The account of the bucket is told."
  }
  assert {
    condition     = module.server.trusted_proxies == tolist(module.network.public_cidrs) && length(module.network.public_cidrs) == 2
    error_message = "Whoever is in the load balancer's networks may say for whom they speak, and nobody else."
  }
  assert {
    condition     = module.database.clients == { servers = module.server.security_group_id }
    error_message = "The database lets the servers in, and nobody else."
  }
  assert {
    condition     = local.database == "${module.database.address}:${module.database.port}/chengjiao?sslmode=verify-full&sslrootcert=/etc/chengjiao/database.pem"
    error_message = "The secrets name this database, and a connection that is encrypted to it alone."
  }
  assert {
    condition     = module.server.bucket == module.storage.bucket
    error_message = "The servers keep files in the bucket that is made."
  }
  assert {
    condition     = output.address == module.server.address && output.database_address == module.database.address
    error_message = "People learn where the console and the database are."
  }
}
