//! People who want to study, until the province admits them (part 02 §0.2–0.3, §1, §3).

use kit::{
    Answer, Client, Server,
    cohort::{cohort, registrar},
    enrolment::save_batch,
    fields,
    files::paper,
    imports::{newest, taken_back},
    jobs::ended,
    pre_registrations::{BATCH, PRE, batch, person},
    sheets::{XLSX, row_errors, sheet, texts},
    students::{id_number, student},
};
use poem::http::Method;
use serde_json::{Value, json};

const ATTRIBUTE: &str = "/adult/pc/fieldAttribute";

fn with(mut body: Value, changes: Value) -> Value {
    for (field, value) in changes.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

async fn save(client: &Client<'_>, body: Value) -> i64 {
    client.post(&format!("{PRE}/save"), body).await.id()
}

async fn seen(client: &Client<'_>, id: i64) -> Value {
    client.get(&format!("{PRE}/view?id={id}")).await.data().clone()
}

/// §0.2 under two clerks at once: what each would find only after the other has committed is found all the same.
#[tokio::test]
async fn nobody_comes_in_twice_through_two_doors_at_the_same_moment() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let (first, second) = (batch(&admin, &p, "2026A", true).await, batch(&admin, &p, "2026B", true).await);
    let path = format!("{PRE}/save");
    for n in 1..=12 {
        let (a, b) = tokio::join!(admin.post(&path, person(&p, first, n)), other.post(&path, person(&p, second, n)));
        let mut codes = [a.code(), b.code()];
        codes.sort_unstable();
        assert_eq!(codes, [200, 422], "two batches: {} {}", a.body, b.body);
        let refused = if a.code() == 422 { a } else { b };
        assert!(fields(&refused)[0].contains("已在批次"), "{}", refused.body);
    }
    // A student whose row is written and not yet committed keeps the same person out.
    let mut owner = server.owner().await;
    let mut held = sqlx::Connection::begin(&mut owner).await.expect("a transaction");
    sqlx::Executor::execute(&mut *held, "lock table school_1.client_account in exclusive mode").await.expect("a lock");
    let waiting = |what: &str| {
        format!(
            "select exists (select from pg_locks l join pg_database d on d.oid = l.database
                            where d.datname = current_database() and not l.granted and {what})"
        )
    };
    let (student, refused, ()) = tokio::join!(
        admin.post("/adult/pc/studentRoll/save", student(&p, 21)),
        async {
            server.wait_until(&waiting("l.relation = 'school_1.client_account'::regclass")).await;
            other.post(&path, person(&p, first, 21)).await
        },
        async {
            server.wait_until(&waiting("l.locktype = 'advisory'")).await;
            held.commit().await.expect("the lock goes");
        }
    );
    assert_eq!(student.code(), 200, "{}", student.body);
    assert_eq!(fields(&refused), ["idCardNo: 该人员为在籍学生（2600000021），不能预报名"]);
}

/// The body of 编辑 with what was read.
async fn edit(client: &Client<'_>, id: i64, changes: Value) -> Value {
    let view = seen(client, id).await;
    let mut body = json!({ "id": id, "version": view["version"] });
    for field in [
        "name",
        "gender",
        "birthday",
        "idCardType",
        "idCardNo",
        "phone",
        "levelId",
        "majorId",
        "siteId",
        "email",
        "address",
        "preEduLevel",
        "provincialRegNo",
        "examineeNo",
        "photo",
        "extra",
    ] {
        body[field] = view[field].clone();
    }
    let papers = view["attachments"].as_array().expect("papers").iter();
    body["attachments"] = papers.map(|paper| json!({ "kind": paper["kind"], "key": paper["key"] })).collect();
    with(body, changes)
}

async fn step(client: &Client<'_>, call: &str, id: i64, more: Value) -> Answer {
    let version = seen(client, id).await["version"].clone();
    client.post(&format!("{PRE}/{call}"), with(json!({ "id": id, "version": version }), more)).await
}

/// Acceptance 1.
#[tokio::test]
async fn one_of_two_who_enter_a_person_at_once_is_refused() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", true).await;
    let path = format!("{PRE}/save");
    let (a, b) = tokio::join!(admin.post(&path, person(&p, batch, 1)), other.post(&path, person(&p, batch, 1)));
    let refused = if a.code() == 200 { b } else { a };
    assert_eq!(refused.code(), 422, "{}", refused.body);
    assert_eq!(refused.body["data"][0]["field"], json!("idCardNo"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.pre_registration").await, 1);
    // Later the answer names site and time; another open batch is known too.
    let again = fields(&admin.post(&path, person(&p, batch, 1)).await);
    assert!(again[0].starts_with("idCardNo: 该证件号在本批次已有预报名（城东教学点，20"), "{again:?}");
    let second = self::batch(&admin, &p, "2026B", true).await;
    let elsewhere = admin.post(&path, person(&p, second, 1)).await;
    assert_eq!(fields(&elsewhere), ["idCardNo: 该证件号已在批次“批次2026A”预报名"]);
    // The phone of somebody else of the batch is marked and refuses nobody; another batch does not look at it.
    for (n, batch, marked) in [(2, batch, true), (3, second, false)] {
        let id = save(&admin, with(person(&p, batch, n), json!({ "phone": "15400000001" }))).await;
        assert_eq!(seen(&admin, id).await["phoneDuplicate"], json!(marked), "person {n}");
    }
}

/// Acceptance 2.
#[tokio::test]
async fn a_student_who_graduates_before_the_grade_enters_may_come_again() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", true).await;
    for n in [1, 2] {
        assert_eq!(admin.post("/adult/pc/studentRoll/save", student(&p, n)).await.code(), 200);
    }
    server.run("update school_1.student set enrolled_on = '2023-03-01', expected_graduation_on = '2026-07-10' where student_no = '2600000001'").await;
    server.run("update school_1.student set enrolled_on = '2023-03-01', expected_graduation_on = '2026-01-10' where student_no = '2600000002'").await;
    let refused = admin.post(&format!("{PRE}/save"), person(&p, batch, 1)).await;
    assert_eq!(fields(&refused), ["idCardNo: 该人员为在籍学生（2600000001），不能预报名"]);
    let id = save(&admin, person(&p, batch, 2)).await;
    assert_eq!(seen(&admin, id).await["dupStudent"], json!(true));
}

