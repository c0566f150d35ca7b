//! Rules of the operator's site that need no database: what a course consists of, in what a version differs, what may stand on the
//! shelf, who may watch it, and what auditors decide (01 §9).

pub mod attachment;
pub mod audit;
pub mod beat;
pub mod content;
pub mod course;
pub mod difference;
pub mod live;
pub mod resource;
pub mod shelf;
pub mod watch;
