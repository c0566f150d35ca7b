//! What this program is: `make release` says it when it builds.

/// The version, and in a release the commit of which it was built: `0.1.0 (1a2b3c4d5e6f)`.
pub const VERSION: &str = match option_env!("RELEASE_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};
