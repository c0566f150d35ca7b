//! A new school takes over basic data from another one: what both have alike, and nothing that it has already.

use kit::{
    Client, Server,
    accounts::{all_school_codes, operator_with},
    cohort::cohort,
    courses::{self, COURSE},
    jobs::ended,
    openings::semester,
    rows::manage,
};
use serde_json::{Value, json};

const FOUNDATION: &str = "/system/pc/sys/school/foundation";
const CODE: &str = "system:pc:sys:school:foundation:copy";

async fn registrar(server: &Server, school: i64) -> Client<'_> {
    let codes = all_school_codes();
    server.staff(school, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await
}

/// What would come from school 1 into school 2, by kind.
async fn view(operator: &Client<'_>) -> Vec<Value> {
    let answer = operator.get(&format!("{FOUNDATION}/view?id=2&sourceId=1")).await;
    assert_eq!(answer.code(), 200, "{}", answer.body);
    answer.data().as_array().expect("kinds").clone()
}

fn of_kind<'v>(views: &'v [Value], kind: &str) -> &'v Value {
    views.iter().find(|view| view["kind"] == kind).expect("a kind")
}

/// How many would come of a kind, and how many are there.
fn counts(views: &[Value], kind: &str) -> (i64, i64) {
    let view = of_kind(views, kind);
    assert_eq!(view["refusal"], Value::Null, "{view}");
    (view["added"].as_i64().expect("a number"), view["known"].as_i64().expect("a number"))
}

async fn copied(operator: &Client<'_>, kinds: &[&str]) -> Value {
    let body = json!({ "id": 2, "sourceId": 1, "kinds": kinds });
    let begun = operator.post(&format!("{FOUNDATION}/copy"), body).await;
    assert_eq!(begun.code(), 200, "{}", begun.body);
    ended(operator, &begun.data()["jobId"]).await
}

/// Which schools are templates the operators say by a parameter; every selector of schools knows it.
#[tokio::test]
async fn a_school_is_marked_as_a_template() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let templates = async || -> Vec<Value> {
        let options = operator.get("/system/pc/sys/school/available/list").await.data().clone();
        let options = options.as_array().expect("schools").iter();
        options.filter(|school| school["template"] == json!(true)).map(|school| school["code"].clone()).collect()
    };
    assert!(templates().await.is_empty());
    let code: String = server.one("select code from platform.school where id = 1").await;
    let param = "/system/pc/sys/param/config";
    let known = operator.get(&format!("{param}/view?code=school.templates")).await.data().clone();
    let marked = |value: &str| json!({ "id": known["id"], "version": known["version"], "paramValue": value });
    let odd = operator.put(&format!("{param}/edit"), marked("东湖学院")).await;
    assert_eq!(odd.code(), 422, "{}", odd.body);
    let set = operator.put(&format!("{param}/edit"), marked(&code)).await;
    assert_eq!(set.code(), 200, "{}", set.body);
    assert_eq!(templates().await, [json!(1)]);
}

