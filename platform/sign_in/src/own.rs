//! 我的账号: what a person sees and changes of their own account: name and contacts, where they are signed in, the second step
//! of signing in, and which schools ask for them. Everything here is for whoever is signed in; none of it for machine tokens.

mod invitations;
mod profile;
mod sessions;
mod two_factor;

pub use invitations::OwnInvitations;
pub use profile::OwnProfiles;
pub use sessions::OwnSessions;
pub use two_factor::TwoFactor;
