//! A school from its first apply to the refusal of its end; what is there already; an interrupt.

use kit::{
    cohort::{cohort, registrar},
    openings::semester,
    terraform::token,
};
use serde_json::{Map, Value, json};
use sqlx::{AssertSqlSafe, Executor};

use crate::Place;

const SCHOOL: &str = "/system/pc/sys/school";
/// With what the administrator of the example signs in the first time.
const FIRST: &str = "Lvhe#2026chuang";
/// The form of an edited school, but for number and version.
const FORM: [&str; 19] = [
    "address",
    "assistanceCenterEnabled",
    "brandColor",
    "contactName",
    "contactPhone",
    "domain",
    "expiresOn",
    "ico",
    "identityCode",
    "loginBackground",
    "logo",
    "logoNoWord",
    "name",
    "province",
    "remark",
    "shortName",
    "storageQuotaGb",
    "studentQuota",
    "title",
];

/// An operator writes another short name into the console's form.
async fn renamed(place: &Place, code: &str, short_name: &str) {
    let operator = place.server.operator().await;
    let seen = operator.get(&format!("{SCHOOL}/view?code={code}")).await.data().clone();
    let mut form: Map<String, Value> = FORM.iter().map(|name| ((*name).to_owned(), seen[*name].clone())).collect();
    form.insert("shortName".to_owned(), json!(short_name));
    form.insert("id".to_owned(), seen["id"].clone());
    form.insert("version".to_owned(), seen["version"].clone());
    let edited = operator.put(&format!("{SCHOOL}/edit"), Value::Object(form)).await;
    assert_eq!(edited.code(), 200, "{}", edited.body);
}

#[tokio::test]
async fn a_school_is_made_drifts_and_is_set_right() {
    let place = Place::new().await;
    let terraform = place.example("one-school").with("TF_VAR_administrator_password", FIRST).logged();
    terraform.init().await;
    let said = terraform.apply().await.well();
    assert!(said.contains("0 changed, 0 destroyed"), "{said}");
    assert_eq!(terraform.changes().await, Vec::<String>::new(), "a plan after an apply is empty");
    assert_eq!(place.server.anonymous().sign_in("10589_admin", FIRST, "schoolLogin").await.code(), 200);

    // What somebody changes in the console is one line of the next plan, in the school's row and in the school.
    renamed(&place, "10589", "外部改名").await;
    assert_eq!(terraform.changes().await, ["module.school.school.this short_name"]);
    let id: i64 = place.server.one("select id from platform.school where code = '10589'").await;
    let moved = format!("update school_{id}.site set contact = '外部改人', version = version + 1 where code = 'S01'");
    place.server.run(&moved).await;
    let drifted = ["module.school.school.this short_name", "school_site.main contact"];
    assert_eq!(terraform.changes().await, drifted);
    terraform.apply().await.well();
    assert_eq!(terraform.changes().await, Vec::<String>::new());
    let short_name: String = place.server.one("select short_name from platform.school where code = '10589'").await;
    assert_eq!(short_name, "海南示范");

    // What is changed in the configuration is one too.
    let main = terraform.read("main.tf");
    let raised = main.replace("student_quota    = 20000", "student_quota    = 30000");
    assert_ne!(raised, main);
    terraform.write("main.tf", &raised);
    assert_eq!(terraform.changes().await, ["module.school.school.this student_quota"]);
    terraform.apply().await.well();
    let quota: i64 = place.server.one("select student_quota::bigint from platform.school where code = '10589'").await;
    assert_eq!(quota, 30_000);

    let refused = terraform.run(&["destroy", "-auto-approve", "-no-color"]).await.refused();
    assert!(refused.contains("The school 10589 is protected from deletion"), "{refused}");
    assert_eq!(terraform.kept("school", "this").0["code"], json!("10589"));
    let status: String = place.server.one("select status from platform.school where code = '10589'").await;
    assert_eq!(status, "active");
    place.nowhere(&terraform, &[FIRST, &place.token]).await;
    place.close().await;
}

#[tokio::test]
async fn many_schools_come_from_one_table_and_one_goes_alone() {
    let place = Place::new().await;
    let terraform = place.example("many-schools");
    terraform.init().await;
    terraform.apply().await.well();
    assert_eq!(terraform.changes().await, Vec::<String>::new());
    // The line of an unprotected school goes: it is archived, and no other moves.
    let table = terraform.read("terraform.tfvars");
    let fewer: String = table.lines().filter(|line| !line.contains("11078")).map(|line| format!("{line}\n")).collect();
    terraform.write("terraform.tfvars", &fewer);
    let mut gone = terraform.changes().await;
    gone.retain(|change| change.ends_with(" -") && change.contains(".school.this"));
    assert_eq!(gone, ["module.school[\"11078\"].school.this -"]);
    terraform.apply().await.well();
    let standing: Vec<String> = sqlx::query_scalar(
        "select code || ' ' || status from platform.school where code in ('10589', '10610', '11078') order by code",
    )
    .fetch_all(&mut place.server.owner().await)
    .await
    .expect("schools");
    assert_eq!(standing, ["10589 active", "10610 active", "11078 archived"]);
    place.close().await;
}