#[tokio::test]
async fn what_is_wrong_with_a_person_is_told_at_its_field() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", true).await;
    let cases = [
        (json!({ "name": "李3" }), "name: 姓名应为2至40个汉字或字母"),
        (json!({ "idCardNo": "110105194912310021" }), "idCardNo: 身份证号校验位错误，应为X"),
        (json!({ "idCardNo": "11010519491231002X", "gender": "male" }), "gender: 性别与身份证号不符"),
        (json!({ "idCardType": "passport", "idCardNo": "E12345678" }), "gender: 请选择性别"),
        (json!({ "levelId": p.level + 500 }), "levelId: 批次“批次2026A”不招收该层次"),
        (json!({ "preEduLevel": "senior_high" }), "preEduLevel: 专升本的入学前学历应为专科或本科"),
        (json!({ "ethnicity": "99" }), "ethnicity: 民族取值无效，请重新选择"),
        (json!({ "siteId": p.site + 500 }), "siteId: 所选站点不存在，请重新选择"),
        (json!({ "phone": "154****0001" }), "phone: 手机不完整，请填写完整内容"),
        (json!({ "extra": { "x_size": "42" } }), "x_size: 没有该字段或已停用，请刷新后重新填写"),
        (
            json!({ "photo": "private/s1/202611/0123456789abcdefghijklmnopqrstuv.png" }),
            "photo: 文件不存在或未上传完成，请重新上传",
        ),
    ];
    for (change, told) in cases {
        let refused = admin.post(&format!("{PRE}/save"), with(person(&p, batch, 1), change)).await;
        let told_there = fields(&refused);
        assert!(told_there.contains(&told.to_owned()), "{told}: {told_there:?}");
    }
    assert_eq!(server.one::<i64>("select count(*) from school_1.pre_registration").await, 0);
    // A second site is offered for the major only when it is named.
    let site = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let other = admin.post("/adult/pc/site/save", site).await.id();
    let offer = json!({ "id": batch, "version": 2, "majors": [{ "majorId": p.major, "siteIds": [p.site] }] });
    assert_eq!(admin.put(&format!("{BATCH}/majors"), offer).await.code(), 200);
    let refused = admin.post(&format!("{PRE}/save"), with(person(&p, batch, 1), json!({ "siteId": other }))).await;
    assert_eq!(fields(&refused), ["siteId: 站点“城西教学点”在本批次不招收“会计学”"]);
    let shown = admin.get(&format!("{PRE}/offer?batchId={batch}")).await.data().clone();
    assert_eq!((&shown["majors"][0]["siteIds"], shown["sites"].as_array().map(Vec::len)), (&json!([p.site]), Some(2)));
}

