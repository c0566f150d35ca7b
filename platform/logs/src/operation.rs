//! 操作日志: each call that changes or exports and each job, in two lists, with what it changed (01 §6.1–6.3, 05 E1, E2).

mod list;

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Error, Page, Paged, Paging, Part, Reply, Result, Window,
    access::{Caller, Permission},
    enumeration, reply,
    transfer::{self, Exported, export_job},
};
use log_rules::span::Span;
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    detail::{self, LogDetail},
    reach::Reach,
    referred::Referred,
};
pub use list::{OperationLog, OperationLogs};
pub(crate) use list::{Row, entity_name};

pub const PART: Part = Part {
    permissions: &[system::PERMISSIONS, user::PERMISSIONS, both::PERMISSIONS],
    enumerations: &[LogActor::ENUMERATION, LogModule::ENUMERATION, LogList::ENUMERATION],
    jobs: &[export_job::<OperationLogs>()],
    ..Part::NONE
};

/// 系统操作日志: platform staff and jobs.
pub mod system {
    infra::permissions! {
        pages "/data/sys/log/list";
        InPlatform Reads ListSystemLogs = "data:pc:sys:log:list" "系统操作日志列表";
    }
}

/// 用户操作日志: everybody else, and what operators did inside a school.
pub mod user {
    infra::permissions! {
        pages "/data/sys/log/userLog";
        Anywhere Reads ListUserLogs = "data:pc:sys:log:userLog" "用户操作日志列表";
    }
}

/// What both screens have.
pub mod both {
    infra::permissions! {
        pages "/data/sys/log/list", "/data/sys/log/userLog";
        Anywhere Reads       ViewLog    = "data:pc:sys:log:view" "查看操作日志";
        Anywhere ReadsLogged ExportLogs = "data:pc:sys:log:export" "导出操作日志";
    }
}

enumeration! {
    /// 操作身份
    pub enum LogActor = "actorType" {
        Platform = "platform" "平台人员",
        School = "school" "院校人员",
        Teacher = "teacher" "教师",
        Student = "student" "学生",
        SiteStaff = "site_staff" "站点人员",
        ClassManager = "class_manager" "班主任",
        Learner = "learner" "学员",
        Job = "job" "任务",
    }
}

enumeration! {
    /// 操作模块
    pub enum LogModule = "logModule" {
        System = "system" "系统管理",
        User = "user" "用户",
        Adult = "adult" "学历教育",
        Exam = "exam" "考试",
        Offline = "offline" "线下教学",
        Course = "course" "课程",
        Data = "data" "数据与日志",
        Job = "job" "任务",
    }
}

enumeration! {
    /// 日志种类
    pub enum LogList = "logList" {
        System = "system" "系统操作日志",
        User = "user" "用户操作日志",
    }
}

/// What the lists ask for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OperationLogFilter {
    /// 操作人
    /// 从开头匹配
    #[oai(validator(max_length = 30))]
    keyword: Option<String>,
    /// 身份
    actor_type: Option<LogActor>,
    /// 院校
    school_id: Option<i64>,
    /// 模块
    module: Option<LogModule>,
    /// 操作
    #[oai(validator(max_length = 50))]
    operation: Option<String>,
    /// 路径
    #[oai(validator(max_length = 200))]
    path: Option<String>,
    /// 结果码
    result_code: Option<i32>,
    /// 追踪编号
    /// 不选时间时查找全部时间
    #[oai(validator(max_length = 64))]
    trace_id: Option<String>,
    /// 会话编号
    /// 不选时间时查找全部时间
    #[oai(validator(max_length = 36))]
    session_id: Option<String>,
    /// 仅代操作
    /// 平台人员进入院校后的操作
    #[oai(default)]
    on_behalf: bool,
    /// 开始日期
    /// 默认最近7天，跨度不超过92天
    starts_on: Option<NaiveDate>,
    /// 结束日期
    ends_on: Option<NaiveDate>,
}

/// What an export asks for.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OperationLogExport {
    /// 日志种类
    list: LogList,
    #[oai(flatten)]
    asked: Paged<OperationLogFilter>,
}

impl Example for OperationLogExport {
    fn example() -> Self {
        Self { list: LogList::User, asked: Paged::example() }
    }
}

