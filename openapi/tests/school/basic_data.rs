//! Basic data of a school (part 03 A1–A4).

use kit::{
    Server,
    accounts::all_school_codes,
    cohort::{cohort, registrar},
    fields,
    openings::plan,
    rows::students,
    sheets::{import, row_errors, texts},
};
use poem::http::Method;
use serde_json::json;

#[tokio::test]
async fn semesters_do_not_overlap() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let save = |code: &str, from: &str, to: &str| json!({ "code": code, "startsOn": from, "endsOn": to });
    let first = admin.post("/adult/pc/semester/save", save("2026-1", "2026-03-02", "2026-07-12")).await.id();
    let refused = admin.post("/adult/pc/semester/save", save("2026-2", "2026-07-10", "2026-12-12")).await;
    assert_eq!(fields(&refused), ["startsOn: 与学期“2026年春季学期”的日期重叠"]);
    let seen = admin.get(&format!("/adult/pc/semester/view?id={first}")).await;
    assert_eq!((&seen.data()["weekCount"], &seen.data()["name"]), (&json!(19), &json!("2026年春季学期")));
    assert_eq!(admin.post("/adult/pc/semester/save", save("2026-2", "2026-07-13", "2026-12-12")).await.code(), 200);
}

#[tokio::test]
async fn one_semester_is_current_though_two_people_set_it_at_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let other = registrar(&server).await;
    let save = |code: &str, from: &str, to: &str| json!({ "code": code, "startsOn": from, "endsOn": to });
    let one = admin.post("/adult/pc/semester/save", save("2026-1", "2026-03-02", "2026-07-12")).await.id();
    let two = admin.post("/adult/pc/semester/save", save("2026-2", "2026-08-31", "2027-01-10")).await.id();
    assert_eq!(admin.put("/adult/pc/semester/setCurrent", json!({ "id": one })).await.code(), 200);
    let wanted = json!({ "id": two });
    let (a, b) = tokio::join!(
        admin.put("/adult/pc/semester/setCurrent", wanted.clone()),
        other.put("/adult/pc/semester/setCurrent", wanted.clone())
    );
    assert_eq!((a.code(), b.code()), (200, 200), "{} {}", a.body, b.body);
    assert_eq!(server.one::<Vec<i64>>("select array_agg(id) from school_1.semester where current").await, [two]);
    let refused = admin.delete(&format!("/adult/pc/semester/delete?id={two}")).await;
    assert_eq!(refused.refused(), (409, "当前学期不能删除，请先将其他学期设为当前学期"));
}

#[tokio::test]
async fn a_closed_semester_is_shut_until_it_is_reopened_with_a_reason() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let body = json!({ "code": "2026-1", "startsOn": "2026-03-02", "endsOn": "2026-07-12" });
    let id = admin.post("/adult/pc/semester/save", body.clone()).await.id();
    assert_eq!(admin.put("/adult/pc/semester/close", json!({ "id": id, "version": 1 })).await.code(), 200);
    let mut edit = body;
    edit["id"] = json!(id);
    edit["version"] = json!(2);
    assert_eq!(
        admin.put("/adult/pc/semester/edit", edit.clone()).await.refused(),
        (409, "学期“2026年春季学期”已关闭，不能修改")
    );
    let refused = admin.put("/adult/pc/semester/setCurrent", json!({ "id": id })).await;
    assert_eq!(refused.refused(), (409, "学期“2026年春季学期”已关闭，不能设为当前学期"));
    let reopen = json!({ "id": id, "version": 2, "reason": "补排面授" });
    assert_eq!(admin.put("/adult/pc/semester/reopen", reopen).await.code(), 200);
    edit["version"] = json!(3);
    assert_eq!(admin.put("/adult/pc/semester/edit", edit).await.code(), 200);
}

