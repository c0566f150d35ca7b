//! Rules of questions that need no database: their texts, their forms and files, what of them is alike, and the one engine that marks
//! answers.

pub mod archive;
pub mod check;
pub mod duplicate;
pub mod enums;
pub mod fingerprint;
pub mod form;
pub mod lines;
pub mod marking;
pub mod score;
pub mod steps;
pub mod text;
pub mod text_form;
