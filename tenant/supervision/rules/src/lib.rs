//! Rules of supervision that need no database: how far somebody should be, from which measure on a flag is raised and when it goes,
//! which rule counts for whom, what a case comes to, and what a reminder says (part 05 C2–C4).

pub mod decide;
pub mod enums;
pub mod level;
pub mod lines;
pub mod measure;
pub mod rule;