#[tokio::test]
async fn a_grade_that_is_used_stays_and_names_its_users() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let mut first = None;
    for n in 1..=5 {
        let class = admin.post("/adult/pc/class/save", p.class(&format!("C{n}"))).await.id();
        first.get_or_insert(class);
    }
    students(&server, &p, p.site, first, 1, 312).await;
    let refused = admin.delete(&format!("/adult/pc/grade/delete?id={}", p.grade)).await;
    assert_eq!(refused.refused(), (409, "“2026级”已被引用，不能删除：5个班级、312名学生"));
    // The same for a program, by which field of which records.
    let by = |entity: &str, counted: &str, count: i64| json!({ "entity": entity, "counted": counted, "count": count, "field": "gradeId", "id": p.grade });
    let references = json!([by("class", "个班级", 5), by("student", "名学生", 312)]);
    assert_eq!(refused.body["data"]["references"], references);
    // Each leads to the list that shows them.
    let filter = json!({ "gradeId": p.grade });
    for (list, count) in [("/adult/pc/class", 5), ("/adult/pc/studentRoll", 312)] {
        let listed = admin.post(&format!("{list}/list"), filter.clone()).await;
        assert_eq!(listed.data()["totalCount"], json!(count), "{list}");
    }
    let bulk = admin.post("/adult/pc/grade/batchDel", json!({ "ids": [p.grade] })).await;
    assert_eq!(bulk.data()["failed"][0]["msg"], json!("“2026级”已被引用，不能删除：5个班级、312名学生"));
    let row = admin.post("/adult/pc/grade/list", json!({})).await.data()["list"][0].clone();
    assert_eq!((&row["classCount"], &row["studentCount"]), (&json!(5), &json!(312)), "{row}");
    let edit = json!({ "id": p.grade, "version": 1, "code": "2026A", "entrySeason": "spring" });
    let edited = admin.put("/adult/pc/grade/edit", edit).await;
    assert_eq!(edited.refused(), (409, "已有5个班级、312名学生使用该年级，不能修改编码"));
    assert_eq!(edited.body["data"]["references"], references, "nor changed in what they rely on");
    let level = json!({ "id": p.level, "version": 1, "code": "ZSB", "name": "专升本", "entryLevel": "associate_to_bachelor", "schoolingYears": 3.0 });
    let edited = admin.put("/adult/pc/arrangement/edit", level.clone()).await;
    assert_eq!(edited.refused(), (409, "已有1个专业使用该层次，不能修改学制"));
    for _ in 0..3 {
        plan(&server, &p, &[]).await;
    }
    let edited = admin.put("/adult/pc/arrangement/edit", level).await;
    assert_eq!(edited.refused(), (409, "已有3个教学计划使用该层次，不能修改学制"));
}

#[tokio::test]
async fn the_second_of_two_editors_of_a_grade_is_told() {
    let server = Server::start().await;
    let (first, second) = (registrar(&server).await, registrar(&server).await);
    let id = first.post("/adult/pc/grade/save", json!({ "code": "2026" })).await.id();
    let edit = |remark: &str| json!({ "id": id, "version": 1, "code": "2026", "name": "2026级", "entrySeason": "spring", "remark": remark });
    assert_eq!(first.put("/adult/pc/grade/edit", edit("甲")).await.code(), 200);
    let stale = second.put("/adult/pc/grade/edit", edit("乙")).await;
    assert_eq!(stale.code(), 409);
    assert!(
        stale.msg().starts_with("数据已被教务员于") && stale.msg().ends_with("修改，请刷新后重试"),
        "{}",
        stale.msg()
    );
    assert_eq!(server.one::<String>("select remark from school_1.grade").await, "甲");
}

#[tokio::test]
async fn a_code_and_an_intake_are_taken_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    admin.post("/adult/pc/grade/save", json!({ "code": "2026" })).await.id();
    let again = json!({ "code": "2026", "name": "又一个", "entrySeason": "autumn" });
    assert_eq!(fields(&admin.post("/adult/pc/grade/save", again).await), ["code: 编码“2026”已存在"]);
    let same = admin.post("/adult/pc/grade/save", json!({ "code": "2026A" })).await;
    assert_eq!(fields(&same), ["entrySeason: 2026年春季入学的年级已存在"]);
    let both = admin.post("/adult/pc/grade/save", json!({ "code": "26", "sortNo": 10_000 })).await;
    let told = fields(&both);
    assert!(told.len() == 2 && told[0].starts_with("code: ") && told[1].starts_with("sortNo: "), "{told:?}");
}

