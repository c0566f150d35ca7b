//! 任务中心: what runs, how far it is, what came out (01 §6.4).

use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{Any, Example},
};
use serde_json::Value;

use crate::{
    Body, Change, Error, Page, Paging, Reply, Result, SignedIn, Writes,
    clock::{Moment, china},
    enumeration, files, permissions, reply,
};

permissions! {
    pages "/dashboard";
    Anywhere Reads ListAllJobs = "system:pc:job:list" "查看全部任务";
}

enumeration! {
    /// 任务状态
    pub enum JobState = "jobState" {
        Queued = "queued" "排队中",
        Running = "running" "执行中",
        Done = "done" "已完成",
        Failed = "failed" "失败",
        Cancelled = "cancelled" "已取消",
    }
}

/// A job as the drawer shows it.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
struct Job {
    /// 编号
    id: i64,
    /// 类型
    kind: String,
    /// 任务
    title: String,
    /// 状态
    state: JobState,
    /// 步骤
    step: String,
    /// 总数
    total: i64,
    /// 已处理
    done: i64,
    /// 结果
    message: String,
    /// 错误
    errors: Any<Value>,
    /// 文件名
    file_name: Option<String>,
    /// 文件地址
    file_url: Option<String>,
    /// 发起人
    actor_name: String,
    /// 创建时间
    created_at: Moment,
    /// 开始时间
    started_at: Option<Moment>,
    /// 结束时间
    finished_at: Option<Moment>,
}

/// What the drawer asks for.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
struct JobFilter {
    /// 当前页
    page_current: Option<i64>,
    /// 每页条数
    page_size: Option<i64>,
    /// 状态
    state: Option<JobState>,
    /// 类型
    #[oai(validator(max_length = 50))]
    kind: Option<String>,
    /// 全部人员
    #[oai(default)]
    all: bool,
}

impl Example for JobFilter {
    fn example() -> Self {
        Self { page_current: Some(1), page_size: Some(20), state: None, kind: None, all: false }
    }
}

pub struct JobCentre;

#[OpenApi(prefix_path = "/system/pc/job", tag = "crate::Tag::Infra")]
impl JobCentre {
    /// 任务列表
    #[oai(path = "/list", method = "post", operation_id = "listJobs")]
    async fn list(&self, caller: SignedIn, Body(filter): Body<JobFilter>) -> Result<Reply<Page<Job>>> {
        let paging = Paging::of(filter.page_current, filter.page_size)?;
        let all = filter.all && caller.holds("system:pc:job:list");
        let mine = (!all).then(|| caller.user_id());
        let school = caller.school_id();
        let mut tx = caller.platform().await?;
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from platform.job
               where ($1::bigint is null or started_by = $1) and (school_id = $2 or $2 is null and (school_id is null or from_platform))
                 and ($3::text is null or state = $3) and ($4::text is null or kind = $4)"#,
            mine,
            school,
            filter.state.map(JobState::as_str),
            filter.kind
        )
        .fetch_one(&mut *tx)
        .await?;
        let ids = sqlx::query_scalar!(
            "select id from platform.job
             where ($1::bigint is null or started_by = $1) and (school_id = $2 or $2 is null and (school_id is null or from_platform))
               and ($3::text is null or state = $3) and ($4::text is null or kind = $4)
             order by id desc limit $5 offset $6",
            mine,
            school,
            filter.state.map(JobState::as_str),
            filter.kind,
            paging.limit(),
            paging.offset()
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(paging.page(total, rows(&mut tx, &ids).await?)))
    }

    /// 查看任务
    #[oai(path = "/view", method = "get", operation_id = "viewJob")]
    async fn view(
        &self,
        caller: SignedIn,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Job>> {
        let mut tx = caller.platform().await?;
        // First the job, then its file: one that ends in between is not shown as done without it.
        let job = rows(&mut tx, &[id.0]).await?.pop();
        let found = sqlx::query!(
            "select result_file_id from platform.job where id = $1 and (school_id = $2 or $2 is null and (school_id is null or from_platform)) and ($3 or started_by = $4)",
            id.0,
            caller.school_id(),
            caller.holds("system:pc:job:list"),
            caller.user_id()
        )
        .fetch_optional(&mut *tx)
        .await?;
        let (Some(mut job), Some(found)) = (job, found) else { return Err(Error::not_found()) };
        if let Some(file) = found.result_file_id
            && let Some((url, name)) = files::address(caller.app(), &mut tx, file).await?
        {
            job.file_url = Some(url);
            job.file_name = Some(name);
        }
        Ok(reply(job))
    }

    /// 取消任务
    #[oai(path = "/cancel", method = "put", operation_id = "cancelJob")]
    async fn cancel(
        &self,
        caller: SignedIn<Writes>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<bool>> {
        let mut tx = caller.begin().await?;
        let state = sqlx::query_scalar!(
            "select state from platform.job where id = $1 and (school_id = $2 or $2 is null and (school_id is null or from_platform)) and ($3 or started_by = $4) for update",
            id.0,
            caller.school_id(),
            caller.holds("system:pc:job:list"),
            caller.user_id()
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        if !matches!(state.as_str(), "queued" | "running") {
            return Err(Error::conflict("任务已结束，不能取消"));
        }
        sqlx::query!(
            "update platform.job set cancel_asked = true,
                    state = case when state = 'queued' then 'cancelled' else state end,
                    finished_at = case when state = 'queued' then now() else finished_at end
             where id = $1",
            id.0
        )
        .execute(&mut *tx)
        .await?;
        tx.commit(Change::event("job", id.0, "status", serde_json::json!({ "cancelAsked": true }))).await?;
        Ok(reply(true))
    }
}

async fn rows(tx: &mut sqlx::PgConnection, ids: &[i64]) -> Result<Vec<Job>> {
    let rows = sqlx::query!(
        r#"select id, kind, title, state as "state: JobState", step, total, done, message, errors, actor_name,
                  created_at, started_at, finished_at
           from platform.job where id = any($1) order by id desc"#,
        ids
    )
    .fetch_all(tx)
    .await?;
    let at = |time: chrono::DateTime<chrono::Utc>| time.with_timezone(&china());
    Ok(rows
        .into_iter()
        .map(|row| Job {
            id: row.id,
            kind: row.kind,
            title: row.title,
            state: row.state,
            step: row.step,
            total: row.total,
            done: row.done,
            message: row.message,
            errors: Any(row.errors),
            file_name: None,
            file_url: None,
            actor_name: row.actor_name,
            created_at: at(row.created_at),
            started_at: row.started_at.map(at),
            finished_at: row.finished_at.map(at),
        })
        .collect())
}
