//! 节次: when the lessons of a day begin and end (part 03 B9). A site has its own, or those of the school, or those of the
//! setting.

use std::collections::HashMap;

use chrono::{NaiveDate, NaiveTime};
use infra::{
    Allowed, Body, Change, Entity, Error, FieldError, Part, Reply, Result, Saved, Scope, Tx,
    clock::{Moment, china},
    permissions, reply,
    setting::{
        Setting, Settings,
        kind::{Field, Kind},
    },
};
use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{Any, Example},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::enums::PeriodSource;

permissions! {
    pages "/schoolPC/examination/arrange/courseArrange";
    InSchool Reads  ListPeriods = "adult:pc:courseArrange:view" "查看面授排课";
    InSchool Writes SavePeriods = "adult:pc:courseArrange:period" "设置节次";
}

/// Lessons of a day that there may be.
pub const MOST: i32 = 14;

const DEFAULT: &[&[&str]] = &[
    &["08:00", "08:45"],
    &["08:55", "09:40"],
    &["10:00", "10:45"],
    &["10:55", "11:40"],
    &["14:00", "14:45"],
    &["14:55", "15:40"],
    &["16:00", "16:45"],
    &["16:55", "17:40"],
    &["18:30", "19:15"],
    &["19:25", "20:10"],
    &["20:20", "21:05"],
    &["21:10", "21:55"],
];

/// Of sites without periods of their own in a school without any (01 §13).
pub(crate) const DEFAULT_PERIODS: Setting = Setting::new(
    "timetableDefaultPeriods",
    "默认节次",
    Kind::Rows {
        columns: &[Field::new("startsAt", "开始", Kind::Time), Field::new("endsAt", "结束", Kind::Time)],
        most: 14,
        default: DEFAULT,
        in_order: Some(("startsAt", "endsAt")),
    },
    "没有设置节次的站点使用，按时间先后",
);

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "lesson_period", name: "节次", counted: "个节次" }],
    settings: &[Settings { group: "teaching", settings: &[DEFAULT_PERIODS] }],
    option_pages: PAGES,
    ..Part::NONE
};

/// When a lesson of a day is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub no: i32,
    pub starts_at: NaiveTime,
    pub ends_at: NaiveTime,
}

/// A time of a day in China.
pub fn moment(day: NaiveDate, time: NaiveTime) -> Moment {
    (day.and_time(time) - china()).and_utc().into()
}

/// From the beginning of the first to the end of the last of these lessons; none where the day has them not.
pub fn span(periods: &[Period], from: i32, to: i32) -> Option<(NaiveTime, NaiveTime)> {
    let of = |no: i32| periods.iter().find(|period| period.no == no);
    Some((of(from)?.starts_at, of(to)?.ends_at))
}

/// The periods of sites, and of whichever has none.
#[derive(Debug, Clone, Default)]
pub struct Periods {
    of_sites: HashMap<i64, Vec<Period>>,
    of_school: Vec<Period>,
    of_setting: Vec<Period>,
}

impl Periods {
    /// Those of all sites of the school.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn load(connection: &mut PgConnection) -> Result<Self> {
        let rows = sqlx::query!("select site_id, no, starts_at, ends_at from lesson_period order by no")
            .fetch_all(&mut *connection)
            .await?;
        let mut periods = Self { of_setting: of_setting(connection).await?, ..Self::default() };
        for row in rows {
            let period = Period { no: row.no, starts_at: row.starts_at, ends_at: row.ends_at };
            match row.site_id {
                Some(site) => periods.of_sites.entry(site).or_default().push(period),
                None => periods.of_school.push(period),
            }
        }
        Ok(periods)
    }

    /// Those of the setting as it is until somebody sets it.
    #[cfg(test)]
    pub(crate) fn usual() -> Self {
        Self { of_setting: read(&DEFAULT_PERIODS.kind.default()), ..Self::default() }
    }

    /// Those that count at a site; of none, those of the school.
    pub fn of(&self, site: Option<i64>) -> (PeriodSource, &[Period]) {
        match site.and_then(|site| self.of_sites.get(&site)) {
            Some(own) => (PeriodSource::Site, own),
            None if self.of_school.is_empty() => (PeriodSource::Setting, &self.of_setting),
            None => (PeriodSource::School, &self.of_school),
        }
    }
}

fn time(text: &str) -> Option<NaiveTime> {
    NaiveTime::parse_from_str(text, "%H:%M").ok()
}

async fn of_setting(connection: &mut PgConnection) -> Result<Vec<Period>> {
    Ok(read(&DEFAULT_PERIODS.value(connection).await?))
}

fn read(value: &Value) -> Vec<Period> {
    let rows = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let period = |(no, row): (i32, &Value)| {
        let (starts_at, ends_at) = (time(row["startsAt"].as_str()?)?, time(row["endsAt"].as_str()?)?);
        Some(Period { no, starts_at, ends_at })
    };
    (1..).zip(rows).filter_map(period).collect()
}

