//! A knowledge point: what a registrar types, and how it is written.

use infra::{
    Change, Edit, Error, OnConstraint, Result, Tx,
    naming::{code_taken, name_taken, tidy},
    pinyin,
};
use poem_openapi::{Object, types::Example};

use super::{select::find, tree::may_stand};

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct KnowledgePointForm {
    /// 课程
    pub course_id: i64,
    /// 上级知识点
    pub parent_id: Option<i64>,
    /// 编码
    /// 1至32位字母、数字、下划线或短横线，同一课程中不重复
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub code: String,
    /// 名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 排序
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort_no: i32,
}

impl Example for KnowledgePointForm {
    fn example() -> Self {
        Self { course_id: 1, parent_id: None, code: "HBZN".to_owned(), name: "货币职能".to_owned(), sort_no: 0 }
    }
}

/// The caller holds the course.
pub(super) async fn insert(tx: &mut Tx, form: &KnowledgePointForm) -> Result<(i64, Change)> {
    may_stand(tx, form.course_id, None, form.parent_id).await?;
    let name = tidy(&form.name);
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into knowledge_point (course_id, parent_id, code, name, initials, sort_no, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        form.course_id,
        form.parent_id,
        form.code,
        name,
        pinyin::text_initials(&name),
        form.sort_no,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.code, &name))?;
    Ok((id, Change::created("knowledge_point", id, form)))
}

/// Moving a point takes those below it along. The caller holds the course.
pub(super) async fn update(tx: &mut Tx, edit: &Edit<KnowledgePointForm>) -> Result<Change> {
    let before = find(tx, edit.id).await?;
    let form = &edit.form;
    if before.course_id != form.course_id {
        return Err(Error::field("courseId", "知识点不能移到其他课程"));
    }
    if before.parent_id != form.parent_id {
        may_stand(tx, form.course_id, Some(edit.id), form.parent_id).await?;
    }
    let name = tidy(&form.name);
    let by = tx.by();
    let changed = sqlx::query!(
        "update knowledge_point set parent_id = $3, code = $4, name = $5, initials = $6, sort_no = $7, updated_at = now(),
                updated_by = $8, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.parent_id,
        form.code,
        name,
        pinyin::text_initials(&name),
        form.sort_no,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.code, &name))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("knowledge_point", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("knowledge_point", edit.id, &before, &after))
}

fn explain_constraint(constraint: &str, code: &str, name: &str) -> Option<Error> {
    match constraint {
        "knowledge_point_code_taken" => Some(code_taken(code)),
        "knowledge_point_name_taken" => Some(name_taken(name)),
        _ => None,
    }
}
