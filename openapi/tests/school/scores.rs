//! Scores: the scenarios of part 04 §5 to §7 with their worked numbers.

use std::io::{Cursor, Read};

use chrono::Duration;
use kit::{
    Client, Server,
    accounts::all_school_codes,
    clients,
    cohort::registrar,
    exam_seats::{self, over},
    fields,
    files::{paper, uploaded, written},
    lessons::lessons,
    scores::{ACHIEVEMENT, COMPONENT, CORRECTION, RULE, SHEET, enter, published, rows, scored, seen, step, told},
    sheets::{import, row_errors},
};
use poem::http::Method;
use serde_json::{Value, json};

async fn colleague(server: &Server) -> Client<'_> {
    let codes = all_school_codes();
    server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await
}

fn weights(final_exam: i32) -> Value {
    json!({
        "weights": { "study": 20, "homework": 20, "attendance": 0, "questions": 0, "final_exam": final_exam },
        "scale": 0, "passLine": 60,
        "missing": { "study": "zero", "homework": "zero", "attendance": "zero", "questions": "zero", "final_exam": "block" },
        "gradingMode": "percent", "gpaScale": "linear_5",
    })
}

/// §5.8 scenarios 1, 2, 8, 9.
#[tokio::test]
async fn the_rule_that_names_most_counts() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = scored(&server, &admin, [1, 1]).await;
    let student: i64 = server.one("select min(student_id) from school_1.course_selection").await;
    let course = at.taught.course;
    let place: (i64, i64, i64) = (
        server.one(&format!("select grade_id from school_1.student where id = {student}")).await,
        server.one(&format!("select level_id from school_1.student where id = {student}")).await,
        server.one(&format!("select major_id from school_1.student where id = {student}")).await,
    );
    let save = async |body: Value| admin.post(&format!("{RULE}/save"), body).await;
    let wrong = save(json!({ "kind": "total", "courseId": course, "params": weights(50), "enabled": true })).await;
    assert_eq!(fields(&wrong), ["params.weights: 权重之和必须为100，当前为90"]);
    let cohort = json!({ "kind": "total", "gradeId": place.0, "levelId": place.1, "majorId": place.2,
        "params": weights(60), "enabled": true });
    save(cohort.clone()).await.id();
    let own = save(json!({ "kind": "total", "courseId": course, "params": weights(60), "enabled": true })).await.id();
    assert_eq!(save(cohort).await.refused(), (409, "该适用范围已有规则，请编辑原有规则"));
    let resolved = admin.get(&format!("{RULE}/resolve?kind=total&studentId={student}&courseId={course}")).await;
    assert_eq!(resolved.data()["rule"]["id"], json!(own), "8 beats 7");
    let default: i64 = server
        .one("select id from school_1.score_rule where kind = 'total' and course_id is null and grade_id is null")
        .await;
    let delete = admin.delete(&format!("{RULE}/delete?id={default}")).await;
    assert_eq!(delete.refused(), (409, "默认规则不能删除"));
    let off = admin.put(&format!("{RULE}/update/status"), json!({ "id": default, "enabled": false })).await;
    assert_eq!(off.refused(), (409, "默认规则不能停用"));
    let edit = json!({ "id": own, "version": 1, "kind": "total", "courseId": course, "params": weights(60),
        "enabled": true, "remark": "改" });
    admin.put(&format!("{RULE}/edit"), edit.clone()).await.data();
    assert_eq!(admin.put(&format!("{RULE}/edit"), edit).await.code(), 409);
    kit::rows::students(&server, &at.taught.p, at.taught.p.site, None, 900, 1).await;
    let counted = admin.get(&format!("{RULE}/view?id={own}")).await.data()["studentCount"].clone();
    assert_eq!(counted, json!(2), "those who take the course");
    let of_theses = json!({ "kind": "review", "majorId": place.2, "enabled": true,
        "params": { "items": [{ "code": "all", "name": "评阅", "weight": 100 }], "itemsRequired": false } });
    assert_eq!(save(of_theses).await.data()["staleCount"], json!(0), "no score of a course follows it");
    let tried = json!({ "kind": "total", "values": { "study": 85.5, "homework": 90.0, "exam": 52.0 } });
    let tried = admin.post(&format!("{RULE}/preview"), tried).await.data().clone();
    assert_eq!((&tried["value"], &tried["passed"], &tried["text"]), (&json!(66.0), &json!(true), &json!("66")));
    let without = json!({ "kind": "total", "values": { "study": 85.5, "exam": 52.0 } });
    let without = admin.post(&format!("{RULE}/preview"), without).await.data().clone();
    assert_eq!((&without["value"], &without["passed"]), (&json!(60.0), &json!(true)), "both pass");
}

/// How many sheets wait for their first and for their second review, as the home page tells it; it is asked anew each minute.
async fn waiting(server: &Server, client: &Client<'_>) -> (Value, Value) {
    server.app.clock().shift(Duration::seconds(61));
    let home = client.get("/data/pc/dashboard/school?refresh=true").await;
    let todos = home.data()["todos"].as_array().expect("todos").clone();
    let count =
        |key: &str| todos.iter().find(|todo| todo["key"] == json!(key)).map_or(json!(0), |todo| todo["count"].clone());
    (count("sheetsToReview"), count("sheetsToAudit"))
}

