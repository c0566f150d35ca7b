//! 节次: when the lessons of a day begin and end (part 03 B9). A site has its own, or those of the school, or those of the
//! setting.

use chrono::NaiveTime;
use infra::{
    Allowed, Body, Change, Entity, Error, Part, Reply, Result, Saved, Scope, Tx, permissions, reply, setting::Settings,
};
use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{Any, Example},
};
use serde_json::json;
use sqlx::PgConnection;
use timetable_rules::period::{DEFAULT_PERIODS, LessonPeriod, Period, Periods, checked, read};

use crate::enums::PeriodSource;

permissions! {
    pages "/schoolPC/examination/arrange/courseArrange";
    InSchool Reads  ListPeriods = "adult:pc:courseArrange:view" "查看面授排课";
    InSchool Writes SavePeriods = "adult:pc:courseArrange:period" "设置节次";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "lesson_period", name: "节次", counted: "个节次" }],
    settings: &[Settings { group: "teaching", settings: &[DEFAULT_PERIODS] }],
    option_pages: PAGES,
    ..Part::NONE
};

/// Those of all sites of the school.
///
/// # Errors
/// Those of the database.
pub async fn load(connection: &mut PgConnection) -> Result<Periods> {
    let rows = sqlx::query!("select site_id, no, starts_at, ends_at from lesson_period order by no")
        .fetch_all(&mut *connection)
        .await?;
    let mut periods = Periods { of_setting: read(&DEFAULT_PERIODS.value(connection).await?), ..Periods::default() };
    for row in rows {
        let period = Period { no: row.no, starts_at: row.starts_at, ends_at: row.ends_at };
        match row.site_id {
            Some(site) => periods.of_sites.entry(site).or_default().push(period),
            None => periods.of_school.push(period),
        }
    }
    Ok(periods)
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
        let periods = load(&mut tx).await?;
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
