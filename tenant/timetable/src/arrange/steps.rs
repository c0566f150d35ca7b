//! 发布 and 取消: what is published is seen by learners and teachers; what is cancelled keeps the lessons that were held.

use std::collections::BTreeMap;

use course_selection::opening;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Saved, Scope, Tx,
    across::Item,
    reply,
    steps::{Chosen, Step, Stepped, inside},
};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use timetable_rules::steps::{Turn, after};

use super::{ArrangeFilter, Arranges, CancelArrange, CourseArrange, PublishArranges, form::locked, of_row};
use crate::{
    enums::{ArrangeStatus, OccupationSource},
    hold,
    occupation::release,
};

/// An arrangement as it was read.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct ArrangeItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for ArrangeItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

impl Item for ArrangeItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// Arrangements that are published.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ArrangesPublish {
    #[oai(flatten)]
    pub rows: Chosen<ArrangeItem, ArrangeFilter>,
}

impl Example for ArrangesPublish {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![ArrangeItem::example()]) }
    }
}

/// An arrangement that is cancelled, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ArrangeCancel {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for ArrangeCancel {
    fn example() -> Self {
        Self { id: 1, version: 1, reason: "教师调整".to_owned() }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/courseArrange", tag = "crate::Tag::Timetable")]
impl Steps {
    /// 发布排课
    /// 发布后学生和教师可以看到
    #[oai(path = "/publish", method = "put", operation_id = "publishArranges")]
    async fn publish(
        &self,
        caller: Allowed<PublishArranges>,
        Body(wanted): Body<ArrangesPublish>,
    ) -> Result<Reply<Stepped>> {
        Ok(reply(inside(&caller, wanted.rows, PublishAll {}).await?))
    }

    /// 取消排课
    /// 未上的课次同时取消，已上的保留
    #[oai(path = "/cancel", method = "put", operation_id = "cancelArrange")]
    async fn cancel(&self, caller: Allowed<CancelArrange>, Body(wanted): Body<ArrangeCancel>) -> Result<Reply<Saved>> {
        let ArrangeCancel { id, version, reason } = wanted;
        let mut tx = caller.begin().await?;
        let before = locked(&mut tx, id, &[], &caller.scope()).await?;
        let to =
            after(&before.course_name, before.status, Turn::Cancel).map_err(|why| Error::conflict(why.to_string()))?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update course_arrange set status = $3, cancel_reason = $4, updated_at = now(), updated_by = $5, version = version + 1
             where id = $1 and version = $2",
            id,
            version,
            to.as_str(),
            reason,
            by
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("course_arrange", id).await);
        }
        let people = people_of(&mut tx, &[id]).await?;
        let ahead = cancel_ahead(&mut tx, id, &reason).await?;
        if before.status == ArrangeStatus::Published && !ahead.is_empty() {
            tell_changed(&mut tx, people, &before.course_name, format!("以后的课取消（{reason}）")).await?;
        }
        tx.record(&ahead).await?;
        let change = Change::status("course_arrange", id, "status", before.status.as_str(), to.as_str());
        tx.commit(change.because(Some(&reason))).await?;
        Ok(reply(Saved { id }))
    }
}

/// Cancels the sessions of an arrangement that have not begun, and sets free what they kept busy.
///
/// # Errors
/// Those of the database.
pub(crate) async fn cancel_ahead(tx: &mut Tx, arrange: i64, reason: &str) -> Result<Vec<Change>> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    // Attendance is of what was held; one that was registered before its time keeps its session too.
    let ids = sqlx::query_scalar!(
        "update course_arrange_session s
         set status = 'cancelled', reason = $3, updated_at = now(), updated_by = $4, version = version + 1
         where s.arrange_id = $1 and s.status = 'scheduled' and s.starts_at > $2
           and not exists (select from instruction_attendance x where x.session_id = s.id)
         returning s.id",
        arrange,
        now as _,
        reason,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    release(tx, OccupationSource::Session, &ids).await?;
    let change = |id: i64| {
        Change::status("course_arrange_session", id, "status", "scheduled", "cancelled").because(Some(reason))
    };
    Ok(ids.into_iter().map(change).collect())
}

