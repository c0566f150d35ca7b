//! 下载 of one archive, and 打包下载 of many: volumes of at most 2 GB, a folder a site (part 04 §11).

use certificate_rules::volumes::cut;
use infra::{
    Allowed, Body, Error, Reply, Result,
    across::{KeyQuery, Keyed},
    files::{self, archive::Archive as Zip, archive::plain_name},
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;

use super::{Archives, DownloadArchive, DownloadArchives, select::ArchiveFilter};

const CODE: &str = "adult:pc:archive:batchDownload";
/// Of a volume.
const VOLUME: u64 = 2 << 30;

pub(super) const BUNDLE: JobKind =
    JobKind { kind: "archive.bundle", code: Some(CODE), run: |run| Box::pin(bundled(run)), headings: None };

/// Where a file is fetched.
#[derive(Debug, Clone, Object)]
pub struct ArchiveAddress {
    /// 文件名
    pub name: String,
    /// 地址
    pub url: String,
}

/// Which archives are fetched together.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ArchivesDownload {
    /// 毕业批次
    pub batch_id: i64,
    /// 站点
    pub site_id: Option<i64>,
    /// 分卷
    /// 从1开始；上一个任务的结果说明共有几卷
    #[oai(validator(minimum(value = "1")))]
    pub volume: Option<u32>,
}

impl Example for ArchivesDownload {
    fn example() -> Self {
        Self { batch_id: 1, site_id: None, volume: None }
    }
}

pub struct Downloads;

#[OpenApi(prefix_path = "/adult/pc/archive", tag = "crate::Tag::Certificates")]
impl Downloads {
    /// 下载档案
    /// 已归档的全卷
    #[oai(path = "/download", method = "get", operation_id = "downloadArchive")]
    async fn download(
        &self,
        caller: Allowed<DownloadArchive>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ArchiveAddress>> {
        let mut tx = caller.read().await?;
        let archive = Archives::find(&mut tx, id.0, &caller.scope()).await?;
        let bundle = sqlx::query_scalar!(
            "select bundle_file_id from archive where id = $1 and status in ('sealed', 'handed_over')",
            archive.id
        )
        .fetch_optional(&mut *tx)
        .await?
        .flatten()
        .ok_or_else(|| Error::conflict("档案未归档，没有全卷"))?;
        let (url, name) = files::address(caller.app(), &mut tx, bundle).await?.ok_or_else(Error::not_found)?;
        caller.note("export", json!({ "archiveId": archive.id, "studentId": archive.student_id, "file": name }));
        Ok(reply(ArchiveAddress { name, url }))
    }

    /// 打包下载档案
    #[oai(path = "/batchDownload", method = "post", operation_id = "downloadArchives")]
    async fn bundle(
        &self,
        caller: Allowed<DownloadArchives>,
        Body(wanted): Body<ArchivesDownload>,
    ) -> Result<Reply<JobStarted>> {
        let mut tx = caller.read().await?;
        let name = sqlx::query_scalar!("select name from graduation_batch where id = $1", wanted.batch_id)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(Error::not_found)?;
        drop(tx);
        let volume = wanted.volume.unwrap_or(1);
        let job = NewJob {
            kind: BUNDLE.kind,
            target: format!("batch:{}", wanted.batch_id),
            title: format!("打包下载档案（{name}，第{volume}卷）"),
            params: json!({ "batchId": wanted.batch_id, "siteId": wanted.site_id, "volume": volume }),
        };
        Ok(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? }))
    }
}

async fn bundled(run: JobRun) -> Result<Outcome> {
    let scope = run.scope(CODE).await?;
    let filter = ArchiveFilter {
        batch_id: run.params["batchId"].as_i64(),
        site_id: run.params["siteId"].as_i64(),
        ..ArchiveFilter::default()
    };
    let mut tx = run.read().await?;
    let keys = Archives::matching(&mut tx, &filter, &scope, KeyQuery::default()).await?;
    let ids: Vec<i64> = keys.into_iter().map(|key| key.id).collect();
    let rows = sqlx::query!(
        r#"select t.name as "site!", y.name as "name!", coalesce(y.student_no, a.archive_no) as "number!", f.key as "key!",
                  f.size as "size!"
           from archive a
           join student y on y.id = a.student_id
           join site t on t.id = y.site_id
           join file_object f on f.id = a.bundle_file_id
           where a.id = any($1) and a.status in ('sealed', 'handed_over')
           order by t.code, y.student_no, a.id"#,
        &ids
    )
    .fetch_all(&mut *tx)
    .await?;
    drop(tx);
    if rows.is_empty() {
        return Err(Error::conflict("没有已归档的档案"));
    }
    let sizes: Vec<u64> = rows.iter().map(|row| u64::try_from(row.size).unwrap_or_default()).collect();
    let volumes = cut(&sizes, VOLUME);
    let wanted = usize::try_from(run.params["volume"].as_i64().unwrap_or(1)).unwrap_or(1);
    let range = wanted
        .checked_sub(1)
        .and_then(|at| volumes.get(at))
        .cloned()
        .ok_or_else(|| Error::conflict(format!("共{}卷，没有第{wanted}卷", volumes.len())))?;
    let app = run.app().clone();
    let zip = Zip::start(&app).await?;
    let (mut packed, mut gone) = (0, 0);
    let total = i64::try_from(range.len()).unwrap_or_default();
    for (place, row) in (0..).zip(&rows[range]) {
        if place % 50 == 0 {
            run.progress("打包", place, total).await?;
        }
        let name = format!("{}/{}", plain_name(&row.site), plain_name(&format!("{}_{}.zip", row.number, row.name)));
        if zip.add(&app, || name, &row.key).await? { packed += 1 } else { gone += 1 }
    }
    let made = zip.finish().await?;
    let school = run.school.as_ref().map(|school| school.id);
    let name = format!("毕业档案_第{wanted}卷_{}.zip", app.clock().now().format("%Y%m%d%H%M%S"));
    run.show_whole();
    let file = files::keep_result(&app, school, run.actor.id, &name, made.path()).await?;
    let lost = if gone > 0 { format!("，{gone}份文件已不在") } else { String::new() };
    Ok(Outcome {
        message: format!("第{wanted}卷，共{}卷，{packed}份档案{lost}", volumes.len()),
        result_file: Some(file),
        ..Outcome::default()
    })
}
