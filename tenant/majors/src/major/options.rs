//! A major as others choose it.

use infra::{
    Result,
    naming::{Codes, switched_off},
    options::{Asked, OptionItem},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::StudyForm;

/// A major that something is to refer to.
#[derive(Debug, Clone)]
pub struct KnownMajor {
    pub id: i64,
    pub name: String,
    pub level_id: i64,
    pub study_form: StudyForm,
    pub schooling_years: f64,
    pub enabled: bool,
}

impl KnownMajor {
    /// # Errors
    /// 422 at the field when the major was switched off.
    pub fn usable(&self, field: &str) -> Result<()> {
        if self.enabled { Ok(()) } else { Err(switched_off(field, &self.name)) }
    }
}

/// All majors by code, for imports of what refers to them.
pub async fn by_code(connection: &mut PgConnection) -> Result<Codes<KnownMajor>> {
    let rows = sqlx::query!(
        r#"select id, code, name, level_id, study_form as "study_form: StudyForm",
                  schooling_years::float8 as "schooling_years!", enabled
           from major"#
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let known = KnownMajor {
                id: row.id,
                name: row.name,
                level_id: row.level_id,
                study_form: row.study_form,
                schooling_years: row.schooling_years,
                enabled: row.enabled,
            };
            (row.code, known)
        })
        .collect())
}

/// What a major has as an option.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct MajorFields {
    /// 层次
    level_id: Option<i64>,
    /// 学习形式
    study_form: Option<StudyForm>,
    /// 学制
    schooling_years: Option<f64>,
}

pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select id, code, name, enabled, level_id, study_form as "study_form: StudyForm",
                  schooling_years::float8 as "schooling_years!"
           from major
           where (enabled or not $2)
             and ($1::text is null or strpos(name, $1) > 0 or starts_with(lower(code), lower($1)) or starts_with(initials, lower($1)))
             and ($3::bigint is null or level_id = $3)
           order by sort_no, code limit $4"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id,
        asked.most
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let fields = MajorFields {
                level_id: Some(row.level_id),
                study_form: Some(row.study_form),
                schooling_years: Some(row.schooling_years),
            };
            OptionItem::of(row.id, row.name, row.code, row.enabled).below(row.level_id).with(&fields)
        })
        .collect())
}