#[tokio::test]
async fn an_import_of_semesters_writes_all_or_nothing() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let headings = ["*学期编码", "名称", "*开始日期", "*结束日期"];
    let mut rows: [&[&str]; 4] = [
        &["2027-1", "", "2027-03-01", "2027-07-11"],
        &["2027-2", "", "2027-08-30", "2028-01-09"],
        &["2028-1", "", "2028-01-01", "2028-07-09"],
        &["2028-2", "", "2028-08-28", "2029-01-07"],
    ];
    let refused = import(&admin, "/adult/pc/semester", &headings, &rows).await;
    assert_eq!(row_errors(refused.data()), ["4 开始日期: 与学期“2027年秋季学期”的日期重叠"]);
    assert_eq!(refused.data()["imported"], json!(0));
    assert_eq!(server.one::<i64>("select count(*) from school_1.semester").await, 0);
    rows[2] = &["2028-1", "", "2028-02-21", "2028-07-09"];
    let right = import(&admin, "/adult/pc/semester", &headings, &rows).await;
    assert_eq!((&right.data()["imported"], &right.data()["errors"]), (&json!(4), &json!([])));
    assert_eq!(server.one::<i64>("select count(*) from school_1.semester").await, 4);
}

#[tokio::test]
async fn an_organization_is_never_its_own_ancestor() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let unit = |code: &str, name: &str, parent: Option<i64>| json!({ "code": code, "name": name, "kind": "college", "parentId": parent });
    let a = admin.post("/adult/pc/organize/save", unit("A", "甲", None)).await.id();
    let b = admin.post("/adult/pc/organize/save", unit("B", "乙", Some(a))).await.id();
    let c = admin.post("/adult/pc/organize/save", unit("C", "丙", Some(b))).await.id();
    let mut under = unit("A", "甲", Some(c));
    under["id"] = json!(a);
    under["version"] = json!(1);
    assert_eq!(fields(&admin.put("/adult/pc/organize/edit", under).await), ["parentId: 不能移动到自己的下级机构"]);
    let off = admin.put("/adult/pc/organize/update/status", json!({ "id": a, "enabled": false })).await;
    assert_eq!(off.refused(), (409, "请先停用下级机构"));
    let twin = admin.post("/adult/pc/organize/save", unit("D", "乙", Some(a))).await;
    assert_eq!(fields(&twin), ["name: 同级机构中名称“乙”已存在"]);
    let tree = admin.post("/adult/pc/organize/list", json!({ "keyword": "丙" })).await;
    assert_eq!(tree.data()[0]["children"][0]["children"][0]["id"], json!(c), "{}", tree.body);
}

/// Two people see the same switch: the second changes nothing, and nobody's version grows old by it.
#[tokio::test]
async fn a_switch_that_stands_so_already_leaves_no_trace() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let grade = cohort(&admin).await.grade;
    let path = "/adult/pc/grade/update/status";
    let state = async || {
        let found = format!(
            "select g.enabled || ' ' || g.version || ' ' || (select count(*) from school_1.audit_log a
                 where a.entity_type = 'grade' and a.entity_id = g.id and a.action = 'status')
             from school_1.grade g where g.id = {grade}"
        );
        server.one::<String>(&found).await
    };
    assert_eq!(state().await, "true 1 0");
    let same = json!({ "id": grade, "enabled": true, "version": 1 });
    assert_eq!(admin.unlooked(Method::PUT, path, Some(&same)).await.id(), grade);
    assert_eq!(state().await, "true 1 0");
    let old = json!({ "id": grade, "enabled": true, "version": 9 });
    assert_eq!(admin.put(path, old).await.code(), 409, "who read another version is told so all the same");
    assert_eq!(admin.put(path, json!({ "id": grade, "enabled": false })).await.id(), grade);
    assert_eq!(state().await, "false 2 1");
}

