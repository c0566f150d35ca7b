//! 上架、下架, and which exams can be deleted.

use catalogue::course::{Putaway, PutawayChange};
use infra::{Change, Error, Result, Tx};
use serde_json::json;

/// An exam that nobody else changes until the transaction ends.
pub(crate) struct LockedQuiz {
    pub(crate) id: i64,
    pub(crate) exam_name: String,
    pub(crate) putaway: Putaway,
    pub(crate) published_revision_id: Option<i64>,
    pub(crate) count_buy: i64,
    pub(crate) version: i32,
}

/// # Errors
/// 404 when there is none.
pub(crate) async fn lock(tx: &mut Tx, id: i64) -> Result<LockedQuiz> {
    sqlx::query_as!(
        LockedQuiz,
        r#"select id, exam_name, putaway as "putaway: _", published_revision_id, count_buy, version
           from platform.online_exam where id = $1 for update"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// # Errors
/// 409 for an exam that is not approved, or whose lecturer is switched off.
pub(crate) async fn set_putaway(tx: &mut Tx, wanted: &PutawayChange) -> Result<Change> {
    let exam = lock(tx, wanted.id).await?;
    if wanted.version.is_some_and(|read| read != exam.version) {
        return Err(tx.stale("online_exam", wanted.id).await);
    }
    if exam.putaway == wanted.putaway {
        return Err(Error::conflict(format!("试卷已是{}状态", wanted.putaway.zh())));
    }
    if wanted.putaway == Putaway::On {
        if exam.published_revision_id.is_none() {
            return Err(Error::conflict("试卷尚未审核通过，不能上架"));
        }
        let off = sqlx::query_scalar!(
            "select l.lecturer_name from platform.online_exam e join platform.lecturer l on l.id = e.lecturer_id
             where e.id = $1 and not l.enabled",
            wanted.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        if let Some(name) = off {
            return Err(Error::conflict(format!("讲师“{name}”已停用，试卷不能上架")));
        }
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.online_exam set putaway = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        wanted.id,
        wanted.putaway.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("online_exam", wanted.id, "putaway", exam.putaway.as_str(), wanted.putaway.as_str()))
}

/// So many more bought an exam; fewer after a whole refund. The caller holds what was ordered.
///
/// # Errors
/// 404 for an exam that is gone.
pub async fn bought(tx: &mut Tx, exam: i64, more: i64) -> Result<()> {
    let changed = sqlx::query!("update platform.online_exam set count_buy = count_buy + $2 where id = $1", exam, more)
        .execute(&mut **tx)
        .await?;
    if changed.rows_affected() == 0 { Err(Error::not_found()) } else { Ok(()) }
}

/// An exam goes with its versions; its questions stay.
///
/// # Errors
/// 409 for an exam that somebody bought or was given, for one on the shelf, for one that waits to be paid, and for one that an attempt, a
/// class or a recommendation refers to.
pub(crate) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let exam = lock(tx, id).await?;
    if exam.count_buy > 0 {
        return Err(Error::conflict(format!("已有{}名学员购买，请下架", exam.count_buy)));
    }
    // Whoever was given it without buying keeps it as well.
    let rights = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.learner_right where product_type = 'exam' and product_id = $1"#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if rights > 0 {
        return Err(Error::conflict(format!("已被{rights}项学员权益引用，不能删除")));
    }
    if exam.putaway == Putaway::On {
        return Err(Error::conflict(format!("“{}”已上架，请先下架再删除", exam.exam_name)));
    }
    // Somebody is about to buy it; orders that were refunded keep its name.
    let waits = sqlx::query_scalar!(
        r#"select exists (select from platform.order_info
                          where product_type = 'exam' and product_id = $1 and order_status in ('pending', 'paid', 'refunding'))
               as "waits!""#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if waits {
        return Err(Error::conflict(format!("“{}”有未完成的订单，请稍后再删除", exam.exam_name)));
    }
    let last = sqlx::query_scalar!(
        "select content from platform.online_exam_revision where exam_id = $1 order by id desc limit 1",
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    sqlx::query!("update platform.online_exam set published_revision_id = null where id = $1", id)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from platform.online_exam_revision where exam_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.online_exam_problem where exam_id = $1", id).execute(&mut **tx).await?;
    tx.remove("online_exam", id, &exam.exam_name).await?;
    Ok(Change::event("online_exam", id, "delete", json!({ "examName": exam.exam_name, "content": last })))
}
