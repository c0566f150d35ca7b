//! 在线考试 as they are set: the facade of `exam_setup` on the net (part 04 §2.1, §2.2, §2.4).

mod batch;
mod form;
mod preview;
pub(crate) mod publish;
mod reopen;
pub(crate) mod steps;

use exams::{
    enums::ExamMode,
    setup::{self, SetupFilter, SetupRow},
};
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Edit, Error, Ids, Paged, Part, Reply, Result, Saved, Scope,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    permissions, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

pub use batch::Batches;
pub use form::OnlineExamForm;
pub use preview::Previews;
pub use steps::Steps;

use crate::of_row;

permissions! {
    pages
        "/schoolPC/examination/onlineIndex/onlineTestList",
        "/platformPC/examination/onlineIndex/onlineTestList",
        "/schoolPC/examination/onlineIndex/onlineTestSetup",
        "/platformPC/examination/onlineIndex/onlineTestSetup",
        "/schoolPC/examination/onlineIndex/onlineTestSetupAdd",
        "/schoolPC/examination/onlineIndex/onlineTestSetupAddByBatch";
    EachSchool Reads       ListOnlineSetups    = "exam:pc:online:setup:list" "在线考试列表";
    EachSchool Reads       ViewOnlineSetup     = "exam:pc:online:setup:view" "查看在线考试";
    EachSchool Reads       PreviewOnlinePaper  = "exam:pc:online:setup:view" "查看在线考试";
    InSchool   Writes      SaveOnlineSetup     = "exam:pc:online:setup:save" "新增在线考试";
    InSchool   Writes      SaveOnlineSetups    = "exam:pc:online:setup:saveBatch" "批量新增在线考试";
    InSchool   Writes      EditOnlineSetup     = "exam:pc:online:setup:edit" "编辑在线考试";
    InSchool   Writes      DeleteOnlineSetup   = "exam:pc:online:setup:delete" "删除在线考试";
    InSchool   Writes      DeleteOnlineSetups  = "exam:pc:online:setup:batchDel" "批量删除在线考试";
    InSchool   Writes      PublishOnlineSetups = "exam:pc:online:setup:publish" "发布在线考试";
    InSchool   Writes      WithdrawOnlineSetup = "exam:pc:online:setup:withdraw" "撤回在线考试";
    InSchool   Writes      CancelOnlineSetup   = "exam:pc:online:setup:cancel" "取消在线考试";
    InSchool   Writes      CloseOnlineSetup    = "exam:pc:online:setup:close" "结束在线考试";
    InSchool   Writes      ReopenOnlineSetup   = "exam:pc:online:setup:reopen" "延长重开在线考试";
    EachSchool ReadsLogged ExportOnlineSetups  = "exam:pc:online:setup:export" "导出在线考试";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[export_job::<OnlineSetups>(), steps::PUBLISH_JOB],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of examinations on the net.
pub struct OnlineSetups;

/// An examination with what is typed of it.
#[derive(Debug, Clone, Object)]
pub struct OnlineExam {
    #[oai(flatten)]
    pub row: SetupRow,
    /// 设置
    pub form: OnlineExamForm,
}

#[OpenApi(prefix_path = "/exam/pc/online/setup", tag = "crate::Tag::OnlineExams")]
impl OnlineSetups {
    /// 在线考试列表
    #[oai(path = "/list", method = "post", operation_id = "listOnlineSetups")]
    async fn list(
        &self,
        caller: Allowed<ListOnlineSetups>,
        Body(asked): Body<Paged<SetupFilter>>,
    ) -> Result<Reply<SchoolPage<SetupRow>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看在线考试
    #[oai(path = "/view", method = "get", operation_id = "viewOnlineSetup")]
    async fn view(
        &self,
        caller: Allowed<ViewOnlineSetup>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<OnlineExam>> {
        let mut tx = caller.read().await?;
        let row = Self::find(&mut tx, id.0, &caller.scope()).await?;
        let form = OnlineExamForm::of(&setup::plan_of(&mut tx, id.0).await?);
        Ok(reply(OnlineExam { row, form }))
    }

    /// 新增在线考试
    #[oai(path = "/save", method = "post", operation_id = "saveOnlineSetup")]
    async fn save(&self, caller: Allowed<SaveOnlineSetup>, Body(form): Body<OnlineExamForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let plan = form.plan(&mut tx).await?;
        let (id, change) = setup::insert(&mut tx, &plan, ExamMode::Online, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑在线考试
    /// 已发布的只能延后结束时间，修改迟到限制、考试须知和成绩公布时间
    #[oai(path = "/edit", method = "put", operation_id = "editOnlineSetup")]
    async fn edit(
        &self,
        caller: Allowed<EditOnlineSetup>,
        Body(edit): Body<Edit<OnlineExamForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = steps::edited(&mut tx, &edit, &caller.scope()).await?;
        tx.commit_all(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除在线考试
    #[oai(path = "/delete", method = "delete", operation_id = "deleteOnlineSetup")]
    async fn delete(
        &self,
        caller: Allowed<DeleteOnlineSetup>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let held = setup::held(&mut tx, id.0, ExamMode::Online, &caller.scope()).await?;
        let change = setup::remove(&mut tx, &held).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除在线考试
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteOnlineSetups")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteOnlineSetups>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut ids = ids.ids;
        ids.sort_unstable();
        let mut bulk = Bulk::new(caller.begin().await?, "exam_setup");
        for id in ids {
            let tx = bulk.row().await?;
            let outcome = match setup::held(tx, id, ExamMode::Online, &caller.scope()).await {
                Ok(held) => setup::remove(tx, &held).await,
                Err(error) => Err::<_, Error>(error),
            };
            bulk.ended(id, outcome.map_err(of_row)).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出在线考试
    #[oai(path = "/export", method = "post", operation_id = "exportOnlineSetups")]
    async fn export(
        &self,
        caller: Allowed<ExportOnlineSetups>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SetupFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

impl Keyed for OnlineSetups {
    type Filter = SetupFilter;
    type Row = SetupRow;

    fn id(row: &SetupRow) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &SetupFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        setup::list::matching(connection, ExamMode::Online, filter, scope, wanted).await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<SetupRow>> {
        setup::list::rows(connection, ids, scope).await
    }
}

impl Export for OnlineSetups {
    type Filter = SetupFilter;
    type Row = SetupRow;
    const KIND: &'static str = "online_exam.export";
    type Permission = ExportOnlineSetups;
    const TITLE: &'static str = "在线考试";
    const COLUMNS: &'static [Column<SetupRow>] = &[
        Column { heading: "考试名称", width: 32, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "批次", width: 28, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "课程编码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "性质", width: 10, cell: |row| Cell::Text(row.round.zh().to_owned()) },
        Column { heading: "开始时间", width: 20, cell: |row| Cell::time(row.starts_at) },
        Column { heading: "结束时间", width: 20, cell: |row| Cell::time(row.ends_at) },
        Column {
            heading: "时长(分)",
            width: 8,
            cell: |row| row.duration_minutes.map_or(Cell::Empty, |minutes| Cell::Int(minutes.into())),
        },
        Column { heading: "试卷", width: 10, cell: |row| Cell::Text(row.slots.join("/")) },
        Column { heading: "应考", width: 8, cell: |row| Cell::Int(row.candidate_count) },
        Column { heading: "实考", width: 8, cell: |row| Cell::Int(row.present_count) },
        Column { heading: "缺考", width: 8, cell: |row| Cell::Int(row.absent_count) },
        Column { heading: "高风险", width: 8, cell: |row| Cell::Int(row.high_risk_count) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "阶段", width: 10, cell: |row| Cell::Text(row.phase.zh().to_owned()) },
        Column { heading: "阅卷", width: 12, cell: |row| Cell::Text(row.marking_status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &SetupFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, SetupRow>> {
        Self::all(connection, filter, scope).await
    }
}
