//! What bad input gets: one sentence each, and a state that is as it was.

use kit::terraform::Terraform;
use serde_json::json;

use crate::Place;

const HEALTH: &str = "data \"school_health\" \"this\" {\n  code = \"demo01\"\n}\n";

/// What a plan says, which is one error.
async fn one_error(terraform: &Terraform) -> String {
    let refused = terraform.run(&["plan", "-no-color"]).await.refused();
    assert_eq!(refused.matches("Error: ").count(), 1, "{refused}");
    refused
}

#[tokio::test]
async fn a_wrong_token_and_a_server_that_is_away_are_one_sentence_each() {
    let place = Place::new().await;
    let mut terraform = place.terraform();
    terraform.write("main.tf", HEALTH);
    terraform.init().await;
    assert_eq!(terraform.changes().await, Vec::<String>::new());

    let wrong = format!("{}x", place.token);
    terraform.set("SCHOOL_TOKEN", &wrong);
    let refused = one_error(&terraform).await;
    assert!(
        refused.contains("Error: read school_health: the token is not valid; check `token` of the provider"),
        "{refused}"
    );
    assert!(refused.contains("机器令牌无效，请检查后重试 (request "), "{refused}");
    terraform.set("SCHOOL_TOKEN", "");
    let refused = one_error(&terraform).await;
    assert!(refused.contains("Error: The provider has no `token`"), "{refused}");

    terraform.set("SCHOOL_TOKEN", &place.token);
    terraform.set("SCHOOL_ENDPOINT", "http://127.0.0.1:9");
    let refused = one_error(&terraform).await;
    assert!(refused.contains("Error: read school_health: the server cannot be reached"), "{refused}");
    terraform.set("SCHOOL_ENDPOINT", "school.example.cn");
    let refused = one_error(&terraform).await;
    assert!(refused.contains("Error: `endpoint` is no address of a server"), "{refused}");
    place.nowhere(&terraform, &[&place.token]).await;
    place.close().await;
}

#[tokio::test]
async fn what_is_there_is_not_taken_over_and_a_wrong_value_is_named() {
    let place = Place::new().await;
    let terraform = place.terraform();
    terraform.init().await;
    let school = |code: &str, more: &str| {
        format!("resource \"school\" \"this\" {{\n  code = \"{code}\"\n  name = \"另一所大学\"\n{more}}}\n")
    };
    terraform.write("main.tf", &school("demo01", ""));
    let refused = terraform.apply().await.refused();
    assert!(refused.contains("terraform import school.<name> 'demo01'"), "{refused}");
    let named: String = place.server.one("select name from platform.school where code = 'demo01'").await;
    assert_eq!(named, "东湖示范学院");

    // Seen in the plan, at its attribute.
    terraform.write("main.tf", &school("X", ""));
    let refused = one_error(&terraform).await;
    assert!(refused.contains("It is 2 to 20 of 0-9 and a-z.") && refused.contains("code = \"X\""), "{refused}");
    // Seen by the server alone, at its attribute.
    terraform.write("main.tf", &school("10603", "  brand = { color = \"#FF7D00\" }\n"));
    let refused = terraform.apply().await.refused();
    assert!(refused.contains("create school: a value is refused") && refused.contains("对比度"), "{refused}");
    let made: i64 = place.server.one("select count(*) from platform.school where code in ('X', '10603')").await;
    assert_eq!(made, 0);
    place.close().await;
}

/// A token for one run: a person's session opens it, a second provider reads with it, and it ends with the run.
#[tokio::test]
async fn a_token_of_a_run_ends_with_it_and_stands_in_no_state() {
    let place = Place::new().await;
    let session = place.server.operator().await.token.expect("a session");
    let end = (place.server.app.clock().now() + chrono::Duration::hours(1)).to_rfc3339();
    let terraform = Terraform::new(&place.listening.address, &session).logged();
    terraform.write(
        "main.tf",
        &format!(
            r#"
ephemeral "school_token" "one" {{
  school_code = "demo01"
  permissions = ["system:pc:sys:school:view"]
  expires_at  = "{end}"
}}

ephemeral "school_api_token" "two" {{
  school_codes = ["demo01", "demo02"]
  permissions  = ["system:pc:sys:school:view"]
  expires_at   = "{end}"
}}

provider "school" {{
  alias = "one"
  token = ephemeral.school_token.one.token
}}

provider "school" {{
  alias = "two"
  token = ephemeral.school_api_token.two.token
}}

data "school_health" "one" {{
  provider = school.one
  code     = "demo01"
}}

data "school_health" "two" {{
  provider = school.two
  code     = "demo02"
}}

output "states" {{
  value = [data.school_health.one.provision_state, data.school_health.two.provision_state]
}}
"#
        ),
    );
    terraform.init().await;
    terraform.apply().await.well();
    let shown = terraform.run(&["output", "-json", "states"]).await.well();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).ok(), Some(json!(["ready", "ready"])));
    // The one that the story itself works with is left.
    let names: Vec<String> = sqlx::query_scalar("select name from platform.sys_machine_token")
        .fetch_all(&mut place.server.owner().await)
        .await
        .expect("tokens");
    assert_eq!(names, ["terraform"]);
    let ended: i64 = place
        .server
        .one("select count(*) from platform.audit_log where entity_type = 'sys_machine_token' and action = 'delete'")
        .await;
    assert!(ended >= 2, "{ended} tokens were issued for runs, and ended");
    assert_eq!(terraform.holders("cjm_"), Vec::<String>::new());
    place.nowhere(&terraform, &[&session]).await;
    place.close().await;
}