/// §1 acceptance 2 and 3: a field of the school's own, required later, then switched off.
#[tokio::test]
async fn a_field_of_the_schools_own_is_asked_for_where_it_is_enabled() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", true).await;
    let id = save(&admin, person(&p, batch, 1)).await;
    let field = json!({
        "stage": "pre_registration", "fieldKey": "x_referrer", "label": "介绍单位", "groupName": "other", "control": "text",
        "required": true, "maxLength": 10, "sort": 900,
    });
    let attribute = admin.post(&format!("{ATTRIBUTE}/save"), field).await.id();
    assert_eq!(admin.post(&format!("{PRE}/list"), json!({})).await.data()["totalCount"], json!(1));
    let refused = admin.put(&format!("{PRE}/edit"), edit(&admin, id, json!({ "address": "人民路1号" })).await).await;
    assert_eq!(fields(&refused), ["x_referrer: 介绍单位不能为空"]);
    let approved = step(&admin, "audit", id, json!({ "result": "pass" })).await;
    assert_eq!(approved.refused(), (409, "资料不完整：介绍单位"));
    let long = edit(&admin, id, json!({ "extra": { "x_referrer": "一二三四五六七八九十十一" } })).await;
    assert_eq!(fields(&admin.put(&format!("{PRE}/edit"), long).await), ["x_referrer: 不能超过10个字符"]);
    let filled = edit(&admin, id, json!({ "extra": { "x_referrer": "市总工会" } })).await;
    assert_eq!(admin.put(&format!("{PRE}/edit"), filled).await.code(), 200);
    assert_eq!(seen(&admin, id).await["extra"], json!({ "x_referrer": "市总工会" }));
    let template = texts(&admin.get(&format!("{PRE}/import/template?batchId={batch}")).await.bytes);
    assert!(template[0].contains(&"*介绍单位".to_owned()), "{template:?}");
    let row: Vec<String> =
        ["王芳", &id_number(2), "15400000002", "专升本", "KJ", "CD", ""].map(ToOwned::to_owned).to_vec();
    let headings = ["姓名", "证件号", "手机", "层次", "专业", "站点", "介绍单位"];
    let answer = import(&admin, batch, &headings, std::slice::from_ref(&row)).await;
    assert_eq!(row_errors(answer.data()), ["2 介绍单位: 不能为空"]);
    let row = [&row[..6], &["区工会".to_owned()]].concat();
    assert_eq!(import(&admin, batch, &headings, &[row]).await.data()["imported"], json!(1));

    let in_use = admin.delete(&format!("{ATTRIBUTE}/delete?id={attribute}")).await;
    assert_eq!(in_use.refused(), (409, "已有2条数据使用该字段，请停用"));
    let off = json!({ "id": attribute, "enabled": false });
    assert_eq!(admin.put(&format!("{ATTRIBUTE}/update/status"), off).await.code(), 200);
    let template = texts(&admin.get(&format!("{PRE}/import/template?batchId={batch}")).await.bytes);
    assert!(!template[0].iter().any(|heading| heading.contains("介绍单位")), "{template:?}");
    // What stands there is kept, and not asked for.
    let stays = edit(&admin, id, json!({ "extra": {}, "address": "人民路1号" })).await;
    assert_eq!(admin.put(&format!("{PRE}/edit"), stays).await.code(), 200);
    assert_eq!(seen(&admin, id).await["extra"], json!({ "x_referrer": "市总工会" }));
}

/// Acceptance 5 and 6.
#[tokio::test]
async fn people_are_audited_one_by_one_and_together() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", true).await;
    let headings = ["姓名", "证件号", "手机", "层次", "专业", "站点", "通讯地址"];
    let rows: Vec<Vec<String>> = (0..200)
        .map(|n| {
            let address = if n % 67 == 5 { "" } else { "人民路1号" };
            [&format!("李{}", han(n)), &id_number(n), &format!("154{n:08}"), "专升本", "KJ", "CD", address]
                .map(ToString::to_string)
                .to_vec()
        })
        .collect();
    assert_eq!(import(&admin, batch, &headings, &rows).await.data()["imported"], json!(200));
    let field = json!({ "stage": "pre_registration", "pageSize": 100 });
    let listed = admin.post(&format!("{ATTRIBUTE}/list"), field).await.data()["list"].clone();
    let address =
        listed.as_array().expect("fields").iter().find(|row| row["fieldKey"] == json!("address")).expect("address");
    let form = with(address.clone(), json!({ "required": true }));
    let required = json!({
        "id": form["id"], "version": form["version"], "label": form["label"],
        "groupName": form["groupName"], "control": form["control"], "required": true, "maxLength": form["maxLength"],
    });
    let saved = admin.put(&format!("{ATTRIBUTE}/edit"), required).await;
    assert_eq!(saved.code(), 200, "{}", saved.body);
    let mut items = Vec::new();
    for page in 1..=2 {
        let list = admin.post(&format!("{PRE}/list"), json!({ "pageCurrent": page, "pageSize": 100 })).await;
        items.extend(
            list.data()["list"]
                .as_array()
                .expect("rows")
                .iter()
                .map(|row| json!({ "id": row["id"], "version": row["version"] })),
        );
    }
    let answer = admin.post(&format!("{PRE}/batchReview"), json!({ "items": items, "result": "pass" })).await;
    assert_eq!(
        (&answer.data()["done"], answer.data()["failed"].as_array().map(Vec::len)),
        (&json!(197), Some(3)),
        "{}",
        answer.body
    );
    assert_eq!(answer.data()["failed"][0]["msg"], json!("资料不完整：通讯地址"));
    let told: i64 =
        server.one("select count(*) from school_1.event_outbox where name = 'pre_registration_approved'").await;
    assert_eq!(told, 197, "everybody who was approved is told");

    let id = answer.data()["failed"][0]["id"].as_i64().expect("an id");
    let stale = seen(&admin, id).await["version"].clone();
    let other = registrar(&server).await;
    let filled = edit(&other, id, json!({ "address": "解放路2号" })).await;
    assert_eq!(other.put(&format!("{PRE}/edit"), filled).await.code(), 200);
    let late = admin.post(&format!("{PRE}/audit"), json!({ "id": id, "version": stale, "result": "pass" })).await;
    assert!(late.code() == 409 && late.msg().contains("请刷新后重试"), "{}", late.body);

    let bare = step(&admin, "audit", id, json!({ "result": "return" })).await;
    assert_eq!(fields(&bare), ["remark: 请填写原因"]);
    let returned = step(&admin, "audit", id, json!({ "result": "return", "remark": "照片不清晰" })).await;
    assert_eq!(returned.code(), 200);
    let view = seen(&admin, id).await;
    assert_eq!((&view["status"], &view["auditRemark"]), (&json!("returned"), &json!("照片不清晰")));
    assert!(view["auditor"].is_string() && view["auditedAt"].is_string(), "{view}");
    assert_eq!(step(&admin, "audit", id, json!({ "result": "reject", "remark": "不符合条件" })).await.code(), 200);
    let refused = admin.put(&format!("{PRE}/edit"), edit(&admin, id, json!({})).await).await;
    assert_eq!(refused.refused(), (409, "不通过的预报名不能修改，请先恢复待审"));
    assert_eq!(step(&admin, "reopen", id, json!({})).await.code(), 200);
    let version = seen(&admin, id).await["version"].clone();
    let cancelled =
        admin.put(&format!("{PRE}/cancel"), json!({ "id": id, "version": version, "remark": "本人放弃" })).await;
    assert_eq!(cancelled.code(), 200);
    // While the row was over, the person entered anew elsewhere.
    assert_eq!(step(&admin, "reopen", id, json!({})).await.code(), 200);
    assert_eq!(seen(&admin, id).await["status"], json!("pending"));
    let funnel = admin.get(&format!("{PRE}/funnel?batchId={batch}")).await.data().clone();
    assert_eq!(
        funnel["all"],
        json!({
            "total": 200, "approved": 197, "registered": 0, "admitted": 0, "admissionRate": null, "reported": 0,
            "reportRate": null,
        })
    );
}

