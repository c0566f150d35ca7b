//! 开课: which courses of the plans are taught in a semester, by whom, and by which rules students select (part 03 B2, B3).
//!
//! ```text
//! effective plans ─[opening::generate]→ draft ─open→ opened ─close→ closed      draft, opened ─cancel→ cancelled
//!                                                  └ the students come by [course_selection::roster::enrol]
//! opening ── allocation: class (or all), teacher, role
//! semester ── rule of selection; the most specific one counts
//! ```
//! Invariants: of a course, a grade and a major there is one opening in a semester that is not cancelled; what an opening copied
//! from its plan changes while it is a draft and never after it is opened; a class has one lecturer.
//!
//! Openings and allocations lie in the data scope: seen by whoever sees one of their classes or of their students, changed as a
//! whole by whoever sees all of them. What is locked, is locked in the order of [`course_selection`].
//!
//! Who takes part by class (`opening_class`, 03 C1) is a view of `online_study`.
//!
//! Start reading at [`opening`], then `opening/generate.rs` and [`allocation`].

pub mod allocation;
pub mod credit;
pub mod demo;
pub mod history;
pub mod opening;
pub mod rule;

pub use course_opening_rules::enums;
use infra::{Error, Module, Result, Scope};
use poem_openapi::{OpenApi, Tags};
use sqlx::PgConnection;

#[derive(Tags)]
enum Tag {
    /// course_opening
    #[oai(rename = "course_opening")]
    CourseOpening,
}

pub const MODULE: Module =
    Module { name: "course_opening", parts: &[opening::PART, credit::PART, rule::PART, allocation::PART] };

pub fn api() -> impl OpenApi {
    (opening::api(), credit::api(), rule::SelectionRules, allocation::api())
}

/// Told to whoever sees some of the classes and students that a change touches (03 §0.1).
const NOT_ALL_CLASSES: &str = "该记录包含您管辖范围以外的班级，不能修改";

/// # Errors
/// 403 for whoever sees a part of the school.
fn of_whole_school(scope: &Scope) -> Result<()> {
    if scope.is_whole() { Ok(()) } else { Err(Error::new(403, NOT_ALL_CLASSES)) }
}

/// Whether the caller sees every class that these openings touch, and everybody on their rosters: students without a class, and
/// those of other classes who repeat the course.
///
/// # Errors
/// 403 when one lies beyond the scope.
pub async fn of_all_classes(connection: &mut PgConnection, openings: &[i64], scope: &Scope) -> Result<()> {
    if beyond(connection, openings, scope).await?.is_empty() { Ok(()) } else { Err(Error::new(403, NOT_ALL_CLASSES)) }
}

/// Those of the openings that touch a class, or have a student, beyond the scope.
async fn beyond(connection: &mut PgConnection, openings: &[i64], scope: &Scope) -> Result<Vec<i64>> {
    if scope.is_whole() {
        return Ok(Vec::new());
    }
    Ok(sqlx::query_scalar!(
        "select o.id from course_opening o
         where o.id = any($1)
           and (o.grade_id is null or o.major_id is null
                or exists (
                    select from class k
                    where k.grade_id = o.grade_id and k.major_id = o.major_id
                      and not (k.site_id = any($2::bigint[]) or k.id = any($3::bigint[])))
                or exists (
                    select from course_selection c
                    join student s on s.id = c.student_id
                    left join class x on x.id = c.class_id
                    where c.opening_id = o.id and c.status in ('pending', 'selected', 'completed')
                      and not (coalesce(s.site_id = any($2) or s.class_id = any($3), false)
                               and coalesce(x.site_id = any($2) or x.id = any($3), c.class_id is null))))",
        openings,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?)
}

/// Holds a semester against its closing, and tells its name.
///
/// # Errors
/// 422 at `field` when there is none, 409 when it is closed.
async fn open_semester(connection: &mut PgConnection, id: i64, field: &str) -> Result<String> {
    let semester =
        sqlx::query!(r#"select name, closed_at is not null as "closed!" from semester where id = $1 for share"#, id)
            .fetch_optional(connection)
            .await?
            .ok_or_else(|| Error::field(field, "所选学期不存在，请重新选择"))?;
    if semester.closed {
        return Err(Error::conflict(format!("学期“{}”已关闭，不能修改", semester.name)));
    }
    Ok(semester.name)
}
