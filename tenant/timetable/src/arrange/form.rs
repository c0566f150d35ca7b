//! What is typed of an arrangement, and how it is written: with its sessions, and with whom and what they keep busy.

use std::collections::HashMap;

use chrono::NaiveDate;
use course_selection::opening;
use infra::{Change, Edit, Error, Result, Scope, Tx, across::Keyed, clock::Moment};
use poem_openapi::Object;
use sqlx::PgConnection;
use timetable_rules::{
    form::ArrangeForm,
    judge::{Asking, Judged, Meeting, judge},
    occupation::{Conflict, of_meeting, refuse},
};

use super::{Arranges, CourseArrange, facts::Named};
use crate::{
    NOT_ALL_CLASSES,
    enums::{ArrangeStatus, OccupationSource},
    hold,
    occupation::{conflicts, put},
};

/// A day of the weeks or dates without a lesson.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct SkippedDate {
    /// 日期
    pub date: NaiveDate,
    /// 原因
    pub reason: String,
}

/// How an arrangement was written.
#[derive(Debug, Clone, Object)]
pub struct ArrangeSaved {
    /// 编号
    pub id: i64,
    /// 课次数
    pub sessions: i64,
    /// 未排的日期
    pub skipped: Vec<SkippedDate>,
    /// 提醒
    pub warnings: Vec<String>,
}

/// What an arrangement would come to.
#[derive(Debug, Clone, Object)]
pub struct ArrangeCheck {
    /// 课次数
    pub sessions: i64,
    /// 未排的日期
    pub skipped: Vec<SkippedDate>,
    /// 冲突
    pub conflicts: Vec<Conflict>,
    /// 提醒
    pub warnings: Vec<String>,
}

/// The days that are left out, in words.
pub(super) fn skipped(judged: &Judged) -> Vec<SkippedDate> {
    judged.skipped.iter().map(|(date, why)| SkippedDate { date: *date, reason: why.to_string() }).collect()
}

fn count(meetings: &[Meeting]) -> i64 {
    i64::try_from(meetings.len()).unwrap_or(i64::MAX)
}

/// What saving would say; nothing is written. `but` is the arrangement that is edited.
///
/// # Errors
/// As [`insert`], but for clashes, which are the answer.
pub(super) async fn check(
    connection: &mut PgConnection,
    form: &ArrangeForm,
    but: Option<i64>,
    asking: Asking<'_>,
) -> Result<ArrangeCheck> {
    let facts = Named::in_forms(std::iter::once(form)).load(connection).await?;
    let judged = judge(form, &facts, asking)?;
    let own = match but {
        Some(id) => sessions_of(connection, id).await?,
        None => Vec::new(),
    };
    let conflicts = conflicts(connection, &form.occupations(&judged.meetings), &own).await?;
    let warnings = warnings(connection, form, &judged.meetings, but).await?;
    Ok(ArrangeCheck { sessions: count(&judged.meetings), skipped: skipped(&judged), conflicts, warnings })
}

async fn sessions_of(connection: &mut PgConnection, arrange: i64) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!("select id from course_arrange_session where arrange_id = $1", arrange)
        .fetch_all(connection)
        .await?)
}

/// Makes a draft.
///
/// # Errors
/// 409 with all clashes, or in a closed semester; 422 for what cannot be chosen.
pub(super) async fn insert(tx: &mut Tx, form: &ArrangeForm, asking: Asking<'_>) -> Result<(ArrangeSaved, Change)> {
    hold(tx).await?;
    opening::hold(tx, &form.openings()).await?;
    let facts = Named::in_forms(std::iter::once(form)).load(tx).await?;
    let judged = judge(form, &facts, asking)?;
    let found = conflicts(tx, &form.occupations(&judged.meetings), &[]).await?;
    if !found.is_empty() {
        return Err(refuse(&found));
    }
    let id = write(tx, form, &judged).await?;
    meet(tx, &[(id, form, &judged.meetings)]).await?;
    let saved = ArrangeSaved {
        id,
        sessions: count(&judged.meetings),
        skipped: skipped(&judged),
        warnings: warnings(tx, form, &judged.meetings, Some(id)).await?,
    };
    Ok((saved, Change::created("course_arrange", id, form)))
}

