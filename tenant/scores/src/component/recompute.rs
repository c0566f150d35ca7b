//! 重新计算: parts and totals of scores that nobody has submitted, by a job.

use infra::{
    Allowed, Body, Change, Error, Reply, Result, Scope, Tx,
    access::Permission,
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ParseFromJSON, ToJSON},
};
use scores_rules::enums::{ComponentKind, ScoreKind};
use serde_json::json;
use sqlx::PgConnection;

use super::RecomputeComponents;
use crate::{
    score::{
        compute::{compute, of_all_kinds, parts_of},
        ensure::ensure,
        settle,
    },
    sheet::hold::hold_scores,
};

const KIND: &str = "scores.recompute";
/// Scores of one transaction.
const AT_ONCE: usize = 500;

pub(crate) const JOB: JobKind = JobKind {
    kind: KIND,
    code: Some(<RecomputeComponents as Permission>::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

/// Which scores.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoreRecompute {
    /// 成绩项
    /// 总评重算全部平时项
    pub kind: ScoreKind,
    /// 学期
    pub semester_id: i64,
    /// 班级
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub class_ids: Option<Vec<i64>>,
    /// 课程
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub course_ids: Option<Vec<i64>>,
    /// 学生
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub student_ids: Option<Vec<i64>>,
}

impl Example for ScoreRecompute {
    fn example() -> Self {
        Self { kind: ScoreKind::Study, semester_id: 1, class_ids: None, course_ids: None, student_ids: None }
    }
}

pub struct Recomputing;

#[OpenApi(prefix_path = "/adult/pc/score/component", tag = "crate::Tag::Scores")]
impl Recomputing {
    /// 重新计算成绩
    /// 后台任务；已提交的成绩不变
    #[oai(path = "/recompute", method = "post", operation_id = "recomputeScores")]
    async fn recompute(
        &self,
        caller: Allowed<RecomputeComponents>,
        Body(wanted): Body<ScoreRecompute>,
    ) -> Result<Reply<JobStarted>> {
        if parts_of(wanted.kind).is_empty() && !matches!(wanted.kind, ScoreKind::Total | ScoreKind::FinalExam) {
            return Err(Error::field("kind", format!("{}在毕业成绩中计算", wanted.kind.zh())));
        }
        let known = sqlx::query_scalar!("select id from semester where id = $1", wanted.semester_id)
            .fetch_optional(&mut *caller.read().await?)
            .await?;
        if known.is_none() {
            return Err(Error::field("semesterId", "所选学期不存在，请重新选择"));
        }
        let job = NewJob {
            kind: KIND,
            target: format!("{}:{}", wanted.kind.as_str(), wanted.semester_id),
            title: format!("重新计算{}", wanted.kind.zh()),
            params: json!({ "wanted": wanted.to_json() }),
        };
        Ok(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? }))
    }
}

/// The job over scores that a rule left out of date.
pub(crate) fn of_stale(kind: ScoreKind) -> NewJob {
    NewJob {
        kind: KIND,
        target: format!("{}:stale", kind.as_str()),
        title: format!("规则修改后重新计算{}", kind.zh()),
        params: json!({ "wanted": null }),
    }
}

async fn work(run: JobRun) -> Result<Outcome> {
    let scope = run.scope(<RecomputeComponents as Permission>::CODE).await?;
    let wanted = ScoreRecompute::parse_from_json(Some(run.params["wanted"].clone())).ok();
    let mut read = run.read().await?;
    let (ids, selections, kinds) = match &wanted {
        Some(wanted) => {
            let parts = parts_of(wanted.kind);
            let kinds = if parts.is_empty() { of_all_kinds() } else { parts };
            (named(&mut read, wanted, &scope).await?, missing(&mut read, wanted, &scope).await?, kinds)
        }
        None => (stale(&mut read).await?, Vec::new(), of_all_kinds()),
    };
    drop(read);
    let total = i64::try_from(ids.len() + selections.len()).map_err(Error::internal)?;
    let mut gone = 0;
    let mut changed = 0;
    for part in selections.chunks(AT_ONCE) {
        run.progress("重新计算", gone, total).await?;
        let mut tx = run.begin().await?;
        let scores: Vec<i64> = ensure(&mut tx, part).await?.into_values().collect();
        changed += anew(&mut tx, &scores, of_all_kinds()).await?;
        tx.commit(event(part.len(), &scores)).await?;
        gone += i64::try_from(part.len()).map_err(Error::internal)?;
    }
    for part in ids.chunks(AT_ONCE) {
        run.progress("重新计算", gone, total).await?;
        let mut tx = run.begin().await?;
        changed += anew(&mut tx, part, kinds).await?;
        tx.commit(event(part.len(), part)).await?;
        gone += i64::try_from(part.len()).map_err(Error::internal)?;
    }
    Ok(Outcome { message: format!("共{total}条成绩，{changed}条有变化"), ..Outcome::default() })
}

/// The trail tells of a run, not of each of its scores: nobody has seen them yet.
pub(crate) fn event(count: usize, scores: &[i64]) -> Change {
    Change::event("course_score", scores.first().copied().unwrap_or_default(), "recompute", json!({ "count": count }))
}

/// Computes these scores anew; answers how many changed.
///
/// # Errors
/// Those of the database.
pub(crate) async fn anew(tx: &mut Tx, ids: &[i64], kinds: &[ComponentKind]) -> Result<usize> {
    hold_scores(tx, ids).await?;
    compute(tx, ids, kinds).await?;
    Ok(settle(tx, ids).await?.len())
}

async fn named(connection: &mut PgConnection, wanted: &ScoreRecompute, scope: &Scope) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select s.id from course_score s join student y on y.id = s.student_id
         where s.semester_id = $1 and s.status = 'computing'
           and ($2::bigint[] is null or s.class_id = any($2)) and ($3::bigint[] is null or s.course_id = any($3))
           and ($4::bigint[] is null or s.student_id = any($4))
           and ($5::bigint[] is null or y.site_id = any($5) or y.class_id = any($6::bigint[]))
         order by s.id",
        wanted.semester_id,
        wanted.class_ids.as_deref(),
        wanted.course_ids.as_deref(),
        wanted.student_ids.as_deref(),
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?)
}

/// Selections that have no score yet.
async fn missing(connection: &mut PgConnection, wanted: &ScoreRecompute, scope: &Scope) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select c.id from course_selection c join student y on y.id = c.student_id
         where c.semester_id = $1 and c.status = 'selected'
           and ($2::bigint[] is null or c.class_id = any($2)) and ($3::bigint[] is null or c.course_id = any($3))
           and ($4::bigint[] is null or c.student_id = any($4))
           and ($5::bigint[] is null or y.site_id = any($5) or y.class_id = any($6::bigint[]))
           and not exists (select from course_score s where s.selection_id = c.id)
         order by c.id",
        wanted.semester_id,
        wanted.class_ids.as_deref(),
        wanted.course_ids.as_deref(),
        wanted.student_ids.as_deref(),
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?)
}

/// Scores that a rule or one of their sources left out of date; of what was submitted, the parts tell what they would be now.
///
/// # Errors
/// Those of the database.
pub(crate) async fn stale(connection: &mut PgConnection) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select id from course_score where stale and status in ('computing', 'pending') order by id limit 100000"
    )
    .fetch_all(connection)
    .await?)
}
