# PostgreSQL 17, encrypted, in private subnets, with backups to any second and a protection against deletion.
# The product's database and its two roles are made once, by infra/hosting/database.sql; nothing else uses the master user.

resource "aws_db_subnet_group" "this" {
  name       = var.name
  subnet_ids = var.subnet_ids
}

resource "aws_security_group" "this" {
  name        = "${var.name}-database"
  description = "PostgreSQL of ${var.name}"
  vpc_id      = var.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "clients" {
  for_each                     = var.clients
  security_group_id            = aws_security_group.this.id
  referenced_security_group_id = each.value
  description                  = each.key
  ip_protocol                  = "tcp"
  from_port                    = 5432
  to_port                      = 5432
}

resource "aws_db_parameter_group" "this" {
  name_prefix = "${var.name}-"
  family      = "postgres${split(".", var.engine_version)[0]}"
  description = "PostgreSQL of ${var.name}"

  parameter {
    name  = "rds.force_ssl"
    value = "1"
  }

  # A dump locks every table, and a school has about 170.
  parameter {
    name         = "max_locks_per_transaction"
    value        = "1024"
    apply_method = "pending-reboot"
  }

  # The monitor of the console reads the statements' statistics.
  parameter {
    name         = "shared_preload_libraries"
    value        = "pg_stat_statements"
    apply_method = "pending-reboot"
  }

  # What holds a transaction open and sleeps holds back the vacuum of every school.
  parameter {
    name  = "idle_in_transaction_session_timeout"
    value = "60000"
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_db_instance" "this" {
  identifier                  = var.name
  engine                      = "postgres"
  engine_version              = var.engine_version
  instance_class              = var.instance_class
  allocated_storage           = var.storage_gb
  max_allocated_storage       = var.storage_gb * 4
  storage_type                = "gp3"
  storage_encrypted           = true
  kms_key_id                  = var.kms_key_id
  username                    = "postgres"
  password_wo                 = var.password
  password_wo_version         = var.password_version
  db_subnet_group_name        = aws_db_subnet_group.this.name
  parameter_group_name        = aws_db_parameter_group.this.name
  vpc_security_group_ids      = [aws_security_group.this.id]
  publicly_accessible         = false
  multi_az                    = var.multi_az
  backup_retention_period     = var.backup_days
  backup_window               = "18:00-19:00" # 02:00 in China
  maintenance_window          = "sat:19:30-sat:20:30"
  copy_tags_to_snapshot       = true
  deletion_protection         = var.deletion_protection
  skip_final_snapshot         = false
  final_snapshot_identifier   = "${var.name}-final"
  auto_minor_version_upgrade  = true
  allow_major_version_upgrade = false
  apply_immediately           = false

  performance_insights_enabled    = true
  enabled_cloudwatch_logs_exports = ["postgresql", "upgrade"]
}
