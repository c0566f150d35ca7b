//! 课程成绩: one of each selection, what it is made of, and what counts of its rounds.
//!
//! What is computed, is previewed while the sheet of the first examination is open; with the submission of that sheet its parts and
//! its formula are frozen; students see it when it is published; then a correction alone changes it.

mod card;
pub(crate) mod compute;
pub(crate) mod ensure;
mod freeze;
mod settle;

pub(crate) use card::{Card, Rules, cards};
pub(crate) use freeze::{freeze, thaw};
pub(crate) use settle::{Settled, came_to, came_to_before, settle};
