//! 上架、下架, and which record of a course is its default (part 03 A6).

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

/// What of a record's enabled periods decides whether it may be published.
#[derive(Debug, Clone, Copy)]
struct Periods {
    enabled: i64,
    required_unready: i64,
    /// Opened courses that are studied with the record: it is theirs, or their course's default.
    taught: i64,
}

/// Why a record may not come to a status.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Refusal {
    #[error("请先添加并启用课时，再上架")]
    NoPeriod,
    #[error("还有{0}个必修课时未转码完成")]
    Unready(i64),
    #[error("已上架的资源不能退回草稿，请下架")]
    NoWayBack,
    #[error("草稿尚未上架，无需下架")]
    NeverPublished,
    #[error("{0}个在开课程正在使用该资源")]
    Taught(i64),
    #[error("资源已是该状态")]
    Same,
}

fn may_become(from: CourseRecordStatus, to: CourseRecordStatus, periods: Periods) -> Result<(), Refusal> {
    use CourseRecordStatus::{Draft, OffShelf, Published};
    match (from, to) {
        (from, to) if from == to => Err(Refusal::Same),
        (_, Draft) => Err(Refusal::NoWayBack),
        (Draft, OffShelf) => Err(Refusal::NeverPublished),
        (Published, OffShelf) if periods.taught > 0 => Err(Refusal::Taught(periods.taught)),
        (_, Published) if periods.enabled == 0 => Err(Refusal::NoPeriod),
        (_, Published) if periods.required_unready > 0 => Err(Refusal::Unready(periods.required_unready)),
        _ => Ok(()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use CourseRecordStatus::{Draft, OffShelf, Published};

    #[test]
    fn only_what_can_be_watched_is_published() {
        let periods = |enabled, required_unready| Periods { enabled, required_unready, taught: 0 };
        assert_eq!(may_become(Draft, Published, periods(10, 0)), Ok(()));
        assert_eq!(may_become(Draft, Published, periods(10, 1)), Err(Refusal::Unready(1)));
        assert_eq!(may_become(OffShelf, Published, periods(0, 0)), Err(Refusal::NoPeriod));
        assert_eq!(may_become(Published, OffShelf, periods(10, 1)), Ok(()));
        assert_eq!(may_become(Draft, OffShelf, periods(10, 0)), Err(Refusal::NeverPublished));
        assert_eq!(may_become(Published, Draft, periods(10, 0)), Err(Refusal::NoWayBack));
        assert_eq!(may_become(Draft, Draft, periods(10, 0)), Err(Refusal::Same));
        let taught = Periods { taught: 2, ..periods(10, 0) };
        assert_eq!(may_become(Published, OffShelf, taught), Err(Refusal::Taught(2)));
        assert_eq!(may_become(OffShelf, Published, taught), Ok(()));
    }
}
