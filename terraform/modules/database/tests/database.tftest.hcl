mock_provider "aws" {}

variables {
  name       = "chengjiao"
  vpc_id     = "vpc-1"
  subnet_ids = ["subnet-1", "subnet-2"]
  clients    = { servers = "sg-servers" }
  password   = "not-in-the-state"
}

run "it_is_closed_encrypted_and_kept" {
  command = apply

  assert {
    condition     = aws_db_instance.this.storage_encrypted && !aws_db_instance.this.publicly_accessible
    error_message = "The storage is encrypted and no address of it is public."
  }
  assert {
    condition     = aws_db_instance.this.deletion_protection && !aws_db_instance.this.skip_final_snapshot && aws_db_instance.this.backup_retention_period == 14
    error_message = "Nobody deletes it by accident, and what is deleted can be had back."
  }
  assert {
    condition     = aws_db_parameter_group.this.family == "postgres17"
    error_message = "The parameters are those of its version."
  }
  assert {
    condition     = contains([for parameter in aws_db_parameter_group.this.parameter : "${parameter.name}=${parameter.value}"], "rds.force_ssl=1")
    error_message = "No connection is in the open."
  }
  assert {
    condition     = contains([for parameter in aws_db_parameter_group.this.parameter : "${parameter.name}=${parameter.value}"], "max_locks_per_transaction=1024")
    error_message = "A dump may lock all tables of many schools."
  }
  assert {
    condition     = aws_vpc_security_group_ingress_rule.clients["servers"].referenced_security_group_id == "sg-servers" && length(aws_vpc_security_group_ingress_rule.clients) == 1
    error_message = "The servers may connect, and nobody else."
  }
  assert {
    condition     = aws_db_instance.this.password == null
    error_message = "The password is in no state."
  }
}

run "a_version_that_is_too_old_is_refused" {
  command = plan

  variables {
    engine_version = "14.9"
  }

  expect_failures = [var.engine_version]
}

run "a_database_without_backups_is_refused" {
  command = plan

  variables {
    backup_days = 0
  }

  expect_failures = [var.backup_days]
}

run "a_database_in_one_zone_is_refused" {
  command = plan

  variables {
    subnet_ids = ["subnet-1"]
  }

  expect_failures = [var.subnet_ids]
}
