# Servers of the product: two or more machines that install the Debian package at their first start, behind a load balancer
# that ends TLS and asks each of them whether it is ready. A new package or setting exchanges them one after the other.

data "aws_partition" "here" {}

data "aws_region" "here" {}

locals {
  arn = "arn:${data.aws_partition.here.partition}"
  # Longer than the longest silence of a call: an export's file begins when it is whole.
  idle_seconds = 120
  # Who signs the certificates of databases; China has its own.
  is_china         = startswith(data.aws_region.here.region, "cn-")
  trust            = local.is_china ? "rds-truststore.s3.cn-north-1.amazonaws.com.cn" : "truststore.pki.rds.amazonaws.com"
  authorities      = "https://${local.trust}/global/global-bundle.pem"
  authorities_file = "/etc/chengjiao/database.pem"
  # A new machine counts when its server is ready, and not before.
  group = var.name
  hook  = "ready"
  # What each server is told at its start, besides the secrets. Nothing of it is secret.
  settings = {
    data = "/var/lib/chengjiao"
    server = {
      listen          = "0.0.0.0:8080"
      ops_listen      = "0.0.0.0:9464"
      trusted_proxies = var.load_balancer_cidrs
      operator_hosts  = var.operator_hosts
      leave_seconds   = var.leave_seconds
    }
    limits = {
      # Longer than the load balancer keeps a connection that is idle: it never sends a call into one that is being closed.
      idle_seconds = local.idle_seconds + 10
    }
    store = {
      kind   = "s3"
      region = data.aws_region.here.region
      bucket = var.bucket
    }
  }
  boot = templatefile("${path.module}/boot.sh.tftpl", {
    package   = var.package
    region    = data.aws_region.here.region
    secret    = aws_secretsmanager_secret.this.name
    secrets   = var.secrets_version
    settings  = local.settings
    toml_text = { for name, value in local.settings.server : name => jsonencode(value) }
    group     = local.group
    hook      = local.hook

    authorities      = local.authorities
    authorities_file = local.authorities_file
  })
}

# Connections: visitors → load balancer → servers → whatever the network lets out.

resource "aws_security_group" "load_balancer" {
  name        = "${var.name}-load-balancer"
  description = "Visitors of ${var.name}"
  vpc_id      = var.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "visitors" {
  for_each          = { for pair in setproduct(["80", "443"], var.visitors) : join(" ", pair) => pair }
  security_group_id = aws_security_group.load_balancer.id
  cidr_ipv4         = each.value[1]
  ip_protocol       = "tcp"
  from_port         = tonumber(each.value[0])
  to_port           = tonumber(each.value[0])
}

resource "aws_vpc_security_group_egress_rule" "load_balancer" {
  for_each                     = { calls = 8080, readiness = 9464 }
  security_group_id            = aws_security_group.load_balancer.id
  referenced_security_group_id = aws_security_group.server.id
  description                  = each.key
  ip_protocol                  = "tcp"
  from_port                    = each.value
  to_port                      = each.value
}

resource "aws_security_group" "server" {
  name        = "${var.name}-server"
  description = "Servers of ${var.name}"
  vpc_id      = var.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "server" {
  for_each                     = { calls = 8080, readiness = 9464 }
  security_group_id            = aws_security_group.server.id
  referenced_security_group_id = aws_security_group.load_balancer.id
  description                  = each.key
  ip_protocol                  = "tcp"
  from_port                    = each.value
  to_port                      = each.value
}

resource "aws_vpc_security_group_egress_rule" "server" {
  security_group_id = aws_security_group.server.id
  description       = "Database, bucket, mail, short messages, WeChat"
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "-1"
}

# The load balancer.

resource "aws_lb" "this" {
  name                       = var.name
  load_balancer_type         = "application"
  security_groups            = [aws_security_group.load_balancer.id]
  subnets                    = var.public_subnet_ids
  drop_invalid_header_fields = true
  enable_deletion_protection = var.deletion_protection
  idle_timeout               = local.idle_seconds
}

resource "aws_lb_target_group" "this" {
  name     = var.name
  vpc_id   = var.vpc_id
  port     = 8080
  protocol = "HTTP"
  # Calls that run get this long when their server goes.
  deregistration_delay = 30

  # While servers are exchanged: a page's scripts come from the server that gave the page.
  stickiness {
    type            = "lb_cookie"
    cookie_duration = 3600
  }

  health_check {
    path                = "/readyz"
    port                = "9464"
    matcher             = "200"
    interval            = 5
    timeout             = 3
    healthy_threshold   = 2
    unhealthy_threshold = 2
  }
}

resource "aws_lb_listener" "https" {
  load_balancer_arn = aws_lb.this.arn
  port              = 443
  protocol          = "HTTPS"
  ssl_policy        = "ELBSecurityPolicy-TLS13-1-2-2021-06"
  certificate_arn   = var.certificate_arn

  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.this.arn
  }
}

resource "aws_lb_listener" "http" {
  load_balancer_arn = aws_lb.this.arn
  port              = 80
  protocol          = "HTTP"

  default_action {
    type = "redirect"

    redirect {
      port        = "443"
      protocol    = "HTTPS"
      status_code = "HTTP_301"
    }
  }
}

# Secrets: written without a trace in state or plan, read by the servers at their start.

resource "aws_secretsmanager_secret" "this" {
  name                    = "${var.name}/environment"
  description             = "Environment of the servers of ${var.name}; the master key is among it: never lose it"
  recovery_window_in_days = 30
}

resource "aws_secretsmanager_secret_version" "this" {
  secret_id                = aws_secretsmanager_secret.this.id
  secret_string_wo         = jsonencode(var.secrets)
  secret_string_wo_version = var.secrets_version
}

resource "aws_iam_role" "server" {
  name = "${var.name}-server"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "ec2.${data.aws_partition.here.dns_suffix}" }
    }]
  })
}