/// A Chinese character for a number, so that names are told apart.
fn han(n: usize) -> char {
    char::from_u32(0x4e00 + u32::try_from(n).expect("small")).expect("a character")
}

async fn import(client: &Client<'_>, batch: i64, headings: &[&str], rows: &[Vec<String>]) -> Answer {
    send(client, Method::POST, "import", batch, headings, rows).await
}

async fn send(
    client: &Client<'_>,
    method: Method,
    call: &str,
    batch: i64,
    headings: &[&str],
    rows: &[Vec<String>],
) -> Answer {
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let file = sheet(headings, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let texts = [("batchId", batch.to_string())];
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    client.send_file(method, &format!("{PRE}/{call}"), &texts, ("file", "a.xlsx", XLSX), &file).await
}

/// Acceptance 3 and 4.
#[tokio::test]
async fn ten_thousand_people_are_imported_all_or_none() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", true).await;
    let headings = ["姓名", "证件号", "手机", "层次", "专业", "站点", "科类", "入学前学历"];
    let row = |n: usize| {
        ["李秀英", &id_number(n), &format!("154{n:08}"), "ZSB", "会计学", "城东教学点", "理工类", "专科"]
            .map(ToOwned::to_owned)
            .to_vec()
    };
    let mut rows: Vec<Vec<String>> = (0..10_000).map(row).collect();
    let right = std::mem::replace(&mut rows[6_316][1], "110105194912310021".to_owned());
    let started = import(&admin, batch, &headings, &rows).await;
    let job = ended(&admin, &started.data()["jobId"]).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("共10000行，1行有误，未导入任何数据")));
    assert_eq!(row_errors(&job), ["6318 证件号: 身份证号校验位错误，应为X"]);
    let stored = "select count(*) from school_1.pre_registration";
    assert_eq!(server.one::<i64>(stored).await, 0);
    rows[6_316][1] = right;
    let started = import(&admin, batch, &headings, &rows).await;
    let job = ended(&admin, &started.data()["jobId"]).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("共10000行，已导入10000行")));
    assert_eq!(server.one::<i64>(stored).await, 10_000);
    let kept: String = server
        .one("select string_agg(distinct source || status || exam_category || study_form, ' ') from school_1.pre_registration")
        .await;
    assert_eq!(kept, "importpendingengineeringnon_full_time");

    let second = self::batch(&admin, &p, "2026B", false).await;
    server.run("update school_1.pre_registration_batch set enabled = false where code = '2026A'").await;
    let mut few: Vec<Vec<String>> = (20_000..20_100).map(row).collect();
    few[88][1] = few[10][1].clone();
    few[5][4] = "不存在".to_owned();
    let answer = import(&admin, second, &headings, &few).await;
    assert_eq!(
        row_errors(answer.data()),
        ["7 专业: “不存在”不存在或不在本批次招收范围内", "90 证件号: 与第12行证件号重复"]
    );
    // The batch is switched off: staff go on until the grade is (§2).
    let one = vec![row(30_000)];
    assert_eq!(import(&admin, batch, &headings, &one).await.data()["imported"], json!(1));
    server.run("update school_1.grade set enabled = false").await;
    let closed = "年级“2026级”已停用，不能再报名";
    assert_eq!(import(&admin, batch, &headings, &[row(30_001)]).await.msg(), closed);
}

