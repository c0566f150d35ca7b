//! The calls of the screen (01 §6.3).

use infra::{
    Allowed, Body, Change, Error, Page, Paging, Part, Reply, Result, Saved, jobs::JobStarted, permissions, reply,
    schedule,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;

use crate::{
    jobs::{self, Jobs},
    overview::{self, Overview},
    schools::{self, SchoolSchema},
    sessions::{self, Session},
    statements::{self, Statements},
};

permissions! {
    pages "/druid/index";
    InPlatform Reads  ViewMonitor     = "data:pc:druid:view" "查看数据库监控";
    InPlatform Writes CancelStatement = "data:pc:druid:cancel" "取消语句";
    InPlatform Writes ResetStatements = "data:pc:druid:reset" "重置语句统计";
    InPlatform Writes RunJob          = "data:pc:druid:job:run" "立即执行后台任务";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], ..Part::NONE };

/// Which session.
#[derive(Debug, Object)]
#[oai(example)]
pub struct Cancel {
    /// 进程号
    #[oai(validator(minimum(value = "1")))]
    pid: i32,
}

impl Example for Cancel {
    fn example() -> Self {
        Self { pid: 4711 }
    }
}

/// Which scheduled work.
#[derive(Debug, Object)]
#[oai(example)]
pub struct RunNow {
    /// 任务名称
    /// 后台任务列表中的 kind
    #[oai(validator(max_length = 50))]
    name: String,
}

impl Example for RunNow {
    fn example() -> Self {
        Self { name: "overview.rollup".to_owned() }
    }
}

pub struct Monitor;

#[OpenApi(prefix_path = "/data/pc/druid", tag = "crate::Tag::Monitor")]
impl Monitor {
    /// 数据库概览
    #[oai(path = "/overview", method = "get", operation_id = "viewDatabaseOverview")]
    async fn overview(&self, caller: Allowed<ViewMonitor>) -> Result<Reply<Overview>> {
        Ok(reply(overview::look(&caller).await?))
    }

    /// 慢语句列表
    #[oai(path = "/statement", method = "get", operation_id = "listStatements")]
    async fn statements(
        &self,
        caller: Allowed<ViewMonitor>,
        /// 排序
        /// mean 平均耗时，total 总耗时，max 最大耗时，calls 次数
        order: Query<Option<statements::StatementOrder>>,
    ) -> Result<Reply<Statements>> {
        let order = order.0.unwrap_or(statements::StatementOrder::Mean);
        Ok(reply(statements::look(&mut *caller.read().await?, order).await?))
    }

    /// 院校库列表
    #[oai(path = "/school", method = "get", operation_id = "listSchoolSchemas")]
    async fn schools(
        &self,
        caller: Allowed<ViewMonitor>,
        /// 当前页
        #[oai(name = "pageCurrent")]
        page_current: Query<Option<i64>>,
        /// 每页条数
        #[oai(name = "pageSize")]
        page_size: Query<Option<i64>>,
        /// 院校名称或代码
        keyword: Query<Option<String>>,
    ) -> Result<Reply<Page<SchoolSchema>>> {
        let paging = Paging::of(page_current.0, page_size.0)?;
        Ok(reply(schools::look(&caller, keyword.0.as_deref(), paging).await?))
    }

    /// 会话与锁列表
    #[oai(path = "/session", method = "get", operation_id = "listDatabaseSessions")]
    async fn sessions(&self, caller: Allowed<ViewMonitor>) -> Result<Reply<Vec<Session>>> {
        Ok(reply(sessions::look(&caller).await?))
    }

    /// 后台任务列表
    #[oai(path = "/job", method = "get", operation_id = "listScheduledJobs")]
    async fn jobs(&self, caller: Allowed<ViewMonitor>) -> Result<Reply<Jobs>> {
        Ok(reply(jobs::look(caller.app(), &mut *caller.read().await?).await?))
    }

    /// 取消语句
    #[oai(path = "/cancel", method = "post", operation_id = "cancelStatement")]
    async fn cancel(&self, caller: Allowed<CancelStatement>, Body(wanted): Body<Cancel>) -> Result<Reply<Saved>> {
        let statement = sessions::cancel(&mut *caller.server_view().await?, wanted.pid).await?;
        let tx = caller.begin().await?;
        let id = i64::from(wanted.pid);
        tx.commit(Change::event("database_session", id, "cancel", json!({ "statement": statement }))).await?;
        Ok(reply(Saved { id }))
    }

    /// 重置语句统计
    #[oai(path = "/reset", method = "post", operation_id = "resetStatements")]
    async fn reset(&self, caller: Allowed<ResetStatements>) -> Result<Reply<bool>> {
        let mut tx = caller.begin().await?;
        statements::reset(&mut tx).await?;
        tx.commit(Change::event("database_statement", 0, "reset", json!({ "statements": "reset" }))).await?;
        Ok(reply(true))
    }

    /// 立即执行后台任务
    #[oai(path = "/job/run", method = "post", operation_id = "runScheduledJob")]
    async fn run(&self, caller: Allowed<RunJob>, Body(wanted): Body<RunNow>) -> Result<Reply<JobStarted>> {
        let tx = caller.begin().await?;
        let job_id = schedule::start_now(tx, &wanted.name).await?;
        Ok(reply(JobStarted { job_id }))
    }
}

/// What a look at a session that is gone says.
pub(crate) fn gone() -> Error {
    Error::new(404, "该会话已结束，或没有正在执行的语句")
}
