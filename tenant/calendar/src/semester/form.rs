//! What a registrar types of a semester, what follows from it, and how it is written.

use chrono::NaiveDate;
use infra::{
    Change, Edit, Error, FieldError, OnConstraint, Result, Scope, Tx,
    across::Keyed,
    naming::{code_taken, name_taken, tidy},
};
use poem_openapi::{Object, types::Example};
use term::Term;

use super::{Semesters, check_open};

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SemesterForm {
    /// 学期编码
    /// 年份加-1（春季）或-2（秋季），如 2026-1
    #[oai(validator(pattern = "^[0-9]{4}-[12]$"))]
    pub code: String,
    /// 名称
    #[oai(validator(max_length = 100))]
    pub name: Option<String>,
    /// 开始日期
    pub starts_on: NaiveDate,
    /// 结束日期
    pub ends_on: NaiveDate,
    /// 停课日期
    #[oai(default, validator(max_items = 210))]
    pub holidays: Vec<NaiveDate>,
}

impl Example for SemesterForm {
    fn example() -> Self {
        Self {
            code: "2026-1".to_owned(),
            name: None,
            starts_on: NaiveDate::from_ymd_opt(2026, 3, 2).unwrap_or_default(),
            ends_on: NaiveDate::from_ymd_opt(2026, 7, 12).unwrap_or_default(),
            holidays: Vec::new(),
        }
    }
}

/// A form with all that follows from its code.
#[derive(Debug)]
struct Complete {
    code: String,
    name: String,
    term: Term,
    starts_on: NaiveDate,
    ends_on: NaiveDate,
    holidays: Vec<NaiveDate>,
}

impl Complete {
    /// # Errors
    /// 422 with all dates that are not right.
    fn of(form: SemesterForm) -> Result<Self> {
        let term = Term::of_semester_code(&form.code).ok_or_else(Error::malformed)?;
        let wrong = wrong_dates(form.starts_on, form.ends_on, &form.holidays);
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
        let mut holidays = form.holidays;
        holidays.sort_unstable();
        holidays.dedup();
        Ok(Self {
            name: form.name.map_or_else(|| term.semester_name(), |name| tidy(&name)),
            code: form.code,
            term,
            starts_on: form.starts_on,
            ends_on: form.ends_on,
            holidays,
        })
    }
}

fn wrong_dates(starts_on: NaiveDate, ends_on: NaiveDate, holidays: &[NaiveDate]) -> Vec<FieldError> {
    let wrong = |field: &str, message: String| FieldError { field: field.to_owned(), message };
    let mut errors = Vec::new();
    if ends_on <= starts_on {
        errors.push(wrong("endsOn", "结束日期应晚于开始日期".to_owned()));
    } else if (ends_on - starts_on).num_days() >= term::LONGEST_SEMESTER_WEEKS * 7 {
        errors.push(wrong("endsOn", format!("学期不能超过{}周", term::LONGEST_SEMESTER_WEEKS)));
    }
    if let Some(outside) = holidays.iter().find(|day| **day < starts_on || **day > ends_on) {
        errors.push(wrong("holidays", format!("停课日期{outside}不在学期内")));
    }
    errors
}

/// # Errors
/// 422 at `startsOn` naming the semester that has some of these days already.
async fn refuse_overlap(tx: &mut Tx, id: Option<i64>, form: &Complete) -> Result<()> {
    let other = sqlx::query_scalar!(
        "select name from semester
         where daterange(starts_on, ends_on, '[]') && daterange($1, $2, '[]') and ($3::bigint is null or id <> $3)
         order by starts_on limit 1",
        form.starts_on,
        form.ends_on,
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    match other {
        Some(name) => Err(Error::field("startsOn", format!("与学期“{name}”的日期重叠"))),
        None => Ok(()),
    }
}

/// # Errors
/// 409 when lessons would lie outside the semester (part 03 A1).
async fn keep_lessons(tx: &mut Tx, id: i64, form: &Complete) -> Result<()> {
    let outside = sqlx::query_scalar!(
        r#"select count(*) as "outside!" from course_arrange_session s join course_arrange a on a.id = s.arrange_id
           where a.semester_id = $1 and s.status = 'scheduled' and not s.held_on between $2 and $3"#,
        id,
        form.starts_on,
        form.ends_on
    )
    .fetch_one(&mut **tx)
    .await?;
    if outside == 0 {
        Ok(())
    } else {
        Err(Error::conflict(format!("有{outside}次排课在新的学期日期之外")))
    }
}

/// The first semester of a school is its current one.
pub(super) async fn insert(tx: &mut Tx, form: SemesterForm) -> Result<(i64, Change)> {
    let typed = form.clone();
    let form = Complete::of(form)?;
    refuse_overlap(tx, None, &form).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into semester (code, name, year, season, starts_on, ends_on, holidays, current, created_by, updated_by)
         select $1::text, $2::text, $3::integer, $4::text, $5::date, $6::date, $7::date[],
                not exists (select from semester where current), $8::bigint, $8::bigint
         returning id",
        form.code,
        form.name,
        form.term.year,
        form.term.season.as_str(),
        form.starts_on,
        form.ends_on,
        &form.holidays,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| explain_constraint(name, &form))?;
    Ok((id, Change::created("semester", id, &typed)))
}

