//! 采集设置: when the students of some grades fill a form in, and what they sign (02 §11.1).
//!
//! ```text
//! not_started ─(opens_at)→ open ─(closes_at)→ ended        any ⇄ closed, by the switch
//! ```
//! A grade has one enabled window of a kind.

mod form;
mod select;

pub(crate) use form::{InformationWindowForm, insert, update};
pub(crate) use select::{InformationWindow, all};
