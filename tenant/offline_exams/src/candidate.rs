//! 考生 of examinations on paper: the facade of `exam_candidate` (part 04 §2.4, §2.5).

pub mod sheet;

use exams::{
    candidate::{self, CandidateFilter, CandidateRow, eligible_of, expected, list},
    enums::ExamMode,
    setup::{self, HeldSetup},
};
use futures_util::{TryStreamExt, stream};
use infra::{
    Allowed, App, Body, BulkResult, Error, Paged, Paging, Part, Reply, Result, Scope, Tx,
    across::{self, Key, Listed, SchoolPage, Segment},
    clock::Moment,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    permissions, reply,
    sheet::Column,
    transfer::{self, Export, Exported, Rows, export_job, import_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;
use sqlx::PgConnection;

use crate::setup::steps::tell_new;

permissions! {
    pages
        "/schoolPC/examination/offlineIndex/offlineTestSetup/offlineTest",
        "/schoolPC/examination/offlineIndex/addTestByCourse",
        "/schoolPC/examination/offlineIndex/offlineTestList",
        "/platformPC/examination/offlineIndex/offlineTestList";
    EachSchool Reads       ListOfflineCandidates     = "offline:pc:offline:candidate:list" "线下考生列表";
    InSchool   Writes      RefreshOfflineCandidates  = "offline:pc:offline:candidate:refresh" "刷新线下考生名单";
    InSchool   Writes      AddOfflineCandidates      = "offline:pc:offline:candidate:add" "添加线下考生";
    InSchool   Writes      RemoveOfflineCandidates   = "offline:pc:offline:candidate:remove" "移除线下考生";
    InSchool   Writes      OverrideOfflineCandidates = "offline:pc:offline:candidate:override" "核准线下考生资格";
    InSchool   Writes      ExtendOfflineCandidates   = "offline:pc:offline:candidate:extend" "线下考生加时";
    EachSchool ReadsLogged ExportOfflineCandidates   = "offline:pc:offline:candidate:export" "导出线下考生";
    InSchool   Writes      ImportOfflineCandidates   = "offline:pc:offline:candidate:import" "导入补充考生";
    InSchool   Reads       FetchCandidateSheet       = "offline:pc:offline:candidate:import" "导入补充考生";
}

/// Refreshes that a call itself does.
const DIRECT: i64 = 2_000;

const REFRESH: JobKind = JobKind {
    kind: "exam.candidates.offline",
    code: Some("offline:pc:offline:candidate:refresh"),
    run: |run| Box::pin(refreshed(run)),
    headings: None,
};

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[export_job::<OfflineCandidates>(), REFRESH, import_job::<sheet::CandidateSheet>()],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of candidates.
pub struct OfflineCandidates;

/// Whose candidates are brought up to the rosters.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OfflineCandidatesRefresh {
    /// 考试
    pub setup_id: i64,
    /// 纳入缓考学生
    /// 不填为按考试的设置
    pub include_deferred: Option<bool>,
}

impl Example for OfflineCandidatesRefresh {
    fn example() -> Self {
        Self { setup_id: 1, include_deferred: None }
    }
}

/// What came of it.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OfflineCandidatesRefreshed {
    /// 新增
    pub added: i64,
    /// 更新
    pub updated: i64,
    /// 移除
    pub removed: i64,
    /// 任务编号
    /// 人数较多时转为后台任务
    #[oai(skip_serializing_if_is_none)]
    pub job_id: Option<i64>,
}

/// Whom to add, and why.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OfflineCandidatesAdd {
    /// 考试
    pub setup_id: i64,
    /// 选课
    #[oai(validator(min_items = 1, max_items = 500))]
    pub selection_ids: Vec<i64>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for OfflineCandidatesAdd {
    fn example() -> Self {
        Self { setup_id: 1, selection_ids: vec![1], reason: "补报名".to_owned() }
    }
}

/// Whom to take off, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OfflineCandidatesRemove {
    /// 考生
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for OfflineCandidatesRemove {
    fn example() -> Self {
        Self { ids: vec![1], reason: "重复报名".to_owned() }
    }
}

/// Who may sit, or may not, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OfflineCandidatesOverride {
    /// 考生
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
    /// 有资格
    pub eligible: bool,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for OfflineCandidatesOverride {
    fn example() -> Self {
        Self { ids: vec![1], eligible: true, reason: "已补学".to_owned() }
    }
}