/// Who is told of arrangements: who sits in their classes, who teaches them from now on, and who helps.
///
/// # Errors
/// Those of the database.
pub(crate) async fn people_of(tx: &mut Tx, arranges: &[i64]) -> Result<Vec<Person>> {
    let now = tx.app().clock().now();
    let students = sqlx::query_scalar!(
        "select distinct s.student_id from course_arrange_class c
         join course_selection s on s.opening_id = c.opening_id and s.class_id = c.class_id
         where c.arrange_id = any($1) and s.status in ('pending', 'selected') order by s.student_id",
        arranges
    )
    .fetch_all(&mut **tx)
    .await?;
    let teachers = sqlx::query_scalar!(
        r#"select a.teacher_id as "id!" from course_arrange a where a.id = any($1)
           union select y.teacher_id from course_arrange_assistant y where y.arrange_id = any($1)
           union select s.teacher_id from course_arrange_session s
                 where s.arrange_id = any($1) and s.status = 'scheduled' and s.starts_at > $2
           order by 1"#,
        arranges,
        now as _
    )
    .fetch_all(&mut **tx)
    .await?;
    let students = students.into_iter().map(|id| Person { kind: PersonKind::Student, id });
    Ok(students.chain(teachers.into_iter().map(teacher)).collect())
}

pub(crate) fn teacher(id: i64) -> Person {
    Person { kind: PersonKind::Teacher, id }
}

/// Tells people of a change: `3月7日第1-4节改为3月8日第1-4节`.
///
/// # Errors
/// Those of the database.
pub(crate) async fn tell_changed(tx: &mut Tx, people: Vec<Person>, course: &str, lines: String) -> Result<()> {
    if people.is_empty() {
        return Ok(());
    }
    let values = [("course".to_owned(), course.to_owned()), ("lines".to_owned(), lines)].into();
    notify(tx, "timetable_changed", Persons::Recipients(people), values, None).await
}

/// Publishes one arrangement; the timetable and its openings are held.
async fn publish(tx: &mut Tx, item: ArrangeItem, scope: &Scope) -> Result<(Change, String)> {
    let before = locked(tx, item.id, &[], scope).await?;
    let to =
        after(&before.course_name, before.status, Turn::Publish).map_err(|why| Error::conflict(why.to_string()))?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    let changed = sqlx::query!(
        "update course_arrange set status = $3, published_at = $4, updated_at = now(), updated_by = $5, version = version + 1
         where id = $1 and version = $2",
        item.id,
        item.version,
        to.as_str(),
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("course_arrange", item.id).await);
    }
    let change = Change::status("course_arrange", item.id, "status", before.status.as_str(), to.as_str());
    Ok((change, before.semester_name))
}

/// 发布排课
#[derive(Debug, Object)]
pub(super) struct PublishAll {}

impl Step for PublishAll {
    const KIND: &'static str = "course_arrange.publish";
    const TITLE: &'static str = "发布排课";
    type Permission = PublishArranges;
    type Item = ArrangeItem;
    type List = Arranges;

    fn item(row: &CourseArrange) -> ArrangeItem {
        ArrangeItem { id: row.id, version: row.version }
    }

    async fn run(&self, mut tx: Tx, mut items: Vec<ArrangeItem>, scope: &Scope) -> Result<BulkResult> {
        items.sort_by_key(|item| item.id);
        let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
        hold(&mut tx).await?;
        let openings = sqlx::query_scalar!(
            "select distinct opening_id from course_arrange_class where arrange_id = any($1)",
            &ids
        )
        .fetch_all(&mut *tx)
        .await?;
        opening::hold(&mut tx, &openings).await?;
        let table = "(select a.id, u.name from course_arrange a join course u on u.id = a.course_id) arrange";
        let mut bulk = Bulk::named(tx, table, "name");
        let mut published: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for item in items {
            let outcome = publish(bulk.row().await?, item, scope).await.map(|(change, semester)| {
                published.entry(semester).or_default().push(item.id);
                change
            });
            bulk.ended(item.id, outcome.map_err(of_row)).await?;
        }
        for (semester, arranges) in published {
            let tx = bulk.row().await?;
            let people = people_of(tx, &arranges).await?;
            let values = [("semester".to_owned(), semester)].into();
            notify(tx, "timetable_published", Persons::Recipients(people), values, None).await?;
            tx.row_done().await?;
        }
        bulk.commit().await
    }
}
