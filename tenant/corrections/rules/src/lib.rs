//! Rules of corrections that need no database: what may be corrected and by which evidence, how a correction goes on, and how it is
//! stored (part 02 §9.6).

pub mod changes;
pub mod correction;
pub mod enums;
pub mod step;
