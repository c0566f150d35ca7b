//! Who sits in which class (part 02 §9.5, §9.12).

use kit::{
    Client, Server,
    cohort::{Cohort, cohort, registrar},
    fields,
    imports::undone,
    jobs::ended,
    sheets::{XLSX, row_errors, sheet},
};
use serde_json::{Value, json};

const STUDENT: &str = "/user/pc/student";

/// Writes registered students without a class; every second is a woman.
async fn unassigned(server: &Server, p: &Cohort, from: i64, count: i64) {
    server
        .run(&format!(
            "insert into school_1.student (student_no, examinee_no, name, name_grams, pinyin, initials, gender, id_card_type, id_card_no,
                 grade_id, level_id, major_id, study_form, schooling_years, site_id, enrolled_on, expected_graduation_on,
                 max_study_end_on, status, source, created_by, updated_by)
             select 'S' || lpad(n::text, 6, '0'), '26' || lpad(n::text, 6, '0'), '学生' || n, '{{}}', 'xuesheng' || lpad(n::text, 6, '0'), '',
                 case n % 2 when 0 then 'female' else 'male' end, 'passport', 'E' || lpad(n::text, 8, '0'), {}, {}, {},
                 'non_full_time', 2.5, {}, '2026-03-01', '2028-07-10', '2031-02-28', 'registered', 'legacy', 0, 0
             from generate_series({from}, {from} + {count} - 1) n",
            p.grade, p.level, p.major, p.site
        ))
        .await;
}

async fn class(client: &Client<'_>, p: &Cohort, code: &str, capacity: i64) -> i64 {
    let body = json!({ "code": code, "name": format!("{code}班"), "gradeId": p.grade, "levelId": p.level, "majorId": p.major, "siteId": p.site, "capacity": capacity });
    client.post("/adult/pc/class/save", body).await.id()
}

fn place_of(p: &Cohort) -> Cohort {
    Cohort { grade: p.grade, level: p.level, national: p.national, major: p.major, site: p.site }
}

/// The first students in the order of their numbers.
async fn items(server: &Server, from: i64, count: i64) -> Value {
    let items: String = server
        .one(&format!(
            "select json_agg(json_build_object('id', id, 'version', version) order by id)::text
             from (select id, version from school_1.student order by id offset {from} limit {count}) s"
        ))
        .await;
    serde_json::from_str(&items).expect("items")
}

