use crate::StoreError;

const LONGEST: usize = 512;

/// Lets pass only keys that mean the same in an address, on a disk and in a bucket.
pub(crate) fn check(key: &str) -> Result<(), StoreError> {
    let sign = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.' | b'-');
    let part = |part: &str| !part.is_empty() && part.bytes().all(sign) && !part.bytes().all(|byte| byte == b'.');
    if key.len() <= LONGEST && key.split('/').all(part) { Ok(()) } else { Err(StoreError::BadKey) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_keys_pass() {
        for key in ["a", "picture/s1/202609/abc123.png", "a-b_c.d/..e"] {
            assert!(check(key).is_ok(), "{key}");
        }
        for key in ["", "/a", "a/", "a//b", "..", "a/../b", "a/./b", "A", "a b", "a\0", "图", "a%2f", "a#1", "a\\b"] {
            assert!(check(key).is_err(), "{key}");
        }
        assert!(check(&"a".repeat(513)).is_err());
    }
}
