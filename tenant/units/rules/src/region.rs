//! 所在地区: codes of GB/T 2260 and their names (part 03 A2).

use std::collections::HashMap;

/// All divisions by code, for the names of a page or an export and for the checks of an import.
pub struct Regions(pub HashMap<String, Region>);

/// A division.
pub struct Region {
    pub name: String,
    pub parent: Option<String>,
    /// 市辖区 and the like, which nobody names.
    pub hidden: bool,
}

impl Regions {
    /// Whether a division has this code.
    pub fn has(&self, code: &str) -> bool {
        self.0.contains_key(code)
    }

    /// The name of a division with those above it: 湖北省武汉市洪山区.
    pub fn full_name(&self, code: &str) -> Option<String> {
        let region = self.0.get(code)?;
        let above = region.parent.as_deref().and_then(|parent| self.full_name(parent)).unwrap_or_default();
        Some(if region.hidden { above } else { above + &region.name })
    }
}

/// What all codes of a province, prefecture or county begin with.
pub fn prefix(code: &str) -> &str {
    match code.as_bytes() {
        [_, _, b'0', b'0', b'0', b'0'] => &code[..2],
        [_, _, _, _, b'0', b'0'] => &code[..4],
        _ => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_holds_those_below_it() {
        assert_eq!(prefix("420000"), "42");
        assert_eq!(prefix("420100"), "4201");
        assert_eq!(prefix("420111"), "420111");
    }

    #[test]
    fn a_name_goes_from_province_to_county() {
        let region = |name: &str, parent: Option<&str>, hidden| Region {
            name: name.to_owned(),
            parent: parent.map(ToOwned::to_owned),
            hidden,
        };
        let regions = Regions(HashMap::from([
            ("110000".to_owned(), region("北京市", None, false)),
            ("110100".to_owned(), region("市辖区", Some("110000"), true)),
            ("110101".to_owned(), region("东城区", Some("110100"), false)),
        ]));
        assert_eq!(regions.full_name("110101").as_deref(), Some("北京市东城区"));
        assert_eq!(regions.full_name("999999"), None);
    }
}
