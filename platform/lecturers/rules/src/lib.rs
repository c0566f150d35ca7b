//! Rules of lecturers that need no database: what is typed of one, and what moves in their accounts (01 §9.5).

pub mod account;
pub mod lecturer;
