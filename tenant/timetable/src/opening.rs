//! What becomes of the timetable when an opening ends or its lecturer changes (part 03 B2, B3). Called by the openings' module in
//! its own transaction; whoever changes a lecturer holds the timetable ([`crate::hold`]) before the openings.

use infra::{Change, Result, Scope, Tx, clock::Moment};
use serde_json::json;
use sqlx::PgConnection;
use timetable_rules::occupation::{Occupation, refuse};

use crate::{
    arrange::{cancel_ahead, form::of_all_classes, people_of, teacher, tell_changed},
    enums::{OccupationSource, ResourceKind},
    occupation::{conflicts, put},
};

/// How many lessons of an opening still lie ahead.
///
/// # Errors
/// Those of the database.
pub async fn lessons_ahead(connection: &mut PgConnection, opening: i64, now: Moment) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "ahead!" from course_arrange_session s
           where s.status = 'scheduled' and s.starts_at > $2
             and s.arrange_id in (select arrange_id from course_arrange_class where opening_id = $1)"#,
        opening,
        now as _
    )
    .fetch_one(connection)
    .await?)
}

/// An arrangement with classes of an opening.
struct Affected {
    id: i64,
    course_name: String,
    published: bool,
    /// Classes of other openings take part too.
    shared: bool,
}

/// Cancels the lessons ahead of an opening that is cancelled. Where classes of other openings take part too, theirs leave
/// and the lessons stay.
///
/// # Errors
/// Those of the database.
pub async fn cancel_of_opening(tx: &mut Tx, opening: i64, reason: &str) -> Result<Vec<Change>> {
    let affected = sqlx::query_as!(
        Affected,
        r#"select a.id, u.name as course_name, a.status = 'published' as "published!",
                  exists (select from course_arrange_class o where o.arrange_id = a.id and o.opening_id <> $1) as "shared!"
           from course_arrange a join course u on u.id = a.course_id
           where a.status <> 'cancelled' and a.id in (select arrange_id from course_arrange_class where opening_id = $1)
           order by a.id for update of a"#,
        opening
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut changes = Vec::new();
    for arrange in affected {
        if arrange.shared {
            // Who leaves hears of it as of every course that they are taken off.
            changes.push(leave(tx, arrange.id, opening).await?);
            continue;
        }
        let people = if arrange.published { people_of(tx, &[arrange.id]).await? } else { Vec::new() };
        let by = tx.by();
        sqlx::query!(
            "update course_arrange set status = 'cancelled', cancel_reason = $2, updated_at = now(), updated_by = $3,
                    version = version + 1
             where id = $1",
            arrange.id,
            reason,
            by
        )
        .execute(&mut **tx)
        .await?;
        let from = if arrange.published { "published" } else { "draft" };
        changes.push(Change::status("course_arrange", arrange.id, "status", from, "cancelled").because(Some(reason)));
        let ahead = cancel_ahead(tx, arrange.id, reason).await?;
        if !ahead.is_empty() {
            tell_changed(tx, people, &arrange.course_name, format!("以后的课取消（{reason}）")).await?;
        }
        changes.extend(ahead);
    }
    Ok(changes)
}

/// Takes the classes of an opening out of an arrangement that goes on for others.
async fn leave(tx: &mut Tx, arrange: i64, opening: i64) -> Result<Change> {
    let classes = sqlx::query_scalar!(
        "delete from course_arrange_class where arrange_id = $1 and opening_id = $2 returning class_id",
        arrange,
        opening
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from resource_occupation
         where kind = 'class' and resource_id = any($2) and source_type = 'session'
           and source_id in (select id from course_arrange_session where arrange_id = $1)",
        arrange,
        &classes
    )
    .execute(&mut **tx)
    .await?;
    let by = tx.by();
    sqlx::query!(
        "update course_arrange set updated_at = now(), updated_by = $2, version = version + 1 where id = $1",
        arrange,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::event("course_arrange", arrange, "leave", json!({ "openingId": opening, "classIds": classes })))
}

/// Who taught a class, or all of an opening for which nobody else is named, and who is to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LecturerChange {
    pub opening_id: i64,
    pub class_id: Option<i64>,
    pub from: i64,
    pub to: i64,
}

