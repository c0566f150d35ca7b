//! What follows from the major of a plan's head, and how the head is written.

use infra::{
    Change, Edit, Error, OnConstraint, Result, Tx, files,
    naming::{switched_off, tidy},
    pinyin,
};
use serde_json::json;
use teaching_plan_rules::head::{PlanForm, Required, required};

use super::{Held, family, held, select::told};
use crate::credit::{points, tenths};

/// Terms of the longest plan.
pub(crate) const MOST_TERMS: i32 = 12;

/// The grade and major of a plan that is to be made.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub grade_id: i64,
    pub grade_name: String,
    pub level_id: i64,
    pub level_name: String,
    pub major_id: i64,
    pub major_name: String,
    /// What the major asks for, in tenths.
    pub total: i64,
    pub term_count: i32,
    grade_enabled: bool,
    major_enabled: bool,
}

impl Place {
    /// Reads the grade and major.
    ///
    /// # Errors
    /// 422 at `gradeId` or `majorId` for what is not there.
    pub(crate) async fn find(tx: &mut Tx, grade: i64, major: i64) -> Result<Self> {
        let of_grade = sqlx::query!("select name, enabled from grade where id = $1", grade)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| Error::field("gradeId", "所选年级不存在，请重新选择"))?;
        let of_major = sqlx::query!(
            r#"select m.name, m.enabled, m.level_id, l.name as level_name, m.total_credits::float8 as "total!",
                      (l.schooling_years * 2)::integer as "term_count!"
               from major m join level l on l.id = m.level_id where m.id = $1"#,
            major
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("majorId", "所选专业不存在，请重新选择"))?;
        Ok(Self {
            grade_id: grade,
            grade_name: of_grade.name,
            level_id: of_major.level_id,
            level_name: of_major.level_name,
            major_id: major,
            major_name: of_major.name,
            total: tenths(of_major.total),
            term_count: of_major.term_count,
            grade_enabled: of_grade.enabled,
            major_enabled: of_major.enabled,
        })
    }

    /// For a plan that is new there; one that stands goes on.
    ///
    /// # Errors
    /// 422 at `gradeId` or `majorId` for what was switched off.
    pub(crate) fn usable(&self) -> Result<()> {
        if !self.grade_enabled {
            return Err(switched_off("gradeId", &self.grade_name));
        }
        if !self.major_enabled {
            return Err(switched_off("majorId", &self.major_name));
        }
        Ok(())
    }

    /// `2026级专升本会计学教学计划V1`.
    pub(crate) fn name(&self, version: i32) -> String {
        let name = format!("{}{}{}教学计划V{version}", self.grade_name, self.level_name, self.major_name);
        name.chars().take(100).collect()
    }
}

/// # Errors
/// 422 at `termCount` for more terms than the level has: no semester would have a course of theirs (03 §0.3).
fn within_level(term_count: i32, of_level: i32) -> Result<()> {
    let most = of_level.clamp(1, MOST_TERMS);
    if term_count <= most {
        return Ok(());
    }
    Err(Error::field("termCount", format!("学期数不能超过层次的学期数{most}")))
}

/// The head of a version that is to be written. Credits are in tenths.
#[derive(Debug, Clone)]
pub(crate) struct NewPlan {
    pub name: String,
    pub version_no: i32,
    pub required: Required,
    pub term_count: i32,
    pub objective: Option<String>,
    pub remark: Option<String>,
}

/// The number of the next version.
///
/// # Errors
/// 409 while a version is worked on.
pub(crate) fn next_version(family: &[Held]) -> Result<i32> {
    if let Some(open) = family.iter().find(|plan| is_open(plan)) {
        return Err(Error::conflict(format!("该年级专业已有未完成的版本V{}", open.version_no)));
    }
    Ok(family.iter().map(|plan| plan.version_no).max().unwrap_or(0) + 1)
}

/// Whether a version is worked on.
pub(crate) fn is_open(plan: &Held) -> bool {
    use crate::enums::PlanStatus::{Draft, Rejected, Submitted};
    matches!(plan.status, Draft | Rejected | Submitted)
}

/// Writes the head of a new draft.
///
/// # Errors
/// 409 when somebody else began a version meanwhile.
pub(crate) async fn insert_row(tx: &mut Tx, place: &Place, new: &NewPlan) -> Result<i64> {
    let by = tx.by();
    sqlx::query_scalar!(
        "insert into teaching_plan (grade_id, level_id, major_id, version_no, name, total_credits, min_compulsory_credits,
             min_elective_credits, term_count, objective, remark, initials, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6::float8::numeric, $7::float8::numeric, $8::float8::numeric, $9, $10, $11, $12, $13, $13)
         returning id",
        place.grade_id,
        place.level_id,
        place.major_id,
        new.version_no,
        new.name,
        points(new.required.total),
        points(new.required.compulsory),
        points(new.required.elective),
        new.term_count,
        new.objective,
        new.remark,
        pinyin::text_initials(&new.name),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| match constraint {
        "teaching_plan_version_taken" | "teaching_plan_open_taken" => {
            Some(Error::conflict("该年级专业已有未完成的版本，请刷新后查看"))
        }
        _ => None,
    })
}

