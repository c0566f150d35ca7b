//! What a form refuses its sheet refuses, in the same words at the same field (part 03 §0.1, part 02 §0.2).
//!
//! Each import is given one bad row, and the call of its form the same by hand. A last test reads the document, so that no
//! import is forgotten.

use std::collections::BTreeSet;

use kit::{
    Answer, Client, Server,
    accounts::role,
    cohort::{Cohort, cohort, registrar},
    courses::{self, CHAPTER, COURSE, chapter, course},
    enrolment::{MAJORS, file_majors, save_batch},
    lessons::{ARRANGE, INSTRUCTION, lessons, with},
    openings::{ALLOCATION, OPENING, SELECTION},
    plans,
    pre_registrations::{PRE, batch, person},
    questions::{QUESTION, bank, choice},
    registration::{REGISTRATION, audited, registration},
    sheets::{XLSX, sheet},
    site_staff::{MANAGER, STAFF},
    students::{ROLL, id_number, save, student},
    teachers::TEACHER,
};
use openapi::document;
use poem::http::Method;
use serde_json::{Value, json};

const CLASS: &str = "/adult/pc/class";
const DIVIDE: &str = "/user/pc/student/divide";
const DICT: &str = "/system/pc/dict/data";
const FILING: &str = "/adult/pc/forecastingMajor";
const GRADE: &str = "/adult/pc/grade";
const LEVEL: &str = "/adult/pc/arrangement";
const MAJOR: &str = "/adult/pc/major";
const NATIONAL: &str = "/adult/pc/nationalMajor";
const ROOM: &str = "/adult/pc/classroom";
const SEMESTER: &str = "/adult/pc/semester";
const SITE: &str = "/adult/pc/site";
const USER: &str = "/system/pc/sys/user";

/// The imports that the stories here show, by the paths of their operations.
const BASICS: [&str; 13] = [
    "/adult/pc/arrangement/import",
    "/adult/pc/class/import",
    "/adult/pc/classroom/import",
    "/adult/pc/forecastingMajor/result/import",
    "/adult/pc/grade/import",
    "/adult/pc/major/import",
    "/adult/pc/semester/import",
    "/adult/pc/site/import",
    "/course/pc/collegeCurriculum/import",
    "/course/pc/schoolChapter/import",
    "/user/pc/classManager/import",
    "/user/pc/siteStaff/import",
    "/user/pc/teacher/import",
];
const PEOPLE: [&str; 6] = [
    "/adult/pc/enrollmentMajor/import",
    "/adult/pc/preRegistration/examineeNo/import",
    "/adult/pc/preRegistration/import",
    "/adult/pc/registration/fee/import",
    "/adult/pc/studentRoll/studentNo/import",
    "/user/pc/student/divide/import",
];
const TEACHING: [&str; 8] = [
    "/adult/pc/adult/selection/import",
    "/adult/pc/courseAllocation/import",
    "/adult/pc/courseArrange/import",
    "/adult/pc/courseOpening/import",
    "/adult/pc/offlineInstruction/import",
    "/adult/pc/planCourse/import",
    "/adult/pc/teachingPlan/import",
    "/exam/pc/exam/problem/import",
];
const PLATFORM: [&str; 4] = [
    "/adult/pc/nationalMajor/import",
    "/system/pc/dict/data/import",
    "/system/pc/sys/user/import/excel",
    "/user/pc/ext/import",
];

