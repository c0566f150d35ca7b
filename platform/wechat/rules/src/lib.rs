//! Rules of the official account that need neither database nor provider: what a menu may be, which reply a message gets, how the
//! provider signs and seals what it tells us, and what it tells (01 §9.9).

pub mod enums;
pub mod keyword;
pub mod material;
pub mod menu;
pub mod message;
pub mod sealed;
pub mod signature;