/// Who gets more minutes, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OfflineCandidatesExtend {
    /// 考生
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
    /// 分钟
    #[oai(validator(minimum(value = "1"), maximum(value = "120")))]
    pub minutes: i32,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for OfflineCandidatesExtend {
    fn example() -> Self {
        Self { ids: vec![1], minutes: 15, reason: "网络中断".to_owned() }
    }
}

#[OpenApi(prefix_path = "/offline/pc/offline/candidate", tag = "crate::Tag::OfflineExams")]
impl OfflineCandidates {
    /// 线下考生列表
    #[oai(path = "/list", method = "post", operation_id = "listOfflineCandidates")]
    async fn list(
        &self,
        caller: Allowed<ListOfflineCandidates>,
        Body(asked): Body<Paged<CandidateFilter>>,
    ) -> Result<Reply<SchoolPage<CandidateRow>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 刷新线下考生名单
    /// 人工核准和人工添加的考生不变
    #[oai(path = "/refresh", method = "post", operation_id = "refreshOfflineCandidates")]
    async fn refresh(
        &self,
        caller: Allowed<RefreshOfflineCandidates>,
        Body(wanted): Body<OfflineCandidatesRefresh>,
    ) -> Result<Reply<OfflineCandidatesRefreshed>> {
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let of = setup::changeable(&mut tx, wanted.setup_id, ExamMode::Offline, &scope).await?;
        let many = expected(&mut tx, &of).await? > DIRECT;
        drop(tx);
        // Not held yet: a second one is told that the first goes on, and does not wait for it.
        if many {
            let job = NewJob {
                kind: REFRESH.kind,
                target: format!("setup:{}", of.id),
                title: format!("刷新考生名单（{}）", of.name),
                params: json!({ "setupId": of.id, "includeDeferred": wanted.include_deferred }),
            };
            let job_id = Some(jobs::start(caller.caller(), job).await?);
            return Ok(reply(OfflineCandidatesRefreshed { job_id, ..OfflineCandidatesRefreshed::default() }));
        }
        let mut tx = caller.begin().await?;
        let mut held = setup::held(&mut tx, wanted.setup_id, ExamMode::Offline, &scope).await?;
        held.include_deferred = wanted.include_deferred.unwrap_or(held.include_deferred);
        let before = eligible_of(&mut tx, held.id).await?;
        let done = candidate::refresh(&mut tx, &held, &scope).await?;
        tell_new(&mut tx, &held, &before).await?;
        tx.commit_all(done.changes).await?;
        let (added, updated, removed) = (done.added, done.updated, done.removed);
        Ok(reply(OfflineCandidatesRefreshed { added, updated, removed, job_id: None }))
    }

    /// 添加线下考生
    /// 同一时间有其他考试的不能添加
    #[oai(path = "/add", method = "post", operation_id = "addOfflineCandidates")]
    async fn add(
        &self,
        caller: Allowed<AddOfflineCandidates>,
        Body(wanted): Body<OfflineCandidatesAdd>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        setup::viewable(&mut tx, wanted.setup_id, ExamMode::Offline, &caller.scope()).await?;
        let held = setup::hold(&mut tx, wanted.setup_id, ExamMode::Offline).await?;
        let before = eligible_of(&mut tx, held.id).await?;
        let changes = candidate::add(&mut tx, &held, &wanted.selection_ids, &wanted.reason, &caller.scope()).await?;
        without_clash(&mut tx, &held, &wanted.selection_ids).await?;
        tell_new(&mut tx, &held, &before).await?;
        let done = i64::try_from(wanted.selection_ids.len()).unwrap_or_default();
        tx.commit_all(changes).await?;
        Ok(reply(BulkResult { done, failed: Vec::new() }))
    }

    /// 移除线下考生
    #[oai(path = "/remove", method = "put", operation_id = "removeOfflineCandidates")]
    async fn remove(
        &self,
        caller: Allowed<RemoveOfflineCandidates>,
        Body(wanted): Body<OfflineCandidatesRemove>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let scope = caller.scope();
        let told = candidate::remove(&mut tx, &wanted.ids, &wanted.reason, ExamMode::Offline, &scope).await?;
        tx.commit_all(Vec::new()).await?;
        Ok(reply(told))
    }

    /// 核准线下考生资格
    /// 刷新名单时保留
    #[oai(path = "/override", method = "put", operation_id = "overrideOfflineCandidates")]
    async fn decide(
        &self,
        caller: Allowed<OverrideOfflineCandidates>,
        Body(wanted): Body<OfflineCandidatesOverride>,
    ) -> Result<Reply<BulkResult>> {
        let OfflineCandidatesOverride { ids, eligible, reason } = wanted;
        let mut tx = caller.begin().await?;
        let scope = caller.scope();
        let told = candidate::decide_eligibility(&mut tx, &ids, eligible, &reason, ExamMode::Offline, &scope).await?;
        tx.commit_all(Vec::new()).await?;
        Ok(reply(told))
    }