/// The others, and why no bad row of theirs is told here.
const OTHERS: [(&str, &str); 36] = [
    (
        "/adult/pc/admission/allocation/import",
        "both ways are judged by one `Placer`, whose words a story of places tells",
    ),
    ("/adult/pc/admission/import", "the authority's file, which nobody types"),
    ("/adult/pc/admission/photo/import", "pictures"),
    ("/adult/pc/adult/achievement/import", "scores of before the system, which have no form"),
    ("/adult/pc/archive/import", "who took an archive over, which has no form"),
    ("/adult/pc/certificate/import", "numbers given elsewhere, which have no form"),
    (
        "/adult/pc/change/import",
        "what happened already; each row is looked at as the form is, which a story of changes tells",
    ),
    ("/adult/pc/discipline/import", "a row goes through the form's own `insert`"),
    ("/adult/pc/external/exam/import", "a row goes through the form's own `insert`"),
    ("/adult/pc/graduate/batch/import", "the register's answers, which nobody types"),
    ("/adult/pc/graduation/score/import", "a row goes through the form's own `written`"),
    ("/adult/pc/offlineInstruction/attendance/import", "a row goes through the form's own `register`"),
    ("/adult/pc/onlineTeaching/import", "progress has no form"),
    ("/adult/pc/practice/import", "a row goes through the form's own `put`"),
    ("/adult/pc/registration/result/import", "a row takes the form's own step behind the last row"),
    ("/adult/pc/score/component/import", "a value is entered for many; the form changes one that stands"),
    ("/adult/pc/score/offline/import", "whole sheets, whose rows are entered as the sheet's own"),
    ("/adult/pc/score/sheet/import", "a row is entered as the sheet's own"),
    (
        "/adult/pc/siteEnrollment/import",
        "grants many plans at once, which the form does one by one; both by one `grant`",
    ),
    ("/adult/pc/studentRoll/chsi/import", "the register's answers, which nobody types"),
    ("/adult/pc/studentRoll/feeFlag/import", "flags have no form"),
    ("/adult/pc/studentRoll/import", "told rule by rule in `student_entry`"),
    ("/adult/pc/studentRoll/photo/import", "pictures"),
    ("/adult/pc/supervise/import", "a row goes through the form's own `insert`, whose words are read as it does"),
    ("/adult/pc/thesis/import", "a row takes the steps' own ways"),
    ("/adult/pc/thesis/topic/import", "a row goes through the form's own `insert`"),
    ("/course/pc/schoolPeriod/import", "names media of a channel, which the form uploads"),
    ("/exam/pc/exam/problem/import/text", "a text, read into the same lines as the sheet"),
    (
        "/exam/pc/online/problem/import",
        "read into the same lines as the schools' sheet; a row goes through the form's own `insert`",
    ),
    ("/offline/pc/offline/candidate/import", "a row goes through the form's own `add`"),
    ("/offline/pc/offline/invigilator/import", "a row goes through the form's own `insert`"),
    ("/offline/pc/offline/manage/import", "who was absent, of a whole session"),
    ("/offline/pc/offline/room/import", "a row goes through the form's own `insert`"),
    ("/offline/pc/offline/user/room/import", "a row goes through the form's own `put`"),
    ("/user/pc/admissionCommitment/preCheck/import", "results have no form"),
    ("/user/pc/coupon/grant/import", "learners by their phones, whom the form knows already; both by one `grant`"),
];
/// A sheet of the site's own client, which is the school's.
const SITE_CLIENT: &str = "/user/client/preRegistration/import";

/// Who enters the same twice, and the imports that were tried.
struct Ways<'s> {
    client: Client<'s>,
    tried: BTreeSet<String>,
}

/// What goes into a sheet, and what beside it.
struct Sheet<'w> {
    path: &'w str,
    beside: &'w [(&'w str, String)],
    headings: &'w [&'w str],
    row: &'w [&'w str],
}

impl<'s> Ways<'s> {
    fn of(client: Client<'s>) -> Self {
        Self { client, tried: BTreeSet::new() }
    }

    /// The bad row at `heading`, in the words of the form at `field`.
    async fn same(&mut self, by_hand: &Answer, field: &str, sent: Sheet<'_>, heading: &str) {
        let Sheet { path, beside, headings, row } = sent;
        let texts: Vec<(&str, &str)> = beside.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let method = if path.ends_with("/examineeNo/import") { Method::PUT } else { Method::POST };
        let file = ("file", "导入.xlsx", XLSX);
        let answer = self.client.send_file(method, path, &texts, file, &sheet(headings, &[row])).await;
        let errors = answer.data()["errors"].as_array().expect("errors").clone();
        let said = said(by_hand, field);
        assert_eq!(errors.len(), 1, "{path}: the form said {said}; {}", answer.body);
        let told = errors[0]["message"].as_str().expect("a sentence");
        assert_eq!((&errors[0]["row"], &errors[0]["column"]), (&json!(2), &json!(heading)), "{path}: {told}");
        // A cell is named by its heading already.
        let label = said.strip_suffix(told).unwrap_or_else(|| panic!("{path}: {told}, but by hand {said}"));
        assert!(label.is_empty() || field_name(label), "{path}: {told}, but by hand {said}");
        assert_eq!(answer.data()["imported"], json!(0), "{path}");
        self.tried.insert(path.to_owned());
    }

