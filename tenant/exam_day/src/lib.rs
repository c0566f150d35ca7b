//! 考务: the day of examinations on paper: who watches which room, who came, what happened (part 04 §4.3, §4.4).
//!
//! ```text
//! offline_session_room ─┬─ invigilation ── invigilator        record: none ─record→ recorded ⇄ confirmed
//! ```
//! Invariants: nobody watches two rooms at once; what a confirmed record says of who came stands in the candidates, and is taken back
//! only while their score is not past entering. The timetable is held first, as sessions and rooms are.
//!
//! Start reading at [`record`], then [`invigilator`].

pub mod demo;
pub mod invigilator;
pub mod record;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// exam_day
    #[oai(rename = "exam_day")]
    ExamDay,
}

pub const MODULE: Module = Module { name: "exam_day", parts: &[record::PART, invigilator::PART] };

pub fn api() -> impl OpenApi {
    (
        (record::RoomRecords, record::Steps, record::AbsenceImports),
        (invigilator::Invigilators, invigilator::Duties, invigilator::Workloads),
    )
}
