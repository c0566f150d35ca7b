//! Exams of the operators' online-education site (01 §9.7, §9.11): their categories and questions, the exams and their audit, what is
//! recommended, and what learners answer. Schema `platform`.
//!
//! ```text
//! problem    typed or imported → a question of a category          frozen once a published exam has it
//! exam       typed → a version ─[audit]→ published                 as courses of the catalogue
//! record     start → doing ─submit, or the time is over→ marking ─mark→ finished
//! ```
//! Invariants: an attempt keeps its own copy of the questions, so that nothing that is edited later reaches it; what a learner reads of
//! it has no field for a key; nobody has more attempts than the exam allows, however many start at once.
//!
//! Start reading at [`exam`], then [`client`] and [`record`].

pub mod audit;
pub mod category;
pub mod client;
mod close;
pub mod demo;
pub mod exam;
pub mod problem;
pub mod recommend;
pub mod record;

use infra::Module;
use poem_openapi::{OpenApi, Tags};
pub use quiz_rules::enums;

#[derive(Tags)]
enum Tag {
    /// quizzes
    #[oai(rename = "quizzes")]
    Quizzes,
}

pub const MODULE: Module = Module {
    name: "quizzes",
    parts: &[category::PART, problem::PART, exam::PART, audit::PART, recommend::PART, record::PART, close::PART],
};

/// Every operation of the module.
pub fn api() -> impl OpenApi {
    (
        (category::QuizCategories, category::QuizProblemCategories),
        problem::QuizProblems,
        (exam::Quizzes, audit::QuizAudits, recommend::QuizRecommends),
        (record::QuizRecords, client::OwnQuizzes),
    )
}
