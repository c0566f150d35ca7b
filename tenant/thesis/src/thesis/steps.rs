//! 指定题目, 指定导师, 上传, 审阅, 查重 and 评阅 of theses.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use infra::{Allowed, Body, Bulk, BulkResult, Change, Error, OnConstraint, Reply, Result, Saved, Tx, files, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scores_rules::{
    arith::{in_tenths, points},
    enums::ScoreKind,
};
use serde_json::json;
use student_status::student::check::NOT_YOURS;
use thesis_rules::{
    enums::{ReviewOpinion, ThesisDocumentKind, ThesisStage, ThesisStageStatus},
    similar::{Verdict, judge},
    stage::{ThesisTurn, reviewed},
};

use super::{
    AssignAdviser, AssignReviewer, AssignTopic, CheckSimilar, DecideThesis, ReviewThesis, UploadDocument,
    document::{By, Decider, KINDS, MOST_MB, decide, hand_in, tell_returned},
    hold::{Held, held, hold, turned},
    topics::{advise, take, topic},
};
use crate::marks::{ThesisMark, kept, rule, worth};

/// Told of a check of a day that is still to come.
pub(super) const LATER: &str = "检测日期不能晚于今天";

/// A topic for a thesis.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisTopicAssign {
    /// 论文
    pub id: i64,
    /// 选题
    pub topic_id: i64,
    /// 版本
    pub version: i32,
}

impl Example for ThesisTopicAssign {
    fn example() -> Self {
        Self { id: 1, topic_id: 1, version: 1 }
    }
}

/// An adviser for theses.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisAdviserAssign {
    /// 论文
    #[oai(validator(min_items = 1, max_items = 200))]
    pub ids: Vec<i64>,
    /// 指导教师
    pub teacher_id: i64,
}

impl Example for ThesisAdviserAssign {
    fn example() -> Self {
        Self { ids: vec![1], teacher_id: 1 }
    }
}

/// A document that staff hand in for a student.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisUpload {
    /// 论文
    pub id: i64,
    /// 文稿类型
    pub kind: ThesisDocumentKind,
    /// 文件
    #[oai(validator(min_length = 1, max_length = 140))]
    pub file_key: String,
    /// 版本
    pub version: i32,
}

impl Example for ThesisUpload {
    fn example() -> Self {
        Self { id: 1, kind: ThesisDocumentKind::Draft, file_key: "private/2026/03/a.pdf".to_owned(), version: 1 }
    }
}

/// What is said of the document that waits.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisDecide {
    /// 论文
    pub id: i64,
    /// 通过
    pub pass: bool,
    /// 意见
    /// 退回时必填
    #[oai(validator(max_length = 500))]
    pub comment: Option<String>,
    /// 版本
    pub version: i32,
}

impl Example for ThesisDecide {
    fn example() -> Self {
        Self { id: 1, pass: true, comment: None, version: 1 }
    }
}

/// What the checker found.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisSimilarity {
    /// 论文
    pub id: i64,
    /// 总文字复制比(%)
    pub rate: f64,
    /// 查重系统
    #[oai(validator(min_length = 1, max_length = 50))]
    pub tool: String,
    /// 检测日期
    pub checked_on: Option<NaiveDate>,
    /// 查重报告
    #[oai(validator(min_length = 1, max_length = 140))]
    pub report_file_key: Option<String>,
    /// 版本
    pub version: i32,
}

impl Example for ThesisSimilarity {
    fn example() -> Self {
        Self { id: 1, rate: 12.5, tool: "知网".to_owned(), checked_on: None, report_file_key: None, version: 1 }
    }
}

/// Who reviews theses.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisReviewerAssign {
    /// 论文
    #[oai(validator(min_items = 1, max_items = 200))]
    pub ids: Vec<i64>,
    /// 评阅教师
    #[oai(validator(min_items = 1, max_items = 5))]
    pub reviewer_ids: Vec<i64>,
}

impl Example for ThesisReviewerAssign {
    fn example() -> Self {
        Self { ids: vec![1], reviewer_ids: vec![2] }
    }
}

/// What a reviewer says.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisReviewEntry {
    /// 论文
    pub id: i64,
    /// 评阅教师
    pub reviewer_id: i64,
    /// 成绩
    /// 与评分项填写一种
    pub score: Option<f64>,
    /// 评分项
    #[oai(default, validator(max_items = 50))]
    pub items: Vec<ThesisMark>,
    /// 评阅意见
    pub opinion: ReviewOpinion,
    /// 评语
    #[oai(validator(max_length = 1000))]
    pub comment: Option<String>,
    /// 版本
    /// 评阅的版本
    pub version: i32,
}

