//! Scores that are changed: held with their selections in the order of the ids, judged, counted anew and written.

use std::collections::BTreeMap;

use course_selection::enums::SelectionStatus;
use infra::{Error, Result, Scope, Tx};
use instruction_rules::held::Held;
use sqlx::PgConnection;
use student_status::student::check::NOT_YOURS;

use crate::{
    enums::InstructionScoreStatus,
    rule::{Attended, INSTRUCTION_WEIGHTS, Scored, Weights, scored},
};

/// The selections with their scores, held; those that are not there or lie outside the scope are missing.
///
/// # Errors
/// Those of the database; 409 when somebody else holds one for too long.
pub(crate) async fn hold(tx: &mut Tx, ids: &[i64], scope: &Scope) -> Result<BTreeMap<i64, Held>> {
    sqlx::query_scalar!(
        "select id from semester where id in (select semester_id from course_selection where id = any($1)) order by id for share",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query_scalar!("select id from course_selection where id = any($1) order by id for no key update", ids)
        .fetch_all(&mut **tx)
        .await?;
    // Read after they are held, so that what others did until then is seen.
    let rows = sqlx::query!(
        r#"select c.id as "id!", s.name as "name!", c.opening_id as "opening_id!", c.class_id, u.name as "course_name!",
                  c.status as "selection_status!: SelectionStatus",
                  exists (select from course_score v where v.selection_id = c.id and v.status = 'locked') as "score_locked!",
                  o.teaching_mode in ('offline', 'blended') as "face_to_face!", e.name as "semester_name!",
                  e.closed_at is not null as "semester_closed!", x.id as "score_id?",
                  coalesce(x.status, 'draft') as "status!: InstructionScoreStatus", coalesce(x.version, 0) as "version!",
                  (x.performance_score * 10)::bigint as "performance?",
                  case when x.attendance_typed then (x.attendance_score * 10)::bigint end as "typed?",
                  a.present as "present!", a.late as "late!", a.leave as "leave!", a.absent as "absent!",
                  (select count(*) from course_arrange_class k
                   join course_arrange_session q on q.arrange_id = k.arrange_id and q.status = 'scheduled'
                   where k.opening_id = c.opening_id and k.class_id = c.class_id) as "sessions!"
           from course_selection c
           join student s on s.id = c.student_id
           join course_opening o on o.id = c.opening_id
           join course u on u.id = c.course_id
           join semester e on e.id = c.semester_id
           left join instruction_score x on x.selection_id = c.id
           cross join lateral (
               select count(*) filter (where y.result = 'present') as present,
                      count(*) filter (where y.result = 'late') as late,
                      count(*) filter (where y.result = 'leave') as leave,
                      count(*) filter (where y.result = 'absent') as absent
               from instruction_attendance y where y.selection_id = c.id) a
           where c.id = any($1) and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))"#,
        ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let held = rows.into_iter().map(|row| {
        let held = Held {
            selection_id: row.id,
            student_name: row.name,
            opening_id: row.opening_id,
            class_id: row.class_id,
            course_name: row.course_name,
            selection_status: row.selection_status,
            score_locked: row.score_locked,
            face_to_face: row.face_to_face,
            semester_name: row.semester_name,
            semester_closed: row.semester_closed,
            score_id: row.score_id,
            status: row.status,
            version: row.version,
            performance: row.performance,
            typed: row.typed,
            attended: Attended { present: row.present, late: row.late, leave: row.leave, absent: row.absent },
            sessions: row.sessions,
        };
        (row.id, held)
    });
    Ok(held.collect())
}

/// One of them.
///
/// # Errors
/// 404 when it is missing.
pub(crate) fn one(held: &BTreeMap<i64, Held>, id: i64) -> Result<&Held> {
    held.get(&id).ok_or_else(|| Error::new(404, NOT_YOURS))
}

/// The weights of the school of the connection.
///
/// # Errors
/// Those of the database.
pub(super) async fn weights_of(connection: &mut PgConnection) -> Result<Weights> {
    let value = INSTRUCTION_WEIGHTS.value(connection).await?;
    let of = |key: &str| value[key].as_i64().unwrap_or_default();
    Ok(Weights { attendance: of("attendance"), performance: of("performance") })
}

/// Counts these scores anew and writes them; answers the number and the version of each by its selection. Whoever calls holds
/// the selections and has judged what may change.
///
/// # Errors
/// Those of the database.
pub(crate) async fn write(tx: &mut Tx, scores: &[Held]) -> Result<BTreeMap<i64, (i64, i32)>> {
    let weights = weights_of(tx).await?;
    let counted: Vec<Scored> =
        scores.iter().map(|held| scored(held.attended, held.typed, held.performance, weights)).collect();
    let selections: Vec<i64> = scores.iter().map(|held| held.selection_id).collect();
    let required: Vec<i64> = scores.iter().map(|held| held.attended.required()).collect();
    let attended: Vec<i64> = scores.iter().map(|held| held.attended.attended()).collect();
    let rates: Vec<Option<i64>> = scores.iter().map(|held| held.attended.score()).collect();
    let attendance: Vec<Option<i64>> = counted.iter().map(|counted| counted.attendance).collect();
    let typed: Vec<bool> = scores.iter().map(|held| held.typed.is_some() && !held.attended.is_any()).collect();
    let performance: Vec<Option<i64>> = scores.iter().map(|held| held.performance).collect();
    let totals: Vec<Option<i64>> = counted.iter().map(|counted| counted.total).collect();
    let by = tx.by();
    let written = sqlx::query!(
        "insert into instruction_score (selection_id, required_sessions, attended_count, attendance_rate, attendance_score,
             attendance_typed, performance_score, total_score, created_by, updated_by)
         select w.selection, w.required::integer, w.attended / 10.0, w.rate / 10.0, w.attendance / 10.0, w.typed,
                w.performance / 10.0, w.total / 10.0, $9::bigint, $9::bigint
         from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::boolean[], $7::bigint[], $8::bigint[])
              as w (selection, required, attended, rate, attendance, typed, performance, total)
         on conflict (selection_id) do update
         set required_sessions = excluded.required_sessions, attended_count = excluded.attended_count,
             attendance_rate = excluded.attendance_rate, attendance_score = excluded.attendance_score,
             attendance_typed = excluded.attendance_typed, performance_score = excluded.performance_score,
             total_score = excluded.total_score, updated_at = excluded.updated_at, updated_by = excluded.updated_by,
             version = instruction_score.version + 1
         returning selection_id, id, version",
        &selections,
        &required,
        &attended,
        &rates as &[Option<i64>],
        &attendance as &[Option<i64>],
        &typed,
        &performance as &[Option<i64>],
        &totals as &[Option<i64>],
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(written.into_iter().map(|row| (row.selection_id, (row.id, row.version))).collect())
}
