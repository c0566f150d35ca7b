//! Rules of registration that need no database: who reports, is kept, gives up or goes, what was paid, whom a row of a sheet names,
//! figures (part 02 §7).

pub mod arriving;
pub mod edit;
pub mod enums;
pub mod fee;
pub mod leave;
pub mod named;
pub mod own;
pub mod remove;
pub mod report;
pub mod reserve;
pub mod result;
pub mod statistics;
