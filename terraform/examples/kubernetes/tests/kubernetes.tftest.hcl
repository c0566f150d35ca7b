mock_provider "kubernetes" {}

variables {
  image = "registry.example.cn/chengjiao:0.1.0"
  host  = "school.example.cn"

  proxy_cidrs = ["10.244.3.0/24"]

  store = { endpoint = "https://s3.example.cn", region = "cn", bucket = "chengjiao" }
  secrets = {
    DATABASE_URL         = "postgres://chengjiao_app:secret@db/chengjiao"
    CHENGJIAO_MASTER_KEY = "secret"
  }
}

run "pods_are_exchanged_and_may_do_little" {
  command = apply

  assert {
    condition     = kubernetes_deployment_v1.server.spec[0].strategy[0].rolling_update[0].max_unavailable == "0"
    error_message = "A new pod is ready before an old one goes."
  }
  assert {
    condition     = kubernetes_deployment_v1.server.spec[0].template[0].spec[0].termination_grace_period_seconds >= 15 + 20
    error_message = "A pod may leave and end what runs."
  }
  assert {
    condition     = kubernetes_deployment_v1.server.spec[0].template[0].spec[0].container[0].security_context[0].read_only_root_filesystem
    error_message = "Nothing of the image is written over."
  }
  assert {
    condition     = kubernetes_secret_v1.environment.data_wo_revision == 1 && kubernetes_deployment_v1.server.spec[0].template[0].metadata[0].annotations["chengjiao/secrets"] == "1"
    error_message = "Other secrets are written, and a reason for new pods."
  }
  assert {
    condition     = strcontains(kubernetes_config_map_v1.settings.data["chengjiao.toml"], "trusted_proxies = [\"10.244.3.0/24\"]")
    error_message = "The ingress may say for whom it speaks."
  }
}

run "other_pods_do_not_reach_the_servers" {
  command = apply

  assert {
    condition     = kubernetes_network_policy_v1.server.spec[0].pod_selector[0].match_labels == kubernetes_deployment_v1.server.spec[0].template[0].metadata[0].labels
    error_message = "The policy is of the servers' pods."
  }
  assert {
    condition = {
      for rule in kubernetes_network_policy_v1.server.spec[0].ingress :
      rule.ports[0].port => rule.from[0].namespace_selector[0].match_labels["kubernetes.io/metadata.name"]
    } == { "8080" = "ingress-nginx", "9464" = "monitoring" }
    error_message = "Calls come from the ingress controller, questions for figures from the monitoring."
  }
}

run "nobody_is_trusted_with_everybody" {
  command = plan

  variables {
    proxy_cidrs = ["0.0.0.0/0"]
  }

  expect_failures = [var.proxy_cidrs]
}
