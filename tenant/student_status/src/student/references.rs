//! What a student refers to, read once for a form or a whole sheet.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{
    App, Result,
    setting::{
        Setting,
        kind::{Field, Kind},
    },
};
use serde_json::Value;
use sqlx::PgConnection;
use term::{Season, Term};

use crate::{
    dates::{GraduateDates, MonthDay},
    enums::StudyForm,
};

pub(super) const GRADUATE_DATES: Setting = Setting::object(
    "graduateDates",
    "毕业日期",
    &[
        Field::new("spring", "春季", Kind::MonthDay { default: "07-10" }),
        Field::new("autumn", "秋季", Kind::MonthDay { default: "01-10" }),
    ],
    None,
    "用于推算预计毕业日期，秋季为次年1月",
);

pub(super) const GRADUATE_ACCOUNT_DAYS: Setting =
    Setting::int("graduateAccountDays", "学籍结束后账号保留(天)", (180, 0, 3650), "");

#[derive(Debug, Clone)]
pub struct GradeRef {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub entered: Term,
    pub enabled: bool,
}

#[derive(Debug, Clone)]
pub struct LevelRef {
    pub id: i64,
    pub code: String,
    pub name: String,
    /// The longest study, in half years.
    pub max_half_years: i32,
    pub enabled: bool,
}

#[derive(Debug, Clone)]
pub struct MajorRef {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub level_id: i64,
    pub study_form: StudyForm,
    pub enabled: bool,
}

#[derive(Debug, Clone)]
pub struct SiteRef {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub status: String,
    /// 可容纳人数; 0 is any number.
    pub capacity: i32,
    /// Active students; counted only where there is a capacity.
    pub taken: i64,
    pub filing_expires_on: Option<NaiveDate>,
}

#[derive(Debug, Clone)]
pub struct ClassRef {
    pub id: i64,
    pub name: String,
    pub grade_id: i64,
    pub level_id: i64,
    pub major_id: i64,
    pub site_id: i64,
    pub enabled: bool,
}

/// A value of a dictionary.
#[derive(Debug, Clone)]
pub struct Word {
    pub value: String,
    pub label: String,
    pub enabled: bool,
}

/// Everything by its id (words by their value).
#[derive(Debug, Default)]
pub struct References {
    pub grades: HashMap<i64, GradeRef>,
    pub levels: HashMap<i64, LevelRef>,
    pub majors: HashMap<i64, MajorRef>,
    pub sites: HashMap<i64, SiteRef>,
    pub classes: HashMap<i64, ClassRef>,
    pub ethnicities: Vec<Word>,
    pub political: Vec<Word>,
    pub graduate_dates: GraduateDates,
    /// How long the account of somebody who left stays open.
    pub graduate_account_days: i64,
}

/// The rows that one form names; none stands for all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Only {
    pub grade: Option<i64>,
    pub level: Option<i64>,
    pub major: Option<i64>,
    pub site: Option<i64>,
    pub class: Option<i64>,
}

impl References {
    /// Reads what the rows of a sheet may refer to, or (`only`) what one form names.
    pub async fn load(app: &App, connection: &mut PgConnection, only: Only) -> Result<Self> {
        let Only { grade, level, major, site, class } = only;
        let grades = sqlx::query!(
            r#"select id, code, name, entry_year, entry_season as "season: Season", enabled from grade
               where $1::bigint is null or id = $1"#,
            grade
        )
        .fetch_all(&mut *connection)
        .await?;
        let levels = sqlx::query_as!(
            LevelRef,
            r#"select id, code, name, (max_years * 2)::integer as "max_half_years!", enabled from level
               where $1::bigint is null or id = $1"#,
            level
        )
        .fetch_all(&mut *connection)
        .await?;
        let majors = sqlx::query_as!(
            MajorRef,
            r#"select id, code, name, level_id, study_form as "study_form: _", enabled from major
               where $1::bigint is null or id = $1"#,
            major
        )
        .fetch_all(&mut *connection)
        .await?;
        let sites = sqlx::query_as!(
            SiteRef,
            r#"select id, code, name, status, capacity, filing_expires_on,
                      case when capacity > 0 then (select count(*) from student s where s.site_id = site.id and s.active)
                           else 0 end as "taken!"
               from site where $1::bigint is null or id = $1"#,
            site
        )
        .fetch_all(&mut *connection)
        .await?;
        let classes = sqlx::query_as!(
            ClassRef,
            "select id, name, grade_id, level_id, major_id, site_id, enabled from class where $1::bigint is null or id = $1",
            class
        )
        .fetch_all(&mut *connection)
        .await?;
        let graduate_dates = graduate_days(&mut *connection).await?;
        let graduate_account_days = GRADUATE_ACCOUNT_DAYS.number(&mut *connection).await?;
        let (ethnicities, political) = words(app).await?;
        Ok(Self {
            grades: grades
                .into_iter()
                .map(|row| {
                    let entered = Term { year: row.entry_year, season: row.season };
                    (row.id, GradeRef { id: row.id, code: row.code, name: row.name, entered, enabled: row.enabled })
                })
                .collect(),
            levels: levels.into_iter().map(|level| (level.id, level)).collect(),
            majors: majors.into_iter().map(|major| (major.id, major)).collect(),
            sites: sites.into_iter().map(|site| (site.id, site)).collect(),
            classes: classes.into_iter().map(|class| (class.id, class)).collect(),
            ethnicities,
            political,
            graduate_dates,
            graduate_account_days,
        })
    }
}

/// `graduateAccountDays`: how long the account of somebody who left stays open.
pub(crate) async fn graduate_account_days(connection: &mut PgConnection) -> Result<i64> {
    GRADUATE_ACCOUNT_DAYS.number(connection).await
}

/// `graduateDates`: the two days on which the school graduates its students.
pub(super) async fn graduate_days(connection: &mut PgConnection) -> Result<GraduateDates> {
    Ok(graduate_dates(&GRADUATE_DATES.value(connection).await?))
}

/// The two days of the setting; one that is none is the usual one.
fn graduate_dates(set: &Value) -> GraduateDates {
    let day = |name: &str| set[name].as_str().and_then(MonthDay::parse);
    let usual = GraduateDates::default();
    GraduateDates { spring: day("spring").unwrap_or(usual.spring), autumn: day("autumn").unwrap_or(usual.autumn) }
}

/// The two dictionaries of persons: 民族, 政治面貌.
pub async fn words(app: &App) -> Result<(Vec<Word>, Vec<Word>)> {
    let mut platform = app.platform_read().await?;
    let rows = sqlx::query!(
        "select dict_type, dict_value, dict_label, enabled from platform.dict_data
         where dict_type in ('ethnicity', 'political_status') order by sort, dict_value"
    )
    .fetch_all(&mut *platform)
    .await?;
    let (mut ethnicities, mut political) = (Vec::new(), Vec::new());
    for row in rows {
        let list = if row.dict_type == "ethnicity" { &mut ethnicities } else { &mut political };
        list.push(Word { value: row.dict_value, label: row.dict_label, enabled: row.enabled });
    }
    Ok((ethnicities, political))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_day_that_the_setting_lacks_is_the_usual_one() {
        let usual = GraduateDates::default();
        assert_eq!(graduate_dates(&GRADUATE_DATES.kind.default()), usual);
        assert_eq!(
            graduate_dates(&json!({ "spring": "06-30", "autumn": "31-12" })),
            GraduateDates { spring: MonthDay::parse("06-30").expect("a day"), ..usual }
        );
    }
}
