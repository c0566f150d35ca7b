//! What a registrar types of a batch, and how it is written.

use chrono::NaiveDate;
use infra::{
    Change, Edit, Error, OnConstraint, Result, Scope, Tx,
    clock::Moment,
    naming::{code_taken, name_taken, switched_off, tidy},
};
use poem_openapi::{Object, types::Example};

use super::{ChangeBatch, lock, select::find};
use crate::ChangeType;

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ChangeBatchForm {
    /// 编码
    /// 2至20个字母、数字或短横线，如 2026-1
    #[oai(validator(pattern = "^[A-Za-z0-9-]{2,20}$"))]
    pub code: String,
    /// 名称
    #[oai(validator(min_length = 2, max_length = 50))]
    pub name: String,
    /// 类型
    #[oai(validator(min_items = 1, max_items = 7))]
    pub types: Vec<ChangeType>,
    /// 年级
    /// 不填时不限年级
    #[oai(default, validator(max_items = 100))]
    pub grade_ids: Vec<i64>,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 生效日期
    /// 不填时批准当日生效
    pub effective_on: Option<NaiveDate>,
    /// 站点审核
    #[oai(default = "on")]
    pub site_review: bool,
    /// 学员可申请
    #[oai(default)]
    pub client_entry: bool,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for ChangeBatchForm {
    fn example() -> Self {
        let at = |text: &str| text.parse().unwrap_or_default();
        Self {
            code: "2026-1".to_owned(),
            name: "2026年春季学籍异动".to_owned(),
            types: vec![ChangeType::Professional, ChangeType::ClassChange],
            grade_ids: Vec::new(),
            starts_at: at("2026-03-01T00:00:00+08:00"),
            ends_at: at("2026-04-01T00:00:00+08:00"),
            effective_on: NaiveDate::from_ymd_opt(2026, 9, 1),
            site_review: true,
            client_entry: false,
            enabled: true,
        }
    }
}

impl ChangeBatchForm {
    /// In the order of the types, each once.
    fn types(&self) -> Vec<&'static str> {
        let wanted = |(_, kind): &&(&str, ChangeType)| self.types.contains(kind);
        ChangeType::CHOICES.iter().filter(wanted).map(|(_, kind)| kind.as_str()).collect()
    }
}

/// Whether the times are in order, and whether the grades may be chosen; one that stays may be switched off meanwhile.
///
/// # Errors
/// 422 at the field that is wrong.
async fn check(tx: &mut Tx, form: &ChangeBatchForm, before: Option<&ChangeBatch>) -> Result<()> {
    if form.ends_at <= form.starts_at {
        return Err(Error::field("endsAt", "结束时间须晚于开始时间"));
    }
    if form.effective_on.is_some_and(|on| on < form.starts_at.date_naive()) {
        return Err(Error::field("effectiveOn", "生效日期不能早于开始时间"));
    }
    let grades = sqlx::query!(
        r#"select w.id as "id!", g.name as "name?", g.enabled as "enabled?"
           from unnest($1::bigint[]) as w (id) left join grade g on g.id = w.id"#,
        &form.grade_ids
    )
    .fetch_all(&mut **tx)
    .await?;
    for grade in grades {
        let name = grade.name.ok_or_else(|| Error::field("gradeIds", "所选年级不存在，请重新选择"))?;
        let kept = before.is_some_and(|before| before.grade_ids.contains(&grade.id));
        if grade.enabled != Some(true) && !kept {
            return Err(switched_off("gradeIds", &name));
        }
    }
    Ok(())
}

pub(super) async fn insert(tx: &mut Tx, form: &ChangeBatchForm) -> Result<(i64, Change)> {
    check(tx, form, None).await?;
    let (name, types, by) = (tidy(&form.name), form.types(), tx.by());
    let id = sqlx::query_scalar!(
        "insert into change_batch (code, name, types, starts_at, ends_at, effective_on, site_review, client_entry, enabled,
                                   created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning id",
        form.code,
        name,
        &types as _,
        form.starts_at,
        form.ends_at,
        form.effective_on,
        form.site_review,
        form.client_entry,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.code, &name))?;
    set_grades(tx, id, &form.grade_ids).await?;
    Ok((id, Change::created("change_batch", id, form)))
}

