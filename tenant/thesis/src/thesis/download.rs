//! 打包下载论文: `{专业}/{学号}_{姓名}/{文稿}_{版本}` of a plan, made by a job (part 04 §8.1).

use std::collections::HashMap;

use infra::{
    Allowed, Body, Error, Reply, Result,
    access::Permission,
    files::{
        self,
        archive::{Archive, plain_name},
    },
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use thesis_rules::enums::ThesisDocumentKind;

use super::DownloadTheses;

const KIND: &str = "thesis.download";
/// Files of one archive.
const MOST: usize = 20_000;

pub(super) const JOB: JobKind = JobKind {
    kind: KIND,
    code: Some(<DownloadTheses as Permission>::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

/// Whose documents.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisDownload {
    /// 论文批次
    pub plan_id: i64,
    /// 学生论文
    /// 不填为本批次全部
    #[oai(validator(min_items = 1, max_items = 5000))]
    pub ids: Option<Vec<i64>>,
}

impl Example for ThesisDownload {
    fn example() -> Self {
        Self { plan_id: 1, ids: None }
    }
}

pub struct Downloads;

#[OpenApi(prefix_path = "/adult/pc/thesis", tag = "crate::Tag::Thesis")]
impl Downloads {
    /// 打包下载论文
    /// 后台任务，含各版文稿，完成后在任务中心下载
    #[oai(path = "/batchDownload", method = "post", operation_id = "downloadTheses")]
    async fn download(
        &self,
        caller: Allowed<DownloadTheses>,
        Body(wanted): Body<ThesisDownload>,
    ) -> Result<Reply<JobStarted>> {
        let mut tx = caller.read().await?;
        let plan = sqlx::query_scalar!("select name from thesis_plan where id = $1", wanted.plan_id)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(Error::not_found)?;
        drop(tx);
        let job = NewJob {
            kind: KIND,
            target: format!("plan:{}", wanted.plan_id),
            title: format!("打包下载论文（{plan}）"),
            params: json!({ "planId": wanted.plan_id, "ids": wanted.ids }),
        };
        Ok(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? }))
    }
}

async fn work(run: JobRun) -> Result<Outcome> {
    let plan = run.params["planId"].as_i64().ok_or_else(|| Error::internal("the job names no plan"))?;
    let ids: Option<Vec<i64>> =
        run.params["ids"].as_array().map(|ids| ids.iter().filter_map(serde_json::Value::as_i64).collect());
    let scope = run.scope(<DownloadTheses as Permission>::CODE).await?;
    let mut tx = run.read().await?;
    let rows = sqlx::query!(
        r#"select f.key as "key!", f.original_name as "file!", d.kind as "kind!: ThesisDocumentKind",
                  d.version_no as "version_no!", t.id as "thesis!", m.name as "major_name!", y.student_no as "student_no?", y.name as "name!"
           from thesis t
           join thesis_document d on d.thesis_id = t.id
           join file_object f on f.id = d.file_id and f.state = 'stored'
           join student y on y.id = t.student_id
           join major m on m.id = y.major_id
           where t.plan_id = $1
             and ($2::bigint[] is null or t.id = any($2))
             and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
           order by m.name, y.student_no, t.id, d.id
           limit $5"#,
        plan,
        ids.as_deref(),
        scope.sites(),
        scope.classes(),
        i64::try_from(MOST + 1).map_err(Error::internal)?
    )
    .fetch_all(&mut *tx)
    .await?;
    drop(tx);
    if rows.is_empty() {
        return Err(Error::conflict("没有可下载的文稿"));
    }
    if rows.len() > MOST {
        return Err(Error::conflict(format!("文稿超过{MOST}个，请勾选学生分批下载")));
    }
    let app = run.app().clone();
    let archive = Archive::start(&app).await?;
    let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let (mut folders, mut gone) = (HashMap::new(), 0);
    for (before, row) in (0..).zip(rows) {
        if before % 20 == 0 {
            run.progress("打包文稿", before, total).await?;
        }
        let person = format!("{}_{}", row.student_no.as_deref().unwrap_or("无学号"), row.name);
        let ending = row.file.rsplit_once('.').map_or("pdf", |(_, ending)| ending);
        let document = format!("{}_{}.{ending}", row.kind.zh(), row.version_no);
        let mut folder = format!("{}/{}", plain_name(&row.major_name), plain_name(&person));
        // Of a student with two theses, and of two students of one name, each has a folder.
        if *folders.entry(folder.clone()).or_insert(row.thesis) != row.thesis {
            folder = format!("{folder}_{}", row.thesis);
        }
        let name = format!("{folder}/{}", plain_name(&document));
        if !archive.add(&app, || name, &row.key).await? {
            gone += 1;
        }
    }
    let made = archive.finish().await?;
    let name = format!("学生论文_{}.zip", app.clock().now().format("%Y%m%d%H%M%S"));
    let school = run.school.as_ref().map(|school| school.id);
    run.show_whole();
    let file = files::keep_result(&app, school, run.actor.id, &name, made.path()).await?;
    let missing = if gone > 0 { format!("，{gone}个已不在") } else { String::new() };
    Ok(Outcome { message: format!("共{total}个文稿{missing}"), result_file: Some(file), ..Outcome::default() })
}
