//! Theses as their steps know them, held behind their plans and topics.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use infra::{Change, Error, Result, Scope, Tx};
use thesis_rules::{
    enums::{SelectMode, ThesisPlanStatus, ThesisStage, ThesisStageStatus, ThesisStatus, TopicMode},
    stage::{Standing, ThesisTurn, after},
};

/// A thesis that is held.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub id: i64,
    pub plan_id: i64,
    pub student_id: i64,
    pub major_id: i64,
    pub topic_id: Option<i64>,
    pub title: Option<String>,
    pub adviser_id: Option<i64>,
    pub stage: ThesisStage,
    pub stage_status: ThesisStageStatus,
    pub status: ThesisStatus,
    pub similarity_count: i32,
    pub version: i32,
    pub plan_status: ThesisPlanStatus,
    pub require_proposal: bool,
    pub topic_mode: TopicMode,
    pub select_mode: SelectMode,
    pub adviser_quota: i32,
    /// In tenths of a percent.
    pub similarity_limit: i64,
    pub similarity_attempts: i32,
    pub min_reviewers: i32,
    pub topic_from: Option<NaiveDate>,
    pub topic_to: Option<NaiveDate>,
    pub proposal_due: Option<NaiveDate>,
    pub draft_due: Option<NaiveDate>,
    pub final_due: Option<NaiveDate>,
}

impl Held {
    pub fn standing(&self) -> Standing {
        Standing { stage: self.stage, status: self.stage_status, requires_proposal: self.require_proposal }
    }

    /// # Errors
    /// 409 for a thesis that does not go on, or whose plan does not.
    pub fn goes_on(&self) -> Result<()> {
        if self.status != ThesisStatus::Active {
            return Err(Error::conflict(format!("论文{}，不能办理", self.status.zh())));
        }
        if self.plan_status != ThesisPlanStatus::Active {
            return Err(Error::conflict(format!("论文批次{}，不能办理", self.plan_status.zh())));
        }
        Ok(())
    }

    /// # Errors
    /// 409 from where it does not lead.
    pub fn to(&self, turn: ThesisTurn) -> Result<Standing> {
        after(self.standing(), turn).map_err(|why| Error::conflict(why.to_string()))
    }

    /// # Errors
    /// 409 when it changed since it was read.
    pub async fn as_read(&self, tx: &mut Tx, version: i32) -> Result<()> {
        if self.version == version { Ok(()) } else { Err(tx.stale("thesis", self.id).await) }
    }
}

/// Theses within the scope, held in the order of their ids behind their plans and topics.
///
/// # Errors
/// Those of the database; 409 when somebody else holds one for too long.
pub(crate) async fn hold(tx: &mut Tx, ids: &[i64], more_topics: &[i64], scope: &Scope) -> Result<BTreeMap<i64, Held>> {
    sqlx::query_scalar!(
        "select id from thesis_plan where id in (select plan_id from thesis where id = any($1)) order by id for share",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query_scalar!(
        "select id from thesis_topic
         where id = any($2) or id in (select topic_id from thesis where id = any($1)) order by id for update",
        ids,
        more_topics
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query_scalar!("select id from thesis where id = any($1) order by id for update", ids)
        .fetch_all(&mut **tx)
        .await?;
    let rows = sqlx::query_as!(
        Held,
        r#"select t.id, t.plan_id, t.student_id, y.major_id, t.topic_id, t.title,
                  t.adviser_id, t.stage as "stage: _", t.stage_status as "stage_status: _", t.status as "status: _",
                  t.similarity_count, t.version, p.status as "plan_status: _", p.require_proposal,
                  p.topic_mode as "topic_mode: _", p.select_mode as "select_mode: _", p.adviser_quota,
                  (p.similarity_limit * 10)::bigint as "similarity_limit!", p.similarity_attempts, p.min_reviewers, p.topic_from,
                  p.topic_to, p.proposal_due, p.draft_due, p.final_due
           from thesis t join thesis_plan p on p.id = t.plan_id join student y on y.id = t.student_id
           where t.id = any($1) and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))"#,
        ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// One of them.
///
/// # Errors
/// 404 beyond the scope.
pub(crate) async fn held(tx: &mut Tx, id: i64, more_topics: &[i64], scope: &Scope) -> Result<Held> {
    hold(tx, &[id], more_topics, scope).await?.remove(&id).ok_or_else(Error::not_found)
}

/// Writes where a thesis went, and why.
///
/// # Errors
/// Those of the database.
pub(crate) async fn turned(tx: &mut Tx, thesis: &Held, to: Standing, remark: Option<&str>) -> Result<Change> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let status = match (to.stage, to.status) {
        (ThesisStage::Done, _) => ThesisStatus::Finished,
        (_, ThesisStageStatus::Failed) => ThesisStatus::Failed,
        _ => thesis.status,
    };
    sqlx::query!(
        "update thesis
         set stage = $2, stage_status = $3, status = $4, remark = $5,
             finished_at = case when $4 = 'finished' then $6::timestamptz else finished_at end, updated_at = now(), updated_by = $7,
             version = version + 1
         where id = $1",
        thesis.id,
        to.stage.as_str(),
        to.status.as_str(),
        status.as_str(),
        remark,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    let from = format!("{}/{}", thesis.stage.as_str(), thesis.stage_status.as_str());
    let gone = format!("{}/{}", to.stage.as_str(), to.status.as_str());
    Ok(Change::status("thesis", thesis.id, "stage", from, gone).because(remark))
}
