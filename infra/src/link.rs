//! Addresses that people type and others open. A browser reads `//host`, `/\host` and an address with a line break in it
//! as another site, and `javascript:` as a program; the patterns leave none of that.
//!
//! A field says its pattern in its own attribute, so that the document shows it; a sweep over the document compares.

use std::sync::LazyLock;

use regex::Regex;

/// A page of the internet.
pub const WEB: &str = r"^https?://[^\s/\\?#@]+([/?#][^\s\\]*)?$";

/// The same, encrypted.
pub const SECURE: &str = r"^https://[^\s/\\?#@]+([/?#][^\s\\]*)?$";

/// A page of the internet, or a path of this site.
pub const LINK: &str = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$";

/// A picture that others see beside a name: a file of this site, or one that comes encrypted. Whoever looks at it tells nobody but
/// its host, and asks nothing else of this site.
pub const PICTURE: &str = r"^(https://[^\s/\\?#@]+([/?#][^\s\\]*)?|/admin/files(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+)$";

/// Whether a text is the address of a page of the internet.
pub fn is_web(text: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(WEB).expect("the constant is a pattern"));
    PATTERN.is_match(text)
}

/// Whether a text is such an address or a path of this site.
pub fn is_link(text: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(LINK).expect("the constant is a pattern"));
    PATTERN.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leaves_the_site_only_in_plain_sight() {
        for right in
            ["/", "/courses?id=1", "/admin/files/public/a.png", "https://example.com", "http://example.com:81/a?b#c"]
        {
            assert!(is_link(right), "{right}");
        }
        for wrong in [
            "",
            "//evil.example",
            "/\\evil.example",
            "/\n/evil.example",
            "/a\\b",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "https:///evil.example",
            "https://\\evil.example",
            "https://bank.example@evil.example",
            "http://a b",
            " https://example.com",
            "https://example.com\njavascript:x",
            "ftp://example.com",
            "evil.example",
        ] {
            assert!(!is_link(wrong), "{wrong:?}");
            assert!(!is_web(wrong), "{wrong:?}");
        }
        assert!(is_web("https://example.com/a") && !is_web("/a"));
        assert!(!Regex::new(SECURE).expect("a pattern").is_match("http://example.com"));
    }

    #[test]
    fn a_picture_is_of_this_site_or_encrypted() {
        let pattern = Regex::new(PICTURE).expect("a pattern");
        for right in [
            "/admin/files/public/platform/202611/a-b_c.png",
            "/admin/files/public-7/s1/a.png",
            "https://cdn.example.com/a.png?w=178",
        ] {
            assert!(pattern.is_match(right), "{right}");
        }
        for wrong in [
            "",
            "http://cdn.example.com/a.png",
            "//cdn.example.com/a.png",
            "/a.png",
            "/admin/apis/user/client/logout",
            "/admin/files/",
            "/admin/files/../apis/a",
            "/admin/files/public/../../apis/a",
            "/admin/files/public/a.png?x=1",
            "https://bank.example@evil.example/a.png",
            "data:image/png;base64,AA",
        ] {
            assert!(!pattern.is_match(wrong), "{wrong:?}");
        }
    }
}
