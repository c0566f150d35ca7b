//! 审核成绩更正: by another person; what was frozen counts the score anew.

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use scores_rules::{
    correct::after,
    enums::{ScoreCorrectionStatus, ScoreCorrectionTarget, ScoreMark, ScoreOrigin},
};

use super::{
    AuditCorrection, GRADUATED, made,
    save::{held, may_correct},
};
use crate::{
    score::{Card, cards, settle},
    sheet::{hold::hold_selections, steps::complete},
};

/// What somebody decides.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ScoreCorrectionAudit {
    /// 编号
    pub id: i64,
    /// 通过
    pub pass: bool,
    /// 意见
    /// 不通过时必填
    #[oai(validator(max_length = 200))]
    pub opinion: Option<String>,
    /// 版本
    pub version: i32,
}

impl Example for ScoreCorrectionAudit {
    fn example() -> Self {
        Self { id: 1, pass: true, opinion: None, version: 1 }
    }
}

pub struct Auditing;

#[OpenApi(prefix_path = "/adult/pc/score/correction", tag = "crate::Tag::Scores")]
impl Auditing {
    /// 审核成绩更正
    /// 由申请人以外的人审核，通过后按提交时的公式重算
    #[oai(path = "/audit", method = "put", operation_id = "auditScoreCorrection")]
    async fn audit(
        &self,
        caller: Allowed<AuditCorrection>,
        Body(decision): Body<ScoreCorrectionAudit>,
    ) -> Result<Reply<Saved>> {
        let id = decision.id;
        let mut tx = caller.begin().await?;
        let who = (caller.user_id(), caller.session.real_name.as_str());
        let changes = decided(&mut tx, &decision, &caller.scope(), caller.rights().get(GRADUATED), who).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id }))
    }
}

/// A correction that is held.
struct Correction {
    course_score_id: i64,
    target: ScoreCorrectionTarget,
    component_kind: Option<String>,
    exam_score_id: Option<i64>,
    new_value: Option<i64>,
    new_mark: Option<ScoreMark>,
    status: ScoreCorrectionStatus,
    applied_by: i64,
    version: i32,
}

