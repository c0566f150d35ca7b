//! Rules of examinations on paper that need no database: how many sit in which room, on which seat, in which session, who watches, and what is
//! printed of it (part 04 §4).

pub mod duty;
pub mod enums;
pub mod labels;
pub mod mix;
pub mod order;
pub mod plan;
pub mod rooms;
pub mod seats;
pub mod session;
pub mod sessions;
pub mod ticket;