/// §6.5 scenarios 1, 2, 3, 6, 9; §7 scenario 1.
#[tokio::test]
async fn a_sheet_goes_through_two_reviews_and_is_published() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (first, second) = (colleague(&server).await, colleague(&server).await);
    let at = scored(&server, &admin, [3, 1]).await;
    let sheet = at.sheets[0];
    let longer = json!({ "ids": [sheet], "until": "2199-01-01T00:00:00+08:00", "reason": "教师出差" });
    assert_eq!(admin.put(&format!("{SHEET}/extendEntry"), longer).await.data()["done"], json!(1));
    assert_eq!(seen(&first, sheet).await["extendReason"], json!("教师出差"));
    let window = async |from: &str, to: &str| {
        let set = format!("update school_1.test_batch set score_entry_starts_at = {from}, score_entry_ends_at = {to}");
        server.run(&set).await;
    };
    window("timestamptz '2020-06-20 00:00+08'", "timestamptz '2020-07-05 23:59+08'").await;
    let others = rows(&admin, at.sheets[1]).await;
    let outside = enter(&admin, &others[0], Some(70.0)).await;
    assert_eq!(outside.refused(), (409, "不在成绩录入时间内（06-20 至 07-05）"));
    window("now() - interval '2 days'", "now() + interval '10 days'").await;
    let lines = rows(&admin, sheet).await;
    enter(&admin, &lines[0], Some(80.0)).await.data();
    let stale = enter(&first, &lines[0], Some(70.0)).await;
    assert_eq!(stale.code(), 409);
    assert!(stale.msg().contains("现为：卷面分80"), "{}", stale.body);
    assert_eq!(fields(&enter(&admin, &lines[1], Some(100.5)).await), ["raw: 卷面分应在0到100之间，最多一位小数"]);
    enter(&first, &lines[1], None).await.data();
    assert_eq!(told(&step(&admin, "submit", sheet, json!({})).await), "还有 1 名学生未录入成绩");
    enter(&admin, &lines[2], Some(50.0)).await.data();
    assert_eq!(step(&admin, "submit", sheet, json!({})).await["done"], json!(1));
    let sent = admin.post(&format!("{SHEET}/list"), json!({ "submitted": true })).await;
    assert_eq!((&sent.data()["totalCount"], &sent.data()["list"][0]["id"]), (&json!(1), &json!(sheet)));
    // Of 80 and 50 the one fails; who did not come is no doubt.
    assert_eq!(sent.data()["list"][0]["doubts"], json!(["不及格1人，超过30%"]), "{}", sent.body);
    let kept = admin.post(&format!("{SHEET}/list"), json!({ "submitted": false })).await;
    assert_eq!(kept.data()["totalCount"], json!(at.sheets.len() - 1));
    let progress = admin.post(&format!("{SHEET}/progress"), json!({ "by": "course" })).await.data().clone();
    let all = &progress["all"];
    assert_eq!((&all["totalCount"], &all["enteredCount"], &all["overdue"]), (&json!(4), &json!(3), &json!(0)), "{all}");
    assert_eq!((&all["toReview"], all["oldestAt"].is_string()), (&json!(1), true), "{all}");
    assert_eq!(progress["rows"].as_array().map(Vec::len), Some(1), "{progress}");
    let open = json!({ "by": "site", "filter": { "submitted": false } });
    let open = admin.post(&format!("{SHEET}/progress"), open).await.data()["all"].clone();
    assert_eq!((&open["totalCount"], &open["oldestAt"]), (&json!(1), &json!(null)), "{open}");
    assert_eq!(waiting(&server, &admin).await, (json!(1), json!(0)));
    assert_eq!(told(&step(&admin, "review", sheet, json!({})).await), "不能审核自己提交的成绩");
    assert_eq!(step(&first, "review", sheet, json!({})).await["done"], json!(1));
    assert_eq!(waiting(&server, &admin).await, (json!(0), json!(1)));
    assert_eq!(told(&step(&first, "audit", sheet, json!({})).await), "终审人不能与初审人相同");
    assert_eq!(step(&second, "audit", sheet, json!({})).await["done"], json!(1));
    let drafts = admin.post(&format!("{ACHIEVEMENT}/list"), json!({})).await;
    assert_eq!(drafts.data()["totalCount"], json!(0), "nothing is out yet");
    // The signed paper lies beside its sheet; a newer scan takes its place.
    for name in ["签字.pdf", "签字重扫.pdf"] {
        let signed = json!({ "id": sheet, "fileKeys": [paper(&admin, name).await], "version": seen(&admin, sheet).await["version"] });
        admin.put(&format!("{SHEET}/scan"), signed).await.data();
    }
    let files = seen(&second, sheet).await["files"].clone();
    assert_eq!((files.as_array().map(Vec::len), &files[0]["name"]), (Some(1), &json!("签字重扫.pdf")), "{files}");
    assert_eq!(step(&second, "publish", sheet, json!({})).await["done"], json!(1));
    let out = admin.post(&format!("{ACHIEVEMENT}/list"), json!({})).await;
    assert_eq!(out.data()["totalCount"], json!(3));
    // The final score stands at the selection, too.
    let of = |row: &Value| {
        format!(
        "select c.final_score::text || ' ' || c.passed from school_1.course_selection c join school_1.course_score s
             on s.selection_id = c.id where s.id = {}", row["courseScoreId"]
    )
    };
    let text: String = server.one(&of(&lines[1])).await;
    assert_eq!(text, "0.0 false", "absent");
    assert_eq!(rows(&admin, sheet).await[1]["text"], json!("缺考"));
    // Each round stands in the details of examinations, on whichever way it came.
    let rounds = admin.post(&format!("{COMPONENT}/exam/list"), json!({ "published": true })).await.data().clone();
    assert_eq!(rounds["totalCount"], json!(3), "{rounds}");
    let absent =
        admin.post(&format!("{COMPONENT}/exam/list"), json!({ "mark": "absent" })).await.data()["list"].clone();
    assert_eq!((&absent[0]["round"], &absent[0]["total"]), (&json!("first"), &json!(0.0)), "{absent}");
    let back = json!({ "reason": "复核" });
    let now = server.now();
    server
        .run(&format!("update school_1.score_sheet set published_at = {now} - interval '25 hours' where id = {sheet}"))
        .await;
    assert_eq!(told(&step(&second, "unpublish", sheet, back.clone()).await), "发布超过24小时，请走成绩更正");
    server
        .run(&format!("update school_1.score_sheet set published_at = {now} - interval '23 hours' where id = {sheet}"))
        .await;
    assert_eq!(step(&second, "unpublish", sheet, back).await["done"], json!(1));
    assert_eq!(seen(&admin, sheet).await["status"], json!("reviewed"));
    let open: i64 = server.one("select count(*) from school_1.course_selection where status = 'completed'").await;
    assert_eq!(open, 0);
    assert_eq!(step(&second, "publish", sheet, json!({})).await["done"], json!(1));
    assert_eq!(step(&second, "lock", sheet, json!({})).await["done"], json!(1));
    let lines = rows(&admin, sheet).await;
    assert_eq!(enter(&admin, &lines[0], Some(90.0)).await.refused(), (409, "成绩已锁定，请走成绩更正"));
    let version = seen(&admin, sheet).await["version"].clone();
    let other = json!({ "id": sheet, "fileKeys": [paper(&admin, "另一份.pdf").await], "version": version });
    let refused = admin.put(&format!("{SHEET}/scan"), other).await;
    assert_eq!(refused.refused(), (409, "成绩已锁定，不能替换扫描件"));
}

/// Who has a part of the school enters and sees the sheets of that part alone.
#[tokio::test]
async fn sheets_lie_where_their_classes_are() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = scored(&server, &admin, [1, 1]).await;
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_classes", &[at.taught.classes[0]]).await;
    let listed = narrow.post(&format!("{SHEET}/list"), json!({})).await;
    assert_eq!(listed.data()["totalCount"], json!(1), "{}", listed.body);
    let progress = narrow.post(&format!("{SHEET}/progress"), json!({ "by": "site" })).await;
    assert_eq!(progress.data()["all"]["totalCount"], json!(1), "{}", progress.body);
    // An operator sees each school beside the others; from inside one that is no question.
    let by_school = json!({ "by": "school" });
    let operator = server.operator().await;
    let schools = operator.post(&format!("{SHEET}/progress"), by_school.clone()).await.data().clone();
    let own =
        schools["rows"].as_array().expect("schools").iter().find(|row| row["id"] == json!(1)).expect("the school");
    assert_eq!((&own["sheets"], &schools["all"]["sheets"]), (&json!(2), &json!(2)), "{schools}");
    let inside = admin.post(&format!("{SHEET}/progress"), by_school).await;
    assert_eq!(fields(&inside), ["by: 按院校统计只用于平台全部院校，请选择按站点或按课程"]);
    let other = rows(&admin, at.sheets[1]).await;
    assert_eq!(enter(&narrow, &other[0], Some(60.0)).await.code(), 404);
    assert_eq!(narrow.get(&format!("{SHEET}/rows?sheetId={}", at.sheets[1])).await.code(), 404);
    assert_eq!(narrow.delete(&format!("{SHEET}/delete?id={}", at.sheets[1])).await.code(), 404);
    let saved = json!({ "kind": "total", "courseId": at.taught.course, "params": weights(60), "enabled": true });
    assert_eq!(narrow.post(&format!("{RULE}/save"), saved).await.code(), 403, "rules are of the whole school");
}

