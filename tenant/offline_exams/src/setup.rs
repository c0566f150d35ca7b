//! 线下考试 as they are set: the facade of `exam_setup` on paper (part 04 §4.2, §4.4).

pub mod batch;
mod form;
pub mod print;
pub mod steps;

use exam_seats::offered::TimeClash;
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

pub use form::OfflineExamForm;

use crate::of_row;

permissions! {
    pages
        "/schoolPC/examination/offlineIndex/offlineTestList",
        "/platformPC/examination/offlineIndex/offlineTestList",
        "/schoolPC/examination/offlineIndex/offlineTestSetup/offlineTest",
        "/schoolPC/examination/offlineIndex/offlineTestSetup/offlineExamAudit",
        "/schoolPC/examination/offlineIndex/addTestByCourse";
    EachSchool Reads       ListOfflineSetups    = "offline:pc:offline:setup:list" "线下考试列表";
    EachSchool Reads       ViewOfflineSetup     = "offline:pc:offline:setup:view" "查看线下考试";
    InSchool   Writes      SaveOfflineSetup     = "offline:pc:offline:setup:save" "新增线下考试";
    InSchool   Writes      SaveOfflineSetups    = "offline:pc:offline:setup:saveBatch" "批量新增线下考试";
    InSchool   Writes      EditOfflineSetup     = "offline:pc:offline:setup:edit" "编辑线下考试";
    InSchool   Writes      DeleteOfflineSetup   = "offline:pc:offline:setup:delete" "删除线下考试";
    InSchool   Writes      DeleteOfflineSetups  = "offline:pc:offline:setup:batchDel" "批量删除线下考试";
    InSchool   Writes      SubmitOfflineSetups  = "offline:pc:offline:setup:submit" "提交线下考试";
    InSchool   Writes      AuditOfflineSetups   = "offline:pc:offline:setup:audit" "审核线下考试";
    InSchool   Writes      PublishOfflineSetups = "offline:pc:offline:setup:publish" "发布线下考试";
    InSchool   Writes      WithdrawOfflineSetup = "offline:pc:offline:setup:withdraw" "撤回线下考试";
    InSchool   Writes      CancelOfflineSetup   = "offline:pc:offline:setup:cancel" "取消线下考试";
    InSchool   Reads       ViewOfflineClash     = "offline:pc:offline:setup:clash" "考试时间冲突";
    InSchool   Writes      PlaceSessions        = "offline:pc:offline:setup:autoSession" "自动安排场次";
    InSchool   Writes      PrintOfflinePaper    = "offline:pc:offline:setup:print" "打印试卷";
    EachSchool ReadsLogged ExportOfflineSetups  = "offline:pc:offline:setup:export" "导出线下考试";
}

pub const PART: Part =
    Part { permissions: &[PERMISSIONS], jobs: &[export_job::<OfflineSetups>()], option_pages: PAGES, ..Part::NONE };

/// The list of examinations on paper.
pub struct OfflineSetups;

/// An examination with what is typed of it.
#[derive(Debug, Clone, Object)]
pub struct OfflineExam {
    #[oai(flatten)]
    pub row: SetupRow,
    /// 设置
    pub form: OfflineExamForm,
}

/// Who would be in two examinations at once.
#[derive(Debug, Clone, Object)]
pub struct OfflineClashes {
    /// 学生
    pub list: Vec<TimeClash>,
}

