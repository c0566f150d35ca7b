//! 考生: who sits for an examination, and whether they may (part 04 §2.1, §2.3). What both facades do to candidates stands here.

pub mod list;
mod refresh;
mod write;

use infra::{Entity, History, Part};

pub use list::{CandidateFilter, CandidateRow};
pub use refresh::{Refreshed, expected, judged_again, refresh};
pub use write::{add, attended, dealt, decide_eligibility, extend, remove, reopen, scored};

pub const PART: Part = Part {
    entities: &[Entity { table: "exam_candidate", name: "考生", counted: "名考生" }],
    histories: &[History {
        table: "exam_candidate",
        code: "exam:pc:online:candidate:list",
        scope: Some((
            "(select y.site_id from student y where y.id = exam_candidate.student_id)",
            Some("(select y.class_id from student y where y.id = exam_candidate.student_id)"),
        )),
    }],
    ..Part::NONE
};

/// Why a refresh takes somebody off; whoever is due again comes back.
pub const LEFT_COURSE: &str = "已退选";
pub const LEFT_SCHOOL: &str = "学籍异动";
pub const NOT_DUE: &str = "不再符合名单条件";