/// §6.5 scenario 4 and §5.8 scenario 7: a wrong row keeps all of them out.
#[tokio::test]
async fn an_import_writes_every_row_or_none() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let first = colleague(&server).await;
    let at = scored(&server, &admin, [2, 1]).await;
    let other = rows(&admin, at.sheets[1]).await;
    enter(&admin, &other[0], Some(66.0)).await.data();
    assert_eq!(step(&admin, "submit", at.sheets[1], json!({})).await["done"], json!(1));
    let lines = rows(&admin, at.sheets[0]).await;
    let text = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
    let (no, name) = (text(&lines[0], "studentNo"), text(&lines[0], "name"));
    let (other_no, other_name) = (text(&other[0], "studentNo"), text(&other[0], "name"));
    let (own, of_other) = (seen(&admin, at.sheets[0]).await, seen(&admin, at.sheets[1]).await);
    let (own, of_other) = (text(&own, "sheetNo"), text(&of_other, "sheetNo"));
    let headings = ["登记表号", "课程编码", "学号", "姓名", "卷面成绩", "特殊情况"];
    let unnamed: [&[&str]; 1] = [&["", "A1", &no, &name, "88", ""]];
    let refused = import(&first, SHEET, &headings, &unnamed).await;
    assert_eq!(row_errors(refused.data()), ["2 登记表号: 请填写登记表号"]);
    let mixed: [&[&str]; 2] =
        [&[&own, "A1", &no, &name, "88", ""], &[&of_other, "A1", &other_no, &other_name, "70", ""]];
    let refused = import(&first, SHEET, &headings, &mixed).await;
    assert_eq!(row_errors(refused.data()), ["3 登记表号: 登记表状态为待初审，不能导入"]);
    assert_eq!(rows(&admin, at.sheets[0]).await[0]["raw"], json!(null));
    let wrong: [&[&str]; 2] = [&[&own, "A1", &no, "别人", "88", ""], &[&own, "A1", &no, &name, "", "作弊"]];
    let refused = import(&first, SHEET, &headings, &wrong).await;
    assert_eq!(row_errors(refused.data()), ["2 姓名: 姓名与学号不符", "3 特殊情况: 作弊须由违规登记产生"]);
    // Beyond one's part of the school nobody is told of a student's name, course or sheet.
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_classes", &[at.taught.classes[1]]).await;
    let beyond: [&[&str]; 2] = [&[&own, "A1", &no, "别人", "88", ""], &[&own, "A1", "9999", "别人", "88", ""]];
    let unknown = "学号: 登记表中没有该学生的这门课程";
    let refused = import(&narrow, SHEET, &headings, &beyond).await;
    assert_eq!(row_errors(refused.data()), [format!("2 {unknown}"), format!("3 {unknown}")]);
    let usual = ["学号", "姓名", "课程编码", "学期编码", "成绩"];
    let beyond: [&[&str]; 2] = [&[&no, "别人", "A1", "2026-1", "95"], &["9999", "别人", "A1", "2026-1", "95"]];
    let refused = import(&narrow, COMPONENT, &usual, &beyond).await;
    assert_eq!(row_errors(refused.data()), ["2 学号: 学号不存在", "3 学号: 学号不存在"]);
    let good: [&[&str]; 1] = [&[&own, "A1", &no, &name, "88", ""]];
    assert_eq!(import(&first, SHEET, &headings, &good).await.data()["imported"], json!(1));
    assert_eq!(rows(&admin, at.sheets[0]).await[0]["raw"], json!(88.0));
    let headings = ["学号", "姓名", "课程编码", "学期编码", "成绩"];
    let beyond: [&[&str]; 1] = [&[&no, &name, "A1", "2026-1", "101"]];
    let refused = import(&first, COMPONENT, &headings, &beyond).await;
    assert_eq!(row_errors(refused.data()), ["2 成绩: 成绩应为0到100之间的数字，最多一位小数"]);
    let fine: [&[&str]; 1] = [&[&no, &name, "A1", "2026-1", "95"]];
    assert_eq!(import(&first, COMPONENT, &headings, &fine).await.data()["imported"], json!(1));
    assert_eq!(rows(&admin, at.sheets[0]).await[0]["attendance"], json!(95.0));
    // The page of questions takes no attendance, and what is imported there is of questions.
    let questions = async |word: &str| {
        let headings = ["学号", "姓名", "课程编码", "学期编码", "成绩项", "成绩"];
        let rows: [&[&str]; 1] = [&[&no, &name, "A1", "2026-1", word, "80"]];
        let file = kit::sheets::sheet(&headings, &rows);
        let path = format!("{COMPONENT}/import?kind=questions");
        first.upload(&path, "file", "导入.xlsx", kit::sheets::XLSX, &file).await
    };
    assert_eq!(row_errors(questions("考勤成绩").await.data()), ["2 成绩项: 这里只能导入答疑成绩"]);
    assert_eq!(questions("").await.data()["imported"], json!(1));
    let row = rows(&admin, at.sheets[0]).await[0].clone();
    assert_eq!((&row["attendance"], &row["questions"]), (&json!(95.0), &json!(80.0)));
    // What somebody typed stands again when the sheet that changed it is undone.
    let typed = json!({ "courseScoreId": lines[0]["courseScoreId"], "kind": "attendance", "value": 70.0, "reason": "纸质考勤" });
    first.put(&format!("{COMPONENT}/edit"), typed).await.id();
    assert_eq!(import(&first, COMPONENT, &headings, &fine).await.data()["imported"], json!(1));
    assert_eq!(rows(&admin, at.sheets[0]).await[0]["attendance"], json!(95.0));
    let undone = kit::imports::undone(&first, false).await;
    assert_eq!(undone["state"], json!("done"), "{undone}");
    assert_eq!(rows(&admin, at.sheets[0]).await[0]["attendance"], json!(70.0));
    let submitted: [&[&str]; 1] = [&[&other_no, &other_name, "A1", "2026-1", "95"]];
    let refused = import(&first, COMPONENT, &headings, &submitted).await;
    assert_eq!(row_errors(refused.data()), ["2 学号: 成绩已提交，不能导入"]);
}

/// §5.8 scenario 4: what was submitted keeps its parts, what is given back is computed again.
#[tokio::test]
async fn a_submitted_score_keeps_its_parts() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let first = colleague(&server).await;
    let at = scored(&server, &admin, [1, 1]).await;
    let studied = |progress: i32| {
        format!(
            "insert into school_1.study_course_progress (id, opening_id, progress, study_seconds)
             select id, opening_id, {progress}, 1000000 from school_1.course_selection where class_id = {}
             on conflict (id) do update set progress = excluded.progress",
            at.taught.classes[0]
        )
    };
    server.run(&studied(50)).await;
    let recompute = json!({ "kind": "study", "semesterId": at.taught.spring });
    let job = admin.post(&format!("{COMPONENT}/recompute"), recompute.clone()).await.data()["jobId"].clone();
    kit::jobs::ended(&admin, &job).await;
    let line = rows(&admin, at.sheets[0]).await[0].clone();
    assert_eq!(line["study"], json!(60.0), "50 × 80% + 20");
    let own = json!({ "kind": "study", "studentId": line["studentId"], "courseId": at.taught.course });
    let tried = admin.post(&format!("{RULE}/preview"), own).await.data().clone();
    assert_eq!((&tried["value"], &tried["steps"][0]["text"]), (&json!(60.0), &json!("50% × 80%")), "{tried}");
    // What is not published is read with the code for it, and of its students alone.
    let rules_only = server.staff(1, &["adult:pc:score:rule:view"]).await;
    for kind in ["study", "total", "final_exam", "graduation_total"] {
        let own = json!({ "kind": kind, "studentId": line["studentId"], "courseId": at.taught.course });
        let refused = rules_only.post(&format!("{RULE}/preview"), own).await;
        assert_eq!(refused.refused(), (403, "没有“查看未发布成绩”权限"), "{kind}");
    }
    let typed = json!({ "kind": "study", "studentId": line["studentId"], "courseId": at.taught.course,
        "values": { "progress": 50.0, "minutes": 20000 } });
    assert_eq!(rules_only.post(&format!("{RULE}/preview"), typed).await.data()["value"], json!(60.0));
    let listing: &[&str] =
        &["adult:pc:adult:achievement:list", "adult:pc:adult:achievement:view", "adult:pc:adult:achievement:export"];
    let drafts: &[&str] = &["adult:pc:adult:achievement:viewDraft"];
    let one_class = [at.taught.classes[0]];
    let reader =
        server.staff_with_roles(1, &[(listing, "whole_school", &[]), (drafts, "named_classes", &one_class)]).await;
    let listed = reader.post(&format!("{ACHIEVEMENT}/list"), json!({ "drafts": true })).await.data().clone();
    assert_eq!((&listed["totalCount"], &listed["list"][0]["id"]), (&json!(1), &line["courseScoreId"]), "{listed}");
    let job = reader.post(&format!("{ACHIEVEMENT}/export?job=true"), json!({ "drafts": true })).await;
    let job = kit::jobs::ended(&reader, &job.data()["jobId"]).await;
    assert_eq!(job["message"], json!("共导出1行"), "{job}");
    let other = rows(&admin, at.sheets[1]).await[0].clone();
    let hidden = reader.get(&format!("{ACHIEVEMENT}/explain?courseScoreId={}", other["courseScoreId"])).await;
    assert_eq!(hidden.code(), 404);
    let seen_of = async |row: &Value| {
        let view = reader.get(&format!("{ACHIEVEMENT}/view?studentId={}", row["studentId"])).await;
        view.data()["scores"].as_array().map_or(0, Vec::len)
    };
    assert_eq!((seen_of(&line).await, seen_of(&other).await), (1, 0));
    enter(&admin, &line, Some(70.0)).await.data();
    assert_eq!(step(&admin, "submit", at.sheets[0], json!({})).await["done"], json!(1));
    server.run(&studied(100)).await;
    server.when_due("scores.nightly", chrono::TimeDelta::minutes(5)).await;
    server
        .wait_until(
            "select exists (select from school_1.course_score_component where kind = 'study' and fresh_value = 100)",
        )
        .await;
    assert_eq!(rows(&admin, at.sheets[0]).await[0]["study"], json!(60.0));
    let back = json!({ "reason": "核对平时成绩" });
    assert_eq!(step(&first, "reject", at.sheets[0], back).await["done"], json!(1));
    assert_eq!(rows(&admin, at.sheets[0]).await[0]["study"], json!(100.0));
    server.run(&studied(90)).await;
    assert_eq!(step(&admin, "submit", at.sheets[0], json!({})).await["done"], json!(1));
    assert_eq!(rows(&admin, at.sheets[0]).await[0]["study"], json!(92.0), "as its sources say when it is submitted");
}

