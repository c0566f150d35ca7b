//! 所在地区: codes of GB/T 2260. They stand in `platform`, where a school's transaction cannot look.

use infra::{App, Error, Result};
use unit_rules::region::{Region, Regions};

use super::Site;

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

/// Gives a site the name of its region: 湖北省武汉市洪山区.
pub(super) fn name(regions: &Regions, site: &mut Site) {
    site.region_name = site.region.as_deref().and_then(|code| regions.full_name(code));
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
