//! 提交, 确认, 退回 and 撤销确认 of scores.

use infra::{Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Scope, Tx, reply};
use instruction_rules::{
    held::Held,
    steps::{Turn, after},
};
use poem_openapi::{Object, OpenApi, types::Example};
use scores::offered::sources_changed;

use super::{
    ConfirmScores, ReturnScores, RevokeScores, SubmitScores,
    held::{hold, one, write},
};

/// Scores that go on.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoresChosen {
    /// 选课编号
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub selection_ids: Vec<i64>,
}

impl Example for ScoresChosen {
    fn example() -> Self {
        Self { selection_ids: vec![1] }
    }
}

/// Scores that go back, and why.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoresReturn {
    /// 选课编号
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub selection_ids: Vec<i64>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for ScoresReturn {
    fn example() -> Self {
        Self { selection_ids: vec![1], reason: "表现成绩有误".to_owned() }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/offlineInstruction", tag = "crate::Tag::Instruction")]
impl Steps {
    /// 提交面授成绩
    /// 所选学生都须已录入表现成绩
    #[oai(path = "/submit", method = "put", operation_id = "submitInstructionScores")]
    async fn submit(
        &self,
        caller: Allowed<SubmitScores>,
        Body(chosen): Body<ScoresChosen>,
    ) -> Result<Reply<BulkResult>> {
        let tx = caller.begin().await?;
        Ok(reply(turn_all(tx, chosen.selection_ids, (Turn::Submit, None), &caller.scope()).await?))
    }

    /// 确认面授成绩
    #[oai(path = "/confirm", method = "put", operation_id = "confirmInstructionScores")]
    async fn confirm(
        &self,
        caller: Allowed<ConfirmScores>,
        Body(chosen): Body<ScoresChosen>,
    ) -> Result<Reply<BulkResult>> {
        let tx = caller.begin().await?;
        Ok(reply(turn_all(tx, chosen.selection_ids, (Turn::Confirm, None), &caller.scope()).await?))
    }

    /// 退回面授成绩
    #[oai(path = "/return", method = "put", operation_id = "returnInstructionScores")]
    async fn give_back(
        &self,
        caller: Allowed<ReturnScores>,
        Body(chosen): Body<ScoresReturn>,
    ) -> Result<Reply<BulkResult>> {
        let ScoresReturn { selection_ids, reason } = chosen;
        let tx = caller.begin().await?;
        Ok(reply(turn_all(tx, selection_ids, (Turn::Return, Some(&reason)), &caller.scope()).await?))
    }

    /// 撤销确认面授成绩
    #[oai(path = "/revoke", method = "put", operation_id = "revokeInstructionScores")]
    async fn revoke(
        &self,
        caller: Allowed<RevokeScores>,
        Body(chosen): Body<ScoresReturn>,
    ) -> Result<Reply<BulkResult>> {
        let ScoresReturn { selection_ids, reason } = chosen;
        let tx = caller.begin().await?;
        Ok(reply(turn_all(tx, selection_ids, (Turn::Revoke, Some(&reason)), &caller.scope()).await?))
    }
}

/// Moves one score on.
async fn turn(tx: &mut Tx, held: &Held, (turn, reason): (Turn, Option<&str>)) -> Result<Change> {
    held.may_change()?;
    let to = after(held.status, turn, held.is_locked()).map_err(|why| Error::conflict(why.to_string()))?;
    if turn == Turn::Submit {
        // By the weights of the day on which it is submitted.
        write(tx, std::slice::from_ref(held)).await?;
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    let id = sqlx::query_scalar!(
        "update instruction_score
         set status = $2,
             submitted_by = case $3 when 'submit' then $5::bigint when 'return' then null else submitted_by end,
             submitted_at = case $3 when 'submit' then $4::timestamptz when 'return' then null else submitted_at end,
             confirmed_by = case $3 when 'confirm' then $5::bigint else null end,
             confirmed_at = case $3 when 'confirm' then $4::timestamptz else null end,
             return_reason = $6, updated_at = now(), updated_by = $5::bigint, version = version + 1
         where selection_id = $1 returning id",
        held.selection_id,
        to.as_str(),
        turn.word(),
        now as _,
        by,
        reason
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if matches!(turn, Turn::Confirm | Turn::Revoke) {
        // What is confirmed counts for the course.
        sources_changed(tx, &[held.selection_id]).await?;
    }
    let change = Change::status("instruction_score", id, "status", held.status.as_str(), to.as_str());
    Ok(change.because(reason))
}

/// The same over several, each for itself; but nothing is submitted as long as somebody of them has no performance.
///
/// # Errors
/// 422 with how many have none.
async fn turn_all(mut tx: Tx, mut ids: Vec<i64>, step: (Turn, Option<&str>), scope: &Scope) -> Result<BulkResult> {
    ids.sort_unstable();
    ids.dedup();
    let held = hold(&mut tx, &ids, scope).await?;
    if step.0 == Turn::Submit {
        let missing = held.values().filter(|held| held.performance.is_none()).count();
        if missing > 0 {
            return Err(Error::refused(format!("还有{missing}名学生未录入表现成绩")));
        }
    }
    let table = "(select c.id, s.name from course_selection c join student s on s.id = c.student_id) selection";
    let mut bulk = Bulk::named(tx, table, "name");
    for id in ids {
        let outcome = match one(&held, id) {
            Ok(held) => turn(bulk.row().await?, held, step).await,
            Err(error) => {
                bulk.row().await?;
                Err(error)
            }
        };
        bulk.ended(id, outcome).await?;
    }
    bulk.commit().await
}
