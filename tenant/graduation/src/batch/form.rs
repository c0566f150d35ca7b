//! What a registrar types of a batch, and how it is written.

use chrono::NaiveDate;
use infra::{
    Change, Edit, Error, FieldError, OnConstraint, Result, Scope, Tx,
    across::Keyed,
    naming::{code_taken, name_taken, tidy},
    pinyin,
};
use poem_openapi::{Object, types::Example};
use term::Season;

use super::Batches;
use crate::enums::{GraduationBatchKind, GraduationBatchStatus};

/// What a registrar types.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GraduationBatchForm {
    /// 批次编码
    /// 字母、数字、横线和下划线
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub code: String,
    /// 批次名称
    #[oai(validator(min_length = 1, max_length = 60))]
    pub name: String,
    /// 年份
    #[oai(validator(minimum(value = "1980"), maximum(value = "2100")))]
    pub year: i32,
    /// 季节
    pub season: Season,
    /// 批次类型
    pub kind: GraduationBatchKind,
    /// 毕业日期
    pub graduates_on: Option<NaiveDate>,
    /// 发证日期
    pub certificate_date: Option<NaiveDate>,
    /// 年级
    /// 不填时为全部，下同
    #[oai(default, validator(max_items = 200))]
    pub grade_ids: Vec<i64>,
    /// 层次
    #[oai(default, validator(max_items = 200))]
    pub level_ids: Vec<i64>,
    /// 专业
    #[oai(default, validator(max_items = 1000))]
    pub major_ids: Vec<i64>,
    /// 站点
    #[oai(default, validator(max_items = 1000))]
    pub site_ids: Vec<i64>,
    /// 审核开始
    pub audit_starts_on: Option<NaiveDate>,
    /// 审核结束
    pub audit_ends_on: Option<NaiveDate>,
    /// 开放学位申请
    #[oai(default)]
    pub degree_enabled: bool,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
}

impl Example for GraduationBatchForm {
    fn example() -> Self {
        Self {
            code: "2028A".to_owned(),
            name: "2028年秋季".to_owned(),
            year: 2028,
            season: Season::Autumn,
            kind: GraduationBatchKind::Regular,
            graduates_on: NaiveDate::from_ymd_opt(2028, 7, 10),
            certificate_date: NaiveDate::from_ymd_opt(2028, 7, 10),
            grade_ids: Vec::new(),
            level_ids: Vec::new(),
            major_ids: Vec::new(),
            site_ids: Vec::new(),
            audit_starts_on: None,
            audit_ends_on: None,
            degree_enabled: true,
            remark: None,
        }
    }
}

impl GraduationBatchForm {
    /// # Errors
    /// 422 for days in the wrong order.
    fn complete(mut self) -> Result<Self> {
        self.name = tidy(&self.name);
        for ids in [&mut self.grade_ids, &mut self.level_ids, &mut self.major_ids, &mut self.site_ids] {
            ids.sort_unstable();
            ids.dedup();
        }
        if self.audit_starts_on.zip(self.audit_ends_on).is_some_and(|(from, to)| to < from) {
            return Err(Error::field("auditEndsOn", "审核结束不能早于审核开始"));
        }
        Ok(self)
    }
}

fn explain(constraint: &str, form: &GraduationBatchForm) -> Option<Error> {
    match constraint {
        "graduation_batch_code_taken" => Some(code_taken(&form.code)),
        "graduation_batch_name_taken" => Some(name_taken(&form.name)),
        "graduation_batch_season_taken" => {
            Some(Error::field("season", format!("{}年{}已有{}批次", form.year, form.season.zh(), form.kind.zh())))
        }
        _ => None,
    }
}

pub(crate) async fn insert(tx: &mut Tx, form: GraduationBatchForm) -> Result<Change> {
    let form = form.complete()?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into graduation_batch (code, name, initials, year, season, kind, graduates_on, certificate_date, grade_ids, level_ids,
             major_ids, site_ids, audit_starts_on, audit_ends_on, degree_enabled, remark, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17) returning id",
        form.code,
        form.name,
        pinyin::text_initials(&form.name),
        form.year,
        form.season.as_str(),
        form.kind.as_str(),
        form.graduates_on,
        form.certificate_date,
        &form.grade_ids,
        &form.level_ids,
        &form.major_ids,
        &form.site_ids,
        form.audit_starts_on,
        form.audit_ends_on,
        form.degree_enabled,
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain(constraint, &form))?;
    Ok(Change::created("graduation_batch", id, &form))
}

/// # Errors
/// 409 when it was changed meanwhile or is confirmed; 422 for what stays once the audit has begun.
pub(super) async fn update(tx: &mut Tx, edit: Edit<GraduationBatchForm>) -> Result<Change> {
    let Edit { id, version, form } = edit;
    let form = form.complete()?;
    tx.lock("graduation_batch", id).await?;
    let before = Batches::find(tx, id, &Scope::whole_school()).await?;
    match before.status {
        GraduationBatchStatus::Draft => {}
        GraduationBatchStatus::Auditing => {
            let was = &before.form;
            let fixed = [
                ("year", was.year == form.year),
                ("season", was.season == form.season),
                ("kind", was.kind == form.kind),
                ("graduatesOn", was.graduates_on == form.graduates_on),
                ("gradeIds", was.grade_ids == form.grade_ids),
                ("levelIds", was.level_ids == form.level_ids),
                ("majorIds", was.major_ids == form.major_ids),
                ("siteIds", was.site_ids == form.site_ids),
            ];
            let wrong =
                fixed.into_iter().filter(|(_, same)| !same).map(|(field, _)| FieldError {
                    field: field.to_owned(),
                    message: "批次审核中，不能修改".to_owned(),
                });
            let wrong: Vec<FieldError> = wrong.collect();
            if !wrong.is_empty() {
                return Err(Error::fields(wrong));
            }
            if form.certificate_date.is_none() {
                return Err(Error::field("certificateDate", "请填写发证日期"));
            }
        }
        status => return Err(Error::conflict(format!("毕业批次{}，不能修改", status.zh()))),
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update graduation_batch set code = $3, name = $4, initials = $5, year = $6, season = $7, kind = $8, graduates_on = $9,
                certificate_date = $10, grade_ids = $11, level_ids = $12, major_ids = $13, site_ids = $14, audit_starts_on = $15,
                audit_ends_on = $16, degree_enabled = $17, remark = $18, updated_at = now(), updated_by = $19, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        form.code,
        form.name,
        pinyin::text_initials(&form.name),
        form.year,
        form.season.as_str(),
        form.kind.as_str(),
        form.graduates_on,
        form.certificate_date,
        &form.grade_ids,
        &form.level_ids,
        &form.major_ids,
        &form.site_ids,
        form.audit_starts_on,
        form.audit_ends_on,
        form.degree_enabled,
        form.remark,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain(constraint, &form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("graduation_batch", id).await);
    }
    Ok(Change::edited("graduation_batch", id, &before.form, &form))
}
