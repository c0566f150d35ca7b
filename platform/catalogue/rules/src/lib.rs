//! Rules of the operator's site that need no database: what a course consists of, in what a version differs, what may stand on the
//! shelf, what auditors decide, and what is typed of a lecturer (01 §9).

pub mod audit;
pub mod content;
pub mod difference;
pub mod lecturer;
pub mod shelf;
