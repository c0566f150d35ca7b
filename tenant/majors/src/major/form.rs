//! A form with all that follows from level and national major, and how it is written.

use calendar::level;
use infra::{
    Change, Edit, Error, OnConstraint, Result, Scope, Tx,
    across::Keyed,
    naming::{code_taken, tidy},
    pinyin,
};
use major_rules::{
    major::{MajorForm, StudyForm, check, warnings},
    national_major::KnownNationalMajor,
};
use units::organization;

use super::{Major, Majors};

/// A form with all that follows from level and national major.
#[derive(Debug)]
struct Complete {
    typed: MajorForm,
    name: String,
    national_code: String,
    national_name: String,
    study_form: StudyForm,
    direction: String,
    schooling_years: f64,
    degree: Option<String>,
    /// Worth a second look, and no reason to refuse.
    warnings: Vec<String>,
}

impl Complete {
    /// Loads what the form refers to and checks it. What an edit leaves as it was may be switched off meanwhile, and
    /// keeps the national name that was copied when it was chosen.
    async fn of(tx: &mut Tx, form: MajorForm, before: Option<&Major>, national: &KnownNationalMajor) -> Result<Self> {
        let level = level::chosen(tx, form.level_id).await?;
        if before.is_none_or(|before| before.level_id != form.level_id) {
            level.usable("levelId")?;
        }
        if let Some(unit) = form.organization_id
            && before.is_none_or(|before| before.organization_id != form.organization_id)
        {
            organization::usable(tx, unit).await?;
        }
        let kept = before.filter(|before| before.national_major_id == national.id);
        if kept.is_none() {
            national.usable()?;
        }
        check(&form, &level, national)?;
        let schooling_years = form.schooling_years.unwrap_or(level.schooling_years);
        Ok(Self {
            warnings: warnings(schooling_years, &level, kept.is_none().then_some(national)),
            name: tidy(&form.name),
            national_code: kept.map_or(&national.code, |before| &before.national_code).clone(),
            national_name: kept.map_or(&national.name, |before| &before.national_name).clone(),
            study_form: form.study_form.unwrap_or(StudyForm::NonFullTime),
            direction: form.direction.as_deref().map(tidy).unwrap_or_default(),
            schooling_years,
            degree: form.degree.clone().filter(|_| form.degree_awarded),
            typed: form,
        })
    }
}

/// The first field that classes and students rely on and that this edit would change.
fn changed_locked_field(before: &Major, form: &Complete) -> Option<&'static str> {
    if before.level_id != form.typed.level_id {
        Some("层次")
    } else if before.national_major_id != form.typed.national_major_id {
        Some("国家专业")
    } else if before.study_form != form.study_form {
        Some("学习形式")
    } else {
        None
    }
}

/// A written major: its record in the trail, and what is worth a second look.
pub(super) struct Written {
    pub(super) id: i64,
    pub(super) change: Change,
    pub(super) warnings: Vec<String>,
}

pub(super) async fn insert(tx: &mut Tx, form: MajorForm, national: &KnownNationalMajor) -> Result<Written> {
    let form = Complete::of(tx, form, None, national).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into major (code, name, national_major_id, national_code, national_name, level_id, study_form, direction,
             schooling_years, total_credits, organization_id, degree_awarded, degree, tuition_per_year, initials, sort_no, remark,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9::float8::numeric, $10::float8::numeric, $11, $12, $13, $14, $15, $16, $17, $18, $18)
         returning id",
        form.typed.code,
        form.name,
        form.typed.national_major_id,
        form.national_code,
        form.national_name,
        form.typed.level_id,
        form.study_form.as_str(),
        form.direction,
        form.schooling_years,
        form.typed.total_credits,
        form.typed.organization_id,
        form.typed.degree_awarded,
        form.degree,
        form.typed.tuition_per_year,
        pinyin::text_initials(&form.name),
        form.typed.sort_no,
        form.typed.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| explain_constraint(name, &form.typed))?;
    Ok(Written { id, change: Change::created("major", id, &form.typed), warnings: form.warnings })
}

/// # Errors
/// 409 when it was changed meanwhile, or when others rely on what would change; 422 at a wrong field.
pub(super) async fn update(tx: &mut Tx, edit: Edit<MajorForm>, national: &KnownNationalMajor) -> Result<Written> {
    let whole = Scope::whole_school();
    tx.lock("major", edit.id).await?;
    let before = Majors::find(tx, edit.id, &whole).await?;
    let form = Complete::of(tx, edit.form, Some(&before), national).await?;
    if let Some(field) = changed_locked_field(&before, &form)
        && let Some(users) = tx.referring("major", edit.id).await?
    {
        return Err(users.refuse(format!("已有{users}，不能修改{field}")));
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update major set code = $3, name = $4, national_major_id = $5, national_code = $6, national_name = $7, level_id = $8,
                study_form = $9, direction = $10, schooling_years = $11::float8::numeric, total_credits = $12::float8::numeric,
                organization_id = $13, degree_awarded = $14, degree = $15, tuition_per_year = $16, initials = $17, sort_no = $18,
                remark = $19, updated_at = now(), updated_by = $20, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.typed.code,
        form.name,
        form.typed.national_major_id,
        form.national_code,
        form.national_name,
        form.typed.level_id,
        form.study_form.as_str(),
        form.direction,
        form.schooling_years,
        form.typed.total_credits,
        form.typed.organization_id,
        form.typed.degree_awarded,
        form.degree,
        form.typed.tuition_per_year,
        pinyin::text_initials(&form.name),
        form.typed.sort_no,
        form.typed.remark,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| explain_constraint(name, &form.typed))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("major", edit.id).await);
    }
    let after = Majors::find(tx, edit.id, &whole).await?;
    let change = Change::edited("major", edit.id, &before, &after);
    Ok(Written { id: edit.id, change, warnings: form.warnings })
}

fn explain_constraint(constraint: &str, form: &MajorForm) -> Option<Error> {
    match constraint {
        "major_code_taken" => Some(code_taken(&form.code)),
        "major_offering_taken" => {
            Some(Error::field("nationalMajorId", "同一国家专业、层次、学习形式和方向的专业已存在"))
        }
        _ => None,
    }
}
