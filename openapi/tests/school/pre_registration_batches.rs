//! Windows in which people tell the school that they want to study (part 02 §2).

use kit::{
    Client, Server,
    accounts::all_school_codes,
    cohort::{Cohort, cohort, registrar},
    fields,
    rows::{majors, setting},
    sheets::texts,
};
use serde_json::{Value, json};

pub(crate) const BATCH: &str = "/adult/pc/preRegistrationBatch";

/// A batch of the place's grade and level that is open for decades.
pub(crate) fn batch(p: &Cohort, code: &str) -> Value {
    json!({
        "code": code, "name": format!("{code}预报名"), "gradeId": p.grade, "levelIds": [p.level],
        "startsAt": "2020-01-01T00:00:00+08:00", "endsAt": "2098-12-31T00:00:00+08:00",
    })
}

/// Opens a batch that offers the place's major at every site.
pub(crate) async fn opened(client: &Client<'_>, p: &Cohort, form: Value) -> i64 {
    let id = client.post(&format!("{BATCH}/save"), form).await.id();
    let offer = json!({ "id": id, "version": 1, "majors": [{ "majorId": p.major }] });
    assert_eq!(client.put(&format!("{BATCH}/majors"), offer).await.id(), id);
    id
}

/// Writes people of a batch directly, numbered from one number to another; `more` sets further columns of them.
pub(crate) async fn people(server: &Server, school: i64, batch: i64, p: &Cohort, numbers: (i64, i64), more: &str) {
    let (from, to) = numbers;
    server
        .run(&format!(
            "insert into school_{school}.pre_registration (batch_id, grade_id, name, name_grams, pinyin, initials, gender, birthday,
                 id_card_type, id_card_no, phone, email, address, postal_code, level_id, major_id, site_id, study_form, pre_edu_level,
                 pre_edu_school, pre_edu_certificate_no, work_unit, occupation, hukou_place, referrer, extra, source, status,
                 created_by, updated_by)
             select {batch}, {}, '张晓梅' || n, array['张', '张晓'], 'zhang xiao mei', 'zxm', 'female', '1996-03-15',
                 'passport', 'E' || lpad(n::text, 8, '0'), '139' || lpad(n::text, 8, '0'), 'a@example.com', '某路1号', '430000',
                 {}, {}, {}, 'non_full_time', 'associate', '某学院', 'Z' || n, '某公司', '会计', '湖北', '李四',
                 '{{\"x_size\": 38}}', 'back_office', 'pending', 0, 0
             from generate_series({from}, {to}) n",
            p.grade, p.level, p.major, p.site
        ))
        .await;
    if !more.is_empty() {
        server
            .run(&format!(
                "update school_{school}.pre_registration set {more}
                 where batch_id = {batch} and id_card_no between 'E' || lpad('{from}', 8, '0') and 'E' || lpad('{to}', 8, '0')"
            ))
            .await;
    }
}

/// Numbers of the batches of a list, in its order.
fn ids(answer: &Value) -> Vec<i64> {
    answer["list"].as_array().expect("a list").iter().map(|row| row["id"].as_i64().expect("a number")).collect()
}

