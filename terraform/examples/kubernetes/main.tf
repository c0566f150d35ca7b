# The product on Kubernetes: two servers from the container image, a database and a bucket that are there already.
# An apply with another image exchanges the servers one after the other; none of the calls fails.

provider "kubernetes" {}

variable "image" {
  description = "The container image with its version, such as registry.example.cn/chengjiao:0.1.0."
  type        = string
}

variable "host" {
  description = "Host name of the operators' site."
  type        = string
}

variable "proxy_cidrs" {
  description = "Addresses of the ingress controller's pods, no more: what comes from there may say for whom it speaks and which host is meant. A policy keeps other pods away."
  type        = list(string)

  validation {
    condition     = length(var.proxy_cidrs) > 0 && alltrue([for cidr in var.proxy_cidrs : can(cidrhost(cidr, 0)) && !endswith(cidr, "/0")])
    error_message = "proxy_cidrs names ranges such as 10.244.3.0/24, and not everybody."
  }
}

variable "ingress_namespace" {
  description = "Where the ingress controller runs."
  type        = string
  default     = "ingress-nginx"
}

variable "monitoring_namespace" {
  description = "Where Prometheus runs."
  type        = string
  default     = "monitoring"
}

variable "store" {
  description = "The bucket."
  type        = object({ endpoint = string, region = string, bucket = string })
}

variable "secrets" {
  description = "DATABASE_URL, DATABASE_OWNER_URL, CHENGJIAO_MASTER_KEY, CHENGJIAO_STORE_KEY_ID, CHENGJIAO_STORE_SECRET."
  type        = map(string)
  ephemeral   = true
  sensitive   = true
}

variable "secrets_version" {
  description = "Another number than before writes the secrets again and exchanges the servers."
  type        = number
  default     = 1
}

locals {
  labels        = { "app.kubernetes.io/name" = "chengjiao" }
  leave_seconds = 15
  settings      = <<-TOML
    data = "/var/lib/chengjiao"

    [server]
    listen = "0.0.0.0:8080"
    ops_listen = "0.0.0.0:9464"
    trusted_proxies = ${jsonencode(var.proxy_cidrs)}
    operator_hosts = [${jsonencode(var.host)}]
    leave_seconds = ${local.leave_seconds}

    [store]
    kind = "s3"
    endpoint = ${jsonencode(var.store.endpoint)}
    region = ${jsonencode(var.store.region)}
    bucket = ${jsonencode(var.store.bucket)}
  TOML
}

resource "kubernetes_namespace_v1" "this" {
  metadata {
    name   = "chengjiao"
    labels = { "pod-security.kubernetes.io/enforce" = "restricted" }
  }
}

resource "kubernetes_config_map_v1" "settings" {
  metadata {
    name      = "settings"
    namespace = kubernetes_namespace_v1.this.metadata[0].name
  }

  data = { "chengjiao.toml" = local.settings }
}

resource "kubernetes_secret_v1" "environment" {
  metadata {
    name      = "environment"
    namespace = kubernetes_namespace_v1.this.metadata[0].name
  }

  data_wo          = var.secrets
  data_wo_revision = var.secrets_version
}

