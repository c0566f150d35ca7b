//! A major of a batch as plans choose it.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use majors::major::StudyForm;
use poem_openapi::Object;
use sqlx::PgConnection;

/// What a major of a batch has as an option.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct EnrollmentMajorFields {
    /// 层次
    level_name: Option<String>,
    /// 学习形式
    study_form: Option<StudyForm>,
    /// 计划数
    quota: Option<i32>,
}

pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select e.id, e.batch_id, m.code, m.name, e.enabled, l.name as level_name, m.study_form as "study_form: StudyForm", e.quota
           from enrollment_major e join major m on m.id = e.major_id join level l on l.id = e.level_id
           where (e.enabled or not $2)
             and ($1::text is null or strpos(m.name, $1) > 0 or starts_with(lower(m.code), lower($1))
                  or starts_with(m.initials, lower($1)))
             and ($3::bigint is null or e.batch_id = $3)
           order by l.sort_no, l.code, m.code, e.id limit 500"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let fields = EnrollmentMajorFields {
                level_name: Some(row.level_name),
                study_form: Some(row.study_form),
                quota: Some(row.quota),
            };
            OptionItem::of(row.id, row.name, row.code, row.enabled).below(row.batch_id).with(&fields)
        })
        .collect())
}
