//! Rules of courses that need no database: what a course, a type, a chapter, a record and a period must fulfil, and how trees are shown
//! (part 03 A5, A6).

pub mod chapter;
pub mod course;
pub mod curriculum_type;
pub mod demo;
pub mod enums;
pub mod knowledge_point;
pub mod period;
pub mod prerequisites;
pub mod record;
pub mod sheet;