/// Scenario 6, and what else a form is told.
#[tokio::test]
async fn a_batch_has_its_times_in_order_and_a_name_of_its_own() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let save = async |change: Value| {
        let mut form = batch(&p, "2026-1");
        for (field, value) in change.as_object().expect("fields") {
            form[field] = value.clone();
        }
        admin.post(&format!("{BATCH}/save"), form).await
    };
    for ends in ["2020-01-01T00:00:00+08:00", "2019-12-31T00:00:00+08:00"] {
        assert_eq!(fields(&save(json!({ "endsAt": ends })).await), ["endsAt: 结束时间须晚于开始时间"]);
    }
    assert_eq!(fields(&save(json!({ "levelIds": [] })).await), ["levelIds: 招生层次至少选择一项"]);
    assert_eq!(fields(&save(json!({ "gradeId": 999 })).await), ["gradeId: 所选年级不存在，请重新选择"]);
    let notice = format!("<p>{}</p>", "须".repeat(20_001));
    assert_eq!(fields(&save(json!({ "notice": notice })).await), ["notice: 报名须知不能超过20000个字符"]);
    let id = save(json!({ "notice": "<p onclick=\"x()\">请带<b>身份证</b><script>x()</script></p>" })).await.id();
    let seen = admin.get(&format!("{BATCH}/view?code=2026-1")).await.data().clone();
    assert_eq!(
        (&seen["id"], &seen["needAudit"], &seen["enabled"], &seen["phase"], &seen["gradeName"], &seen["majorCount"]),
        (&json!(id), &json!(true), &json!(true), &json!("open"), &json!("2026级"), &json!(0))
    );
    assert_eq!(seen["notice"], json!("<p>请带<b>身份证</b></p>"));
    assert_eq!(seen["levels"], json!([{ "id": p.level, "name": "专升本" }]));
    assert_eq!(fields(&save(json!({ "name": "另一批次" })).await), ["code: 编码“2026-1”已存在"]);
    assert_eq!(fields(&save(json!({ "code": "2026-2" })).await), ["name: 名称“2026-1预报名”已存在"]);
    // What the school has set holds where nothing is said.
    setting(&server, "preRegistrationAudit", &json!(false)).await;
    let other = save(json!({ "code": "2026-2", "name": "第二批" })).await.id();
    let needed = async |id: i64| admin.get(&format!("{BATCH}/view?id={id}")).await.data()["needAudit"].clone();
    assert_eq!((needed(id).await, needed(other).await), (json!(true), json!(false)));
    // A grade that is switched off stays where it is, and is chosen no more.
    admin.put("/adult/pc/grade/update/status", json!({ "id": p.grade, "enabled": false })).await.id();
    assert_eq!(
        fields(&save(json!({ "code": "2026-3", "name": "第三批" })).await),
        ["gradeId: “2026级”已停用，请选择其他项"]
    );
    let mut edit = batch(&p, "2026-1");
    edit["id"] = json!(id);
    edit["version"] = json!(1);
    edit["endsAt"] = json!("2021-01-01T00:00:00+08:00");
    assert_eq!(admin.put(&format!("{BATCH}/edit"), edit.clone()).await.id(), id);
    let seen = admin.get(&format!("{BATCH}/view?id={id}")).await.data().clone();
    assert_eq!((&seen["phase"], &seen["notice"], &seen["needAudit"]), (&json!("ended"), &json!(null), &json!(true)));
    assert_eq!(admin.put(&format!("{BATCH}/edit"), edit).await.code(), 409, "the version was read before");
}

