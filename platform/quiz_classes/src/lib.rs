//! Classes in which learners of the operators' site take exams together (01 §9.7, §9.11). Schema `platform`.
//!
//! ```text
//! class        its code lets learners in, at once or behind an operator's look      code → another one, the former is worth nothing
//! member       pending → joined ⇄ removed
//! arrangement  an exam of the class, from when until when it may be begun
//! score        learner × exam: the best of each one's attempts in the class
//! ```
//! Invariant: a class never holds more than its seats; whoever joins or lets somebody in holds the class meanwhile. Attempts are kept by
//! `quizzes`, which asks the tables here who may begin one.

pub mod arrangement;
pub mod class;
pub mod demo;
mod join;
pub mod member;
pub mod score;

use infra::Module;
use poem_openapi::{OpenApi, Tags};
pub use quiz_rules::enums;

#[derive(Tags)]
enum Tag {
    /// quiz_classes
    #[oai(rename = "quiz_classes")]
    QuizClasses,
}

pub const MODULE: Module =
    Module { name: "quiz_classes", parts: &[class::PART, member::PART, arrangement::PART, score::PART] };

/// Every operation of the module.
pub fn api() -> impl OpenApi {
    (
        class::QuizClasses,
        (member::QuizMembers, arrangement::QuizArrangements),
        score::QuizClassScores,
        join::OwnQuizClasses,
    )
}
