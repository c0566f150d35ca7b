//! How the provider proves that a call is its own: SHA-1 over the token and what was sent, sorted and joined.
//!
//! <https://developers.weixin.qq.com/doc/offiaccount/Basic_Information/Access_Overview.html>

use aws_lc_rs::{constant_time::verify_slices_are_equal, digest};
use infra::migrate::hex;

/// The signature of these parts, in whatever order they come.
pub fn of(parts: &[&str]) -> String {
    let mut sorted = parts.to_vec();
    sorted.sort_unstable();
    hex(digest::digest(&digest::SHA1_FOR_LEGACY_USE_ONLY, sorted.concat().as_bytes()).as_ref())
}

/// Whether a signature is that of these parts, compared without telling how much of it is right.
pub fn is_right(given: &str, parts: &[&str]) -> bool {
    verify_slices_are_equal(given.as_bytes(), of(parts).as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_sorted_before_they_are_joined() {
        // SHA-1 of `abc`.
        assert_eq!(of(&["c", "a", "b"]), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert!(is_right("a9993e364706816aba3e25717850c26c9cd0d89d", &["b", "c", "a"]));
        assert!(!is_right("a9993e364706816aba3e25717850c26c9cd0d89e", &["b", "c", "a"]));
        assert!(!is_right("", &["b"]));
    }
}