resource "aws_iam_role_policy" "server" {
  name = "start"
  role = aws_iam_role.server.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["secretsmanager:GetSecretValue"]
        Resource = [aws_secretsmanager_secret.this.arn]
      },
      {
        Effect   = "Allow"
        Action   = ["s3:GetObject"]
        Resource = ["${local.arn}:s3:::${trimprefix(var.package, "s3://")}"]
      },
      {
        Effect   = "Allow"
        Action   = ["autoscaling:CompleteLifecycleAction", "autoscaling:RecordLifecycleActionHeartbeat"]
        Resource = ["${local.arn}:autoscaling:*:*:autoScalingGroup:*:autoScalingGroupName/${local.group}"]
      },
    ]
  })
}

# A shell on a machine without an open port and without a key.
resource "aws_iam_role_policy_attachment" "shell" {
  role       = aws_iam_role.server.name
  policy_arn = "${local.arn}:iam::aws:policy/AmazonSSMManagedInstanceCore"
}

resource "aws_iam_instance_profile" "server" {
  name = "${var.name}-server"
  role = aws_iam_role.server.name
}

# The machines.

resource "aws_launch_template" "server" {
  name_prefix            = "${var.name}-"
  image_id               = var.image_id
  instance_type          = var.instance_type
  vpc_security_group_ids = [aws_security_group.server.id]
  update_default_version = true
  user_data              = base64encode(local.boot)

  iam_instance_profile {
    arn = aws_iam_instance_profile.server.arn
  }

  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  block_device_mappings {
    device_name = var.root_device

    ebs {
      volume_type           = "gp3"
      volume_size           = var.disk_gb
      encrypted             = "true"
      delete_on_termination = "true"
    }
  }

  tag_specifications {
    resource_type = "instance"
    tags          = { Name = "${var.name} server" }
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_autoscaling_group" "server" {
  name                = local.group
  min_size            = var.servers
  max_size            = var.servers * 2
  desired_capacity    = var.servers
  vpc_zone_identifier = var.private_subnet_ids
  target_group_arns   = [aws_lb_target_group.this.arn]
  # A server is not ready while the database is away, and no machine gets better by being replaced then: the load balancer
  # alone goes by readiness.
  health_check_type         = "EC2"
  health_check_grace_period = 60
  default_instance_warmup   = 30
  wait_for_capacity_timeout = "20m"
  # The first server migrates; the secrets must be there.
  depends_on = [aws_secretsmanager_secret_version.this, aws_iam_role_policy.server, aws_lb_listener.https]

  # The machine says itself when its server is ready, and while it migrates that it still does; one whose server does not start is
  # replaced. An exchange waits for it.
  initial_lifecycle_hook {
    name                 = local.hook
    lifecycle_transition = "autoscaling:EC2_INSTANCE_LAUNCHING"
    heartbeat_timeout    = 900
    default_result       = "ABANDON"
  }

  launch_template {
    id      = aws_launch_template.server.id
    version = aws_launch_template.server.latest_version
  }

  # A change of the template: new servers first, old ones go when those are ready.
  instance_refresh {
    strategy = "Rolling"

    preferences {
      min_healthy_percentage = 100
      max_healthy_percentage = 200
      auto_rollback          = false # a server of the former version does not start on a database that was migrated
    }
  }
}