/// §6.5 scenarios 7 and 8.
#[tokio::test]
async fn a_correction_is_decided_by_another_person() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (first, second) = (colleague(&server).await, colleague(&server).await);
    let at = scored(&server, &admin, [1, 1]).await;
    let sheet = at.sheets[0];
    // What somebody has of attendance and of questions is 50, of another one nothing; without questions nobody is handed in.
    let mut params = weights(60);
    params["weights"] = json!({ "study": 0, "homework": 0, "attendance": 20, "questions": 20, "final_exam": 60 });
    params["missing"]["questions"] = json!("block");
    let rule = json!({ "kind": "total", "courseId": at.taught.course, "params": params, "enabled": true });
    let job = admin.post(&format!("{RULE}/save"), rule).await.data()["jobId"].clone();
    if !job.is_null() {
        kit::jobs::ended(&admin, &job).await;
    }
    let line = rows(&admin, sheet).await[0].clone();
    let (no, name) = (line["studentNo"].as_str().expect("a number"), line["name"].as_str().expect("a name"));
    for word in ["考勤成绩", "答疑成绩"] {
        let headings = ["学号", "姓名", "课程编码", "学期编码", "成绩项", "成绩"];
        let half: [&[&str]; 1] = [&[no, name, "A1", "2026-1", word, "50"]];
        assert_eq!(import(&admin, COMPONENT, &headings, &half).await.data()["imported"], json!(1), "{word}");
    }
    enter(&admin, &rows(&admin, at.sheets[1]).await[0], Some(90.0)).await.data();
    assert_eq!(told(&step(&admin, "submit", at.sheets[1], json!({})).await), "有 1 名学生缺少平时成绩");
    let line = rows(&admin, sheet).await[0].clone();
    let score = line["courseScoreId"].clone();
    enter(&admin, &line, Some(58.0)).await.data();
    let evidence = paper(&admin, "复核.pdf").await;
    let form = json!({ "courseScoreId": score, "target": "exam", "newValue": 61.0, "reasonType": "marking_error",
        "reason": "合分错误", "fileKeys": [evidence] });
    let early = admin.post(&format!("{CORRECTION}/save"), form.clone()).await;
    assert_eq!(early.refused(), (409, "成绩尚未发布，请直接修改"));
    published(&admin, &first, &second, sheet).await;
    let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    let letter = json!({ "fileKeys": [uploaded(&admin, "说明.docx", word, b"12345").await] });
    let refused = admin.post(&format!("{CORRECTION}/save"), kit::lessons::with(form.clone(), letter)).await;
    assert_eq!(fields(&refused), ["fileKeys[0]: 不支持该文件格式，可上传：pdf、jpg、jpeg、png"]);
    let made = admin.post(&format!("{CORRECTION}/save"), form.clone()).await.id();
    let again = json!({ "fileKeys": [paper(&admin, "复核2.pdf").await] });
    let again = admin.post(&format!("{CORRECTION}/save"), kit::lessons::with(form, again)).await;
    assert_eq!(again.refused(), (409, "该成绩已有待审核的更正"));
    let decide = json!({ "id": made, "pass": true, "version": 1 });
    let own = admin.put(&format!("{CORRECTION}/audit"), decide.clone()).await;
    assert_eq!(own.refused(), (409, "不能审核自己申请的更正"));
    let graduated = format!(
        "update school_1.student set status = 'graduated' where id = (select student_id from school_1.course_score where id = {score})"
    );
    let before: String =
        server.one(&format!("select display_text from school_1.course_score where id = {score}")).await;
    first.put(&format!("{CORRECTION}/audit"), decide).await.data();
    let after: String = server.one(&format!("select display_text from school_1.course_score where id = {score}")).await;
    // 20 % of 50, 20 % of 50 and 60 % of 58 are 54.8; with 61 they are 56.6, and still no pass.
    assert_eq!((before.as_str(), after.as_str()), ("55", "57"));
    let passed: bool = server.one(&format!("select passed from school_1.course_score where id = {score}")).await;
    assert!(!passed);
    let shown = first.get(&format!("{CORRECTION}/view?id={made}")).await.data().clone();
    assert_eq!((&shown["oldText"], &shown["newText"]), (&json!(before), &json!(after)));
    assert_eq!(shown["files"][0]["name"], json!("复核.pdf"), "whoever decides reads what proves it");
    server.run(&graduated).await;
    let codes = all_school_codes();
    let codes: Vec<&str> =
        codes.iter().map(String::as_str).filter(|code| !code.ends_with("correction:graduated")).collect();
    let without = server.staff(1, &codes).await;
    let form = json!({ "courseScoreId": score, "target": "exam", "newValue": 65.0, "reasonType": "recount",
        "reason": "再次复核", "fileKeys": [paper(&without, "复核3.pdf").await] });
    assert_eq!(without.post(&format!("{CORRECTION}/save"), form).await.code(), 403);
    let figures = json!({ "semesterId": at.taught.spring, "dimension": "course" });
    assert_eq!(admin.post(&format!("{ACHIEVEMENT}/stat"), figures).await.data()["total"]["enrolled"], json!(1));
    let explained = admin.get(&format!("{ACHIEVEMENT}/explain?courseScoreId={score}")).await.data().clone();
    assert_eq!((&explained["frozen"], &explained["rounds"][0]["value"]), (&json!(true), &json!(61.0)));
    let student: i64 = server.one(&format!("select student_id from school_1.course_score where id = {score}")).await;
    server.run(&format!("update school_1.student set status = 'registered' where id = {student}")).await;
    let token = clients::inside(&server, &[student]).await.remove(0);
    let own = server.anonymous().with_token(Some(&token)).get("/user/client/score/list").await.data().clone();
    assert_eq!(own["list"][0]["displayText"], json!(after), "{own}");
    // Below it stands where the school is reached (01 §13).
    for (key, value) in [("officePhone", "027-87654321"), ("officeEmail", "cjb@donghu.edu.cn")] {
        kit::rows::setting(&server, key, &json!(value)).await;
    }
    let printed = admin.post(&format!("{ACHIEVEMENT}/print/transcript"), json!({ "studentIds": [student] })).await;
    assert_eq!(printed.status, 200);
    let below = written(&printed.bytes);
    assert!(below.contains("027-87654321") && below.contains("cjb@donghu.edu.cn"), "{below}");
    assert_eq!(server.one::<i64>("select count(*) from school_1.transcript_issue").await, 1);
    let empty = json!({ "passed": true, "keyword": "没有此人" });
    let none = admin.json(Method::POST, &format!("{ACHIEVEMENT}/export"), &empty).await;
    assert_eq!(none.refused(), (999, "没有可导出的数据"));
}

