//! Forms of a demonstration school: the newest grade hands in these days, so every state stands there but that of a class manager,
//! who looks at nothing where the school has not set it; the forms of the older grades are approved, and the oldest fills in
//! 毕业登记 (05 G4). Nobody has pictures, so none are found to be one.

use std::collections::HashMap;

use chrono::{Datelike, Months, NaiveDate, TimeDelta};
use information_review_rules::demo::{COMMITMENT, PLANTED, SELF_ASSESSMENT, asked};
use infra::{
    Result, Tx,
    clock::{Moment, day_began},
};
use people::demo::Dice;
use poem_openapi::types::ToJSON;
use serde_json::{Value, json};
use student_status::{enums::PreEduLevel, student::Student};

use crate::{
    content::{
        AdmissionCommitmentContent, AdmissionInformationContent, CheckedItem, FamilyLine, GraduationInformationContent,
        ResumeLine,
    },
    enums::{
        ChsiPreCheck, CommitmentConclusion, DiplomaEvidence, InformationItem, InformationKind, InformationStage,
        InformationStatus, PhotoCheck,
    },
    information::{items, submit::promise},
    opening::arrived,
    window::{self, InformationWindowForm},
};

/// How far people usually are while a form is collected (05 G4).
const STATES: [(InformationStatus, f64); 4] = [
    (InformationStatus::NotSubmitted, 8.0),
    (InformationStatus::Submitted, 9.0),
    (InformationStatus::Returned, 3.0),
    (InformationStatus::Approved, 80.0),
];

/// Each of these occurs among the 专升本 of the newest grade.
const PRE_CHECKS: [ChsiPreCheck; 4] =
    [ChsiPreCheck::Pending, ChsiPreCheck::ToCheck, ChsiPreCheck::Passed, ChsiPreCheck::Failed];

/// Why a form came back.
const fn returned_for(kind: InformationKind) -> &'static str {
    match kind {
        InformationKind::AdmissionInformation => "简历从高中填起，请补充完整后重新提交",
        InformationKind::AdmissionCommitment => "毕业证书复印件不清晰，请重新上传",
        InformationKind::GraduationInformation => "自我鉴定过于简单，请结合学习和工作情况修改",
    }
}

/// Forms that are written at once.
const AT_ONCE: usize = 500;

/// A form that is there, empty.
struct Empty {
    id: i64,
    kind: InformationKind,
    student_id: i64,
    /// Of a grade that hands it in now.
    collected: bool,
    /// Of 专升本, whose former education is checked.
    checked: bool,
    active: bool,
    /// Of those who graduate by the end of the year.
    graduates: bool,
}

/// Opens the windows of a demonstration school, and writes its forms. `school` is what the students sign for.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, seed: u64, today: NaiveDate, school: &str) -> Result<()> {
    let grades = sqlx::query_scalar!("select id from grade order by entry_year, id").fetch_all(&mut **tx).await?;
    let (Some(oldest), Some(newest)) = (grades.first().copied(), grades.last().copied()) else { return Ok(()) };
    let older: Vec<i64> = grades.into_iter().filter(|grade| *grade != newest).collect();
    let days = |days| today + TimeDelta::days(days);
    for kind in [InformationKind::AdmissionInformation, InformationKind::AdmissionCommitment] {
        if !older.is_empty() {
            open(tx, kind, older.clone(), (days(-400), days(-360))).await?;
        }
        open(tx, kind, vec![newest], (days(-20), days(20))).await?;
    }
    open(tx, InformationKind::GraduationInformation, vec![oldest], (days(-15), days(30))).await?;
    let students = sqlx::query_scalar!("select id from student order by id").fetch_all(&mut **tx).await?;
    for part in students.chunks(AT_ONCE) {
        arrived(tx, part).await?;
    }
    // The window opens them by the clock; a demonstration may be of another day.
    sqlx::query!(
        "insert into student_information (kind, student_id, photo_check, created_by, updated_by)
         select 'graduation_information', s.id, 'pending', 0, 0 from student s
         where s.grade_id = $1 and s.status = 'registered' order by s.id
         on conflict do nothing",
        oldest
    )
    .execute(&mut **tx)
    .await?;
    let until = NaiveDate::from_ymd_opt(days(30).year(), 12, 31).unwrap_or(today);
    let empty = sqlx::query_as!(
        Empty,
        r#"select i.id, i.kind as "kind: _", i.student_id,
                  (i.kind = 'graduation_information' or s.grade_id = $1) as "collected!",
                  coalesce(i.chsi_pre_check = 'pending', false) as "checked!", s.active as "active!",
                  (s.expected_graduation_on <= $2) as "graduates!"
           from student_information i join student s on s.id = i.student_id
           where i.status = 'not_submitted' order by i.kind, i.student_id"#,
        newest,
        until
    )
    .fetch_all(&mut **tx)
    .await?;
    let plans = planned(tx, seed, empty).await?;
    for part in plans.chunks(AT_ONCE) {
        write(tx, part, today, school).await?;
    }
    Ok(())
}