    fn were(&self, wanted: &[&str]) {
        assert_eq!(self.tried.iter().map(String::as_str).collect::<Vec<_>>(), wanted);
    }
}

/// Whether a sentence only begins with the name of its field.
fn field_name(label: &str) -> bool {
    label.chars().count() <= 8 && label.chars().all(char::is_alphanumeric)
}

/// What a call by hand says of a field, of a row of its list, or as a whole.
fn said(answer: &Answer, field: &str) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if answer.code() == 200 {
        let data = answer.data();
        let refused = [&data["failed"][0]["msg"], &data["refused"][0]["message"], &data["refused"][0]["msg"]];
        return refused
            .into_iter()
            .find(|told| told.is_string())
            .map(text)
            .unwrap_or_else(|| panic!("{}", answer.body));
    }
    let fields = answer.body["data"].as_array().cloned().unwrap_or_default();
    assert!(fields.len() <= 1, "one thing is wrong: {}", answer.body);
    match fields.first() {
        Some(wrong) => {
            assert!(text(&wrong["field"]).ends_with(field), "{}", answer.body);
            text(&wrong["message"])
        }
        None => answer.msg().to_owned(),
    }
}

fn of<'w>(path: &'w str, headings: &'w [&'w str], row: &'w [&'w str]) -> Sheet<'w> {
    Sheet { path, beside: &[], headings, row }
}

async fn calendar_and_places(ways: &mut Ways<'_>, p: &Cohort) {
    let admin = ways.client.clone();
    let hand = admin.post(&format!("{GRADE}/save"), json!({ "code": "26" })).await;
    ways.same(&hand, "code", of(BASICS[4], &["年级编码", "入学季"], &["26", "春季"]), "年级编码").await;

    let level = json!({ "code": "ZSB", "name": "高起专", "entryLevel": "high_school_to_associate" });
    let hand = admin.post(&format!("{LEVEL}/save"), level).await;
    let row = ["ZSB", "高起专", "高起专"];
    ways.same(&hand, "code", of(BASICS[0], &["编码", "名称", "起点层次"], &row), "编码").await;

    let backwards = json!({ "code": "2026-2", "startsOn": "2026-08-31", "endsOn": "2026-08-01" });
    let hand = admin.post(&format!("{SEMESTER}/save"), backwards).await;
    let row = ["2026-2", "2026-08-31", "2026-08-01"];
    ways.same(&hand, "endsOn", of(BASICS[6], &["学期编码", "开始日期", "结束日期"], &row), "结束日期").await;

    let site = json!({ "code": "CD", "name": "城西教学点", "kind": "headquarter" });
    let hand = admin.post(&format!("{SITE}/save"), site).await;
    let row = ["CD", "城西教学点", "校本部"];
    ways.same(&hand, "code", of(BASICS[7], &["站点编码", "站点名称", "类型"], &row), "站点编码").await;

    let room = json!({ "siteId": p.site, "roomNo": "101", "roomType": "ordinary", "capacity": 60, "examCapacity": 70 });
    let hand = admin.post(&format!("{ROOM}/save"), room).await;
    let headings = ["站点编码", "房间号", "类型", "容量", "考试容量"];
    let row = ["CD", "101", "普通", "60", "70"];
    ways.same(&hand, "examCapacity", of(BASICS[2], &headings, &row), "考试容量").await;
}

