//! 考试批次: one organised round of examinations of a semester (part 04 §1).
//!
//! ```text
//! draft ─update:status→ active ─close→ closed ─archive→ archived      closed ─reopen→ active
//! ```
//! What was locked when a batch was closed stays locked when it is opened again.

mod form;
mod options;
mod select;
mod sheet;
mod steps;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, Paged, Part, Reply, Result, Saved,
    Scope, Tx,
    across::{self, Keyed, SchoolPage},
    naming::resolve_id,
    options::Source,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

use crate::enums::TestBatchStatus;

pub use form::TestBatchForm;
pub use select::{TestBatch, TestBatchFilter};
pub use steps::Steps;

pub(crate) use form::insert;
use form::update;

permissions! {
    pages "/schoolPC/examination/testBatch", "/platformPC/examination/testBatch";
    EachSchool  Reads       ListTestBatches    = "exam:pc:test:batch:list" "考试批次列表";
    EachSchool  Reads       ViewTestBatch      = "exam:pc:test:batch:view" "查看考试批次";
    WholeSchool Writes      SaveTestBatch      = "exam:pc:test:batch:save" "新增考试批次";
    WholeSchool Writes      EditTestBatch      = "exam:pc:test:batch:edit" "编辑考试批次";
    WholeSchool Writes      ActivateTestBatch  = "exam:pc:test:batch:update:status" "启用考试批次";
    WholeSchool Writes      CloseTestBatch     = "exam:pc:test:batch:close" "结束考试批次";
    WholeSchool Writes      ReopenTestBatch    = "exam:pc:test:batch:reopen" "重新打开考试批次";
    WholeSchool Writes      ArchiveTestBatch   = "exam:pc:test:batch:archive" "归档考试批次";
    WholeSchool Writes      DeleteTestBatch    = "exam:pc:test:batch:delete" "删除考试批次";
    WholeSchool Writes      DeleteTestBatches  = "exam:pc:test:batch:batchDel" "批量删除考试批次";
    EachSchool  ReadsLogged ExportTestBatches  = "exam:pc:test:batch:export" "导出考试批次";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "test_batch", name: "考试批次", counted: "个考试批次" }],
    jobs: &[export_job::<TestBatches>()],
    histories: &[History { table: "test_batch", code: "exam:pc:test:batch:view", scope: None }],
    options: &[Source::new("testBatch", |connection, asked| Box::pin(options::options(connection, asked)))
        .below("批次的学期")
        .with::<options::BatchOption>()],
    option_pages: &[
        "/schoolPC/examination/testBatch",
        "/platformPC/examination/testBatch",
        "/schoolPC/examination/onlineIndex/onlineTestList",
        "/platformPC/examination/onlineIndex/onlineTestList",
        "/schoolPC/examination/onlineIndex/onlineExamination",
        "/platformPC/examination/onlineIndex/onlineExamination",
        "/schoolPC/examination/onlineIndex/onlineTestSetup",
        "/platformPC/examination/onlineIndex/onlineTestSetup",
        "/schoolPC/examination/onlineIndex/onlineTestSetupAdd",
        "/schoolPC/examination/onlineIndex/onlineTestSetupAddByBatch",
        "/schoolPC/examination/onlineIndex/onlineExamMarking",
        "/platformPC/examination/onlineIndex/onlineExamMarking",
        "/schoolPC/examination/offlineIndex/markingTeacher",
        "/schoolPC/examination/offlineIndex/offlineManage",
    ],
    ..Part::NONE
};

/// The list of batches.
pub struct TestBatches;

