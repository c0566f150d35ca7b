//! Rules of accounts that need no database: what they are proven by, and who may give and act on what.

pub mod authenticator;
pub mod grant;
pub mod lock_out;
pub mod password;
pub mod reach;