#[tokio::test]
async fn a_list_tells_where_each_batch_stands_and_how_many_came() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let far =
        admin.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西", "kind": "headquarter" })).await.id();
    let mut made = Vec::new();
    for (code, starts, ends) in [("EARLY", 2097, 2098), ("NOW", 2020, 2098), ("LATE", 2020, 2021), ("SHUT", 2020, 2098)]
    {
        let mut form = batch(&p, code);
        form["startsAt"] = json!(format!("{starts}-01-01T00:00:00+08:00"));
        form["endsAt"] = json!(format!("{ends}-01-01T00:00:00+08:00"));
        form["enabled"] = json!(code != "SHUT");
        made.push(opened(&admin, &p, form).await);
    }
    people(&server, 1, made[1], &p, (1, 5), "").await;
    people(&server, 1, made[1], &p, (6, 8), "status = 'approved'").await;
    people(&server, 1, made[1], &p, (9, 9), "status = 'approved', deleted_at = now(), deleted_by = 0").await;
    people(&server, 1, made[1], &p, (10, 10), &format!("site_id = {far}")).await;
    let list = async |filter: Value| admin.post(&format!("{BATCH}/list"), filter).await.data().clone();
    let all = list(json!({})).await;
    assert_eq!(ids(&all), made.iter().rev().copied().collect::<Vec<_>>(), "the newest first");
    let told: Vec<&str> =
        all["list"].as_array().expect("rows").iter().filter_map(|row| row["phase"].as_str()).collect();
    assert_eq!(told, ["closed", "ended", "open", "not_started"]);
    for (phase, id) in ["not_started", "open", "ended", "closed"].into_iter().zip(&made) {
        let found = list(json!({ "phase": phase })).await;
        assert_eq!((ids(&found), &found["totalCount"]), (vec![*id], &json!(1)), "{phase}");
    }
    assert_eq!(ids(&list(json!({ "keyword": "no" })).await), [made[1]], "by the beginning of the code");
    assert_eq!(ids(&list(json!({ "keyword": "LATE预" })).await), [made[2]], "by a part of the name");
    assert_eq!(list(json!({ "gradeId": 999 })).await["totalCount"], json!(0));
    let now = &all["list"][2];
    assert_eq!((&now["total"], &now["approved"], &now["majorCount"]), (&json!(9), &json!(3), &json!(1)));

    // Somebody of one site counts the people of their site.
    let codes = ["list", "view", "export"].map(|action| format!("adult:pc:preRegistrationBatch:{action}"));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[far]).await;
    let found = narrow.post(&format!("{BATCH}/list"), json!({ "phase": "open" })).await.data()["list"][0].clone();
    assert_eq!((&found["total"], &found["approved"]), (&json!(1), &json!(0)));
    let seen = narrow.get(&format!("{BATCH}/view?id={}", made[1])).await;
    assert_eq!(seen.data()["total"], json!(1));

    let rows = texts(&admin.post(&format!("{BATCH}/export"), json!({ "phase": "open" })).await.bytes);
    assert_eq!(
        rows[0],
        ["编码", "名称", "年级", "层次", "开始时间", "结束时间", "阶段", "报名人数", "通过人数", "启用"]
    );
    assert_eq!((rows.len(), &rows[1][..4]), (2, &["NOW", "NOW预报名", "2026级", "专升本"].map(ToOwned::to_owned)[..]));
    assert_eq!(rows[1][6..], ["进行中", "9", "3", "是"]);

    let options = async |query: &str| {
        let found = admin.get(&format!("/adult/pc/options/preRegistrationBatch{query}")).await.data().clone();
        let rows = found.as_array().expect("options").clone();
        rows.iter().map(|row| row["number"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(options("").await, ["NOW", "EARLY"]);
    assert_eq!(options("?enabled=false").await, ["SHUT", "LATE", "NOW", "EARLY"]);
    assert_eq!(options("?enabled=false&keyword=la").await, ["LATE"]);
    assert_eq!(options(&format!("?parentId={}", p.grade + 1)).await, [""; 0]);
}

/// The operators look at all schools' batches and switch one of a school they name; nothing else.
#[tokio::test]
async fn an_operator_sees_the_batches_of_all_schools() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let codes = all_school_codes();
    let other = server.staff(2, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let q = cohort(&other).await;
    let one = opened(&admin, &p, batch(&p, "EAST")).await;
    opened(&other, &q, batch(&q, "SOUTH")).await;
    people(&server, 1, one, &p, (1, 4), "").await;
    let operator = server.operator().await;
    let all = operator.post(&format!("{BATCH}/list"), json!({})).await.data().clone();
    let rows = all["list"].as_array().expect("rows");
    let told: Vec<_> =
        rows.iter().map(|row| (&row["schoolName"], &row["code"], &row["phase"], &row["total"])).collect();
    assert_eq!(
        told,
        [
            (&json!("南岭示范大学"), &json!("SOUTH"), &json!("open"), &json!(0)),
            (&json!("东湖示范学院"), &json!("EAST"), &json!("open"), &json!(4)),
        ]
    );
    let off = json!({ "id": one, "enabled": false });
    let refused = operator.put(&format!("{BATCH}/update/status"), off.clone()).await;
    assert_eq!(fields(&refused), ["schoolId: 请选择院校"]);
    assert_eq!(operator.put(&format!("{BATCH}/update/status?schoolId=1"), off).await.id(), one);
    assert_eq!(admin.get(&format!("{BATCH}/view?id={one}")).await.data()["phase"], json!("closed"));
    assert_eq!(operator.post(&format!("{BATCH}/save"), batch(&p, "OUT")).await.code(), 403);
    let rows = texts(&operator.post(&format!("{BATCH}/export"), json!({})).await.bytes);
    assert_eq!((rows[0][0].as_str(), rows.len()), ("院校", 3));
}

/// Scenario 3, and the same for level and grade.
#[tokio::test]
async fn what_people_have_chosen_stays_in_the_offer() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let other_grade = admin.post("/adult/pc/grade/save", json!({ "code": "2027" })).await.id();
    let other_level = json!({ "code": "GQZ", "name": "高起专", "entryLevel": "high_school_to_associate" });
    let other_level = admin.post("/adult/pc/arrangement/save", other_level).await.id();
    let second = json!({ "code": "GS", "name": "工商管理", "nationalMajorId": p.national, "levelId": p.level, "totalCredits": 92.0, "direction": "工商" });
    let second = admin.post("/adult/pc/major/save", second).await.id();
    let closed = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let closed = admin.post("/adult/pc/site/save", closed).await.id();
    let mut form = batch(&p, "2026-1");
    form["levelIds"] = json!([p.level, other_level]);
    let id = admin.post(&format!("{BATCH}/save"), form.clone()).await.id();
    let set = async |version: i64, majors: Value| {
        admin.put(&format!("{BATCH}/majors"), json!({ "id": id, "version": version, "majors": majors })).await
    };
    let both = json!([{ "majorId": p.major }, { "majorId": second, "siteIds": [p.site, closed] }]);
    assert_eq!(set(1, both.clone()).await.id(), id);
    assert_eq!(set(1, both.clone()).await.code(), 409, "the version was read before");
    let offer = async || admin.get(&format!("{BATCH}/majors?id={id}")).await.data().clone();
    let seen = offer().await;
    assert_eq!(seen["version"], json!(2));
    let told: Vec<_> =
        seen["majors"].as_array().expect("majors").iter().map(|m| (&m["majorName"], &m["siteIds"])).collect();
    assert_eq!(told, [(&json!("工商管理"), &json!([p.site, closed])), (&json!("会计学"), &json!(null))]);

    // What is switched off later stays, and is not chosen anew.
    server.run(&format!("update school_1.site set status = 'suspended' where id = {closed}")).await;
    server.run(&format!("update school_1.major set enabled = false where id = {second}")).await;
    assert_eq!(set(2, both.clone()).await.id(), id);
    let refused = set(3, json!([{ "majorId": p.major, "siteIds": [closed] }, { "majorId": second }])).await;
    assert_eq!(fields(&refused), ["majors: “城西教学点”已停用，请选择其他项"]);
    assert_eq!(set(3, json!([{ "majorId": p.major }])).await.id(), id);
    let refused = set(4, both).await;
    assert_eq!(fields(&refused), ["majors: “工商管理”已停用，请选择其他项"]);
    let twice = set(4, json!([{ "majorId": p.major }, { "majorId": p.major }])).await;
    assert_eq!(fields(&twice), ["majors: 同一专业只能选择一次"]);

    people(&server, 1, id, &p, (1, 7), "").await;
    assert_eq!(offer().await["majors"][0]["total"], json!(7));
    assert_eq!(set(4, json!([])).await.refused(), (409, "该专业已有7条预报名，不能移除"));
    server
        .run("update school_1.pre_registration set deleted_at = now(), deleted_by = 0 where id_card_no < 'E00000003'")
        .await;
    assert_eq!(set(4, json!([])).await.refused(), (409, "该专业已有7条预报名（含回收站2条），不能移除"));
    let edit = async |change: Value| {
        let mut body = form.clone();
        (body["id"], body["version"]) = (json!(id), json!(4));
        for (field, value) in change.as_object().expect("fields") {
            body[field] = value.clone();
        }
        admin.put(&format!("{BATCH}/edit"), body).await
    };
    assert_eq!(
        edit(json!({ "gradeId": other_grade })).await.refused(),
        (409, "该年级已有7条预报名（含回收站2条），不能更换")
    );
    assert_eq!(
        edit(json!({ "levelIds": [other_level] })).await.refused(),
        (409, "该层次已有7条预报名（含回收站2条），不能移除")
    );
    server.run("delete from school_1.pre_registration").await;
    assert_eq!(
        edit(json!({ "levelIds": [other_level] })).await.refused(),
        (409, "层次“专升本”下已设置1个专业，请先在“专业站点”中移除")
    );
    assert_eq!(set(4, json!([])).await.id(), id);
    let refused = set(5, json!([{ "majorId": 999 }])).await;
    assert_eq!(fields(&refused), ["majors: 所选专业不存在，请重新选择"]);
    let change = json!({ "gradeId": other_grade, "levelIds": [other_level], "version": 5 });
    assert_eq!(edit(change).await.id(), id);
    let refused = set(6, json!([{ "majorId": p.major }])).await;
    assert_eq!(fields(&refused), ["majors: “会计学”不属于本批次的招生层次"]);
    let told: String = server
        .one("select string_agg(changes::text, ' ') from school_1.audit_log where entity_type = 'pre_registration_batch'")
        .await;
    assert!(told.contains("会计学（全部站点）") && told.contains("工商管理（城东教学点、城西教学点）"), "{told}");
}

/// Scenario 2.
#[tokio::test]
async fn a_copy_leaves_out_what_is_switched_off_and_names_it() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let next = admin.post("/adult/pc/grade/save", json!({ "code": "2027" })).await.id();
    majors(&server, &p, 15).await;
    let mut form = batch(&p, "2026-1");
    form["startsAt"] = json!("2025-09-01T00:00:00+08:00");
    form["endsAt"] = json!("2025-09-11T00:00:00+08:00");
    form["notice"] = json!("<p>请带身份证</p>");
    form["needAudit"] = json!(false);
    let id = admin.post(&format!("{BATCH}/save"), form).await.id();
    let all: Vec<i64> = server.one("select array_agg(id order by code) from school_1.major").await;
    assert_eq!(all.len(), 16);
    let majors: Vec<Value> = all
        .iter()
        .map(|major| {
            if *major == p.major {
                json!({ "majorId": major, "siteIds": [p.site] })
            } else {
                json!({ "majorId": major })
            }
        })
        .collect();
    admin.put(&format!("{BATCH}/majors"), json!({ "id": id, "version": 1, "majors": majors })).await.id();
    server.run("update school_1.major set enabled = false where code in ('M03', 'M07')").await;
    let wish = json!({ "id": id, "gradeId": next, "code": "2027-1", "name": "2027级预报名" });
    let copied = admin.post(&format!("{BATCH}/copy"), wish.clone()).await.data().clone();
    assert_eq!(copied["copied"], json!(14), "{copied}");
    let left: Vec<_> =
        copied["skipped"].as_array().expect("names").iter().map(|row| (&row["name"], &row["msg"])).collect();
    assert_eq!(left, [(&json!("专业3"), &json!("专业已停用")), (&json!("专业7"), &json!("专业已停用"))]);
    let seen = admin.get(&format!("{BATCH}/view?id={}", copied["id"])).await.data().clone();
    assert_eq!(
        (&seen["gradeName"], &seen["majorCount"], &seen["startsAt"], &seen["endsAt"], &seen["phase"]),
        (
            &json!("2027级"),
            &json!(14),
            &json!("2026-09-01T00:00:00+08:00"),
            &json!("2026-09-11T00:00:00+08:00"),
            &json!("closed")
        )
    );
    assert_eq!((&seen["notice"], &seen["needAudit"]), (&json!("<p>请带身份证</p>"), &json!(false)));
    let offer = admin.get(&format!("{BATCH}/majors?id={}", copied["id"])).await.data()["majors"].clone();
    let named: Vec<_> = offer.as_array().expect("majors").iter().filter(|major| !major["siteIds"].is_null()).collect();
    assert_eq!((named.len(), &named[0]["majorName"], &named[0]["siteIds"]), (1, &json!("会计学"), &json!([p.site])));
    assert_eq!(fields(&admin.post(&format!("{BATCH}/copy"), wish).await), ["code: 编码“2027-1”已存在"]);
}

