//! What a registrar types of a batch, and how it is written.

use infra::{
    Change, Edit, Error, OnConstraint, Result, RichText, Scope, Tx,
    clock::Moment,
    naming::{code_taken, name_taken, switched_off, tidy},
    setting::Setting,
};
use poem_openapi::{Object, types::Example};

use super::{PreRegistrationBatchView, link::new_token, lock, select::find, usage};

/// Whether people of a new batch are looked through before they count (01 §13).
pub(super) const PRE_REGISTRATION_AUDIT: Setting =
    Setting::yes_no("preRegistrationAudit", "预报名须审核", true, "关闭后预报名提交即通过");

/// Characters of a notice.
const NOTICE: usize = 20_000;

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PreRegistrationBatchForm {
    /// 批次编码
    /// 2至20个字母、数字或短横线，如 2026-1
    #[oai(validator(pattern = "^[A-Za-z0-9-]{2,20}$"))]
    pub code: String,
    /// 名称
    #[oai(validator(min_length = 2, max_length = 50))]
    pub name: String,
    /// 年级
    pub grade_id: i64,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 招生层次
    #[oai(validator(min_items = 1, max_items = 100))]
    pub level_ids: Vec<i64>,
    /// 需审核
    /// 不填时按院校设置“预报名须审核”
    pub need_audit: Option<bool>,
    /// 报名须知
    /// 文字最多20000个字符
    pub notice: Option<RichText>,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for PreRegistrationBatchForm {
    fn example() -> Self {
        let at = |text: &str| text.parse().unwrap_or_default();
        Self {
            code: "2026-1".to_owned(),
            name: "2026级预报名".to_owned(),
            grade_id: 1,
            starts_at: at("2025-07-01T00:00:00+08:00"),
            ends_at: at("2025-09-11T00:00:00+08:00"),
            level_ids: vec![1],
            need_audit: Some(true),
            notice: None,
            enabled: true,
        }
    }
}

impl PreRegistrationBatchForm {
    /// What is kept of the notice: nothing of one without words.
    ///
    /// # Errors
    /// 422 when it is too long.
    fn notice(&self) -> Result<Option<&str>> {
        let Some(text) = self.notice.as_ref().filter(|text| !text.is_blank()) else { return Ok(None) };
        text.at_most("notice", "报名须知", NOTICE)?;
        Ok(Some(text.as_str()))
    }
}

/// Whether the times are in order, and whether grade and levels may be chosen; what stays as it was `before` may be switched
/// off meanwhile.
///
/// # Errors
/// 422 at the field that is wrong.
async fn check(tx: &mut Tx, form: &PreRegistrationBatchForm, before: Option<&PreRegistrationBatchView>) -> Result<()> {
    if form.ends_at <= form.starts_at {
        return Err(Error::field("endsAt", "结束时间须晚于开始时间"));
    }
    let same_grade = before.is_some_and(|before| before.batch.grade_id == form.grade_id);
    usable_grade(tx, form.grade_id, same_grade).await?;
    let levels = sqlx::query!(
        r#"select w.id as "id!", l.name as "name?", l.enabled as "enabled?"
           from unnest($1::bigint[]) as w (id) left join level l on l.id = w.id"#,
        &form.level_ids
    )
    .fetch_all(&mut **tx)
    .await?;
    for level in levels {
        let name = level.name.ok_or_else(|| Error::field("levelIds", "所选层次不存在，请重新选择"))?;
        let kept = before.is_some_and(|before| before.batch.level_ids.contains(&level.id));
        if level.enabled != Some(true) && !kept {
            return Err(switched_off("levelIds", &name));
        }
    }
    Ok(())
}

/// Whether a batch may be for this grade; a batch that is for it already keeps it. Answers the year of entry.
///
/// # Errors
/// 422 at `gradeId`.
pub(super) async fn usable_grade(tx: &mut Tx, id: i64, kept: bool) -> Result<i32> {
    let grade = sqlx::query!("select name, entry_year, enabled from grade where id = $1", id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("gradeId", "所选年级不存在，请重新选择"))?;
    if grade.enabled || kept { Ok(grade.entry_year) } else { Err(switched_off("gradeId", &grade.name)) }
}

pub(super) async fn insert(tx: &mut Tx, form: &PreRegistrationBatchForm) -> Result<(i64, Change)> {
    check(tx, form, None).await?;
    let notice = form.notice()?;
    let need_audit = match form.need_audit {
        Some(wanted) => wanted,
        None => PRE_REGISTRATION_AUDIT.is_on(tx).await?,
    };
    let name = tidy(&form.name);
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into pre_registration_batch (code, name, grade_id, starts_at, ends_at, need_audit, notice, enabled, public_token,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning id",
        form.code,
        name,
        form.grade_id,
        form.starts_at,
        form.ends_at,
        need_audit,
        notice,
        form.enabled,
        new_token(tx.app()),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.code, &name))?;
    set_levels(tx, id, &form.level_ids).await?;
    let told = PreRegistrationBatchForm { need_audit: Some(need_audit), ..form.clone() };
    Ok((id, Change::created("pre_registration_batch", id, &told)))
}

