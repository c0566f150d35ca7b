//! Rules of certificates and archives that need no database: numbers, states, which papers an archive holds (part 04 §10, §11).

pub mod archive_no;
pub mod enums;
pub mod items;
pub mod number;
pub mod settings;
pub mod steps;
pub mod volumes;
