//! Rules of the timetable that need no database: weeks and lessons, who is in the way, what may be arranged, the arrangement by itself,
//! and what stands on sheets, papers and in calendars.

pub mod block;
pub mod entry;
pub mod enums;
pub mod form;
pub mod ical;
pub mod judge;
pub mod occupation;
pub mod period;
pub mod plan;
pub mod print;
pub mod problem;
pub mod proposal;
pub mod repair;
pub mod session;
pub mod sheet;
pub mod steps;
pub mod weeks;