async fn majors_and_classes(ways: &mut Ways<'_>, p: &Cohort) {
    let admin = ways.client.clone();
    let major = json!({ "code": "KJ", "name": "税务会计", "nationalMajorId": p.national, "levelId": p.level,
        "studyForm": "non_full_time", "direction": "税务", "totalCredits": 92.0 });
    let hand = admin.post(&format!("{MAJOR}/save"), major).await;
    let headings = ["校内专业代码", "专业名称", "国家专业代码", "层次编码", "学习形式", "专业方向", "总学分"];
    let row = ["KJ", "税务会计", "120203K", "ZSB", "非脱产", "税务", "92"];
    ways.same(&hand, "code", of(BASICS[5], &headings, &row), "校内专业代码").await;

    admin.post(&format!("{CLASS}/save"), p.class("C1")).await.id();
    let hand = admin.post(&format!("{CLASS}/save"), p.class("C1")).await;
    let headings = ["班级编码", "年级编码", "层次编码", "校内专业代码", "站点编码"];
    ways.same(&hand, "code", of(BASICS[1], &headings, &["C1", "2026", "ZSB", "KJ", "CD"]), "班级编码").await;

    let filing =
        json!({ "year": 2027, "gradeId": p.grade, "majorId": p.major, "plannedQuota": 200, "siteIds": [p.site] });
    let filing = admin.post(&format!("{FILING}/save"), filing).await.id();
    let item = |version: i32| json!([{ "id": filing, "version": version }]);
    let submitted = admin.put(&format!("{FILING}/submit"), json!({ "items": item(1) })).await;
    assert_eq!(submitted.data()["done"], json!(1));
    let hand = admin.put(&format!("{FILING}/reject"), json!({ "items": item(2), "reason": "不" })).await;
    let headings = ["招生年份", "校内专业代码", "结果", "说明"];
    ways.same(&hand, "reason", of(BASICS[3], &headings, &["2027", "KJ", "不通过", "不"]), "说明").await;
}

async fn courses_and_staff(ways: &mut Ways<'_>, p: &Cohort) {
    let admin = ways.client.clone();
    let english = course(&admin, "A", "大学英语").await;
    let type_id = courses::type_of(&admin, "GGJC").await;
    let hand = admin.post(&format!("{COURSE}/save"), courses::body("A", "英语", type_id)).await;
    let headings = ["课程代码", "课程名称", "课程类型编码", "学分", "面授学时", "考核类型"];
    ways.same(&hand, "code", of(BASICS[8], &headings, &["A", "英语", "GGJC", "4", "72", "考试"]), "课程代码").await;

    chapter(&admin, english, None, "绪论").await;
    let hand = admin.post(&format!("{CHAPTER}/save"), json!({ "courseId": english, "title": "绪论" })).await;
    let beside = [("courseId", english.to_string())];
    let sent = Sheet { path: BASICS[9], beside: &beside, headings: &["章序号", "章标题"], row: &["1", "绪论"] };
    ways.same(&hand, "title", sent, "章标题").await;

    let manager = json!({ "workNo": "B1", "name": "王立", "phone": "135", "siteIds": [p.site] });
    let hand = admin.post(&format!("{MANAGER}/save"), manager).await;
    let headings = ["工号", "姓名", "手机", "站点编码"];
    ways.same(&hand, "phone", of(BASICS[10], &headings, &["B1", "王立", "135", "CD"]), "手机").await;

    let staff = json!({ "siteId": p.site, "name": "李明", "phone": "135", "duty": "academic" });
    let hand = admin.post(&format!("{STAFF}/save"), staff).await;
    let headings = ["站点编码", "姓名", "手机", "职务"];
    ways.same(&hand, "phone", of(BASICS[11], &headings, &["CD", "李明", "135", "教务"]), "手机").await;

    let unit = json!({ "code": "JG", "name": "经济管理学院", "kind": "college" });
    let unit = admin.post("/adult/pc/organize/save", unit).await.id();
    let wrong = "110105194912310021";
    let teacher = json!({ "workNo": "T001", "name": "陈立", "phone": "13900000001", "organizationId": unit,
        "idCardType": "resident_id", "idCardNo": wrong });
    let hand = admin.post(&format!("{TEACHER}/save"), teacher.clone()).await;
    let headings = ["工号", "姓名", "手机", "机构", "证件类型", "证件号"];
    let row = ["T001", "陈立", "13900000001", "JG", "居民身份证", wrong];
    ways.same(&hand, "idCardNo", of(BASICS[12], &headings, &row), "证件号").await;
    // The same of somebody who is there, edited and brought up to date.
    let mut right = teacher.clone();
    right["idCardNo"] = json!("429900199603150216");
    let id = admin.post(&format!("{TEACHER}/save"), right).await.id();
    let hand = admin.put(&format!("{TEACHER}/edit"), with(teacher, json!({ "id": id, "version": 1 }))).await;
    let beside = [("mode", "upsert".to_owned())];
    let sent = Sheet { beside: &beside, ..of(BASICS[12], &headings, &row) };
    ways.same(&hand, "idCardNo", sent, "证件号").await;
}