/// Scenario 5.
#[tokio::test]
async fn a_batch_goes_when_its_recycle_bin_is_empty_too() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (id, other) = (opened(&admin, &p, batch(&p, "2026-1")).await, opened(&admin, &p, batch(&p, "2026-2")).await);
    people(&server, 1, id, &p, (1, 2), "deleted_at = now(), deleted_by = 0").await;
    people(&server, 1, other, &p, (1, 3), "").await;
    let delete = async || admin.delete(&format!("{BATCH}/delete?id={id}")).await;
    assert_eq!(delete().await.refused(), (409, "批次下有2条预报名（含回收站2条），不能删除"));
    let many = admin.post(&format!("{BATCH}/batchDel"), json!({ "ids": [other] })).await.data().clone();
    assert_eq!(
        many["failed"],
        json!([{ "id": other, "name": "2026-2预报名", "msg": "批次下有3条预报名（含回收站0条），不能删除" }])
    );
    let refused = admin.delete(&format!("/adult/pc/grade/delete?id={}", p.grade)).await;
    assert_eq!(refused.refused(), (409, "“2026级”已被引用，不能删除：2个预报名批次"));
    server.run("delete from school_1.pre_registration where deleted_at is not null").await;
    assert_eq!(delete().await.id(), id);
    assert_eq!(admin.get(&format!("{BATCH}/view?id={id}")).await.code(), 404);
    let left: i64 = server
        .one(&format!(
            "select (select count(*) from school_1.pre_registration_batch_major where batch_id = {id})
                  + (select count(*) from school_1.pre_registration_batch_level where batch_id = {id})"
        ))
        .await;
    assert_eq!(left, 0);
}

