//! Rules of the public site that need no database: the order of a list, what an entry of the footer leads to, what stands on a
//! poster (01 §9.1).

pub mod footer;
pub mod poster;