/// 标记未录取: of those whom the province knew, when the recruitment of their grade is over.
async fn misses(server: &Server, admin: &Client<'_>, batch: i64, p: &kit::cohort::Cohort, ids: &[i64]) {
    let unknown = save(admin, person(p, batch, 8)).await;
    let items = async || {
        let mut items = Vec::new();
        for id in [ids[0], ids[1], unknown] {
            items.push(json!({ "id": id, "version": seen(admin, id).await["version"] }));
        }
        json!({ "items": items })
    };
    let early = admin.post(&format!("{PRE}/notAdmitted"), items().await).await.data().clone();
    assert_eq!(early["done"], json!(0), "{early}");
    assert_eq!(early["failed"][0]["msg"], json!("该年级的招生批次尚未结束，不能标记未录取"));
    let recruitment = save_batch(admin, p, "ZS").await;
    for status in ["open", "closed"] {
        server.run(&format!("update school_1.enrollment_batch set status = '{status}' where id = {recruitment}")).await;
        if status == "open" {
            assert_eq!(admin.post(&format!("{PRE}/notAdmitted"), items().await).await.data()["done"], json!(0));
        }
    }
    server.run(&format!("update school_1.pre_registration set exam_status = 'admitted' where id = {}", ids[1])).await;
    let marked = admin.post(&format!("{PRE}/notAdmitted"), items().await).await.data().clone();
    let told: Vec<&Value> = marked["failed"].as_array().expect("failures").iter().map(|row| &row["msg"]).collect();
    assert_eq!(marked["done"], json!(1), "{marked}");
    assert_eq!(told, ["该人员已录取，不能标记未录取", "尚未网报，不能标记未录取"]);
    let list = admin.post(&format!("{PRE}/list"), json!({ "examStatus": "not_admitted" })).await.data().clone();
    assert_eq!((&list["totalCount"], &list["list"][0]["id"]), (&json!(1), &json!(ids[0])));
    server
        .run(&format!(
            "update school_1.pre_registration set exam_status = 'registered' where id in ({}, {})",
            ids[0], ids[1]
        ))
        .await;
    server.run(&format!("delete from school_1.pre_registration where id = {unknown}")).await;
}

/// A sheet has no files: whoever comes in by one waits for theirs, and is not approved before (§1).
#[tokio::test]
async fn who_lacks_a_required_photo_is_imported_and_not_approved() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", false).await;
    server.run("update school_1.field_attribute set required = true where field_key = 'photo'").await;
    let refused = admin.post(&format!("{PRE}/save"), person(&p, batch, 1)).await;
    assert_eq!(fields(&refused), ["photo: 照片不能为空"]);
    let row: Vec<String> = ["王芳", &id_number(2), "15400000002", "专升本", "KJ", "CD"].map(ToOwned::to_owned).to_vec();
    let answer = import(&admin, batch, &["姓名", "证件号", "手机", "层次", "专业", "站点"], &[row]).await;
    assert_eq!(answer.data()["imported"], json!(1), "{}", answer.body);
    let entered = admin.post(&format!("{PRE}/list"), json!({})).await.data()["list"][0].clone();
    let id = entered["id"].as_i64().expect("an id");
    assert_eq!(entered["status"], json!("pending"), "without an audit too");
    assert_eq!(step(&admin, "audit", id, json!({ "result": "pass" })).await.refused(), (409, "资料不完整：照片"));
    let filled = edit(&admin, id, json!({ "photo": paper(&admin, "照片.pdf").await })).await;
    assert_eq!(admin.put(&format!("{PRE}/edit"), filled).await.code(), 200);
    assert_eq!(step(&admin, "audit", id, json!({ "result": "pass" })).await.code(), 200);
}

/// §1: what is asked for no more is kept as it was, whatever a client sends.
#[tokio::test]
async fn a_disabled_field_is_not_written() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", true).await;
    let kept = json!({ "workUnit": "市机械厂", "referrer": "张主任", "preEduLevel": "associate" });
    let id = save(&admin, with(person(&p, batch, 1), kept)).await;
    server
        .run("update school_1.field_attribute set enabled = false where field_key in ('workUnit', 'preEduLevel')")
        .await;
    let mut body = edit(&admin, id, json!({ "referrer": "李主任" })).await;
    for gone in ["workUnit", "preEduLevel"] {
        body.as_object_mut().expect("fields").remove(gone);
    }
    assert_eq!(admin.put(&format!("{PRE}/edit"), body).await.code(), 200);
    let after = seen(&admin, id).await;
    assert_eq!(
        (&after["workUnit"], &after["preEduLevel"], &after["referrer"]),
        (&json!("市机械厂"), &json!("associate"), &json!("李主任"))
    );
    let body = edit(&admin, id, json!({ "workUnit": "另一单位" })).await;
    assert_eq!(admin.put(&format!("{PRE}/edit"), body).await.code(), 200);
    assert_eq!(seen(&admin, id).await["workUnit"], json!("市机械厂"));
}

