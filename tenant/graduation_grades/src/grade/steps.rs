//! 提交, 审核, 退回, 发布 and 锁定 of scores of theses. What is published is the score of its course, and ends its thesis.

use std::collections::{BTreeMap, BTreeSet};

use infra::{Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Scope, Tx, reply};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ParseFromJSON},
};
use scenes::{Person, PersonKind, Persons, notify};
use scores::offered::{MadeScore, hold_made, lock_made, publish_made};
use scores_rules::{arith::shown, enums::ScoreMark, params::GraduationTotalParams};
use serde_json::Value;
use student_status::student::check::NOT_YOURS;
use thesis_rules::{grade::GradeTurn, total::excellent};

use super::{
    LockGrades, PublishGrades, RejectGrades, ReviewGrades, SubmitGrades,
    compute::{counted, ground, settle},
    hold::{Held, hold},
    rules::GradeRules,
};

/// A score as it was read.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct GraduationScoreItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for GraduationScoreItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

/// Scores that go on.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct GraduationScoresStep {
    /// 毕业成绩
    #[oai(validator(min_items = 1, max_items = 500))]
    pub items: Vec<GraduationScoreItem>,
}

impl Example for GraduationScoresStep {
    fn example() -> Self {
        Self { items: vec![GraduationScoreItem::example()] }
    }
}

/// Scores that go back, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct GraduationScoresBack {
    /// 毕业成绩
    #[oai(validator(min_items = 1, max_items = 500))]
    pub items: Vec<GraduationScoreItem>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for GraduationScoresBack {
    fn example() -> Self {
        Self { items: vec![GraduationScoreItem::example()], reason: "评阅成绩与评阅表不符".to_owned() }
    }
}

/// Scores that are published.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GraduationScoresPublish {
    /// 毕业成绩
    #[oai(validator(min_items = 1, max_items = 500))]
    pub items: Vec<GraduationScoreItem>,
    /// 确认优秀率
    /// 优秀率超过上限时须确认
    #[oai(default)]
    pub confirm_excellent: bool,
}