/// # Errors
/// 409 when it is closed or was changed meanwhile, or when others rely on its code; 422 for the days of another.
pub(super) async fn update(tx: &mut Tx, edit: Edit<SemesterForm>) -> Result<Change> {
    let form = Complete::of(edit.form)?;
    let whole = Scope::whole_school();
    tx.lock("semester", edit.id).await?;
    let before = Semesters::find(tx, edit.id, &whole).await?;
    check_open(&before)?;
    if before.code != form.code
        && let Some(users) = tx.referring("semester", edit.id).await?
    {
        return Err(users.refuse(format!("已有{users}使用该学期，不能修改编码")));
    }
    refuse_overlap(tx, Some(edit.id), &form).await?;
    keep_lessons(tx, edit.id, &form).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update semester set code = $3, name = $4, year = $5, season = $6, starts_on = $7, ends_on = $8, holidays = $9,
                updated_at = now(), updated_by = $10, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.code,
        form.name,
        form.term.year,
        form.term.season.as_str(),
        form.starts_on,
        form.ends_on,
        &form.holidays,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| explain_constraint(name, &form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("semester", edit.id).await);
    }
    let after = Semesters::find(tx, edit.id, &whole).await?;
    Ok(Change::edited("semester", edit.id, &before, &after))
}

fn explain_constraint(constraint: &str, form: &Complete) -> Option<Error> {
    match constraint {
        "semester_code_taken" => Some(code_taken(&form.code)),
        "semester_name_taken" => Some(name_taken(&form.name)),
        // Somebody saved these days, or the first semester, beside this call.
        "semester_dates_overlap" => Some(Error::field("startsOn", "与其他学期的日期重叠")),
        "semester_current_once" => Some(Error::conflict("数据正被他人修改，请稍后再试")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Season;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn told(starts_on: &str, ends_on: &str, holidays: &[&str]) -> Vec<String> {
        let holidays: Vec<NaiveDate> = holidays.iter().map(|text| day(text)).collect();
        let wrong = wrong_dates(day(starts_on), day(ends_on), &holidays);
        wrong.into_iter().map(|error| format!("{}: {}", error.field, error.message)).collect()
    }

    #[test]
    fn dates_must_make_a_semester() {
        assert!(told("2026-03-02", "2026-07-12", &["2026-03-02", "2026-07-12"]).is_empty());
        assert_eq!(told("2026-03-02", "2026-03-02", &[]), ["endsOn: 结束日期应晚于开始日期"]);
        // 30 weeks are 210 days, the first and the last included.
        assert!(told("2026-03-02", "2026-09-27", &[]).is_empty());
        assert_eq!(told("2026-03-02", "2026-09-28", &[]), ["endsOn: 学期不能超过30周"]);
        assert_eq!(
            told("2026-03-02", "2026-07-12", &["2026-05-01", "2026-07-13"]),
            ["holidays: 停课日期2026-07-13不在学期内"]
        );
    }

    #[test]
    fn a_form_is_completed_from_its_code() {
        let complete = Complete::of(SemesterForm::example()).expect("the example is right");
        assert_eq!(complete.name, "2026年春季学期");
        assert_eq!((complete.term.year, complete.term.season), (2026, Season::Spring));
    }
}
