//! Rules of learners that need no database (01 §9.6): what is typed of one, how long membership and rights last, when a code may leave.

pub mod code;
pub mod enums;
pub mod form;
pub mod right;
pub mod vip;
