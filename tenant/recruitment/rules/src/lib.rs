//! Rules of pre-registration that need no database: its words, its steps, names, times and archives.

pub mod copy;
pub mod due;
pub mod enums;
pub mod name;
pub mod papers;
pub mod phase;
pub mod steps;
pub mod usage;
