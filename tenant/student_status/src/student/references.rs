//! What a student refers to, read once for a form or a whole sheet.

use infra::{App, Result};
use sqlx::PgConnection;
use student_status_rules::{
    dates::GraduateDates,
    references::{
        ClassRef, GRADUATE_ACCOUNT_DAYS, GRADUATE_DATES, GradeRef, LevelRef, MajorRef, References, SiteRef,
        graduate_dates,
    },
};
use term::{Season, Term};

pub use student_status_rules::references::Word;

/// The rows that one form names; none stands for all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Only {
    pub grade: Option<i64>,
    pub level: Option<i64>,
    pub major: Option<i64>,
    pub site: Option<i64>,
    pub class: Option<i64>,
}

impl Only {
    /// Reads what the rows of a sheet may refer to, or what one form names.
    pub async fn load(self, app: &App, connection: &mut PgConnection) -> Result<References> {
        let Self { grade, level, major, site, class } = self;
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
        Ok(References {
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
