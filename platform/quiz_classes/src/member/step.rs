//! 通过, 不通过 and 移除. The class is held before its member, as whoever joins holds it.

use infra::{Change, Error, Result, Tx};
use quiz_rules::{
    class::{Refusal, decided},
    enums::{QuizMemberDecision, QuizMemberState},
};

use crate::class::lock;

struct LockedMember {
    id: i64,
    state: QuizMemberState,
}

/// A member with their class, both held.
async fn held(tx: &mut Tx, id: i64) -> Result<(crate::class::LockedClass, LockedMember)> {
    let grade = sqlx::query_scalar!("select grade_id from platform.exam_grade_member where id = $1", id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    let class = lock(tx, grade).await?;
    let member = sqlx::query_as!(
        LockedMember,
        r#"select id, state as "state: _" from platform.exam_grade_member where id = $1 for update"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    Ok((class, member))
}

async fn set(tx: &mut Tx, member: &LockedMember, state: QuizMemberState) -> Result<Change> {
    let now = tx.app().clock().now();
    let by = tx.by();
    sqlx::query!(
        "update platform.exam_grade_member
         set state = $2, joined_at = case when $2 = 'joined' then $3::timestamptz else joined_at end, updated_at = now(),
             updated_by = $4, version = version + 1
         where id = $1",
        member.id,
        state.as_str(),
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("exam_grade_member", member.id, "state", member.state.as_str(), state.as_str()))
}

/// # Errors
/// 409 `班级人数已满`, and for a member of whom nothing is to be decided.
pub(super) async fn decide(tx: &mut Tx, id: i64, decision: QuizMemberDecision) -> Result<Change> {
    let (class, member) = held(tx, id).await?;
    let seats = class.seats(tx).await?;
    let state = decided(member.state, decision, seats)?;
    set(tx, &member, state).await
}

/// Lets somebody in.
///
/// # Errors
/// As [`decide`].
pub(crate) async fn admit(tx: &mut Tx, id: i64) -> Result<Change> {
    decide(tx, id, QuizMemberDecision::Approved).await
}

/// Their seat is free again; what they answered stays.
///
/// # Errors
/// 409 for one who was removed already.
pub(crate) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let (_, member) = held(tx, id).await?;
    if member.state == QuizMemberState::Removed {
        return Err(Refusal::Gone.into());
    }
    set(tx, &member, QuizMemberState::Removed).await
}
