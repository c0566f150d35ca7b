//! What a registrar types of a batch's major, and how it is written.

use infra::{Change, Edit, Error, OnConstraint, Result, Scope, Tx, across::Keyed, naming::is_switched_off};
use majors::forecast_major::filed_for;
use poem_openapi::{Object, types::Example};
use student_status::enums::ExamCategory;
use term::EntryLevel;

use super::{EnrollmentMajor, EnrollmentMajors, lock};
use crate::batch::running;

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct EnrollmentMajorForm {
    /// 学校专业
    pub major_id: i64,
    /// 招办专业代码
    /// 1至10位数字或字母
    #[oai(validator(pattern = "^[0-9A-Za-z]{1,10}$"))]
    pub authority_code: Option<String>,
    /// 招办专业名称
    #[oai(validator(max_length = 50))]
    pub authority_name: Option<String>,
    /// 科类
    pub exam_category: Option<ExamCategory>,
    /// 计划数
    #[oai(validator(minimum(value = "0"), maximum(value = "99999")))]
    pub quota: i32,
    /// 学费(分/学年)
    #[oai(validator(minimum(value = "0"), maximum(value = "100000000")))]
    pub tuition: i64,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for EnrollmentMajorForm {
    fn example() -> Self {
        Self {
            major_id: 1,
            authority_code: Some("101".to_owned()),
            authority_name: Some("会计学".to_owned()),
            exam_category: Some(ExamCategory::Economics),
            quota: 120,
            tuition: 280_000,
            enabled: true,
        }
    }
}

/// A new major of a batch.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct EnrollmentMajorSave {
    /// 招生批次
    pub batch_id: i64,
    #[oai(flatten)]
    pub form: EnrollmentMajorForm,
}

impl Example for EnrollmentMajorSave {
    fn example() -> Self {
        Self { batch_id: 1, form: EnrollmentMajorForm::example() }
    }
}

/// The filing on which a batch of the grade may recruit for the major.
///
/// # Errors
/// 422 at `majorId`.
async fn filing(tx: &mut Tx, grade: i64, major: i64) -> Result<i64> {
    let filed = filed_for(tx, grade).await?;
    filed.get(&major).map(|filed| filed.id).ok_or_else(|| Error::field("majorId", "该专业本年度未备案"))
}

/// The category as the major's level has it.
///
/// # Errors
/// 422 at `majorId` for a major that is gone, and for one that is switched off where it is chosen anew.
async fn category_of(tx: &mut Tx, form: &EnrollmentMajorForm, chosen: bool) -> Result<Option<ExamCategory>> {
    let major = sqlx::query!(
        r#"select m.name, m.enabled, l.entry_level as "entry_level: EntryLevel"
           from major m join level l on l.id = m.level_id where m.id = $1"#,
        form.major_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("majorId", "所选专业不存在，请重新选择"))?;
    if chosen && !major.enabled {
        return Err(Error::field("majorId", is_switched_off(&major.name)));
    }
    Ok(form.exam_category.map(|category| category.at(major.entry_level)))
}

pub(super) async fn insert(tx: &mut Tx, mut save: EnrollmentMajorSave) -> Result<(i64, Change)> {
    let batch_id = save.batch_id;
    let batch = running(tx, batch_id).await?;
    save.form.exam_category = category_of(tx, &save.form, true).await?;
    let form = &save.form;
    let filing = filing(tx, batch.grade_id, form.major_id).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into enrollment_major (batch_id, major_id, level_id, forecast_major_id, authority_code, authority_name,
             exam_category, quota, tuition, enabled, created_by, updated_by)
         select $1, m.id, m.level_id, $3, $4, $5, $6, $7, $8, $9, $10, $10 from major m where m.id = $2
         returning id",
        batch.id,
        form.major_id,
        filing,
        form.authority_code,
        form.authority_name,
        form.exam_category.map(ExamCategory::as_str),
        form.quota,
        form.tuition,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, form))?;
    Ok((id, Change::created("enrollment_major", id, &save)))
}

/// # Errors
/// 422 at a wrong field; 409 below what sites were granted, for another major when sites plan for this one, or when
/// somebody else edited meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<EnrollmentMajorForm>) -> Result<Change> {
    let before = lock(tx, edit.id).await?;
    Ok(replace(tx, &before, edit.version, edit.form).await?.1)
}

/// Writes the form in the place of a major that is held; answers it as it is then.
///
/// # Errors
/// As [`update`].
pub(super) async fn replace(
    tx: &mut Tx,
    before: &EnrollmentMajor,
    version: i32,
    mut form: EnrollmentMajorForm,
) -> Result<(EnrollmentMajor, Change)> {
    form.exam_category = category_of(tx, &form, form.major_id != before.major_id).await?;
    let granted = before.allocated;
    if i64::from(form.quota) < granted {
        return Err(Error::conflict(format!("已分配给站点{granted}人，不能低于该数")));
    }
    if form.major_id != before.major_id {
        replaceable(tx, before).await?;
    }
    let batch = running(tx, before.batch_id).await?;
    let filing = filing(tx, batch.grade_id, form.major_id).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update enrollment_major e set major_id = m.id, level_id = m.level_id, forecast_major_id = $4, authority_code = $5,
                authority_name = $6, exam_category = $7, quota = $8, tuition = $9, enabled = $10,
                updated_at = now(), updated_by = $11, version = e.version + 1
         from major m where m.id = $3 and e.id = $1 and e.version = $2",
        before.id,
        version,
        form.major_id,
        filing,
        form.authority_code,
        form.authority_name,
        form.exam_category.map(ExamCategory::as_str),
        form.quota,
        form.tuition,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("enrollment_major", before.id).await);
    }
    let after = EnrollmentMajors::find(tx, before.id, &Scope::whole_school()).await?;
    let change = Change::edited("enrollment_major", before.id, &before.as_saved(), &after.as_saved());
    Ok((after, change))
}

/// # Errors
/// 409 with the sites that plan for it, and with the people who were admitted to it, the bin included.
async fn replaceable(tx: &mut Tx, before: &EnrollmentMajor) -> Result<()> {
    let of = sqlx::query!(
        r#"select (select count(*) from site_enrollment_line where enrollment_major_id = $1) as "plans!",
                  (select count(*) from admission where enrollment_major_id = $1) as "admitted!""#,
        before.id
    )
    .fetch_one(&mut **tx)
    .await?;
    match (of.plans, of.admitted) {
        (0, 0) => Ok(()),
        (0, admitted) => Err(Error::conflict(format!("该专业已有{admitted}条录取数据，不能更换"))),
        (plans, _) => Err(Error::conflict(format!("已有{plans}个站点申报该专业，不能更换"))),
    }
}

/// What is said of a code that another major of the level has.
pub(super) fn authority_taken(code: &str) -> String {
    format!("招办专业代码“{code}”在该层次已存在")
}

fn explain_constraint(constraint: &str, form: &EnrollmentMajorForm) -> Option<Error> {
    match constraint {
        "enrollment_major_major_taken" => Some(Error::field("majorId", "该专业已在本批次中")),
        "enrollment_major_authority_taken" => {
            let code = form.authority_code.as_deref().unwrap_or_default();
            Some(Error::field("authorityCode", authority_taken(code)))
        }
        _ => None,
    }
}