/// Arrangements whose lessons ahead go over: of what a lecturer taught of the opening those all of whose classes the new one
/// lectures or tutors by now. Lessons that they share with classes of somebody else stay until these have the same teacher.
async fn going_over(tx: &mut Tx, change: LecturerChange, now: Moment) -> Result<Vec<i64>> {
    let ids = sqlx::query_scalar!(
        "select a.id from course_arrange a
         where a.status <> 'cancelled' and $3::bigint <> $4::bigint
           and exists (select from course_arrange_session s
                       where s.arrange_id = a.id and s.status = 'scheduled' and s.starts_at > $5 and s.teacher_id = $3)
           and exists (
               select from course_arrange_class c
               where c.arrange_id = a.id and c.opening_id = $1
                 and (c.class_id = $2
                      or $2::bigint is null and not exists (
                          select from course_allocation y
                          where y.opening_id = $1 and y.role = 'lecturer' and y.class_id = c.class_id)))
           and not exists (
               select from course_arrange_class c
               where c.arrange_id = a.id
                 and not exists (
                     select from course_allocation y
                     where y.opening_id = c.opening_id and y.teacher_id = $4 and y.role in ('lecturer', 'tutor')
                       and (y.class_id = c.class_id
                            or y.class_id is null and not exists (
                                select from course_allocation o
                                where o.opening_id = y.opening_id and o.role = y.role and o.class_id = c.class_id))))
         order by a.id",
        change.opening_id,
        change.class_id,
        change.from,
        change.to,
        now as _
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query_scalar!("select id from course_arrange where id = any($1) order by id for update", &ids)
        .fetch_all(&mut **tx)
        .await?;
    Ok(ids)
}

/// Gives the lessons ahead of a lecturer to another one. The allocations say already who teaches from now on.
///
/// # Errors
/// 403 when other classes of these lessons lie beyond the scope; 409 with all that the new one has at these times. Nothing is
/// changed then.
pub async fn give_to(tx: &mut Tx, change: LecturerChange, scope: &Scope) -> Result<Vec<Change>> {
    let now = tx.app().clock().now();
    let arranges = going_over(tx, change, now).await?;
    for arrange in &arranges {
        of_all_classes(tx, *arrange, scope).await?;
    }
    let rows = sqlx::query!(
        "select id, arrange_id, starts_at, ends_at from course_arrange_session
         where arrange_id = any($1) and status = 'scheduled' and starts_at > $2 and teacher_id = $3
         order by id for update",
        &arranges,
        now as _,
        change.from
    )
    .fetch_all(&mut **tx)
    .await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    // Who helped and lectures now does not help besides; who lectured and helps goes on helping.
    sqlx::query!(
        "delete from course_arrange_assistant where arrange_id = any($1) and teacher_id = $2",
        &arranges,
        change.to
    )
    .execute(&mut **tx)
    .await?;
    let helping = sqlx::query_scalar!(
        "select arrange_id from course_arrange_assistant where arrange_id = any($1) and teacher_id = $2",
        &arranges,
        change.from
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut taken = Vec::with_capacity(rows.len());
    for row in rows {
        let stays = helping.contains(&row.arrange_id).then_some(change.from);
        taken.extend(std::iter::once(change.to).chain(stays).map(|resource_id| Occupation {
            kind: ResourceKind::Teacher,
            resource_id,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            source_id: Some(row.id),
            note: None,
        }));
    }
    let found = conflicts(tx, &taken, &ids).await?;
    if !found.is_empty() {
        return Err(refuse(&found));
    }
    let by = tx.by();
    sqlx::query!(
        "delete from resource_occupation
         where kind = 'teacher' and resource_id = any($2) and source_type = 'session' and source_id = any($1)",
        &ids,
        &[change.from, change.to][..]
    )
    .execute(&mut **tx)
    .await?;
    put(tx, OccupationSource::Session, &taken).await?;
    sqlx::query!(
        "update course_arrange_session set teacher_id = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = any($1)",
        &ids,
        change.to,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update course_arrange set teacher_id = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = any($1) and teacher_id = $4",
        &arranges,
        change.to,
        by,
        change.from
    )
    .execute(&mut **tx)
    .await?;
    tell_of(tx, &arranges, change).await?;
    let told = |id: i64| Change::status("course_arrange_session", id, "teacherId", change.from, change.to);
    Ok(ids.into_iter().map(told).collect())
}

/// Tells everybody of what is published that somebody else teaches from now on.
async fn tell_of(tx: &mut Tx, arranges: &[i64], change: LecturerChange) -> Result<()> {
    let rows = sqlx::query!(
        "select a.id, u.name as course_name, t.name as teacher_name
         from course_arrange a join course u on u.id = a.course_id join teacher t on t.id = $2
         where a.id = any($1) and a.status = 'published' order by a.id",
        arranges,
        change.to
    )
    .fetch_all(&mut **tx)
    .await?;
    for row in rows {
        let mut people = people_of(tx, &[row.id]).await?;
        people.push(teacher(change.from));
        tell_changed(tx, people, &row.course_name, format!("以后的课改由{}上", row.teacher_name)).await?;
    }
    Ok(())
}
