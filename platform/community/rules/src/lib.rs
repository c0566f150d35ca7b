//! Rules of the community that need no database: its closed sets, what is written in it, which characters of a text with marks are
//! read, whose badge is shown (01 §9.8).

pub mod certificate;
pub mod enums;
pub mod html;
pub mod label;
pub mod writing;
