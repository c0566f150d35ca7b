//! 所在地区: codes of GB/T 2260. They stand in `platform`, where a school's transaction cannot look.

use std::collections::HashMap;

use infra::{App, Error, Result};

use super::Site;

/// All divisions by code, for the names of a page or an export and for the checks of an import.
pub(super) struct Regions(HashMap<String, Region>);

struct Region {
    name: String,
    parent: Option<String>,
    /// 市辖区 and the like, which nobody names.
    hidden: bool,
}

/// Some 3,400 rows, read in a few milliseconds.
pub(super) async fn names(app: &App) -> Result<Regions> {
    let mut tx = app.platform_read().await?;
    let rows = sqlx::query!(r#"select code, name, parent_code, kind = 'virtual' as "hidden!" from platform.region"#)
        .fetch_all(&mut *tx)
        .await?;
    let regions =
        rows.into_iter().map(|row| (row.code, Region { name: row.name, parent: row.parent_code, hidden: row.hidden }));
    Ok(Regions(regions.collect()))
}

impl Regions {
    pub(super) fn has(&self, code: &str) -> bool {
        self.0.contains_key(code)
    }

    /// Gives a site the name of its region: 湖北省武汉市洪山区.
    pub(super) fn name(&self, site: &mut Site) {
        site.region_name = site.region.as_deref().and_then(|code| self.full_name(code));
    }

    fn full_name(&self, code: &str) -> Option<String> {
        let region = self.0.get(code)?;
        let above = region.parent.as_deref().and_then(|parent| self.full_name(parent)).unwrap_or_default();
        Some(if region.hidden { above } else { above + &region.name })
    }
}

/// # Errors
/// 422 at `region` for a code that no division has.
pub(super) async fn check(app: &App, code: Option<&str>) -> Result<()> {
    let Some(code) = code else { return Ok(()) };
    let mut tx = app.platform_read().await?;
    let known = sqlx::query_scalar!(r#"select exists (select from platform.region where code = $1) as "known!""#, code)
        .fetch_one(&mut *tx)
        .await?;
    if known { Ok(()) } else { Err(unknown(code)) }
}

pub(super) fn unknown(code: &str) -> Error {
    Error::field("region", format!("行政区划代码“{code}”不存在"))
}

/// What all codes of a province, prefecture or county begin with.
pub(super) fn prefix(code: &str) -> &str {
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