/// A lesson of a day, as typed and shown.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct LessonPeriod {
    /// 节次
    #[oai(validator(minimum(value = "1"), maximum(value = "14")))]
    pub no: i32,
    /// 开始
    #[oai(validator(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub starts_at: String,
    /// 结束
    #[oai(validator(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub ends_at: String,
}

impl Example for LessonPeriod {
    fn example() -> Self {
        Self { no: 1, starts_at: "08:00".to_owned(), ends_at: "08:45".to_owned() }
    }
}

impl LessonPeriod {
    pub(crate) fn of(period: &Period) -> Self {
        let text = |time: NaiveTime| time.format("%H:%M").to_string();
        Self { no: period.no, starts_at: text(period.starts_at), ends_at: text(period.ends_at) }
    }
}

/// The periods that count at a site.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SitePeriods {
    /// 站点编号
    /// 为空时是学校的节次
    pub site_id: Option<i64>,
    /// 节次来源
    pub source: PeriodSource,
    /// 节次
    pub periods: Vec<LessonPeriod>,
    /// 版本
    /// 本站点（或学校）自己的节次表的版本，没有时为0
    pub version: i32,
}

/// The periods of a site, or of the school, as a whole.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PeriodsForm {
    /// 站点
    /// 不填为学校的节次
    pub site_id: Option<i64>,
    /// 版本
    pub version: i32,
    /// 节次
    /// 从第1节起按时间先后；为空时删除自己的节次表
    #[oai(validator(max_items = 14))]
    pub periods: Vec<LessonPeriod>,
}

impl Example for PeriodsForm {
    fn example() -> Self {
        Self { site_id: None, version: 0, periods: vec![LessonPeriod::example()] }
    }
}

pub struct PeriodRows;

#[OpenApi(prefix_path = "/adult/pc/courseArrange/period", tag = "crate::Tag::Timetable")]
impl PeriodRows {
    /// 节次列表
    /// 站点没有自己的节次时为学校的，学校也没有时为系统设置中的
    #[oai(path = "/list", method = "get", operation_id = "listLessonPeriods")]
    async fn list(
        &self,
        caller: Allowed<ListPeriods>,
        /// 站点
        #[oai(name = "siteId")]
        site_id: Query<Option<i64>>,
    ) -> Result<Reply<SitePeriods>> {
        let mut tx = caller.read().await?;
        let site_id = site_id.0;
        let periods = Periods::load(&mut tx).await?;
        let (source, counting) = periods.of(site_id);
        Ok(reply(SitePeriods {
            site_id,
            source,
            periods: counting.iter().map(LessonPeriod::of).collect(),
            version: version(&mut tx, site_id).await?,
        }))
    }

    /// 保存节次
    /// 已排的课次保持原来的时间
    #[oai(path = "/save", method = "put", operation_id = "savePeriods")]
    async fn save(&self, caller: Allowed<SavePeriods>, Body(form): Body<PeriodsForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = replace(&mut tx, &form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: form.site_id.unwrap_or_default() }))
    }
}

/// All rows of a site bear one version; each save is the next.
async fn version(connection: &mut PgConnection, site: Option<i64>) -> Result<i32> {
    let version = sqlx::query_scalar!(
        r#"select coalesce(max(version), 0) as "version!" from lesson_period where site_id is not distinct from $1"#,
        site
    )
    .fetch_one(connection)
    .await?;
    Ok(version)
}

/// Puts other periods in the place of those that a site, or the school, has.
///
/// # Errors
/// 403 beyond the scope, 409 when they were changed meanwhile, 422 for times that do not follow one another.
async fn replace(tx: &mut Tx, form: &PeriodsForm, scope: &Scope) -> Result<Change> {
    if form.site_id.is_none() && !scope.is_whole() {
        return Err(Error::new(403, "学校的节次请由数据范围为全校的人员设置"));
    }
    if let Some(site) = form.site_id {
        if !scope.sees(Some(site), None) {
            return Err(Error::not_found());
        }
        sqlx::query_scalar!("select id from site where id = $1", site)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| Error::field("siteId", "所选站点不存在，请重新选择"))?;
    }
    let wanted = checked(&form.periods)?;
    // Two who save at once wait for each other, and the second finds another version.
    crate::hold(tx).await?;
    let known = version(tx, form.site_id).await?;
    let rows = sqlx::query!(
        "select id, no, starts_at, ends_at from lesson_period where site_id is not distinct from $1 order by no for update",
        form.site_id
    )
    .fetch_all(&mut **tx)
    .await?;
    if known != form.version {
        let id = rows.first().map_or(0, |row| row.id);
        let told = tx.stale("lesson_period", id).await;
        return Err(if told.code == 404 {
            Error::conflict("节次已被他人修改，请刷新后重试")
        } else {
            told
        });
    }
    let nos: Vec<i32> = wanted.iter().map(|period| period.no).collect();
    let starts: Vec<NaiveTime> = wanted.iter().map(|period| period.starts_at).collect();
    let ends: Vec<NaiveTime> = wanted.iter().map(|period| period.ends_at).collect();
    let by = tx.by();
    sqlx::query!(
        "delete from lesson_period where site_id is not distinct from $1 and not no = any($2)",
        form.site_id,
        &nos
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into lesson_period (site_id, no, starts_at, ends_at, version, created_by, updated_by)
         select $1::bigint, w.no, w.starts_at, w.ends_at, $5::integer, $6::bigint, $6::bigint
         from unnest($2::integer[], $3::time[], $4::time[]) as w (no, starts_at, ends_at)
         on conflict (site_id, no) do update
         set starts_at = excluded.starts_at, ends_at = excluded.ends_at, updated_at = excluded.updated_at,
             updated_by = excluded.updated_by, version = excluded.version",
        form.site_id,
        &nos,
        &starts,
        &ends,
        known + 1,
        by
    )
    .execute(&mut **tx)
    .await?;
    let before: Vec<LessonPeriod> = rows
        .iter()
        .map(|row| LessonPeriod::of(&Period { no: row.no, starts_at: row.starts_at, ends_at: row.ends_at }))
        .collect();
    let told = |periods: &[LessonPeriod]| {
        let lines: Vec<String> =
            periods.iter().map(|period| format!("{} {}-{}", period.no, period.starts_at, period.ends_at)).collect();
        Any(json!({ "siteId": form.site_id, "periods": lines }))
    };
    let id = rows.first().map_or(0, |row| row.id);
    Ok(Change::edited("lesson_period", id, &told(&before), &told(&form.periods)))
}

