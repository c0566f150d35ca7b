//! What a registrar types of a grade, what follows from it, and how it is written.

use infra::{
    Change, Edit, Error, OnConstraint, Result, Scope, Tx,
    across::Keyed,
    naming::{code_taken, name_taken, tidy},
};
use poem_openapi::{Object, types::Example};
use term::{Season, Term};

use super::{Grade, Grades};

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GradeForm {
    /// 年级编码
    /// 四位年份，一年有两次招生时后面加一个大写字母，如 2026A
    #[oai(validator(pattern = "^(19|20)[0-9]{2}[A-Z]?$"))]
    pub code: String,
    /// 年级名称
    #[oai(validator(max_length = 100))]
    pub name: Option<String>,
    /// 入学季
    pub entry_season: Option<Season>,
    /// 排序
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort_no: i32,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
}

impl Example for GradeForm {
    fn example() -> Self {
        Self { code: "2026".to_owned(), name: None, entry_season: Some(Season::Spring), sort_no: 0, remark: None }
    }
}

/// A form with all that follows from its code.
struct Complete {
    code: String,
    name: String,
    entered: Term,
    sort_no: i32,
    remark: Option<String>,
}

impl Complete {
    fn of(form: GradeForm) -> Result<Self> {
        let year = term::grade_entry_year(&form.code).ok_or_else(Error::malformed)?;
        Ok(Self {
            name: form.name.map_or_else(|| term::grade_name(&form.code), |name| tidy(&name)),
            entered: Term { year, season: form.entry_season.unwrap_or(term::DEFAULT_ENTRY_SEASON) },
            code: form.code,
            sort_no: form.sort_no,
            remark: form.remark,
        })
    }
}

/// The first field that other rows rely on and that this edit would change: the place of the cohort on the calendar.
fn changed_locked_field(before: &Grade, form: &Complete) -> Option<&'static str> {
    if before.code != form.code {
        Some("编码")
    } else if before.entry_season != form.entered.season {
        Some("入学季")
    } else {
        None
    }
}

pub(super) async fn insert(tx: &mut Tx, form: GradeForm) -> Result<(i64, Change)> {
    let typed = form.clone();
    let form = Complete::of(form)?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into grade (code, name, entry_year, entry_season, sort_no, remark, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        form.code,
        form.name,
        form.entered.year,
        form.entered.season.as_str(),
        form.sort_no,
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| explain_constraint(name, &form))?;
    Ok((id, Change::created("grade", id, &typed)))
}

/// # Errors
/// 409 when it was changed meanwhile, or when others rely on what would change.
pub(super) async fn update(tx: &mut Tx, edit: Edit<GradeForm>) -> Result<Change> {
    let form = Complete::of(edit.form)?;
    let whole = Scope::whole_school();
    tx.lock("grade", edit.id).await?;
    let before = Grades::find(tx, edit.id, &whole).await?;
    if let Some(field) = changed_locked_field(&before, &form)
        && let Some(users) = tx.referring("grade", edit.id).await?
    {
        return Err(users.refuse(format!("已有{users}使用该年级，不能修改{field}")));
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update grade set code = $3, name = $4, entry_year = $5, entry_season = $6, sort_no = $7, remark = $8,
                    updated_at = now(), updated_by = $9, version = version + 1
             where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.code,
        form.name,
        form.entered.year,
        form.entered.season.as_str(),
        form.sort_no,
        form.remark,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| explain_constraint(name, &form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("grade", edit.id).await);
    }
    let after = Grades::find(tx, edit.id, &whole).await?;
    Ok(Change::edited("grade", edit.id, &before, &after))
}

fn explain_constraint(constraint: &str, form: &Complete) -> Option<Error> {
    match constraint {
        "grade_code_taken" => Some(code_taken(&form.code)),
        "grade_name_taken" => Some(name_taken(&form.name)),
        "grade_entry_taken" => {
            let Term { year, season } = form.entered;
            Some(Error::field("entrySeason", format!("{year}年{}入学的年级已存在", season.zh())))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_completed_from_its_code() {
        let form = GradeForm { code: "2026A".to_owned(), name: None, entry_season: None, sort_no: 0, remark: None };
        let complete = Complete::of(form).expect("a right code");
        assert_eq!(complete.name, "2026A级");
        assert_eq!(complete.entered, Term { year: 2026, season: Season::Spring });
    }

    #[test]
    fn code_and_season_place_a_cohort_and_its_name_does_not() {
        let before = Grade {
            id: 1,
            code: "2026".to_owned(),
            name: "2026级".to_owned(),
            entry_year: 2026,
            entry_season: Season::Spring,
            enabled: true,
            sort_no: 0,
            remark: None,
            class_count: 0,
            student_count: 0,
            version: 1,
        };
        let edited = |code: &str, name: &str, season| {
            let form = GradeForm {
                code: code.to_owned(),
                name: Some(name.to_owned()),
                entry_season: season,
                sort_no: 0,
                remark: None,
            };
            changed_locked_field(&before, &Complete::of(form).expect("a right code"))
        };
        assert_eq!(edited("2026", "二零二六级", None), None);
        assert_eq!(edited("2026A", "2026级", None), Some("编码"));
        assert_eq!(edited("2026", "2026级", Some(Season::Autumn)), Some("入学季"));
    }
}