/// The row of an arrangement with its classes and assistants.
pub(crate) async fn write(tx: &mut Tx, form: &ArrangeForm, judged: &Judged) -> Result<i64> {
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into course_arrange (semester_id, course_id, teacher_id, site_id, classroom_id, kind, mode, weekday, weeks, dates,
             period_from, period_to, allow_over_capacity, remark, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15) returning id",
        form.semester_id,
        form.course_id,
        form.teacher_id,
        form.site_id,
        form.classroom_id,
        form.kind.as_str(),
        form.mode.as_str(),
        form.weekday,
        &judged.weeks,
        &form.dates,
        form.period_from,
        form.period_to,
        form.allow_over_capacity,
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    beside(tx, id, form).await?;
    Ok(id)
}

/// Classes and assistants of an arrangement that has none.
async fn beside(tx: &mut Tx, id: i64, form: &ArrangeForm) -> Result<()> {
    let openings: Vec<i64> = form.classes.iter().map(|item| item.opening_id).collect();
    let classes = form.class_ids();
    sqlx::query!(
        "insert into course_arrange_class (arrange_id, class_id, opening_id, semester_id, course_id)
         select $1::bigint, w.class, w.opening, $4::bigint, $5::bigint
         from unnest($2::bigint[], $3::bigint[]) as w (class, opening)",
        id,
        &classes,
        &openings,
        form.semester_id,
        form.course_id
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into course_arrange_assistant (arrange_id, teacher_id)
         select $1::bigint, w.teacher from (select distinct unnest($2::bigint[]) as teacher) w",
        id,
        &form.assistant_teacher_ids
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The sessions of arrangements that have none, and what they keep busy; whoever calls knows that nothing clashes.
pub(crate) async fn meet(tx: &mut Tx, arranged: &[(i64, &ArrangeForm, &Vec<Meeting>)]) -> Result<()> {
    let lines: Vec<(i64, &ArrangeForm, &Meeting)> =
        arranged.iter().flat_map(|(id, form, meetings)| meetings.iter().map(|meeting| (*id, *form, meeting))).collect();
    let arranges: Vec<i64> = lines.iter().map(|(id, ..)| *id).collect();
    let days: Vec<NaiveDate> = lines.iter().map(|(_, _, meeting)| meeting.held_on).collect();
    let from: Vec<i32> = lines.iter().map(|(_, form, _)| form.period_from).collect();
    let to: Vec<i32> = lines.iter().map(|(_, form, _)| form.period_to).collect();
    let starts: Vec<Moment> = lines.iter().map(|(_, _, meeting)| meeting.starts_at).collect();
    let ends: Vec<Moment> = lines.iter().map(|(_, _, meeting)| meeting.ends_at).collect();
    let teachers: Vec<i64> = lines.iter().map(|(_, form, _)| form.teacher_id).collect();
    let rooms: Vec<Option<i64>> = lines.iter().map(|(_, form, _)| form.classroom_id).collect();
    let by = tx.by();
    let made = sqlx::query!(
        "insert into course_arrange_session (arrange_id, held_on, period_from, period_to, starts_at, ends_at, teacher_id,
             classroom_id, created_by, updated_by)
         select w.arrange, w.held_on, w.period_from, w.period_to, w.starts_at, w.ends_at, w.teacher, w.room, $9::bigint, $9::bigint
         from unnest($1::bigint[], $2::date[], $3::integer[], $4::integer[], $5::timestamptz[], $6::timestamptz[],
                     $7::bigint[], $8::bigint[])
              as w (arrange, held_on, period_from, period_to, starts_at, ends_at, teacher, room)
         returning id, arrange_id, held_on",
        &arranges,
        &days,
        &from,
        &to,
        &starts as &[Moment],
        &ends as &[Moment],
        &teachers,
        &rooms as &[Option<i64>],
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let ids: HashMap<(i64, NaiveDate), i64> =
        made.into_iter().map(|row| ((row.arrange_id, row.held_on), row.id)).collect();
    let mut taken = Vec::with_capacity(lines.len() * 3);
    for (id, form, meeting) in lines {
        let Some(session) = ids.get(&(id, meeting.held_on)) else { continue };
        let (teachers, classes) = (form.teachers(), form.class_ids());
        let whom = (teachers.as_slice(), form.classroom_id, classes.as_slice());
        taken.extend(of_meeting(whom, (meeting.starts_at, meeting.ends_at), *session));
    }
    put(tx, OccupationSource::Session, &taken).await
}

/// The arrangement with the openings of its classes, kept from others until the transaction ends.
///
/// # Errors
/// 404 outside the scope, 403 when it has classes beyond it, 409 when its semester is closed.
pub(super) async fn locked(tx: &mut Tx, id: i64, more: &[i64], scope: &Scope) -> Result<CourseArrange> {
    hold(tx).await?;
    let mut openings = sqlx::query_scalar!("select opening_id from course_arrange_class where arrange_id = $1", id)
        .fetch_all(&mut **tx)
        .await?;
    openings.extend(more);
    openings.sort_unstable();
    openings.dedup();
    let held = opening::hold(tx, &openings).await?;
    tx.lock("course_arrange", id).await?;
    let before = Arranges::find(tx, id, scope).await?;
    of_all_classes(tx, id, scope).await?;
    for opening in held.values() {
        opening.in_open_semester()?;
    }
    Ok(before)
}

/// # Errors
/// 403 when a class of it lies beyond the scope.
pub(crate) async fn of_all_classes(tx: &mut Tx, id: i64, scope: &Scope) -> Result<()> {
    let beyond = sqlx::query_scalar!(
        r#"select exists (
               select from course_arrange_class c join class k on k.id = c.class_id
               where c.arrange_id = $1 and $2::bigint[] is not null
                 and not (k.site_id = any($2) or k.id = any($3::bigint[]))) as "beyond!""#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    if beyond { Err(Error::new(403, NOT_ALL_CLASSES)) } else { Ok(()) }
}

/// Writes a draft anew, with all its sessions.
///
/// # Errors
/// 404 outside the scope; 409 with all clashes, for what is no draft any more, or changed meanwhile; 422 for what cannot be chosen.
pub(super) async fn update(
    tx: &mut Tx,
    edit: &Edit<ArrangeForm>,
    asking: Asking<'_>,
) -> Result<(ArrangeSaved, Change)> {
    let (id, form) = (edit.id, &edit.form);
    let before = locked(tx, id, &form.openings(), asking.scope).await?;
    if before.status != ArrangeStatus::Draft {
        let told = format!("“{}”{}，不能编辑；已发布的请调课或取消", before.course_name, before.status.zh());
        return Err(Error::conflict(told));
    }
    if before.version != edit.version {
        return Err(tx.stale("course_arrange", id).await);
    }
    let facts = Named::in_forms(std::iter::once(form)).load(tx).await?;
    let judged = judge(form, &facts, asking)?;
    clear(tx, id).await?;
    let found = conflicts(tx, &form.occupations(&judged.meetings), &[]).await?;
    if !found.is_empty() {
        return Err(refuse(&found));
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update course_arrange
         set semester_id = $3, course_id = $4, teacher_id = $5, site_id = $6, classroom_id = $7, kind = $8, mode = $9, weekday = $10,
             weeks = $11, dates = $12, period_from = $13, period_to = $14, allow_over_capacity = $15, remark = $16,
             updated_at = now(), updated_by = $17, version = version + 1
         where id = $1 and version = $2",
        id,
        edit.version,
        form.semester_id,
        form.course_id,
        form.teacher_id,
        form.site_id,
        form.classroom_id,
        form.kind.as_str(),
        form.mode.as_str(),
        form.weekday,
        &judged.weeks,
        &form.dates,
        form.period_from,
        form.period_to,
        form.allow_over_capacity,
        form.remark,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("course_arrange", id).await);
    }
    beside(tx, id, form).await?;
    meet(tx, &[(id, form, &judged.meetings)]).await?;
    let saved = ArrangeSaved {
        id,
        sessions: count(&judged.meetings),
        skipped: skipped(&judged),
        warnings: warnings(tx, form, &judged.meetings, Some(id)).await?,
    };
    Ok((saved, Change::edited("course_arrange", id, &before.form(), form)))
}

/// Takes away what hangs on a draft.
async fn clear(tx: &mut Tx, id: i64) -> Result<()> {
    let sessions = sessions_of(tx, id).await?;
    crate::occupation::release(tx, OccupationSource::Session, &sessions).await?;
    sqlx::query!("delete from course_arrange_session where arrange_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from course_arrange_assistant where arrange_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from course_arrange_class where arrange_id = $1", id).execute(&mut **tx).await?;
    Ok(())
}

/// Deletes a draft with all that hangs on it.
///
/// # Errors
/// 404 outside the scope, 403 when it has classes beyond it, 409 for what is no draft any more.
pub(super) async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let before = locked(tx, id, &[], scope).await?;
    if before.status != ArrangeStatus::Draft {
        let told = format!("“{}”{}，只有草稿可以删除", before.course_name, before.status.zh());
        return Err(Error::conflict(told));
    }
    clear(tx, id).await?;
    tx.remove("course_arrange", id, &before.course_name).await?;
    Ok(Change::deleted("course_arrange", id, &before.form()))
}

