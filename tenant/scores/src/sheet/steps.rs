//! The way of a sheet: 提交, 初审, 终审, 退回, 发布, 撤回发布, 锁定 (part 04 §6.1).

use std::collections::{BTreeMap, HashMap};

use chrono::TimeDelta;
use course_selection::score::{complete_selection, reopen_selection};
use infra::{Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use scores_rules::{
    enums::{ExamRound, ScoreKind, ScoreMark, SheetRound, SheetStatus},
    makeup::chances,
    sheet::{SheetTurn, after},
};

use super::{
    AuditSheets, LockSheets, PublishSheets, RejectSheets, ReviewSheets, SubmitSheets, UnpublishSheets,
    hold::{HeldSheet, Reach, Who, hold, hold_scores, hold_with_selections, scores_of},
    write::{count, follow_rows},
};
use crate::score::{
    Card, Rules, came_to, cards,
    compute::{compute, of_all_kinds},
    freeze, settle, thaw,
};

/// After so many hours a publication is not taken back.
const TAKEN_BACK_HOURS: i64 = 24;

/// A sheet as it was read.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct ScoreSheetItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for ScoreSheetItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

/// Sheets that go on.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ScoreSheetsStep {
    /// 登记表
    #[oai(validator(min_items = 1, max_items = 500))]
    pub items: Vec<ScoreSheetItem>,
    /// 意见
    #[oai(validator(max_length = 200))]
    pub opinion: Option<String>,
}

impl Example for ScoreSheetsStep {
    fn example() -> Self {
        Self { items: vec![ScoreSheetItem::example()], opinion: None }
    }
}

