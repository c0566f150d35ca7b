//! 任务中心: what runs, how far it is, what came out (01 §6.4).

use poem_openapi::{Object, OpenApi, param::Query, types::Any};
use serde_json::Value;

use crate::{
    Body, Change, Error, Page, Paged, Paging, Reply, Result, SignedIn, Writes,
    access::{Caller, Permission},
    clock::Moment,
    enumeration, files,
    module::{Entity, Part},
    permissions, reply,
    token::Area,
};

permissions! {
    pages "/dashboard";
    Anywhere Reads ListAllJobs = "system:pc:job:list" "查看全部任务";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[JobState::ENUMERATION],
    entities: &[Entity { table: "job", name: "任务", counted: "个任务" }],
    ..Part::NONE
};

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
    /// 仅发起人可见
    errors: Any<Value>,
    /// 提醒
    /// 值得核对的内容，仅发起人可见
    warnings: Any<Value>,
    /// 有结果文件
    /// 仅发起人可以下载，他人须自行重新发起
    has_file: bool,
    /// 文件名
    file_name: Option<String>,
    /// 文件地址
    file_url: Option<String>,
    /// 可取消
    cancellable: bool,
    /// 院校编号
    school_id: Option<i64>,
    /// 院校
    school_name: Option<String>,
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
#[derive(Debug, Default, Object)]
#[oai(rename_all = "camelCase")]
struct JobFilter {
    /// 状态
    state: Option<JobState>,
    /// 类型
    #[oai(validator(max_length = 50))]
    kind: Option<String>,
    /// 任务
    /// 名称包含
    #[oai(validator(max_length = 100))]
    keyword: Option<String>,
    /// 院校
    /// 平台人员查看一所院校的任务
    school_id: Option<i64>,
    /// 全部人员
    #[oai(default)]
    all: bool,
}

pub struct JobCentre;

