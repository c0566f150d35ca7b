//! Rules of the register that need no database: who may be entered, edited, corrected and moved, with which dates; which class they come
//! into; what of sheets and pictures is right.

pub mod account;
pub mod account_list;
pub mod album;
pub mod archive;
pub mod arrival;
pub mod as_of;
pub mod check;
pub mod dates;
pub mod division;
pub mod division_plan;
pub mod division_rule;
pub mod edit;
pub mod enums;
pub mod form;
pub mod key_fields;
pub mod keyword;
pub mod limits;
pub mod list;
pub mod new_student;
pub mod number;
pub mod photos;
pub mod picture;
pub mod references;
pub mod register;
pub mod seating;
pub mod sheet;
pub mod standing;
pub mod statistics;
pub mod student;
pub mod transfer;
pub mod warnings;