pub(super) async fn insert(tx: &mut Tx, form: &PlanForm) -> Result<(i64, Change)> {
    let place = Place::find(tx, form.grade_id, form.major_id).await?;
    place.usable()?;
    if form.level_id.is_some_and(|level| level != place.level_id) {
        return Err(Error::field("levelId", format!("专业“{}”的层次为{}", place.major_name, place.level_name)));
    }
    if let Some(terms) = form.term_count {
        within_level(terms, place.term_count)?;
    }
    let versions = family(tx, form.grade_id, form.major_id).await?;
    let version_no = next_version(&versions)?;
    let new = NewPlan {
        name: named(form).unwrap_or_else(|| place.name(version_no)),
        version_no,
        required: required(form, place.total)?,
        term_count: form.term_count.unwrap_or_else(|| place.term_count.clamp(1, MOST_TERMS)),
        objective: form.objective.clone(),
        remark: form.remark.clone(),
    };
    let id = insert_row(tx, &place, &new).await?;
    set_file(tx, id, form.file_key.as_deref()).await?;
    let told = told(tx, id).await?;
    Ok((id, Change::created("teaching_plan", id, &told)))
}

fn named(form: &PlanForm) -> Option<String> {
    form.name.as_ref().map(|name| tidy(name)).filter(|name| !name.is_empty())
}

/// Writes the head of a draft again.
///
/// # Errors
/// 422 at `gradeId` or `majorId` when another is sent, at `termCount` below the term of a course; 409 for what is no draft, or
/// when somebody else edited meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: &Edit<PlanForm>) -> Result<Change> {
    let Edit { id, version, form } = edit;
    let plan = held(tx, *id).await?;
    plan.as_read(tx, *version).await?;
    if !plan.is_draft() {
        return Err(Error::conflict(format!("当前状态为{}，只有草稿可以修改", plan.status.zh())));
    }
    for (field, sent, own) in [("gradeId", form.grade_id, plan.grade_id), ("majorId", form.major_id, plan.major_id)] {
        if sent != own {
            return Err(Error::field(field, "年级和专业不能修改，请复制到其他年级专业"));
        }
    }
    if form.level_id.is_some_and(|level| level != plan.level_id) {
        return Err(Error::field("levelId", "层次随专业，不能修改"));
    }
    let of_major =
        sqlx::query_scalar!(r#"select total_credits::float8 as "total!" from major where id = $1"#, plan.major_id)
            .fetch_one(&mut **tx)
            .await?;
    let required = required(form, tenths(of_major))?;
    let term_count = form.term_count.unwrap_or(plan.term_count);
    let of_level = sqlx::query_scalar!(
        r#"select (schooling_years * 2)::integer as "terms!" from level where id = $1"#,
        plan.level_id
    )
    .fetch_one(&mut **tx)
    .await?;
    within_level(term_count, of_level)?;
    let last = sqlx::query_scalar!("select max(term_no) from plan_course where plan_id = $1", *id)
        .fetch_one(&mut **tx)
        .await?
        .unwrap_or_default();
    if term_count < last {
        return Err(Error::field("termCount", format!("已有课程开设在第{last}学期，学期数不能少于{last}")));
    }
    let before = told(tx, *id).await?;
    let name = named(form).unwrap_or_else(|| plan.name.clone());
    let by = tx.by();
    sqlx::query!(
        "update teaching_plan set name = $2, total_credits = $3::float8::numeric,
                min_compulsory_credits = $4::float8::numeric, min_elective_credits = $5::float8::numeric, term_count = $6,
                objective = $7, remark = $8, initials = $9, updated_at = now(), updated_by = $10, version = version + 1
         where id = $1",
        *id,
        name,
        points(required.total),
        points(required.compulsory),
        points(required.elective),
        term_count,
        form.objective,
        form.remark,
        pinyin::text_initials(&name),
        by
    )
    .execute(&mut **tx)
    .await?;
    set_file(tx, *id, form.file_key.as_deref()).await?;
    let after = told(tx, *id).await?;
    Ok(Change::edited("teaching_plan", *id, &before, &after))
}

/// # Errors
/// 422 at `fileKey` when the upload was not completed.
async fn set_file(tx: &mut Tx, plan: i64, wanted: Option<&str>) -> Result<()> {
    let before = sqlx::query!(
        r#"select f.id, f.key from teaching_plan p join file_object f on f.id = p.file_id where p.id = $1"#,
        plan
    )
    .fetch_optional(&mut **tx)
    .await?;
    if before.as_ref().map(|file| file.key.as_str()) == wanted {
        return Ok(());
    }
    let file = match wanted {
        Some(key) => {
            let adopted = files::adopt_attachment(tx, key, "teaching_plan", plan).await;
            Some(adopted.map_err(|error| match error.code {
                422 => Error::field("fileKey", error.msg),
                _ => error,
            })?)
        }
        None => None,
    };
    sqlx::query!("update teaching_plan set file_id = $2 where id = $1", plan, file).execute(&mut **tx).await?;
    if let Some(before) = before {
        files::let_go(tx, &[before.id]).await?;
    }
    Ok(())
}

/// Raises a plan's version after a write of its courses, so that whoever read it before is told.
pub(crate) async fn touch(tx: &mut Tx, plan: i64) -> Result<i32> {
    let by = tx.by();
    Ok(sqlx::query_scalar!(
        "update teaching_plan set updated_at = now(), updated_by = $2, version = version + 1 where id = $1 returning version",
        plan,
        by
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// What the trail keeps of a new version besides its head: from where its courses came.
pub(crate) fn taken_from(source: &Held) -> serde_json::Value {
    json!({ "sourceId": source.id, "sourceVersionNo": source.version_no })
}