#[OpenApi(prefix_path = "/offline/pc/offline/setup", tag = "crate::Tag::OfflineExams")]
impl OfflineSetups {
    /// 线下考试列表
    #[oai(path = "/list", method = "post", operation_id = "listOfflineSetups")]
    async fn list(
        &self,
        caller: Allowed<ListOfflineSetups>,
        Body(asked): Body<Paged<SetupFilter>>,
    ) -> Result<Reply<SchoolPage<SetupRow>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看线下考试
    #[oai(path = "/view", method = "get", operation_id = "viewOfflineSetup")]
    async fn view(
        &self,
        caller: Allowed<ViewOfflineSetup>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<OfflineExam>> {
        let mut tx = caller.read().await?;
        let row = Self::find(&mut tx, id.0, &caller.scope()).await?;
        let form = OfflineExamForm::of(&setup::plan_of(&mut tx, id.0).await?);
        Ok(reply(OfflineExam { row, form }))
    }

    /// 新增线下考试
    /// 填场次，或填日期和时间；同时生成考生名单
    #[oai(path = "/save", method = "post", operation_id = "saveOfflineSetup")]
    async fn save(&self, caller: Allowed<SaveOfflineSetup>, Body(form): Body<OfflineExamForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (id, changes) = form::insert(&mut tx, &form, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑线下考试
    /// 待审核和已审核的先退回；已发布的只能修改备注
    #[oai(path = "/edit", method = "put", operation_id = "editOfflineSetup")]
    async fn edit(
        &self,
        caller: Allowed<EditOfflineSetup>,
        Body(edit): Body<Edit<OfflineExamForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let changes = form::update(&mut tx, &edit, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除线下考试
    #[oai(path = "/delete", method = "delete", operation_id = "deleteOfflineSetup")]
    async fn delete(
        &self,
        caller: Allowed<DeleteOfflineSetup>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let held = setup::held(&mut tx, id.0, ExamMode::Offline, &caller.scope()).await?;
        let change = setup::remove(&mut tx, &held).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除线下考试
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteOfflineSetups")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteOfflineSetups>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut ids = ids.ids;
        ids.sort_unstable();
        let mut bulk = Bulk::new(caller.begin().await?, "exam_setup");
        for id in ids {
            let tx = bulk.row().await?;
            let outcome = match setup::held(tx, id, ExamMode::Offline, &caller.scope()).await {
                Ok(held) => setup::remove(tx, &held).await,
                Err(error) => Err::<_, Error>(error),
            };
            bulk.ended(id, outcome.map_err(of_row)).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 考试时间冲突
    /// 考生在该场次已有其他考试的名单
    #[oai(path = "/clash", method = "get", operation_id = "listOfflineClashes")]
    async fn clash(
        &self,
        caller: Allowed<ViewOfflineClash>,
        /// 考试
        #[oai(name = "setupId")]
        setup_id: Query<i64>,
        /// 场次
        #[oai(name = "sessionId")]
        session_id: Query<i64>,
    ) -> Result<Reply<OfflineClashes>> {
        let mut tx = caller.read().await?;
        setup::viewable(&mut tx, setup_id.0, ExamMode::Offline, &caller.scope()).await?;
        let list = exam_seats::offered::clashes(&mut tx, Some(setup_id.0), &[], session_id.0).await?;
        let ids: Vec<i64> = list.iter().map(|clash| clash.student_id).collect();
        let seen = seen_of(&mut tx, &ids, &caller.scope()).await?;
        let list = list.into_iter().filter(|clash| seen.contains(&clash.student_id)).collect();
        Ok(reply(OfflineClashes { list }))
    }

    /// 导出线下考试
    #[oai(path = "/export", method = "post", operation_id = "exportOfflineSetups")]
    async fn export(
        &self,
        caller: Allowed<ExportOfflineSetups>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SetupFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// Which of these students lie within a scope.
pub(crate) async fn seen_of(connection: &mut PgConnection, students: &[i64], scope: &Scope) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select id from student
         where id = any($1) and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))",
        students,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?)
}

impl Keyed for OfflineSetups {
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
        setup::list::matching(connection, ExamMode::Offline, filter, scope, wanted).await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<SetupRow>> {
        setup::list::rows(connection, ids, scope).await
    }
}

impl Export for OfflineSetups {
    type Filter = SetupFilter;
    type Row = SetupRow;
    const KIND: &'static str = "offline_exam.export";
    type Permission = ExportOfflineSetups;
    const TITLE: &'static str = "线下考试";
    const COLUMNS: &'static [Column<SetupRow>] = &[
        Column { heading: "考试名称", width: 32, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "批次", width: 28, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "课程编码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "性质", width: 10, cell: |row| Cell::Text(row.round.zh().to_owned()) },
        Column { heading: "考核方式", width: 10, cell: |row| Cell::Text(row.assess_mode.zh().to_owned()) },
        Column { heading: "场次", width: 8, cell: |row| Cell::text(row.session_code.clone()) },
        Column { heading: "开始时间", width: 20, cell: |row| Cell::time(row.starts_at) },
        Column { heading: "结束时间", width: 20, cell: |row| Cell::time(row.ends_at) },
        Column { heading: "应考", width: 8, cell: |row| Cell::Int(row.candidate_count) },
        Column { heading: "考场数", width: 8, cell: |row| Cell::Int(row.room_count) },
        Column { heading: "监考员数", width: 10, cell: |row| Cell::Int(row.invigilator_count) },
        Column { heading: "已编排", width: 8, cell: |row| Cell::Int(row.seated_count) },
        Column { heading: "到考", width: 8, cell: |row| Cell::Int(row.present_count) },
        Column { heading: "缺考", width: 8, cell: |row| Cell::Int(row.absent_count) },
        Column { heading: "违规", width: 8, cell: |row| Cell::Int(row.violation_count) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "发布时间", width: 20, cell: |row| Cell::time(row.published_at) },
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