/// The periods in their order.
///
/// # Errors
/// 422 where one does not follow the one before.
fn checked(periods: &[LessonPeriod]) -> Result<Vec<Period>> {
    let (mut wanted, mut errors): (Vec<Period>, Vec<FieldError>) = (Vec::new(), Vec::new());
    for (place, period) in periods.iter().enumerate() {
        let mut wrong = |field: &str, message: &str| {
            errors.push(FieldError { field: format!("periods[{place}].{field}"), message: message.to_owned() });
        };
        let next = wanted.last().map_or(1, |last| last.no + 1);
        if period.no != next || period.no > MOST {
            wrong("no", &format!("节次应从1起连续，这里应为{next}"));
            continue;
        }
        let (Some(starts_at), Some(ends_at)) = (time(&period.starts_at), time(&period.ends_at)) else {
            wrong("startsAt", "时间应为 HH:MM");
            continue;
        };
        if ends_at <= starts_at {
            wrong("endsAt", "结束时间应晚于开始时间");
        }
        if wanted.last().is_some_and(|last| last.ends_at > starts_at) {
            wrong("startsAt", "不能早于上一节的结束时间");
        }
        wanted.push(Period { no: period.no, starts_at, ends_at });
    }
    if errors.is_empty() { Ok(wanted) } else { Err(Error::fields(errors)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(lines: &[(i32, &str, &str)]) -> Vec<LessonPeriod> {
        let line = |(no, starts_at, ends_at): &(i32, &str, &str)| LessonPeriod {
            no: *no,
            starts_at: (*starts_at).to_owned(),
            ends_at: (*ends_at).to_owned(),
        };
        lines.iter().map(line).collect()
    }

    #[test]
    fn lessons_follow_one_another() {
        assert!(checked(&typed(&[(1, "08:00", "08:45"), (2, "08:45", "09:30")])).is_ok());
        let wrong = checked(&typed(&[(1, "08:00", "08:45"), (2, "08:30", "08:20"), (4, "10:00", "10:45")]));
        let error = wrong.expect_err("three mistakes");
        let fields: Vec<&str> =
            error.data.as_array().expect("fields").iter().filter_map(|field| field["field"].as_str()).collect();
        assert_eq!(fields, ["periods[1].endsAt", "periods[1].startsAt", "periods[2].no"]);
    }

    #[test]
    fn a_span_goes_from_the_first_to_the_last() {
        let periods = checked(&typed(&[(1, "08:00", "08:45"), (2, "08:55", "09:40")])).expect("periods");
        let text = |time: NaiveTime| time.format("%H:%M").to_string();
        let (from, to) = span(&periods, 1, 2).expect("a span");
        assert_eq!((text(from), text(to)), ("08:00".to_owned(), "09:40".to_owned()));
        assert_eq!(span(&periods, 2, 3), None);
        let at = moment("2026-03-21".parse().expect("a day"), from);
        assert_eq!(at.to_rfc3339(), "2026-03-21T08:00:00+08:00");
    }

    #[test]
    fn a_site_has_its_own_or_those_of_the_school() {
        let of = |no: i32| vec![Period { no, starts_at: NaiveTime::MIN, ends_at: NaiveTime::MIN }];
        let mut periods = Periods { of_setting: of(3), ..Periods::default() };
        assert_eq!(periods.of(Some(7)), (PeriodSource::Setting, &of(3)[..]));
        periods.of_school = of(2);
        assert_eq!(periods.of(Some(7)), (PeriodSource::School, &of(2)[..]));
        periods.of_sites.insert(7, of(1));
        assert_eq!(periods.of(Some(7)), (PeriodSource::Site, &of(1)[..]));
        assert_eq!(periods.of(None), (PeriodSource::School, &of(2)[..]));
    }
}
