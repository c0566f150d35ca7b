//! 自动排课: a job looks for times and rooms and proposes them; nothing is arranged until somebody takes the proposal over, which
//! writes drafts (part 03 B9).
//!
//! ```text
//! openings and classes, days, blocks, rooms ─[load]→ problem ─[plan::solve]→ proposal ─accept→ drafts, or 409 when the world changed
//! ```
//! Lessons are proposed for times that lie ahead. What takes the machine a while is done beside the threads that answer calls,
//! and stops with its job.

mod load;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use chrono::TimeDelta;
use course_selection::opening;
use infra::{
    Allowed, Body, Change, Entity, Error, Part, Reply, Result, Scope, Tx,
    access::Permission,
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    permissions, reply,
};
use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{Example, ParseFromJSON, ToJSON},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use timetable_rules::{
    judge::{Asking, Facts, Judged, judge},
    occupation::refuse,
    problem::{problem, told},
    proposal::{ArrangeProposal, AutoForm, ProposedArrange, UnplacedCourse},
};
use tokio::task::spawn_blocking;

pub use timetable_rules::{plan, repair};

use crate::{
    NOT_ALL_CLASSES,
    arrange::{
        facts::Named,
        form::{meet, write},
    },
    enums::ProposalStatus,
    hold,
    occupation::conflicts,
};

permissions! {
    pages "/schoolPC/examination/arrange/courseArrange";
    InSchool Writes AutoArrange    = "adult:pc:courseArrange:auto" "自动排课";
    InSchool Reads  ViewProposal   = "adult:pc:courseArrange:auto" "自动排课";
    InSchool Writes AcceptProposal = "adult:pc:courseArrange:save" "新增面授排课";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "arrange_proposal", name: "自动排课方案", counted: "个自动排课方案" }],
    jobs: &[JOB],
    ..Part::NONE
};

const JOB: JobKind =
    JobKind { kind: "arrange.auto", code: Some(AutoArrange::CODE), run: |run| Box::pin(work(run)), headings: None };

/// Classes of openings of one proposal.
pub(crate) const MOST: usize = 2_000;
/// Arrangements whose sessions are written by one statement.
const AT_ONCE: usize = 500;
/// How often the job tells how far it is.
const TOLD_EVERY: Duration = Duration::from_secs(1);
/// For so many days a proposal is kept.
const KEPT_DAYS: i64 = 30;

/// Which proposal.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ProposalChosen {
    /// 任务编号
    pub job_id: i64,
}

impl Example for ProposalChosen {
    fn example() -> Self {
        Self { job_id: 1 }
    }
}

/// What came of taking a proposal over.
#[derive(Debug, Clone, Object)]
pub struct ProposalAccepted {
    /// 编号
    /// 写入的草稿
    pub ids: Vec<i64>,
}

pub struct Arranging;

#[OpenApi(prefix_path = "/adult/pc/courseArrange", tag = "crate::Tag::Timetable")]
impl Arranging {
    /// 自动排课
    /// 作为任务计算方案，只排以后的时间，采用后才写入草稿
    #[oai(path = "/auto", method = "post", operation_id = "arrangeAutomatically")]
    async fn start(&self, caller: Allowed<AutoArrange>, Body(form): Body<AutoForm>) -> Result<Reply<JobStarted>> {
        let mut tx = caller.read().await?;
        let loaded = load::load(&mut tx, &form, &caller.scope(), Some(caller.app().clock().now())).await?;
        drop(tx);
        let job = NewJob {
            kind: JOB.kind,
            target: form.semester_id.to_string(),
            title: format!("自动排课（{}门次）", loaded.courses.len()),
            params: json!({ "wanted": form.to_json() }),
        };
        Ok(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? }))
    }

    /// 查看自动排课结果
    #[oai(path = "/auto/view", method = "get", operation_id = "viewArrangeProposal")]
    async fn view(
        &self,
        caller: Allowed<ViewProposal>,
        /// 任务编号
        #[oai(name = "jobId")]
        job_id: Query<i64>,
    ) -> Result<Reply<ArrangeProposal>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, job_id.0, &caller.scope()).await?.1))
    }

    /// 采用自动排课
    /// 全部写入草稿；有时间已被占用时列出冲突，不写入
    #[oai(path = "/auto/accept", method = "post", operation_id = "acceptArrangeProposal")]
    async fn accept(
        &self,
        caller: Allowed<AcceptProposal>,
        Body(chosen): Body<ProposalChosen>,
    ) -> Result<Reply<ProposalAccepted>> {
        let scope = caller.scope();
        let mut tx = caller.begin_long().await?;
        let (ids, changes) = take_over(&mut tx, chosen.job_id, &scope).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ProposalAccepted { ids }))
    }
}

