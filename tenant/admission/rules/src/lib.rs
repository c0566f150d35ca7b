//! Rules of admission that need no database: who is whom, who may begin, which site is meant, how the authority's file is understood
//! (part 02 §6).

pub mod allocation;
pub mod audit;
pub mod cancel;
pub mod edit;
pub mod enums;
pub mod major;
pub mod maps;
pub mod matching;
pub mod person;
