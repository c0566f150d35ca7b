//! Rules of statistics that need no database: rates out of sums, what a beat of a client counts for, which sign-ins count, what of an
//! address is kept (part 05 §0, A1, A2).

pub mod enums;
pub mod presence;
pub mod rates;
pub mod visits;
