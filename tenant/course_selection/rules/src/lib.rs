//! Rules of selection that need no database: which rule counts, who comes into a course, how a selection goes on and follows its student
//! (part 03 B2, B4).

pub mod admission;
pub mod enums;
pub mod opening;
pub mod sheet;
pub mod steps;
pub mod sync;
