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
    /// 领证地点
    /// 不填时为学校设置的领证地点，学校未设时为学生所在站点
    #[oai(validator(max_length = 100))]
    pub collect_place: Option<String>,
    /// 开始领证日期
    /// 打印后从这一天起通知领取；不填时打印后立即通知
    pub collect_from: Option<NaiveDate>,
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
            collect_place: None,
            collect_from: None,
            remark: None,
        }
    }
}

impl GraduationBatchForm {
    /// # Errors
    /// 422 for days in the wrong order.
    fn complete(mut self) -> Result<Self> {
        self.name = tidy(&self.name);
        self.collect_place = self.collect_place.as_deref().map(tidy).filter(|place| !place.is_empty());
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
             major_ids, site_ids, audit_starts_on, audit_ends_on, degree_enabled, collect_place, collect_from, remark, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $19) returning id",
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
        form.collect_place,
        form.collect_from,
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain(constraint, &form))?;
    Ok(Change::created("graduation_batch", id, &form))
}

/// The fields that were changed although they stay: who is in a batch once its audit has begun. Behind the confirmation only the remark,
/// and where and when certificates are fetched, may change.
///
/// # Errors
/// 409 for one that is archived.
fn kept(
    status: GraduationBatchStatus,
    was: &GraduationBatchForm,
    form: &GraduationBatchForm,
) -> Result<Vec<&'static str>> {
    let audited = [
        ("year", was.year == form.year),
        ("season", was.season == form.season),
        ("kind", was.kind == form.kind),
        ("graduatesOn", was.graduates_on == form.graduates_on),
        ("gradeIds", was.grade_ids == form.grade_ids),
        ("levelIds", was.level_ids == form.level_ids),
        ("majorIds", was.major_ids == form.major_ids),
        ("siteIds", was.site_ids == form.site_ids),
    ];
    let confirmed = [
        ("code", was.code == form.code),
        ("name", was.name == form.name),
        ("certificateDate", was.certificate_date == form.certificate_date),
        ("auditStartsOn", was.audit_starts_on == form.audit_starts_on),
        ("auditEndsOn", was.audit_ends_on == form.audit_ends_on),
        ("degreeEnabled", was.degree_enabled == form.degree_enabled),
    ];
    let fields: Vec<(&'static str, bool)> = match status {
        GraduationBatchStatus::Draft => Vec::new(),
        GraduationBatchStatus::Auditing => audited.to_vec(),
        GraduationBatchStatus::Confirmed | GraduationBatchStatus::Registered => [&audited[..], &confirmed[..]].concat(),
        GraduationBatchStatus::Archived => return Err(Error::conflict("毕业批次已归档，不能修改")),
    };
    Ok(fields.into_iter().filter(|(_, same)| !same).map(|(field, _)| field).collect())
}

/// # Errors
/// 409 when it was changed meanwhile or is archived; 422 for what stays once the audit has begun, or is confirmed.
pub(super) async fn update(tx: &mut Tx, edit: Edit<GraduationBatchForm>) -> Result<Change> {
    let Edit { id, version, form } = edit;
    let form = form.complete()?;
    tx.lock("graduation_batch", id).await?;
    let before = Batches::find(tx, id, &Scope::whole_school()).await?;
    let wrong: Vec<FieldError> = kept(before.status, &before.form, &form)?
        .into_iter()
        .map(|field| FieldError {
            field: field.to_owned(), message: format!("批次{}，不能修改", before.status.zh())
        })
        .collect();
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    if before.status == GraduationBatchStatus::Auditing && form.certificate_date.is_none() {
        return Err(Error::field("certificateDate", "请填写发证日期"));
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update graduation_batch set code = $3, name = $4, initials = $5, year = $6, season = $7, kind = $8, graduates_on = $9,
                certificate_date = $10, grade_ids = $11, level_ids = $12, major_ids = $13, site_ids = $14, audit_starts_on = $15,
                audit_ends_on = $16, degree_enabled = $17, collect_place = $18, collect_from = $19, remark = $20, updated_at = now(),
                updated_by = $21, version = version + 1
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
        form.collect_place,
        form.collect_from,
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
