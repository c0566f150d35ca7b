//! Teaching plans of the school: one of everything.

use kit::plans::{PLAN, PLAN_COURSE, PLAN_GROUP};
use serde_json::{Value, json};

use super::{Life, MARK, Upload, classrooms::At, courses::TYPE, id};

const COURSE: &str = "/course/pc/collegeCurriculum";
const GRADE: &str = "/adult/pc/grade";
const SEMESTER: &str = "/adult/pc/semester";

pub(super) async fn live(life: &mut Life<'_>, at: &At) {
    // Of this school alone: the types that ship have the same numbers everywhere.
    let kind = json!({ "code": "JHK", "name": format!("{MARK}计划课类"), "systemKind": "public_basic",
        "defaultExamForm": "exam" });
    let kind = id(&life.post(&format!("{TYPE}/save"), kind).await);
    let mut courses = Vec::new();
    for (code, credits) in [("JH1", 4.0), ("JH2", 4.0), ("JH3", 2.0)] {
        let body = json!({ "code": code, "name": format!("{MARK}计划课程{code}"), "typeId": kind, "credits": credits,
            "lectureHours": credits as i32 * 5, "onlineHours": credits as i32 * 12 });
        courses.push(id(&life.post(&format!("{COURSE}/save"), body).await));
    }
    let plan = made(life, at, &courses).await;
    steps(life, at, plan).await;
    sheets(life, at, kind).await;
    life.post(&format!("{PLAN}/list"), json!({})).await;
    life.post(&format!("{PLAN}/export"), json!({})).await;
    life.get(&format!("{PLAN}/missing")).await;
    life.get(&format!("/adult/pc/options/plan?parentId={}", at.major)).await;
    // A draft of a grade of its own; plans are not deleted among several.
    let grade = id(&life.post(&format!("{GRADE}/save"), json!({ "code": "2019" })).await);
    let body = json!({ "gradeId": grade, "majorId": at.major, "remark": format!("{MARK}多余的计划") });
    let draft = id(&life.post(&format!("{PLAN}/save"), body).await);
    life.delete(&format!("{PLAN}/delete?id={draft}")).await;
}

async fn version(life: &mut Life<'_>, plan: i64) -> Value {
    life.get(&format!("{PLAN}/view?id={plan}")).await["version"].clone()
}

async fn item(life: &mut Life<'_>, plan: i64) -> Value {
    json!({ "id": plan, "version": version(life, plan).await })
}

/// A plan of ten credits with three courses, one of them elective.
async fn made(life: &mut Life<'_>, at: &At, courses: &[i64]) -> i64 {
    let body = json!({ "gradeId": at.grade, "majorId": at.major, "totalCredits": 10.0, "minCompulsoryCredits": 8.0,
        "objective": format!("{MARK}培养目标") });
    let plan = id(&life.post(&format!("{PLAN}/save"), body.clone()).await);
    let mut edit = body;
    edit["id"] = json!(plan);
    edit["version"] = version(life, plan).await;
    edit["remark"] = json!(format!("{MARK}备注"));
    life.put(&format!("{PLAN}/edit"), edit).await;
    let group = json!({ "planId": plan, "name": format!("{MARK}选修"), "minCredits": 2.0 });
    let own = id(&life.post(&format!("{PLAN_GROUP}/save"), group.clone()).await);
    let mut edit = group;
    edit["id"] = json!(own);
    edit["version"] = version(life, plan).await;
    edit["minCourses"] = json!(1);
    life.put(&format!("{PLAN_GROUP}/edit"), edit).await;
    let extra = json!({ "planId": plan, "name": format!("{MARK}多余选修"), "minCredits": 2.0 });
    let extra = id(&life.post(&format!("{PLAN_GROUP}/save"), extra).await);
    life.delete(&format!("{PLAN_GROUP}/delete?id={extra}")).await;
    let items = json!([
        { "courseId": courses[0], "nature": "compulsory", "termNo": 1 },
        { "courseId": courses[1], "nature": "compulsory", "termNo": 1, "remark": format!("{MARK}备注") },
    ]);
    let first = life.post(&format!("{PLAN_COURSE}/save"), json!({ "planId": plan, "items": items })).await;
    let items = json!([{ "courseId": courses[2], "nature": "elective", "electiveGroupId": own, "termNo": 3 }]);
    let elective = id(&life.post(&format!("{PLAN_COURSE}/save"), json!({ "planId": plan, "items": items })).await);
    life.delete(&format!("{PLAN_COURSE}/delete?id={elective}")).await;
    life.post(&format!("{PLAN_COURSE}/save"), json!({ "planId": plan, "items": items })).await;
    let listed = life.post(&format!("{PLAN_COURSE}/list"), json!({ "planId": plan })).await;
    let moved = json!({ "id": first["id"], "version": listed["planVersion"], "termNo": 2 });
    life.put(&format!("{PLAN_COURSE}/move"), moved).await;
    let edit = json!({ "id": first["id"], "version": version(life, plan).await, "nature": "compulsory", "termNo": 1,
        "lectureHours": 20, "onlineHours": 48, "remark": format!("{MARK}第一门") });
    life.put(&format!("{PLAN_COURSE}/edit"), edit).await;
    let check = life.get(&format!("{PLAN}/check?id={plan}")).await;
    assert_eq!(check["errors"], json!([]), "{check}");
    plan
}

