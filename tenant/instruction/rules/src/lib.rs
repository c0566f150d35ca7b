//! Rules of face-to-face instruction that need no database: how a score comes of attendance and performance, when it may change and how
//! it goes on (part 03 B8).

pub mod attendance;
pub mod enums;
pub mod held;
pub mod rule;
pub mod steps;