#[tokio::test]
async fn a_site_closes_only_when_nobody_studies_there() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    students(&server, &p, p.site, Some(class), 1, 40).await;
    let close = json!({ "id": p.site, "status": "closed", "version": 1, "reason": "到期撤销" });
    let refused = admin.put("/adult/pc/site/changeStatus", close.clone()).await;
    assert_eq!(refused.refused(), (409, "该站点还有40名在籍学生、1个启用班级，不能撤销"));
    server.run("update school_1.student set status = 'graduated'").await;
    server.run("update school_1.class set enabled = false").await;
    assert_eq!(admin.put("/adult/pc/site/changeStatus", close).await.code(), 200);
    let offered = admin.get("/adult/pc/options/site").await;
    assert_eq!(offered.data(), &json!([]));
    let on = json!({ "id": class, "enabled": true });
    let refused = admin.put("/adult/pc/class/update/status", on).await;
    assert_eq!(refused.refused(), (409, "站点“城东教学点”已撤销，不能启用班级"));
    let old = admin.get(&format!("/adult/pc/class/view?id={class}")).await;
    assert_eq!(old.data()["siteName"], json!("城东教学点"));
    let refused = admin.post("/adult/pc/class/save", p.class("C2")).await;
    assert_eq!(fields(&refused), ["siteId: “城东教学点”已停用，请选择其他项"]);
}

#[tokio::test]
async fn staff_of_a_site_see_and_export_it_alone() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let other = json!({ "code": "CX", "name": "城西", "kind": "headquarter", "phone": "13900000002" });
    let other = admin.post("/adult/pc/site/save", other).await.id();
    let codes = ["adult:pc:site:list", "adult:pc:site:view", "adult:pc:site:export"];
    let staff = server.staff_within(1, &codes, "named_sites", &[p.site]).await;
    let list = staff.post("/adult/pc/site/list", json!({})).await;
    assert_eq!((&list.data()["totalCount"], &list.data()["list"][0]["id"]), (&json!(1), &json!(p.site)));
    assert_eq!(list.data()["list"][0]["phone"], json!("138****0001"));
    assert_eq!(staff.get(&format!("/adult/pc/site/view?id={other}")).await.code(), 404);
    let rows = texts(&staff.post("/adult/pc/site/export", json!({})).await.bytes);
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows[1].contains(&"城东教学点".to_owned()), "{rows:?}");
}

/// 05 E4: how a site and a unit are reached is shown masked, kept when it comes back so, and opened one value at a time.
#[tokio::test]
async fn phones_mails_and_addresses_are_masked_and_kept() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).filter(|code| !code.ends_with("Plain")).collect();
    let staff = server.staff(1, &codes).await;
    let reached =
        json!({ "phone": "13800138000", "email": "zhan@example.com", "address": "湖北省武汉市洪山区珞喻路1号" });
    let masked = json!({ "phone": "138****8000", "email": "z***@example.com", "address": "湖北省武汉市洪山区***" });
    for (entity, name, export, fields, form) in [
        (
            "site",
            "site",
            "site",
            vec!["phone", "email", "address"],
            json!({ "code": "S1", "name": "城东站", "kind": "headquarter" }),
        ),
        (
            "organize",
            "organization",
            "organize",
            vec!["phone"],
            json!({ "code": "JG", "name": "经管学院", "kind": "college" }),
        ),
    ] {
        let mut form = form;
        for field in &fields {
            form[*field] = reached[field].clone();
        }
        let id = admin.post(&format!("/adult/pc/{entity}/save"), form.clone()).await.id();
        let shown = staff.get(&format!("/adult/pc/{entity}/view?id={id}")).await.data().clone();
        let listed = staff.post(&format!("/adult/pc/{entity}/list"), json!({})).await.body.to_string();
        let sheet = texts(&staff.post(&format!("/adult/pc/{export}/export"), json!({})).await.bytes).concat().join(" ");
        (form["id"], form["version"], form["name"]) = (json!(id), json!(1), json!("改名"));
        for field in &fields {
            assert_eq!(shown[*field], masked[field], "{entity} {field}");
            let whole = reached[field].as_str().expect("a text");
            assert!(!listed.contains(whole) && !sheet.contains(whole), "{entity} {field}: {listed} {sheet}");
            form[*field] = masked[field].clone();
        }
        assert_eq!(admin.put(&format!("/adult/pc/{entity}/edit"), form.clone()).await.code(), 200);
        for field in &fields {
            let wanted = json!({ "entity": name, "id": id, "field": field });
            let whole = admin.post("/system/pc/plain/view", wanted.clone()).await;
            assert_eq!(whole.data()["value"], reached[field], "{entity} {field} was not touched");
            assert_eq!(staff.post("/system/pc/plain/view", wanted).await.code(), 403);
        }
        let asked = format!("/adult/pc/{export}/export?whole=true&reason=%E6%A0%B8%E5%AF%B9");
        let whole = texts(&admin.post(&asked, json!({})).await.bytes).concat();
        assert!(whole.contains(&"13800138000".to_owned()), "{whole:?}");
        // Another's mask is no number.
        (form["version"], form["phone"]) = (json!(2), json!("139****0000"));
        let refused = admin.put(&format!("/adult/pc/{entity}/edit"), form).await;
        assert_eq!(kit::fields(&refused), ["phone: 请填写完整的电话号码"]);
    }
}

