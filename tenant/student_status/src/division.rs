//! 分班: who sits in which class (02 §9.5). The classes themselves belong to basic data.
//!
//! ```text
//! manual      ticked students ─→ one class, or out of their class
//! automatic   the unassigned of a grade ─[rule]→ plan ─(shown, with its hash)→ the same plan ─→ seats   ─undo→ unassigned
//! by sheet    number, name, class ─→ seats
//! report      who has just come ─→ free seats, then new classes
//! ```
//! Invariants: a student sits only in a class of their grade, level, major and site (the foreign key holds it); every move
//! stands in the history. Start reading at [`student_status_rules::division_rule`].

mod automatic;
mod manual;
mod newcomers;
mod plan;
mod sheet;
mod undo;

use std::collections::HashSet;

use infra::{Change, Error, OnConstraint, Part, Result, Tx, permissions, steps::job, transfer::import_job};
use poem_openapi::OpenApi;
use sqlx::PgConnection;
use student_status_rules::division::{DivisionMode, DivisionOrder};

pub(crate) use self::{
    newcomers::{Newcomer, seat_newcomers},
    sheet::DivisionSheet,
};

permissions! {
    pages
        "/schoolPC/studentStatus/studentRoll/BeRegistered",
        "/schoolPC/userManagerment/studentList",
        "/schoolPC/basicData/classes";
    InSchool Writes DivideStudents     = "user:pc:student:allocation" "分班";
    InSchool Reads  FetchDivisionSheet = "user:pc:student:allocation" "分班";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[DivisionMode::ENUMERATION, DivisionOrder::ENUMERATION],
    jobs: &[import_job::<DivisionSheet>(), automatic::JOB, job::<manual::Divide>()],
    ..Part::NONE
};

/// The operations of class division.
pub(crate) fn api() -> impl OpenApi {
    (manual::Manual, automatic::Automatic, sheet::Sheet, undo::Undo)
}

/// A student who changes class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Move {
    student_id: i64,
    from: Option<i64>,
    to: Option<i64>,
}

/// Why somebody is not taken out of their class.
const SCORED: &str = "本学期在该班已有成绩，不能移出班级";

/// Which of these students have scores of the current semester in the class where they sit: they are not taken out of it
/// (02 §9.5).
async fn scored(connection: &mut PgConnection, students: &[i64]) -> Result<HashSet<i64>> {
    let scored = sqlx::query_scalar!(
        "select s.id from student s
         where s.id = any($1) and exists (
             select from course_selection c
             where c.student_id = s.id and c.class_id = s.class_id
               and c.semester_id = (select id from semester where current)
               and (c.final_score is not null
                    or exists (select from instruction_score i
                               where i.selection_id = c.id and coalesce(i.total_score, i.performance_score) is not null)
                    or exists (select from homework_student h
                               where h.selection_id = c.id and h.final_score is not null)))",
        students
    )
    .fetch_all(connection)
    .await?;
    Ok(scored.into_iter().collect())
}

/// Told when somebody changed the students between the look at them and this step.
fn changed_meanwhile() -> Error {
    Error::conflict("学生名单已变化，请重新预览")
}

/// Seats the students and writes their history. Whoever calls has checked them; what changed since is refused.
///
/// # Errors
/// 409 when one of them has left their class, ended, or lies elsewhere meanwhile.
async fn seat(tx: &mut Tx, moves: &[Move], plan_hash: Option<&str>) -> Result<Vec<Change>> {
    if moves.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = moves.iter().map(|each| each.student_id).collect();
    let from: Vec<Option<i64>> = moves.iter().map(|each| each.from).collect();
    let to: Vec<Option<i64>> = moves.iter().map(|each| each.to).collect();
    let (by, today) = (tx.by(), tx.app().clock().today());
    let changed = sqlx::query!(
        "update student s set class_id = m.to_class, updated_at = now(), updated_by = $4, version = s.version + 1
         from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as m (id, from_class, to_class)
         where s.id = m.id and s.class_id is not distinct from m.from_class
           and s.active",
        &ids,
        &from as &[Option<i64>],
        &to as &[Option<i64>],
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| (name == "student_class_mismatch").then(changed_meanwhile))?;
    if changed.rows_affected() != moves.len() as u64 {
        return Err(changed_meanwhile());
    }
    sqlx::query!(
        "insert into student_status_change (student_id, kind, from_status, to_status, before, after, effective_on,
                                            created_by, updated_by)
         select s.id, 'class_change', s.status, s.status,
                jsonb_build_object('siteId', s.site_id, 'classId', m.from_class),
                jsonb_build_object('siteId', s.site_id, 'classId', m.to_class)
                || case when $4::text is null then '{}'::jsonb else jsonb_build_object('planHash', $4::text) end,
                $5, $6, $6
         from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as m (id, from_class, to_class)
         join student s on s.id = m.id",
        &ids,
        &from as &[Option<i64>],
        &to as &[Option<i64>],
        plan_hash,
        today,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(moves.iter().map(|each| Change::status("student", each.student_id, "classId", each.from, each.to)).collect())
}