#[OpenApi(prefix_path = "/exam/pc/test/batch", tag = "crate::Tag::Exams")]
impl TestBatches {
    /// 考试批次列表
    #[oai(path = "/list", method = "post", operation_id = "listTestBatches")]
    async fn list(
        &self,
        caller: Allowed<ListTestBatches>,
        Body(asked): Body<Paged<TestBatchFilter>>,
    ) -> Result<Reply<SchoolPage<TestBatch>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看考试批次
    #[oai(path = "/view", method = "get", operation_id = "viewTestBatch")]
    async fn view(
        &self,
        caller: Allowed<ViewTestBatch>,
        /// 编号
        id: Query<Option<i64>>,
        /// 批次编码
        code: Query<Option<String>>,
    ) -> Result<Reply<TestBatch>> {
        let mut tx = caller.read().await?;
        let id = resolve_id(&mut tx, "test_batch", id.0, code.0).await?;
        Ok(reply(Self::find(&mut tx, id, &caller.scope()).await?))
    }

    /// 新增考试批次
    #[oai(path = "/save", method = "post", operation_id = "saveTestBatch")]
    async fn save(&self, caller: Allowed<SaveTestBatch>, Body(form): Body<TestBatchForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑考试批次
    /// 已启用的只能修改名称、成绩录入时间、考生须知和备注，考试日期只能放宽
    #[oai(path = "/edit", method = "put", operation_id = "editTestBatch")]
    async fn edit(
        &self,
        caller: Allowed<EditTestBatch>,
        Body(edit): Body<Edit<TestBatchForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除考试批次
    #[oai(path = "/delete", method = "delete", operation_id = "deleteTestBatch")]
    async fn delete(
        &self,
        caller: Allowed<DeleteTestBatch>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除考试批次
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteTestBatches")]
    async fn delete_many(&self, caller: Allowed<DeleteTestBatches>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "test_batch");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出考试批次
    #[oai(path = "/export", method = "post", operation_id = "exportTestBatches")]
    async fn export(
        &self,
        caller: Allowed<ExportTestBatches>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<TestBatchFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// # Errors
/// 404 for none; 409 once it was activated, and with the numbers of what is set in it.
async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    tx.lock("test_batch", id).await?;
    let before = TestBatches::find(tx, id, &Scope::whole_school()).await?;
    if before.status != TestBatchStatus::Draft {
        return Err(Error::conflict(format!("批次“{}”{}，只有草稿可以删除", before.name, before.status.zh())));
    }
    let set = sqlx::query!(
        r#"select (select count(*) from exam_setup where batch_id = $1) as "setups!",
                  (select count(*) from offline_session where batch_id = $1) as "sessions!",
                  (select count(*) from score_sheet where batch_id = $1) as "sheets!""#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    let counts = [(set.setups, "个考试安排"), (set.sessions, "个考试场次"), (set.sheets, "张成绩登记表")];
    let told: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if !told.is_empty() {
        return Err(Error::conflict(format!("批次下有 {}，不能删除", told.join("、"))));
    }
    tx.remove("test_batch", id, &before.name).await?;
    Ok(Change::deleted("test_batch", id, &before))
}

/// A batch that is held against changes of its status by whoever sets something in it.
///
/// # Errors
/// 422 at `batchId` for no batch.
pub(crate) async fn held_for_setup(tx: &mut Tx, id: i64) -> Result<HeldBatch> {
    sqlx::query_as!(
        HeldBatch,
        r#"select name, status as "status: _", kind as "kind: _", mode as "mode: _", semester_id, exam_starts_on, exam_ends_on
           from test_batch where id = $1 for share"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("batchId", "所选批次不存在，请重新选择"))
}

/// See [`held_for_setup`].
#[derive(Debug, Clone)]
pub(crate) struct HeldBatch {
    pub name: String,
    pub status: TestBatchStatus,
    pub kind: crate::enums::TestBatchKind,
    pub mode: crate::enums::ExamModeOfBatch,
    pub semester_id: i64,
    pub exam_starts_on: Option<chrono::NaiveDate>,
    pub exam_ends_on: Option<chrono::NaiveDate>,
}

impl HeldBatch {
    pub fn facts(&self) -> exam_rules::setup::BatchFacts {
        exam_rules::setup::BatchFacts {
            status: self.status,
            kind: self.kind,
            mode: self.mode,
            semester_id: self.semester_id,
            starts_on: self.exam_starts_on,
            ends_on: self.exam_ends_on,
        }
    }
}
