//! 考生 of examinations on the net: the facade of `exam_candidate` (part 04 §2.4, §2.5).

use exams::{
    candidate::{self, CandidateFilter, CandidateRow, eligible_of, expected, list},
    enums::ExamMode,
    setup,
};
use futures_util::{TryStreamExt, stream};
use infra::{
    Allowed, App, Body, BulkResult, Paged, Paging, Part, Reply, Result, Scope,
    across::{self, Key, Listed, SchoolPage, Segment},
    clock::Moment,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    permissions, reply,
    sheet::Column,
    transfer::{self, Export, Exported, Rows, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;
use sqlx::PgConnection;

use crate::{attempt::follow_deadlines, setup::publish::welcome};

permissions! {
    pages
        "/schoolPC/examination/onlineIndex/onlineTestSetup",
        "/platformPC/examination/onlineIndex/onlineTestSetup",
        "/schoolPC/examination/onlineIndex/onlineTestList";
    EachSchool Reads       ListOnlineCandidates     = "exam:pc:online:candidate:list" "线上考生列表";
    InSchool   Writes      RefreshOnlineCandidates  = "exam:pc:online:candidate:refresh" "刷新考生名单";
    InSchool   Writes      AddOnlineCandidates      = "exam:pc:online:candidate:add" "添加考生";
    InSchool   Writes      RemoveOnlineCandidates   = "exam:pc:online:candidate:remove" "移除考生";
    InSchool   Writes      OverrideOnlineCandidates = "exam:pc:online:candidate:override" "核准考生资格";
    InSchool   Writes      ExtendOnlineCandidates   = "exam:pc:online:candidate:extend" "考生加时";
    EachSchool ReadsLogged ExportOnlineCandidates   = "exam:pc:online:candidate:export" "导出线上考生";
}

/// Refreshes that a call itself does.
const DIRECT: i64 = 2_000;

const REFRESH: JobKind = JobKind {
    kind: "exam.candidates.online",
    code: Some("exam:pc:online:candidate:refresh"),
    run: |run| Box::pin(refreshed(run)),
    headings: None,
};

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[export_job::<OnlineCandidates>(), REFRESH],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of candidates.
pub struct OnlineCandidates;

/// Whose candidates are brought up to the rosters.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OnlineCandidatesRefresh {
    /// 考试
    pub setup_id: i64,
    /// 纳入缓考学生
    /// 不填为按考试的设置
    pub include_deferred: Option<bool>,
}

impl Example for OnlineCandidatesRefresh {
    fn example() -> Self {
        Self { setup_id: 1, include_deferred: None }
    }
}

/// What came of it.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OnlineCandidatesRefreshed {
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
pub struct OnlineCandidatesAdd {
    /// 考试
    pub setup_id: i64,
    /// 选课
    #[oai(validator(min_items = 1, max_items = 500))]
    pub selection_ids: Vec<i64>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for OnlineCandidatesAdd {
    fn example() -> Self {
        Self { setup_id: 1, selection_ids: vec![1], reason: "补报名".to_owned() }
    }
}

/// Whom to take off, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OnlineCandidatesRemove {
    /// 考生
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for OnlineCandidatesRemove {
    fn example() -> Self {
        Self { ids: vec![1], reason: "重复报名".to_owned() }
    }
}

/// Who may sit, or may not, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OnlineCandidatesOverride {
    /// 考生
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
    /// 有资格
    pub eligible: bool,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for OnlineCandidatesOverride {
    fn example() -> Self {
        Self { ids: vec![1], eligible: true, reason: "已补学".to_owned() }
    }
}

/// Who gets more minutes, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OnlineCandidatesExtend {
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

impl Example for OnlineCandidatesExtend {
    fn example() -> Self {
        Self { ids: vec![1], minutes: 15, reason: "网络中断".to_owned() }
    }
}

#[OpenApi(prefix_path = "/exam/pc/online/candidate", tag = "crate::Tag::OnlineExams")]
impl OnlineCandidates {
    /// 线上考生列表
    #[oai(path = "/list", method = "post", operation_id = "listOnlineCandidates")]
    async fn list(
        &self,
        caller: Allowed<ListOnlineCandidates>,
        Body(asked): Body<Paged<CandidateFilter>>,
    ) -> Result<Reply<SchoolPage<CandidateRow>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 刷新考生名单
    /// 人工核准和人工添加的考生不变
    #[oai(path = "/refresh", method = "post", operation_id = "refreshOnlineCandidates")]
    async fn refresh(
        &self,
        caller: Allowed<RefreshOnlineCandidates>,
        Body(wanted): Body<OnlineCandidatesRefresh>,
    ) -> Result<Reply<OnlineCandidatesRefreshed>> {
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let of = setup::changeable(&mut tx, wanted.setup_id, ExamMode::Online, &scope).await?;
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
            return Ok(reply(OnlineCandidatesRefreshed { job_id, ..OnlineCandidatesRefreshed::default() }));
        }
        let mut tx = caller.begin().await?;
        let mut held = setup::held(&mut tx, wanted.setup_id, ExamMode::Online, &scope).await?;
        held.include_deferred = wanted.include_deferred.unwrap_or(held.include_deferred);
        let before = eligible_of(&mut tx, held.id).await?;
        let done = candidate::refresh(&mut tx, &held, &scope).await?;
        welcome(&mut tx, &held, &before).await?;
        tx.commit_all(done.changes).await?;
        let (added, updated, removed) = (done.added, done.updated, done.removed);
        Ok(reply(OnlineCandidatesRefreshed { added, updated, removed, job_id: None }))
    }

    /// 添加考生
    #[oai(path = "/add", method = "post", operation_id = "addOnlineCandidates")]
    async fn add(
        &self,
        caller: Allowed<AddOnlineCandidates>,
        Body(wanted): Body<OnlineCandidatesAdd>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        setup::viewable(&mut tx, wanted.setup_id, ExamMode::Online, &caller.scope()).await?;
        let held = setup::hold(&mut tx, wanted.setup_id, ExamMode::Online).await?;
        let before = eligible_of(&mut tx, held.id).await?;
        let changes = candidate::add(&mut tx, &held, &wanted.selection_ids, &wanted.reason, &caller.scope()).await?;
        welcome(&mut tx, &held, &before).await?;
        let done = i64::try_from(wanted.selection_ids.len()).unwrap_or_default();
        tx.commit_all(changes).await?;
        Ok(reply(BulkResult { done, failed: Vec::new() }))
    }

    /// 移除考生
    #[oai(path = "/remove", method = "put", operation_id = "removeOnlineCandidates")]
    async fn remove(
        &self,
        caller: Allowed<RemoveOnlineCandidates>,
        Body(wanted): Body<OnlineCandidatesRemove>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let scope = caller.scope();
        let told = candidate::remove(&mut tx, &wanted.ids, &wanted.reason, ExamMode::Online, &scope).await?;
        tx.commit_all(Vec::new()).await?;
        Ok(reply(told))
    }

    /// 核准考生资格
    /// 刷新名单时保留
    #[oai(path = "/override", method = "put", operation_id = "overrideOnlineCandidates")]
    async fn decide(
        &self,
        caller: Allowed<OverrideOnlineCandidates>,
        Body(wanted): Body<OnlineCandidatesOverride>,
    ) -> Result<Reply<BulkResult>> {
        let OnlineCandidatesOverride { ids, eligible, reason } = wanted;
        let mut tx = caller.begin().await?;
        let scope = caller.scope();
        let told = candidate::decide_eligibility(&mut tx, &ids, eligible, &reason, ExamMode::Online, &scope).await?;
        tx.commit_all(Vec::new()).await?;
        Ok(reply(told))
    }

    /// 考生加时
    /// 正在作答的答卷随之延长
    #[oai(path = "/extend", method = "put", operation_id = "extendOnlineCandidates")]
    async fn extend(
        &self,
        caller: Allowed<ExtendOnlineCandidates>,
        Body(wanted): Body<OnlineCandidatesExtend>,
    ) -> Result<Reply<BulkResult>> {
        let OnlineCandidatesExtend { ids, minutes, reason } = wanted;
        let mut tx = caller.begin().await?;
        let told = extended(&mut tx, &ids, (minutes, &reason), &caller.scope()).await?;
        tx.commit_all(Vec::new()).await?;
        Ok(reply(told))
    }

    /// 导出线上考生
    #[oai(path = "/export", method = "post", operation_id = "exportOnlineCandidates")]
    async fn export(
        &self,
        caller: Allowed<ExportOnlineCandidates>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CandidateFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// Gives candidates more minutes, and their open sheets with them; the trail is written, whoever calls commits.
pub(crate) async fn extended(
    tx: &mut infra::Tx,
    ids: &[i64],
    (minutes, reason): (i32, &str),
    scope: &Scope,
) -> Result<BulkResult> {
    let told = candidate::extend(tx, ids, minutes, reason, ExamMode::Online, scope).await?;
    let done: Vec<i64> = ids.iter().copied().filter(|id| !told.failed.iter().any(|row| row.id == *id)).collect();
    let setups =
        sqlx::query_scalar!("select distinct setup_id from exam_candidate where id = any($1) order by setup_id", &done)
            .fetch_all(&mut **tx)
            .await?;
    for setup in setups {
        let held = setup::known(tx, setup, ExamMode::Online).await?;
        let changes = follow_deadlines(tx, &held, Some(&done)).await?;
        tx.record(&changes).await?;
    }
    Ok(told)
}

async fn refreshed(run: JobRun) -> Result<Outcome> {
    let id = run.params["setupId"].as_i64().unwrap_or_default();
    let scope = run.scope("exam:pc:online:candidate:refresh").await?;
    let mut tx = run.begin().await?;
    let mut held = setup::held(&mut tx, id, ExamMode::Online, &scope).await?;
    held.include_deferred = run.params["includeDeferred"].as_bool().unwrap_or(held.include_deferred);
    let before = eligible_of(&mut tx, held.id).await?;
    let done = candidate::refresh(&mut tx, &held, &scope).await?;
    welcome(&mut tx, &held, &before).await?;
    let message = format!("新增{}名，更新{}名，移除{}名", done.added, done.updated, done.removed);
    let outcome = Outcome { message, ..Outcome::default() };
    run.mark_done(&mut tx, &outcome).await?;
    tx.commit_all(done.changes).await?;
    Ok(outcome)
}

impl Listed for OnlineCandidates {
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
        list::page(connection, ExamMode::Online, filter, scope, paging).await
    }

    async fn segments(connection: &mut PgConnection, filter: &CandidateFilter, scope: &Scope) -> Result<Vec<Segment>> {
        list::segments(connection, ExamMode::Online, filter, scope).await
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &CandidateFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        list::keys(connection, ExamMode::Online, filter, scope, (until, most)).await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<CandidateRow>> {
        Ok(list::rows(connection, ids).await?)
    }
}

impl Export for OnlineCandidates {
    type Filter = CandidateFilter;
    type Row = CandidateRow;
    const KIND: &'static str = "online_exam.candidate.export";
    type Permission = ExportOnlineCandidates;
    const TITLE: &'static str = "线上考生";
    const COLUMNS: &'static [Column<CandidateRow>] = list::COLUMNS;

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CandidateFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, CandidateRow>> {
        let parts = list::parts(connection, ExamMode::Online, filter, scope).await?;
        let rows = stream::try_unfold((connection, parts.into_iter()), |(connection, mut parts)| async move {
            let Some(ids) = parts.next() else { return Ok(None) };
            let rows = list::in_order(connection, &ids).await?;
            Ok::<_, sqlx::Error>(Some((stream::iter(rows.into_iter().map(Ok)), (connection, parts))))
        });
        Ok(Box::pin(rows.try_flatten()))
    }
}