resource "kubernetes_deployment_v1" "server" {
  metadata {
    name      = "server"
    namespace = kubernetes_namespace_v1.this.metadata[0].name
    labels    = local.labels
  }

  spec {
    replicas = 2

    selector {
      match_labels = local.labels
    }

    strategy {
      type = "RollingUpdate"

      rolling_update {
        max_surge       = "1"
        max_unavailable = "0"
      }
    }

    template {
      metadata {
        labels = local.labels

        # Another setting or secret is a reason for new pods.
        annotations = {
          "chengjiao/settings" = sha256(local.settings)
          "chengjiao/secrets"  = tostring(var.secrets_version)
        }
      }

      spec {
        automount_service_account_token = false
        # To leave, to end what runs (server.shutdown_seconds is 20), and some more.
        termination_grace_period_seconds = local.leave_seconds + 30

        security_context {
          run_as_non_root = true
          run_as_user     = "10001"
          run_as_group    = "10001"
          fs_group        = "10001"

          seccomp_profile {
            type = "RuntimeDefault"
          }
        }

        topology_spread_constraint {
          max_skew           = 1
          topology_key       = "kubernetes.io/hostname"
          when_unsatisfiable = "ScheduleAnyway"

          label_selector {
            match_labels = local.labels
          }
        }

        container {
          name  = "server"
          image = var.image
          args  = ["serve"]

          env {
            name  = "CHENGJIAO_CONFIG"
            value = "/etc/chengjiao/chengjiao.toml"
          }

          env_from {
            secret_ref {
              name = kubernetes_secret_v1.environment.metadata[0].name
            }
          }

          port {
            name           = "http"
            container_port = 8080
          }

          port {
            name           = "operations"
            container_port = 9464
          }

          # The first start migrates the database, which may take minutes.
          startup_probe {
            period_seconds    = 5
            failure_threshold = 120

            http_get {
              path = "/healthz"
              port = "operations"
            }
          }

          readiness_probe {
            period_seconds    = 3
            timeout_seconds   = 3
            failure_threshold = 2

            http_get {
              path = "/readyz"
              port = "operations"
            }
          }

          liveness_probe {
            period_seconds    = 10
            failure_threshold = 6

            http_get {
              path = "/healthz"
              port = "operations"
            }
          }

          resources {
            requests = { cpu = "500m", memory = "512Mi" }
            limits   = { memory = "2Gi" }
          }

          security_context {
            allow_privilege_escalation = false
            read_only_root_filesystem  = true

            capabilities {
              drop = ["ALL"]
            }
          }

          volume_mount {
            name       = "settings"
            mount_path = "/etc/chengjiao"
            read_only  = true
          }

          volume_mount {
            name       = "data"
            mount_path = "/var/lib/chengjiao"
          }

          volume_mount {
            name       = "temporary"
            mount_path = "/tmp"
          }
        }

        volume {
          name = "settings"

          config_map {
            name = kubernetes_config_map_v1.settings.metadata[0].name
          }
        }

        # Files are in the bucket, keys in the secret: nothing of it outlives the pod.
        volume {
          name = "data"

          empty_dir {}
        }

        volume {
          name = "temporary"

          empty_dir {
            size_limit = "10Gi"
          }
        }
      }
    }
  }
}

resource "kubernetes_pod_disruption_budget_v1" "server" {
  metadata {
    name      = "server"
    namespace = kubernetes_namespace_v1.this.metadata[0].name
  }

  spec {
    min_available = "1"

    selector {
      match_labels = local.labels
    }
  }
}

resource "kubernetes_service_v1" "server" {
  metadata {
    name      = "server"
    namespace = kubernetes_namespace_v1.this.metadata[0].name
  }

  spec {
    selector = local.labels

    port {
      name        = "http"
      port        = 80
      target_port = "http"
    }
  }
}

# Any other pod could say for whom it speaks, or read the figures: the network lets in who is meant. (Probes of the node pass anyway.)
resource "kubernetes_network_policy_v1" "server" {
  metadata {
    name      = "server"
    namespace = kubernetes_namespace_v1.this.metadata[0].name
  }

  spec {
    policy_types = ["Ingress"]

    pod_selector {
      match_labels = local.labels
    }

    dynamic "ingress" {
      for_each = { "8080" = var.ingress_namespace, "9464" = var.monitoring_namespace }

      content {
        from {
          namespace_selector {
            match_labels = { "kubernetes.io/metadata.name" = ingress.value }
          }
        }

        ports {
          port     = ingress.key
          protocol = "TCP"
        }
      }
    }
  }
}

# Figures and probes are for the cluster, never for the internet: the ingress has no way to them.
resource "kubernetes_ingress_v1" "server" {
  metadata {
    name      = "server"
    namespace = kubernetes_namespace_v1.this.metadata[0].name

    annotations = {
      "nginx.ingress.kubernetes.io/proxy-body-size"    = "1g"
      "nginx.ingress.kubernetes.io/proxy-read-timeout" = "120"
    }
  }

  spec {
    tls {
      hosts       = [var.host]
      secret_name = "certificate"
    }

    rule {
      host = var.host

      http {
        path {
          path      = "/"
          path_type = "Prefix"

          backend {
            service {
              name = kubernetes_service_v1.server.metadata[0].name

              port {
                name = "http"
              }
            }
          }
        }
      }
    }
  }
}