/// Decides one, and counts its score anew.
///
/// # Errors
/// 404 beyond the scope; 403 of a graduated student beyond the scope of the code for it; 409 for one that was decided, or one's own;
/// 422 without the opinion of a refusal.
pub(crate) async fn decided(
    tx: &mut Tx,
    decision: &ScoreCorrectionAudit,
    scope: &Scope,
    graduated: Option<&Scope>,
    (account, name): (i64, &str),
) -> Result<Vec<Change>> {
    let of = sqlx::query!(
        "select s.selection_id, c.opening_id from score_correction x
         join course_score s on s.id = x.course_score_id
         join course_selection c on c.id = s.selection_id where x.id = $1",
        decision.id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    hold_selections(tx, &[of.opening_id], &[of.selection_id]).await?;
    let score = sqlx::query_scalar!("select course_score_id from score_correction where id = $1", decision.id)
        .fetch_one(&mut **tx)
        .await?;
    let before: Card = held(tx, score, scope).await?;
    let correction = sqlx::query_as!(
        Correction,
        r#"select course_score_id, target as "target: _", component_kind, exam_score_id,
                  (new_value * 10)::bigint as new_value, new_mark as "new_mark: _", status as "status: _", applied_by, version
           from score_correction where id = $1 for update"#,
        decision.id
    )
    .fetch_one(&mut **tx)
    .await?;
    if correction.version != decision.version {
        return Err(tx.stale("score_correction", decision.id).await);
    }
    let to = after(correction.status, decision.pass, correction.applied_by == account)
        .map_err(|why| Error::conflict(why.to_string()))?;
    if to == ScoreCorrectionStatus::Rejected && decision.opinion.as_deref().is_none_or(str::is_empty) {
        return Err(Error::field("opinion", "请填写不通过的意见"));
    }
    let mut changes = Vec::new();
    let mut text = None;
    if to == ScoreCorrectionStatus::Approved {
        may_correct(tx, before.student_id, graduated).await?;
        if before.origin == ScoreOrigin::Examined {
            write(tx, &correction).await?;
            changes.extend(settle(tx, &[score]).await?.iter().map(crate::score::Settled::change));
        } else {
            let to = (correction.new_value, correction.new_mark);
            changes.push(made::write(tx, &before, decision.id, to).await?);
        }
        let after = cards(tx, &[score]).await?.remove(&score).ok_or_else(Error::not_found)?;
        still_graduates(tx, &before, &after).await?;
        count(tx, score).await?;
        complete(tx, std::iter::once(&after)).await?;
        tell(tx, &after).await?;
        text = Some(after.text);
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update score_correction
         set status = $2, new_text = $3, audited_by = $4, audited_by_name = $5, audited_at = $6, opinion = $7, updated_at = now(),
             updated_by = $8, version = version + 1
         where id = $1",
        decision.id,
        to.as_str(),
        text,
        account,
        name,
        now as _,
        decision.opinion,
        by
    )
    .execute(&mut **tx)
    .await?;
    let change = Change::status("score_correction", decision.id, "status", correction.status.as_str(), to.as_str());
    changes.insert(0, change.because(decision.opinion.as_deref()));
    Ok(changes)
}

/// Writes what the correction says into what the score is made of.
async fn write(tx: &mut Tx, correction: &Correction) -> Result<()> {
    let by = tx.by();
    if correction.target == ScoreCorrectionTarget::Component {
        sqlx::query!(
            "insert into course_score_component (course_score_id, kind, value, applicability, source, frozen, created_by, updated_by)
             values ($1, $2, $3::bigint / 10.0, 'value', 'entered', true, $4, $4)
             on conflict (course_score_id, kind) do update
             set value = excluded.value, applicability = excluded.applicability, source = excluded.source, fresh_value = null,
                 updated_at = excluded.updated_at, updated_by = excluded.updated_by,
                 version = course_score_component.version + 1",
            correction.course_score_id,
            correction.component_kind,
            correction.new_value,
            by
        )
        .execute(&mut **tx)
        .await?;
        return Ok(());
    }
    let written = sqlx::query!(
        "update exam_score
         set value = $2::bigint / 10.0, mark = coalesce($3, mark),
             raw = case when $2::bigint is null then null else least(paper_total, round($2::bigint / 1000.0 * paper_total, 1)) end,
             updated_at = now(), updated_by = $4, version = version + 1
         where id = $1 and published",
        correction.exam_score_id,
        correction.new_value,
        correction.new_mark.map(ScoreMark::as_str),
        by
    )
    .execute(&mut **tx)
    .await?;
    if written.rows_affected() == 0 {
        return Err(Error::conflict("该考试成绩已撤回发布，请驳回更正后直接修改"));
    }
    Ok(())
}

/// # Errors
/// 409 where somebody who graduates would not pass any more.
async fn still_graduates(tx: &mut Tx, before: &Card, after: &Card) -> Result<()> {
    if before.passed != Some(true) || after.passed == Some(true) {
        return Ok(());
    }
    let confirmed = sqlx::query_scalar!(
        r#"select exists (select from graduation_outcome where student_id = $1) as "confirmed!""#,
        before.student_id
    )
    .fetch_one(&mut **tx)
    .await?;
    if confirmed { Err(Error::conflict("该生已毕业审核通过，请先移出毕业批次")) } else { Ok(()) }
}

/// The score counts anew from now on.
async fn count(tx: &mut Tx, score: i64) -> Result<()> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update course_score set counted_at = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        score,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn tell(tx: &mut Tx, after: &Card) -> Result<()> {
    let values = [("course".to_owned(), after.course_name.clone()), ("score".to_owned(), after.text.clone())];
    let person = Person { kind: PersonKind::Student, id: after.student_id };
    notify(tx, "score_corrected", Persons::Recipients(vec![person]), values.into(), None).await
}
