//! 在线教学: what is studied online in an opened course, how far each student is, and what they ask (part 03 B5, B10).
//!
//! ```text
//! opening ─[teaching]→ material, window, rule         student's client ─[study::play]→ session ─[study::beat]→ seconds, pages
//! session: live ─end→ closed   live ─two minutes without a beat→ silent   live ─another player→ other_device, other_period
//! periods ─[counting]→ progress of the course; what is finished stays finished but for a reset
//! question of a student ─ replies of fellow students, teachers and staff
//! ```
//! Invariants: what counts as watched is at most what the server's clock allows; a student studies in one place at a time; the
//! answer to a beat is kept with it, so that one that comes twice counts once. A beat writes at once, in one short transaction:
//! nothing is buffered, so nothing is lost.
//!
//! What is locked, is locked in one order: openings, sessions, then the course progress of selections by their ids (which whoever
//! writes anything of a selection's study holds), then what hangs on it. Who holds many selections does so one work at a time.
//!
//! Start reading at [`teaching`], then `study/beat.rs` and [`counting`].

pub mod counting;
mod course;
pub mod demo;
mod nightly;
pub mod progress;
pub mod qa;
pub mod study;
pub mod teaching;

use infra::{Error, Module, Result, access::Mode, clients};
pub use online_study_rules::enums;
use poem_openapi::{OpenApi, Tags};
use sqlx::PgConnection;

#[derive(Tags)]
enum Tag {
    /// online_study
    #[oai(rename = "online_study")]
    OnlineStudy,
}

pub const MODULE: Module =
    Module { name: "online_study", parts: &[enums::PART, teaching::PART, progress::PART, qa::PART, nightly::PART] };

pub fn api() -> impl OpenApi {
    (teaching::api(), progress::api(), qa::api(), study::api())
}

clients! {
    /// Students.
    pub StudentClient = "student";
    /// Teachers.
    pub TeacherClient = "teacher";
}

/// Told to whoever acts for a student or teacher in what is theirs alone (part 03 B10).
pub const NOT_FOR_ANOTHER: &str = "代登录只能查看，不能代为学习、作答或批阅";

/// Study and answers, which nobody does for somebody else; kept in the log.
#[derive(Debug)]
pub enum WritesOwn {}
impl Mode for WritesOwn {
    const WRITES: bool = true;
    const IN_PERSON: Option<&'static str> = Some(NOT_FOR_ANOTHER);
}
impl infra::access::MayWrite for WritesOwn {}

/// The same for what comes every half a minute of everybody: no log keeps it.
#[derive(Debug)]
pub enum WritesOften {}
impl Mode for WritesOften {
    const WRITES: bool = true;
    const LOGGED: bool = false;
    const IN_PERSON: Option<&'static str> = Some(NOT_FOR_ANOTHER);
}
impl infra::access::MayWrite for WritesOften {}

/// Somebody whom a bulk step does not reach is told so, without a name.
fn of_row(error: Error) -> Error {
    if error.code == 404 { Error::new(404, student_status::student::check::NOT_YOURS) } else { error }
}

/// How far a selection is, in percent; none before anything was studied.
///
/// # Errors
/// Those of the database.
pub async fn progress_of(connection: &mut PgConnection, selection: i64) -> Result<Option<f64>> {
    Ok(sqlx::query_scalar!(
        r#"select progress::float8 as "progress!" from study_course_progress where id = $1"#,
        selection
    )
    .fetch_optional(connection)
    .await?)
}

/// From which progress on an opening's homework and examinations are open, in percent; 0 from the beginning.
///
/// # Errors
/// Those of the database.
pub async fn required_progress_of(connection: &mut PgConnection, opening: i64) -> Result<i32> {
    let required = sqlx::query_scalar!("select required_progress from online_teaching where id = $1", opening)
        .fetch_optional(connection)
        .await?;
    Ok(required.unwrap_or(0))
}