#[tokio::test]
async fn a_new_school_takes_over_what_it_has_not() {
    let server = Server::start().await;
    let (from, into) = (registrar(&server, 1).await, registrar(&server, 2).await);
    cohort(&from).await;
    let first = courses::course(&from, "GS1", "高等数学一").await;
    let kind = courses::type_of(&from, "GGJC").await;
    // Its name comes before the one that must be passed before it.
    let mut second = courses::body("AA2", "高等数学二", kind);
    second["prerequisiteIds"] = json!([first]);
    assert_eq!(from.post(&format!("{COURSE}/save"), second).await.code(), 200);
    let closed = courses::course(&from, "OLD1", "珠算").await;
    let off = json!({ "id": closed, "enabled": false, "version": 1 });
    assert_eq!(from.put(&format!("{COURSE}/update/status"), off).await.code(), 200);
    semester(&from, "2026-1").await;
    let shown = from.get("/system/pc/sys/school/setting/view?group=teaching").await.data()["version"].clone();
    let capacity = json!({ "group": "teaching", "value": { "classCapacityDefault": 45 }, "version": shown });
    assert_eq!(from.put("/system/pc/sys/school/setting/edit", capacity).await.code(), 200);

    // The other has a level of the same code under another name, and a semester of its own on the same days.
    let own = json!({ "code": "zsb", "name": "专科起点本科", "entryLevel": "associate_to_bachelor" });
    assert_eq!(into.post("/adult/pc/arrangement/save", own).await.code(), 200);
    let days = json!({ "code": "2025-2", "startsOn": "2026-02-20", "endsOn": "2026-04-01" });
    assert_eq!(into.post("/adult/pc/semester/save", days).await.code(), 200);

    let operator = server.operator().await;
    let before = view(&operator).await;
    assert_eq!(counts(&before, "level"), (0, 1));
    assert_eq!(counts(&before, "grade"), (1, 0));
    assert_eq!(counts(&before, "major"), (1, 0));
    assert_eq!(counts(&before, "course"), (2, 0), "what is switched off stays behind");
    assert_eq!(of_kind(&before, "course")["names"], json!(["高等数学一", "高等数学二"]));
    assert_eq!(counts(&before, "setting").0, 1);
    let kinds: Vec<&str> = before.iter().map(|view| view["kind"].as_str().expect("a word")).collect();
    let at = |kind: &str| kinds.iter().position(|each| *each == kind);
    assert!(at("level") < at("major") && at("curriculumType") < at("course"), "{kinds:?}");

    // The order in which they are named is not the one in which they go.
    let job = copied(&operator, &["course", "major", "setting", "semester", "grade", "level", "curriculumType"]).await;
    assert_eq!(job["state"], json!("done"), "{job}");
    let message = job["message"].as_str().expect("a message");
    for part in [
        "层次新增0项、已有1项",
        "学校专业新增1项、已有0项",
        "课程库新增2项、已有0项",
        "学期新增0项、已有0项、1项未复制",
    ] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(job["errors"][0]["name"], json!("学期 2026年春季学期"), "{job}");
    assert_eq!(job["errors"][0]["msg"], json!("与学期“2025年秋季学期”的日期重叠"), "{job}");

    assert_eq!(server.one::<String>("select name from school_2.level").await, "专科起点本科");
    let major: String = server
        .one("select l.name || ' ' || m.code || ' ' || m.total_credits from school_2.major m join school_2.level l on l.id = m.level_id")
        .await;
    assert_eq!(major, "专科起点本科 KJ 92.5");
    let earlier: String = server
        .one(
            "select c.code || ' after ' || e.code from school_2.course_prerequisite p
             join school_2.course c on c.id = p.course_id join school_2.course e on e.id = p.prerequisite_id",
        )
        .await;
    assert_eq!(earlier, "AA2 after GS1");
    let set: Value = server.one("select value from school_2.school_setting where key = 'classCapacityDefault'").await;
    assert_eq!(set, json!(45));

    // Each piece stands in the school's trail under the operator's name, and the step in the platform's.
    let told: i64 = server
        .one(
            "select count(distinct entity_type) from school_2.audit_log
             where actor_type = 'platform' and entity_type in ('grade', 'major', 'course', 'school_setting')",
        )
        .await;
    assert_eq!(told, 4);
    let step: i64 = server
        .one("select count(*) from platform.audit_log where entity_type = 'school' and entity_id = 2 and action = 'copy'")
        .await;
    assert_eq!(step, 1);
    let behind: i64 = server.one("select count(*) from school_1.audit_log where actor_type = 'platform'").await;
    assert_eq!(behind, 0, "the school from which it comes is read alone");

    // A second time nothing comes.
    let again = copied(&operator, &["level", "grade", "major", "course", "setting"]).await;
    let message = again["message"].as_str().expect("a message");
    assert_eq!(message.matches("新增0项").count(), 5, "{message}");
    assert_eq!(again["errors"], json!([]), "{again}");
}

#[tokio::test]
async fn a_piece_without_what_it_refers_to_is_told_and_the_others_come() {
    let server = Server::start().await;
    cohort(&registrar(&server, 1).await).await;
    let operator = server.operator().await;
    let job = copied(&operator, &["major", "grade"]).await;
    assert_eq!(job["errors"][0]["msg"], json!("没有编码为“ZSB”的层次（专升本），请先复制或新增层次"), "{job}");
    assert_eq!(server.one::<i64>("select count(*) from school_2.grade").await, 1);
    assert_eq!(server.one::<i64>("select count(*) from school_2.major").await, 0);
}

#[tokio::test]
async fn it_takes_the_right_in_both_schools() {
    let server = Server::start().await;
    cohort(&registrar(&server, 1).await).await;
    let body = |kinds: &[&str]| json!({ "id": 2, "sourceId": 1, "kinds": kinds });

    // Of one of the two schools.
    let narrow = operator_with(&server, "narrow", &[CODE, "adult:pc:grade:list", "adult:pc:grade:save"]).await;
    manage(&server, "narrow", &[2]).await;
    assert_eq!(narrow.get(&format!("{FOUNDATION}/view?id=2&sourceId=1")).await.code(), 404);
    assert_eq!(narrow.post(&format!("{FOUNDATION}/copy"), body(&["grade"])).await.code(), 404);

    // Who may see levels and not add them is told so, and sees none of them.
    let reader = operator_with(
        &server,
        "reader",
        &[CODE, "adult:pc:grade:list", "adult:pc:grade:save", "adult:pc:arrangement:list"],
    )
    .await;
    let views = view(&reader).await;
    assert_eq!(counts(&views, "grade"), (1, 0));
    let levels = of_kind(&views, "level");
    assert_eq!((&levels["refusal"], &levels["added"]), (&json!("没有为院校新增层次的权限"), &json!(0)));
    assert_eq!(of_kind(&views, "major")["refusal"], json!("没有查看来源院校学校专业的权限"));
    let refused = reader.post(&format!("{FOUNDATION}/copy"), body(&["grade", "level"])).await;
    assert_eq!(refused.refused(), (403, "没有为院校新增层次的权限"));
    assert_eq!(copied(&reader, &["grade"]).await["state"], json!("done"));

    // Nonsense is told at its field.
    let operator = server.operator().await;
    let same = json!({ "id": 2, "sourceId": 2, "kinds": ["grade"] });
    assert_eq!(operator.post(&format!("{FOUNDATION}/copy"), same).await.refused(), (422, "来源院校不能是本院校"));
    let odd = operator.post(&format!("{FOUNDATION}/copy"), body(&["student"])).await;
    assert_eq!(odd.refused(), (422, "没有“student”这种基础数据"));
}