#[tokio::test]
async fn what_a_school_stands_on_is_refused_alike() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let mut ways = Ways::of(admin);
    calendar_and_places(&mut ways, &p).await;
    majors_and_classes(&mut ways, &p).await;
    courses_and_staff(&mut ways, &p).await;
    ways.were(&BASICS);
}

#[tokio::test]
async fn people_are_refused_alike() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let mut ways = Ways::of(admin.clone());

    // Who has no number yet, and one that is none.
    let numberless = with(student(&p, 1), json!({ "studentNo": null, "examineeNo": "19000001" }));
    save(&admin, numberless).await;
    let hand = admin.post(&format!("{ROLL}/save"), with(student(&p, 2), json!({ "studentNo": "26-1" }))).await;
    let headings = ["考生号", "姓名", "学号"];
    ways.same(&hand, "studentNo", of(PEOPLE[4], &headings, &["19000001", "张晓梅", "26-1"]), "学号").await;

    // A class of one seat.
    let class = with(p.class("MY"), json!({ "name": "满员班", "capacity": 1 }));
    let class = admin.post(&format!("{CLASS}/save"), class).await.id();
    save(&admin, with(student(&p, 3), json!({ "classId": class }))).await;
    let standing = save(&admin, student(&p, 4)).await;
    let body = json!({ "items": [{ "id": standing, "version": 1 }], "classId": class });
    let hand = admin.put(DIVIDE, body).await;
    let row = ["2600000004", "张晓梅", "满员班"];
    ways.same(&hand, "", of(PEOPLE[5], &["学号", "姓名", "班级名称"], &row), "班级名称").await;

    let open = batch(&admin, &p, "YB-1", false).await;
    let beside = [("batchId", open.to_string())];
    let hand = admin.post(&format!("{PRE}/save"), with(person(&p, open, 5), json!({ "phone": "135" }))).await;
    let headings = ["姓名", "证件号", "手机", "层次", "专业", "站点"];
    let number = id_number(5);
    let row: [&str; 6] = ["李秀英", &number, "135", "ZSB", "KJ", "CD"];
    ways.same(&hand, "phone", Sheet { beside: &beside, ..of(PEOPLE[2], &headings, &row) }, "手机").await;
    let known = admin.post(&format!("{PRE}/save"), person(&p, open, 6)).await.id();
    let mut edit = with(person(&p, open, 6), json!({ "id": known, "version": 1, "examineeNo": "考生" }));
    edit.as_object_mut().expect("fields").remove("batchId");
    let hand = admin.put(&format!("{PRE}/edit"), edit).await;
    let headings = ["证件号", "姓名", "考生号"];
    let number = id_number(6);
    let row: [&str; 3] = [&number, "李秀英", "考生"];
    ways.same(&hand, "examineeNo", Sheet { beside: &beside, ..of(PEOPLE[1], &headings, &row) }, "考生号").await;

    file_majors(&server, p.grade).await;
    let enrolling = save_batch(&admin, &p, "2026-1").await;
    let beside = [("batchId", enrolling.to_string())];
    let major = json!({ "batchId": enrolling, "majorId": p.major, "authorityCode": "101", "quota": 100_000,
        "tuition": 280_000 });
    let hand = admin.post(&format!("{MAJORS}/save"), major).await;
    let headings = ["专业代码", "层次", "学习形式", "招办专业代码", "计划数", "学费(元/学年)"];
    let row = ["KJ", "ZSB", "非脱产", "101", "100000", "2800"];
    ways.same(&hand, "quota", Sheet { beside: &beside, ..of(PEOPLE[0], &headings, &row) }, "计划数").await;
    ways.were(&[PEOPLE[0], PEOPLE[1], PEOPLE[2], PEOPLE[4], PEOPLE[5]]);
}

