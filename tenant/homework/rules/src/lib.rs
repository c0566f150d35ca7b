//! Rules of homework that need no database: its form, times and scores, in which order a sheet is shown, what the machine and markers
//! say of answers, and what of them is alike.

pub mod annotations;
pub mod assign;
pub mod begin;
pub mod demo;
pub mod enums;
pub mod extract;
pub mod form;
pub mod machine;
pub mod marks;
pub mod names;
pub mod pool;
pub mod questions;
pub mod rejudge;
pub mod shingles;
pub mod shuffle;
pub mod task;
pub mod times;
pub mod weigh;
pub mod why;