async fn steps(life: &mut Life<'_>, at: &At, plan: i64) {
    for step in ["submit", "recall", "submit", "reject", "submit", "audit"] {
        let mut body = item(life, plan).await;
        match step {
            "reject" => body["reason"] = json!(format!("{MARK}请调整")),
            "audit" => body["opinion"] = json!(format!("{MARK}同意")),
            _ => {}
        }
        if step == "reject" || step == "audit" {
            // Nobody decides about their own.
            life.server.run(&format!("update school_1.teaching_plan set submitted_by = 0 where id = {plan}")).await;
        }
        life.put(&format!("{PLAN}/{step}"), body).await;
    }
    let semester = json!({ "code": "2018-1", "startsOn": "2018-03-05", "endsOn": "2018-07-08" });
    let semester = id(&life.post(&format!("{SEMESTER}/save"), semester).await);
    life.get(&format!("{PLAN}/bySemester?semesterId={semester}")).await;
    life.post(&format!("{PLAN}/bySemester/export"), json!({ "semesterId": semester })).await;
    life.get(&format!("{PLAN}/byMajor?planId={plan}")).await;
    life.get(&format!("{PLAN}/print?id={plan}")).await;
    let next = id(&life.post(&format!("{PLAN}/revise"), json!({ "id": plan })).await);
    life.get(&format!("{PLAN}/diff?id={next}&otherId={plan}")).await;
    let body = item(life, next).await;
    life.put(&format!("{PLAN}/withdraw"), body).await;
    let grade = id(&life.post(&format!("{GRADE}/save"), json!({ "code": "2018" })).await);
    let copy = json!({ "sourceId": plan, "targets": [{ "gradeId": grade, "majorId": at.major }] });
    let answer = life.post(&format!("{PLAN}/copy"), copy).await;
    assert_eq!(answer["done"], json!(1), "{answer}");
}

/// The copy of 2018 gets another course by each of the two sheets.
async fn sheets(life: &mut Life<'_>, at: &At, kind: i64) {
    life.get(&format!("{PLAN}/import/template")).await;
    life.get(&format!("{PLAN_COURSE}/import/template")).await;
    for code in ["JH4", "JH5"] {
        let body = json!({ "code": code, "name": format!("{MARK}计划课程{code}"), "typeId": kind, "credits": 4.0, "lectureHours": 72 });
        life.post(&format!("{COURSE}/save"), body).await;
    }
    let headings = ["年级编码", "校内专业代码", "课程代码", "课程性质", "开课学期", "备注"];
    let remark = format!("{MARK}导入");
    let major = life.get(&format!("/adult/pc/major/view?id={}", at.major)).await["code"].clone();
    let major = major.as_str().expect("a code").to_owned();
    let upload = Upload::sheet(&headings, &[&["2018", &major, "JH4", "必修", "4", &remark]]);
    let answer = life.upload(&format!("{PLAN}/import"), upload).await;
    assert_eq!((&answer["imported"], &answer["errors"]), (&json!(1), &json!([])), "{answer}");
    let plan: i64 = life
        .server
        .one(&format!(
            "select p.id from school_1.teaching_plan p join school_1.grade g on g.id = p.grade_id
             where g.code = '2018' and p.major_id = {}",
            at.major
        ))
        .await;
    let mut upload = Upload::sheet(&headings[2..], &[&["JH5", "必修", "5", &remark]]);
    upload.texts.push(("planId", plan.to_string()));
    let answer = life.upload(&format!("{PLAN_COURSE}/import"), upload).await;
    assert_eq!((&answer["imported"], &answer["errors"]), (&json!(1), &json!([])), "{answer}");
}