#[tokio::test]
async fn payments_are_refused_alike() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (enrolling, _) = kit::admission::open_batch(&server, &admin, &p, 200).await;
    audited(&admin, &p, enrolling, 1..2).await;
    let person = registration(&admin, 1).await;
    let mut ways = Ways::of(admin.clone());
    let fee = json!({ "items": [{ "id": person["id"], "version": person["version"] }], "feePaid": true,
        "paidAmount": 280_000, "paidAt": "2099-01-01" });
    let hand = admin.put(&format!("{REGISTRATION}/fee"), fee).await;
    let headings = ["考生号", "姓名", "实缴金额(元)", "缴费日期"];
    let row = ["05010000000001", "张晓梅", "2800", "2099-01-01"];
    ways.same(&hand, "paidAt", of(PEOPLE[3], &headings, &row), "缴费日期").await;
    ways.were(&[PEOPLE[3]]);
}

#[tokio::test]
async fn what_is_taught_is_refused_alike() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [2, 1]).await;
    let mut ways = Ways::of(admin.clone());
    let number = "2600000001";
    let learner: i64 = server.one(&format!("select id from school_1.student where student_no = '{number}'")).await;

    let full = json!({ "semesterId": taught.spring, "kind": "extra", "courseId": taught.course, "capacity": 0 });
    let hand = admin.post(&format!("{OPENING}/save"), full).await;
    let headings = ["学期编码", "课程代码", "开课类别", "人数上限"];
    ways.same(&hand, "capacity", of(TEACHING[3], &headings, &["2026-1", "A1", "计划外", "0"]), "人数上限").await;

    let again = json!({ "openingIds": [taught.opening], "studentIds": [learner], "source": "admin" });
    let hand = admin.post(&format!("{SELECTION}/save"), again).await;
    let headings = ["学号", "学期编码", "课程代码", "来源"];
    ways.same(&hand, "", of(TEACHING[0], &headings, &[number, "2026-1", "A1", "补选"]), "课程代码").await;

    // 教师1 lectures there; 教师2 teaches nobody yet.
    let item = json!({ "openingId": taught.opening, "teacherId": taught.teachers[1], "role": "lecturer", "hours": 36 });
    let hand = admin.post(&format!("{ALLOCATION}/save"), json!({ "items": [item] })).await;
    let headings = ["学期编码", "课程代码", "教师工号", "角色"];
    ways.same(&hand, "teacherId", of(TEACHING[1], &headings, &["2026-1", "A1", "T102", "主讲"]), "教师工号").await;

    let form = with(taught.form("1-2"), json!({ "periodFrom": 4, "periodTo": 1 }));
    let hand = admin.post(&format!("{ARRANGE}/save"), form).await;
    let headings =
        ["学期编码", "课程代码", "班级编码", "教师工号", "站点编码", "教室", "周次", "星期", "开始节次", "结束节次"];
    let row = ["2026-1", "A1", "C1", "T101", "CD", "301", "1-2", "6", "4", "1"];
    ways.same(&hand, "periodTo", of(TEACHING[2], &headings, &row), "结束节次").await;

    let listed = admin.post(&format!("{INSTRUCTION}/list"), json!({ "openingId": taught.opening })).await;
    let lines = listed.data()["list"].as_array().expect("scores").clone();
    let own = lines.iter().find(|line| line["studentNo"] == json!(number)).expect("a line");
    let item = json!({ "selectionId": own["selectionId"], "version": own["version"], "performanceScore": 101.0 });
    let hand = admin.put(&format!("{INSTRUCTION}/edit"), json!({ "items": [item] })).await;
    let headings = ["学号", "学期编码", "课程代码", "表现成绩"];
    let row = [number, "2026-1", "A1", "101"];
    ways.same(&hand, "performanceScore", of(TEACHING[4], &headings, &row), "表现成绩").await;

    let questions = bank(&admin, taught.course, "QB", "homework").await;
    let mut none_of_them = choice(questions, "货币的职能是", 2.0);
    none_of_them["answer"] = json!({ "letters": ["C"] });
    let hand = admin.post(&format!("{QUESTION}/save"), none_of_them).await;
    let headings = ["题型", "题干", "选项A", "选项B", "答案", "分值"];
    let row = ["单选题", "货币的职能是", "价值尺度", "贮藏手段", "C", "2"];
    let beside = [("bankId", questions.to_string())];
    ways.same(&hand, "answer", Sheet { beside: &beside, ..of(TEACHING[7], &headings, &row) }, "答案").await;
    ways.were(&[TEACHING[0], TEACHING[1], TEACHING[2], TEACHING[3], TEACHING[4], TEACHING[7]]);
}

