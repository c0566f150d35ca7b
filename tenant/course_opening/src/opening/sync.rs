//! 同步名单: brings rosters up to their students at once, instead of in the night (part 03 B2, B4).

use course_opening_rules::sync::OpeningsSynced;
use course_selection::sync::{Synced, sync};
use infra::{
    Allowed, Body, Error, Reply, Result, Scope, Tx,
    access::Permission,
    across::{KeyQuery, Keyed},
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ParseFromJSON, ToJSON},
};
use serde_json::json;

use super::{OpeningFilter, Openings, SyncOpenings};
use crate::{enums::OpeningStatus, of_all_classes};

pub(super) const JOB: JobKind = JobKind {
    kind: "course_opening.sync",
    code: Some(SyncOpenings::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

const TITLE: &str = "同步名单";
/// More openings are a job's: each may put hundreds of students onto its roster.
const DIRECT: usize = 50;
/// Failures that the job's row tells.
const TOLD: usize = 1_000;

/// Which openings: these, or all of a semester that are opened.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OpeningIds {
    /// 开课
    /// 与 semesterId 二选一；超过50个时转为后台任务
    #[oai(validator(min_items = 1, max_items = 20000))]
    pub ids: Option<Vec<i64>>,
    /// 学期
    /// 该学期全部已开课的课程
    pub semester_id: Option<i64>,
}

impl Example for OpeningIds {
    fn example() -> Self {
        Self { ids: Some(vec![1]), semester_id: None }
    }
}

pub struct Syncing;

#[OpenApi(prefix_path = "/adult/pc/courseOpening", tag = "crate::Tag::CourseOpening")]
impl Syncing {
    /// 同步名单
    /// 超过50个开课时转为后台任务，返回任务编号
    #[oai(path = "/sync", method = "post", operation_id = "syncOpenings")]
    async fn sync(
        &self,
        caller: Allowed<SyncOpenings>,
        Body(wanted): Body<OpeningIds>,
    ) -> Result<Reply<OpeningsSynced>> {
        let ids = chosen(&caller, wanted).await?;
        let mut sum = OpeningsSynced::default();
        if ids.len() > DIRECT {
            let job = NewJob {
                kind: JOB.kind,
                target: caller.user_id().to_string(),
                title: format!("{TITLE}（{}个开课）", ids.len()),
                params: json!({}),
            };
            sum.job_id = Some(jobs::start_over(caller.caller(), job, ids.to_json().unwrap_or_default()).await?);
            return Ok(reply(sum));
        }
        for id in ids {
            let outcome = of_one(caller.begin().await?, id, &caller.scope()).await;
            sum.add(id, outcome)?;
        }
        Ok(reply(sum))
    }
}

/// # Errors
/// 422 at `ids` when nothing or two things are chosen; 409 for a semester in which nothing is opened that the caller sees.
async fn chosen(caller: &Allowed<SyncOpenings>, wanted: OpeningIds) -> Result<Vec<i64>> {
    match (wanted.ids, wanted.semester_id) {
        (Some(ids), None) => Ok(ids),
        (None, Some(semester)) => {
            let mut tx = caller.read().await?;
            let filter = OpeningFilter {
                semester_id: Some(semester),
                status: Some(OpeningStatus::Opened),
                ..OpeningFilter::default()
            };
            let keys = Openings::matching(&mut tx, &filter, &caller.scope(), KeyQuery::default()).await?;
            if keys.is_empty() {
                return Err(Error::conflict("该学期没有已开课的课程"));
            }
            let mut ids: Vec<i64> = keys.into_iter().map(|key| key.id).collect();
            ids.sort_unstable();
            Ok(ids)
        }
        (None, None) => Err(Error::field("ids", "请选择要同步的开课或学期")),
        (Some(_), Some(_)) => Err(Error::field("semesterId", "已选择开课，不能同时按学期同步")),
    }
}

/// A transaction of its own, so that each holds its openings only as long as it needs them.
async fn of_one(mut tx: Tx, id: i64, scope: &Scope) -> Result<Synced> {
    Openings::find(&mut tx, id, scope).await?;
    of_all_classes(&mut tx, &[id], scope).await?;
    let (synced, changes) = sync(&mut tx, id).await?;
    if synced != Synced::default() {
        tx.commit_all(changes).await?;
    }
    Ok(synced)
}

/// The same as a job. Taken up again it goes over all openings anew: a roster that is in step is left as it is.
async fn work(run: JobRun) -> Result<Outcome> {
    let ids: Vec<i64> = Vec::parse_from_json(Some(run.params[jobs::ROWS].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let total = i64::try_from(ids.len()).map_err(Error::internal)?;
    let (mut sum, mut cut) = (OpeningsSynced::default(), None);
    for (at, id) in (0_i64..).zip(ids) {
        // The rights of this moment: who lost the code meanwhile goes no further, nor does what was cancelled.
        let goes_on = async {
            run.progress(TITLE, at, total).await?;
            run.scope(SyncOpenings::CODE).await
        };
        match goes_on.await {
            Ok(scope) => sum.add(id, of_one(run.begin().await?, id, &scope).await)?,
            Err(error) => {
                cut = Some(error);
                break;
            }
        }
    }
    if cut.is_none() {
        // Too late to cancel: all of it is done.
        run.progress(TITLE, total, total).await.ok();
    }
    let message = match &cut {
        Some(error) => format!("{}，{}", sum.told(), error.msg),
        None => sum.told(),
    };
    let errors = sum.failed.iter().take(TOLD).map(|row| json!(row)).collect();
    let outcome = Outcome { message, errors, cut, ..Outcome::default() };
    let mut tx = run.begin().await?;
    run.mark_done(&mut tx, &outcome).await?;
    tx.commit_untracked("how far a job came").await?;
    Ok(outcome)
}