async fn open(
    tx: &mut Tx,
    kind: InformationKind,
    grade_ids: Vec<i64>,
    (from, until): (NaiveDate, NaiveDate),
) -> Result<()> {
    let form = InformationWindowForm {
        grade_ids,
        opens_at: day_began(from),
        closes_at: day_began(until),
        template_text: (kind == InformationKind::AdmissionCommitment).then(|| COMMITMENT.to_owned()),
        require_signature: false,
        require_face: false,
        enabled: true,
    };
    window::insert(tx, kind, &form).await?;
    Ok(())
}

/// What becomes of a form.
#[derive(Debug, Clone)]
struct Plan {
    id: i64,
    kind: InformationKind,
    student_id: i64,
    status: InformationStatus,
    collected: bool,
    /// In the order of its group.
    nth: usize,
    /// What the register says wrongly, and what is right.
    wrong: Vec<(InformationItem, Option<String>)>,
    correction: Option<i64>,
    conclusion: Option<CommitmentConclusion>,
    pre_check: Option<ChsiPreCheck>,
    photo_check: Option<PhotoCheck>,
}

/// Who has an open correction, with what it asks for.
type Open = HashMap<i64, (i64, Value)>;

async fn planned(tx: &mut Tx, seed: u64, empty: Vec<Empty>) -> Result<Vec<Plan>> {
    let rows = sqlx::query!(
        "select id, student_id, changes from student_correction
         where status in ('pending_site', 'pending_school', 'pending_province')"
    )
    .fetch_all(&mut **tx)
    .await?;
    let open: Open = rows.into_iter().map(|row| (row.student_id, (row.id, row.changes))).collect();
    // A school whose oldest grade is its newest has nobody who graduates soon.
    let nobody = !empty.iter().any(|form| form.kind == InformationKind::GraduationInformation && form.graduates);
    let mut count: HashMap<InformationKind, usize> = HashMap::new();
    let (mut returned, mut submitted, mut checked) = (0_usize, HashMap::new(), 0_usize);
    let mut plans = Vec::with_capacity(empty.len());
    for form in empty {
        let graduation = form.kind == InformationKind::GraduationInformation;
        if (form.collected && !form.active) || (graduation && !form.graduates && !nobody) {
            continue;
        }
        let nth = count.entry(form.kind).or_default();
        let (place, collected) = (*nth, form.collected);
        // Only those of now are counted: the older ones are all approved.
        *nth += usize::from(collected);
        let correction = open
            .get(&form.student_id)
            .filter(|_| collected && form.kind == InformationKind::AdmissionInformation && place >= PLANTED.len());
        let status = match (collected, correction) {
            (false, _) => InformationStatus::Approved,
            (true, Some(_)) => InformationStatus::Submitted,
            (true, None) => {
                let drawn = Dice::new(seed, form.kind.as_str(), place).weighted(&STATES);
                PLANTED.get(place).copied().unwrap_or(drawn)
            }
        };
        let mut plan = Plan {
            id: form.id,
            kind: form.kind,
            student_id: form.student_id,
            status,
            collected,
            nth: place,
            wrong: correction.map(|(_, changes)| asked(changes)).unwrap_or_default(),
            correction: correction.map(|(id, _)| *id),
            conclusion: None,
            pre_check: None,
            photo_check: None,
        };
        let waiting: &mut usize = submitted.entry(form.kind).or_default();
        let first = status == InformationStatus::Submitted && *waiting == 0;
        *waiting += usize::from(status == InformationStatus::Submitted);
        match form.kind {
            InformationKind::AdmissionInformation => {
                if first {
                    plan.wrong.push((InformationItem::AdmissionPhoto, None));
                }
            }
            InformationKind::AdmissionCommitment => {
                plan.pre_check = Some(pre_check(&form, checked));
                checked += usize::from(form.checked && collected);
                plan.conclusion = concluded(&plan, returned);
                returned += usize::from(status == InformationStatus::Returned);
            }
            InformationKind::GraduationInformation => {
                plan.photo_check = Some(if first { PhotoCheck::Different } else { PhotoCheck::Pending });
            }
        }
        if status != InformationStatus::NotSubmitted || plan.pre_check.is_some() {
            plans.push(plan);
        }
    }
    Ok(plans)
}

