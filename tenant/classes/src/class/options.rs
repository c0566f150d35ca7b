//! A class as others choose it.

use infra::{
    Error, Result, Scope,
    naming::Codes,
    options::{Asked, OptionItem},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::Cohort;

/// A class that something is to refer to.
#[derive(Debug, Clone)]
pub struct KnownClass {
    pub id: i64,
    pub name: String,
    pub cohort: Cohort,
    pub enabled: bool,
}

impl KnownClass {
    /// # Errors
    /// 422 at the field when the class was switched off.
    pub fn usable(&self, field: &str) -> Result<()> {
        if self.enabled { Ok(()) } else { Err(Error::field(field, format!("班级“{}”已停用", self.name))) }
    }
}

/// The classes in the scope by code, for imports of what refers to them.
pub async fn by_code(connection: &mut PgConnection, scope: &Scope) -> Result<Codes<KnownClass>> {
    let rows = sqlx::query!(
        "select id, code, name, grade_id, level_id, major_id, site_id, enabled from class
         where ($1::bigint[] is null or site_id = any($1) or id = any($2::bigint[]))",
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let cohort =
                Cohort { grade_id: row.grade_id, level_id: row.level_id, major_id: row.major_id, site_id: row.site_id };
            (row.code, KnownClass { id: row.id, name: row.name, cohort, enabled: row.enabled })
        })
        .collect())
}

/// What a class has as an option.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct ClassFields {
    /// 年级
    grade_id: Option<i64>,
    /// 层次
    level_id: Option<i64>,
    /// 专业
    major_id: Option<i64>,
    /// 站点
    site_id: Option<i64>,
}

pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select id, code, name, enabled, grade_id, level_id, major_id, site_id from class
           where (enabled or not $2)
             and ($1::text is null or strpos(name, $1) > 0 or starts_with(lower(code), lower($1)) or starts_with(initials, lower($1)))
             and ($3::bigint is null or site_id = $3)
             and ($4::bigint[] is null or site_id = any($4) or id = any($5::bigint[]))
           order by code limit $6"#,
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
        .map(|row| {
            let fields = ClassFields {
                grade_id: Some(row.grade_id),
                level_id: Some(row.level_id),
                major_id: Some(row.major_id),
                site_id: Some(row.site_id),
            };
            OptionItem::of(row.id, row.name, row.code, row.enabled).below(row.site_id).with(&fields)
        })
        .collect())
}
