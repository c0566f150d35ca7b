//! 年度结转: what a year leaves to a later one, shown first and then made (beside part 03 A1 and A4).

use std::iter::once;

use kit::{
    Answer, Client, Server,
    cohort::{Cohort, cohort, registrar},
    fields,
};
use poem::http::Method;
use serde_json::{Value, json};

const ROLL_OVER: &str = "/adult/pc/grade/rollOver";
const CHANGED: &str = "年级、学期或班级已变化，请重新预览";

async fn semester(client: &Client<'_>, code: &str, starts_on: &str, ends_on: &str) {
    let body = json!({ "code": code, "startsOn": starts_on, "endsOn": ends_on });
    client.post("/adult/pc/semester/save", body).await.id();
}

/// 2026-1 from Monday 2 March, and 2026-2 from Monday 31 August.
async fn both_semesters(client: &Client<'_>) {
    semester(client, "2026-1", "2026-03-02", "2026-07-12").await;
    semester(client, "2026-2", "2026-08-31", "2027-01-10").await;
}

async fn class(client: &Client<'_>, p: &Cohort, code: &str, more: Value) -> i64 {
    let mut body =
        json!({ "code": code, "gradeId": p.grade, "levelId": p.level, "majorId": p.major, "siteId": p.site });
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    client.post("/adult/pc/class/save", body).await.id()
}

async fn other_site(client: &Client<'_>) -> i64 {
    client.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西", "kind": "headquarter" })).await.id()
}

async fn preview(client: &Client<'_>, wish: Value) -> Value {
    client.post(&format!("{ROLL_OVER}/preview"), wish).await.data().clone()
}

fn rows(rows: &Value) -> &[Value] {
    rows.as_array().expect("rows")
}

/// A plan as people read it: the grade, then the semesters, then the classes.
fn lines(plan: &Value) -> Vec<String> {
    let line = |row: &Value, of: &[&str]| {
        let texts = of.iter().map(|field| match &row[*field] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        });
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
    };
    once(line(&plan["grade"], &["state", "code", "name", "entryYear", "reason"]))
        .chain(
            rows(&plan["semesters"])
                .iter()
                .map(|row| line(row, &["state", "code", "name", "startsOn", "endsOn", "reason"])),
        )
        .chain(rows(&plan["classes"]).iter().map(|row| line(row, &["state", "code", "name", "capacity", "reason"])))
        .collect()
}

/// The numbers of the sources that have a successor.
fn new(of: &Value) -> Vec<Value> {
    rows(of).iter().filter(|row| row["state"] == json!("new")).map(|row| row["sourceId"].clone()).collect()
}

/// All of a plan that can be made, but for what is said otherwise.
fn order(plan: &Value, otherwise: Value) -> Value {
    let mut order = json!({
        "gradeId": plan["gradeId"], "year": plan["year"], "digest": plan["digest"],
        "grade": plan["grade"]["state"] == json!("new"),
        "semesterIds": new(&plan["semesters"]), "classIds": new(&plan["classes"]),
    });
    for (field, value) in otherwise.as_object().expect("fields") {
        order[field] = value.clone();
    }
    order
}

async fn carry_out(client: &Client<'_>, order: Value) -> Answer {
    client.post(&format!("{ROLL_OVER}/save"), order).await
}

/// How many grades, semesters and classes school 1 has.
async fn counts(server: &Server) -> [i64; 3] {
    let mut counts = [0; 3];
    for (count, table) in counts.iter_mut().zip(["grade", "semester", "class"]) {
        *count = server.one(&format!("select count(*) from school_1.{table}")).await;
    }
    counts
}

