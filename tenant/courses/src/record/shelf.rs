//! 上架、下架, and which record of a course is its default (part 03 A6).

use course_rules::record::{Periods, Refusal, may_become};
use infra::{Change, Error, Result, Tx};
use poem_openapi::{Object, types::Example};

use super::{CourseRecordStatus, find};

/// `{id, status}` of `update/status`; the version is checked when it is sent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CourseRecordStatusChange {
    /// 编号
    pub id: i64,
    /// 状态
    pub status: CourseRecordStatus,
    /// 版本
    pub version: Option<i32>,
}

impl Example for CourseRecordStatusChange {
    fn example() -> Self {
        Self { id: 1, status: CourseRecordStatus::Published, version: None }
    }
}

/// `{id}` of `setDefault` and `copy`.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CourseRecordChange {
    /// 编号
    pub id: i64,
}

impl Example for CourseRecordChange {
    fn example() -> Self {
        Self { id: 1 }
    }
}

/// # Errors
/// 422 for a record that cannot be published yet, 409 for a step that the status does not allow.
pub(super) async fn change(tx: &mut Tx, wanted: &CourseRecordStatusChange) -> Result<Change> {
    tx.lock("course_record", wanted.id).await?;
    let before = find(tx, wanted.id).await?;
    if wanted.version.is_some_and(|version| version != before.version) {
        return Err(tx.stale("course_record", wanted.id).await);
    }
    let periods = sqlx::query_as!(
        Periods,
        r#"select count(*) as "enabled!",
                  count(*) filter (where p.required and m.id is not null and m.state <> 'ready') as "required_unready!",
                  (select count(*) from course_record r
                   join course_opening o on o.course_id = r.course_id and o.status = 'opened'
                   left join online_teaching t on t.id = o.id
                   where r.id = $1 and coalesce(t.course_record_id, case when r.is_default then r.id end) = r.id) as "taught!"
           from course_period p left join media_asset m on m.id = p.media_asset_id
           where p.course_record_id = $1 and p.enabled"#,
        wanted.id
    )
    .fetch_one(&mut **tx)
    .await?;
    may_become(before.status, wanted.status, periods).map_err(|refusal| match refusal {
        Refusal::NoPeriod | Refusal::Unready(_) => Error::refused(refusal),
        _ => Error::conflict(refusal.to_string()),
    })?;
    let by = tx.by();
    sqlx::query!(
        "update course_record set status = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        wanted.id,
        wanted.status.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("course_record", wanted.id, "status", before.status.as_str(), wanted.status.as_str()))
}

/// The former default of the course and this record change in one step; a course has one default though two people set it
/// at once.
pub(super) async fn set_default(tx: &mut Tx, id: i64) -> Result<Vec<Change>> {
    let course = sqlx::query_scalar!(
        "select c.id from course c where c.id = (select course_id from course_record where id = $1) for update",
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let by = tx.by();
    let former = sqlx::query_scalar!(
        "update course_record set is_default = false, updated_at = now(), updated_by = $3, version = version + 1
         where course_id = $1 and is_default and id <> $2 returning id",
        course,
        id,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let set = sqlx::query!(
        "update course_record set is_default = true, updated_at = now(), updated_by = $2, version = version + 1
         where id = $1 and not is_default",
        id,
        by
    )
    .execute(&mut **tx)
    .await?;
    if set.rows_affected() == 0 {
        return Err(Error::conflict("该资源已是默认资源"));
    }
    let mut changes: Vec<Change> =
        former.into_iter().map(|other| Change::status("course_record", other, "isDefault", true, false)).collect();
    changes.insert(0, Change::status("course_record", id, "isDefault", false, true));
    Ok(changes)
}