/// §6: what is published of somebody who graduated is neither taken back nor corrected to a failure; a delay stands in nobody's way.
#[tokio::test]
async fn who_is_delayed_has_scores_that_may_change() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (first, second) = (colleague(&server).await, colleague(&server).await);
    let at = scored(&server, &admin, [1, 1]).await;
    let sheet = at.sheets[0];
    let line = rows(&admin, sheet).await[0].clone();
    enter(&admin, &line, Some(80.0)).await.data();
    published(&admin, &first, &second, sheet).await;
    server
        .run(&format!(
            "insert into school_1.graduation_batch (code, name, year, season, kind, graduates_on, certificate_date, status, confirmed_at,
                 created_by, updated_by)
             values ('2028A', '2028年秋季', 2028, 'autumn', 'regular', '2028-07-10', '2028-07-10', 'confirmed', now(), 0, 0);
             insert into school_1.graduation_user (batch_id, student_id, decision, status, snapshot, created_by, updated_by)
             select b.id, {}, 'graduate', 'confirmed', '{{}}', 0, 0 from school_1.graduation_batch b",
            line["studentId"]
        ))
        .await;
    let decided = async |decision: &str| {
        server.run(&format!("update school_1.graduation_user set decision = '{decision}'")).await
    };
    let back = json!({ "reason": "复核" });
    let unpublish = async || step(&second, "unpublish", sheet, back.clone()).await;
    assert_eq!(told(&unpublish().await), "有学生已毕业审核通过，请先移出毕业批次");
    decided("delay").await;
    assert_eq!(unpublish().await["done"], json!(1));
    assert_eq!(step(&second, "publish", sheet, json!({})).await["done"], json!(1));
    let form = json!({ "courseScoreId": line["courseScoreId"], "target": "exam", "newValue": 30.0, "reasonType": "recount",
        "reason": "复核", "fileKeys": [paper(&admin, "复核.pdf").await] });
    let made = admin.post(&format!("{CORRECTION}/save"), form).await.id();
    let decide = json!({ "id": made, "pass": true, "version": 1 });
    decided("graduate").await;
    let refused = first.put(&format!("{CORRECTION}/audit"), decide.clone()).await;
    assert_eq!(refused.refused(), (409, "该生已毕业审核通过，请先移出毕业批次"));
    decided("delay").await;
    first.put(&format!("{CORRECTION}/audit"), decide).await.data();
}

/// A selection whose score was submitted is neither dropped nor exempted; an exemption before that has credits and no number.
#[tokio::test]
async fn selections_follow_their_scores() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = scored(&server, &admin, [2, 1]).await;
    let lines = rows(&admin, at.sheets[0]).await;
    let selection = async |row: &Value| -> i64 {
        server.one(&format!("select selection_id from school_1.course_score where id = {}", row["courseScoreId"])).await
    };
    let (one, two) = (selection(&lines[0]).await, selection(&lines[1]).await);
    let version = |id: i64| format!("select version from school_1.course_selection where id = {id}");
    let exempt = json!({ "id": two, "version": server.one::<i32>(&version(two)).await, "reason": "自考已通过",
        "fileKey": paper(&admin, "证明.pdf").await });
    admin.put("/adult/pc/adult/selection/exempt", exempt).await.data();
    server.when_due("scores.follow", chrono::TimeDelta::minutes(11)).await;
    server.wait_until("select exists (select from school_1.course_score where display_text = '免修')").await;
    assert_eq!(rows(&admin, at.sheets[0]).await.len(), 1, "not on the open sheet any more");
    enter(&admin, &rows(&admin, at.sheets[0]).await[0], Some(77.0)).await.data();
    assert_eq!(step(&admin, "submit", at.sheets[0], json!({})).await["done"], json!(1));
    let item = json!({ "id": one, "version": server.one::<i32>(&version(one)).await });
    let drop = json!({ "items": [item], "reason": "本人申请" });
    let refused = admin.put("/adult/pc/adult/selection/drop", drop).await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!("该课程成绩已提交，不能退选"), "{}", refused.body);
}

/// 02 §16 study.finished: who finishes a course has the part of study anew within minutes, not only in the night.
#[tokio::test]
async fn a_finished_course_is_counted_within_minutes() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = scored(&server, &admin, [1, 1]).await;
    let score = rows(&admin, at.sheets[0]).await[0]["courseScoreId"].clone();
    server
        .run(&format!(
            "update school_1.course_opening set teaching_mode = 'blended';
             insert into school_1.course_score_component (course_score_id, kind, value, applicability, detail, created_by, updated_by)
             values ({score}, 'study', 40, 'value', '{{\"progress\": 40.0}}', 0, 0)
             on conflict (course_score_id, kind) do update
             set value = 40, applicability = 'value', detail = excluded.detail;
             insert into school_1.study_course_progress (id, opening_id, progress, finished_at)
             select c.id, c.opening_id, 100, now() from school_1.course_selection c
             join school_1.course_score s on s.selection_id = c.id and s.id = {score}
             on conflict (id) do update set progress = 100, finished_at = now(), updated_at = now()"
        ))
        .await;
    server.when_due("scores.follow", chrono::TimeDelta::minutes(11)).await;
    server
        .wait_until(&format!(
            "select exists (select from school_1.course_score_component
                            where course_score_id = {score} and kind = 'study' and (detail ->> 'progress')::numeric = 100)"
        ))
        .await;
}

/// Who changes their class takes the row along, also into a class that has no sheet yet.
#[tokio::test]
async fn a_row_goes_with_its_student_to_another_class() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = scored(&server, &admin, [2, 1]).await;
    let other = admin.post("/adult/pc/class/save", kit::lessons::called(&at.taught.p, "C3")).await.id();
    let line = rows(&admin, at.sheets[0]).await[0].clone();
    server
        .run(&format!(
            "update school_1.course_selection set class_id = {other}
             where id = (select selection_id from school_1.course_score where id = {})",
            line["courseScoreId"]
        ))
        .await;
    // So does a score that stands on no sheet yet.
    let second = rows(&admin, at.sheets[1]).await[0].clone();
    server.run(&format!("delete from school_1.score_sheet_row where id = {}", second["id"])).await;
    let score = second["courseScoreId"].clone();
    server
        .run(&format!(
            "update school_1.course_selection set class_id = {other}
             where id = (select selection_id from school_1.course_score where id = {score})"
        ))
        .await;
    server.when_due("scores.follow", chrono::TimeDelta::minutes(11)).await;
    let there =
        format!("select exists (select from school_1.score_sheet where class_id = {other} and total_count = 1)");
    server.wait_until(&there).await;
    server.wait_until(&format!("select class_id = {other} from school_1.course_score where id = {score}")).await;
    assert_eq!(rows(&admin, at.sheets[0]).await.len(), 1);
}

/// A teacher fills and submits the sheets that were given to them, and no others; who is bound to that teacher does not review them.
#[tokio::test]
async fn a_teacher_fills_their_own_sheets() {
    let server = Server::start().await;
    let (admin, t001) = clients::school(&server).await;
    let at = scored(&server, &admin, [1, 1]).await;
    let give = json!({ "ids": [at.sheets[0]], "teacherId": t001 });
    server.run(&format!("update school_1.teacher set status = 'left' where id = {t001}")).await;
    assert_eq!(admin.put(&format!("{SHEET}/assign"), give.clone()).await.code(), 422, "who left enters nothing");
    server.run(&format!("update school_1.teacher set status = 'active' where id = {t001}")).await;
    assert_eq!(admin.put(&format!("{SHEET}/assign"), give).await.data()["done"], json!(1));
    let teacher = clients::signed_in(&server).await;
    let call = |word: &str| format!("/exam/client/score/sheet/{word}");
    let listed = teacher.post(&call("list"), json!({})).await.data().clone();
    assert_eq!((&listed["totalCount"], &listed["list"][0]["id"]), (&json!(1), &json!(at.sheets[0])), "{listed}");
    let other = teacher.get(&call(&format!("rows?sheetId={}", at.sheets[1]))).await;
    assert_eq!(other.code(), 404);
    let row = teacher.get(&call(&format!("rows?sheetId={}", at.sheets[0]))).await.data()["list"][0].clone();
    let typed = |row: &Value, request: &str| json!({ "requestId": request, "rows": [{ "rowId": row["id"], "raw": 91.0, "version": row["version"] }] });
    let entered = teacher.put(&call("enter"), typed(&row, "request-0001")).await.data().clone();
    assert_eq!(entered["done"], json!(1), "{entered}");
    let again = teacher.unlooked(Method::PUT, &call("enter"), Some(&typed(&row, "request-0001"))).await.data().clone();
    assert_eq!(again, entered, "the same call comes twice");
    let others = rows(&admin, at.sheets[1]).await;
    let refused = teacher.put(&call("enter"), typed(&others[0], "request-0002")).await.data().clone();
    assert_eq!((&refused["done"], &refused["failed"][0]["name"]), (&json!(0), &json!("")), "{refused}");
    let version = seen(&admin, at.sheets[0]).await["version"].clone();
    let submit = json!({ "requestId": "request-0003", "sheetId": at.sheets[0], "version": version });
    assert_eq!(teacher.put(&call("submit"), submit).await.data()["status"], json!("submitted"));
    server.run(&format!("update platform.sys_user_school set teacher_id = {t001} where school_id = 1")).await;
    assert_eq!(told(&step(&admin, "review", at.sheets[0], json!({})).await), "不能审核自己提交的成绩");
}

