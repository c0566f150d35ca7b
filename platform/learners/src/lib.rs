//! Learners: the customers of the operators' online-education site, who belong to no school (01 §9.6, §9.11). Schema `platform`.
//!
//! ```text
//! smsCode → register ─┐
//! save, import ───────┴→ user_ext ─login (password or code)→ session    disabled → every session ends
//! vip_set ─grantVip→ user_vip: months one behind the other              product ─grantRight→ learner_right: days more
//! ```
//! Invariants: whoever has no password signs in by a code; what ends an account ends its sessions in the same transaction; months and
//! days are added by [`vip::add_months`], [`right::add_days`] and [`right::buy`] alone, and taken back by their `take_back`, whoever gives or
//! sells them. Other modules know a learner by
//! [`LearnerClient`] in their calls, and by the number of `user_ext` in their rows.
//!
//! Start reading at [`learner`], then [`sign_in`] and [`session`].

pub mod account;
mod code;
pub mod demo;
pub mod learner;
mod own;
mod register;
pub mod right;
pub mod session;
pub mod share;
pub mod sign_in;
pub mod vip;
pub mod vip_set;

use infra::{Module, clients};
pub use learner_rules::enums;
use poem_openapi::{OpenApi, Tags};

clients! {
    /// Learners alone.
    pub LearnerClient = "learner";
}

#[derive(Tags)]
enum Tag {
    /// learners
    #[oai(rename = "learners")]
    Learners,
}

pub const MODULE: Module =
    Module { name: "learners", parts: &[learner::PART, vip_set::PART, vip::PART, right::PART, account::PART] };

/// Every operation of the module.
pub fn api() -> impl OpenApi {
    (learner::Learners, vip_set::VipSets, register::Registration, own::OwnLearner)
}