#[tokio::test]
async fn a_year_is_shown_and_then_made_as_it_was_shown() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    both_semesters(&admin).await;
    class(&admin, &p, "C1", json!({ "capacity": 45 })).await;
    class(&admin, &p, "C2", json!({})).await;

    // The grade that entered last, into the year after it.
    let plan = preview(&admin, json!({})).await;
    assert_eq!((&plan["gradeId"], &plan["year"], &plan["fromYear"]), (&json!(p.grade), &json!(2027), &json!(2026)));
    assert_eq!(
        lines(&plan),
        [
            "new 2027 2027级 2027",
            "new 2027-1 2027年春季学期 2027-03-01 2027-07-11",
            "new 2027-2 2027年秋季学期 2027-08-30 2028-01-09",
            "new 2027-KJ-CD-01 2027级专升本会计学城东1班 45",
            "new 2027-KJ-CD-02 2027级专升本会计学城东2班 50",
        ]
    );
    assert_eq!(counts(&server).await, [1, 2, 2]);

    let answer = carry_out(&admin, order(&plan, json!({}))).await;
    let grade = answer.id();
    assert_eq!(answer.data(), &json!({ "id": grade, "grades": 1, "semesters": 2, "classes": 2 }));
    assert_eq!(counts(&server).await, [2, 4, 4]);
    let seen = admin.get("/adult/pc/grade/view?code=2027").await.data().clone();
    assert_eq!(
        json!([seen["id"], seen["name"], seen["entryYear"], seen["entrySeason"], seen["classCount"]]),
        json!([grade, "2027级", 2027, "spring", 2])
    );
    let term = admin.get("/adult/pc/semester/view?code=2027-1").await.data().clone();
    assert_eq!(
        json!([term["startsOn"], term["endsOn"], term["weekCount"], term["current"]]),
        json!(["2027-03-01", "2027-07-11", 19, false])
    );
    let listed = admin.post("/adult/pc/class/list", json!({ "gradeId": grade })).await.data()["list"].clone();
    let classes: Vec<Value> = rows(&listed)
        .iter()
        .map(|row| json!([row["code"], row["name"], row["seq"], row["capacity"], row["managerId"]]))
        .collect();
    assert_eq!(
        json!(classes),
        json!([
            ["2027-KJ-CD-01", "2027级专升本会计学城东1班", 1, 45, null],
            ["2027-KJ-CD-02", "2027级专升本会计学城东2班", 2, 50, null],
        ])
    );
    let trail: String = server
        .one(&format!(
            "select string_agg(entity_type || ' ' || action, ', ' order by entity_type, action)
             from school_1.audit_log where trace_id = '{}'",
            answer.trace
        ))
        .await;
    assert_eq!(trail, "class insert, class insert, grade insert, grade rollOver, semester insert, semester insert");

    // The same again finds all of it there, and the next class gets the next number.
    let again = preview(&admin, json!({ "gradeId": p.grade, "year": 2027 })).await;
    assert!(lines(&again).iter().all(|line| line.starts_with("exists ")), "{again}");
    let nothing = carry_out(&admin, order(&again, json!({}))).await;
    assert_eq!(nothing.refused(), (422, "请至少勾选一项"));
    let next = class(&admin, &p, "C3", json!({ "gradeId": grade })).await;
    let next = admin.get(&format!("/adult/pc/class/view?id={next}")).await;
    assert_eq!(next.data()["name"], json!("2027级专升本会计学城东3班"));
}

#[tokio::test]
async fn what_is_there_is_left_and_what_cannot_be_is_told() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let major = json!({ "code": "SJ", "name": "审计学", "nationalMajorId": p.national, "levelId": p.level, "totalCredits": 92, "direction": "审计" });
    let major = admin.post("/adult/pc/major/save", major).await.id();
    let site = other_site(&admin).await;
    both_semesters(&admin).await;
    class(&admin, &p, "C1", json!({ "capacity": 45 })).await;
    let second = class(&admin, &p, "C2", json!({})).await;
    let third = class(&admin, &p, "C3", json!({})).await;
    class(&admin, &p, "C4", json!({ "siteId": site })).await;
    class(&admin, &p, "C5", json!({ "majorId": major })).await;
    admin.put("/adult/pc/class/update/status", json!({ "id": third, "enabled": false })).await.id();
    admin.put("/adult/pc/major/update/status", json!({ "id": major, "enabled": false })).await.id();
    let suspended = json!({ "id": site, "status": "suspended", "reason": "备案到期", "version": 1 });
    admin.put("/adult/pc/site/changeStatus", suspended).await.id();
    // What the next year has already.
    let grade = admin.post("/adult/pc/grade/save", json!({ "code": "2027", "name": "二七级" })).await.id();
    class(&admin, &p, "H1", json!({ "gradeId": grade, "capacity": 30 })).await;
    semester(&admin, "2027-1", "2027-03-08", "2027-07-18").await;
    semester(&admin, "2028-1", "2028-01-03", "2028-06-30").await;
    let before = counts(&server).await;

    let plan = preview(&admin, json!({ "gradeId": p.grade })).await;
    assert_eq!(
        lines(&plan),
        [
            "exists 2027 二七级 2027",
            "exists 2027-1 2027年春季学期 2027-03-08 2027-07-18",
            "blocked 2027-2 2027年秋季学期 2027-08-30 2028-01-09 与学期“2028年春季学期”的日期重叠",
            "exists H1 二七级专升本会计学城东1班 30",
            "new 2027-KJ-CD-02 二七级专升本会计学城东2班 50",
            "blocked 50 来源班级已停用",
            "blocked 50 站点“城西”已停招",
            "blocked 50 专业“审计学”已停用",
        ]
    );
    let refused = "只能勾选将新建的内容，请重新选择";
    for (field, value) in [
        ("grade", json!(true)),
        ("semesterIds", json!([plan["semesters"][1]["sourceId"]])),
        ("classIds", json!([second, third])),
    ] {
        let answer = carry_out(&admin, order(&plan, json!({ field: value }))).await;
        assert_eq!(fields(&answer), [format!("{field}: {refused}")]);
    }
    assert_eq!(counts(&server).await, before);
    let answer = carry_out(&admin, order(&plan, json!({}))).await;
    assert_eq!(answer.data(), &json!({ "id": grade, "grades": 0, "semesters": 0, "classes": 1 }));
    assert_eq!(counts(&server).await, [before[0], before[1], before[2] + 1]);

    // A grade that was switched off takes no classes.
    admin.put("/adult/pc/grade/update/status", json!({ "id": grade, "enabled": false })).await.id();
    class(&admin, &p, "C6", json!({})).await;
    let plan = preview(&admin, json!({ "gradeId": p.grade })).await;
    assert!(lines(&plan).contains(&"blocked 50 年级“二七级”已停用，请先启用".to_owned()), "{plan}");
}

