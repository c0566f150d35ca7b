//! Rules of accounts that need no database: passwords and codes, when wrong ones lock, who may give and act on what.

pub mod authenticator;
pub mod grant;
pub mod lock_out;
pub mod password;
pub mod reach;
