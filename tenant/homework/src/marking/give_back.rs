//! 退回重做: a sheet goes back to its student, who may do it once more; what is not done again in time counts as it was
//! (part 03 B7).

use chrono::TimeDelta;
use infra::{Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Tx, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::json;

use super::{
    Marker, Reach, ReturnSheets,
    lock::{free, release_all},
    write::{LOCKED, is_all_mine, settled},
};
use crate::{
    enums::{HomeworkStatus, HomeworkStudentState, SheetMarkState},
    homework::of_row,
    sheet::{Sheet, achievement_locked, follow, held},
};

/// Which sheets go back, why, and until when they may be done again.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SheetsReturn {
    /// 答卷
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub sheet_ids: Vec<i64>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 500))]
    pub reason: String,
    /// 重做截止
    /// 至少在1小时之后
    pub redo_until: Moment,
}

impl Example for SheetsReturn {
    fn example() -> Self {
        Self { sheet_ids: vec![1], reason: "请补充计算过程".to_owned(), redo_until: Moment::default() }
    }
}

pub struct Returns;

#[OpenApi(prefix_path = "/exam/pc/tasks/marking", tag = "crate::Tag::Homework")]
impl Returns {
    /// 退回重做
    #[oai(path = "/return", method = "put", operation_id = "returnSheets")]
    async fn give_back(
        &self,
        caller: Allowed<ReturnSheets>,
        Body(wanted): Body<SheetsReturn>,
    ) -> Result<Reply<BulkResult>> {
        let marker = Marker::of_account(&caller).await?;
        let tx = caller.begin().await?;
        Ok(reply(return_all(tx, wanted, (&marker, &Reach::Scope(caller.scope()))).await?))
    }
}

/// A bulk step over sheets. People know one by its student.
fn of_sheets(tx: Tx) -> Bulk {
    let table = "(select a.id, y.name from answer_sheet a join homework_student s on s.id = a.homework_student_id
                  join course_selection c on c.id = s.selection_id join student y on y.id = c.student_id) sheet";
    Bulk::named(tx, table, "name")
}