#[tokio::test]
async fn source_and_year_must_make_sense() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let path = format!("{ROLL_OVER}/preview");
    assert_eq!(fields(&admin.post(&path, json!({})).await), ["gradeId: 还没有年级，请先新增年级"]);
    let p = cohort(&admin).await;
    let unknown = admin.post(&path, json!({ "gradeId": p.grade + 99 })).await;
    assert_eq!(fields(&unknown), ["gradeId: 所选年级不存在，请重新选择"]);
    let back = admin.post(&path, json!({ "gradeId": p.grade, "year": 2026 })).await;
    assert_eq!(fields(&back), ["year: 目标年份应晚于来源年级的入学年份2026"]);
    assert_eq!(fields(&admin.post(&path, json!({ "year": 2100 })).await), ["year: 目标年份取值应在1980到2099之间"]);

    // Several years on the weekdays still are the same; a class needs its grade.
    semester(&admin, "2026-1", "2026-03-02", "2026-07-12").await;
    class(&admin, &p, "C1", json!({})).await;
    let plan = preview(&admin, json!({ "gradeId": p.grade, "year": 2031 })).await;
    assert_eq!(lines(&plan)[1], "new 2031-1 2031年春季学期 2031-03-03 2031-07-13");
    let homeless = carry_out(&admin, order(&plan, json!({ "grade": false }))).await;
    assert_eq!(fields(&homeless), ["classIds: 班级须有年级，请同时勾选新建年级"]);
    let term = carry_out(&admin, order(&plan, json!({ "grade": false, "classIds": [] }))).await;
    assert_eq!(term.data(), &json!({ "id": p.grade, "grades": 0, "semesters": 1, "classes": 0 }));
}

#[tokio::test]
async fn a_plan_is_made_as_it_was_shown_or_not_at_all() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    both_semesters(&admin).await;
    let first = class(&admin, &p, "C1", json!({})).await;
    let plan = preview(&admin, json!({})).await;
    let body = json!({ "id": first, "version": 1, "code": "C1", "gradeId": p.grade, "levelId": p.level, "majorId": p.major, "siteId": p.site, "capacity": 40 });
    other.put("/adult/pc/class/edit", body).await.id();
    assert_eq!(carry_out(&admin, order(&plan, json!({}))).await.refused(), (409, CHANGED));
    assert_eq!(counts(&server).await, [1, 2, 1]);
    let plan = preview(&admin, json!({})).await;
    semester(&other, "2027-1", "2027-03-08", "2027-07-18").await;
    assert_eq!(carry_out(&admin, order(&plan, json!({}))).await.refused(), (409, CHANGED));
    let invented = carry_out(&admin, order(&plan, json!({ "digest": "0".repeat(64) }))).await;
    assert_eq!(invented.refused(), (409, CHANGED));

    // Of two who carry the same plan out at once, one does.
    let plan = preview(&admin, json!({})).await;
    let (a, b) = tokio::join!(carry_out(&admin, order(&plan, json!({}))), carry_out(&other, order(&plan, json!({}))));
    let (done, refused) = if a.code() == 200 { (a, b) } else { (b, a) };
    assert_eq!(done.data()["classes"], json!(1));
    assert_eq!(refused.refused(), (409, CHANGED));
    assert_eq!(counts(&server).await, [2, 4, 2]);
}