/// 02 §2 scenario 4: the link of a batch opens its form; after a reset the old one is 404.
#[tokio::test]
async fn a_link_opens_the_form_until_it_is_renewed() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = opened(&admin, &p, batch(&p, "2026A")).await;
    let view = async || admin.get(&format!("{BATCH}/view?id={id}")).await.data().clone();
    assert_eq!(view().await["link"], Value::Null, "no address of the students' client yet");
    server.run("update platform.school set domain = 'dh.example.cn' where id = 1").await;
    server.tell("school:1").await;
    let seen = view().await;
    let token = seen["publicToken"].as_str().expect("a token").to_owned();
    assert_eq!(token.len(), 12);
    assert_eq!(seen["link"], json!(format!("https://dh.example.cn/preRegistration?publicToken={token}")));
    setting(&server, "clientUrls", &json!({ "student": "https://xs.example.cn/m/", "teacher": "", "site": "" })).await;
    assert_eq!(view().await["link"], json!(format!("https://xs.example.cn/m/preRegistration?publicToken={token}")));

    let anybody = server.anonymous().at_host("dh.example.cn");
    let form =
        async |token: &str| anybody.get(&format!("/user/client/publicPreRegistration/form?publicToken={token}")).await;
    let shown = form(&token).await.data().clone();
    assert_eq!(
        (&shown["batchName"], &shown["phase"], &shown["gradeName"]),
        (&json!("2026A预报名"), &json!("open"), &json!("2026级"))
    );
    assert_eq!((&shown["majors"][0]["id"], &shown["sites"][0]["id"]), (&json!(p.major), &json!(p.site)));
    assert!(
        shown["fields"].as_array().is_some_and(|fields| fields.iter().any(|field| field["fieldKey"] == "idCardNo"))
    );

    assert_eq!(admin.put(&format!("{BATCH}/resetToken"), json!({ "id": id })).await.id(), id);
    let gone = (404, "报名链接已失效");
    assert_eq!(form(&token).await.refused(), gone);
    let new = view().await["publicToken"].as_str().expect("a token").to_owned();
    assert_ne!(new, token);
    assert_eq!(form(&new).await.code(), 200);
    // The link is one of its school.
    let elsewhere = format!("/user/client/publicPreRegistration/form?publicToken={new}");
    assert_eq!(server.anonymous().at_host("other.example.cn").get(&elsewhere).await.refused(), gone);
    let trail: String = server.one("select string_agg(changes::text, ' ') from school_1.audit_log").await;
    assert!(!trail.contains(&token) && !trail.contains(&new), "{trail}");
}