/// §7 scenarios 2, 4, 5 and 6: sites apart, nothing where nothing is, old scores before the first opening alone, the passed attempt counts.
#[tokio::test]
async fn old_scores_and_sites_keep_to_themselves() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (first, second) = (colleague(&server).await, colleague(&server).await);
    let at = scored(&server, &admin, [1, 1]).await;
    let wanted = json!({ "semesterId": at.taught.spring });
    let none = admin.post(&format!("{ACHIEVEMENT}/site/export"), wanted.clone()).await;
    assert_eq!(none.refused(), (999, "没有可导出的数据"));
    let line = rows(&admin, at.sheets[0]).await[0].clone();
    enter(&admin, &line, Some(95.0)).await.data();
    published(&admin, &first, &second, at.sheets[0]).await;
    let packed = admin.post(&format!("{ACHIEVEMENT}/site/export"), wanted.clone()).await;
    assert_eq!(packed.status, 200);
    assert!(packed.file_name.is_some_and(|name| name.ends_with(".zip")));
    // The file is of the tab: of students together, of scores, or a sheet for each class.
    let pages = async |body: Value| {
        let answer = admin.post(&format!("{ACHIEVEMENT}/export"), body).await;
        let mut book: calamine::Xlsx<_> =
            calamine::open_workbook_from_rs(Cursor::new(answer.bytes)).expect("a workbook");
        let pages = calamine::Reader::worksheets(&mut book);
        let line = |page: &calamine::Range<calamine::Data>, at: usize| -> Vec<String> {
            page.rows().nth(at).expect("a line").iter().map(ToString::to_string).collect()
        };
        pages.iter().map(|(_, page)| (line(page, 0), line(page, 1))).collect::<Vec<_>>()
    };
    let students = pages(json!({ "dimension": "student" })).await;
    assert!(students[0].0.contains(&"GPA".to_owned()), "{students:?}");
    let matrix = pages(json!({ "layout": "matrix" })).await;
    assert_eq!((matrix.len(), matrix[0].0[1].as_str()), (2, "班级"), "{matrix:?}");
    assert_eq!((matrix[1].0.len(), matrix[1].0[2].ends_with("(A1)")), (3, true), "{matrix:?}");
    let compulsory = admin.post(&format!("{ACHIEVEMENT}/list"), json!({ "nature": "compulsory" })).await;
    let elective = admin.post(&format!("{ACHIEVEMENT}/list"), json!({ "nature": "elective" })).await;
    assert_eq!((&compulsory.data()["totalCount"], &elective.data()["totalCount"]), (&json!(1), &json!(0)));
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_classes", &[at.taught.classes[1]]).await;
    assert_eq!(narrow.post(&format!("{ACHIEVEMENT}/site/export"), wanted).await.code(), 999, "nothing of others");
    server
        .run(
            "insert into school_1.semester (code, name, year, season, starts_on, ends_on, created_by, updated_by)
             values ('1999-1', '1999年春', 1999, 'spring', '1999-03-01', '1999-07-10', 0, 0),
                    ('1999-2', '1999年秋', 1999, 'autumn', '1999-09-01', '2000-01-10', 0, 0)",
        )
        .await;
    kit::plans::course(&admin, "B9", 2.0, 36, 18).await;
    let text = |field: &str| line[field].as_str().unwrap_or_default().to_owned();
    let (no, name) = (text("studentNo"), text("name"));
    let headings = ["学号", "姓名", "课程编码", "学期编码", "学分", "性质", "总评"];
    let running: [&[&str]; 1] = [&[&no, &name, "B9", "2026-1", "2", "必修", "80"]];
    let refused = import(&first, ACHIEVEMENT, &headings, &running).await;
    assert_eq!(row_errors(refused.data()), ["2 学期编码: 只能导入系统启用前的学期"]);
    let past: [&[&str]; 2] =
        [&[&no, &name, "B9", "1999-1", "2", "必修", "52"], &[&no, &name, "B9", "1999-2", "2", "必修", "71"]];
    assert_eq!(import(&first, ACHIEVEMENT, &headings, &past).await.data()["imported"], json!(2));
    let student = line["studentId"].clone();
    let seen = admin.get(&format!("{ACHIEVEMENT}/view?studentId={student}")).await.data().clone();
    let retaken = server
        .one::<String>(&format!(
            "select display_text from school_1.transcript_score t join school_1.course u on u.id = t.course_id
             where u.code = 'B9' and t.student_id = {student}"
        ))
        .await;
    assert_eq!((retaken.as_str(), seen["scores"].as_array().map(Vec::len)), ("71", Some(3)));
    assert_eq!(seen["standing"]["taken"], json!(2), "of two attempts one counts");
    let (told, left) = kit::imports::taken_back(&first, "历史成绩").await;
    assert_eq!(left, Vec::<String>::new(), "{told}");
    assert_eq!(server.one::<i64>("select count(*) from school_1.course_score where imported").await, 0);
    // What was imported wrong is corrected as a whole: it has no examination and no parts.
    let alone: [&[&str]; 1] = [&[&no, &name, "B9", "1999-1", "2", "必修", "52"]];
    assert_eq!(import(&first, ACHIEVEMENT, &headings, &alone).await.data()["imported"], json!(1));
    let seen = admin.get(&format!("{ACHIEVEMENT}/view?studentId={student}")).await.data().clone();
    let wrong =
        seen["scores"].as_array().expect("scores").iter().find(|row| row["displayText"] == json!("52")).cloned();
    let wrong = wrong.expect("the failed attempt");
    assert_eq!(wrong["origin"], json!("history"));
    let correct = async |more: Value| {
        let form = json!({ "courseScoreId": wrong["id"], "reasonType": "entry_error", "reason": "原始成绩单为62分",
            "fileKeys": [paper(&admin, "原成绩单.pdf").await] });
        admin.post(&format!("{CORRECTION}/save"), kit::lessons::with(form, more)).await
    };
    let part = json!({ "target": "component", "componentKind": "study", "newValue": 62.0 });
    assert_eq!(fields(&correct(part).await), ["componentKind: 历史成绩没有学习成绩"]);
    let made = correct(json!({ "target": "exam", "newValue": 62.0 })).await.id();
    let decide = json!({ "id": made, "pass": true, "version": 1 });
    first.put(&format!("{CORRECTION}/audit"), decide).await.data();
    let now: String = server
        .one(&format!(
            "select s.display_text || ' ' || s.status || ' ' || c.passed::text from school_1.course_score s
             join school_1.course_selection c on c.id = s.selection_id where s.id = {}",
            wrong["id"]
        ))
        .await;
    assert_eq!(now, "62 locked true");
}

/// A rule by which the examination of a course is all that counts.
async fn examined_alone(admin: &Client<'_>, course: i64) {
    let mut params = weights(60);
    params["weights"] = json!({ "study": 0, "homework": 0, "attendance": 0, "questions": 0, "final_exam": 100 });
    let rule = json!({ "kind": "total", "courseId": course, "params": params, "enabled": true });
    admin.post(&format!("{RULE}/save"), rule).await.id();
}

/// What a score says: total, words, point, make-ups.
async fn said(server: &Server, student: i64, course: i64) -> String {
    server
        .one(&format!(
            "select total::text || ' ' || display_text || ' ' || grade_point::text || ' ' || makeup_used
             from school_1.course_score where student_id = {student} and course_id = {course}"
        ))
        .await
}

