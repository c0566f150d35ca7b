//! Somebody who was entered by mistake goes out of the register wholly.

use infra::{Change, Error, Result, Tx, files};
use people::account::{self, OwnerKind};
use serde_json::json;

/// Takes away a student who is held: the row, its history, the account, the pictures, and what modules made of them by themselves.
/// Numbers stay used, counters go on.
/// `step` is what the refusal calls it.
///
/// # Errors
/// 409 with the kinds when anything else refers to them.
pub(super) async fn remove(tx: &mut Tx, id: i64, step: &str) -> Result<Change> {
    let student = sqlx::query!("select name, student_no, examinee_no, class_id from student where id = $1", id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    // What the entry itself wrote is no business of the student's.
    sqlx::query!("delete from student_status_change where student_id = $1", id).execute(&mut **tx).await?;
    tx.leaving("student", id).await?;
    if let Some(found) = tx.referring("student", id).await? {
        return Err(found.refuse(format!("学生已有{found}，不能{step}")));
    }
    account::remove(tx, OwnerKind::Student, id).await?;
    let pictures = files::of_records(tx, "student", &[id]).await?;
    tx.remove("student", id, &student.name).await?;
    // Nobody's from now on, and swept away: whoever calls may still undo it.
    files::let_go(tx, &pictures).await?;
    let what = json!({
        "name": student.name, "studentNo": student.student_no, "examineeNo": student.examinee_no,
        "classId": student.class_id,
    });
    Ok(Change::deleted("student", id, &what))
}
