//! 督学案例: who falls behind in a semester, one case a student, and what becomes of it (part 05 C3, C5).
//!
//! ```text
//! scan │ save → open ─contact │ changeStatus→ following ─(no flag for three days)→ relieved ─(new flag)→ open
//! open, following ─changeStatus→ closed ─(new flag)→ open       any ─(leaves, semester ends)→ closed
//! ```

pub(crate) mod filter;
mod select;
mod steps;
mod view;

use infra::{
    Allowed, App, Body, BulkResult, Entity, Error, History, Page, Paged, Part, Reply, Result, Saved, Scope, Tx,
    module::Follow,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use supervision_rules::{enums::SuperviseStatus, level::case_level};

use self::{
    filter::SuperviseFilter,
    select::page,
    steps::{SuperviseAllocation, SuperviseManual, SuperviseMute, SuperviseStatusChange, closed, handed_over, muted},
};

use crate::words::{RESULTS, label, words};

pub(crate) use select::{SuperviseCase, students_of_page};
pub(crate) use view::{SuperviseDetail, detail};

permissions! {
    pages "/schoolPC/superVisor/studentSupervisor";
    InSchool Reads       ListCases     = "adult:pc:supervise:list" "督学案例列表";
    InSchool Reads       ViewCase      = "adult:pc:supervise:view" "查看督学案例";
    InSchool Writes      SaveCase      = "adult:pc:supervise:save" "人工关注";
    InSchool Writes      MuteFlag      = "adult:pc:supervise:mute" "忽略督学预警";
    InSchool Writes      AllocateCases = "adult:pc:supervise:allocation" "转交督学案例";
    InSchool Writes      ChangeCases   = "adult:pc:supervise:changeStatus" "变更督学案例状态";
    InSchool ReadsLogged ExportCases   = "adult:pc:supervise:export" "导出督学案例";
}

/// The site and the class of the student of a case, as an outer query of `supervise_case` sees them.
const SITE: &str = "(select y.site_id from student y where y.id = supervise_case.student_id)";
const CLASS: &str = "(select y.class_id from student y where y.id = supervise_case.student_id)";

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "supervise_case", name: "督学案例", counted: "个督学案例" },
        Entity { table: "supervise_flag", name: "督学预警", counted: "个督学预警" },
        Entity { table: "supervise_transfer", name: "督学转交", counted: "次督学转交" },
        Entity { table: "supervise_scan", name: "督学扫描", counted: "次督学扫描" },
    ],
    histories: &[History {
        table: "supervise_case",
        code: "adult:pc:supervise:view",
        scope: Some((SITE, Some(CLASS))),
    }],
    jobs: &[export_job::<Cases>()],
    option_pages: PAGES,
    leaving: Some(LEAVING),
    ..Part::NONE
};

/// A case that a scan made by itself goes with its student; what people wrote about them stays, and keeps them.
const LEAVING: Follow = |tx, table, id| {
    Box::pin(async move {
        if table == "student" {
            sqlx::query!(
                "delete from supervise_case c
                 where c.student_id = $1 and not exists (select from supervise_contact x where x.case_id = c.id)
                   and not exists (select from supervise_remind x where x.case_id = c.id)
                   and not exists (select from supervise_transfer x where x.case_id = c.id)",
                id
            )
            .execute(&mut **tx)
            .await?;
        }
        Ok(())
    })
};

/// The list of cases.
pub struct Cases;

