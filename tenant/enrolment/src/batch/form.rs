//! What a registrar types of a batch, and how it is written.

use chrono::NaiveDate;
use infra::{
    Change, Edit, Error, OnConstraint, Result, Scope, Tx,
    across::Keyed,
    clock::Moment,
    naming::{code_taken, name_taken, switched_off, tidy},
};
use poem_openapi::{
    Object,
    types::{Example, ToJSON},
};
use term::{Season, Term};

use super::{EnrollmentBatch, EnrollmentBatches, lock, mapping};

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct EnrollmentBatchForm {
    /// 编码
    /// 2至20个字母、数字或短横线，如 2026-1
    #[oai(validator(pattern = "^[A-Za-z0-9-]{2,20}$"))]
    pub code: String,
    /// 名称
    #[oai(validator(min_length = 2, max_length = 50))]
    pub name: String,
    /// 招生年度
    /// 考试的年份，春季入学为入学年份的前一年
    #[oai(validator(minimum(value = "1980"), maximum(value = "2100")))]
    pub year: i32,
    /// 入学季
    pub season: Season,
    /// 年级
    pub grade_id: i64,
    /// 入学日期
    /// 不填时为年级的入学日期
    pub enrolled_on: Option<NaiveDate>,
    /// 站点申报截止
    /// 此后站点不能再提交；不填时到批次结束为止
    pub site_apply_ends_at: Option<Moment>,
    /// 报到开始
    pub report_starts_at: Option<Moment>,
    /// 报到结束
    pub report_ends_at: Option<Moment>,
}

impl Example for EnrollmentBatchForm {
    fn example() -> Self {
        let at = |text: &str| text.parse().ok();
        Self {
            code: "2026-1".to_owned(),
            name: "2026级招生".to_owned(),
            year: 2025,
            season: Season::Spring,
            grade_id: 1,
            enrolled_on: NaiveDate::from_ymd_opt(2026, 3, 1),
            site_apply_ends_at: at("2025-09-01T00:00:00+08:00"),
            report_starts_at: at("2026-03-01T00:00:00+08:00"),
            report_ends_at: at("2026-04-01T00:00:00+08:00"),
        }
    }
}

/// Whether times and season are in order, and whether the grade may be chosen; one that stays may be switched off
/// meanwhile. Answers the day of entry.
///
/// # Errors
/// 422 at the field that is wrong.
async fn check(tx: &mut Tx, form: &EnrollmentBatchForm, before: Option<&EnrollmentBatch>) -> Result<NaiveDate> {
    if let (Some(starts), Some(ends)) = (form.report_starts_at, form.report_ends_at)
        && ends <= starts
    {
        return Err(Error::field("reportEndsAt", "报到结束时间须晚于报到开始时间"));
    }
    let kept = before.is_some_and(|before| before.grade_id == form.grade_id);
    let entered = usable_grade(tx, form.grade_id, kept).await?;
    if entered.season != form.season {
        return Err(Error::field("season", format!("所选年级为{}入学", entered.season.zh())));
    }
    let entry_on = form.enrolled_on.or_else(|| entered.entry_on());
    entry_on.ok_or_else(|| Error::field("enrolledOn", "请填写入学日期"))
}

/// When people of the grade enter.
///
/// # Errors
/// 422 at `gradeId` when it cannot be chosen.
pub(super) async fn usable_grade(tx: &mut Tx, id: i64, kept: bool) -> Result<Term> {
    let grade = sqlx::query!(
        r#"select name, entry_year, entry_season as "season: Season", enabled from grade where id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("gradeId", "所选年级不存在，请重新选择"))?;
    if grade.enabled || kept {
        Ok(Term { year: grade.entry_year, season: grade.season })
    } else {
        Err(switched_off("gradeId", &grade.name))
    }
}

pub(super) async fn insert(tx: &mut Tx, form: EnrollmentBatchForm) -> Result<(i64, Change)> {
    let enrolled_on = check(tx, &form, None).await?;
    let form = EnrollmentBatchForm { enrolled_on: Some(enrolled_on), name: tidy(&form.name), ..form };
    let (columns, values) = (mapping::usual_columns(), mapping::usual_values());
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into enrollment_batch (code, name, year, season, grade_id, enrolled_on, site_apply_ends_at, report_starts_at,
             report_ends_at, column_map, value_maps, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12) returning id",
        form.code,
        form.name,
        form.year,
        form.season.as_str(),
        form.grade_id,
        enrolled_on,
        form.site_apply_ends_at,
        form.report_starts_at,
        form.report_ends_at,
        columns.to_json(),
        values.to_json(),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.code, &form.name))?;
    Ok((id, Change::created("enrollment_batch", id, &form)))
}

/// # Errors
/// 422 at a wrong field; 409 when the grade goes for which majors were chosen, or when somebody else edited meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<EnrollmentBatchForm>) -> Result<Change> {
    let form = edit.form;
    let before = lock(tx, edit.id).await?;
    let enrolled_on = check(tx, &form, Some(&before)).await?;
    if before.grade_id != form.grade_id && before.major_count > 0 {
        return Err(Error::conflict(format!("该批次已有{}个招生专业，不能更换年级", before.major_count)));
    }
    let name = tidy(&form.name);
    let by = tx.by();
    let changed = sqlx::query!(
        "update enrollment_batch set code = $3, name = $4, year = $5, season = $6, grade_id = $7, enrolled_on = $8,
                site_apply_ends_at = $9, report_starts_at = $10, report_ends_at = $11,
                updated_at = now(), updated_by = $12, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.code,
        name,
        form.year,
        form.season.as_str(),
        form.grade_id,
        enrolled_on,
        form.site_apply_ends_at,
        form.report_starts_at,
        form.report_ends_at,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.code, &name))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("enrollment_batch", edit.id).await);
    }
    let after = EnrollmentBatches::find(tx, edit.id, &Scope::whole_school()).await?;
    Ok(Change::edited("enrollment_batch", edit.id, &before, &after))
}

pub(super) fn explain_constraint(constraint: &str, code: &str, name: &str) -> Option<Error> {
    match constraint {
        "enrollment_batch_code_taken" => Some(code_taken(code)),
        "enrollment_batch_name_taken" => Some(name_taken(name)),
        "enrollment_batch_open_taken" => Some(Error::field("gradeId", "该年级已有进行中的招生批次")),
        _ => None,
    }
}
