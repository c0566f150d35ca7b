//! 按站点导出成绩: an archive with a workbook a site, a sheet a class, students against courses; streamed, a site in memory at a time
//! (part 04 §7).

use std::collections::BTreeMap;

use futures_util::{FutureExt, future::BoxFuture};
use infra::{
    Allowed, App, Body, Error, Result, Scope,
    access::Permission,
    files::{
        self,
        archive::{self, Archive, Archived, plain_name},
    },
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
    sheet::Writer,
    transfer::folder,
};
use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{Example, ParseFromJSON, ToJSON},
};
use serde_json::json;
use sqlx::PgConnection;

use super::{ExportSites, matrix::OfClass};

const KIND: &str = "scores.site_export";

/// Which scores.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AchievementSiteExport {
    /// 学期
    pub semester_id: i64,
    /// 站点
    /// 不填为全部
    #[oai(validator(min_items = 1, max_items = 500))]
    pub site_ids: Option<Vec<i64>>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
}

impl Example for AchievementSiteExport {
    fn example() -> Self {
        Self { semester_id: 1, site_ids: None, grade_id: None, level_id: None, major_id: None }
    }
}

pub struct SiteExports;

#[OpenApi(prefix_path = "/adult/pc/adult/achievement", tag = "crate::Tag::Scores")]
impl SiteExports {
    /// 按站点导出成绩
    /// 每个站点一个工作簿，每个班级一张表，只含已发布和已锁定的成绩
    #[oai(path = "/site/export", method = "post", operation_id = "exportAchievementsBySite")]
    async fn export(
        &self,
        caller: Allowed<ExportSites>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(wanted): Body<AchievementSiteExport>,
    ) -> Result<Archived> {
        begun(caller, wanted, job.0 == Some(true)).await
    }
}

pub(super) const JOB: JobKind = JobKind {
    kind: KIND,
    code: Some(<ExportSites as Permission>::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

/// A site with how many scores it has.
struct Site {
    id: i64,
    name: String,
    scores: i64,
}

/// Boxed: the archive outlives the call.
fn begun(
    caller: Allowed<ExportSites>,
    wanted: AchievementSiteExport,
    as_job: bool,
) -> BoxFuture<'static, Result<Archived>> {
    async move {
        let sites = sites_of(&mut *caller.read().await?, &wanted, &caller.scope()).await?;
        if as_job {
            let job = NewJob {
                kind: KIND,
                target: format!("semester:{}", wanted.semester_id),
                title: "按站点导出成绩".to_owned(),
                params: json!({ "wanted": wanted.to_json() }),
            };
            return Ok(Archived::Job(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? })));
        }
        let rows: i64 = sites.iter().map(|site| site.scores).sum();
        let app = caller.app().clone();
        let name = file_name(&app);
        caller.note("export", json!({ "rows": rows, "file": name }));
        let stream = archive::stream(&app, name, move |archive| async move {
            for (place, site) in (1..).zip(&sites) {
                let classes = of_site(&mut *caller.read().await?, site.id, &wanted, &caller.scope()).await?;
                let book = workbook(caller.app(), &classes).await?;
                archive.add_bytes(book_name(place, &site.name), book).await?;
            }
            archive.finish().await
        })?;
        Ok(Archived::Stream(stream))
    }
    .boxed()
}