/// What is imported, by its natural key.
const IMPORTED: [(&str, &str); 9] = [
    ("school", "demo01"),
    ("school_admin", "demo01/demo01_admin"),
    ("school_site", "demo01/CD"),
    ("school_grade", "demo01/2026"),
    ("school_level", "demo01/ZSB"),
    ("school_major", "demo01/KJ"),
    ("school_term", "demo01/2026-1"),
    ("school_param", "auth.lockFailures"),
    ("school_menu_set", "school"),
];

#[tokio::test]
async fn what_the_console_made_is_imported_as_it_is() {
    let place = Place::new().await;
    let admin = registrar(&place.server).await;
    cohort(&admin).await;
    semester(&admin, "2026-1").await;
    let role = place.server.account(1, &["adult:pc:class:list", "adult:pc:grade:list"], "whole_school", &[]).await;
    let mut terraform = place.terraform();
    terraform.init().await;
    let wanted = IMPORTED.map(|(kind, id)| (kind, id.to_owned()));
    let wanted: Vec<(&str, String)> = wanted.into_iter().chain([("school_role", format!("demo01/{role}"))]).collect();
    let blocks = wanted.iter().map(|(kind, id)| format!("import {{\n  to = {kind}.demo\n  id = \"{id}\"\n}}\n\n"));
    terraform.write("imports.tf", &blocks.collect::<String>());
    terraform.run(&["plan", "-no-color", "-generate-config-out=generated.tf"]).await.well();
    let mut imports: Vec<String> = wanted.iter().map(|(kind, _)| format!("{kind}.demo import")).collect();
    imports.sort();
    assert_eq!(terraform.changes().await, imports, "{}", terraform.read("generated.tf"));
    let said = terraform.apply().await.well();
    let counted = format!("Resources: {} imported, 0 added, 0 changed, 0 destroyed.", wanted.len());
    assert!(said.contains(&counted), "{said}");
    assert_eq!(terraform.changes().await, Vec::<String>::new());

    // A token that may no longer act for the school is told so; a school that looked like gone would be made again.
    let elsewhere = token(&place.server, "elsewhere", Some(&[2])).await;
    terraform.set("SCHOOL_TOKEN", &elsewhere);
    let refused = terraform.run(&["plan", "-no-color"]).await.refused();
    assert!(refused.contains("read school: the token has no permission for it"), "{refused}");
    assert!(!refused.contains("will be created"), "{refused}");
    // So is a person who manages schools with their session.
    let session = place.server.operator().await.token.expect("a session");
    terraform.set("SCHOOL_TOKEN", &session);
    let refused = terraform.run(&["plan", "-no-color"]).await.refused();
    assert!(refused.contains("Resources are managed with a machine token"), "{refused}");
    assert_eq!(terraform.kept("school", "demo").0["id"], json!("1"));
    terraform.set("SCHOOL_TOKEN", &place.token);
    assert_eq!(terraform.changes().await, Vec::<String>::new());
    place.nowhere(&terraform, &[&place.token, &elsewhere, &session]).await;
    place.close().await;
}

#[tokio::test]
async fn an_interrupt_while_a_school_is_opened_loses_nothing() {
    let place = Place::new().await;
    let terraform = place.terraform();
    terraform.init().await;
    terraform.write("main.tf", "resource \"school\" \"this\" {\n  code = \"10601\"\n  name = \"中断示范大学\"\n}\n");
    // Somebody else makes a schema of its name and does not say whether they mean it: the opening waits for them.
    let next: i64 = place
        .server
        .one("select pg_sequence_last_value(pg_get_serial_sequence('platform.school', 'id')::regclass) + 1")
        .await;
    let mut other = place.server.owner().await;
    other.execute("begin").await.expect("a transaction");
    other.execute(AssertSqlSafe(format!("create schema school_{next}"))).await.expect("a schema");
    let running = terraform.start(&["apply", "-auto-approve", "-no-color"]);
    place.server.wait_until("select provision_step = '数据表' from platform.school where code = '10601'").await;
    running.interrupt();
    let said = running.ended().await.refused();
    assert!(said.contains("Interrupted: the school is still being opened"), "{said}");
    let (kept, is_tainted) = terraform.kept("school", "this");
    assert_eq!((&kept["id"], &kept["ready"], is_tainted), (&json!(next.to_string()), &json!(false), false));

    assert_eq!(terraform.changes().await, ["school.this ready"], "what is left is to wait");
    let running = terraform.start(&["apply", "-auto-approve", "-no-color"]);
    other.execute("rollback").await.expect("they did not");
    running.ended().await.well();
    assert_eq!(terraform.kept("school", "this").0["ready"], json!(true));
    assert_eq!(terraform.changes().await, Vec::<String>::new());
    let schools: i64 = place.server.one("select count(*) from platform.school where code = '10601'").await;
    assert_eq!(schools, 1);
    place.close().await;
}
