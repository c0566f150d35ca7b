//! 按站点导出成绩: an archive with a workbook a site, a sheet a class, students against courses; streamed, a site in memory at a time
//! (part 04 §7).

use std::collections::BTreeMap;

use futures_util::{FutureExt, future::BoxFuture};
use infra::{
    Allowed, Body, Error, Result,
    files::archive::{self, Archive, ArchiveStream, plain_name},
    sheet::Writer,
    transfer::folder,
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;

use super::{ExportSites, matrix::OfClass};

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
        Body(wanted): Body<AchievementSiteExport>,
    ) -> Result<ArchiveStream> {
        begun(caller, wanted).await
    }
}

/// Boxed: the archive outlives the call.
fn begun(caller: Allowed<ExportSites>, wanted: AchievementSiteExport) -> BoxFuture<'static, Result<ArchiveStream>> {
    async move {
        let scope = caller.scope();
        let sites = sqlx::query!(
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
        .fetch_all(&mut *caller.read().await?)
        .await?;
        if sites.is_empty() {
            return Err(Error::new(999, "没有可导出的数据"));
        }
        let rows: i64 = sites.iter().map(|site| site.scores).sum();
        let sites: Vec<(i64, String)> = sites.into_iter().map(|site| (site.id, site.name)).collect();
        let app = caller.app().clone();
        let name = format!("站点成绩_{}.zip", app.clock().now().format("%Y%m%d%H%M%S"));
        caller.note("export", json!({ "rows": rows, "file": name }));
        archive::stream(&app, name, move |archive| async move { pack(&caller, archive, &sites, &wanted).await })
    }
    .boxed()
}

async fn pack(
    caller: &Allowed<ExportSites>,
    archive: Archive<()>,
    sites: &[(i64, String)],
    wanted: &AchievementSiteExport,
) -> Result<()> {
    for (place, (site, name)) in sites.iter().enumerate() {
        let classes = of_site(caller, *site, wanted).await?;
        let book = workbook(caller, &classes).await?;
        archive.add_bytes(format!("{:03}_{}.xlsx", place + 1, plain_name(name)), book).await?;
    }
    archive.finish().await
}

async fn of_site(
    caller: &Allowed<ExportSites>,
    site: i64,
    wanted: &AchievementSiteExport,
) -> Result<BTreeMap<String, OfClass>> {
    let scope = caller.scope();
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
    .fetch_all(&mut *caller.read().await?)
    .await?;
    let mut classes: BTreeMap<String, OfClass> = BTreeMap::new();
    for row in rows {
        let class = classes.entry(row.class.unwrap_or_else(|| "未分班".to_owned())).or_default();
        class.add((row.student_no, row.name), (row.code, row.course), row.display_text);
    }
    Ok(classes)
}

async fn workbook(caller: &Allowed<ExportSites>, classes: &BTreeMap<String, OfClass>) -> Result<Vec<u8>> {
    let folder = folder(caller.app()).await?;
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
