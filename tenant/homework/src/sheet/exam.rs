//! 答卷 of examinations: begun, voided, taken up again and prolonged by their own room, which holds the candidate first (part 04 §2).

use infra::{Change, Error, OnConstraint, Result, Tx, clock::Moment};
use question_bank::score::points;
use serde_json::json;

use super::{Sheet, settle, sheet, with_items};
use crate::{
    enums::SheetMarkState,
    marking::{Marker, write::standing},
};

/// A sheet that a candidate begins.
#[derive(Debug, Clone)]
pub struct NewSheet {
    pub candidate: i64,
    pub attempt_no: i32,
    pub snapshot: i64,
    pub seed: i64,
    pub deadline: Moment,
    pub ip: String,
    pub device: String,
}

/// A sheet of a candidate with an item for each question; the candidate is held.
///
/// # Errors
/// 409 when one is being answered.
pub async fn begin_exam(tx: &mut Tx, new: &NewSheet) -> Result<i64> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let id = sqlx::query_scalar!(
        "insert into answer_sheet (exam_candidate_id, attempt_no, snapshot_id, seed, started_at, deadline_at, ip, device, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
        new.candidate,
        new.attempt_no,
        new.snapshot,
        new.seed,
        now as _,
        new.deadline as _,
        new.ip,
        new.device,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| {
        matches!(name, "answer_sheet_exam_open_taken" | "answer_sheet_attempt_taken")
            .then(|| Error::conflict("已有作答中的答卷，请重新打开"))
    })?;
    with_items(tx, id, new.snapshot).await?;
    Ok(id)
}

/// Makes a sheet void, whatever it is.
///
/// # Errors
/// 404 for none; 409 for one that is void.
pub async fn void(tx: &mut Tx, id: i64) -> Result<Change> {
    tx.lock("answer_sheet", id).await?;
    let before = sheet(tx, id).await?;
    if before.mark_state == SheetMarkState::Void {
        return Err(Error::conflict("该答卷已作废"));
    }
    let by = tx.by();
    sqlx::query!(
        "update answer_sheet
         set mark_state = 'void', locked_kind = null, locked_by = null, locked_by_name = null, locked_until = null,
             updated_at = now(), updated_by = $2, version = version + 1
         where id = $1",
        id,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("answer_sheet", id, "markState", before.mark_state.as_str(), "void"))
}

/// Lets a sheet that was handed in be answered again until then; what the machine marked waits again, what people marked stays.
///
/// # Errors
/// 404 for none; 409 for one that was not handed in.
pub async fn resume(tx: &mut Tx, id: i64, deadline: Moment) -> Result<Change> {
    tx.lock("answer_sheet", id).await?;
    let before = sheet(tx, id).await?;
    if !matches!(before.mark_state, SheetMarkState::Submitted | SheetMarkState::Marked) {
        return Err(Error::conflict(format!("答卷{}，不能继续作答", before.mark_state.zh())));
    }
    let by = tx.by();
    sqlx::query!(
        "update answer_item set mark_state = 'pending', score = null, auto_score = null where sheet_id = $1 and mark_state = 'auto'",
        id
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update answer_sheet
         set mark_state = 'in_progress', submitted_at = null, submit_kind = null, objective_score = null, subjective_score = null,
             total_score = null, marked_at = null, deadline_at = $2, locked_kind = null, locked_by = null, locked_by_name = null,
             locked_until = null, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        id,
        deadline as _,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| {
        (name == "answer_sheet_exam_open_taken").then(|| Error::conflict("该考生已有作答中的答卷"))
    })?;
    Ok(Change::status("answer_sheet", id, "markState", before.mark_state.as_str(), "in_progress"))
}

/// Gives sheets that are answered until then.
///
/// # Errors
/// Those of the database.
pub async fn prolong(tx: &mut Tx, sheets: &[i64], deadline: Moment) -> Result<Vec<Change>> {
    let by = tx.by();
    let ids = sqlx::query_scalar!(
        "update answer_sheet set deadline_at = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = any($1) and mark_state = 'in_progress' and deadline_at <> $2 returning id",
        sheets,
        deadline as _,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(ids
        .into_iter()
        .map(|id| Change::event("answer_sheet", id, "extend", json!({ "deadlineAt": deadline })))
        .collect())
}

/// Writes the score that two markers of an answer came to, or the third one's, in tenths.
///
/// # Errors
/// 404 for no answer.
pub async fn scored(tx: &mut Tx, item: i64, score: i64, who: &Marker) -> Result<Change> {
    let now = tx.app().clock().now();
    let before =
        sqlx::query_scalar!(r#"select score::float8 as score from answer_item where id = $1 for update"#, item)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(Error::not_found)?;
    sqlx::query!(
        "update answer_item
         set score = $2::float8::numeric, mark_state = 'marked', marked_by_account_id = $3, marked_by_teacher_id = $4, marked_at = $5
         where id = $1",
        item,
        points(score),
        who.account,
        who.teacher,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("answer_item", item, "mark", before, points(score)))
}

/// Writes what a sheet of a candidate comes to by the marks that it has; it is held.
///
/// # Errors
/// Those of the database.
pub async fn settled_of(tx: &mut Tx, sheet: &Sheet) -> Result<SheetMarkState> {
    let machine = standing(tx, sheet).await?;
    settle(tx, None, sheet, machine).await
}

/// Says who marks these sheets, and who these answers of others.
///
/// # Errors
/// Those of the database.
pub async fn given(tx: &mut Tx, sheets: &[(i64, i64)], items: &[(i64, i64)]) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update answer_sheet a set marker_id = w.teacher, updated_at = now(), updated_by = $3
         from unnest($1::bigint[], $2::bigint[]) as w (id, teacher) where a.id = w.id",
        &sheets.iter().map(|(id, _)| *id).collect::<Vec<i64>>(),
        &sheets.iter().map(|(_, teacher)| *teacher).collect::<Vec<i64>>(),
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update answer_item i set marker_id = w.teacher
         from unnest($1::bigint[], $2::bigint[]) as w (id, teacher) where i.id = w.id",
        &items.iter().map(|(id, _)| *id).collect::<Vec<i64>>(),
        &items.iter().map(|(_, teacher)| *teacher).collect::<Vec<i64>>()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Keeps the highest number of the player's saves; answers it.
///
/// # Errors
/// Those of the database.
pub async fn noted(tx: &mut Tx, sheet: i64, client_seq: i64) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        "update answer_sheet set last_client_seq = greatest(last_client_seq, $2), updated_at = now() where id = $1
         returning last_client_seq",
        sheet,
        client_seq
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Keeps who marked a sheet last; its next reader sees another version.
///
/// # Errors
/// Those of the database.
pub async fn marked_by(tx: &mut Tx, sheet: i64, name: &str) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update answer_sheet set marked_by_name = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        sheet,
        name,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
