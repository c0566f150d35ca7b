//! 统计: who studies, hands in, passes and signs in, and where visitors came from (part 05 A): summed as it changes, and told by school,
//! site, class, course and person.
//!
//! ```text
//! servers ─[watch::tell]→ stat_watch: which schools were written to
//! stat_watch ─[roll_up::sweep, each minute]→ stat_dirty → stat_study_day, stat_login_day, stat_opening_class, stat_exam_class, stat_class_day
//! stat_* ─[publish, each quarter of an hour]→ platform.stat_*        visit ─[visits::fold]→ visit_day
//! stat_*, platform.stat_* ─[video, work, exam, login, source, report]→ tables, cards, charts, files
//! ```
//! Invariants: a row follows from the facts of its key and is computed anew, never added to; what a look finds is what changed since the
//! last, so a school that nobody writes to costs nothing; rates come from sums; a person is counted once in a period; this room writes
//! its own tables alone, and reads those of others.
//!
//! Start reading at `roll_up.rs`, then `roll_up/changed.rs`, `screen.rs` and `video.rs`.

pub mod demo;
mod exam;
mod file;
mod filter;
pub mod jobs;
mod learning;
mod login;
mod promotion;
mod publish;
mod ready;
mod refresh;
mod report;
mod roll_up;
mod school_day;
mod schools;
mod screen;
mod session;
mod source;
mod table;
mod video;
mod visit;
pub mod watch;
mod words;
mod work;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// statistics
    #[oai(rename = "statistics")]
    Statistics,
}

pub const MODULE: Module = Module {
    name: "statistics",
    parts: &[
        statistics_rules::enums::PART,
        jobs::PART,
        session::PART,
        report::PART,
        video::PART,
        work::PART,
        exam::PART,
        learning::PART,
        login::PART,
        source::PART,
        promotion::PART,
        refresh::PART,
        ready::PART,
    ],
};

pub fn api() -> impl OpenApi {
    (
        (report::Reports, refresh::Refresh, video::VideoStatistics, work::WorkStatistics, exam::ExamStatistics),
        (learning::LearningRecords, login::LoginStatistics, source::SourceStatistics, promotion::PromotionLinks),
        (session::Sessions, visit::Visits),
    )
}