/// What is worth a second look: more lessons than the course has hours, and students of other classes who are elsewhere then.
/// `own` is the arrangement itself, when it is written already.
pub(super) async fn warnings(
    connection: &mut PgConnection,
    form: &ArrangeForm,
    meetings: &[Meeting],
    own: Option<i64>,
) -> Result<Vec<String>> {
    let mut told = hours(connection, form, meetings, own).await?;
    let starts: Vec<Moment> = meetings.iter().map(|meeting| meeting.starts_at).collect();
    let ends: Vec<Moment> = meetings.iter().map(|meeting| meeting.ends_at).collect();
    let days: Vec<NaiveDate> = meetings.iter().map(|meeting| meeting.held_on).collect();
    let openings: Vec<i64> = form.classes.iter().map(|item| item.opening_id).collect();
    let classes = form.class_ids();
    // Whoever sits in these classes sits in others for another course; that whole classes meet once is settled already.
    let overlaps = sqlx::query!(
        r#"select s.name, u.name as course_name, min(x.held_on) as "held_on!"
           from unnest($1::bigint[], $2::bigint[]) as w (class, opening)
           join course_selection c on c.opening_id = w.opening and c.class_id = w.class and c.status in ('pending', 'selected')
           join student s on s.id = c.student_id
           join course_selection d on d.student_id = c.student_id and d.id <> c.id and d.status in ('pending', 'selected')
                and d.semester_id = c.semester_id
           join course_arrange_class k on k.opening_id = d.opening_id and k.class_id = d.class_id
           join course_arrange_session x on x.arrange_id = k.arrange_id and x.status = 'scheduled'
           join course_arrange a on a.id = x.arrange_id
           join course u on u.id = a.course_id
           join unnest($3::timestamptz[], $4::timestamptz[], $6::date[]) as m (starts_at, ends_at, held_on)
                on x.held_on = m.held_on and x.starts_at < m.ends_at and x.ends_at > m.starts_at
           where x.arrange_id is distinct from $5 and not k.class_id = any($1)
           group by s.id, s.name, u.id, u.name
           order by s.name, s.id limit 20"#,
        &classes,
        &openings,
        &starts as &[Moment],
        &ends as &[Moment],
        own,
        &days
    )
    .fetch_all(connection)
    .await?;
    told.extend(
        overlaps.into_iter().map(|row| format!("学生“{}”{}另有《{}》", row.name, row.held_on, row.course_name)),
    );
    Ok(told)
}