/// Acceptance 9.
#[tokio::test]
async fn numbers_of_the_province_come_by_sheet() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", false).await;
    let mut ids = Vec::new();
    for (n, name) in [(1, "李秀英"), (2, "王芳"), (3, "张敏")] {
        ids.push(save(&admin, with(person(&p, batch, n), json!({ "name": name }))).await);
    }
    let headings = ["证件号", "姓名", "网报号", "考生号"];
    let row =
        |n: usize, name: &str, reg: &str, no: &str| [&id_number(n), name, reg, no].map(ToOwned::to_owned).to_vec();
    let numbers = |rows: Vec<Vec<String>>| {
        let admin = &admin;
        async move { send(admin, Method::PUT, "examineeNo/import", batch, &headings, &rows).await }
    };
    let wrong = numbers(vec![
        row(1, "李秀兰", "", "26420101150001"),
        row(2, "王芳", "", "26420101150002"),
        row(3, "张敏", "", "26420101150002"),
        row(9, "无名", "", "26420101150009"),
    ])
    .await;
    let told = [
        "2 姓名: 姓名与预报名不一致（李秀英）",
        "4 考生号: 考生号已被王芳使用",
        "5 证件号: 本批次没有该证件号的预报名",
    ];
    assert_eq!(row_errors(wrong.data()), told);
    let good = numbers(vec![row(1, "李秀英", "W0001", "26420101150001"), row(2, "王芳", "", "26420101150002")]).await;
    assert_eq!(good.data()["imported"], json!(2), "{}", good.body);
    let view = seen(&admin, ids[0]).await;
    assert_eq!(
        (&view["provincialRegNo"], &view["examineeNo"], &view["examStatus"]),
        (&json!("W0001"), &json!("26420101150001"), &json!("registered"))
    );
    let taken = numbers(vec![row(3, "张敏", "", "26420101150001")]).await;
    assert_eq!(row_errors(taken.data()), ["2 考生号: 考生号已被李秀英使用"]);
    // From then on the province knows who the person is.
    let renamed = edit(&admin, ids[0], json!({ "name": "李秀莲" })).await;
    let refused = admin.put(&format!("{PRE}/edit"), renamed).await;
    assert_eq!(refused.refused(), (409, "该人员已网报，姓名、性别、出生日期和证件不能修改"));
    let back = step(&admin, "reopen", ids[0], json!({})).await;
    assert_eq!(back.refused(), (409, "已网报，不能撤销审核"));
    let typed = edit(&admin, ids[2], json!({ "examineeNo": "26420101150002" })).await;
    let refused = admin.put(&format!("{PRE}/edit"), typed).await;
    assert_eq!(fields(&refused), ["examineeNo: 考生号已被本批次其他人使用"]);
    let typed = edit(&admin, ids[2], json!({ "provincialRegNo": "W0003" })).await;
    assert_eq!(admin.put(&format!("{PRE}/edit"), typed).await.code(), 200);
    misses(&server, &admin, batch, &p, &ids).await;
    assert_eq!(seen(&admin, ids[2]).await["examStatus"], json!("registered"));
    for (keyword, found) in [("W0001", 1), ("2642", 2), ("15400000003", 1), ("敏", 1), ("lxy", 1)] {
        let list = admin.post(&format!("{PRE}/list"), json!({ "keyword": keyword })).await;
        assert_eq!(list.data()["totalCount"], json!(found), "{keyword}");
    }
}

/// Acceptance 7.
#[tokio::test]
async fn the_staff_of_a_site_see_their_own_people_only() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let site = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let other = admin.post("/adult/pc/site/save", site).await.id();
    let batch = batch(&admin, &p, "2026A", true).await;
    let own = save(&admin, with(person(&p, batch, 1), json!({ "siteId": other }))).await;
    let foreign = save(&admin, with(person(&p, batch, 2), json!({ "name": "王芳" }))).await;
    let codes = ["list", "view", "export", "edit", "save", "audit", "batchReview", "batchDel"]
        .map(|action| format!("adult:pc:preRegistration:{action}"));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let staff = server.staff_within(1, &codes, "named_sites", &[other]).await;
    assert_eq!(staff.get(&format!("{PRE}/view?id={own}")).await.code(), 200);
    let paper = staff.get(&format!("{PRE}/print?id={own}")).await.data().clone();
    assert_eq!((&paper["schoolName"], &paper["id"]), (&json!("东湖示范学院"), &json!(own)));
    assert!(paper["idCardNo"].as_str().is_some_and(|no| no.contains('*')), "{paper}");
    assert_eq!(staff.get(&format!("{PRE}/print?id={foreign}")).await.code(), 404);
    assert_eq!(staff.get(&format!("{PRE}/view?id={foreign}")).await.code(), 404);
    let list = staff.post(&format!("{PRE}/list"), json!({})).await;
    assert_eq!((&list.data()["totalCount"], &list.data()["list"][0]["id"]), (&json!(1), &json!(own)));
    let rows = texts(&staff.post(&format!("{PRE}/export"), json!({})).await.bytes);
    assert!(rows.len() == 2 && rows[1].contains(&"城西教学点".to_owned()), "{rows:?}");
    assert!(rows[1].iter().any(|cell| cell.contains('*')), "numbers are masked: {rows:?}");
    let failed = staff.post(&format!("{PRE}/batchDel"), json!({ "ids": [foreign, own] })).await;
    assert_eq!(
        (&failed.data()["done"], &failed.data()["failed"][0]["name"]),
        (&json!(1), &json!("")),
        "{}",
        failed.body
    );
    let abroad = staff.post(&format!("{PRE}/save"), person(&p, batch, 3)).await;
    assert_eq!(fields(&abroad), ["siteId: 无权操作该数据"]);
    assert_eq!(staff.get(&format!("{PRE}/funnel")).await.data()["all"]["total"], json!(0));
    assert_eq!(
        staff.get(&format!("{PRE}/offer?batchId={batch}")).await.data()["sites"].as_array().map(Vec::len),
        Some(1)
    );
    // Whose data are classes has nothing to do with recruitment (02 §0.6).
    let of_classes = server.staff_within(1, &codes, "named_classes", &[1]).await;
    assert_eq!(of_classes.post(&format!("{PRE}/list"), json!({})).await.data()["totalCount"], json!(0));
    assert_eq!(of_classes.get(&format!("{PRE}/view?id={foreign}")).await.code(), 404);
    // 调整站点 by the school.
    let version = seen(&admin, foreign).await["version"].clone();
    let moved = json!({ "items": [{ "id": foreign, "version": version }], "siteId": other });
    assert_eq!(admin.post(&format!("{PRE}/site"), moved).await.data()["done"], json!(1));
    assert_eq!(staff.get(&format!("{PRE}/view?id={foreign}")).await.code(), 200);
}

