//! 录入, 提交, 审核, 退回 and 免实习 of internships.

use chrono::NaiveDate;
use infra::{Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Saved, Tx, mask, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use scores::offered::{MadeScore, hold_made, publish_made};
use scores_rules::enums::{GradingMode, ScoreMark};
use serde_json::json;
use student_status::student::check::NOT_YOURS;
use thesis_rules::{enums::InternshipStatus, grade::InternshipTurn, total::internship};

use super::{
    AuditInternships, EditInternship, RejectInternships, SubmitInternships, WaiveInternship,
    hold::{Held, held, hold},
    write::{InternshipContent, Papers, adopted, filled, put, turned, weights},
};

/// Tenths from which an internship is passed.
const PASS: i64 = 600;
/// What a waived one counts, in tenths: 合格.
pub(crate) const WAIVED: i64 = 750;

/// What staff enter of an internship.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct InternshipEdit {
    /// 编号
    /// 实习课程的选课编号
    pub id: i64,
    /// 版本
    /// 尚未填写时为0
    pub version: i32,
    /// 实习单位
    #[oai(validator(max_length = 100))]
    pub unit: Option<String>,
    /// 岗位
    #[oai(validator(max_length = 50))]
    pub post: Option<String>,
    /// 开始日期
    pub starts_on: Option<NaiveDate>,
    /// 结束日期
    pub ends_on: Option<NaiveDate>,
    /// 单位指导人
    #[oai(validator(max_length = 50))]
    pub mentor: Option<String>,
    /// 指导人电话
    #[oai(validator(max_length = 20))]
    pub mentor_phone: Option<String>,
    /// 申请免实习
    #[oai(default)]
    pub apply_waiver: bool,
    /// 单位评分
    pub unit_score: Option<f64>,
    /// 教师评分
    pub teacher_score: Option<f64>,
    /// 实习报告
    /// 不填为保留原文件
    #[oai(validator(min_length = 1, max_length = 140))]
    pub report_file_key: Option<String>,
    /// 实习鉴定
    /// 不填为保留原文件
    #[oai(validator(min_length = 1, max_length = 140))]
    pub appraisal_file_key: Option<String>,
}

impl Example for InternshipEdit {
    fn example() -> Self {
        Self {
            id: 1,
            version: 0,
            unit: Some("青岛海岸电子有限公司".to_owned()),
            post: Some("质检员".to_owned()),
            starts_on: None,
            ends_on: None,
            mentor: None,
            mentor_phone: None,
            apply_waiver: false,
            unit_score: Some(80.0),
            teacher_score: Some(90.5),
            report_file_key: None,
            appraisal_file_key: None,
        }
    }
}

/// An internship as it was read.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct InternshipItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for InternshipItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

/// Internships that go on.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct InternshipsStep {
    /// 实习
    #[oai(validator(min_items = 1, max_items = 500))]
    pub items: Vec<InternshipItem>,
}

impl Example for InternshipsStep {
    fn example() -> Self {
        Self { items: vec![InternshipItem::example()] }
    }
}

/// Internships that go back, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct InternshipsBack {
    /// 实习
    #[oai(validator(min_items = 1, max_items = 500))]
    pub items: Vec<InternshipItem>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for InternshipsBack {
    fn example() -> Self {
        Self { items: vec![InternshipItem::example()], reason: "请补交实习鉴定".to_owned() }
    }
}

