//! Rules of schools that need no database: their settings, their colours, the ends of their terms, lines of their exports.

pub mod brand;
pub mod lines;
pub mod registry;
pub mod term;