/// §5.8 scenario 5: 48 and a make-up of 83 come to the line, and count as one make-up. Before it is out nobody sees it beside the first.
#[tokio::test]
async fn a_make_up_counts_up_to_the_line() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (first, second) = (colleague(&server).await, colleague(&server).await);
    let at = lessons(&server, &admin, [1, 0]).await;
    examined_alone(&admin, at.course).await;
    let student: i64 = server.one("select min(id) from school_1.student").await;
    let round = exam_seats::batch(&server, at.spring, "P1", "final").await;
    let sheet = over(&server, round, (at.course, at.spring), "first").await;
    enter(&admin, &rows(&admin, sheet).await[0], Some(48.0)).await.data();
    published(&admin, &first, &second, sheet).await;
    // A batch of make-ups may be of another semester; its sheets are of those of their examinations.
    let autumn = kit::openings::semester(&admin, "2026-2").await;
    let again = exam_seats::batch(&server, autumn, "P2", "makeup").await;
    let later = over(&server, again, (at.course, at.spring), "makeup").await;
    assert_eq!(seen(&admin, later).await["semesterId"], json!(at.spring));
    enter(&admin, &rows(&admin, later).await[0], Some(83.0)).await.data();
    let listed = admin.post(&format!("{ACHIEVEMENT}/list"), json!({ "dimension": "score" })).await.data().clone();
    assert_eq!((&listed["list"][0]["exam"], &listed["list"][0]["total"]), (&json!(48.0), &json!(48.0)), "{listed}");
    published(&admin, &first, &second, later).await;
    assert_eq!(said(&server, student, at.course).await, "60.0 60(补考) 1.00 1");
    let row = rows(&admin, later).await[0].clone();
    assert_eq!((&row["formerText"], &row["text"]), (&json!("48"), &json!("60(补考)")), "what it was before stays told");
    let token = clients::inside(&server, &[student]).await.remove(0);
    let own = server.anonymous().with_token(Some(&token)).get("/user/client/score/list").await.data().clone();
    let rounds = own["list"][0]["rounds"].as_array().expect("rounds").clone();
    let told: Vec<(&Value, &Value)> = rounds.iter().map(|round| (&round["round"], &round["value"])).collect();
    assert_eq!(told, [(&json!("first"), &json!(48.0)), (&json!("makeup"), &json!(83.0))]);
    // A locked first sheet keeps no make-up from being taken back.
    assert_eq!(step(&second, "lock", sheet, json!({})).await["done"], json!(1));
    assert_eq!(step(&second, "unpublish", later, json!({ "reason": "复核" })).await["done"], json!(1));
    assert_eq!(said(&server, student, at.course).await, "48.0 48 0.00 0");
    assert_eq!(step(&second, "publish", later, json!({})).await["done"], json!(1));
    assert_eq!(said(&server, student, at.course).await, "60.0 60(补考) 1.00 1");
    // The first round is corrected by its number, and its sheet shows what is true now.
    let line = rows(&admin, sheet).await[0].clone();
    let explained =
        admin.get(&format!("{ACHIEVEMENT}/explain?courseScoreId={}", line["courseScoreId"])).await.data().clone();
    assert_eq!(explained["rounds"][0]["round"], json!("first"), "{explained}");
    let form = json!({ "courseScoreId": line["courseScoreId"], "target": "exam", "examScoreId": explained["rounds"][0]["id"],
        "newValue": 50.0, "reasonType": "marking_error", "reason": "合分错误", "fileKeys": [paper(&admin, "复核.pdf").await] });
    let made = admin.post(&format!("{CORRECTION}/save"), form).await.id();
    first.put(&format!("{CORRECTION}/audit"), json!({ "id": made, "pass": true, "version": 1 })).await.data();
    let line = rows(&admin, sheet).await[0].clone();
    assert_eq!((&line["raw"], &line["value"], &line["total"]), (&json!(50.0), &json!(50.0), &json!(50.0)), "{line}");
    assert_eq!(seen(&admin, sheet).await["mean"], json!(50.0));
}

/// §5.3 and §6.1: what a thesis comes to stands on no sheet, and a sheet goes on when everybody on it has a total.
#[tokio::test]
async fn a_sheet_is_of_what_is_scored_on_it() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = lessons(&server, &admin, [1, 0]).await;
    server.run(&format!("update school_1.course_opening set exam_form = 'check' where id = {}", at.opening)).await;
    let kind = |kind: &str| format!("update school_1.course set kind = '{kind}' where id = {}", at.course);
    let round = kit::scores::batch(&server, at.spring, "P1").await;
    let generate = async || admin.post(&format!("{SHEET}/generate"), json!({ "batchId": round })).await;
    server.run(&kind("thesis")).await;
    assert_eq!(fields(&generate().await), ["courseIds: 没有需要生成登记表的考查课程"]);
    server.run(&kind("theory")).await;
    generate().await.data();
    let sheet: i64 = server.one("select id from school_1.score_sheet").await;
    // Attendance is all that counts, and nobody was to come.
    let mut params = weights(60);
    params["weights"] = json!({ "study": 0, "homework": 0, "attendance": 100, "questions": 0, "final_exam": 0 });
    let rule = json!({ "kind": "total", "courseId": at.course, "params": params, "enabled": true });
    admin.post(&format!("{RULE}/save"), rule).await.id();
    enter(&admin, &rows(&admin, sheet).await[0], Some(80.0)).await.data();
    let refused = step(&admin, "submit", sheet, json!({})).await;
    assert_eq!(told(&refused), "有 1 名学生没有总评：计入总评的各项成绩都不适用，请检查总评规则的权重");
}

/// §4.4 and §5.4: whose examination was put off is listed with one chance; who cheated in a make-up has none left.
#[tokio::test]
async fn who_may_try_again() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = lessons(&server, &admin, [2, 0]).await;
    let round = exam_seats::batch(&server, at.spring, "P1", "final").await;
    let again = exam_seats::batch(&server, at.spring, "P2", "makeup").await;
    server
        .run(&format!(
            "update school_1.score_rule set params = params || '{{\"makeupLimit\": 2}}' where kind = 'final_exam';
             insert into school_1.course_score (selection_id, student_id, course_id, semester_id, attempt_no, class_id, credits, nature,
                 total, mark, display_text, passed, status, published_at, created_by, updated_by)
             select id, student_id, course_id, semester_id, 1, class_id, 3, 'compulsory', 45, 'normal', '45', false, 'published', now(), 0, 0
             from school_1.course_selection;
             insert into school_1.exam_score (course_score_id, round, mark, source, published, created_by, updated_by)
             select min(id), 'makeup', 'cheating', 'offline_entry', true, 0, 0 from school_1.course_score;
             update school_1.course_score set total = null, mark = 'deferred', display_text = '缓考', passed = null
             where id = (select max(id) from school_1.course_score);
             insert into school_1.exam_deferral (student_id, batch_id, course_id, selection_id, reason_type, reason, applied_by, status,
                 created_by, updated_by)
             select student_id, {round}, course_id, selection_id, 'illness', '住院', 'staff', 'approved', 0, 0
             from school_1.course_score where mark = 'deferred'"
        ))
        .await;
    let listed = async |more: Value| {
        let body = kit::lessons::with(json!({ "batchId": again }), more);
        let page = admin.post(&format!("{}/makeup/candidates", exam_seats::SETUP), body).await.data().clone();
        page["list"].as_array().expect("rows").clone()
    };
    let deferred = listed(json!({ "kind": "deferred" })).await;
    assert_eq!((deferred.len(), &deferred[0]["left"]), (1, &json!(1)), "{deferred:?}");
    let all = listed(json!({})).await;
    assert_eq!(all.len(), 1, "who cheated has no chance: {all:?}");
    let spent = listed(json!({ "exhausted": true, "kind": "cheating" })).await;
    assert_eq!((spent.len(), &spent[0]["left"]), (1, &json!(0)), "{spent:?}");
    let wanted = json!({ "batchId": again, "mode": "offline", "rows": [{ "courseId": at.course, "semesterId": at.spring,
        "selectionIds": [deferred[0]["selectionId"]] }] });
    let made = admin.post(&format!("{}/makeup", exam_seats::SETUP), wanted).await.data()["rows"][0].clone();
    assert_eq!(made["added"], json!(1), "{made}");
    assert_eq!(server.one::<String>("select round from school_1.exam_candidate").await, "deferred");
    // §7: ten failed credits are warned of, and fewer than 1.5 credit points; who was excused has neither.
    let warned = async |point: f64, credits: f64| {
        server
            .run(&format!(
                "update school_1.course_score set grade_point = {point}, credits = {credits} where mark = 'normal'"
            ))
            .await;
        let wanted = json!({ "dimension": "student", "warning": true });
        admin.post(&format!("{ACHIEVEMENT}/list"), wanted).await.data()["totalCount"].clone()
    };
    assert_eq!(warned(1.49, 9.5).await, json!(1));
    assert_eq!(warned(1.5, 9.5).await, json!(0));
    assert_eq!(warned(1.5, 10.0).await, json!(1));
    kit::rows::setting(&server, "warnFailedCredits", &json!(12)).await;
    assert_eq!(warned(1.5, 10.0).await, json!(0), "as the school set it");
}

