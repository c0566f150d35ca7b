//! Rules of papers that need no database: what a paper holds and comes to, how its questions are drawn, its way, what is frozen of it,
//! how it is told on paper (part 03 A8).

pub mod check;
pub mod content;
pub mod demo;
pub mod draw;
pub mod enums;
pub mod printing;
pub mod rule_item;
pub mod snapshot;
pub mod steps;
pub mod variants;
pub mod word;
