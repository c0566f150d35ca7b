//! 面授排课: arrangements with their sessions; what may be arranged, published, moved and cancelled (part 03 B9).

mod client;
pub(crate) mod facts;
pub(crate) mod form;
mod import;
pub(crate) mod pending;
mod print;
mod repair;
mod select;
mod session;
mod sheet;
mod steps;
pub(crate) mod timetable;

use infra::{
    Allowed, Body, Edit, Entity, Error, History, Page, Paged, Part, Reply, Result, Saved,
    across::{Keyed, Listed},
    permissions, reply,
    steps::job,
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};
use timetable_rules::judge::Asking;

pub use select::{ArrangeFilter, ArrangeSession, CourseArrange, CourseArrangeView};
pub use steps::ArrangeItem;
pub use timetable_rules::form::{ArrangeClass, ArrangeForm};

pub(crate) use steps::{cancel_ahead, people_of, teacher, tell_changed};

use form::{ArrangeCheck, ArrangeSaved, insert, remove, update};

permissions! {
    pages "/schoolPC/examination/arrange/courseArrange";
    InSchool Reads       ListArranges       = "adult:pc:courseArrange:list" "面授排课列表";
    InSchool Reads       ViewArrange        = "adult:pc:courseArrange:view" "查看面授排课";
    InSchool Writes      SaveArrange        = "adult:pc:courseArrange:save" "新增面授排课";
    InSchool Reads       CheckArrange       = "adult:pc:courseArrange:save" "新增面授排课";
    InSchool Writes      EditArrange        = "adult:pc:courseArrange:edit" "编辑面授排课";
    InSchool Writes      DeleteArrange      = "adult:pc:courseArrange:delete" "删除面授排课";
    InSchool Writes      PublishArranges    = "adult:pc:courseArrange:publish" "发布排课";
    InSchool Writes      CancelArrange      = "adult:pc:courseArrange:cancel" "取消排课";
    InSchool Writes      MoveSession        = "adult:pc:courseArrange:move" "调课停课";
    InSchool Reads       ProposeMoves       = "adult:pc:courseArrange:move" "调课停课";
    InSchool Writes      ForceTeacher       = "adult:pc:courseArrange:force" "安排非任课教师上课";
    InSchool ReadsLogged ExportArranges     = "adult:pc:courseArrange:export" "导出面授排课";
    InSchool Writes      ImportArranges     = "adult:pc:courseArrange:import" "导入面授排课";
    InSchool Reads       FetchArrangeSheet  = "adult:pc:courseArrange:import" "导入面授排课";
    InSchool Reads       PrintTimetable     = "adult:pc:courseArrange:print" "打印课表";
}

/// Whoever holds it lets teachers teach who are not allocated.
const FORCE: &str = "adult:pc:courseArrange:force";

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "course_arrange", name: "面授排课", counted: "个排课" },
        Entity { table: "course_arrange_class", name: "排课班级", counted: "个排课" },
        Entity { table: "course_arrange_assistant", name: "排课助教", counted: "个排课助教" },
        Entity { table: "course_arrange_session", name: "课次", counted: "次排课" },
    ],
    jobs: &[export_job::<Arranges>(), import_job::<import::ArrangeSheet>(), job::<steps::PublishAll>()],
    histories: &[
        History {
            table: "course_arrange",
            code: "adult:pc:courseArrange:view",
            // It lies where one of its classes is: the first of those that the caller sees.
            scope: Some((
                "(select k.site_id from course_arrange_class c join class k on k.id = c.class_id
                  where c.arrange_id = course_arrange.id and k.site_id = any($2) limit 1)",
                Some(
                    "(select c.class_id from course_arrange_class c
                      where c.arrange_id = course_arrange.id and c.class_id = any($3) limit 1)",
                ),
            )),
        },
        History {
            table: "course_arrange_session",
            code: "adult:pc:courseArrange:view",
            scope: Some((
                "(select k.site_id from course_arrange_class c join class k on k.id = c.class_id
                  where c.arrange_id = course_arrange_session.arrange_id and k.site_id = any($2) limit 1)",
                Some(
                    "(select c.class_id from course_arrange_class c
                      where c.arrange_id = course_arrange_session.arrange_id and c.class_id = any($3) limit 1)",
                ),
            )),
        },
    ],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of arrangements.