/// # Errors
/// 422 at a wrong field; 409 when a type or a grade goes of which there are applications, or when somebody else edited meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: &Edit<ChangeBatchForm>, now: Moment) -> Result<Change> {
    let form = &edit.form;
    let before = lock(tx, edit.id, now).await?;
    check(tx, form, Some(&before)).await?;
    let leaving: Vec<String> =
        before.types.iter().filter(|kind| !form.types.contains(kind)).map(|kind| kind.as_str().to_owned()).collect();
    if !leaving.is_empty() {
        unused(tx, edit.id, &leaving).await?;
    }
    if !form.grade_ids.is_empty() {
        unused_by_grade(tx, &before, &form.grade_ids).await?;
    }
    let (name, types, by) = (tidy(&form.name), form.types(), tx.by());
    let changed = sqlx::query!(
        "update change_batch set code = $3, name = $4, types = $5, starts_at = $6, ends_at = $7, effective_on = $8,
                site_review = $9, client_entry = $10, enabled = $11, updated_at = now(), updated_by = $12,
                version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.code,
        name,
        &types as _,
        form.starts_at,
        form.ends_at,
        form.effective_on,
        form.site_review,
        form.client_entry,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.code, &name))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("change_batch", edit.id).await);
    }
    set_grades(tx, edit.id, &form.grade_ids).await?;
    let after = find(tx, edit.id, &Scope::whole_school(), now).await?;
    Ok(Change::edited("change_batch", edit.id, &before, &after))
}

/// # Errors
/// 409 for the first of the types of which there are applications.
async fn unused(tx: &mut Tx, id: i64, types: &[String]) -> Result<()> {
    let found = sqlx::query!(
        r#"select type as "kind: ChangeType", count(*) as "count!" from student_change
           where change_batch_id = $1 and type = any($2) group by type order by type limit 1"#,
        id,
        types
    )
    .fetch_optional(&mut **tx)
    .await?;
    found.map_or(Ok(()), |row| {
        Err(Error::conflict(format!("批次下已有{}条“{}”的申请，不能移除该类型", row.count, row.kind.zh())))
    })
}

/// # Errors
/// 409 for the first of the grades of which there are applications and that the batch would not be for any more.
async fn unused_by_grade(tx: &mut Tx, before: &ChangeBatch, grades: &[i64]) -> Result<()> {
    let was_for: Option<&[i64]> = Some(before.grade_ids.as_slice()).filter(|grades| !grades.is_empty());
    let found = sqlx::query!(
        r#"select g.name as "name!", count(*) as "count!" from student_change c
           join grade g on g.id = (c.before ->> 'gradeId')::bigint
           where c.change_batch_id = $1 and g.id <> all($2) and ($3::bigint[] is null or g.id = any($3))
           group by g.id, g.name order by g.name limit 1"#,
        before.id,
        grades,
        was_for
    )
    .fetch_optional(&mut **tx)
    .await?;
    found.map_or(Ok(()), |row| {
        Err(Error::conflict(format!("批次下已有{}条{}学生的申请，不能移除该年级", row.count, row.name)))
    })
}

/// Replaces the grades of a batch.
async fn set_grades(tx: &mut Tx, id: i64, grades: &[i64]) -> Result<()> {
    sqlx::query!("delete from change_batch_grade where change_batch_id = $1 and grade_id <> all($2)", id, grades)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into change_batch_grade (change_batch_id, grade_id)
         select distinct $1::bigint, w.id from unnest($2::bigint[]) as w (id)
         on conflict do nothing",
        id,
        grades
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

fn explain_constraint(constraint: &str, code: &str, name: &str) -> Option<Error> {
    match constraint {
        "change_batch_code_taken" => Some(code_taken(code)),
        "change_batch_name_taken" => Some(name_taken(name)),
        _ => None,
    }
}