fn wish(p: &Cohort, more: Value) -> Value {
    let mut body =
        json!({ "gradeId": p.grade, "mode": "balance", "order": "name_pinyin", "capacity": 50, "dryRun": true });
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

fn sizes(plan: &Value) -> Vec<i64> {
    let groups = plan["groups"].as_array().expect("groups");
    groups
        .iter()
        .flat_map(|group| group["classes"].as_array().expect("classes"))
        .map(|class| class["added"].as_i64().expect("a number"))
        .collect()
}

/// §9.12.3: the plan that was shown is carried out, or nothing.
#[tokio::test]
async fn a_plan_is_carried_out_as_it_was_shown_or_not_at_all() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    unassigned(&server, &p, 1, 131).await;
    let plan = admin.post(&format!("{STUDENT}/autoDivide"), wish(&p, json!({}))).await.data().clone();
    assert_eq!((sizes(&plan), &plan["newClasses"]), (vec![44, 44, 43], &json!(3)), "{plan}");
    assert_eq!(plan["groups"][0]["classes"][0]["name"], json!("2026级专升本会计学城东1班"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.class").await, 0);
    let commit = |plan: &Value| wish(&p, json!({ "dryRun": false, "planHash": plan["planHash"] }));
    let unseen = admin.post(&format!("{STUDENT}/autoDivide"), wish(&p, json!({ "dryRun": false }))).await;
    assert_eq!(fields(&unseen), ["planHash: 请先预览分班方案"]);
    unassigned(&server, &p, 132, 1).await;
    let stale = admin.post(&format!("{STUDENT}/autoDivide"), commit(&plan)).await;
    assert_eq!(stale.refused(), (409, "学生名单已变化，请重新预览"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.class").await, 0);
    let plan = admin.post(&format!("{STUDENT}/autoDivide"), wish(&p, json!({}))).await.data().clone();
    assert_eq!(sizes(&plan), [44, 44, 44]);
    let done = admin.post(&format!("{STUDENT}/autoDivide"), commit(&plan)).await;
    assert_eq!((&done.data()["done"], done.code()), (&json!(132), 200), "{}", done.body);
    let seats: Vec<i64> = server
        .one("select array_agg(n order by seq) from (select c.seq, count(*) as n from school_1.student s join school_1.class c on c.id = s.class_id group by c.seq) t")
        .await;
    assert_eq!(seats, [44, 44, 44]);
    let history: i64 = server
        .one("select count(*) from school_1.student_status_change where kind = 'class_change' and after ? 'classId'")
        .await;
    assert_eq!(history, 132);
    // The first in the order by name sit in the first class.
    let first: i64 = server.one("select count(*) from school_1.student s join school_1.class c on c.id = s.class_id where c.seq = 1 and s.student_no <= 'S000044'").await;
    assert_eq!(first, 44);
    let empty = admin.post(&format!("{STUDENT}/autoDivide"), wish(&p, json!({}))).await.data().clone();
    assert_eq!((&empty["students"], &empty["groups"]), (&json!(0), &json!([])));

    // One has moved on; the others go back.
    let other = class(&admin, &p, "ELSE", 50).await;
    let one = json!({ "items": items(&server, 0, 1).await, "classId": other });
    assert_eq!(admin.put(&format!("{STUDENT}/divide"), one).await.data()["done"], json!(1));
    let undo = json!({ "planHash": plan["planHash"] });
    let undone = admin.put(&format!("{STUDENT}/divide/undo"), undo.clone()).await.data().clone();
    assert_eq!(
        (&undone["done"], &undone["failed"][0]["msg"]),
        (&json!(131), &json!("该生已不在所分的班级")),
        "{undone}"
    );
    assert_eq!(server.one::<i64>("select count(*) from school_1.student where class_id is null").await, 131);
    server.run("update school_1.student_status_change set created_at = now() - interval '25 hours'").await;
    let late = admin.put(&format!("{STUDENT}/divide/undo"), undo).await;
    assert_eq!(late.refused(), (409, "24小时内没有这次分班，不能撤销"));
}

/// A plan that was undone may be carried out again, and again be undone.
#[tokio::test]
async fn a_repeated_division_is_undone_as_the_first_was() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let class = class(&admin, &p, "OLD", 50).await;
    unassigned(&server, &p, 1, 3).await;
    let fill = json!({ "mode": "fill", "useExisting": true });
    let path = format!("{STUDENT}/autoDivide");
    let mut hashes = Vec::new();
    for _ in 0..2 {
        let plan = admin.post(&path, wish(&p, fill.clone())).await.data().clone();
        let mut commit = wish(&p, fill.clone());
        (commit["dryRun"], commit["planHash"]) = (json!(false), plan["planHash"].clone());
        assert_eq!(admin.post(&path, commit).await.data()["done"], json!(3));
        let undo = json!({ "planHash": plan["planHash"] });
        let undone = admin.put(&format!("{STUDENT}/divide/undo"), undo).await;
        assert_eq!((undone.code(), &undone.data()["done"], &undone.data()["failed"]), (200, &json!(3), &json!([])));
        hashes.push(plan["planHash"].clone());
    }
    assert_eq!(hashes[0], hashes[1], "it is the same plan");
    // Whoever was seated by hand since then stays, though in the same class.
    let seat = json!({ "items": items(&server, 0, 1).await, "classId": class });
    assert_eq!(admin.put(&format!("{STUDENT}/divide"), seat).await.data()["done"], json!(1));
    let again = admin.put(&format!("{STUDENT}/divide/undo"), json!({ "planHash": hashes[0] })).await.data().clone();
    assert_eq!((&again["done"], again["failed"].as_array().map(Vec::len)), (&json!(0), Some(3)), "{again}");
}

/// The worked numbers of §9.5 with existing classes and with small ones.
#[tokio::test]
async fn classes_are_filled_before_new_ones_are_made() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let full = class(&admin, &p, "OLD", 50).await;
    unassigned(&server, &p, 1, 47).await;
    server.run(&format!("update school_1.student set class_id = {full}")).await;
    unassigned(&server, &p, 48, 20).await;
    let fill = json!({ "mode": "fill", "useExisting": true, "minSize": 20 });
    let plan = admin.post(&format!("{STUDENT}/autoDivide"), wish(&p, fill.clone())).await.data().clone();
    assert_eq!(sizes(&plan), [3, 17]);
    assert_eq!(
        (&plan["groups"][0]["classes"][0]["classId"], &plan["groups"][0]["classes"][0]["taken"]),
        (&json!(full), &json!(47))
    );
    assert_eq!(plan["small"], json!(["2026级专升本会计学城东2班"]), "{plan}");
    let balanced = admin.post(&format!("{STUDENT}/autoDivide"), wish(&p, json!({ "useExisting": true }))).await;
    assert_eq!(fields(&balanced), ["useExisting: 人数均衡只新建班级，要补满已有班级请选择依次填满"]);
    let small = admin.post(&format!("{STUDENT}/autoDivide"), wish(&p, json!({ "minSize": 60 }))).await;
    assert_eq!(fields(&small), ["minSize: 最小人数不能大于班级容量"]);
    let nameless = admin.post(&format!("{STUDENT}/autoDivide"), wish(&p, json!({ "namePattern": "{grade}班" }))).await;
    assert_eq!(fields(&nameless), ["namePattern: 班级名称格式中须有序号 {n}，如 {grade}{major}{n}班"]);
    let mut commit = wish(&p, fill);
    commit["dryRun"] = json!(false);
    commit["planHash"] = plan["planHash"].clone();
    assert_eq!(admin.post(&format!("{STUDENT}/autoDivide"), commit).await.data()["done"], json!(20));
    unassigned(&server, &p, 68, 110).await;
    let plan = admin
        .post(
            &format!("{STUDENT}/autoDivide"),
            wish(&p, json!({ "mode": "fill", "namePattern": "{major}（{site}）{n}班" })),
        )
        .await
        .data()
        .clone();
    assert_eq!((sizes(&plan), &plan["small"]), (vec![50, 30, 30], &json!([])), "{plan}");
    assert_eq!(plan["groups"][0]["classes"][0]["name"], json!("会计学（城东）3班"));
    let genders = admin
        .post(&format!("{STUDENT}/autoDivide"), wish(&p, json!({ "order": "gender_balanced" })))
        .await
        .data()
        .clone();
    assert_eq!(sizes(&genders), [37, 37, 36]);
}

#[tokio::test]
async fn students_are_seated_by_hand_where_they_belong() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let other =
        admin.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西", "kind": "headquarter" })).await.id();
    let here = class(&admin, &p, "A", 3).await;
    let there = class(&admin, &Cohort { site: other, ..place_of(&p) }, "B", 50).await;
    unassigned(&server, &p, 1, 5).await;
    let all = items(&server, 0, 5).await;
    let seat = |items: &Value, class: Value, force: bool| json!({ "items": items, "classId": class, "force": force });
    let away = admin.put(&format!("{STUDENT}/divide"), seat(&all, json!(there), false)).await.data().clone();
    assert_eq!((&away["done"], &away["failed"][0]["msg"]), (&json!(0), &json!("与班级的站点不一致")), "{away}");
    // Those for whom a seat is left are seated; the others fail one by one.
    let over = admin.put(&format!("{STUDENT}/divide"), seat(&all, json!(here), false)).await.data().clone();
    let full: Vec<&Value> =
        over["failed"].as_array().expect("failures").iter().map(|failure| &failure["msg"]).collect();
    assert_eq!((&over["done"], full), (&json!(3), vec![&json!("班级容量3，已有3人，超出1人"); 2]), "{over}");
    assert_eq!(server.one::<i64>("select count(*) from school_1.student where class_id is not null").await, 3);
    let two = items(&server, 3, 2).await;
    let forced = admin.put(&format!("{STUDENT}/divide"), seat(&two, json!(here), true)).await.data().clone();
    assert_eq!((&forced["done"], &forced["failed"]), (&json!(2), &json!([])));
    let stale = admin.put(&format!("{STUDENT}/divide"), seat(&all, json!(null), false)).await.data().clone();
    let msg = stale["failed"][0]["msg"].as_str().expect("a reason");
    assert!(msg.starts_with("数据已被教务员于") && msg.ends_with("修改，请刷新后重试"), "{stale}");
    server.run("update school_1.student set status = 'withdrawn', status_reason = 'voluntary' where id = (select min(id) from school_1.student)").await;
    let out = seat(&items(&server, 0, 5).await, json!(null), false);
    let out = admin.put(&format!("{STUDENT}/divide"), out).await.data().clone();
    assert_eq!((&out["done"], &out["failed"][0]["msg"]), (&json!(4), &json!("当前学籍状态为退学，不能分班")), "{out}");
    let again = seat(&items(&server, 1, 1).await, json!(null), false);
    let again = admin.put(&format!("{STUDENT}/divide"), again).await.data().clone();
    assert_eq!(again["failed"][0]["msg"], json!("该生没有班级"));
    admin.put("/adult/pc/class/update/status", json!({ "id": here, "enabled": false })).await;
    let closed = admin.put(&format!("{STUDENT}/divide"), seat(&items(&server, 1, 1).await, json!(here), true)).await;
    assert_eq!(closed.refused(), (409, "班级“A班”已停用"));

    // Somebody of another site moves none of them and sees no name.
    let narrow = server.staff_within(1, &["user:pc:student:allocation"], "named_sites", &[other]).await;
    let theirs = narrow
        .put(&format!("{STUDENT}/divide"), seat(&items(&server, 1, 1).await, json!(there), false))
        .await
        .data()
        .clone();
    assert_eq!(
        (&theirs["failed"][0]["name"], &theirs["failed"][0]["msg"]),
        (&json!(""), &json!("无权操作该数据")),
        "{theirs}"
    );
    let plan = narrow.post(&format!("{STUDENT}/autoDivide"), wish(&p, json!({}))).await.data().clone();
    assert_eq!(plan["students"], json!(0));
}

#[tokio::test]
async fn a_sheet_seats_all_its_students_or_none() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let other =
        admin.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西", "kind": "headquarter" })).await.id();
    let first = class(&admin, &p, "A", 2).await;
    class(&admin, &p, "B", 50).await;
    class(&admin, &Cohort { site: other, ..place_of(&p) }, "C", 50).await;
    unassigned(&server, &p, 1, 6).await;
    let upload = async |rows: &[&[&str]]| {
        let bytes = sheet(&["学号", "考生号", "姓名", "班级名称"], rows);
        admin.upload(&format!("{STUDENT}/divide/import"), "file", "分班.xlsx", XLSX, &bytes).await.data().clone()
    };
    let wrong = upload(&[
        &["S000001", "", "学生1", "A班"],
        &["", "26000002", "学生2", "A班"],
        &["S000003", "", "学生3", "A班"],
        &["S000004", "26000005", "学生4", "B班"],
        &["", "", "学生5", "B班"],
        &["S000009", "", "学生9", "B班"],
        &["S000005", "", "学生6", "B班"],
        &["S000006", "", "学生6", "C班"],
        &["S000001", "", "学生1", "B班"],
        &["S000006", "", "学生6", "D班"],
    ])
    .await;
    assert_eq!(
        row_errors(&wrong),
        [
            "4 班级名称: 班级容量2，已有2人，超出1人",
            "5 考生号: 与学号不是同一名学生",
            "6 学号: 请填写学号或考生号",
            "7 学号: 没有该学号的学生",
            "8 姓名: 与学籍中的姓名不一致",
            "9 班级名称: 与班级的站点不一致",
            "10 : 与第2行是同一名学生",
            "11 : 与第9行是同一名学生",
            "11 班级名称: 学生所在年级没有班级“D班”",
        ]
    );
    assert_eq!(server.one::<i64>("select count(*) from school_1.student where class_id is not null").await, 0);
    let right = upload(&[&["S000001", "", "学生1", "A班"], &["", "26000002", "学生2", "A班"]]).await;
    assert_eq!(right["imported"], json!(2), "{right}");
    // The seat that the first leaves is taken by the third; an earlier class is overwritten.
    let moved = upload(&[&["S000001", "", "学生1", "B班"], &["S000003", "", "学生3", "A班"]]).await;
    assert_eq!(moved["imported"], json!(2), "{moved}");
    let seated: i64 = server.one(&format!("select count(*) from school_1.student where class_id = {first}")).await;
    assert_eq!(seated, 2);
    // Taken back the other way round: the third leaves the seat to which the first comes back.
    let classes = async || {
        let names = "string_agg(coalesce(c.name, '无'), ' ' order by s.id)";
        let of = "school_1.student s left join school_1.class c on c.id = s.class_id where s.id <= 3";
        server.one::<String>(&format!("select {names} from {of}")).await
    };
    assert_eq!(classes().await, "B班 A班 A班");
    let checked = undone(&admin, true).await;
    assert_eq!((&checked["message"], classes().await.as_str()), (&json!("共2条，均可撤销"), "B班 A班 A班"));
    let done = undone(&admin, false).await;
    assert_eq!((&done["message"], classes().await.as_str()), (&json!("共2条，已撤销2条"), "A班 A班 无"));
    // Nobody comes back into a class without a seat.
    let moved = upload(&[&["S000001", "", "学生1", "B班"]]).await;
    assert_eq!(moved["imported"], json!(1), "{moved}");
    let other = json!({ "items": items(&server, 2, 1).await, "classId": first });
    assert_eq!(admin.put(&format!("{STUDENT}/divide"), other).await.data()["done"], json!(1));
    let kept = undone(&admin, false).await;
    assert_eq!(kept["errors"][0]["msg"], json!("班级容量2，已有2人，超出1人"), "{kept}");
    assert_eq!(classes().await, "B班 A班 A班");
}

/// More students than a call answers for are divided by a job: all or none, and as the plan was shown.
#[tokio::test]
async fn many_students_are_divided_by_a_job() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    unassigned(&server, &p, 1, 2_001).await;
    let path = format!("{STUDENT}/autoDivide");
    let plan = admin.post(&path, wish(&p, json!({}))).await.data().clone();
    let mut commit = wish(&p, json!({ "dryRun": false }));
    commit["planHash"] = plan["planHash"].clone();
    let started = admin.post(&path, commit.clone()).await.data().clone();
    assert_eq!(started["done"], json!(0), "{started}");
    let job = ended(&admin, &started["jobId"]).await;
    assert_eq!(
        (&job["state"], &job["message"], &job["done"]),
        (&json!("done"), &json!("已为2001名学生分班，新建41个班级"), &json!(2001)),
        "{job}"
    );
    assert_eq!(server.one::<i64>("select count(*) from school_1.student where class_id is null").await, 0);
    assert_eq!(admin.post(&path, commit).await.refused(), (409, "学生名单已变化，请重新预览"));
    let undone = admin.put(&format!("{STUDENT}/divide/undo"), json!({ "planHash": plan["planHash"] })).await;
    assert_eq!(undone.data()["done"], json!(2001));
}
