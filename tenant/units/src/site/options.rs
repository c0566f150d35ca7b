//! A site as others choose it.

use infra::{
    Error, Result, Scope,
    naming::{Codes, switched_off},
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

use super::SiteStatus;

/// A site that something is to refer to.
#[derive(Debug, Clone)]
pub struct KnownSite {
    pub id: i64,
    pub name: String,
    pub status: SiteStatus,
}

impl KnownSite {
    /// For enrolment: only a site in use takes new people.
    ///
    /// # Errors
    /// 422 at the field when the site is suspended or closed.
    pub fn enrols(&self, field: &str) -> Result<()> {
        match self.status {
            SiteStatus::Active => Ok(()),
            SiteStatus::Suspended => Err(switched_off(field, &self.name)),
            SiteStatus::Closed => self.stands(field),
        }
    }

    /// For classes: a suspended site goes on with those it has.
    ///
    /// # Errors
    /// 422 at the field when the site is closed.
    pub fn stands(&self, field: &str) -> Result<()> {
        match self.status {
            SiteStatus::Active | SiteStatus::Suspended => Ok(()),
            SiteStatus::Closed => Err(Error::field(field, format!("“{}”已撤销，请选择其他项", self.name))),
        }
    }
}

/// The sites in the scope by code, for imports of what refers to them.
pub async fn by_code(connection: &mut PgConnection, scope: &Scope) -> Result<Codes<KnownSite>> {
    let rows = sqlx::query!(
        r#"select s.id, s.code, s.name, s.status as "status: SiteStatus" from site s
           where ($1::bigint[] is null or s.id = any($1)
                  or exists (select from class c where c.site_id = s.id and c.id = any($2::bigint[])))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.code, KnownSite { id: row.id, name: row.name, status: row.status })).collect())
}

/// Switched on means: in use.
pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select s.id, s.code, s.name, s.status = 'active' as "active!", s.organization_id from site s
           where (s.status = 'active' or not $2)
             and ($1::text is null or strpos(s.name, $1) > 0 or starts_with(lower(s.code), lower($1))
                  or starts_with(s.initials, lower($1)))
             and ($3::bigint is null or s.organization_id = $3)
             and ($4::bigint[] is null or s.id = any($4)
                  or exists (select from class c where c.site_id = s.id and c.id = any($5::bigint[])))
           order by s.code limit $6"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id,
        asked.scope.sites(),
        asked.scope.classes(),
        asked.most
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| OptionItem::of(row.id, row.name, row.code, row.active).below(row.organization_id))
        .collect())
}