/// What 学信网 found: of the newest grade in turn, of the older ones that all is well.
fn pre_check(form: &Empty, place: usize) -> ChsiPreCheck {
    match (form.checked, form.collected) {
        (false, _) => ChsiPreCheck::NotRequired,
        (true, false) => ChsiPreCheck::Passed,
        (true, true) => PRE_CHECKS.get(place).copied().unwrap_or(ChsiPreCheck::Pending),
    }
}

fn concluded(plan: &Plan, returned: usize) -> Option<CommitmentConclusion> {
    match (plan.status, plan.pre_check) {
        (InformationStatus::Approved, Some(ChsiPreCheck::Failed)) => Some(CommitmentConclusion::Unqualified),
        (InformationStatus::Approved, _) => Some(CommitmentConclusion::Qualified),
        (InformationStatus::Returned, _) if returned == 0 => Some(CommitmentConclusion::Unqualified),
        (InformationStatus::Returned, _) => Some(CommitmentConclusion::Supplement),
        _ => None,
    }
}

/// Writes what becomes of some forms, and the way that they went.
async fn write(tx: &mut Tx, plans: &[Plan], today: NaiveDate, school: &str) -> Result<()> {
    let ids: Vec<i64> = plans.iter().map(|plan| plan.student_id).collect();
    let students: HashMap<i64, Student> =
        students(tx, &ids).await?.into_iter().map(|student| (student.id, student)).collect();
    let (mut rows, mut steps) = (Vec::with_capacity(plans.len()), Vec::new());
    for plan in plans {
        if let Some(student) = students.get(&plan.student_id) {
            rows.push(row(plan, student, today, school, &mut steps));
        }
    }
    sqlx::query!(
        "update student_information i
         set status = r.status, content = r.content, submitted_at = r.submitted_at, submitted_by = r.submitted_by,
             signed_at = r.submitted_at, sign_ip = r.sign_ip, reviewed_by = r.reviewed_by, reviewed_at = r.reviewed_at,
             remark = r.remark, return_count = r.return_count, mismatches = r.mismatches, correction_id = r.correction_id,
             evidence_kind = r.evidence_kind, commitment_version = r.commitment_version,
             commitment_text = r.commitment_text, conclusion = r.conclusion, chsi_pre_check = r.chsi_pre_check,
             chsi_checked_on = r.chsi_checked_on, photo_check = r.photo_check, class_opinion = r.class_opinion,
             site_opinion = r.site_opinion, school_opinion = r.school_opinion, updated_at = now(), updated_by = 0,
             version = i.version + 1
         from jsonb_to_recordset($1) as r (
             id bigint, status text, content jsonb, submitted_at timestamptz, submitted_by text, sign_ip text,
             reviewed_by text, reviewed_at timestamptz, remark text, return_count integer, mismatches integer,
             correction_id bigint, evidence_kind text, commitment_version integer, commitment_text text, conclusion text,
             chsi_pre_check text, chsi_checked_on date, photo_check text, class_opinion text, site_opinion text,
             school_opinion text)
         where i.id = r.id",
        Value::Array(rows)
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into student_information_step (student_information_id, step, remark, actor_kind, actor_id, actor_name,
                                               created_at)
         select r.id, r.step, r.remark, r.kind, 0, r.name, r.at
         from jsonb_to_recordset($1) as r (id bigint, step text, remark text, kind text, name text, at timestamptz)",
        Value::Array(steps)
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// When somebody handed it in, and how many days later it was decided.
fn handed_in(plan: &Plan, student: &Student, today: NaiveDate) -> Moment {
    let spread = i64::try_from(plan.nth % 12).unwrap_or(0);
    let on = if plan.collected {
        today - TimeDelta::days(2 + spread)
    } else {
        student.enrolled_on + TimeDelta::days(20 + spread)
    };
    day_began(on) + TimeDelta::minutes(9 * 60 + i64::try_from(plan.nth % 600).unwrap_or(0))
}

const REGISTRAR: &str = "学籍管理员";

fn row(plan: &Plan, student: &Student, today: NaiveDate, school: &str, steps: &mut Vec<Value>) -> Value {
    use InformationStatus::{Approved, ClassPassed, NotSubmitted, Returned, Submitted};
    let handed_in = handed_in(plan, student, today);
    let decided = handed_in + TimeDelta::days(1);
    let filled = plan.status != NotSubmitted;
    let mut note = |stage: InformationStage, remark: Option<&str>, (kind, name): (&str, &str), at: Moment| {
        steps.push(json!({
            "id": plan.id, "step": stage.as_str(), "remark": remark, "kind": kind, "name": name, "at": at,
        }));
    };
    let remark = (plan.status == Returned).then(|| returned_for(plan.kind));
    if filled {
        note(InformationStage::Submit, None, ("student", student.name.as_str()), handed_in);
    }
    match plan.status {
        NotSubmitted | Submitted | ClassPassed => {}
        Approved => note(InformationStage::Approve, None, ("job", REGISTRAR), decided),
        Returned => note(InformationStage::Return, remark, ("job", REGISTRAR), decided),
    }
    let found = plan.pre_check.filter(|found| !matches!(found, ChsiPreCheck::NotRequired | ChsiPreCheck::Pending));
    if let Some(found) = found {
        note(InformationStage::PreCheck, Some(found.zh()), ("job", REGISTRAR), decided);
    }
    let by_school = matches!(plan.status, Approved | Returned);
    let commitment = filled && plan.kind == InformationKind::AdmissionCommitment;
    let evidence = commitment.then(|| evidence_of(plan, student));
    let opinion = |text: &'static str| {
        (plan.kind == InformationKind::GraduationInformation && plan.status == Approved).then_some(text)
    };
    json!({
        "id": plan.id,
        "status": plan.status.as_str(),
        "content": if filled { content(plan, student, evidence) } else { json!({}) },
        "submitted_at": filled.then_some(handed_in),
        "submitted_by": filled.then_some("student"),
        "sign_ip": filled.then_some("192.0.2.10"),
        "reviewed_by": by_school.then_some(REGISTRAR),
        "reviewed_at": by_school.then_some(decided),
        "remark": remark,
        "return_count": i32::from(plan.status == Returned),
        "mismatches": plan.wrong.len(),
        "correction_id": plan.correction,
        "evidence_kind": evidence.map(DiplomaEvidence::as_str),
        "commitment_version": commitment.then_some(1),
        "commitment_text": commitment.then(|| promise(COMMITMENT, school, student)),
        "conclusion": plan.conclusion.map(CommitmentConclusion::as_str),
        "chsi_pre_check": plan.pre_check.map(ChsiPreCheck::as_str),
        "chsi_checked_on": found.map(|_| decided.date_naive()),
        "photo_check": plan.photo_check.map(PhotoCheck::as_str),
        "class_opinion": opinion("该生学习态度端正，团结同学，完成了全部学习任务。"),
        "site_opinion": opinion("同意班级鉴定意见。"),
        "school_opinion": opinion("同意毕业。"),
    })
}

fn evidence_of(plan: &Plan, student: &Student) -> DiplomaEvidence {
    match (student.pre_edu_level, plan.nth % 5) {
        (Some(PreEduLevel::Associate | PreEduLevel::Bachelor), 0) => DiplomaEvidence::DiplomaCopy,
        (Some(PreEduLevel::Associate | PreEduLevel::Bachelor), 1) => DiplomaEvidence::Report,
        (Some(PreEduLevel::Associate | PreEduLevel::Bachelor), _) => DiplomaEvidence::OnlineCode,
        (_, 0) => DiplomaEvidence::Equivalent,
        (_, _) => DiplomaEvidence::HighSchool,
    }
}

fn content(plan: &Plan, student: &Student, evidence: Option<DiplomaEvidence>) -> Value {
    let filled = match plan.kind {
        InformationKind::AdmissionInformation => AdmissionInformationContent {
            items: checked(plan, student),
            phone: student.phone.clone(),
            email: student.email.clone(),
            address: student.address.clone(),
            postal_code: Some("430074".to_owned()),
            work_unit: student.work_unit.clone(),
            occupation: Some("职员".to_owned()),
            native_place: Some("湖北省武汉市".to_owned()),
            emergency_contact: Some("家属".to_owned()),
            emergency_phone: Some("027-87654321".to_owned()),
            resume: resume(student),
            ..AdmissionInformationContent::default()
        }
        .to_json(),
        InformationKind::AdmissionCommitment => AdmissionCommitmentContent {
            pre_edu_level: student.pre_edu_level,
            pre_edu_school: student.pre_edu_school.clone(),
            pre_edu_major: student.pre_edu_major.clone().or_else(|| Some("普通科".to_owned())),
            pre_edu_certificate_no: student.pre_edu_certificate_no.clone(),
            pre_edu_graduated_on: student.pre_edu_graduated_on,
            evidence_kind: evidence,
            verify_code: (evidence == Some(DiplomaEvidence::OnlineCode)).then(|| format!("A{:011}", plan.id)),
            report_no: (evidence == Some(DiplomaEvidence::Report)).then(|| format!("GX{:010}", plan.id)),
        }
        .to_json(),
        InformationKind::GraduationInformation => GraduationInformationContent {
            items: checked(plan, student),
            resume: resume(student),
            family: vec![FamilyLine {
                relation: "父亲".to_owned(),
                name: format!("{}建国", student.name.chars().next().unwrap_or('李')),
                unit: Some("退休".to_owned()),
                duty: None,
            }],
            self_assessment: Some(SELF_ASSESSMENT.to_owned()),
            practice: Some(format!("结合本职工作完成{}岗位实习。", student.major_name)),
            thesis_title: Some(format!("{}在中小企业中的应用研究", student.major_name)),
            rewards: Some("无".to_owned()),
            punishments: Some("无".to_owned()),
            contact_after: student.phone.clone(),
            ..GraduationInformationContent::default()
        }
        .to_json(),
    };
    filled.unwrap_or_else(|| json!({}))
}

fn checked(plan: &Plan, student: &Student) -> Vec<CheckedItem> {
    let item = |key: &InformationItem| {
        let wrong = plan.wrong.iter().find(|(item, _)| item == key);
        CheckedItem {
            key: *key,
            registered: items::registered(student, *key),
            ok: wrong.is_none(),
            declared: wrong.and_then(|(_, declared)| declared.clone()),
        }
    };
    items::of_kind(plan.kind).iter().map(item).collect()
}

/// School up to the former diploma, then work.
fn resume(student: &Student) -> Vec<ResumeLine> {
    let left = student.pre_edu_graduated_on.unwrap_or(student.enrolled_on);
    let month = |day: Option<NaiveDate>| day.unwrap_or(left).format("%Y-%m").to_string();
    vec![
        ResumeLine {
            from: month(left.checked_sub_months(Months::new(34))),
            to: Some(month(Some(left))),
            unit: student.pre_edu_school.clone().unwrap_or_else(|| "第一中学".to_owned()),
            duty: Some("学生".to_owned()),
            witness: Some("张老师".to_owned()),
        },
        ResumeLine {
            from: month(left.checked_add_months(Months::new(1))),
            to: None,
            unit: student.work_unit.clone().unwrap_or_else(|| "自由职业".to_owned()),
            duty: Some("职员".to_owned()),
            witness: Some("王主管".to_owned()),
        },
    ]
}

/// Students of these numbers, as the register has them.
async fn students(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Student>> {
    let students = sqlx::query_as!(
        Student,
        r#"select s.id, s.student_no, s.examinee_no, s.name, s.former_name, s.gender as "gender: _", s.birthday, s.ethnicity,
                  s.political_status, s.id_card_type as "id_card_type: _", s.id_card_no, s.phone, s.email, s.address,
                  s.postal_code, s.work_unit, s.occupation, s.native_place, s.hukou_place, s.emergency_contact,
                  s.emergency_phone, s.pre_edu_level as "pre_edu_level: _", s.pre_edu_school, s.pre_edu_major,
                  s.pre_edu_certificate_no, s.pre_edu_graduated_on, s.grade_id, g.name as grade_name, s.level_id,
                  l.name as level_name, s.major_id, m.name as major_name, s.study_form as "study_form: _",
                  s.schooling_years::float8 as "schooling_years!", s.site_id, t.name as site_name, s.class_id,
                  c.name as "class_name?", s.enrolled_on, s.expected_graduation_on, s.max_study_end_on,
                  s.status as "status: _", s.status_reason as "status_reason: _", s.ended_on, s.suspended_until, s.suspended_months,
                  s.registered_on, s.register_result as "register_result: _", s.register_message, s.admission_photo_id,
                  s.enrol_photo_id, s.graduation_photo_id, s.total_score::float8 as total_score,
                  s.exam_category as "exam_category: _", s.source as "source: _", s.fee_flag as "fee_flag: _", s.remark,
                  s.created_at, s.version
           from student s
           join grade g on g.id = s.grade_id
           join level l on l.id = s.level_id
           join major m on m.id = s.major_id
           join site t on t.id = s.site_id
           left join class c on c.id = s.class_id
           where s.id = any($1)"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(students)
}
