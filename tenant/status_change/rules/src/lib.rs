//! Rules of 学籍异动 that need no database: from which status a type leads on, by which days, how a change goes its way, figures (part
//! 02 §10).

pub mod effect;
pub mod enums;
pub mod list;
pub mod phase;
pub mod reason;
pub mod rules;
pub mod settings;
pub mod statistics;
