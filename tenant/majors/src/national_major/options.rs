//! A national major as a school chooses it. The rows stand in `platform`, so a school's own transaction cannot look.

use infra::{
    Error, Result,
    options::{Asked, OptionItem},
};
use major_rules::national_major::KnownNationalMajor;
use poem_openapi::Object;
use sqlx::PgConnection;
use term::NationalLevel;

/// # Errors
/// 422 at `nationalMajorId` when there is no such major.
pub(crate) async fn chosen(platform: &mut PgConnection, id: i64) -> Result<KnownNationalMajor> {
    let found = sqlx::query_as!(
        KnownNationalMajor,
        r#"select id, code, name, level as "level: _", degrees, enabled from platform.national_major where id = $1"#,
        id
    )
    .fetch_optional(platform)
    .await?;
    found.ok_or_else(|| Error::field("nationalMajorId", "所选国家专业不存在，请重新选择"))
}

/// All majors, for the import of a school's: of a code with several editions the newest that is switched on.
pub(crate) async fn all(platform: &mut PgConnection) -> Result<Vec<KnownNationalMajor>> {
    let rows = sqlx::query_as!(
        KnownNationalMajor,
        r#"select distinct on (code) id, code, name, level as "level: _", degrees, enabled from platform.national_major
           order by code, enabled desc, year desc"#
    )
    .fetch_all(platform)
    .await?;
    Ok(rows)
}

/// What a national major has as an option.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct NationalMajorFields {
    /// 培养层次
    national_level: Option<NationalLevel>,
    /// 可授学位
    degrees: Option<Vec<String>>,
}

pub(crate) async fn options(platform: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select id, code, name, enabled, level as "level: NationalLevel", degrees from platform.national_major
           where (enabled or not $2)
             and ($1::text is null or strpos(name, $1) > 0 or starts_with(code, upper($1)) or starts_with(initials, lower($1)))
           order by code, year desc limit $3"#,
        asked.keyword,
        asked.only_enabled,
        asked.most
    )
    .fetch_all(platform)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let fields = NationalMajorFields { national_level: Some(row.level), degrees: Some(row.degrees) };
            OptionItem::of(row.id, row.name, row.code, row.enabled).with(&fields)
        })
        .collect())
}