impl Example for GraduationScoresPublish {
    fn example() -> Self {
        Self { items: vec![GraduationScoreItem::example()], confirm_excellent: false }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/graduation/score", tag = "crate::Tag::GraduationGrades")]
impl Steps {
    /// 提交毕业成绩
    #[oai(path = "/submit", method = "put", operation_id = "submitGraduationScores")]
    async fn submit(
        &self,
        caller: Allowed<SubmitGrades>,
        Body(step): Body<GraduationScoresStep>,
    ) -> Result<Reply<BulkResult>> {
        let who = (caller.user_id(), caller.session.real_name.clone());
        let mut tx = caller.begin().await?;
        let found = hold(&mut tx, &ids(&step.items), &caller.scope()).await?;
        let rules = GradeRules::load(&mut tx).await?;
        // A rule that changed since the parts were entered counts: what is submitted keeps it.
        let seen: Vec<i64> = found.keys().copied().collect();
        settle(&mut tx, &rules, &seen).await?;
        let turning = Turning { turn: GradeTurn::Submit, why: None, rules: Some(&rules) };
        Ok(reply(turn_all(tx, step.items, &found, turning, (who.0, &who.1)).await?))
    }

    /// 审核毕业成绩
    /// 由录入人和提交人以外的人审核
    #[oai(path = "/review", method = "put", operation_id = "reviewGraduationScores")]
    async fn review(
        &self,
        caller: Allowed<ReviewGrades>,
        Body(step): Body<GraduationScoresStep>,
    ) -> Result<Reply<BulkResult>> {
        let who = (caller.user_id(), caller.session.real_name.clone());
        let mut tx = caller.begin().await?;
        let found = hold(&mut tx, &ids(&step.items), &caller.scope()).await?;
        Ok(reply(turn_all(tx, step.items, &found, Turning::to(GradeTurn::Review), (who.0, &who.1)).await?))
    }

    /// 退回毕业成绩
    #[oai(path = "/reject", method = "put", operation_id = "rejectGraduationScores")]
    async fn reject(
        &self,
        caller: Allowed<RejectGrades>,
        Body(step): Body<GraduationScoresBack>,
    ) -> Result<Reply<BulkResult>> {
        let who = (caller.user_id(), caller.session.real_name.clone());
        let mut tx = caller.begin().await?;
        let found = hold(&mut tx, &ids(&step.items), &caller.scope()).await?;
        let turning = Turning { why: Some(step.reason.as_str()), ..Turning::to(GradeTurn::Reject) };
        Ok(reply(turn_all(tx, step.items, &found, turning, (who.0, &who.1)).await?))
    }

    /// 发布毕业成绩
    /// 成为毕业论文课程的成绩，论文随之完成
    #[oai(path = "/publish", method = "put", operation_id = "publishGraduationScores")]
    async fn publish(
        &self,
        caller: Allowed<PublishGrades>,
        Body(step): Body<GraduationScoresPublish>,
    ) -> Result<Reply<BulkResult>> {
        let who = (caller.user_id(), caller.session.real_name.clone());
        let mut tx = caller.begin().await?;
        let ids = ids(&step.items);
        hold_made(&mut tx, &ids).await?;
        let theses =
            sqlx::query_scalar!("select id from thesis where selection_id = any($1) and status <> 'cancelled'", &ids)
                .fetch_all(&mut *tx)
                .await?;
        thesis::offered::hold(&mut tx, &theses).await?;
        let found = hold(&mut tx, &ids, &caller.scope()).await?;
        let rules = GradeRules::load(&mut tx).await?;
        complete(&rules, &found)?;
        if !step.confirm_excellent {
            few_excellent(&mut tx, &rules, &found, &caller.scope()).await?;
        }
        Ok(reply(turn_all(tx, step.items, &found, Turning::to(GradeTurn::Publish), (who.0, &who.1)).await?))
    }

    /// 锁定毕业成绩
    #[oai(path = "/lock", method = "put", operation_id = "lockGraduationScores")]
    async fn lock(
        &self,
        caller: Allowed<LockGrades>,
        Body(step): Body<GraduationScoresStep>,
    ) -> Result<Reply<BulkResult>> {
        let who = (caller.user_id(), caller.session.real_name.clone());
        let mut tx = caller.begin().await?;
        let ids = ids(&step.items);
        hold_made(&mut tx, &ids).await?;
        let found = hold(&mut tx, &ids, &caller.scope()).await?;
        Ok(reply(turn_all(tx, step.items, &found, Turning::to(GradeTurn::Lock), (who.0, &who.1)).await?))
    }
}

fn ids(items: &[GraduationScoreItem]) -> Vec<i64> {
    let ids: BTreeSet<i64> = items.iter().map(|item| item.id).collect();
    ids.into_iter().collect()
}

/// The parts that a score still needs.
fn missing(rules: &GradeRules, held: &Held) -> Result<Vec<&'static str>> {
    let (params, failed) = ground(rules, held.place, held.status, held.thesis_status, held.formula.as_ref())?;
    Ok(counted(&params, &held.parts, failed).missing)
}

/// # Errors
/// 409 with how many lack which part.
fn complete(rules: &GradeRules, found: &BTreeMap<i64, Held>) -> Result<()> {
    let mut lacking: BTreeMap<&'static str, usize> = BTreeMap::new();
    for held in found.values() {
        for part in missing(rules, held)? {
            *lacking.entry(part).or_default() += 1;
        }
    }
    if lacking.is_empty() {
        return Ok(());
    }
    let told: Vec<String> = lacking.iter().map(|(part, count)| format!("{count} 名学生缺少{part}")).collect();
    Err(Error::conflict(format!("有 {}", told.join("，"))))
}

/// Of each plan and major: those that are to be published with those that are, as far as the publisher sees them.
///
/// # Errors
/// 409 where more are excellent than the rule wants.
async fn few_excellent(tx: &mut Tx, rules: &GradeRules, found: &BTreeMap<i64, Held>, scope: &Scope) -> Result<()> {
    let mut of: BTreeMap<(i64, i64), (i32, Vec<i64>)> = BTreeMap::new();
    for held in found.values() {
        let (Some(plan), Some(total)) = (held.plan, held.total) else { continue };
        let (params, _) = ground(rules, held.place, held.status, held.thesis_status, held.formula.as_ref())?;
        let entry = of.entry((plan, held.place.major)).or_insert((params.excellent_max_percent, Vec::new()));
        entry.1.push(total);
    }
    for ((plan, major), (most, mut totals)) in of {
        let out = sqlx::query_scalar!(
            r#"select (g.total * 10)::bigint as "total!"
               from graduation_score g
               join thesis t on t.id = g.thesis_id and t.plan_id = $1
               join student y on y.id = g.student_id and y.major_id = $2
               where g.status in ('published', 'locked') and g.total is not null
                 and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))"#,
            plan,
            major,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(&mut **tx)
        .await?;
        totals.extend(out);
        let share = excellent(&totals);
        if share > i64::from(most) * 10 {
            return Err(Error::conflict(format!("优秀率 {}%，超过 {most}%，请确认后发布", shown(share))));
        }
    }
    Ok(())
}

/// What is done with scores.
#[derive(Clone, Copy)]
struct Turning<'s> {
    turn: GradeTurn,
    why: Option<&'s str>,
    /// Of a step that wants every part.
    rules: Option<&'s GradeRules>,
}

impl Turning<'_> {
    const fn to(turn: GradeTurn) -> Self {
        Self { turn, why: None, rules: None }
    }
}