/// 03 §0.1: numbers of classes and students are those of the caller's sites and classes.
#[tokio::test]
async fn what_is_counted_lies_within_the_scope() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let other = json!({ "code": "CX", "name": "城西", "kind": "headquarter" });
    let other = admin.post("/adult/pc/site/save", other).await.id();
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    admin.post("/adult/pc/class/save", p.class("C2")).await.id();
    let mut there = p.class("C3");
    there["siteId"] = json!(other);
    let there = admin.post("/adult/pc/class/save", there).await.id();
    students(&server, &p, p.site, Some(class), 1, 3).await;
    students(&server, &p, p.site, None, 11, 2).await;
    students(&server, &p, other, Some(there), 21, 4).await;
    let of_site = server.staff_within(1, &SEEING, "named_sites", &[p.site]).await;
    let of_class = server.staff_within(1, &SEEING, "named_classes", &[class]).await;
    for (who, reader, classes, people) in
        [("all", &admin, 3, 9), ("a site", &of_site, 2, 5), ("a class", &of_class, 1, 3)]
    {
        for entity in ["grade", "major", "site"] {
            let list = reader.post(&format!("/adult/pc/{entity}/list"), json!({})).await.data()["list"].clone();
            let rows = list.as_array().expect("rows").clone();
            let row = rows.iter().find(|row| row["code"] != json!("CX")).expect("the place's own").clone();
            let id = &row["id"];
            let view = reader.get(&format!("/adult/pc/{entity}/view?id={id}")).await.data().clone();
            let people = if who == "all" && entity == "site" { 5 } else { people };
            let classes = if who == "all" && entity == "site" { 2 } else { classes };
            assert_eq!(
                (&row["studentCount"], &view["studentCount"]),
                (&json!(people), &json!(people)),
                "{who} {entity}"
            );
            if entity != "major" {
                assert_eq!(
                    (&row["classCount"], &view["classCount"]),
                    (&json!(classes), &json!(classes)),
                    "{who} {entity}"
                );
            }
        }
    }
}

const SEEING: [&str; 6] = [
    "adult:pc:grade:list",
    "adult:pc:grade:view",
    "adult:pc:major:list",
    "adult:pc:major:view",
    "adult:pc:site:list",
    "adult:pc:site:view",
];

#[tokio::test]
async fn an_import_of_300_sites_with_one_unknown_unit_writes_nothing() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    admin.post("/adult/pc/organize/save", json!({ "code": "JG", "name": "经管学院", "kind": "college" })).await.id();
    let headings = ["站点编码", "站点名称", "类型", "管理机构编码"];
    let mut rows: Vec<[String; 4]> =
        (2..=301).map(|n| [format!("S{n}"), format!("第{n}站"), "校本部".to_owned(), "JG".to_owned()]).collect();
    rows[118][3] = "NO".to_owned();
    let send = |rows: Vec<[String; 4]>| {
        let admin = &admin;
        async move {
            let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
            import(admin, "/adult/pc/site", &headings, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>()).await
        }
    };
    let refused = send(rows.clone()).await;
    let told = row_errors(refused.data());
    assert!(told.len() == 1 && told[0].starts_with("120 管理机构编码: "), "{told:?}");
    assert_eq!(server.one::<i64>("select count(*) from school_1.site").await, 0);
    rows[118][3] = "jg".to_owned();
    assert_eq!(send(rows).await.data()["imported"], json!(300));
}

