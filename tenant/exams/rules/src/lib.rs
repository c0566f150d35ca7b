//! Rules of examinations that need no database: their states, who may sit and for how long, how papers and sheets are dealt, what is
//! suspicious, what two markers agree on (part 04 §1–§3).

pub mod anti_cheat;
pub mod assign;
pub mod batch;
pub mod deadline;
pub mod deferral;
pub mod double;
pub mod eligible;
pub mod enums;
pub mod percent;
pub mod risk;
pub mod setup;
pub mod slots;
pub mod violation;