/// A job is held to what its starter may do when it runs, which may be long after it was asked for.
#[tokio::test]
async fn who_lost_a_school_meanwhile_copies_nothing() {
    let server = Server::start().await;
    cohort(&registrar(&server, 1).await).await;
    let reader = operator_with(&server, "reader", &[CODE, "adult:pc:grade:list", "adult:pc:grade:save"]).await;
    assert_eq!(copied(&reader, &["grade"]).await["state"], json!("done"));
    // The same once more, into a school that has no grade, as it would have waited.
    let waited = async || {
        server.run("delete from school_2.grade").await;
        let id: i64 = server
            .one(
                r#"insert into platform.job (kind, target, title, params, started_by, actor_name, actor)
                   select kind, target, title, '{"schoolId": 2, "sourceId": 1, "kinds": ["grade"]}'::jsonb, started_by, actor_name, actor
                   from platform.job where kind = 'school.foundation' order by id limit 1 returning id"#,
            )
            .await;
        let job = ended(&reader, &json!(id)).await;
        (job["state"].clone(), job["message"].clone(), server.one::<i64>("select count(*) from school_2.grade").await)
    };
    let told = waited().await;
    assert_eq!((&told.0, told.2), (&json!("done"), 1), "{told:?}");
    server.run("update platform.school set archived_from = status, status = 'archived' where id = 2").await;
    assert_eq!(waited().await, (json!("failed"), json!("院校已归档，仅可查看"), 0));
    server.run("update platform.school set status = archived_from, archived_from = null where id = 2").await;
    manage(&server, "reader", &[2]).await;
    let told = waited().await;
    assert_eq!((&told.0, told.2), (&json!("failed"), 0), "{told:?}");
}

async fn set_capacity(client: &Client<'_>, value: Value) {
    let shown = client.get("/system/pc/sys/school/setting/view?group=teaching").await.data()["version"].clone();
    let capacity = json!({ "group": "teaching", "value": { "classCapacityDefault": value }, "version": shown });
    assert_eq!(client.put("/system/pc/sys/school/setting/edit", capacity).await.code(), 200);
}

#[tokio::test]
async fn a_school_that_went_back_to_the_default_stays_with_it() {
    let server = Server::start().await;
    let (from, into) = (registrar(&server, 1).await, registrar(&server, 2).await);
    set_capacity(&from, json!(45)).await;
    let operator = server.operator().await;
    assert_eq!(counts(&view(&operator).await, "setting").0, 1);
    set_capacity(&into, json!(50)).await;
    set_capacity(&into, Value::Null).await;
    assert_eq!(counts(&view(&operator).await, "setting").0, 0);
}

/// Whoever has a right inside a school for some sites alone neither carries away nor adds what is of the whole school.
#[tokio::test]
async fn a_right_for_some_sites_is_none() {
    let server = Server::start().await;
    let place = cohort(&registrar(&server, 1).await).await;
    let codes = ["adult:pc:grade:list", "adult:pc:grade:save"];
    for (name, from, into, refusal) in [
        ("reader", "named_sites", "whole_school", json!("没有查看来源院校年级的权限")),
        ("writer", "whole_school", "named_sites", json!("没有为院校新增年级的权限")),
        ("keeper", "whole_school", "whole_school", Value::Null),
    ] {
        let operator = operator_with(&server, name, &[CODE]).await;
        let sites = if from == "named_sites" { vec![place.site] } else { Vec::new() };
        let clerks = [server.account(1, &codes, from, &sites).await, server.account(2, &codes, into, &[]).await];
        // Inside, the operator is what these two are.
        let given = format!(
            "insert into platform.sys_user_role (user_id, role_id, school_id, created_by)
             select o.id, r.role_id, r.school_id, 0 from platform.sys_user o, platform.sys_user_role r
             join platform.sys_user u on u.id = r.user_id
             where o.login_name = '{name}' and u.login_name in ('{}', '{}')",
            clerks[0], clerks[1]
        );
        server.run(&given).await;
        assert_eq!(of_kind(&view(&operator).await, "grade")["refusal"], refusal, "{name}");
    }
}