    /// 线下考生加时
    /// 准考证和签到表随之更新
    #[oai(path = "/extend", method = "put", operation_id = "extendOfflineCandidates")]
    async fn extend(
        &self,
        caller: Allowed<ExtendOfflineCandidates>,
        Body(wanted): Body<OfflineCandidatesExtend>,
    ) -> Result<Reply<BulkResult>> {
        let OfflineCandidatesExtend { ids, minutes, reason } = wanted;
        let mut tx = caller.begin().await?;
        let scope = caller.scope();
        let told = candidate::extend(&mut tx, &ids, minutes, &reason, ExamMode::Offline, &scope).await?;
        tx.commit_all(Vec::new()).await?;
        Ok(reply(told))
    }

    /// 导出线下考生
    #[oai(path = "/export", method = "post", operation_id = "exportOfflineCandidates")]
    async fn export(
        &self,
        caller: Allowed<ExportOfflineCandidates>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CandidateFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// Whoever was just added and may sit does so nowhere else at that time.
///
/// # Errors
/// 409 with the first who does.
async fn without_clash(tx: &mut Tx, held: &HeldSetup, selections: &[i64]) -> Result<()> {
    let Some(session) = held.session_id else { return Ok(()) };
    let students = sqlx::query_scalar!("select student_id from course_selection where id = any($1)", selections)
        .fetch_all(&mut **tx)
        .await?;
    let found = exam_seats::offered::clashes(tx, Some(held.id), &[], session).await?;
    match found.into_iter().find(|clash| students.contains(&clash.student_id)) {
        Some(clash) => Err(Error::conflict(format!("“{}”与《{}》时间冲突", clash.name, clash.course))),
        None => Ok(()),
    }
}

async fn refreshed(run: JobRun) -> Result<Outcome> {
    let id = run.params["setupId"].as_i64().unwrap_or_default();
    let scope = run.scope("offline:pc:offline:candidate:refresh").await?;
    let mut tx = run.begin().await?;
    let mut held = setup::held(&mut tx, id, ExamMode::Offline, &scope).await?;
    held.include_deferred = run.params["includeDeferred"].as_bool().unwrap_or(held.include_deferred);
    let before = eligible_of(&mut tx, held.id).await?;
    let done = candidate::refresh(&mut tx, &held, &scope).await?;
    tell_new(&mut tx, &held, &before).await?;
    let message = format!("新增{}名，更新{}名，移除{}名", done.added, done.updated, done.removed);
    let outcome = Outcome { message, ..Outcome::default() };
    run.mark_done(&mut tx, &outcome).await?;
    tx.commit_all(done.changes).await?;
    Ok(outcome)
}

impl Listed for OfflineCandidates {
    type Filter = CandidateFilter;
    type Row = CandidateRow;

    fn id(row: &CandidateRow) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &CandidateFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<CandidateRow>)> {
        list::page(connection, ExamMode::Offline, filter, scope, paging).await
    }

    async fn segments(connection: &mut PgConnection, filter: &CandidateFilter, scope: &Scope) -> Result<Vec<Segment>> {
        list::segments(connection, ExamMode::Offline, filter, scope).await
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &CandidateFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        list::keys(connection, ExamMode::Offline, filter, scope, (until, most)).await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<CandidateRow>> {
        Ok(list::rows(connection, ids).await?)
    }
}

impl Export for OfflineCandidates {
    type Filter = CandidateFilter;
    type Row = CandidateRow;
    const KIND: &'static str = "offline_exam.candidate.export";
    type Permission = ExportOfflineCandidates;
    const TITLE: &'static str = "线下考生";
    const COLUMNS: &'static [Column<CandidateRow>] = list::COLUMNS;

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CandidateFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, CandidateRow>> {
        let parts = list::parts(connection, ExamMode::Offline, filter, scope).await?;
        let rows = stream::try_unfold((connection, parts.into_iter()), |(connection, mut parts)| async move {
            let Some(ids) = parts.next() else { return Ok(None) };
            let rows = list::in_order(connection, &ids).await?;
            Ok::<_, sqlx::Error>(Some((stream::iter(rows.into_iter().map(Ok)), (connection, parts))))
        });
        Ok(Box::pin(rows.try_flatten()))
    }
}
