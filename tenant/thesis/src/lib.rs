//! 毕业论文: from the topic to the defence, every version kept (part 04 §8.1).
//!
//! ```text
//! topic ─[select, assign]→ proposal → draft → final ─[decide]→ similarity → review → defense ─[score published]→ done
//!   final ─too similar→ final again │ failed      review ─somebody disagrees→ draft again │ failed      defense ─second→ once more
//! ```
//! Invariants: a topic is taken no oftener than it has places, an adviser has no more students than their quota; no version of a
//! document is replaced; nobody reviews, or sits over, the thesis that they advise.
//!
//! What is locked, is locked in one order: plans, topics, advisers, theses; of each by id. A thesis lies where its student is, and so
//! does a topic that a student proposed. Plans, advisers, groups and all other topics are the school's: seen by everybody with the code,
//! written by who sees the school.
//!
//! Start reading at [`plan`], then [`thesis`].

pub mod adviser;
pub mod client;
pub mod defense;
pub mod demo;
mod marks;
mod nightly;
pub mod offered;
pub mod plan;
pub mod thesis;
pub mod topic;

use infra::{
    Module,
    access::{MayWrite, Mode},
    clients,
};
use poem_openapi::{OpenApi, Tags};

pub use thesis_rules::enums;

#[derive(Tags)]
enum Tag {
    /// thesis
    #[oai(rename = "thesis")]
    Thesis,
}

pub const MODULE: Module = Module {
    name: "thesis",
    parts: &[enums::PART, plan::PART, topic::PART, adviser::PART, thesis::PART, defense::PART, nightly::PART],
};

pub fn api() -> impl OpenApi {
    (plan::api(), topic::api(), adviser::api(), thesis::api(), defense::api(), client::api())
}

clients! {
    /// Students.
    pub StudentClient = "student";
    /// Teachers.
    pub TeacherClient = "teacher";
}

/// Told to whoever acts for a student or a teacher in what is theirs alone.
const NOT_FOR_ANOTHER: &str = "代登录只能查看，不能代为办理论文";

/// A thesis is written and read by whose it is.
#[derive(Debug)]
pub enum WritesOwn {}
impl Mode for WritesOwn {
    const WRITES: bool = true;
    const IN_PERSON: Option<&'static str> = Some(NOT_FOR_ANOTHER);
}
impl MayWrite for WritesOwn {}