#[tokio::test]
async fn a_major_fits_its_level_and_exists_once() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let associate = json!({ "code": "GQZ", "name": "高起专", "entryLevel": "high_school_to_associate" });
    let associate = admin.post("/adult/pc/arrangement/save", associate).await.id();
    let form = |code: &str, level: i64, direction: &str| json!({ "code": code, "name": "会计学", "nationalMajorId": p.national, "levelId": level, "totalCredits": 92, "direction": direction });
    let refused = admin.post("/adult/pc/major/save", form("KJ2", associate, "")).await;
    assert_eq!(fields(&refused), ["levelId: 层次“高起专”只能选择专科专业"]);
    let (a, b) = tokio::join!(
        admin.post("/adult/pc/major/save", form("KJ3", p.level, "财务管理")),
        other.post("/adult/pc/major/save", form("KJ4", p.level, "财务管理"))
    );
    let (saved, refused) = if a.code() == 200 { (a, b) } else { (b, a) };
    assert_eq!(saved.code(), 200, "{}", saved.body);
    assert_eq!(fields(&refused), ["nationalMajorId: 同一国家专业、层次、学习形式和方向的专业已存在"]);
    // 120203K is controlled, and four years are more than half a year from the level's.
    let mut odd = form("KJ5", p.level, "国际会计");
    odd["schoolingYears"] = json!(4);
    let saved = admin.post("/adult/pc/major/save", odd.clone()).await.data().clone();
    let differs = "学制4年与层次“专升本”的2.5年相差超过0.5年，请核对";
    assert_eq!(saved["warnings"], json!(["国控专业，须取得主管部门同意", differs]), "{saved}");
    (odd["id"], odd["version"]) = (saved["id"].clone(), json!(1));
    let edited = admin.put("/adult/pc/major/edit", odd.clone()).await.data().clone();
    assert_eq!(edited["warnings"], json!([differs]), "what was chosen before is not told again: {edited}");
    (odd["version"], odd["schoolingYears"]) = (json!(2), json!(3));
    assert_eq!(admin.put("/adult/pc/major/edit", odd).await.data()["warnings"], json!([]));
    let headings = ["校内专业代码", "专业名称", "国家专业代码", "层次编码", "学习形式", "专业方向", "学制", "总学分"];
    let row: &[&str] = &["KJ6", "会计学", "120203K", "ZSB", "函授", "税务会计", "4", "92"];
    let done = import(&admin, "/adult/pc/major", &headings, &[row]).await;
    let told: Vec<_> =
        done.data()["warnings"].as_array().expect("warnings").iter().map(|told| &told["message"]).collect();
    assert_eq!(told, ["国控专业，须取得主管部门同意", differs], "{}", done.body);
}

#[tokio::test]
async fn a_class_holds_its_students_and_belongs_to_one_level() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let seen = admin.get(&format!("/adult/pc/class/view?id={class}")).await;
    assert_eq!(seen.data()["name"], json!("2026级专升本会计学城东1班"));
    students(&server, &p, p.site, Some(class), 1, 48).await;
    let edit = |capacity: i64, site: i64| {
        let mut body = p.class("C1");
        for (field, value) in [("id", class), ("version", 1), ("capacity", capacity), ("siteId", site)] {
            body[field] = json!(value);
        }
        body
    };
    let refused = admin.put("/adult/pc/class/edit", edit(40, p.site)).await;
    assert_eq!(fields(&refused), ["capacity: 容量不能小于现有人数48"]);
    let other =
        admin.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西", "kind": "headquarter" })).await.id();
    let moved = admin.put("/adult/pc/class/edit", edit(50, other)).await;
    assert_eq!(moved.refused(), (409, "班级已有48名学生，不能修改年级、层次、专业或站点"));
    let associate = json!({ "code": "GQZ", "name": "高起专", "entryLevel": "high_school_to_associate" });
    let associate = admin.post("/adult/pc/arrangement/save", associate).await.id();
    let mut wrong = p.class("C9");
    wrong["levelId"] = json!(associate);
    let refused = admin.post("/adult/pc/class/save", wrong).await;
    assert_eq!(fields(&refused), ["majorId: 专业“会计学”不属于层次“高起专”"]);
    let refused = admin.delete(&format!("/adult/pc/class/delete?id={class}")).await;
    assert_eq!((refused.code(), refused.msg().contains("48名学生")), (409, true), "{}", refused.body);
}