#[tokio::test]
async fn courses_of_plans_are_refused_alike() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let course = plans::course(&admin, "A1", 3.0, 54, 36).await;
    let plan = plans::plan(&admin, &p).await;
    let mut ways = Ways::of(admin.clone());
    let item = json!({ "courseId": course, "nature": "compulsory", "termNo": 12 });
    let hand = plans::added(&admin, plan, json!([item])).await;
    let beside = [("planId", plan.to_string())];
    let headings = ["课程代码", "课程性质", "开课学期"];
    let sent = Sheet { beside: &beside, ..of(TEACHING[5], &headings, &["A1", "必修", "12"]) };
    ways.same(&hand, "termNo", sent, "开课学期").await;
    let headings = ["年级编码", "校内专业代码", "课程代码", "课程性质", "开课学期"];
    ways.same(&hand, "termNo", of(TEACHING[6], &headings, &["2026", "KJ", "A1", "必修", "12"]), "开课学期").await;
    ways.were(&[TEACHING[5], TEACHING[6]]);
}

#[tokio::test]
async fn what_the_platform_keeps_is_refused_alike() {
    let server = Server::start().await;
    let root = server.operator().await;
    let mut ways = Ways::of(root.clone());

    let long = "x".repeat(65);
    let word = json!({ "dictType": "source_channel", "dictLabel": "校友", "dictValue": long });
    let hand = root.post(&format!("{DICT}/save"), word).await;
    let row: [&str; 3] = ["source_channel", "校友", &long];
    ways.same(&hand, "dictValue", of(PLATFORM[1], &["字典类型", "标签", "值"], &row), "值").await;

    let major = json!({ "code": "120299", "name": "数字财务管理", "level": "bachelor", "disciplineCode": "12",
        "categoryCode": "1202", "category": "工商管理类", "degrees": ["管理学学士"], "year": 1900 });
    let hand = root.post(&format!("{NATIONAL}/save"), major).await;
    let headings = ["专业代码", "专业名称", "培养层次", "门类代码", "专业类代码", "专业类名称", "可授学位", "目录年版"];
    let row = ["120299", "数字财务管理", "本科", "12", "1202", "工商管理类", "管理学学士", "1900"];
    ways.same(&hand, "year", of(PLATFORM[0], &headings, &row), "目录年版").await;

    let audit = role(&server, "audit").await;
    let account = json!({ "loginName": "qa", "realName": "秦安", "roleIdList": [audit] });
    let hand = root.post(&format!("{USER}/save"), account).await;
    let beside = [("roleIdList", audit.to_string())];
    let sent = Sheet { beside: &beside, ..of(PLATFORM[2], &["账号", "姓名"], &["qa", "秦安"]) };
    ways.same(&hand, "loginName", sent, "账号").await;

    let hand = root.post("/user/pc/ext/save", json!({ "phone": "1390000000", "nickname": "十位" })).await;
    ways.same(&hand, "phone", of(PLATFORM[3], &["手机号", "昵称"], &["1390000000", "十位"]), "手机号").await;
    ways.were(&PLATFORM);
}

/// Every import of the document is shown above, or stands among those that have a reason of their own.
#[test]
fn no_import_is_forgotten() {
    let document = document::document();
    let sheets: BTreeSet<&str> = document::operations(document)
        .filter(|(_, _, operation)| {
            let form = &operation["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"];
            form["dryRun"].is_object() && form["file"].is_object()
        })
        .map(|(_, path, _)| path.as_str())
        .collect();
    let told = BASICS.iter().chain(&PEOPLE).chain(&TEACHING).chain(&PLATFORM).copied();
    let told = told.chain(OTHERS.iter().map(|(path, why)| {
        assert!(!why.is_empty());
        *path
    }));
    let told: BTreeSet<&str> = told.chain([SITE_CLIENT]).collect();
    assert_eq!(sheets, told);
}