/// §5.8 scenario 6 and §6.5 scenario 5: cheating that is found after the publication opens a correction; behind it there is no make-up,
/// and one before graduation where the rule says so.
#[tokio::test]
async fn cheating_that_is_found_later_takes_the_score() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (first, second) = (colleague(&server).await, colleague(&server).await);
    let at = lessons(&server, &admin, [1, 0]).await;
    examined_alone(&admin, at.course).await;
    server
        .run(
            "update school_1.score_rule set params = params || '{\"cheatingMakeup\": \"once_before_graduation\"}'
             where kind = 'final_exam'",
        )
        .await;
    let student: i64 = server.one("select min(id) from school_1.student").await;
    let round = exam_seats::batch(&server, at.spring, "P1", "final").await;
    let sheet = over(&server, round, (at.course, at.spring), "first").await;
    enter(&admin, &rows(&admin, sheet).await[0], Some(80.0)).await.data();
    published(&admin, &first, &second, sheet).await;
    let candidate: i64 = server.one("select id from school_1.exam_candidate").await;
    let case = case(&admin, candidate).await;
    let told = decide(&first, &case, "score_void").await;
    assert_eq!((&told["marked"], told["corrections"].as_array().map(Vec::len)), (&json!(0), Some(1)), "{told}");
    assert_eq!(said(&server, student, at.course).await, "80.0 80 3.00 0", "nothing before the correction");
    let made = told["corrections"][0].clone();
    let seen = admin.get(&format!("{CORRECTION}/view?id={made}")).await.data().clone();
    assert_eq!((&seen["reasonType"], &seen["newMark"]), (&json!("violation"), &json!("cheating")), "{seen}");
    let audit = json!({ "id": made, "pass": true, "version": seen["version"] });
    second.put(&format!("{CORRECTION}/audit"), audit).await.data();
    let now: String =
        server.one("select total::text || ' ' || display_text || ' ' || passed from school_1.course_score").await;
    assert_eq!(now, "0.0 作弊 false");
    let mut left = Vec::new();
    for (code, kind) in [("P2", "makeup"), ("P3", "final_makeup")] {
        let batch = exam_seats::batch(&server, at.spring, code, kind).await;
        let path = format!("{}/makeup/candidates", exam_seats::SETUP);
        let listed = admin.post(&path, json!({ "batchId": batch })).await.data().clone();
        left.push(listed["list"].as_array().expect("rows").iter().map(|row| row["left"].clone()).collect::<Vec<_>>());
    }
    assert_eq!(left, [vec![], vec![json!(1)]], "none, and once before graduation");
}

/// A case of cheating as it was reported.
async fn case(client: &Client<'_>, candidate: i64) -> Value {
    let report = json!({ "candidateId": candidate, "level": "cheating", "clause": "Z1", "description": "夹带资料",
        "source": "invigilator", "fileIds": [] });
    let id = client.post("/exam/pc/violation/save", report).await.id();
    client.get(&format!("/exam/pc/violation/view?id={id}")).await.data().clone()
}

async fn decide(client: &Client<'_>, case: &Value, penalty: &str) -> Value {
    let body = json!({ "id": case["id"], "version": case["version"], "pass": true, "decision": "证据确凿", "penalty": penalty });
    client.put("/exam/pc/violation/audit", body).await.data().clone()
}

/// §3 scenarios 4 and 5: of three examinations of a void batch the one that is published gets a correction, the others a mark; what is
/// locked is not taken back this way.
#[tokio::test]
async fn a_void_batch_marks_every_examination() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (first, second) = (colleague(&server).await, colleague(&server).await);
    let at = lessons(&server, &admin, [1, 0]).await;
    let round = exam_seats::batch(&server, at.spring, "P1", "final").await;
    let mut sheets = vec![over(&server, round, (at.course, at.spring), "first").await];
    for code in ["B1", "B2"] {
        let course = exam_seats::second(&server, &admin, &at, code).await;
        sheets.push(over(&server, round, (course, at.spring), "first").await);
    }
    enter(&admin, &rows(&admin, sheets[0]).await[0], Some(80.0)).await.data();
    published(&admin, &first, &second, sheets[0]).await;
    let candidate: i64 = server.one("select max(id) from school_1.exam_candidate").await;
    let case = case(&admin, candidate).await;
    let told = decide(&first, &case, "batch_void").await;
    assert_eq!((&told["marked"], told["corrections"].as_array().map(Vec::len)), (&json!(2), Some(1)), "{told}");
    for sheet in &sheets[1..] {
        let row = rows(&admin, *sheet).await[0].clone();
        assert_eq!(row["mark"], json!("cheating"), "{row}");
        let refused = enter(&admin, &row, Some(90.0)).await;
        assert_eq!(refused.refused(), (409, "该生已登记作弊，不能录入分数"));
    }
    assert_eq!(step(&second, "lock", sheets[0], json!({})).await["done"], json!(1));
    let seen = admin.get(&format!("/exam/pc/violation/view?id={}", case["id"])).await.data().clone();
    let back = json!({ "id": case["id"], "version": seen["version"], "reason": "申诉成立" });
    let refused = admin.put("/exam/pc/violation/revoke", back).await;
    assert_eq!(refused.refused(), (409, "成绩已锁定，请走成绩更正"));
}

/// §7 scenario 3: a book for each of 30 sites, of 3,000 rows in all. Rows of one site are read at a time and each book is sent on
/// before the next is begun: the number of sites costs no memory.
#[tokio::test]
async fn scores_of_many_sites_are_one_archive() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = lessons(&server, &admin, [100, 0]).await;
    server
        .run(
            "insert into school_1.site (code, name, kind, created_by, updated_by)
             select 'S' || n, '第' || n || '教学点', 'headquarter', 0, 0 from generate_series(2, 30) n",
        )
        .await;
    for n in 2..=30 {
        let site: i64 = server.one(&format!("select id from school_1.site where code = 'S{n}'")).await;
        kit::rows::students(&server, &at.p, site, None, n * 1_000, 100).await;
    }
    server
        .run(&format!(
            "insert into school_1.course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status,
                 selected_at, created_by, updated_by)
             select y.id, {}, {}, {}, y.class_id, 'admin', 'selected', now(), 0, 0
             from school_1.student y where y.class_id is null",
            at.opening, at.spring, at.course
        ))
        .await;
    server
        .run(
            "insert into school_1.course_score (selection_id, student_id, course_id, semester_id, attempt_no, class_id, credits, nature,
                 total, mark, display_text, passed, earned_credits, status, published_at, counted_at, created_by, updated_by)
             select id, student_id, course_id, semester_id, 1, class_id, 3, 'compulsory', 80, 'normal', '80', true, 3, 'published', now(),
                    now(), 0, 0
             from school_1.course_selection",
        )
        .await;
    let wanted = json!({ "semesterId": at.spring });
    let job = admin.post(&format!("{ACHIEVEMENT}/site/export?job=true"), wanted.clone()).await.data()["jobId"].clone();
    let job = kit::jobs::ended(&admin, &job).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("30个站点，共3000条成绩")), "{job}");
    let packed = admin.post(&format!("{ACHIEVEMENT}/site/export"), wanted).await;
    let mut archive = zip::ZipArchive::new(Cursor::new(packed.bytes)).expect("an archive");
    let mut scores = 0;
    for place in 0..archive.len() {
        let mut book = Vec::new();
        archive.by_index(place).expect("a book").read_to_end(&mut book).expect("bytes");
        let mut book: calamine::Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(book)).expect("a workbook");
        let pages = calamine::Reader::worksheets(&mut book);
        scores += pages.iter().map(|(_, page)| page.height() - 1).sum::<usize>();
    }
    assert_eq!((archive.len(), scores), (30, 3_000));
}
