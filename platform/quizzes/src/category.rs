//! 试卷分类 and 试题分类: trees of the catalogue, each of its own kind (01 §9.2, §9.7).

mod exam;
mod problem;

use infra::{Part, transfer::export_job};

pub use exam::QuizCategories;
pub use problem::QuizProblemCategories;

pub const PART: Part = Part {
    permissions: &[exam::PERMISSIONS, problem::PERMISSIONS],
    jobs: &[export_job::<QuizCategories>(), export_job::<QuizProblemCategories>()],
    ..Part::NONE
};
