//! 提交, 确认, 退回 and 撤销确认 of scores.

use infra::{Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scores::offered::sources_changed;

use super::{
    ConfirmScores, ReturnScores, RevokeScores, SubmitScores,
    held::{Held, hold, one, write},
};
use crate::enums::InstructionScoreStatus;

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

/// How a score goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Submit,
    Confirm,
    Return,
    Revoke,
}

/// Why it does not.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Refusal {
    #[error("该成绩{}，只有录入中的可以提交", .0.zh())]
    NotDraft(InstructionScoreStatus),
    #[error("该成绩{}，只有已提交的可以确认或退回", .0.zh())]
    NotSubmitted(InstructionScoreStatus),
    #[error("该成绩{}，只有已确认的可以撤销", .0.zh())]
    NotConfirmed(InstructionScoreStatus),
    #[error("成绩已锁定，不能撤销确认")]
    Locked,
}

/// Where a turn leads from a status; `locked` when the final score stands.
fn after(status: InstructionScoreStatus, turn: Turn, locked: bool) -> Result<InstructionScoreStatus, Refusal> {
    use InstructionScoreStatus::{Confirmed, Draft, Submitted};
    match (turn, status) {
        (Turn::Submit, Draft) => Ok(Submitted),
        (Turn::Submit, Submitted | Confirmed) => Err(Refusal::NotDraft(status)),
        (Turn::Confirm, Submitted) => Ok(Confirmed),
        (Turn::Return, Submitted) => Ok(Draft),
        (Turn::Confirm | Turn::Return, Draft | Confirmed) => Err(Refusal::NotSubmitted(status)),
        (Turn::Revoke, Confirmed) if locked => Err(Refusal::Locked),
        (Turn::Revoke, Confirmed) => Ok(Submitted),
        (Turn::Revoke, Draft | Submitted) => Err(Refusal::NotConfirmed(status)),
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

impl Turn {
    /// As the statement knows it.
    const fn word(self) -> &'static str {
        match self {
            Self::Submit => "submit",
            Self::Confirm => "confirm",
            Self::Return => "return",
            Self::Revoke => "revoke",
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_goes_on_from_where_it_is() {
        use InstructionScoreStatus::{Confirmed, Draft, Submitted};
        let told = |status, turn, locked| after(status, turn, locked).map_err(|why| why.to_string());
        assert_eq!(told(Draft, Turn::Submit, false), Ok(Submitted));
        assert_eq!(told(Submitted, Turn::Confirm, false), Ok(Confirmed));
        assert_eq!(told(Submitted, Turn::Return, false), Ok(Draft));
        assert_eq!(told(Confirmed, Turn::Revoke, false), Ok(Submitted));
        assert_eq!(told(Confirmed, Turn::Revoke, true), Err("成绩已锁定，不能撤销确认".to_owned()));
        assert_eq!(told(Confirmed, Turn::Submit, false), Err("该成绩已确认，只有录入中的可以提交".to_owned()));
        assert_eq!(told(Draft, Turn::Confirm, false), Err("该成绩录入中，只有已提交的可以确认或退回".to_owned()));
        assert_eq!(told(Submitted, Turn::Revoke, false), Err("该成绩已提交，只有已确认的可以撤销".to_owned()));
    }
}
