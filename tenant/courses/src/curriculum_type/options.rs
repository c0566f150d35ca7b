//! A type as others choose it: only leaves carry courses.

use infra::{
    Error, Result,
    naming::switched_off,
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

use super::CurriculumSystemKind;
use crate::course::ExamForm;

/// A type that a course is to hang on.
#[derive(Debug, Clone)]
pub(crate) struct KnownType {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) system_kind: CurriculumSystemKind,
    pub(crate) default_exam_form: Option<ExamForm>,
    pub(crate) enabled: bool,
    pub(crate) is_leaf: bool,
}

impl KnownType {
    /// # Errors
    /// 422 at `typeId` when it was switched off, or has types below it.
    pub(crate) fn usable(&self) -> Result<()> {
        if !self.is_leaf {
            return Err(Error::field("typeId", format!("“{}”下有下级类型，请选择下级类型", self.name)));
        }
        if self.enabled { Ok(()) } else { Err(switched_off("typeId", &self.name)) }
    }
}

/// Locks the type against growing types below it until the course is written.
///
/// # Errors
/// 422 at `typeId` when there is no such type.
pub(crate) async fn chosen(connection: &mut PgConnection, id: i64) -> Result<KnownType> {
    sqlx::query!("lock table curriculum_type in row exclusive mode").execute(&mut *connection).await?;
    let row = sqlx::query_as!(
        KnownType,
        r#"select t.id, t.name, t.system_kind as "system_kind: _", t.default_exam_form as "default_exam_form: _", t.enabled,
                  not exists (select from curriculum_type below where below.parent_id = t.id) as "is_leaf!"
           from curriculum_type t where t.id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?;
    row.ok_or_else(|| Error::field("typeId", "所选课程类型不存在，请重新选择"))
}

/// All types with their codes, for imports of courses.
pub(crate) async fn all(connection: &mut PgConnection) -> Result<Vec<(String, KnownType)>> {
    sqlx::query!("lock table curriculum_type in row exclusive mode").execute(&mut *connection).await?;
    let rows = sqlx::query!(
        r#"select t.id, t.code, t.name, t.system_kind as "system_kind: CurriculumSystemKind",
                  t.default_exam_form as "default_exam_form: ExamForm", t.enabled,
                  not exists (select from curriculum_type below where below.parent_id = t.id) as "is_leaf!"
           from curriculum_type t"#
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let known = KnownType {
                id: row.id,
                name: row.name,
                system_kind: row.system_kind,
                default_exam_form: row.default_exam_form,
                enabled: row.enabled,
                is_leaf: row.is_leaf,
            };
            (row.code, known)
        })
        .collect())
}

/// The leaves, and for the filter of a list (`enabled=false`) their superiors too.
pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select t.id, t.code, t.name, t.enabled, t.parent_id, p.name as "parent_name?"
           from curriculum_type t left join curriculum_type p on p.id = t.parent_id
           where (not $2 or (t.enabled and not exists (select from curriculum_type below where below.parent_id = t.id)))
             and ($1::text is null or strpos(t.name, $1) > 0 or starts_with(lower(t.code), lower($1)) or starts_with(t.initials, lower($1)))
             and ($3::bigint is null or t.parent_id = $3)
           order by coalesce(p.sort_no, t.sort_no), coalesce(p.code, t.code), t.parent_id is not null, t.sort_no, t.code limit $4"#,
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
            let name = match row.parent_name {
                Some(parent) => format!("{parent} / {}", row.name),
                None => row.name,
            };
            OptionItem::of(row.id, name, row.code, row.enabled).below(row.parent_id)
        })
        .collect())
}
