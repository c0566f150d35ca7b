//! Rules of teaching plans that need no database: credits, what is typed of a plan and its courses, what they come to, what a check tells,
//! and the way of a plan.

pub mod check;
pub mod course;
pub mod credit;
pub mod demo;
pub mod enums;
pub mod form;
pub mod head;
pub mod measure;
pub mod steps;
