//! 上架、下架, what schools may use, and which courses can be deleted.

use catalogue_rules::course::{SiteCourseKind, stored};
use infra::{Change, Error, Result, Tx, files, unreferred};
use poem_openapi::{Object, types::Example};
use serde_json::json;

use super::{Putaway, content::lecturer_teaches, publish::may_be_on};

/// `{id, putaway}`; the version is checked when it is sent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PutawayChange {
    /// 编号
    pub id: i64,
    /// 上架状态
    pub putaway: Putaway,
    /// 版本
    pub version: Option<i32>,
}

impl Example for PutawayChange {
    fn example() -> Self {
        Self { id: 1, putaway: Putaway::On, version: None }
    }
}

/// `{id, schoolShared}`; the version is checked when it is sent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SharedChange {
    /// 编号
    pub id: i64,
    /// 供院校使用
    pub school_shared: bool,
    /// 版本
    pub version: Option<i32>,
}

impl Example for SharedChange {
    fn example() -> Self {
        Self { id: 1, school_shared: true, version: None }
    }
}

/// A course that nobody else changes until the transaction ends.
pub(crate) struct LockedCourse {
    pub(super) id: i64,
    pub(super) course_name: String,
    pub(super) putaway: Putaway,
    pub(super) school_shared: bool,
    pub(super) published_revision_id: Option<i64>,
    pub(super) count_buy: i64,
    pub(super) version: i32,
}

impl LockedCourse {
    async fn is_as_read(&self, tx: &mut Tx, version: Option<i32>) -> Result<()> {
        match version {
            Some(read) if read != self.version => Err(tx.stale("online_course", self.id).await),
            _ => Ok(()),
        }
    }
}

