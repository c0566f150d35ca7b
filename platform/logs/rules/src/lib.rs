//! Rules of the logs that need no database: spans of days, words of fields, what a change calls its record, seals of days.

pub mod names;
pub mod seal;
pub mod span;
pub mod trail;