pub struct Arranges;

pub struct ArrangeRows;

#[OpenApi(prefix_path = "/adult/pc/courseArrange", tag = "crate::Tag::Timetable")]
impl ArrangeRows {
    /// 面授排课列表
    #[oai(path = "/list", method = "post", operation_id = "listArranges")]
    async fn list(
        &self,
        caller: Allowed<ListArranges>,
        Body(asked): Body<Paged<ArrangeFilter>>,
    ) -> Result<Reply<Page<CourseArrange>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Arranges as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看面授排课
    #[oai(path = "/view", method = "get", operation_id = "viewArrange")]
    async fn view(
        &self,
        caller: Allowed<ViewArrange>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CourseArrangeView>> {
        let mut tx = caller.read().await?;
        let arrange = Arranges::find(&mut tx, id.0, &caller.scope()).await?;
        let meetings = select::meetings(&mut tx, id.0).await?;
        Ok(reply(CourseArrangeView { arrange, meetings }))
    }

    /// 新增面授排课
    /// 保存为草稿；时间冲突时列出全部冲突，不保存
    #[oai(path = "/save", method = "post", operation_id = "saveArrange")]
    async fn save(&self, caller: Allowed<SaveArrange>, Body(form): Body<ArrangeForm>) -> Result<Reply<ArrangeSaved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => {
                let Some(id) = error.replayed() else { return Err(error) };
                let arrange = Arranges::find(&mut *caller.read().await?, id, &caller.scope()).await?;
                let (skipped, warnings) = (Vec::new(), Vec::new());
                return Ok(reply(ArrangeSaved { id, sessions: arrange.sessions, skipped, warnings }));
            }
        };
        let scope = caller.scope();
        let asking = Asking { scope: &scope, forced: caller.rights().get(FORCE) };
        let (saved, change) = insert(&mut tx, &form, asking).await?;
        tx.commit(change).await?;
        Ok(reply(saved))
    }

    /// 检查排课冲突
    /// 只检查，不保存
    #[oai(path = "/check", method = "post", operation_id = "checkArrange")]
    async fn check(
        &self,
        caller: Allowed<CheckArrange>,
        /// 正在编辑的排课
        id: Query<Option<i64>>,
        Body(form): Body<ArrangeForm>,
    ) -> Result<Reply<ArrangeCheck>> {
        let scope = caller.scope();
        let asking = Asking { scope: &scope, forced: caller.rights().get(FORCE) };
        let mut tx = caller.read().await?;
        Ok(reply(form::check(&mut tx, &form, id.0, asking).await?))
    }

    /// 编辑面授排课
    /// 只有草稿可以编辑，课次重新生成
    #[oai(path = "/edit", method = "put", operation_id = "editArrange")]
    async fn edit(
        &self,
        caller: Allowed<EditArrange>,
        Body(edit): Body<Edit<ArrangeForm>>,
    ) -> Result<Reply<ArrangeSaved>> {
        let scope = caller.scope();
        let asking = Asking { scope: &scope, forced: caller.rights().get(FORCE) };
        let mut tx = caller.begin().await?;
        let (saved, change) = update(&mut tx, &edit, asking).await?;
        tx.commit(change).await?;
        Ok(reply(saved))
    }

    /// 删除面授排课
    #[oai(path = "/delete", method = "delete", operation_id = "deleteArrange")]
    async fn delete(
        &self,
        caller: Allowed<DeleteArrange>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 导出面授排课
    /// 列表之后每个班级一张工作表
    #[oai(path = "/export", method = "post", operation_id = "exportArranges")]
    async fn export(
        &self,
        caller: Allowed<ExportArranges>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ArrangeFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Arranges>(&caller, asked.filter, job.0).await
    }
}

/// The operations on arrangements.
pub(crate) fn api() -> impl OpenApi {
    (
        ArrangeRows,
        steps::Steps,
        (session::Sessions, repair::Repairs),
        timetable::Timetables,
        pending::Pending,
        print::Prints,
        import::ImportArrange,
        client::OwnTimetables,
    )
}

/// Somebody whom a bulk step does not reach is told so, without a name.
fn of_row(error: Error) -> Error {
    if error.code == 404 { Error::new(404, student_status::student::check::NOT_YOURS) } else { error }
}
