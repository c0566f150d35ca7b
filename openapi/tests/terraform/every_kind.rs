//! Every kind of resource once, with each data source: made, seen as it was made, its secrets exchanged, ended.

use serde_json::{Value, json};

use crate::Place;

/// The end of each secret.
const SECRET: &str = "q7Zk3mXw9RtB5vNc";
const NEXT: &str = "h4Lp8sYd2GfJ6xKe";

#[tokio::test]
async fn every_kind_is_made_as_it_is_configured_and_ends() {
    let place = Place::new().await;
    let staff = place.server.account(1, &["adult:pc:grade:list"], "whole_school", &[]).await;
    let mut terraform = place
        .terraform()
        .with("TF_VAR_staff", &staff)
        .with("TF_VAR_secret", SECRET)
        .with("TF_VAR_protected", "false")
        .logged();
    terraform.write("main.tf", include_str!("../../../terraform/tests/every_kind.tf"));
    terraform.init().await;
    terraform.apply().await.well();
    assert_eq!(terraform.changes().await, Vec::<String>::new(), "a plan after an apply is empty");
    let shown = terraform.run(&["output", "-json", "seen"]).await.well();
    let seen: Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(
        (&seen["name"], &seen["state"], &seen["role"], &seen["sort"], &seen["modes"]),
        (&json!("每类示范大学"), &json!("ready"), &json!(true), &json!([7]), &json!(0))
    );
    assert_eq!(seen["schools"], json!(["10602", "demo01", "demo02"]));
    assert!(seen["permissions"].as_i64().is_some_and(|count| count > 100), "{seen}");
    assert_eq!(
        place.server.anonymous().sign_in("every_second", &format!("Bb2#{SECRET}"), "schoolLogin").await.code(),
        200
    );
    let value: String = place.server.one("select value from platform.sys_param where code = 'auth.lockFailures'").await;
    assert_eq!(value, "7", "the server writes the number in its own way");

    // One secret is another: its number and its end change, and the secrets beside it are not sent again.
    let (kept, _) = terraform.kept("school_storage_config", "archive");
    assert_eq!((&kept["secret_wo"], &kept["secret_tail"]), (&Value::Null, &json!(SECRET[SECRET.len() - 4..])));
    terraform.set("TF_VAR_secret", NEXT);
    terraform.set("TF_VAR_secret_version", "2");
    assert_eq!(
        terraform.changes().await,
        ["school_storage_config.archive secret_tail", "school_storage_config.archive secret_wo_version"]
    );
    terraform.apply().await.well();
    let tails: Vec<String> =
        [("school_storage_config", "archive", "secret_tail"), ("school_mail_config", "office", "password_tail")]
            .map(|(kind, name, tail)| terraform.kept(kind, name).0[tail].as_str().unwrap_or_default().to_owned())
            .into();
    assert_eq!(tails, [&NEXT[NEXT.len() - 4..], &SECRET[SECRET.len() - 4..]]);

    // Whatever people write besides is changed where it stands.
    terraform.set("TF_VAR_remark", "另一个备注");
    assert_eq!(
        terraform.changes().await,
        [
            "school.this remark",
            "school_admin.second remark",
            "school_dict_type.mode remark",
            "school_grade.spring remark"
        ]
    );
    terraform.apply().await.well();
    assert_eq!(terraform.changes().await, Vec::<String>::new());

    let said = terraform.run(&["destroy", "-auto-approve", "-no-color"]).await.well();
    assert!(said.contains("Destroy complete!"), "{said}");
    let left: (String, i64, i64) = sqlx::query_as(
        "select (select status from platform.school where code = '10602'),
                (select count(*) from platform.sys_config where config_name in ('归档', '备用', '保利威', '公众号', '教务邮箱')),
                (select count(*) from platform.sys_role where role_name in ('教学督导', '院校查询', '站点查询', '办公室'))",
    )
    .fetch_one(&mut place.server.owner().await)
    .await
    .expect("what is left");
    assert_eq!(left, ("archived".to_owned(), 0, 0));
    place.nowhere(&terraform, &[SECRET, NEXT, &place.token]).await;
    place.close().await;
}