impl Example for ThesisReviewEntry {
    fn example() -> Self {
        Self {
            id: 1,
            reviewer_id: 2,
            score: Some(82.0),
            items: Vec::new(),
            opinion: ReviewOpinion::Agree,
            comment: None,
            version: 1,
        }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/thesis", tag = "crate::Tag::Thesis")]
impl Steps {
    /// 指定论文题目
    #[oai(path = "/assignTopic", method = "put", operation_id = "assignThesisTopic")]
    async fn assign_topic(
        &self,
        caller: Allowed<AssignTopic>,
        Body(wanted): Body<ThesisTopicAssign>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let thesis = held(&mut tx, wanted.id, &[wanted.topic_id], &caller.scope()).await?;
        thesis.as_read(&mut tx, wanted.version).await?;
        thesis.goes_on()?;
        let topic = topic(&mut tx, wanted.topic_id).await?;
        let changes = take(&mut tx, &thesis, &topic, false).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 指定指导教师
    #[oai(path = "/assignAdviser", method = "put", operation_id = "assignThesisAdviser")]
    async fn assign_adviser(
        &self,
        caller: Allowed<AssignAdviser>,
        Body(wanted): Body<ThesisAdviserAssign>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let found = hold(&mut tx, &wanted.ids, &[], &caller.scope()).await?;
        let mut bulk = of_theses(tx);
        for id in sorted(wanted.ids) {
            let row = bulk.row().await?;
            let outcome = match found.get(&id) {
                Some(thesis) => match thesis.goes_on() {
                    Ok(()) => advise(row, thesis, wanted.teacher_id).await,
                    Err(error) => Err(error),
                },
                None => Err(Error::new(404, NOT_YOURS)),
            };
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 上传论文文稿
    /// 代学生提交
    #[oai(path = "/upload", method = "put", operation_id = "uploadThesisDocument")]
    async fn upload(&self, caller: Allowed<UploadDocument>, Body(wanted): Body<ThesisUpload>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let thesis = held(&mut tx, wanted.id, &[], &caller.scope()).await?;
        thesis.as_read(&mut tx, wanted.version).await?;
        let by = By { kind: "staff", name: caller.session.real_name.clone() };
        let changes = hand_in(&mut tx, &thesis, wanted.kind, &wanted.file_key, &by).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 审阅论文文稿
    #[oai(path = "/decide", method = "put", operation_id = "decideThesis")]
    async fn decide(&self, caller: Allowed<DecideThesis>, Body(wanted): Body<ThesisDecide>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let thesis = held(&mut tx, wanted.id, &[], &caller.scope()).await?;
        thesis.as_read(&mut tx, wanted.version).await?;
        let who = Decider { kind: "account", id: caller.user_id(), name: caller.session.real_name.clone() };
        // After a review that disagreed staff say whether it is written anew or failed.
        let changes = if thesis.stage == ThesisStage::Review {
            thesis.goes_on()?;
            let said = disagreed(&mut tx, wanted.id).await?;
            if !said {
                return Err(Error::conflict("评阅未完成或没有不同意的意见"));
            }
            let to = thesis.to(if wanted.pass { ThesisTurn::Rework } else { ThesisTurn::Fail })?;
            if wanted.pass {
                sqlx::query!("delete from thesis_review where thesis_id = $1", wanted.id).execute(&mut *tx).await?;
            }
            let why = wanted.comment.as_deref().unwrap_or("评阅不同意答辩");
            tell_returned(&mut tx, &thesis, why).await?;
            vec![turned(&mut tx, &thesis, to, Some(why)).await?]
        } else {
            decide(&mut tx, &thesis, wanted.pass, wanted.comment.as_deref(), &who).await?
        };
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 录入论文查重
    #[oai(path = "/similarity", method = "put", operation_id = "checkThesisSimilarity")]
    async fn similarity(
        &self,
        caller: Allowed<CheckSimilar>,
        Body(wanted): Body<ThesisSimilarity>,
    ) -> Result<Reply<Saved>> {
        let rate =
            in_tenths(wanted.rate, 1_000).ok_or_else(|| Error::field("rate", "应为0到100之间的数字，最多一位小数"))?;
        let mut tx = caller.begin().await?;
        let thesis = held(&mut tx, wanted.id, &[], &caller.scope()).await?;
        thesis.as_read(&mut tx, wanted.version).await?;
        let today = tx.app().clock().today();
        if wanted.checked_on.is_some_and(|day| day > today) {
            return Err(Error::field("checkedOn", LATER));
        }
        let mut changes = checked(&mut tx, &thesis, rate, (&wanted.tool, wanted.checked_on)).await?;
        if let Some(key) = &wanted.report_file_key {
            changes.push(report(&mut tx, wanted.id, key, &caller.session.real_name).await?);
        }
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 分配评阅教师
    #[oai(path = "/assignReviewer", method = "put", operation_id = "assignThesisReviewers")]
    async fn assign_reviewer(
        &self,
        caller: Allowed<AssignReviewer>,
        Body(wanted): Body<ThesisReviewerAssign>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let reviewers: BTreeSet<i64> = wanted.reviewer_ids.iter().copied().collect();
        let found = hold(&mut tx, &wanted.ids, &[], &caller.scope()).await?;
        let mut bulk = of_theses(tx);
        for id in sorted(wanted.ids) {
            let row = bulk.row().await?;
            let outcome = match found.get(&id) {
                Some(thesis) => reviewed_by(row, thesis, &reviewers).await,
                None => Err(Error::new(404, NOT_YOURS)),
            };
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 录入论文评阅
    /// 全部评阅完成且无人不同意时进入答辩
    #[oai(path = "/review", method = "put", operation_id = "reviewThesis")]
    async fn review(
        &self,
        caller: Allowed<ReviewThesis>,
        Body(wanted): Body<ThesisReviewEntry>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let thesis = held(&mut tx, wanted.id, &[], &caller.scope()).await?;
        thesis.goes_on()?;
        if (thesis.stage, thesis.stage_status) != (ThesisStage::Review, ThesisStageStatus::Pending) {
            return Err(Error::conflict(format!("论文在{}阶段，不能评阅", thesis.stage.zh())));
        }
        let rule = rule(&mut tx, ScoreKind::Review, wanted.id).await?;
        let field = if wanted.items.is_empty() && !rule.items_required { "score" } else { "items" };
        let score = worth(&rule, &wanted.items, wanted.score, field)?;
        let (by, now) = (tx.by(), tx.app().clock().now());
        let review = sqlx::query_scalar!(
            "update thesis_review
             set score = $4::bigint / 10.0, opinion = $5, comment = $6, submitted_at = $7, items = $9, updated_at = now(),
                 updated_by = $8, version = version + 1
             where thesis_id = $1 and reviewer_id = $2 and version = $3 returning id",
            wanted.id,
            wanted.reviewer_id,
            wanted.version,
            score,
            wanted.opinion.as_str(),
            wanted.comment,
            now as _,
            by,
            kept(&wanted.items)
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| Error::conflict("评阅已被修改或未分配该教师，请刷新后重试"))?;
        let what = json!({ "score": points(score), "opinion": wanted.opinion.as_str() });
        let mut changes = vec![Change::event("thesis_review", review, "review", what)];
        let opinions = sqlx::query_scalar!(
            r#"select opinion as "opinion: ReviewOpinion" from thesis_review where thesis_id = $1"#,
            wanted.id
        )
        .fetch_all(&mut *tx)
        .await?;
        let least = usize::try_from(thesis.min_reviewers).map_err(Error::internal)?;
        if reviewed(&opinions, least) == Some(true) {
            changes.push(turned(&mut tx, &thesis, thesis.to(ThesisTurn::Reviewed)?, None).await?);
        }
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

fn sorted(mut ids: Vec<i64>) -> Vec<i64> {
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// A bulk step over theses. People know one by its student.
pub(super) fn of_theses(tx: Tx) -> Bulk {
    Bulk::named(tx, "(select t.id, y.name from thesis t join student y on y.id = t.student_id) thesis", "name")
}

/// Whether all reviews are in and somebody disagreed.
async fn disagreed(tx: &mut Tx, thesis: i64) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select coalesce(bool_and(opinion is not null) and bool_or(opinion = 'disagree'), false) as "disagreed!"
           from thesis_review where thesis_id = $1"#,
        thesis
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// What the checker found, in tenths of a percent, and what it means. The thesis is held.
///
/// # Errors
/// 409 where it is not checked now.
pub(super) async fn checked(
    tx: &mut Tx,
    thesis: &Held,
    rate: i64,
    (tool, on): (&str, Option<NaiveDate>),
) -> Result<Vec<Change>> {
    thesis.goes_on()?;
    let count = thesis.similarity_count + 1;
    let verdict = judge(rate, thesis.similarity_limit, count, thesis.similarity_attempts);
    let (to, why) = match &verdict {
        Verdict::Review => (thesis.to(ThesisTurn::Similar)?, None),
        Verdict::Back(why) => (thesis.to(ThesisTurn::TooSimilar)?, Some(why.as_str())),
        Verdict::Failed(why) => (thesis.to(ThesisTurn::TooSimilarAgain)?, Some(why.as_str())),
    };
    let by = tx.by();
    sqlx::query!(
        "update thesis set similarity_rate = $2::bigint / 10.0, similarity_tool = $3, similarity_count = $4, similarity_on = $6,
                updated_at = now(), updated_by = $5, version = version + 1
         where id = $1",
        thesis.id,
        rate,
        tool,
        count,
        by,
        on
    )
    .execute(&mut **tx)
    .await?;
    if let Some(why) = why {
        tell_returned(tx, thesis, why).await?;
    }
    let what = json!({ "rate": points(rate), "tool": tool, "checkedOn": on, "count": count });
    Ok(vec![Change::event("thesis", thesis.id, "similarity", what), turned(tx, thesis, to, why).await?])
}

/// Keeps the report of the checker.
async fn report(tx: &mut Tx, thesis: i64, key: &str, name: &str) -> Result<Change> {
    let file =
        files::adopt_kind(tx, key, ("thesis", thesis), &KINDS, MOST_MB).await.map_err(|error| match error.code {
            422 => Error::field("reportFileKey", error.msg),
            _ => error,
        })?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    let id = sqlx::query_scalar!(
        "insert into thesis_document (thesis_id, kind, version_no, file_id, sha256, submitted_at, submitted_by, submitted_by_name,
             decision, decided_at, created_by, updated_by)
         select $1::bigint, 'similarity_report', 1 + count(*)::integer, $2::bigint, '', $3::timestamptz, 'staff', $4::text, 'passed',
                $3::timestamptz, $5::bigint, $5::bigint
         from thesis_document where thesis_id = $1 and kind = 'similarity_report'
         returning id",
        thesis,
        file,
        now as _,
        name,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(Change::event("thesis_document", id, "insert", json!({ "kind": "similarity_report", "thesisId": thesis })))
}

/// Gives a thesis its reviewers; those who have said something stay.
async fn reviewed_by(tx: &mut Tx, thesis: &Held, reviewers: &BTreeSet<i64>) -> Result<Change> {
    thesis.goes_on()?;
    if thesis.adviser_id.is_some_and(|adviser| reviewers.contains(&adviser)) {
        return Err(Error::conflict("评阅教师不能是指导教师"));
    }
    if !matches!(thesis.stage, ThesisStage::Final | ThesisStage::Similarity | ThesisStage::Review) {
        return Err(Error::conflict(format!("论文在{}阶段，不能分配评阅教师", thesis.stage.zh())));
    }
    let wanted: Vec<i64> = reviewers.iter().copied().collect();
    // Who is no adviser of the plan may review; who is one, as far as they were let.
    let unfit = sqlx::query_scalar!(
        "select t.name from thesis_adviser a join teacher t on t.id = a.teacher_id
         where a.plan_id = $1 and a.teacher_id = any($2) and not a.can_review order by a.id limit 1",
        thesis.plan_id,
        &wanted
    )
    .fetch_optional(&mut **tx)
    .await?;
    if let Some(name) = unfit {
        return Err(Error::conflict(format!("“{name}”在本批次不参加评阅")));
    }
    let by = tx.by();
    sqlx::query!(
        "delete from thesis_review where thesis_id = $1 and submitted_at is null and not (reviewer_id = any($2))",
        thesis.id,
        &wanted
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into thesis_review (thesis_id, reviewer_id, created_by, updated_by)
         select $1::bigint, w.id, $3::bigint, $3::bigint from unnest($2::bigint[]) as w (id)
         on conflict (thesis_id, reviewer_id) do nothing",
        thesis.id,
        &wanted,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "thesis_review_of_reviewer").then(|| Error::field("reviewerIds", "教师不存在"))
    })?;
    Ok(Change::event("thesis", thesis.id, "reviewers", json!({ "reviewerIds": wanted })))
}
