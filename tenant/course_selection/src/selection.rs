//! 学生选课: the list, and what clerks and students do with their selections (part 03 B4, B10).

mod client;
mod exempt;
mod import;
mod save;
mod select;
mod sheet;
mod statistics;
mod steps;

use infra::{
    Allowed, Body, Entity, Error, History, Paged, Part, Reply, Result, Scope, Tx,
    across::{self, SchoolPage},
    permissions, reply,
    steps::job,
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use select::{Selection, SelectionFilter, SelectionView};
pub use steps::SelectionItem;

permissions! {
    pages
        "/schoolPC/educational/selection/curriculaVariable",
        "/platformPC/educational/selection/curriculaVariable";
    EachSchool  Reads       ListSelections        = "adult:pc:adult:selection:list" "选课列表";
    EachSchool  Reads       ViewSelection         = "adult:pc:adult:selection:view" "查看选课";
    EachSchool  Writes      SaveSelections        = "adult:pc:adult:selection:save" "补选";
    ManySchools Writes      DropSelections        = "adult:pc:adult:selection:drop" "退选";
    InSchool    Writes      AuditSelections       = "adult:pc:adult:selection:audit" "审核选课";
    InSchool    Writes      RejectSelections      = "adult:pc:adult:selection:reject" "驳回选课";
    InSchool    Writes      ExemptSelection       = "adult:pc:adult:selection:exempt" "免修";
    InSchool    Writes      RetakeCourses         = "adult:pc:adult:selection:retake" "重修选课";
    InSchool    Writes      ImportSelections      = "adult:pc:adult:selection:import" "导入选课";
    InSchool    Reads       FetchSelectionSheet   = "adult:pc:adult:selection:import" "导入选课";
    EachSchool  ReadsLogged ExportSelections      = "adult:pc:adult:selection:export" "导出选课";
    EachSchool  ReadsLogged ExportPlainSelections = "adult:pc:adult:selection:exportPlain" "导出选课的完整证件号";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "course_selection", name: "选课", counted: "条选课" }],
    jobs: &[
        export_job::<Selections>(),
        import_job::<import::SelectionSheet>(),
        job::<steps::DropAll>(),
        job::<steps::AuditAll>(),
        job::<steps::RejectAll>(),
    ],
    histories: &[History {
        table: "course_selection",
        code: "adult:pc:adult:selection:view",
        // A selection lies where its student is.
        scope: Some((
            "(select s.site_id from student s where s.id = course_selection.student_id)",
            Some("(select s.class_id from student s where s.id = course_selection.student_id)"),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct Selections;

#[OpenApi(prefix_path = "/adult/pc/adult/selection", tag = "crate::Tag::CourseSelection")]
impl Selections {
    /// 选课列表
    #[oai(path = "/list", method = "post", operation_id = "listSelections")]
    async fn list(
        &self,
        caller: Allowed<ListSelections>,
        Body(asked): Body<Paged<SelectionFilter>>,
    ) -> Result<Reply<SchoolPage<Selection>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看选课
    #[oai(path = "/view", method = "get", operation_id = "viewSelection")]
    async fn view(
        &self,
        caller: Allowed<ViewSelection>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<SelectionView>> {
        let mut tx = caller.read().await?;
        let selection = Self::find(&mut tx, id.0, &caller.scope()).await?;
        Ok(reply(select::viewed(caller.app(), &mut tx, selection).await?))
    }

    /// 导出选课
    #[oai(path = "/export", method = "post", operation_id = "exportSelections")]
    async fn export(
        &self,
        caller: Allowed<ExportSelections>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SelectionFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// The operations on selections.
pub(crate) fn api() -> impl OpenApi {
    (
        Selections,
        save::Save,
        steps::Steps,
        exempt::Exempt,
        import::ImportSelection,
        statistics::Statistics,
        client::OwnSelections,
    )
}

/// The selection, kept from others until the transaction ends. Whoever asks holds its opening first.
///
/// # Errors
/// 404 outside the scope.
async fn locked(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Selection> {
    tx.lock("course_selection", id).await?;
    Selections::find(tx, id, scope).await
}

/// Somebody whom a bulk step does not reach is told so, without a name.
fn of_row(error: Error) -> Error {
    if error.code == 404 { Error::new(404, student_status::student::check::NOT_YOURS) } else { error }
}
