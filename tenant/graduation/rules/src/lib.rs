//! Rules of graduation that need no database: what is asked of whoever graduates or gets a degree, what follows of it, and what is printed and
//! reported (part 04 §9, §10).

pub mod decide;
pub mod degree;
pub mod enums;
pub mod facts;
pub mod form;
pub mod graduation;
pub mod register;
pub mod rules;
pub mod settings;
pub mod steps;