/// Moves scores that are held on, each for itself.
async fn turn_all(
    tx: Tx,
    mut items: Vec<GraduationScoreItem>,
    found: &BTreeMap<i64, Held>,
    step: Turning<'_>,
    who: (i64, &str),
) -> Result<BulkResult> {
    items.sort_by_key(|item| item.id);
    items.dedup_by_key(|item| item.id);
    let people = "(select c.id, y.name from course_selection c join student y on y.id = c.student_id) graduation_score";
    let mut bulk = Bulk::named(tx, people, "name");
    for item in items {
        let row = bulk.row().await?;
        let outcome = match found.get(&item.id) {
            Some(held) => turned(row, held, item.version, step, who).await,
            None => Err(Error::new(404, NOT_YOURS)),
        };
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}

async fn turned(
    tx: &mut Tx,
    held: &Held,
    version: i32,
    Turning { turn, why, rules }: Turning<'_>,
    (account, name): (i64, &str),
) -> Result<Change> {
    held.as_read(tx, version).await?;
    let to = held.to(turn)?;
    let id = held.record.ok_or_else(|| Error::conflict("还没有录入成绩"))?;
    if let Some(rules) = rules {
        let missing = missing(rules, held)?;
        if !missing.is_empty() {
            return Err(Error::conflict(format!("缺少{}", missing.join("、"))));
        }
    }
    if turn == GradeTurn::Review && held.submitted_by == Some(account) {
        return Err(Error::conflict("不能审核自己提交的成绩"));
    }
    if turn == GradeTurn::Review && held.given_by.contains(&account) {
        return Err(Error::conflict("不能审核自己录入的成绩"));
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    let word = match turn {
        GradeTurn::Enter => "enter",
        GradeTurn::Submit => "submit",
        GradeTurn::Review => "review",
        GradeTurn::Reject => "reject",
        GradeTurn::Publish => "publish",
        GradeTurn::Lock => "lock",
    };
    sqlx::query!(
        "update graduation_score
         set status = $2,
             submitted_by = case $3 when 'submit' then $4::bigint else submitted_by end,
             submitted_by_name = case $3 when 'submit' then $5::text else submitted_by_name end,
             submitted_at = case $3 when 'submit' then $6::timestamptz else submitted_at end,
             reviewed_by = case $3 when 'review' then $4::bigint when 'submit' then null else reviewed_by end,
             reviewed_by_name = case $3 when 'review' then $5::text when 'submit' then null else reviewed_by_name end,
             reviewed_at = case $3 when 'review' then $6::timestamptz when 'submit' then null else reviewed_at end,
             published_at = case $3 when 'publish' then $6::timestamptz else published_at end,
             locked_at = case $3 when 'lock' then $6::timestamptz else locked_at end,
             return_reason = case $3 when 'reject' then $7::text when 'submit' then null else return_reason end,
             updated_at = now(), updated_by = $8, version = version + 1
         where id = $1",
        id,
        to.as_str(),
        word,
        account,
        name,
        now as _,
        why,
        by
    )
    .execute(&mut **tx)
    .await?;
    let more = match turn {
        GradeTurn::Publish => published(tx, held).await?,
        GradeTurn::Lock => lock_made(tx, &[held.selection]).await?,
        GradeTurn::Enter | GradeTurn::Submit | GradeTurn::Review | GradeTurn::Reject => Vec::new(),
    };
    tx.record(&more).await?;
    Ok(Change::status("graduation_score", id, "status", held.status.as_str(), to.as_str()).because(why))
}

/// The course ends with the total, the thesis with its course; the student is told.
async fn published(tx: &mut Tx, held: &Held) -> Result<Vec<Change>> {
    let total = held.total.ok_or_else(|| Error::conflict("没有总评，不能发布"))?;
    let formula = held.formula.clone().unwrap_or_default();
    // The rule that counted when it was submitted.
    let params = params(&formula)?;
    let pass_line = i64::from(params.pass_line) * 10;
    if held.failed() && total >= pass_line {
        // It failed after its total was submitted: who submits it again counts it as what it is.
        return Err(Error::conflict("论文未通过，总评须重新计算，请退回后再提交"));
    }
    let made = MadeScore {
        selection: held.selection,
        total,
        mark: ScoreMark::Normal,
        grading: params.grading_mode,
        pass_line,
        formula,
        text: None,
    };
    let mut changes = publish_made(tx, &[made]).await?;
    if let Some(thesis) = held.thesis {
        if total >= pass_line {
            changes.extend(thesis::offered::finish(tx, thesis).await?);
        } else if !held.failed() {
            let why = held.veto.clone().unwrap_or_else(|| format!("毕业成绩{}分，未通过", shown(total)));
            changes.extend(thesis::offered::failed(tx, thesis, &why).await?);
        }
    }
    let course = sqlx::query_scalar!(
        "select u.name from course_selection c join course u on u.id = c.course_id where c.id = $1",
        held.selection
    )
    .fetch_one(&mut **tx)
    .await?;
    let score = held.word.clone().unwrap_or_else(|| shown(total));
    let values = [("course".to_owned(), course), ("score".to_owned(), score)];
    let person = Person { kind: PersonKind::Student, id: held.student };
    notify(tx, "score_published", Persons::Recipients(vec![person]), values.into(), None).await?;
    Ok(changes)
}

/// The rule by which a total was counted.
///
/// # Errors
/// An internal one of a formula that is none.
pub(crate) fn params(formula: &Value) -> Result<GraduationTotalParams> {
    GraduationTotalParams::parse_from_json(Some(formula["graduation"].clone()))
        .map_err(|error| Error::internal(error.into_message()))
}
