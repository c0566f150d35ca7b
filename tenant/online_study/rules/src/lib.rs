//! Rules of online study that need no database: what of a beat counts, which period is open, when a course is studied and how it is
//! set (part 03 B5).

pub mod beat;
pub mod course;
pub mod credit;
pub mod enums;
pub mod nightly;
pub mod periods;
pub mod spans;
pub mod teaching;