/// The proposal of a job, with its number.
///
/// # Errors
/// 404 as long as there is none, and for one with classes beyond the scope.
async fn find(connection: &mut PgConnection, job: i64, scope: &Scope) -> Result<(i64, ArrangeProposal)> {
    let row = sqlx::query!(
        r#"select p.id, p.status as "status: ProposalStatus", p.proposal,
                  exists (select from unnest(p.class_ids) as w (class) left join class k on k.id = w.class
                          where $2::bigint[] is not null
                            and not coalesce(k.site_id = any($2) or k.id = any($3::bigint[]), false)) as "beyond!"
           from arrange_proposal p where p.job_id = $1"#,
        job,
        scope.sites(),
        scope.classes()
    )
    .fetch_optional(connection)
    .await?
    .filter(|row| !row.beyond)
    .ok_or_else(|| Error::new(404, "排课方案不存在，或还未计算完成"))?;
    let proposal =
        ArrangeProposal::parse_from_json(Some(row.proposal)).map_err(|error| Error::internal(error.into_message()))?;
    Ok((row.id, ArrangeProposal { status: row.status, ..proposal }))
}

/// Writes what is proposed as drafts, if it still goes.
///
/// # Errors
/// 404 for none, 409 for one that was taken over, and with all clashes when others took the times meanwhile; 422 for what cannot be
/// chosen any more.
async fn take_over(tx: &mut Tx, job: i64, scope: &Scope) -> Result<(Vec<i64>, Vec<Change>)> {
    hold(tx).await?;
    let (id, proposal) = find(tx, job, scope).await?;
    if proposal.status == ProposalStatus::Accepted {
        return Err(Error::conflict("该方案已采用"));
    }
    if proposal.placed.is_empty() {
        return Err(Error::conflict("该方案没有排出任何课程"));
    }
    let mut openings: Vec<i64> =
        proposal.placed.iter().flat_map(|placed| &placed.form.classes).map(|class| class.opening_id).collect();
    openings.sort_unstable();
    openings.dedup();
    opening::hold(tx, &openings).await?;
    let facts = Named::in_forms(proposal.placed.iter().map(|placed| &placed.form)).load(tx).await?;
    let (asking, now) = (Asking { scope, forced: None }, tx.app().clock().now());
    let mut judged: Vec<Judged> = Vec::with_capacity(proposal.placed.len());
    for placed in &proposal.placed {
        let told = judge(&placed.form, &facts, asking).map_err(|error| no_longer(placed, &error.msg))?;
        if let Some(behind) = told.meetings.iter().find(|meeting| meeting.starts_at <= now) {
            return Err(no_longer(placed, &format!("{}已经过去", behind.held_on)));
        }
        judged.push(told);
    }
    let wanted: Vec<_> = proposal
        .placed
        .iter()
        .zip(&judged)
        .flat_map(|(placed, judged)| placed.form.occupations(&judged.meetings))
        .collect();
    let found = conflicts(tx, &wanted, &[]).await?;
    if !found.is_empty() {
        return Err(refuse(&found));
    }
    let (mut ids, mut changes) = (Vec::new(), Vec::new());
    let arranges: Vec<_> = proposal.placed.iter().map(|placed| &placed.form).zip(&judged).collect();
    for part in arranges.chunks(AT_ONCE) {
        let mut made = Vec::with_capacity(part.len());
        for (form, judged) in part {
            let id = write(tx, form, judged).await?;
            changes.push(Change::created("course_arrange", id, *form));
            made.push((id, *form, &judged.meetings));
            ids.push(id);
        }
        meet(tx, &made).await?;
    }
    let by = tx.by();
    sqlx::query!(
        "update arrange_proposal set status = 'accepted', accepted_at = $2, updated_at = now(), updated_by = $3,
                version = version + 1
         where id = $1",
        id,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    changes.push(Change::status("arrange_proposal", id, "status", "open", "accepted"));
    Ok((ids, changes))
}

/// 409 for a course that cannot be arranged so any more.
fn no_longer(placed: &ProposedArrange, why: &str) -> Error {
    let classes = placed.class_names.join("、");
    Error::conflict(format!("《{}》（{classes}）不能再按方案排课：{why}，请重新计算", placed.course_name))
}

/// Tells the computation to stop when its job ends, whichever way it does.
struct Stop(Arc<AtomicBool>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Looks for the best it finds in the time that is given.
async fn work(run: JobRun) -> Result<Outcome> {
    let scope = run.scope(AutoArrange::CODE).await?;
    let wanted = AutoForm::parse_from_json(Some(run.params["wanted"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let mut read = run.read().await?;
    let loaded = load::load(&mut read, &wanted, &scope, Some(run.app().clock().now())).await?;
    let taken = load::taken(&mut read, &loaded).await?;
    drop(read);
    let (semester_id, class_ids) = (wanted.semester_id, loaded.class_ids());
    let limit = Duration::from_secs(u64::try_from(wanted.time_limit).unwrap_or(10));
    let began = Instant::now();
    let stop = Stop(Arc::default());
    let mut solving = {
        let (stopped, job) = (Arc::clone(&stop.0), run.id);
        spawn_blocking(move || {
            let problem = problem(&wanted, &loaded, &taken);
            let seed = u64::try_from(wanted.seed).unwrap_or_default();
            let go_on = || !stopped.load(Ordering::Relaxed) && began.elapsed() < limit;
            let solution = plan::solve(&problem, seed, go_on);
            told(&loaded, &solution, (&wanted, job))
        })
    };
    let seconds = |span: Duration| i64::try_from(span.as_secs()).unwrap_or(i64::MAX);
    let proposal = loop {
        tokio::select! {
            ended = &mut solving => break ended.map_err(Error::internal)?,
            () = tokio::time::sleep(TOLD_EVERY) => {
                run.progress("计算排课方案", seconds(began.elapsed().min(limit)), seconds(limit)).await?;
            }
        }
    };
    let message = format!("已排{}门次，未排{}门次", proposal.placed_courses, proposal.unplaced.len());
    let outcome = Outcome { message, errors: unplaced(&proposal), ..Outcome::default() };
    let mut tx = run.begin().await?;
    let (by, kept) = (tx.by(), run.app().clock().now() - TimeDelta::days(KEPT_DAYS));
    sqlx::query!("delete from arrange_proposal where created_at < $1", kept as _).execute(&mut *tx).await?;
    let id = sqlx::query_scalar!(
        "insert into arrange_proposal (job_id, semester_id, class_ids, proposal, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $5) returning id",
        run.id,
        semester_id,
        &class_ids,
        proposal.to_json().unwrap_or_default(),
        by
    )
    .fetch_one(&mut *tx)
    .await?;
    run.mark_done(&mut tx, &outcome).await?;
    let what = json!({ "jobId": run.id, "placed": proposal.placed_courses, "unplaced": proposal.unplaced.len() });
    tx.commit(Change::event("arrange_proposal", id, "insert", what)).await?;
    Ok(outcome)
}

/// The first proposal that is found, without looking for a better one, over the whole semester; with what it was found from.
pub(crate) async fn propose(
    connection: &mut PgConnection,
    form: &AutoForm,
    scope: &Scope,
) -> Result<(ArrangeProposal, Facts)> {
    let loaded = load::load(connection, form, scope, None).await?;
    let taken = load::taken(connection, &loaded).await?;
    let solution = plan::first(&problem(form, &loaded, &taken));
    Ok((told(&loaded, &solution, (form, 0)), loaded.facts))
}

/// What has no place, as the job centre lists it.
fn unplaced(proposal: &ArrangeProposal) -> Vec<Value> {
    let line = |course: &UnplacedCourse| json!({ "id": 0, "name": format!("{}（{}）", course.course_name, course.class_names.join("、")), "msg": course.reason.zh() });
    proposal.unplaced.iter().map(line).collect()
}

/// # Errors
/// 403 when a class lies beyond the scope.
pub(crate) fn of_all_classes(facts: &Facts, classes: impl Iterator<Item = i64>, scope: &Scope) -> Result<()> {
    let mut beyond = classes.filter(|id| {
        let site = facts.classes.get(id).map(|class| class.site_id);
        !scope.sees(site, Some(*id))
    });
    if beyond.next().is_none() { Ok(()) } else { Err(Error::new(403, NOT_ALL_CLASSES)) }
}
