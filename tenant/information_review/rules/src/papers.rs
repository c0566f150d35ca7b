//! What the files of a form are for (02 §11.1).

/// The use of a file that is a scan of a signed form.
pub const PAPER: &str = "paper";
/// The use of a file that proves something.
pub const ATTACHMENT: &str = "attachment";
/// How the keys of a school's own fields begin.
const OWN: &str = "x_";

/// Whether a file may have this purpose.
pub fn is_purpose(kind: &str) -> bool {
    matches!(kind, ATTACHMENT | PAPER) || kind.strip_prefix(OWN).is_some_and(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_for_something() {
        assert!(is_purpose("attachment") && is_purpose("paper") && is_purpose("x_certificate"));
        assert!(!is_purpose("x_") && !is_purpose("photo") && !is_purpose(""));
    }
}