/// # Errors
/// 422 for a moment that is too near; rows are refused by themselves.
pub(crate) async fn return_all(mut tx: Tx, wanted: SheetsReturn, who: (&Marker, &Reach)) -> Result<BulkResult> {
    if wanted.redo_until < tx.app().clock().now() + TimeDelta::hours(1) {
        return Err(Error::field("redoUntil", "重做截止应至少在1小时之后"));
    }
    // Rows of students before their sheets, each in their order; what is not there stands last.
    let ids = sqlx::query_scalar!(
        r#"select w.id as "id!" from unnest($1::bigint[]) as w (id) left join answer_sheet a on a.id = w.id
           order by a.homework_student_id nulls last, w.id"#,
        &wanted.sheet_ids
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut bulk = of_sheets(tx);
    for id in ids {
        let outcome = return_sheet(bulk.row().await?, id, &wanted, who).await;
        bulk.ended(id, outcome.map_err(of_row)).await?;
    }
    bulk.commit().await
}

/// A whole sheet is given back by whose it is, or by whoever marks all of it: a part is not the rest. That holds in the
/// console too for an account that is a teacher, as it does when it marks.
///
/// # Errors
/// 409 for a teacher who was given a part of another's sheet.
async fn whole(tx: &mut Tx, sheet: &Sheet, marker: &Marker) -> Result<()> {
    let Some(teacher) = marker.teacher else { return Ok(()) };
    if sheet.marker_id == Some(teacher) || is_all_mine(tx, sheet, marker).await? {
        return Ok(());
    }
    let name = sqlx::query_scalar!("select name from teacher where id = $1", sheet.marker_id)
        .fetch_optional(&mut **tx)
        .await?;
    let who = name.map_or_else(|| "教务人员".to_owned(), |name| format!("教师“{name}”或教务人员"));
    Err(Error::conflict(format!("该答卷还有由其他教师批阅的题目，请联系{who}退回")))
}

/// Gives one sheet back.
///
/// # Errors
/// 404 beyond the reach; 409 from a state that does not lead there, of a sheet of which a part is another's, while somebody else
/// marks it, and when its score is locked.
pub(crate) async fn return_sheet(
    tx: &mut Tx,
    id: i64,
    wanted: &SheetsReturn,
    (marker, reach): (&Marker, &Reach),
) -> Result<Change> {
    reach.see(tx, id).await?;
    let (task, sheet) = held(tx, id).await?;
    if !matches!(sheet.mark_state, SheetMarkState::Submitted | SheetMarkState::Marked) {
        return Err(Error::conflict(format!("该答卷{}，不能退回", sheet.mark_state.zh())));
    }
    if !matches!(task.status, HomeworkStatus::Published | HomeworkStatus::Closed) {
        return Err(Error::conflict(format!("作业{}，不能退回", task.status.zh())));
    }
    if matches!(task.state, HomeworkStudentState::Exempt | HomeworkStudentState::Void) {
        return Err(Error::conflict(format!("该学生的作业为{}，不能退回", task.state.zh())));
    }
    if !achievement_locked(tx, &[task.selection_id]).await?.is_empty() {
        return Err(Error::conflict(LOCKED));
    }
    whole(tx, &sheet, marker).await?;
    free(tx, id, marker).await?;
    let newer = sqlx::query_scalar!(
        r#"select exists (
               select from answer_sheet
               where homework_student_id = $1 and attempt_no > $2 and mark_state <> 'void') as "newer!""#,
        task.id,
        sheet.attempt_no
    )
    .fetch_one(&mut **tx)
    .await?;
    if newer {
        return Err(Error::conflict("该学生已有更新的答卷，请退回最近一次的答卷"));
    }
    let by = tx.by();
    sqlx::query!(
        "insert into sheet_return (sheet_id, reason, redo_until, from_state, created_by, updated_by) values ($1, $2, $3, $4, $5, $5)",
        id,
        wanted.reason,
        wanted.redo_until as _,
        sheet.mark_state.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update answer_sheet set mark_state = 'returned', updated_at = now(), updated_by = $2, version = version + 1 where id = $1",
        id,
        by
    )
    .execute(&mut **tx)
    .await?;
    release_all(tx, &[id]).await?;
    sqlx::query!("update homework_student set redo_until = $2 where id = $1", task.id, wanted.redo_until as _)
        .execute(&mut **tx)
        .await?;
    if let Some(followed) = follow(tx, &task).await? {
        tx.record(&[followed]).await?;
    }
    let values = [
        ("course".to_owned(), task.course_name.clone()),
        ("title".to_owned(), task.title.clone()),
        ("remark".to_owned(), wanted.reason.clone()),
    ];
    let person = Person { kind: PersonKind::Student, id: task.student_id };
    notify(tx, "homework_returned", Persons::Recipients(vec![person]), values.into(), None).await?;
    let to = SheetMarkState::Returned.as_str();
    let change = Change::status("answer_sheet", id, "markState", sheet.mark_state.as_str(), to);
    Ok(change.because(Some(&wanted.reason)))
}

/// The sheets that were given back and not done again until now, in the order in which rows are held.
///
/// # Errors
/// Those of the database.
pub(crate) async fn overdue_returns(connection: &mut sqlx::PgConnection, now: Moment) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select r.id from sheet_return r join answer_sheet a on a.id = r.sheet_id
         where r.ended is null and r.redo_until < $1 order by a.homework_student_id, a.id",
        now as _
    )
    .fetch_all(connection)
    .await?)
}

/// Puts a sheet back that was not done again in time: it counts as it did.
///
/// # Errors
/// Those of the database.
pub(crate) async fn restore_due(tx: &mut Tx, id: i64) -> Result<Option<Change>> {
    let Some(of) = sqlx::query!(
        "select a.id as sheet_id, a.homework_student_id from sheet_return r join answer_sheet a on a.id = r.sheet_id where r.id = $1",
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    else {
        return Ok(None);
    };
    if of.homework_student_id.is_none() {
        return Ok(None);
    }
    let (task, sheet) = held(tx, of.sheet_id).await?;
    let now = tx.app().clock().now();
    let ended = sqlx::query_scalar!(
        "update sheet_return set ended = 'restored', ended_at = $2, updated_at = now(), version = version + 1
         where id = $1 and ended is null and redo_until < $2::timestamptz returning from_state",
        id,
        now as _
    )
    .fetch_optional(&mut **tx)
    .await?;
    if ended.is_none() || sheet.mark_state != SheetMarkState::Returned {
        return Ok(None);
    }
    // By the marks that it has: a correction may have marked meanwhile what waited.
    let state = settled(tx, &task, &sheet).await?;
    sqlx::query!("update homework_student set redo_until = null where id = $1", task.id).execute(&mut **tx).await?;
    if let Some(followed) = follow(tx, &task).await? {
        tx.record(&[followed]).await?;
    }
    let what = json!({ "markState": state.as_str(), "sheetId": of.sheet_id });
    Ok(Some(Change::event("sheet_return", id, "status", what)))
}
