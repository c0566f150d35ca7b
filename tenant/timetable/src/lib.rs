//! 面授排课: which course meets which classes, when and where, without anybody being in two places (part 03 B9).
//!
//! ```text
//! form ─[judge: rules over what stands]→ sessions ─[occupation::occupy]→ teacher, classroom and classes are taken
//! draft ─publish→ published ─(session: move, cancel)      draft, published ─cancel→ cancelled: what lies ahead, what was held stays
//! openings, classes, days, rooms ─[auto: a job]→ proposal ─accept→ drafts
//! ```
//! Invariants: every session that is scheduled keeps its teachers, its classroom and its classes busy, and nothing else of the
//! timetable does; a session with attendance stays as it is.
//!
//! What is locked, is locked in one order: the timetable ([`hold`]), then openings as in [`course_selection`], then own rows by id.
//! Openings, allocations and rosters are read here; their own modules write them, and the openings' one calls [`opening`].
//!
//! An arrangement lies in the data scope: seen by whoever sees one of its classes, changed by whoever sees all of them.
//!
//! Start reading at [`arrange`], then [`timetable_rules::judge`], [`occupation`] and [`auto`].

pub mod arrange;
pub mod auto;
pub mod block;
pub mod demo;
pub mod feed;
pub mod occupation;
pub mod opening;
pub mod period;

use infra::{Module, Result, Tx};
use poem_openapi::{OpenApi, Tags};

pub use timetable_rules::enums;

#[derive(Tags)]
enum Tag {
    /// timetable
    #[oai(rename = "timetable")]
    Timetable,
}

pub const MODULE: Module = Module {
    name: "timetable",
    parts: &[enums::PART, arrange::PART, period::PART, block::PART, auto::PART, feed::PART],
};

pub fn api() -> impl OpenApi {
    (arrange::api(), period::PeriodRows, block::Blocks, auto::Arranging, feed::Feeds)
}

/// Told to whoever sees some of the classes of an arrangement (03 §0.1).
pub(crate) const NOT_ALL_CLASSES: &str = "该记录包含您管辖范围以外的班级，不能修改";

/// Holds the timetable of the school until the transaction ends: whoever takes teachers, classrooms or classes does it first,
/// before anything else is locked.
///
/// # Errors
/// 409 when somebody else holds it for too long.
pub async fn hold(tx: &mut Tx) -> Result<()> {
    sqlx::query!(
        r#"select pg_advisory_xact_lock(hashtextextended('timetable ' || current_schema(), 0))::text as "locked""#
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(())
}