/// # Errors
/// 404 when there is no such course of this kind.
pub(crate) async fn lock(tx: &mut Tx, kind: SiteCourseKind, id: i64) -> Result<LockedCourse> {
    sqlx::query_as!(
        LockedCourse,
        r#"select id, course_name, putaway as "putaway: _", school_shared, published_revision_id, count_buy, version
           from platform.online_course where id = $1 and course_type = $2 for update"#,
        id,
        kind.as_str()
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// # Errors
/// 409 for a course that is not approved, has no period or one that is not ready, or whose lecturer is switched off.
pub(crate) async fn set_putaway(tx: &mut Tx, kind: SiteCourseKind, wanted: &PutawayChange) -> Result<Change> {
    let course = lock(tx, kind, wanted.id).await?;
    course.is_as_read(tx, wanted.version).await?;
    if course.putaway == wanted.putaway {
        return Err(Error::conflict(format!("课程已是{}状态", wanted.putaway.zh())));
    }
    if wanted.putaway == Putaway::On {
        let published = sqlx::query!(
            "select r.content, c.lecturer_id
             from platform.online_course c
             join platform.online_course_revision r on r.id = c.published_revision_id
             where c.id = $1",
            wanted.id
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::conflict("课程尚未审核通过，不能上架"))?;
        lecturer_teaches(tx, published.lecturer_id, "课程").await?;
        may_be_on(tx, &stored(kind, published.content)?).await?;
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.online_course set putaway = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        wanted.id,
        wanted.putaway.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("online_course", wanted.id, "putaway", course.putaway.as_str(), wanted.putaway.as_str()))
}

/// The courses of a lecturer that were on sale; their trail remembers which.
///
/// # Errors
/// Only internal ones.
pub async fn take_off_sale(tx: &mut Tx, lecturer: i64) -> Result<Vec<Change>> {
    let by = tx.by();
    let courses = sqlx::query_scalar!(
        "update platform.online_course set putaway = 'off', updated_at = now(), updated_by = $2, version = version + 1
         where lecturer_id = $1 and putaway = 'on' returning id",
        lecturer,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(courses.into_iter().map(|id| Change::status("online_course", id, "putaway", "on", "off")).collect())
}

/// So many more bought a course; fewer after a whole refund. The caller holds what was ordered.
///
/// # Errors
/// 404 for a course that is gone.
pub async fn bought(tx: &mut Tx, course: i64, more: i64) -> Result<()> {
    let changed =
        sqlx::query!("update platform.online_course set count_buy = count_buy + $2 where id = $1", course, more)
            .execute(&mut **tx)
            .await?;
    if changed.rows_affected() == 0 { Err(Error::not_found()) } else { Ok(()) }
}

/// So many more began to study a course; fewer when what they did goes.
///
/// # Errors
/// Only internal ones.
pub async fn studied(tx: &mut Tx, course: i64, more: i64) -> Result<()> {
    sqlx::query!("update platform.online_course set count_study = count_study + $2 where id = $1", course, more)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// The average of a course's scores, after one came or went. The caller holds the course.
///
/// # Errors
/// Only internal ones.
pub async fn rescore(tx: &mut Tx, course: i64) -> Result<()> {
    sqlx::query!(
        "update platform.online_course c set score_count = s.scores, score_avg = s.average
         from (select count(*) as scores, round(avg(r.score), 1) as average from platform.course_rating r where r.course_id = $1) s
         where c.id = $1",
        course
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What schools took over already stays theirs.
///
/// # Errors
/// 409 when the version that was read is not the course's any more.
pub(crate) async fn share(tx: &mut Tx, wanted: &SharedChange) -> Result<Change> {
    // Schools copy videos: nothing else is shared with them.
    let course = lock(tx, SiteCourseKind::Record, wanted.id).await?;
    course.is_as_read(tx, wanted.version).await?;
    let by = tx.by();
    sqlx::query!(
        "update platform.online_course set school_shared = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        wanted.id,
        wanted.school_shared,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("online_course", wanted.id, "schoolShared", course.school_shared, wanted.school_shared))
}

/// Something that the site sells, which is to be deleted.
#[derive(Debug, Clone, Copy)]
pub struct Sold<'s> {
    /// The word for its kind in orders and rights.
    pub product_type: &'s str,
    pub id: i64,
    pub name: &'s str,
    pub count_buy: i64,
    pub putaway: Putaway,
}

/// Nobody has it, nobody is about to, and the site does not show it. The caller holds it.
///
/// # Errors
/// 409 with the reason.
pub async fn unsold(tx: &mut Tx, sold: Sold<'_>) -> Result<()> {
    let Sold { product_type, id, name, count_buy, putaway } = sold;
    if count_buy > 0 {
        return Err(Error::conflict(format!("已有{count_buy}名学员购买，请下架")));
    }
    // Whoever was given it without buying keeps it as well.
    let rights = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.learner_right where product_type = $1 and product_id = $2"#,
        product_type,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if rights > 0 {
        return Err(Error::conflict(format!("已被{rights}项学员权益引用，不能删除")));
    }
    if putaway == Putaway::On {
        return Err(Error::conflict(format!("“{name}”已上架，请先下架再删除")));
    }
    // Somebody is about to buy it; orders that were paid and refunded keep its name.
    let waits = sqlx::query_scalar!(
        r#"select exists (select from platform.order_info
                          where product_type = $1 and product_id = $2 and order_status in ('pending', 'paid', 'refunding'))
               as "waits!""#,
        product_type,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if waits { Err(Error::conflict(format!("“{name}”有未完成的订单，请稍后再删除"))) } else { Ok(()) }
}

/// A course goes with its chapters, periods and versions. What schools took over stays.
///
/// # Errors
/// As [`unsold`]; 409 for one that something else refers to.
pub(crate) async fn remove(tx: &mut Tx, kind: SiteCourseKind, id: i64) -> Result<Change> {
    let course = lock(tx, kind, id).await?;
    let sold = Sold {
        product_type: kind.as_str(),
        id,
        name: &course.course_name,
        count_buy: course.count_buy,
        putaway: course.putaway,
    };
    unsold(tx, sold).await?;
    let last = sqlx::query_scalar!(
        "select content from platform.online_course_revision where course_id = $1 order by id desc limit 1",
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    sqlx::query!("update platform.online_course set published_revision_id = null where id = $1", id)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from platform.online_course_revision where course_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!(
        "delete from platform.online_period p using platform.online_chapter c where c.id = p.chapter_id and c.course_id = $1",
        id
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.online_chapter where course_id = $1", id).execute(&mut **tx).await?;
    let kept = files::of_records(tx, "online_course", &[id]).await?;
    files::let_go(tx, &kept).await?;
    unreferred(tx, "online_course", id).await?;
    tx.remove("online_course", id, &course.course_name).await?;
    Ok(Change::event("online_course", id, "delete", json!({ "courseName": course.course_name, "content": last })))
}