/// Which classes have more periods than the course has hours face to face.
async fn hours(
    connection: &mut PgConnection,
    form: &ArrangeForm,
    meetings: &[Meeting],
    own: Option<i64>,
) -> Result<Vec<String>> {
    if !form.kind.fulfils_hours() {
        return Ok(Vec::new());
    }
    let openings: Vec<i64> = form.classes.iter().map(|item| item.opening_id).collect();
    let classes = form.class_ids();
    let rows = sqlx::query!(
        r#"select k.name, o.lecture_hours + o.practice_hours as "required!",
                  coalesce((select sum(x.period_to - x.period_from + 1)
                            from course_arrange_class c
                            join course_arrange a on a.id = c.arrange_id and a.kind in ('lecture', 'lab', 'live')
                            join course_arrange_session x on x.arrange_id = a.id and x.status = 'scheduled'
                            where c.opening_id = w.opening and c.class_id = w.class and a.id is distinct from $3), 0) as "others!"
           from unnest($1::bigint[], $2::bigint[]) as w (class, opening)
           join class k on k.id = w.class
           join course_opening o on o.id = w.opening
           order by k.name"#,
        &classes,
        &openings,
        own
    )
    .fetch_all(connection)
    .await?;
    let these = count(meetings) * i64::from(form.period_to - form.period_from + 1);
    let over = rows.into_iter().filter_map(|row| {
        let (all, required) = (row.others + these, i64::from(row.required));
        (all > required).then(|| format!("班级“{}”已排{all}学时，超过应排的{required}学时", row.name))
    });
    Ok(over.collect())
}