#[tokio::test]
async fn a_failure_on_the_way_leaves_nothing_behind() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    both_semesters(&admin).await;
    class(&admin, &p, "C1", json!({})).await;
    let plan = preview(&admin, json!({})).await;
    // Classes come last: grade and semesters are written by then.
    server.run("alter table school_1.class add constraint no_more check (code not like '2027-%')").await;
    let failed = carry_out(&admin, order(&plan, json!({}))).await;
    assert_eq!(failed.code(), 500, "{}", failed.body);
    assert_eq!(counts(&server).await, [1, 2, 1]);
    let left: i64 =
        server.one(&format!("select count(*) from school_1.audit_log where trace_id = '{}'", failed.trace)).await;
    assert_eq!(left, 0);
    let numbers: i64 =
        server.one(&format!("select count(*) from school_1.class_counter where grade_id <> {}", p.grade)).await;
    assert_eq!(numbers, 0);
    server.run("alter table school_1.class drop constraint no_more").await;
    assert_eq!(carry_out(&admin, order(&plan, json!({}))).await.data()["classes"], json!(1));
}

#[tokio::test]
async fn the_same_call_again_answers_the_same_and_makes_nothing() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    both_semesters(&admin).await;
    class(&admin, &p, "C1", json!({})).await;
    let plan = preview(&admin, json!({})).await;
    let (path, key) = (format!("{ROLL_OVER}/save"), ("Idempotency-Key", "roll-over-1"));
    let wanted = order(&plan, json!({}));
    let first = admin.with_header(Method::POST, &path, key, &wanted).await;
    let again = admin.with_header(Method::POST, &path, key, &wanted).await;
    assert_eq!(again.data(), first.data());
    assert_eq!(first.data()["semesters"], json!(2));
    assert_eq!(counts(&server).await, [2, 4, 2]);
    let other = order(&plan, json!({ "semesterIds": [] }));
    let taken = admin.with_header(Method::POST, &path, key, &other).await;
    assert_eq!(taken.refused(), (409, "请求编号已被使用"));
}

/// Grades and semesters are the whole school's; classes are made at the sites of the scope alone.
#[tokio::test]
async fn somebody_of_a_site_rolls_over_its_classes_alone() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let site = other_site(&admin).await;
    let here = class(&admin, &p, "C1", json!({})).await;
    class(&admin, &p, "C2", json!({ "siteId": site })).await;
    let codes = ["adult:pc:grade:rollOver"];
    let narrow = server.staff_within(1, &codes, "named_sites", &[site]).await;
    let plan = preview(&narrow, json!({})).await;
    assert_eq!(lines(&plan), ["new 2027 2027级 2027", "new 2027-KJ-CX-01 2027级专升本会计学城西1班 50"]);
    // A class of another site is no row of their plan.
    let strayed = carry_out(&narrow, order(&plan, json!({ "classIds": [here] }))).await;
    assert_eq!(fields(&strayed), ["classIds: 只能勾选将新建的内容，请重新选择"]);
    // Nor is the plan of somebody else theirs.
    let whole = preview(&admin, json!({})).await;
    assert_eq!(carry_out(&narrow, order(&whole, json!({}))).await.refused(), (409, CHANGED));
    assert_eq!(carry_out(&narrow, order(&plan, json!({}))).await.data()["classes"], json!(1));
    let sites: Vec<i64> = server
        .one("select array_agg(c.site_id) from school_1.class c join school_1.grade g on g.id = c.grade_id where g.code = '2027'")
        .await;
    assert_eq!(sites, [site]);
    // A class is made at a site: whoever is limited to classes makes none.
    let keeper = server.staff_within(1, &codes, "named_classes", &[here]).await;
    assert_eq!(preview(&keeper, json!({ "gradeId": p.grade })).await["classes"], json!([]));
}

/// It makes classes, which operators only look at from outside (part 03 A4).
#[tokio::test]
async fn a_school_rolls_over_by_itself() {
    let server = Server::start().await;
    let operator = server.operator().await;
    for call in ["preview", "save"] {
        let refused = operator.post(&format!("{ROLL_OVER}/{call}"), json!({})).await;
        assert_eq!(refused.refused(), (403, "当前身份与所选区域不一致，请重新进入"), "{call}");
    }
}

#[tokio::test]
async fn roles_that_keep_the_calendar_may_roll_it_over() {
    let server = Server::start().await;
    let holding = async |code: &str| -> Vec<String> {
        server
            .one(&format!(
                "select array_agg(distinct r.seed_key order by r.seed_key)
                 from platform.sys_role r
                 join platform.sys_role_permission rp on rp.role_id = r.id
                 join platform.sys_permission p on p.id = rp.permission_id
                 where p.permission_code = '{code}' and r.seed_key is not null"
            ))
            .await
    };
    let may = holding("adult:pc:grade:rollOver").await;
    assert_eq!(may, holding("adult:pc:grade:save").await);
    assert!(may.contains(&"teaching_clerk".to_owned()) && !may.contains(&"site_admin".to_owned()), "{may:?}");
}
