mock_provider "aws" {
  mock_data "aws_region" {
    defaults = { region = "cn-northwest-1" }
  }
  mock_data "aws_partition" {
    defaults = { partition = "aws-cn", dns_suffix = "amazonaws.com.cn" }
  }
}

variables {
  name                = "chengjiao"
  vpc_id              = "vpc-1"
  public_subnet_ids   = ["subnet-1", "subnet-2"]
  private_subnet_ids  = ["subnet-3", "subnet-4"]
  load_balancer_cidrs = ["10.20.0.0/20", "10.20.16.0/20"]
  certificate_arn     = "arn:aws-cn:acm:cn-northwest-1:1:certificate/1"
  operator_hosts      = ["school.example.cn"]
  image_id            = "ami-1"
  package             = "s3://releases/chengjiao_0.1.0-1_amd64.deb"
  bucket              = "chengjiao-files"
  secrets = {
    DATABASE_URL           = "postgres://chengjiao_app:first-secret@db/chengjiao"
    DATABASE_OWNER_URL     = "postgres://chengjiao_owner:second-secret@db/chengjiao"
    CHENGJIAO_MASTER_KEY   = "third-secret"
    CHENGJIAO_STORE_KEY_ID = "key"
    CHENGJIAO_STORE_SECRET = "fourth-secret"
  }
}

run "servers_are_exchanged_one_after_the_other" {
  command = apply

  assert {
    condition     = aws_autoscaling_group.server.min_size == 2 && aws_autoscaling_group.server.instance_refresh[0].preferences[0].min_healthy_percentage == 100
    error_message = "Two servers run, also while they are exchanged."
  }
  assert {
    condition     = aws_lb_target_group.this.health_check[0].path == "/readyz" && aws_lb_target_group.this.health_check[0].port == "9464"
    error_message = "The load balancer asks each server whether it is ready."
  }
  assert {
    condition     = var.leave_seconds > aws_lb_target_group.this.health_check[0].interval * aws_lb_target_group.this.health_check[0].unhealthy_threshold
    error_message = "A server that leaves answers until the load balancer knows."
  }
}

run "a_failover_of_the_database_ends_no_server" {
  command = apply

  assert {
    condition     = aws_autoscaling_group.server.health_check_type == "EC2"
    error_message = "A machine is not ended because its server is not ready for a while."
  }
  assert {
    condition = alltrue([
      for hook in aws_autoscaling_group.server.initial_lifecycle_hook :
      hook.lifecycle_transition == "autoscaling:EC2_INSTANCE_LAUNCHING" && hook.default_result == "ABANDON"
    ]) && length(aws_autoscaling_group.server.initial_lifecycle_hook) == 1
    error_message = "An exchange waits until the new server is ready."
  }
  assert {
    condition = alltrue([
      for line in [
        "action=(--auto-scaling-group-name chengjiao --lifecycle-hook-name ready --instance-id \"$machine\")",
        "aws autoscaling complete-lifecycle-action \"$${action[@]}\" --lifecycle-action-result CONTINUE",
      ] : contains(split("\n", base64decode(aws_launch_template.server.user_data)), line)
    ])
    error_message = "The machine itself says that it is ready."
  }
  assert {
    condition     = jsondecode(aws_iam_role_policy.server.policy).Statement[2].Resource == ["arn:aws-cn:autoscaling:*:*:autoScalingGroup:*:autoScalingGroupName/chengjiao"]
    error_message = "It may say so of its own group."
  }
}

run "visitors_stay_with_a_server_and_its_connections" {
  command = apply

  assert {
    condition     = aws_lb_target_group.this.stickiness[0].type == "lb_cookie"
    error_message = "A page and its scripts come from one server."
  }
  assert {
    condition     = contains(split("\n", base64decode(aws_launch_template.server.user_data)), "idle_seconds = ${aws_lb.this.idle_timeout + 10}")
    error_message = "The server keeps an idle connection longer than the load balancer."
  }
}

run "a_boot_has_settings_and_no_secret" {
  command = apply

  assert {
    condition     = !strcontains(base64decode(aws_launch_template.server.user_data), "-secret@") && !strcontains(base64decode(aws_launch_template.server.user_data), "third-secret")
    error_message = "Whoever reads the template of the machines reads no secret."
  }
  assert {
    condition = alltrue([
      for line in [
        "listen = \"0.0.0.0:8080\"",
        "leave_seconds = 15",
        "trusted_proxies = [\"10.20.0.0/20\",\"10.20.16.0/20\"]",
        "operator_hosts = [\"school.example.cn\"]",
        "bucket = \"chengjiao-files\"",
        "data = \"/var/lib/chengjiao\"",
        "aws s3 cp --only-show-errors s3://releases/chengjiao_0.1.0-1_amd64.deb /root/chengjiao.deb",
      ] : contains(split("\n", base64decode(aws_launch_template.server.user_data)), line)
    ])
    error_message = "The settings are those of the module."
  }
  assert {
    condition     = aws_secretsmanager_secret_version.this.secret_string == null
    error_message = "The secrets are in no state."
  }
}

run "a_server_speaks_to_the_database_alone" {
  command = apply

  assert {
    condition = contains(
      split("\n", base64decode(aws_launch_template.server.user_data)),
      "curl -sSf --retry 5 -o /etc/chengjiao/database.pem https://rds-truststore.s3.cn-north-1.amazonaws.com.cn/global/global-bundle.pem",
    )
    error_message = "The servers know who signs the database's certificate."
  }
  assert {
    condition     = output.database_options == "sslmode=verify-full&sslrootcert=/etc/chengjiao/database.pem"
    error_message = "They look at it, and at the name in it."
  }
}

run "connections_are_those_that_are_meant" {
  command = apply

  assert {
    condition     = toset([for rule in aws_vpc_security_group_ingress_rule.server : rule.referenced_security_group_id]) == toset([aws_security_group.load_balancer.id])
    error_message = "Only the load balancer reaches the servers."
  }
  assert {
    condition     = toset([for rule in aws_vpc_security_group_ingress_rule.visitors : rule.from_port]) == toset([80, 443])
    error_message = "Visitors reach two ports."
  }
  assert {
    condition     = aws_lb_listener.http.default_action[0].redirect[0].protocol == "HTTPS"
    error_message = "Nothing is served in the open."
  }
  assert {
    condition     = aws_launch_template.server.metadata_options[0].http_tokens == "required"
    error_message = "A request that a server is talked into does not read its role."
  }
  assert {
    condition     = contains(jsondecode(aws_iam_role_policy.server.policy).Statement[1].Resource, "arn:aws-cn:s3:::releases/chengjiao_0.1.0-1_amd64.deb")
    error_message = "The servers read this package."
  }
}

run "other_secrets_exchange_the_servers" {
  command = apply

  variables {
    secrets_version = 2
  }

  assert {
    condition     = strcontains(base64decode(aws_launch_template.server.user_data), "version 2")
    error_message = "The template of the machines changes with the secrets."
  }
}

run "one_server_is_refused" {
  command = plan

  variables {
    servers = 1
  }

  expect_failures = [var.servers]
}

run "a_secret_that_is_missing_is_named" {
  command = plan

  variables {
    secrets = { DATABASE_URL = "postgres://chengjiao_app:x@db/chengjiao" }
  }

  expect_failures = [var.secrets]
}

run "a_package_is_an_address_of_a_package" {
  command = plan

  variables {
    package = "https://example.cn/chengjiao.tar.gz"
  }

  expect_failures = [var.package]
}