#[OpenApi(prefix_path = "/adult/pc/supervise", tag = "crate::Tag::Supervision")]
impl Cases {
    /// 督学案例列表
    #[oai(path = "/list", method = "post", operation_id = "listSuperviseCases")]
    async fn list(
        &self,
        caller: Allowed<ListCases>,
        Body(asked): Body<Paged<SuperviseFilter>>,
    ) -> Result<Reply<Page<SuperviseCase>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let today = caller.app().clock().today();
        let wanted = asked.filter.wanted(&mut tx, &caller.scope(), today).await?;
        let (total, mut list) = page(&mut tx, &wanted, paging, today).await?;
        in_words(caller.app(), &mut list).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看督学案例
    #[oai(path = "/view", method = "get", operation_id = "viewSuperviseCase")]
    async fn view(
        &self,
        caller: Allowed<ViewCase>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<SuperviseDetail>> {
        let mut tx = caller.read().await?;
        Ok(reply(detail(caller.app(), &mut tx, id.0, &caller.scope()).await?))
    }

    /// 人工关注
    /// 学生本学期没有案例时新建，已有时加入
    #[oai(path = "/save", method = "post", operation_id = "saveSuperviseCase")]
    async fn save(&self, caller: Allowed<SaveCase>, Body(form): Body<SuperviseManual>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, changes) = steps::watch(&mut tx, &form, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id }))
    }

    /// 忽略督学预警
    /// 忽略至学期结束，可取消
    #[oai(path = "/mute", method = "put", operation_id = "muteSuperviseFlag")]
    async fn mute(&self, caller: Allowed<MuteFlag>, Body(wanted): Body<SuperviseMute>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = muted(&mut tx, &wanted, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.flag_id }))
    }

    /// 转交督学案例
    #[oai(path = "/allocation", method = "put", operation_id = "allocateSuperviseCases")]
    async fn allocate(
        &self,
        caller: Allowed<AllocateCases>,
        Body(wanted): Body<SuperviseAllocation>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(handed_over(caller.begin().await?, wanted, &caller.scope()).await?))
    }

    /// 变更督学案例状态
    /// 跟进或关闭；红色预警须至少联系一次后才能关闭
    #[oai(path = "/changeStatus", method = "put", operation_id = "changeSuperviseStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeCases>,
        Body(wanted): Body<SuperviseStatusChange>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(closed(caller.begin().await?, wanted, &caller.scope()).await?))
    }

    /// 导出督学案例
    #[oai(path = "/export", method = "post", operation_id = "exportSuperviseCases")]
    async fn export(
        &self,
        caller: Allowed<ExportCases>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SuperviseFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// Puts the words of the dictionary where its values stand.
///
/// # Errors
/// Those of the database.
pub(crate) async fn in_words(app: &App, list: &mut [SuperviseCase]) -> Result<()> {
    let results = words(app, RESULTS).await?;
    for case in list {
        case.contact_result = case.contact_result.take().map(|value| label(&results, &value));
    }
    Ok(())
}

/// A case that somebody is about to write to.
#[derive(Debug, Clone)]
pub(crate) struct HeldCase {
    pub id: i64,
    pub site_id: i64,
    pub class_id: Option<i64>,
    /// Whose it is by now.
    pub manager_id: Option<i64>,
    pub status: SuperviseStatus,
    pub red: bool,
    pub contacted: bool,
    pub version: i32,
}

/// Holds a case within the scope.
///
/// # Errors
/// 404 when there is none, or none within the scope.
pub(crate) async fn hold(tx: &mut Tx, id: i64, scope: &Scope) -> Result<HeldCase> {
    let case = sqlx::query_as!(
        HeldCase,
        r#"select c.id, s.site_id as "site_id!", s.class_id as "class_id?",
                  case when c.class_id is not distinct from s.class_id then c.manager_id else k.manager_id end as "manager_id?",
                  c.status as "status: _", c.level = 'red' as "red!", c.last_contact_at is not null as "contacted!", c.version
           from supervise_case c join student s on s.id = c.student_id left join class k on k.id = s.class_id
           where c.id = $1 for update of c"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .filter(|case| scope.sees(Some(case.site_id), case.class_id))
    .ok_or_else(Error::not_found)?;
    Ok(case)
}

/// Lets a case follow its flags after somebody changed one of them.
pub(crate) async fn recount(tx: &mut Tx, case: i64) -> Result<()> {
    let today = tx.app().clock().today();
    let live = sqlx::query!(
        r#"select kind as "kind: supervision_rules::enums::SuperviseKind",
                  level as "level: supervision_rules::enums::SuperviseLevel"
           from supervise_flag where case_id = $1 and cleared_at is null and not muted"#,
        case
    )
    .fetch_all(&mut **tx)
    .await?;
    let live: Vec<_> = live.into_iter().map(|row| (row.kind, row.level)).collect();
    sqlx::query!(
        "update supervise_case
         set level = coalesce($2, level), flag_count = $3,
             clear_since = case when $3 = 0 then coalesce(clear_since, $4::date) end
         where id = $1",
        case,
        case_level(&live).map(supervision_rules::enums::SuperviseLevel::as_str),
        i32::try_from(live.len()).unwrap_or(i32::MAX),
        today
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