#[OpenApi(prefix_path = "/system/pc/job", tag = "crate::Tag::Infra")]
impl JobCentre {
    /// 任务列表
    #[oai(path = "/list", method = "post", operation_id = "listJobs")]
    async fn list(&self, caller: SignedIn, Body(asked): Body<Paged<JobFilter>>) -> Result<Reply<Page<Job>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        // Inside a school nobody names one.
        if filter.school_id.is_some() && caller.school_id().is_some() {
            return Err(Error::malformed());
        }
        let mut tx = caller.platform().await?;
        let wanted = Wanted {
            id: None,
            everybodys: filter.all,
            state: filter.state,
            kind: filter.kind,
            keyword: filter.keyword,
            school: filter.school_id,
        };
        let (total, found) = visible(&mut tx, caller.caller(), &wanted, paging).await?;
        Ok(reply(paging.page(total, found.into_iter().map(|found| found.job).collect())))
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
        let Found { mut job, result_file } = find(&mut tx, caller.caller(), id.0).await?;
        if let Some(file) = result_file
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
        sqlx::query!("select id from platform.job where id = $1 for update", id.0).fetch_optional(&mut *tx).await?;
        let Found { job, .. } = find(&mut tx, caller.caller(), id.0).await?;
        if !matches!(job.state, JobState::Queued | JobState::Running) {
            return Err(Error::conflict("任务已结束，不能取消"));
        }
        if !job.cancellable {
            return Err(Error::new(403, "只有发起人或有权发起同类任务的人员可以取消"));
        }
        sqlx::query!(
            "update platform.job set cancel_asked = true,
                    state = case when state = 'queued' then 'cancelled' else state end,
                    input = case when state = 'queued' then null else input end,
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

/// Which jobs are wanted.
#[derive(Debug, Default)]
struct Wanted {
    id: Option<i64>,
    /// Also those that others started, as far as the caller may see them.
    everybodys: bool,
    state: Option<JobState>,
    kind: Option<String>,
    keyword: Option<String>,
    school: Option<i64>,
}

/// A job as the caller may see it, with the file that is theirs.
struct Found {
    job: Job,
    result_file: Option<i64>,
}

/// # Errors
/// 404 for a job that the caller may not see as for none.
async fn find(connection: &mut sqlx::PgConnection, caller: &Caller, id: i64) -> Result<Found> {
    let wanted = Wanted { id: Some(id), everybodys: true, ..Wanted::default() };
    let (_, mut found) = visible(connection, caller, &wanted, Paging::of(None, None)?).await?;
    found.pop().ok_or_else(Error::not_found)
}

/// The jobs that a person may see: their own, with `system:pc:job:list` everybody's, or one whose kind they may start
/// themself; of the school they are in, as an operator of the schools they may act for. What no school owns is seen by whoever
/// started it and by operators of all schools.
///
/// A result belongs to whoever started the job, while they may still start it; nobody else is given its file or the
/// rows that failed: an export holds what its starter's data scope and rights opened.
async fn visible(
    connection: &mut sqlx::PgConnection,
    caller: &Caller,
    wanted: &Wanted,
    paging: Paging,
) -> Result<(i64, Vec<Found>)> {
    let startable: Vec<String> = caller
        .app()
        .modules()
        .jobs()
        .filter(|kind| kind.code.is_some_and(|code| caller.holds(code)))
        .map(|kind| kind.kind.to_owned())
        .collect();
    let everybodys = wanted.everybodys && caller.holds(ListAllJobs::CODE);
    let rows = sqlx::query!(
        r#"select j.id, j.kind, j.title, j.state as "state: JobState", j.step, j.total, j.done, j.message, j.errors, j.warnings,
                  j.actor_name, j.created_at, j.started_at, j.finished_at, j.result_file_id, j.school_id,
                  s.name as "school_name?", j.started_by = $1 as "own!", j.kind = any($5) as "startable!",
                  count(*) over () as "total_count!"
           from platform.job j
           left join platform.school s on s.id = j.school_id
           left join platform.sys_user o on $2::bigint is null and o.id = $1
           where ($3::bigint is null or j.id = $3)
             and (j.started_by = $1 or $4 or $3 is not null and j.kind = any($5))
             and ($6::text is null or j.state = $6) and ($7::text is null or j.kind = $7)
             and ($10::text is null or strpos(j.title, $10) > 0) and ($11::bigint is null or j.school_id = $11)
             and case when $2::bigint is not null then j.school_id = $2
                      when j.school_id is null then j.started_by = $1 or o.school_scope = 'all'
                      else o.school_scope = 'all' or exists (
                          select from platform.sys_user_school b
                          where b.user_id = $1 and b.school_id = j.school_id and b.enabled) end
           order by j.id desc limit $8 offset $9"#,
        caller.user_id(),
        caller.school_id(),
        wanted.id,
        everybodys,
        &startable,
        wanted.state.map(JobState::as_str),
        wanted.kind,
        paging.limit(),
        paging.offset(),
        wanted.keyword,
        wanted.school
    )
    .fetch_all(connection)
    .await?;
    let total = rows.first().map_or(0, |row| row.total_count);
    let inside = caller.session.area == Area::School;
    let found = rows.into_iter().map(|row| {
        let yields = row.own && row.startable;
        let result_file = row.result_file_id.filter(|_| yields);
        let running = matches!(row.state, JobState::Queued | JobState::Running);
        let job = Job {
            id: row.id,
            kind: row.kind,
            title: row.title,
            state: row.state,
            step: row.step,
            total: row.total,
            done: row.done,
            message: row.message,
            errors: Any(if row.own { row.errors } else { Value::Array(Vec::new()) }),
            warnings: Any(if row.own { row.warnings } else { Value::Array(Vec::new()) }),
            has_file: result_file.is_some(),
            file_name: None,
            file_url: None,
            cancellable: running && (row.own || row.startable),
            // Inside a school nobody needs to be told whose the job is.
            school_id: row.school_id.filter(|_| !inside),
            school_name: row.school_name.filter(|_| !inside),
            actor_name: row.actor_name,
            created_at: row.created_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
        };
        Found { job, result_file }
    });
    Ok((total, found.collect()))
}