/// Acceptance 8, photo and papers, and an admitted row.
#[tokio::test]
async fn papers_lie_beside_a_person_and_an_admitted_one_stays() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", true).await;
    let (front, diploma) = (paper(&admin, "身份证.pdf").await, paper(&admin, "毕业证.pdf").await);
    let papers = json!([{ "kind": "id_front", "key": front }, { "kind": "diploma", "key": diploma }]);
    let id = save(&admin, with(person(&p, batch, 1), json!({ "attachments": papers }))).await;
    let view = seen(&admin, id).await;
    assert_eq!(
        (&view["attachmentLinks"][1]["name"], &view["attachments"][0]["kind"]),
        (&json!("毕业证.pdf"), &json!("id_front"))
    );
    let address = view["attachmentLinks"][0]["url"].as_str().expect("an address");
    let read = admin.raw(Method::GET, address, None, Vec::new()).await;
    assert_eq!(read.into_body().into_vec().await.expect("bytes"), b"12345");
    let fewer = edit(&admin, id, json!({ "attachments": [{ "kind": "diploma", "key": diploma }] })).await;
    assert_eq!(admin.put(&format!("{PRE}/edit"), fewer).await.code(), 200);
    assert_eq!(seen(&admin, id).await["attachments"].as_array().map(Vec::len), Some(1));
    let odd = with(person(&p, batch, 2), json!({ "attachments": [{ "kind": "x_none", "key": front }] }));
    let refused = admin.post(&format!("{PRE}/save"), odd).await;
    assert_eq!(fields(&refused), ["attachments[0].kind: 没有该材料字段或已停用，请刷新后重新上传"]);

    packed(&admin, id).await;

    server
        .run(&format!(
            "update school_1.pre_registration set status = 'approved', exam_status = 'admitted' where id = {id}"
        ))
        .await;
    let kept = admin.delete(&format!("{PRE}/delete?id={id}")).await;
    assert_eq!(kept.refused(), (409, "该预报名已关联录取数据，不能删除"));
    let fixed = admin.put(&format!("{PRE}/edit"), edit(&admin, id, json!({})).await).await;
    assert_eq!(fixed.refused(), (409, "该人员已录取，预报名不能再修改"));
    let other = save(&admin, person(&p, batch, 3)).await;
    assert_eq!(admin.delete(&format!("{PRE}/delete?id={other}")).await.code(), 200);
    assert_eq!(admin.get(&format!("{PRE}/view?id={other}")).await.code(), 404);
    // The bin does not hold the person's place.
    assert_eq!(admin.post(&format!("{PRE}/save"), person(&p, batch, 3)).await.code(), 200);
}

/// 材料打包下载 of everybody on the list: the papers lie with their people.
async fn packed(admin: &Client<'_>, id: i64) {
    let nobody = admin.post(&format!("{PRE}/batchDownload"), json!({ "keyword": "无此人" })).await;
    assert_eq!(nobody.refused(), (409, "当前名单没有上传过照片或材料的人员"));
    let started = admin.post(&format!("{PRE}/batchDownload"), json!({})).await;
    let job = ended(admin, &started.data()["jobId"]).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("已打包1人的1份材料")), "{job}");
    let address = job["fileUrl"].as_str().expect("an address");
    let bytes = admin.raw(Method::GET, address, None, Vec::new()).await.into_body().into_vec().await.expect("bytes");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("an archive");
    let mut paper = archive.by_name(&format!("城东教学点/李秀英_{id}/毕业证书.pdf")).expect("the paper");
    assert_eq!(std::io::read_to_string(&mut paper).expect("its bytes"), "12345");
}