/// Sheets that go back, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ScoreSheetsBack {
    /// 登记表
    #[oai(validator(min_items = 1, max_items = 500))]
    pub items: Vec<ScoreSheetItem>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for ScoreSheetsBack {
    fn example() -> Self {
        Self { items: vec![ScoreSheetItem::example()], reason: "卷面分与试卷不符".to_owned() }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/score/sheet", tag = "crate::Tag::Scores")]
impl Steps {
    /// 提交成绩登记表
    #[oai(path = "/submit", method = "put", operation_id = "submitScoreSheets")]
    async fn submit(
        &self,
        caller: Allowed<SubmitSheets>,
        Body(step): Body<ScoreSheetsStep>,
    ) -> Result<Reply<BulkResult>> {
        let who = Who::of_account(&caller).await?;
        let tx = caller.begin().await?;
        Ok(reply(turn_all(tx, step.items, (SheetTurn::Submit, None), (&who, &caller.scope())).await?))
    }

    /// 成绩初审
    #[oai(path = "/review", method = "put", operation_id = "reviewScoreSheets")]
    async fn review(
        &self,
        caller: Allowed<ReviewSheets>,
        Body(step): Body<ScoreSheetsStep>,
    ) -> Result<Reply<BulkResult>> {
        let who = Who::of_account(&caller).await?;
        let tx = caller.begin().await?;
        let turn = (SheetTurn::Review, step.opinion.as_deref());
        Ok(reply(turn_all(tx, step.items, turn, (&who, &caller.scope())).await?))
    }

    /// 成绩终审
    #[oai(path = "/audit", method = "put", operation_id = "auditScoreSheets")]
    async fn audit(
        &self,
        caller: Allowed<AuditSheets>,
        Body(step): Body<ScoreSheetsStep>,
    ) -> Result<Reply<BulkResult>> {
        let who = Who::of_account(&caller).await?;
        let tx = caller.begin().await?;
        let turn = (SheetTurn::Audit, step.opinion.as_deref());
        Ok(reply(turn_all(tx, step.items, turn, (&who, &caller.scope())).await?))
    }

    /// 退回成绩登记表
    #[oai(path = "/reject", method = "put", operation_id = "rejectScoreSheets")]
    async fn reject(
        &self,
        caller: Allowed<RejectSheets>,
        Body(step): Body<ScoreSheetsBack>,
    ) -> Result<Reply<BulkResult>> {
        let who = Who::of_account(&caller).await?;
        let tx = caller.begin().await?;
        let turn = (SheetTurn::Reject, Some(step.reason.as_str()));
        Ok(reply(turn_all(tx, step.items, turn, (&who, &caller.scope())).await?))
    }

    /// 发布成绩
    #[oai(path = "/publish", method = "put", operation_id = "publishScoreSheets")]
    async fn publish(
        &self,
        caller: Allowed<PublishSheets>,
        Body(step): Body<ScoreSheetsStep>,
    ) -> Result<Reply<BulkResult>> {
        let who = Who::of_account(&caller).await?;
        let tx = caller.begin().await?;
        Ok(reply(turn_all(tx, step.items, (SheetTurn::Publish, None), (&who, &caller.scope())).await?))
    }

    /// 撤回发布成绩
    /// 发布后24小时内
    #[oai(path = "/unpublish", method = "put", operation_id = "unpublishScoreSheets")]
    async fn unpublish(
        &self,
        caller: Allowed<UnpublishSheets>,
        Body(step): Body<ScoreSheetsBack>,
    ) -> Result<Reply<BulkResult>> {
        let who = Who::of_account(&caller).await?;
        let tx = caller.begin().await?;
        let turn = (SheetTurn::Unpublish, Some(step.reason.as_str()));
        Ok(reply(turn_all(tx, step.items, turn, (&who, &caller.scope())).await?))
    }

    /// 锁定成绩
    #[oai(path = "/lock", method = "put", operation_id = "lockScoreSheets")]
    async fn lock(&self, caller: Allowed<LockSheets>, Body(step): Body<ScoreSheetsStep>) -> Result<Reply<BulkResult>> {
        let who = Who::of_account(&caller).await?;
        let tx = caller.begin().await?;
        Ok(reply(turn_all(tx, step.items, (SheetTurn::Lock, None), (&who, &caller.scope())).await?))
    }
}

/// The same over several sheets, each for itself; what they touch is held first, in its order.
///
/// # Errors
/// Those of the database.
pub(crate) async fn turn_all(
    mut tx: Tx,
    items: Vec<ScoreSheetItem>,
    step: (SheetTurn, Option<&str>),
    (who, scope): (&Who, &Scope),
) -> Result<BulkResult> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    let held = hold_with_selections(&mut tx, &ids).await?;
    let scores = scores_of(&mut tx, &ids).await?;
    hold_scores(&mut tx, &scores).await?;
    let mut bulk = Bulk::named(tx, "score_sheet", "sheet_no");
    let reach = Reach::Scope(scope.clone());
    let mut items = items;
    items.sort_by_key(|item| item.id);
    items.dedup_by_key(|item| item.id);
    for item in items {
        let outcome = match held.get(&item.id).filter(|sheet| reach.sees(sheet)) {
            Some(sheet) => turn(bulk.row().await?, sheet, Some(item.version), step, who).await,
            None => {
                bulk.row().await?;
                Err(Error::new(404, student_status::student::check::NOT_YOURS))
            }
        };
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}

/// Moves one sheet on. It, its openings, selections and scores are held.
///
/// # Errors
/// 409 from a status that does not lead there, for who may not, and when it changed since it was read.
pub(crate) async fn turn(
    tx: &mut Tx,
    sheet: &HeldSheet,
    version: Option<i32>,
    (turn, why): (SheetTurn, Option<&str>),
    who: &Who,
) -> Result<Change> {
    if version.is_some_and(|version| version != sheet.version) {
        return Err(tx.stale("score_sheet", sheet.id).await);
    }
    let to = after(sheet.status, turn, sheet.review_levels).map_err(|why| Error::conflict(why.to_string()))?;
    let own = who.is(sheet.submitted_by_kind.as_deref(), sheet.submitted_by);
    match turn {
        SheetTurn::Enter => {}
        SheetTurn::Submit => submitted(tx, sheet).await?,
        SheetTurn::Review if own => return Err(Error::conflict("不能审核自己提交的成绩")),
        SheetTurn::Audit if own => return Err(Error::conflict("不能审核自己提交的成绩")),
        SheetTurn::Audit if who.account.is_some() && who.account == sheet.first_reviewed_by => {
            return Err(Error::conflict("终审人不能与初审人相同"));
        }
        SheetTurn::Review | SheetTurn::Audit => {}
        SheetTurn::Reject => {
            let scores = scores_of(tx, &[sheet.id]).await?;
            thaw(tx, &scores).await?;
            settle(tx, &scores).await?;
        }
        SheetTurn::Publish => published(tx, sheet).await?,
        SheetTurn::Unpublish => unpublished(tx, sheet).await?,
        SheetTurn::Lock => locked(tx, &[sheet.id]).await?,
    }
    write(tx, sheet, to, turn, why, who).await?;
    let change = Change::status("score_sheet", sheet.id, "status", sheet.status.as_str(), to.as_str());
    Ok(change.because(why))
}

async fn write(
    tx: &mut Tx,
    sheet: &HeldSheet,
    to: SheetStatus,
    turn: SheetTurn,
    why: Option<&str>,
    who: &Who,
) -> Result<()> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let (kind, id) = who.key();
    let word = match turn {
        SheetTurn::Enter => "enter",
        SheetTurn::Submit => "submit",
        SheetTurn::Review => "review",
        SheetTurn::Audit => "audit",
        SheetTurn::Reject => "reject",
        SheetTurn::Publish => "publish",
        SheetTurn::Unpublish => "unpublish",
        SheetTurn::Lock => "lock",
    };
    sqlx::query!(
        "update score_sheet
         set status = $2,
             submitted_by = case $3 when 'submit' then $4::bigint else submitted_by end,
             submitted_by_kind = case $3 when 'submit' then $5::text else submitted_by_kind end,
             submitted_by_name = case $3 when 'submit' then $6::text else submitted_by_name end,
             submitted_at = case $3 when 'submit' then $7::timestamptz else submitted_at end,
             first_reviewed_by = case $3 when 'review' then $4 when 'submit' then null else first_reviewed_by end,
             first_reviewed_by_name = case $3 when 'review' then $6 when 'submit' then null else first_reviewed_by_name end,
             first_reviewed_at = case $3 when 'review' then $7 when 'submit' then null else first_reviewed_at end,
             reviewed_by = case $3 when 'audit' then $4 when 'submit' then null else reviewed_by end,
             reviewed_by_name = case $3 when 'audit' then $6 when 'submit' then null else reviewed_by_name end,
             reviewed_at = case $3 when 'audit' then $7 when 'submit' then null else reviewed_at end,
             review_opinion = case when $3 in ('review', 'audit') then coalesce($8::text, review_opinion)
                                   when $3 = 'submit' then null else review_opinion end,
             published_at = case $3 when 'publish' then $7 when 'unpublish' then null else published_at end,
             locked_at = case $3 when 'lock' then $7 else locked_at end,
             return_reason = case $3 when 'reject' then $8 when 'submit' then null else return_reason end,
             updated_at = now(), updated_by = $9, version = version + 1
         where id = $1",
        sheet.id,
        to.as_str(),
        word,
        id,
        kind,
        who.name,
        now as _,
        why,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Freezes what a sheet was made of; whoever dropped the course meanwhile does not count any more.
async fn submitted(tx: &mut Tx, sheet: &HeldSheet) -> Result<()> {
    exclude_dropped(tx, sheet.id).await?;
    let open = sqlx::query_scalar!(
        r#"select count(*) as "open!" from score_sheet_row where sheet_id = $1 and not excluded and mark is null"#,
        sheet.id
    )
    .fetch_one(&mut **tx)
    .await?;
    if open > 0 {
        return Err(Error::conflict(format!("还有 {open} 名学生未录入成绩")));
    }
    let scores = scores_of(tx, &[sheet.id]).await?;
    if scores.is_empty() {
        return Err(Error::conflict("登记表中没有学生，不能提交"));
    }
    // What happened since the last night counts: from now on the parts stay as they are.
    let open = sqlx::query_scalar!(
        "select id from course_score where id = any($1) and status = 'computing' and not imported order by id",
        &scores
    )
    .fetch_all(&mut **tx)
    .await?;
    compute(tx, &open, of_all_kinds()).await?;
    freeze(tx, &scores).await?;
    let rules = Rules::load(tx).await?;
    let (mut missing, mut none) = (0, 0);
    for card in cards(tx, &scores).await?.values() {
        let formula = card.formula(&rules)?;
        let own = card.rounds.iter().find(|round| round.sheet_id == Some(sheet.id));
        let Some(own) = own.filter(|round| !matches!(round.mark, ScoreMark::Deferred | ScoreMark::Exempt)) else {
            continue;
        };
        let counted = scores_rules::correct::of_round(&formula, &card.parts(), &own.round());
        if counted.blocked.iter().any(|kind| *kind != ScoreKind::FinalExam) {
            missing += 1;
        } else if counted.value.is_none() {
            none += 1;
        }
    }
    if missing > 0 {
        return Err(Error::conflict(format!("有 {missing} 名学生缺少平时成绩")));
    }
    if none > 0 {
        return Err(Error::conflict(format!(
            "有 {none} 名学生没有总评：计入总评的各项成绩都不适用，请检查总评规则的权重"
        )));
    }
    settle(tx, &scores).await?;
    Ok(())
}

/// 不计: rows of selections that were dropped.
async fn exclude_dropped(tx: &mut Tx, sheet: i64) -> Result<()> {
    let by = tx.by();
    let rows = sqlx::query_scalar!(
        "update score_sheet_row r set excluded = true, updated_at = now(), updated_by = $2, version = r.version + 1
         from course_score s, course_selection c
         where r.sheet_id = $1 and not r.excluded and s.id = r.course_score_id and c.id = s.selection_id
           and c.status = 'dropped'
         returning r.id",
        sheet,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    if !rows.is_empty() {
        follow_rows(tx, &rows, None, "").await?;
        count(tx, &[sheet]).await?;
    }
    Ok(())
}

/// Students see the scores of a sheet, and their selections end with them.
async fn published(tx: &mut Tx, sheet: &HeldSheet) -> Result<()> {
    let scores = scores_of(tx, &[sheet.id]).await?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update exam_score set published = true, updated_at = now(), updated_by = $2, version = version + 1
         where sheet_id = $1 and not published",
        sheet.id,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update course_score
         set status = case when status = 'locked' then 'locked' else 'published' end,
             published_at = coalesce(published_at, $2::timestamptz), counted_at = $2::timestamptz, updated_at = now(),
             updated_by = $3, version = version + 1
         where id = any($1)",
        &scores,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    settle(tx, &scores).await?;
    let cards = cards(tx, &scores).await?;
    complete(tx, cards.values()).await?;
    tell(tx, sheet, &cards).await
}

/// Ends selections with what their scores come to; a deferred examination ends nothing yet.
///
/// # Errors
/// 409 for a selection that nobody is in any more.
pub(crate) async fn complete<'c>(tx: &mut Tx, cards: impl Iterator<Item = &'c Card> + Send) -> Result<()> {
    let mut ending: Vec<(i64, i64, bool)> = cards
        .filter(|card| !matches!(card.mark, None | Some(ScoreMark::Deferred | ScoreMark::Exempt)))
        .map(|card| (card.selection_id, card.total.unwrap_or_default(), card.passed.unwrap_or_default()))
        .collect();
    ending.sort_unstable();
    let mut changes = Vec::with_capacity(ending.len());
    for (selection, total, passed) in ending {
        changes.push(complete_selection(tx, selection, total, passed).await?);
    }
    tx.record(&changes).await
}

/// Tells each student their score, and who did not pass that there is a make-up.
async fn tell(tx: &mut Tx, sheet: &HeldSheet, cards: &BTreeMap<i64, Card>) -> Result<()> {
    let rules = Rules::load(tx).await?;
    let (mut by_text, mut again): (HashMap<&str, Vec<Person>>, Vec<Person>) = (HashMap::new(), Vec::new());
    for card in cards.values() {
        let person = || Person { kind: PersonKind::Student, id: card.student_id };
        by_text.entry(card.text.as_str()).or_default().push(person());
        if card.passed == Some(false) {
            let used = |round: ExamRound| {
                let rounds = card.rounds.iter().filter(|examined| examined.published && examined.round == round);
                i32::try_from(rounds.count()).unwrap_or(i32::MAX)
            };
            let used = (used(ExamRound::Makeup), used(ExamRound::FinalMakeup));
            // Who cheated in any round has no more than whoever cheated in the first.
            let cheated = card.rounds.iter().any(|round| round.published && round.mark == ScoreMark::Cheating);
            let mark = if cheated { ScoreMark::Cheating } else { card.mark.unwrap_or(ScoreMark::Normal) };
            let left = chances(&card.formula(&rules)?.exam, mark, used);
            if left.makeup + left.final_makeup > 0 {
                again.push(person());
            }
        }
    }
    let mut texts: Vec<_> = by_text.into_iter().collect();
    texts.sort_by_key(|(text, _)| *text);
    for (text, persons) in texts {
        let values = [("course".to_owned(), sheet.course_name.clone()), ("score".to_owned(), text.to_owned())];
        notify(tx, "score_published", Persons::Recipients(persons), values.into(), None).await?;
    }
    if !again.is_empty() {
        let values = [("course".to_owned(), sheet.course_name.clone())];
        notify(tx, "makeup_required", Persons::Recipients(again), values.into(), None).await?;
    }
    Ok(())
}

/// Students do not see the scores of a sheet any more, and their selections go on.
async fn unpublished(tx: &mut Tx, sheet: &HeldSheet) -> Result<()> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    if sheet.published_at.is_none_or(|at| at + TimeDelta::hours(TAKEN_BACK_HOURS) < now) {
        return Err(Error::conflict("发布超过24小时，请走成绩更正"));
    }
    let scores = scores_of(tx, &[sheet.id]).await?;
    let stands = sqlx::query!(
        r#"select exists (
                      select from course_score s join graduation_outcome g on g.student_id = s.student_id
                      where s.id = any($1)) as "graduated!",
                  exists (
                      select from exam_score e
                      where e.course_score_id = any($1) and e.published and e.sheet_id is distinct from $2
                        and $3 and e.round in ('deferred', 'makeup', 'final_makeup')) as "later!",
                  exists (
                      select from score_correction c where c.course_score_id = any($1) and c.status = 'applied') as "correcting!",
                  exists (select from course_score s where s.id = any($1) and $3 and s.status = 'locked') as "locked!""#,
        &scores,
        sheet.id,
        sheet.round == SheetRound::First
    )
    .fetch_one(&mut **tx)
    .await?;
    if stands.graduated {
        return Err(Error::conflict("有学生已毕业审核通过，请先移出毕业批次"));
    }
    if stands.later {
        return Err(Error::conflict("有学生已发布补考或缓考成绩，请走成绩更正"));
    }
    if stands.correcting {
        return Err(Error::conflict("有待审核的成绩更正，请先审核"));
    }
    if stands.locked {
        return Err(Error::conflict("成绩已锁定，请走成绩更正"));
    }
    sqlx::query!(
        "update exam_score set published = false, updated_at = now(), updated_by = $2, version = version + 1
         where sheet_id = $1 and published",
        sheet.id,
        by
    )
    .execute(&mut **tx)
    .await?;
    // Whoever has no other published round is where they were before the publication.
    let back = sqlx::query_scalar!(
        "update course_score s
         set status = 'pending', published_at = null, counted_at = $2::timestamptz, updated_at = now(), updated_by = $3,
             version = s.version + 1
         where s.id = any($1) and not exists (select from exam_score e where e.course_score_id = s.id and e.published)
         returning s.selection_id",
        &scores,
        now as _,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query!(
        "update course_score set counted_at = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = any($1) and status in ('published', 'locked')",
        &scores,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    settle(tx, &scores).await?;
    let open = sqlx::query_scalar!(
        "select id from course_selection where id = any($1) and status = 'completed' order by id",
        &back
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut changes = Vec::new();
    for selection in open {
        changes.push(reopen_selection(tx, selection).await?);
    }
    tx.record(&changes).await?;
    let cards = cards(tx, &scores).await?;
    complete(tx, cards.values().filter(|card| card.status.is_out())).await
}

/// Locks the published scores of these sheets.
///
/// # Errors
/// Those of the database.
pub(crate) async fn locked(tx: &mut Tx, sheets: &[i64]) -> Result<()> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update course_score s
         set status = 'locked', locked_at = $2::timestamptz, updated_at = now(), updated_by = $3, version = s.version + 1
         from score_sheet_row r
         where r.sheet_id = any($1) and r.course_score_id = s.id and not r.excluded and s.status = 'published'",
        sheets,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Locks sheets that are published and stand long enough, or whose batch ends; each with its scores.
///
/// # Errors
/// Those of the database.
pub(crate) async fn lock_all(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Change>> {
    let held = hold(tx, ids).await?;
    let scores = scores_of(tx, ids).await?;
    hold_scores(tx, &scores).await?;
    let mut changes = Vec::new();
    for sheet in held.values().filter(|sheet| sheet.status == SheetStatus::Published) {
        changes.push(turn(tx, sheet, None, (SheetTurn::Lock, None), &Who::system()).await?);
    }
    Ok(changes)
}

/// What the rows of a sheet come to if it were published now: for its preview.
pub(crate) fn previewed(card: &Card, rules: &Rules, sheet: i64) -> Result<scores_rules::total::Total> {
    let formula = card.formula(rules)?;
    let Some(own) = card.rounds.iter().find(|round| round.sheet_id == Some(sheet)) else {
        let none = came_to(card, &formula);
        return Ok(none
            .first
            .unwrap_or_else(|| scores_rules::total::total(&formula.total, &formula.exam, &card.parts())));
    };
    Ok(scores_rules::correct::of_round(&formula, &card.parts(), &own.round()))
}
