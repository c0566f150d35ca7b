//! Rules of openings that need no database: which courses become openings, how they go on, who teaches a class, when students
//! select (part 03 B2, B3).

pub mod allocation;
pub mod allocation_copy;
pub mod allocation_sheet;
pub mod enums;
pub mod generation;
pub mod nightly;
pub mod rule;
pub mod steps;
pub mod sync;