async fn work(run: JobRun) -> Result<Outcome> {
    let scope = run.scope(<ExportSites as Permission>::CODE).await?;
    let wanted = AchievementSiteExport::parse_from_json(Some(run.params["wanted"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let sites = sites_of(&mut *run.read().await?, &wanted, &scope).await?;
    let app = run.app().clone();
    let archive = Archive::start(&app).await?;
    let total = i64::try_from(sites.len()).map_err(Error::internal)?;
    for (place, site) in (1..).zip(&sites) {
        run.progress("导出站点成绩", place - 1, total).await?;
        let classes = of_site(&mut *run.read().await?, site.id, &wanted, &scope).await?;
        let book = workbook(&app, &classes).await?;
        archive.add_bytes(book_name(place, &site.name), book).await?;
    }
    let made = archive.finish().await?;
    let school = run.school.as_ref().map(|school| school.id);
    let file = files::keep_result(&app, school, run.actor.id, &file_name(&app), made.path()).await?;
    let rows: i64 = sites.iter().map(|site| site.scores).sum();
    Ok(Outcome {
        message: format!("{total}个站点，共{rows}条成绩"), result_file: Some(file), ..Outcome::default()
    })
}

fn file_name(app: &App) -> String {
    format!("站点成绩_{}.zip", app.clock().now().format("%Y%m%d%H%M%S"))
}

fn book_name(place: i64, site: &str) -> String {
    format!("{place:03}_{}.xlsx", plain_name(site))
}

/// The sites that have scores to be exported.
///
/// # Errors
/// 999 when there are none.
async fn sites_of(connection: &mut PgConnection, wanted: &AchievementSiteExport, scope: &Scope) -> Result<Vec<Site>> {
    let sites = sqlx::query_as!(
        Site,
        r#"select t.id, t.name, count(*) as "scores!"
           from course_score s join student y on y.id = s.student_id join site t on t.id = y.site_id
           where s.semester_id = $1 and s.status in ('published', 'locked')
             and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
             and ($4::bigint[] is null or y.site_id = any($4)) and ($5::bigint is null or y.grade_id = $5)
             and ($6::bigint is null or y.level_id = $6) and ($7::bigint is null or y.major_id = $7)
           group by t.id, t.name order by t.name, t.id"#,
        wanted.semester_id,
        scope.sites(),
        scope.classes(),
        wanted.site_ids.as_deref(),
        wanted.grade_id,
        wanted.level_id,
        wanted.major_id
    )
    .fetch_all(connection)
    .await?;
    if sites.is_empty() { Err(Error::new(999, "没有可导出的数据")) } else { Ok(sites) }
}

/// The scores of a site, class by class.
async fn of_site(
    connection: &mut PgConnection,
    site: i64,
    wanted: &AchievementSiteExport,
    scope: &Scope,
) -> Result<BTreeMap<String, OfClass>> {
    let rows = sqlx::query!(
        r#"select k.name as "class?", y.student_no, y.name, u.code, u.name as course, s.display_text
           from course_score s
           join student y on y.id = s.student_id
           join course u on u.id = s.course_id
           left join class k on k.id = y.class_id
           where s.semester_id = $1 and s.status in ('published', 'locked') and y.site_id = $2
             and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
             and ($5::bigint is null or y.grade_id = $5) and ($6::bigint is null or y.level_id = $6)
             and ($7::bigint is null or y.major_id = $7)"#,
        wanted.semester_id,
        site,
        scope.sites(),
        scope.classes(),
        wanted.grade_id,
        wanted.level_id,
        wanted.major_id
    )
    .fetch_all(connection)
    .await?;
    let mut classes: BTreeMap<String, OfClass> = BTreeMap::new();
    for row in rows {
        let class = classes.entry(row.class.unwrap_or_else(|| "未分班".to_owned())).or_default();
        class.add((row.student_no, row.name), (row.code, row.course), row.display_text);
    }
    Ok(classes)
}

async fn workbook(app: &App, classes: &BTreeMap<String, OfClass>) -> Result<Vec<u8>> {
    let folder = folder(app).await?;
    let mut writer: Option<Writer> = None;
    for (place, (name, class)) in classes.iter().enumerate() {
        // Two classes of the same beginning are two sheets.
        let title = format!("{}.{name}", place + 1);
        let current = match writer.take() {
            None => Writer::headed(&folder, &title, class.headings()),
            Some(mut writer) => {
                writer.sheet(&title, class.headings()).await?;
                writer
            }
        };
        let current = writer.insert(current);
        for line in class.lines() {
            current.row(line).await?;
        }
    }
    let writer = writer.ok_or_else(|| Error::new(999, "没有可导出的数据"))?;
    let file = writer.finish().await?;
    tokio::fs::read(file.path()).await.map_err(Error::of_disk)
}