/// An internship that somebody need not do.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct InternshipWaive {
    /// 编号
    pub id: i64,
    /// 版本
    /// 尚未填写时为0
    pub version: i32,
    /// 在职证明
    /// 学生已上传时可不填
    #[oai(validator(min_length = 1, max_length = 140))]
    pub file_key: Option<String>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for InternshipWaive {
    fn example() -> Self {
        Self {
            id: 1,
            version: 0,
            file_key: Some("private/2026/03/a.pdf".to_owned()),
            reason: "在职人员，岗位与专业相符".to_owned(),
        }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/practice", tag = "crate::Tag::GraduationGrades")]
impl Steps {
    /// 录入实习成绩
    #[oai(path = "/edit", method = "put", operation_id = "editInternship")]
    async fn edit(&self, caller: Allowed<EditInternship>, Body(wanted): Body<InternshipEdit>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let held = held(&mut tx, wanted.id, &caller.scope()).await?;
        held.as_read(&mut tx, wanted.version).await?;
        held.to(InternshipTurn::Enter)?;
        let phone = mask::kept(filled(wanted.mentor_phone), held.content.mentor_phone.as_deref(), mask::phone);
        if phone.as_deref().is_some_and(|phone| phone.contains('*')) {
            return Err(Error::field("mentorPhone", "请填写完整的电话，不修改时保留原内容"));
        }
        let content = InternshipContent {
            unit: filled(wanted.unit),
            post: filled(wanted.post),
            starts_on: wanted.starts_on,
            ends_on: wanted.ends_on,
            mentor: filled(wanted.mentor),
            mentor_phone: phone,
            apply_waiver: wanted.apply_waiver,
            unit_score: wanted.unit_score,
            teacher_score: wanted.teacher_score,
        };
        let papers =
            Papers { report: wanted.report_file_key.as_deref(), appraisal: wanted.appraisal_file_key.as_deref() };
        let scores = |content: &InternshipContent| (content.unit_score, content.teacher_score);
        let scored = scores(&content) != scores(&held.content);
        let who = scored.then(|| (caller.user_id(), caller.session.real_name.as_str()));
        let (_, change) = put(&mut tx, &held, &content, &papers, who).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 提交实习成绩
    #[oai(path = "/submit", method = "put", operation_id = "submitInternships")]
    async fn submit(
        &self,
        caller: Allowed<SubmitInternships>,
        Body(step): Body<InternshipsStep>,
    ) -> Result<Reply<BulkResult>> {
        let who = (caller.user_id(), caller.session.real_name.clone());
        let mut tx = caller.begin().await?;
        let ids: Vec<i64> = step.items.iter().map(|item| item.id).collect();
        let found = hold(&mut tx, &ids, &caller.scope()).await?;
        let mut bulk = of_internships(tx);
        for item in sorted(step.items) {
            let row = bulk.row().await?;
            let outcome = match found.get(&item.id) {
                Some(held) => submitted(row, held, item.version, (who.0, &who.1)).await,
                None => Err(Error::new(404, NOT_YOURS)),
            };
            bulk.ended(item.id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 审核实习
    /// 由评分人以外的人审核，通过后实习课程取得成绩
    #[oai(path = "/audit", method = "put", operation_id = "auditInternships")]
    async fn audit(
        &self,
        caller: Allowed<AuditInternships>,
        Body(step): Body<InternshipsStep>,
    ) -> Result<Reply<BulkResult>> {
        let who = (caller.user_id(), caller.session.real_name.clone());
        let mut tx = caller.begin().await?;
        let ids: Vec<i64> = step.items.iter().map(|item| item.id).collect();
        hold_made(&mut tx, &ids).await?;
        let found = hold(&mut tx, &ids, &caller.scope()).await?;
        let weights = weights(&mut tx).await?;
        let mut bulk = of_internships(tx);
        for item in sorted(step.items) {
            let row = bulk.row().await?;
            let outcome = match found.get(&item.id) {
                Some(held) => passed(row, held, item.version, weights, (who.0, &who.1)).await,
                None => Err(Error::new(404, NOT_YOURS)),
            };
            bulk.ended(item.id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 退回实习成绩
    #[oai(path = "/reject", method = "put", operation_id = "rejectInternships")]
    async fn reject(
        &self,
        caller: Allowed<RejectInternships>,
        Body(step): Body<InternshipsBack>,
    ) -> Result<Reply<BulkResult>> {
        let who = (caller.user_id(), caller.session.real_name.clone());
        let mut tx = caller.begin().await?;
        let ids: Vec<i64> = step.items.iter().map(|item| item.id).collect();
        let found = hold(&mut tx, &ids, &caller.scope()).await?;
        let mut bulk = of_internships(tx);
        for item in sorted(step.items) {
            let row = bulk.row().await?;
            let outcome = match found.get(&item.id) {
                Some(held) => returned(row, held, item.version, &step.reason, (who.0, &who.1)).await,
                None => Err(Error::new(404, NOT_YOURS)),
            };
            bulk.ended(item.id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 免实习
    /// 须有在职证明，成绩记为免修，取得学分，不计入平均分和绩点
    #[oai(path = "/waive", method = "put", operation_id = "waiveInternship")]
    async fn waive(
        &self,
        caller: Allowed<WaiveInternship>,
        Body(wanted): Body<InternshipWaive>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        hold_made(&mut tx, &[wanted.id]).await?;
        let found = held(&mut tx, wanted.id, &caller.scope()).await?;
        found.as_read(&mut tx, wanted.version).await?;
        if found.status == InternshipStatus::Passed {
            return Err(Error::conflict("实习成绩已通过，请走成绩更正"));
        }
        if wanted.file_key.is_none() && found.appraisal.is_none() {
            return Err(Error::field("fileKey", "请上传在职证明"));
        }
        let changes = waived(&mut tx, &found, &wanted, (caller.user_id(), &caller.session.real_name)).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

fn sorted(mut items: Vec<InternshipItem>) -> Vec<InternshipItem> {
    items.sort_by_key(|item| item.id);
    items.dedup_by_key(|item| item.id);
    items
}

/// A bulk step over internships. People know one by its student.
fn of_internships(tx: Tx) -> Bulk {
    Bulk::named(
        tx,
        "(select c.id, y.name from course_selection c join student y on y.id = c.student_id) internship",
        "name",
    )
}

/// # Errors
/// 409 of one of which nobody wrote anything.
fn record(held: &Held) -> Result<i64> {
    held.record.ok_or_else(|| Error::conflict("还没有填写实习内容"))
}

async fn submitted(tx: &mut Tx, held: &Held, version: i32, who: (i64, &str)) -> Result<Change> {
    held.as_read(tx, version).await?;
    let id = record(held)?;
    turned(tx, held, id, held.to(InternshipTurn::Submit)?, who, None).await
}

async fn returned(tx: &mut Tx, held: &Held, version: i32, why: &str, who: (i64, &str)) -> Result<Change> {
    held.as_read(tx, version).await?;
    let id = record(held)?;
    turned(tx, held, id, held.to(InternshipTurn::Return)?, who, Some(why)).await
}

/// Ends an internship with its score, and its course with it.
async fn passed(tx: &mut Tx, held: &Held, version: i32, weights: (i64, i64), who: (i64, &str)) -> Result<Change> {
    held.as_read(tx, version).await?;
    let id = record(held)?;
    let to = held.to(InternshipTurn::Pass)?;
    let (unit, teacher) = held.scores().ok_or_else(|| Error::conflict("请先录入单位评分和教师评分"))?;
    if held.given_by.contains(&who.0) {
        return Err(Error::conflict("不能审核自己录入的成绩"));
    }
    let score = internship(unit, teacher, weights);
    sqlx::query!("update internship set score = $2::bigint / 10.0, waived = false where id = $1", id, score)
        .execute(&mut **tx)
        .await?;
    let made = MadeScore {
        selection: held.selection,
        total: score,
        mark: ScoreMark::Normal,
        grading: GradingMode::Percent,
        pass_line: PASS,
        formula: json!({ "internship": { "unit": weights.0, "teacher": weights.1 } }),
        text: None,
    };
    let changes = publish_made(tx, &[made]).await?;
    tx.record(&changes).await?;
    tell(tx, held, scores_rules::arith::shown(score)).await?;
    turned(tx, held, id, to, who, None).await
}

/// Tells the student what the course ended with.
async fn tell(tx: &mut Tx, held: &Held, score: String) -> Result<()> {
    let course = sqlx::query_scalar!(
        "select u.name from course_selection c join course u on u.id = c.course_id where c.id = $1",
        held.selection
    )
    .fetch_one(&mut **tx)
    .await?;
    let values = [("course".to_owned(), course), ("score".to_owned(), score)];
    let person = Person { kind: PersonKind::Student, id: held.student };
    notify(tx, "score_published", Persons::Recipients(vec![person]), values.into(), None).await
}

/// 免修 of an internship, for who works in what they study: it counts as 合格 and in no average.
async fn waived(
    tx: &mut Tx,
    found: &Held,
    wanted: &InternshipWaive,
    (account, name): (i64, &str),
) -> Result<Vec<Change>> {
    let content = InternshipContent { apply_waiver: true, ..found.content.clone() };
    let (id, written) = put(tx, found, &content, &Papers::default(), None).await?;
    let file = adopted(tx, "fileKey", wanted.file_key.as_deref(), id).await?.or(found.appraisal);
    let by = tx.by();
    sqlx::query!(
        "update internship set waived = true, score = $2::bigint / 10.0, appraisal_file_id = $3, updated_at = now(), updated_by = $4
         where id = $1",
        id,
        WAIVED,
        file,
        by
    )
    .execute(&mut **tx)
    .await?;
    let made = MadeScore {
        selection: found.selection,
        total: WAIVED,
        mark: ScoreMark::Exempt,
        grading: GradingMode::TwoLevel,
        pass_line: PASS,
        formula: json!({ "internship": "waived" }),
        text: None,
    };
    let mut changes = vec![written];
    changes.extend(publish_made(tx, &[made]).await?);
    tell(tx, found, ScoreMark::Exempt.zh().to_owned()).await?;
    changes.push(turned(tx, found, id, InternshipStatus::Passed, (account, name), Some(&wanted.reason)).await?);
    Ok(changes)
}
