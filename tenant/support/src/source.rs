//! Where the records of a source lie: the caller's own area, or `platform` as the people of the caller's school find it.

use std::collections::HashMap;

use infra::{App, Error, ReadTx, Result, access::Caller};
use sqlx::PgConnection;
use support_rules::enums::SupportSource;

/// A look at the records of a source.
pub(crate) struct Place {
    pub tx: ReadTx,
    pub source: SupportSource,
    /// The records are the platform's, as far as this school's people find them.
    pub school: Option<i64>,
}

/// What the caller's own area is.
pub(crate) fn own(caller: &Caller) -> SupportSource {
    if caller.session.school_id.is_some() { SupportSource::School } else { SupportSource::Platform }
}

/// Whether a source is the platform's, seen from a school.
///
/// # Errors
/// 400 for a school's records outside of schools.
pub(crate) fn seen_from_school(caller: &Caller, source: Option<SupportSource>) -> Result<Option<i64>> {
    match (source, caller.session.school_id) {
        (Some(SupportSource::School), None) => Err(Error::malformed()),
        (Some(SupportSource::Platform), school) => Ok(school),
        (Some(SupportSource::School) | None, _) => Ok(None),
    }
}

/// Opens a source; without one it is the caller's own area.
///
/// # Errors
/// 400 for a school's records outside of schools.
pub(crate) async fn of(caller: &Caller, source: Option<SupportSource>) -> Result<Place> {
    let school = seen_from_school(caller, source)?;
    let tx = if school.is_some() { caller.app().platform_read().await? } else { caller.home_read().await? };
    let source = if school.is_some() { SupportSource::Platform } else { own(caller) };
    Ok(Place { tx, source, school })
}

/// The platform's articles that a school hides from its people.
pub(crate) async fn hidden_by(platform: &mut PgConnection, school: i64) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!("select article_id from platform.support_hidden where school_id = $1", school)
        .fetch_all(platform)
        .await?)
}

/// By article of the platform, how many schools hide it.
pub(crate) async fn hiding(platform: &mut PgConnection, articles: &[i64]) -> Result<HashMap<i64, i64>> {
    let rows = sqlx::query!(
        r#"select h.article_id, count(*) as "schools!" from platform.support_hidden h
           join platform.school s on s.id = h.school_id and s.deleted_at is null
           where h.article_id = any($1) group by h.article_id"#,
        articles
    )
    .fetch_all(platform)
    .await?;
    Ok(rows.into_iter().map(|row| (row.article_id, row.schools)).collect())
}

/// The names of schools by their numbers.
pub(crate) async fn school_names(platform: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, String>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = sqlx::query!("select id, name from platform.school where id = any($1)", ids).fetch_all(platform).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.name)).collect())
}

/// The schools that an operator may act for; none for all (01 §1.1).
pub(crate) async fn reach(app: &App, user: i64) -> Result<Option<Vec<i64>>> {
    reach_of(&mut *app.platform_read().await?, user).await
}

/// The same over a connection that stands in `platform` already.
pub(crate) async fn reach_of(platform: &mut PgConnection, user: i64) -> Result<Option<Vec<i64>>> {
    let listed = sqlx::query_scalar!(
        r#"select case when u.school_scope <> 'all' then array(
                      select b.school_id from platform.sys_user_school b where b.user_id = u.id and b.enabled) end as "ids?"
           from platform.sys_user u where u.id = $1"#,
        user
    )
    .fetch_optional(platform)
    .await?;
    Ok(listed.unwrap_or_else(|| Some(Vec::new())))
}
