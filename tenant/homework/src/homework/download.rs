//! 打包下载附件: `班级/学号_姓名/文件` of a homework, made by a job (part 03 B6).

use std::collections::HashSet;

use homework_rules::names::{named, once};
use infra::{
    Allowed, Body, Error, Reply, Result,
    access::Permission,
    files::{self, archive::Archive},
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;

use super::{DownloadHomework, select::title_of, viewable};

const KIND: &str = "homework.download";
/// Files of one archive.
const MOST: usize = 20_000;

pub(super) const JOB: JobKind = JobKind {
    kind: KIND,
    code: Some(<DownloadHomework as Permission>::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

/// Whose files.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HomeworkDownload {
    /// 作业
    pub id: i64,
    /// 班级
    /// 不填为全部班级
    #[oai(validator(min_items = 1, max_items = 500))]
    pub class_ids: Option<Vec<i64>>,
}

impl Example for HomeworkDownload {
    fn example() -> Self {
        Self { id: 1, class_ids: None }
    }
}

pub struct Downloads;

#[OpenApi(prefix_path = "/exam/pc/tasks", tag = "crate::Tag::Homework")]
impl Downloads {
    /// 打包下载作业附件
    /// 后台任务，完成后在任务中心下载
    #[oai(path = "/batchDownload", method = "post", operation_id = "downloadHomeworkFiles")]
    async fn download(
        &self,
        caller: Allowed<DownloadHomework>,
        Body(wanted): Body<HomeworkDownload>,
    ) -> Result<Reply<JobStarted>> {
        let mut tx = caller.read().await?;
        viewable(&mut tx, wanted.id, &caller.scope()).await?;
        let title = title_of(&mut tx, wanted.id).await?;
        drop(tx);
        let job = NewJob {
            kind: KIND,
            target: wanted.id.to_string(),
            title: format!("打包下载作业附件（{title}）"),
            params: json!({ "id": wanted.id, "classIds": wanted.class_ids }),
        };
        Ok(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? }))
    }
}

async fn work(run: JobRun) -> Result<Outcome> {
    let id = run.params["id"].as_i64().ok_or_else(|| Error::internal("the job names no homework"))?;
    let classes: Option<Vec<i64>> =
        run.params["classIds"].as_array().map(|ids| ids.iter().filter_map(serde_json::Value::as_i64).collect());
    let scope = run.scope(<DownloadHomework as Permission>::CODE).await?;
    let mut tx = run.read().await?;
    viewable(&mut tx, id, &scope).await?;
    let title = title_of(&mut tx, id).await?;
    let rows = sqlx::query!(
        r#"select f.key as "key!", f.original_name as "file!", k.name as "class_name?", y.student_no, y.name as "name!",
                  a.attempt_no as "attempt_no!"
           from homework_student s
           join answer_sheet a on a.homework_student_id = s.id and a.mark_state in ('submitted', 'marked', 'returned')
           join answer_item i on i.sheet_id = a.id
           join answer_file x on x.item_id = i.id
           join file_object f on f.id = x.file_id and f.state = 'stored'
           join course_selection c on c.id = s.selection_id
           join student y on y.id = c.student_id
           left join class k on k.id = c.class_id
           where s.homework_id = $1 and s.state <> 'void'
             and ($2::bigint[] is null or c.class_id = any($2))
             and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
           order by k.name, y.student_no, a.attempt_no, i.id, x.sort_no
           limit $5"#,
        id,
        classes.as_deref(),
        scope.sites(),
        scope.classes(),
        i64::try_from(MOST + 1).map_err(Error::internal)?
    )
    .fetch_all(&mut *tx)
    .await?;
    drop(tx);
    if rows.is_empty() {
        return Err(Error::conflict("没有可下载的附件"));
    }
    if rows.len() > MOST {
        return Err(Error::conflict(format!("附件超过{MOST}个，请按班级分批下载")));
    }
    let app = run.app().clone();
    let archive = Archive::start(&app).await?;
    let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let (mut taken, mut gone) = (HashSet::new(), 0);
    for (before, row) in (0..).zip(rows) {
        if before % 20 == 0 {
            run.progress("打包附件", before, total).await?;
        }
        let person = format!("{}_{}", row.student_no.as_deref().unwrap_or("无学号"), row.name);
        let folder = format!("{}/{}", named(row.class_name.as_deref().unwrap_or("未分班")), named(&person));
        let file = match row.attempt_no {
            1 => named(&row.file),
            attempt => format!("第{attempt}次_{}", named(&row.file)),
        };
        let name = once(format!("{folder}/{file}"), &mut taken);
        if !archive.add(&app, || name, &row.key).await? {
            gone += 1;
        }
    }
    let made = archive.finish().await?;
    let name = format!("{}_{}.zip", named(&title), app.clock().now().format("%Y%m%d%H%M%S"));
    let school = run.school.as_ref().map(|school| school.id);
    run.show_whole();
    let file = files::keep_result(&app, school, run.actor.id, &name, made.path()).await?;
    let missing = if gone > 0 { format!("，{gone}个已不在") } else { String::new() };
    Ok(Outcome { message: format!("共{total}个附件{missing}"), result_file: Some(file), ..Outcome::default() })
}