/// # Errors
/// 422 at a wrong field; 409 when a grade or a level goes that somebody has chosen, when a level goes whose majors are
/// offered, or when somebody else edited meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: &Edit<PreRegistrationBatchForm>, now: Moment) -> Result<Change> {
    let form = &edit.form;
    let before = lock(tx, edit.id, now).await?;
    check(tx, form, Some(&before)).await?;
    let notice = form.notice()?;
    if before.batch.grade_id != form.grade_id {
        usage::grade(tx, edit.id).await?;
    }
    let leaving: Vec<i64> = before.batch.level_ids.iter().filter(|id| !form.level_ids.contains(id)).copied().collect();
    if !leaving.is_empty() {
        usage::levels(tx, edit.id, &leaving).await?;
        offered_below(tx, edit.id, &leaving).await?;
    }
    let name = tidy(&form.name);
    let by = tx.by();
    let changed = sqlx::query!(
        "update pre_registration_batch set code = $3, name = $4, grade_id = $5, starts_at = $6, ends_at = $7,
                need_audit = coalesce($8, need_audit), notice = $9, enabled = $10,
                updated_at = now(), updated_by = $11, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.code,
        name,
        form.grade_id,
        form.starts_at,
        form.ends_at,
        form.need_audit,
        notice,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.code, &name))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("pre_registration_batch", edit.id).await);
    }
    set_levels(tx, edit.id, &form.level_ids).await?;
    let after = find(tx, edit.id, &Scope::whole_school(), now).await?;
    Ok(Change::edited("pre_registration_batch", edit.id, &before, &after))
}

/// # Errors
/// 409 when majors of these levels are offered: they would belong to no level of the batch.
async fn offered_below(tx: &mut Tx, id: i64, levels: &[i64]) -> Result<()> {
    let found = sqlx::query!(
        r#"select l.name, count(*) as "majors!" from pre_registration_batch_major o
           join major m on m.id = o.major_id join level l on l.id = m.level_id
           where o.batch_id = $1 and l.id = any($2) group by l.id, l.name order by l.id limit 1"#,
        id,
        levels
    )
    .fetch_optional(&mut **tx)
    .await?;
    found.map_or(Ok(()), |row| {
        Err(Error::conflict(format!("层次“{}”下已设置{}个专业，请先在“专业站点”中移除", row.name, row.majors)))
    })
}

/// Replaces the levels of a batch.
pub(super) async fn set_levels(tx: &mut Tx, id: i64, levels: &[i64]) -> Result<()> {
    sqlx::query!("delete from pre_registration_batch_level where batch_id = $1 and level_id <> all($2)", id, levels)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into pre_registration_batch_level (batch_id, level_id)
         select distinct $1::bigint, w.id from unnest($2::bigint[]) as w (id)
         on conflict do nothing",
        id,
        levels
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(super) fn explain_constraint(constraint: &str, code: &str, name: &str) -> Option<Error> {
    match constraint {
        "pre_registration_batch_code_taken" => Some(code_taken(code)),
        "pre_registration_batch_name_taken" => Some(name_taken(name)),
        _ => None,
    }
}