/// A filter that was checked, with what the caller may see of its answer.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AskedOperations {
    /// 筛选
    filter: OperationLogFilter,
    /// 日志种类
    list: LogList,
    /// 只看该院校
    school: Option<i64>,
    /// 只看这些院校
    schools: Option<Vec<i64>>,
    /// 开始日期
    first: Option<NaiveDate>,
    /// 结束日期
    last: Option<NaiveDate>,
}

impl AskedOperations {
    /// # Errors
    /// 422 at `sessionId` when it is no number of a session.
    fn session(&self) -> Result<Option<Uuid>> {
        let Some(text) = &self.filter.session_id else { return Ok(None) };
        Uuid::parse_str(text.trim()).map(Some).map_err(|_| Error::field("sessionId", "会话编号不正确"))
    }
}

async fn asked(
    connection: &mut PgConnection,
    caller: &Caller,
    list: LogList,
    filter: OperationLogFilter,
) -> Result<AskedOperations> {
    let Reach { school, schools } = Reach::of(connection, caller, filter.school_id).await?;
    // A trace or a session names few rows by itself; people have its number from a message and not its day.
    let named = filter.trace_id.is_some() || filter.session_id.is_some();
    let (first, last) = if named && filter.starts_on.is_none() && filter.ends_on.is_none() {
        (None, None)
    } else {
        let span = Span::of(filter.starts_on, filter.ends_on, caller.app().clock().today())?;
        (Some(span.first), Some(span.last))
    };
    Ok(AskedOperations { filter, list, school, schools, first, last })
}

async fn page<P: Permission>(
    caller: &Allowed<P>,
    list: LogList,
    paging: Paging,
    filter: OperationLogFilter,
) -> Result<Page<OperationLog>> {
    let mut tx = caller.read().await?;
    let asked = asked(&mut tx, caller, list, filter).await?;
    let total = list::count(&mut tx, &asked).await?;
    let rows = match Window::of(paging, total) {
        Some(window) => {
            let of_page = list::keys(&mut tx, &asked, window).await?;
            let referred = if Reach::is_inside(caller) {
                let targets = list::targets(&mut tx, &of_page).await?;
                list::referred(caller.app(), &mut *caller.home_read().await?, &targets).await?
            } else {
                Referred::default()
            };
            list::select(caller.app(), &mut tx, &asked, Some(&of_page), referred)?.try_collect().await?
        }
        None => Vec::new(),
    };
    Ok(paging.page(total, rows))
}

pub struct OperationLogCalls;

#[OpenApi(prefix_path = "/data/pc/sys/log", tag = "crate::Tag::Logs")]
impl OperationLogCalls {
    /// 系统操作日志列表
    #[oai(path = "/list", method = "post", operation_id = "listSystemLogs")]
    async fn list(
        &self,
        caller: Allowed<system::ListSystemLogs>,
        Body(asked): Body<Paged<OperationLogFilter>>,
    ) -> Result<Reply<Page<OperationLog>>> {
        Ok(reply(page(&caller, LogList::System, asked.paging()?, asked.filter).await?))
    }

    /// 用户操作日志列表
    #[oai(path = "/userLog", method = "post", operation_id = "listUserLogs")]
    async fn user_log(
        &self,
        caller: Allowed<user::ListUserLogs>,
        Body(asked): Body<Paged<OperationLogFilter>>,
    ) -> Result<Reply<Page<OperationLog>>> {
        Ok(reply(page(&caller, LogList::User, asked.paging()?, asked.filter).await?))
    }

    /// 查看操作日志
    #[oai(path = "/view", method = "get", operation_id = "viewOperationLog")]
    async fn view(
        &self,
        caller: Allowed<both::ViewLog>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<LogDetail>> {
        Ok(reply(detail::view(&caller, id.0).await?))
    }

    /// 导出操作日志
    #[oai(path = "/export", method = "post", operation_id = "exportOperationLogs")]
    async fn export(
        &self,
        caller: Allowed<both::ExportLogs>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(wanted): Body<OperationLogExport>,
    ) -> Result<Exported> {
        if wanted.list == LogList::System && Reach::is_inside(&caller) {
            return Err(Error::forbidden());
        }
        let mut tx = caller.read().await?;
        let asked = asked(&mut tx, &caller, wanted.list, wanted.asked.filter).await?;
        drop(tx);
        asked.session()?;
        transfer::export::<OperationLogs>(&caller, asked, job.0).await
    }
}
