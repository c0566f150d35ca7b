//! Rules of information review that need no database: what is filled in and how it is shown, the way of a form, what of it is wrong or
//! worth a second look, figures (part 02 §11).

pub mod assessment;
pub mod content;
pub mod demo;
pub mod enums;
pub mod filled;
pub mod folder;
pub mod former_education;
pub mod opinion;
pub mod papers;
pub mod pre_check;
pub mod resume;
pub mod statistics;
pub mod steps;
pub mod window;
