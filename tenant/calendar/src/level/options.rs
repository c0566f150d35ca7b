//! A level as others choose it.

use futures_util::TryStreamExt;
use infra::{
    Error, Result, Scope,
    across::Keyed,
    naming::{Codes, switched_off},
    options::{Asked, OptionItem},
};
use poem_openapi::Object;
use sqlx::PgConnection;
use term::{EntryLevel, NationalLevel};

use super::{Level, LevelFilter, Levels};

/// A level that something is to refer to.
#[derive(Debug, Clone)]
pub struct KnownLevel {
    pub id: i64,
    pub name: String,
    pub entry_level: EntryLevel,
    pub schooling_years: f64,
    pub max_years: f64,
    pub enabled: bool,
}

impl KnownLevel {
    /// # Errors
    /// 422 at the field when the level was switched off.
    pub fn usable(&self, field: &str) -> Result<()> {
        if self.enabled { Ok(()) } else { Err(switched_off(field, &self.name)) }
    }
}

/// # Errors
/// 422 at `levelId` when there is no such level.
pub async fn chosen(connection: &mut PgConnection, id: i64) -> Result<KnownLevel> {
    let level = Levels::find(connection, id, &Scope::whole_school()).await.map_err(|error| match error.code {
        404 => Error::field("levelId", "所选层次不存在，请重新选择"),
        _ => error,
    })?;
    Ok(known(level).1)
}

/// All levels by code, for imports of what refers to them.
pub async fn by_code(connection: &mut PgConnection) -> Result<Codes<KnownLevel>> {
    let levels = Levels::all(connection, &LevelFilter::default(), &Scope::whole_school()).await?;
    let levels: Vec<Level> = levels.try_collect().await?;
    Ok(levels.into_iter().map(known).collect())
}

fn known(level: Level) -> (String, KnownLevel) {
    let Level { id, code, name, entry_level, schooling_years, max_years, enabled, .. } = level;
    (code, KnownLevel { id, name, entry_level, schooling_years, max_years, enabled })
}

/// What a level has as an option.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct LevelFields {
    /// 起点层次
    entry_level: Option<EntryLevel>,
    /// 培养层次
    national_level: Option<NationalLevel>,
    /// 学制
    schooling_years: Option<f64>,
}

pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select id, code, name, enabled, entry_level as "entry_level: EntryLevel", schooling_years::float8 as "schooling_years!"
           from level
           where (enabled or not $2)
             and ($1::text is null or strpos(name, $1) > 0 or starts_with(lower(code), lower($1)) or starts_with(initials, lower($1)))
           order by sort_no, code limit $3"#,
        asked.keyword,
        asked.only_enabled,
        asked.most
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let fields = LevelFields {
                entry_level: Some(row.entry_level),
                national_level: Some(row.entry_level.national_level()),
                schooling_years: Some(row.schooling_years),
            };
            OptionItem::of(row.id, row.name, row.code, row.enabled).with(&fields)
        })
        .collect())
}
