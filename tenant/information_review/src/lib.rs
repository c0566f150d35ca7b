//! 信息核对与审查: what students state and sign themselves, and how staff look at it (part 02 §11).
//!
//! ```text
//! not_submitted ─→ submitted ─→ (class_passed) ─→ approved
//!                  submitted, class_passed, approved ─→ returned ─→ submitted
//! ```
//! Three groups, one machine: 学籍注册信息 ([`admission_information`]), 入学资格审查 with the 承诺书 ([`admission_commitment`]) and 毕业登记
//! ([`graduation_information`]) differ in what is filled in and in what an approval does; everything else is [`information`].
//! Invariants: a student has one form of a group; who is no longer active has theirs to be read alone; what an approval writes
//! into the register is written by `student_status`, what is wrong in it is corrected by `corrections`.
//!
//! [`opening`] is what the report of an arrival asks, which lies above this module. Start reading at [`group`], then
//! `information/held.rs` and `information/review.rs`.

// The future that packs papers holds those of the archive, the page and the store: the optimising compiler looks into it, level by level.
#![recursion_limit = "256"]

pub mod admission_commitment;
pub mod admission_information;
mod content;
pub mod demo;
pub mod graduation_information;
mod group;
mod information;
pub mod opening;
mod window;

pub use information::download::graduation_form;
pub use information_review_rules::enums;
use infra::{Module, clients};
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// information_review
    #[oai(rename = "information_review")]
    InformationReview,
}

pub const MODULE: Module = Module {
    name: "information_review",
    parts: &[
        information::PART,
        admission_information::PART,
        admission_commitment::PART,
        graduation_information::PART,
        enums::PART,
        opening::PART,
    ],
};

pub fn api() -> impl OpenApi {
    (admission_information::api(), admission_commitment::api(), graduation_information::api())
}

clients! {
    /// Students.
    pub StudentClient = "student";
    /// Teachers and class managers.
    pub TeacherClient = "teacher";
}
