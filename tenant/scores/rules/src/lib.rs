//! Rules of scores that need no database: what each part of a score comes to, the total, make-ups, credit points, the way of a sheet
//! (part 04 §5, §6). Everything is counted in tenths, in whole numbers, and rounded half up once.

pub mod arith;
pub mod attendance;
pub mod correct;
pub mod enums;
pub mod gpa;
pub mod graduation;
pub mod homework;
pub mod items;
pub mod levels;
pub mod makeup;
pub mod params;
pub mod questions;
pub mod resolve;
pub mod settings;
pub mod sheet;
pub mod stat;
pub mod study;
pub mod total;
pub mod verify;