/// A word in a field of a school's own holds its place in the dictionary, as one in a column does.
#[tokio::test]
async fn a_word_that_a_field_carries_stays_in_its_dictionary() {
    let server = Server::start().await;
    let (admin, operator) = (registrar(&server).await, server.operator().await);
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", true).await;
    let kind =
        operator.post("/system/pc/dict/type/save", json!({ "dictType": "shoe_size", "dictName": "鞋码" })).await.id();
    let mut words = Vec::new();
    for (value, label) in [("large", "大号"), ("small", "小号")] {
        let word = json!({ "dictType": "shoe_size", "dictValue": value, "dictLabel": label });
        words.push(operator.post("/system/pc/dict/data/save", word).await.id());
    }
    let field = |key: &str, control: &str| {
        json!({
            "stage": "pre_registration", "fieldKey": key, "label": key, "groupName": "other", "control": control,
            "dictType": "shoe_size",
        })
    };
    for (key, control) in [("x_one", "select"), ("x_some", "multi_select")] {
        assert_eq!(admin.post(&format!("{ATTRIBUTE}/save"), field(key, control)).await.code(), 200);
    }
    let chosen = [json!({ "x_one": "large" }), json!({ "x_some": ["small", "large"] })];
    for (n, extra) in (1..).zip(chosen) {
        save(&admin, with(person(&p, batch, n), json!({ "extra": extra }))).await;
    }
    let unknown = with(person(&p, batch, 3), json!({ "extra": { "x_one": "huge" } }));
    let refused = admin.post(&format!("{PRE}/save"), unknown).await;
    assert_eq!(fields(&refused), ["x_one: 所选项不存在或已停用，请重新选择"]);
    let held = operator.delete(&format!("/system/pc/dict/data/delete?dictCodes={}", words[0])).await;
    assert_eq!(held.refused(), (409, "“大号”已被引用，不能删除，可以停用：1所院校的2条预报名"), "{}", held.body);
    server.run("update school_1.pre_registration set extra = '{}'").await;
    for word in words {
        assert_eq!(operator.delete(&format!("/system/pc/dict/data/delete?dictCodes={word}")).await.code(), 200);
    }
    let offered = operator.delete(&format!("/system/pc/dict/type/delete?id={kind}")).await;
    assert_eq!(offered.refused(), (409, "“鞋码”已被2个字段属性使用，不能删除"));
}

/// Whom a sheet brought is in the bin and may come again; the province's numbers are gone; whom somebody changed since stays.
#[tokio::test]
async fn sheets_of_people_go_back() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", false).await;
    let headings = ["姓名", "证件号", "手机", "层次", "专业", "站点"];
    let row = |n: usize, name: &str| {
        [name, &id_number(n), &format!("154{n:08}"), "专升本", "KJ", "CD"].map(ToOwned::to_owned).to_vec()
    };
    let people = [row(1, "王芳"), row(2, "李娜"), row(3, "张敏")];
    assert_eq!(import(&admin, batch, &headings, &people).await.data()["imported"], json!(3));
    let id = async |n: usize| -> i64 {
        let of = format!("where id_card_no = '{}' and deleted_at is null", id_number(n));
        server.one(&format!("select id from school_1.pre_registration {of}")).await
    };
    // Whoever imports for another site has nothing to undo here.
    let site = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let other = admin.post("/adult/pc/site/save", site).await.id();
    let narrow = server.staff_within(1, &["adult:pc:preRegistration:import"], "named_sites", &[other]).await;
    assert_eq!(newest(&narrow).await, Value::Null);
    let run = newest(&admin).await["id"].clone();
    assert_eq!(narrow.put("/system/pc/import/undo", json!({ "id": run })).await.code(), 404);
    let typed = edit(&admin, id(2).await, json!({ "phone": "15400000099" })).await;
    assert_eq!(admin.put(&format!("{PRE}/edit"), typed).await.code(), 200);
    let kept = ("共3条，已撤销2条，1条保留".to_owned(), vec!["李娜: 导入后已被教务员".to_owned()]);
    assert_eq!(taken_back(&admin, "预报名").await, kept);
    let lie = "select array[count(*) filter (where deleted_at is null), count(*)] from school_1.pre_registration";
    assert_eq!(server.one::<Vec<i64>>(lie).await, [1, 3]);

    assert_eq!(import(&admin, batch, &headings, &people[..1]).await.data()["imported"], json!(1));
    let headings = ["证件号", "姓名", "网报号", "考生号"];
    let number = |n: usize, name: &str| {
        [&id_number(n), name, &format!("W{n:04}"), &format!("26420101{n:06}")].map(ToOwned::to_owned).to_vec()
    };
    let numbers = [number(1, "王芳"), number(2, "李娜")];
    let answer = send(&admin, Method::PUT, "examineeNo/import", batch, &headings, &numbers).await;
    assert_eq!(answer.data()["imported"], json!(2), "{}", answer.body);
    let typed = edit(&admin, id(2).await, json!({ "provincialRegNo": "W9999" })).await;
    assert_eq!(admin.put(&format!("{PRE}/edit"), typed).await.code(), 200);
    let kept = ("共2条，已撤销1条，1条保留".to_owned(), vec!["李娜: 导入后已被教务员".to_owned()]);
    assert_eq!(taken_back(&admin, "考生号").await, kept);
    let (one, two) = (seen(&admin, id(1).await).await, seen(&admin, id(2).await).await);
    assert_eq!(
        (&one["examineeNo"], &one["provincialRegNo"], &one["examStatus"]),
        (&json!(null), &json!(null), &json!("none"))
    );
    assert_eq!((&two["examineeNo"], &two["examStatus"]), (&json!("26420101000002"), &json!("registered")));
    // What was undone is nobody's change.
    assert_eq!(taken_back(&admin, "预报名").await, ("共1条，已撤销1条".to_owned(), Vec::new()));
}
