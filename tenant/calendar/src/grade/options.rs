//! A grade as others choose it.

use infra::{
    Result,
    naming::{Codes, switched_off},
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;
use term::{Season, Term};

/// A grade that something is to refer to.
#[derive(Debug, Clone)]
pub struct KnownGrade {
    pub id: i64,
    pub name: String,
    pub entered: Term,
    pub enabled: bool,
}

impl KnownGrade {
    /// # Errors
    /// 422 at the field when the grade was switched off.
    pub fn usable(&self, field: &str) -> Result<()> {
        if self.enabled { Ok(()) } else { Err(switched_off(field, &self.name)) }
    }
}

/// All grades by code, for imports of what refers to them.
pub async fn by_code(connection: &mut PgConnection) -> Result<Codes<KnownGrade>> {
    let rows = sqlx::query!(
        r#"select id, code, name, entry_year, entry_season as "entry_season: Season", enabled from grade"#
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let entered = Term { year: row.entry_year, season: row.entry_season };
            (row.code, KnownGrade { id: row.id, name: row.name, entered, enabled: row.enabled })
        })
        .collect())
}

pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        "select id, code, name, enabled from grade
         where (enabled or not $2) and ($1::text is null or strpos(name, $1) > 0 or starts_with(code, upper($1)))
         order by sort_no, code limit $3",
        asked.keyword,
        asked.only_enabled,
        asked.most
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| OptionItem::of(row.id, row.name, row.code, row.enabled)).collect())
}
