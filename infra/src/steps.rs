//! A step over rows of a list that are ticked, or over all that its filter names (02 §0.6).
//!
//! ```text
//! items  ≤ 1,000  ─→ in the call, one transaction a school; a step that is heavier does fewer ([`Step::DIRECT`]), else a job
//! filter ≤ 20,000 ─→ the rows as the list shows them now ─→ a job: 500 at a time, each part a transaction of its own
//! ```
//!
//! Which rows a filter names, and in which version, is settled when the call is answered: nobody's row is changed who came
//! to the list afterwards, and what somebody else changed meanwhile is refused at its row. What was done before a cancel
//! stays and is told. The rows are taken in the order of the list, or in one that the step asks for ([`Step::in_order`]), so
//! that what runs on from row to row runs on over all parts.

use std::future::Future;

use futures_util::TryStreamExt;
use poem_openapi::{
    Object,
    types::{IsObjectType, ParseFromJSON, ToJSON, Type},
};
use serde_json::{Value, json};
use sqlx::{PgConnection, types::Json};

use crate::{
    Allowed, BulkFailure, BulkResult, BulkWarning, Error, Result, Scope, Tx,
    access::{MayWrite, OverSchools, Permission, choose_school},
    across::{self, BulkOfSchools, Item, ItemOfSchool, OfSchool},
    files,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    sheet::{Cell, Column, Writer, cells},
    transfer::{Export, folder},
};

/// Rows that one call may choose by a filter.
pub const MOST: usize = 20_000;
/// Rows of one transaction of a job.
const PART: usize = 500;
/// Refused rows that the job's row itself tells; its file tells all.
const TOLD: usize = 1_000;

/// The rows of a step: ticked ones, or all that the list's filter names.
#[derive(Debug, Clone, Object)]
pub struct Chosen<W, F>
where
    W: Type + IsObjectType + ParseFromJSON + ToJSON + Send + Sync,
    F: Type + IsObjectType + ParseFromJSON + ToJSON + Send + Sync,
{
    /// 勾选的记录
    /// 与 filter 二选一
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Option<Vec<W>>,
    /// 查询条件
    /// 与列表的条件相同，办理符合条件的全部记录，最多20000条；转为后台任务，返回任务编号
    pub filter: Option<F>,
}

impl<W, F> Chosen<W, F>
where
    W: Type + IsObjectType + ParseFromJSON + ToJSON + Send + Sync,
    F: Type + IsObjectType + ParseFromJSON + ToJSON + Send + Sync,
{
    pub fn items(items: Vec<W>) -> Self {
        Self { items: Some(items), filter: None }
    }

    fn decided(self) -> Result<Decided<W, F>> {
        match (self.items, self.filter) {
            (Some(items), None) => Ok(Decided::Items(items)),
            (None, Some(filter)) => Ok(Decided::Filter(filter)),
            (None, None) => Err(Error::field("items", "请选择要办理的记录")),
            (Some(_), Some(_)) => Err(Error::field("filter", "已勾选记录，不能同时按条件办理")),
        }
    }
}

enum Decided<W, F> {
    Items(Vec<W>),
    Filter(F),
}

/// A step; its value is what the body says beside the rows.
pub trait Step: Type + IsObjectType + ParseFromJSON + ToJSON + Send + Sync + 'static {
    /// Of the job that a filter starts, for example `teacher.unlock`.
    const KIND: &'static str;
    /// 中文, as the job centre names it.
    const TITLE: &'static str;
    /// Ticked rows that the call itself does; more of a school become a job, as those of a filter do.
    const DIRECT: usize = 1_000;
    /// Rows of one transaction of the job.
    const AT_ONCE: usize = PART;
    type Permission: Permission<Mode: MayWrite>;
    type Item: Item + Clone + Send + Sync;
    /// The list that shows the rows: its filter chooses them.
    type List: Export<Filter: Type + IsObjectType>;

    /// A row of the list as the step knows it.
    fn item(row: &<Self::List as Export>::Row) -> Self::Item;

    /// The same rows in the order in which they are to be taken, all of them before they are parted; that of the list, or
    /// of the ticks, where the step has none of its own.
    fn in_order(
        &self,
        _connection: &mut PgConnection,
        items: Vec<Self::Item>,
    ) -> impl Future<Output = Result<Vec<Self::Item>>> + Send {
        async { Ok(items) }
    }

    /// Does it to some rows of one school, each for itself, and commits.
    fn run(&self, tx: Tx, items: Vec<Self::Item>, scope: &Scope) -> impl Future<Output = Result<BulkResult>> + Send;

    /// The same for a step that also tells what is worth a second look in rows that went well. This is what is called;
    /// a step without warnings has only [`Step::run`].
    fn run_warned(
        &self,
        tx: Tx,
        items: Vec<Self::Item>,
        scope: &Scope,
    ) -> impl Future<Output = Result<(BulkResult, Vec<BulkWarning>)>> + Send {
        async move { Ok((self.run(tx, items, scope).await?, Vec::new())) }
    }
}

/// The filter of the list of a step.
pub type FilterOf<S> = <<S as Step>::List as Export>::Filter;

/// How a step went that may be a job.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct Stepped {
    /// 成功条数
    pub done: i64,
    /// 失败明细
    pub failed: Vec<BulkFailure>,
    /// 提醒
    /// 已办理但值得核对的记录
    #[oai(skip_serializing_if_is_empty, default)]
    pub warnings: Vec<BulkWarning>,
    /// 任务编号
    /// 按条件办理时的后台任务，结果见任务中心
    #[oai(skip_serializing_if_is_none)]
    pub job_id: Option<i64>,
}

/// The same of one school or of several.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SteppedOfSchools {
    #[oai(flatten)]
    pub result: BulkOfSchools,
    /// 提醒
    /// 已办理但值得核对的记录
    #[oai(skip_serializing_if_is_empty, default)]
    pub warnings: Vec<OfSchool<BulkWarning>>,
    /// 任务编号
    /// 按条件办理时的后台任务，结果见任务中心
    #[oai(skip_serializing_if_is_none)]
    pub job_id: Option<i64>,
}

/// The body of a step inside a school.
///
/// # Errors
/// 422 at `items` without rows; at `filter` with both, when it names none, or when it names more than 20,000.
/// 409 while the caller's same step goes on.
pub async fn inside<S: Step>(
    caller: &Allowed<S::Permission>,
    rows: Chosen<S::Item, FilterOf<S>>,
    step: S,
) -> Result<Stepped> {
    match rows.decided()? {
        Decided::Items(items) => {
            let (BulkResult { done, failed }, warnings) =
                ordered(&step, caller.begin().await?, items, &caller.scope()).await?;
            Ok(Stepped { done, failed, warnings, job_id: None })
        }
        Decided::Filter(filter) => {
            Ok(Stepped { job_id: Some(start(caller, &filter, &step).await?), ..Stepped::default() })
        }
    }
}

/// The body of a step of both areas. By filter, and with more ticked rows than the call does, it is done in one school.
///
/// # Errors
/// As [`inside`] and [`across::bulk_over_schools`].
pub async fn over_schools<S: Step>(
    caller: &Allowed<S::Permission>,
    rows: Chosen<ItemOfSchool<S::Item>, FilterOf<S>>,
    step: S,
) -> Result<SteppedOfSchools>
where
    <S::Permission as Permission>::Realm: OverSchools,
{
    match rows.decided()? {
        Decided::Items(items) if items.len() > S::DIRECT => {
            let school = caller.school_id().ok_or_else(choose_school)?;
            let items = across::of_one(school, items)?;
            let mut tx = caller.read().await?;
            let items = step.in_order(&mut tx, items).await?;
            drop(tx);
            let job_id = Some(begin(caller, Value::Null, items, &step).await?);
            Ok(SteppedOfSchools { job_id, ..SteppedOfSchools::default() })
        }
        Decided::Items(items) => {
            let scope = caller.scope();
            let (result, warnings) =
                across::bulk_over_schools_with_rows(caller, items, |tx, items| ordered(&step, tx, items, &scope))
                    .await?;
            Ok(SteppedOfSchools { result, warnings, job_id: None })
        }
        Decided::Filter(filter) => {
            caller.school_id().ok_or_else(choose_school)?;
            Ok(SteppedOfSchools { job_id: Some(start(caller, &filter, &step).await?), ..SteppedOfSchools::default() })
        }
    }
}

/// The step over ticked rows of one school.
async fn ordered<S: Step>(
    step: &S,
    mut tx: Tx,
    items: Vec<S::Item>,
    scope: &Scope,
) -> Result<(BulkResult, Vec<BulkWarning>)> {
    let items = step.in_order(&mut tx, items).await?;
    step.run_warned(tx, items, scope).await
}

/// The kind of job that a filter starts.
pub const fn job<S: Step>() -> JobKind {
    JobKind { kind: S::KIND, code: Some(S::Permission::CODE), run: |run| Box::pin(work::<S>(run)), headings: None }
}

/// Settles the rows, and starts the job over them.
async fn start<S: Step>(caller: &Allowed<S::Permission>, filter: &FilterOf<S>, step: &S) -> Result<i64> {
    let mut items = Vec::new();
    let mut read = caller.read_long().await?;
    {
        let mut rows = S::List::rows(caller.app(), &mut read, filter, &caller.scope()).await?;
        while let Some(row) = rows.try_next().await? {
            if items.len() == MOST {
                return Err(Error::field("filter", format!("符合条件的记录超过{MOST}条，请缩小范围后分批办理")));
            }
            items.push(S::item(&row));
        }
    }
    if items.is_empty() {
        return Err(Error::field("filter", "没有符合条件的记录，请调整查询条件"));
    }
    let items = step.in_order(&mut read, items).await?;
    drop(read);
    begin(caller, filter.to_json().unwrap_or_default(), items, step).await
}

/// Starts the job over rows that are settled.
async fn begin<S: Step>(caller: &Allowed<S::Permission>, filter: Value, items: Vec<S::Item>, step: &S) -> Result<i64> {
    let job = NewJob {
        kind: S::KIND,
        target: caller.user_id().to_string(),
        title: format!("{}（{}条）", S::TITLE, items.len()),
        params: json!({ "filter": filter, "step": step.to_json() }),
    };
    jobs::start_over(caller.caller(), job, items.to_json().unwrap_or_default()).await
}

/// What the parts so far came to.
#[derive(Debug, Default)]
struct Sum {
    done: i64,
    failed: Vec<BulkFailure>,
    warnings: Vec<BulkWarning>,
    /// Rows of parts whose end nobody wrote down: the server died between.
    unknown: i64,
}

impl Sum {
    /// Rows that are behind the step, whichever way it went.
    fn gone(&self) -> i64 {
        self.done + i64::try_from(self.failed.len()).unwrap_or(i64::MAX) + self.unknown
    }

    fn add(&mut self, other: Self) {
        self.done += other.done;
        self.failed.extend(other.failed);
        self.warnings.extend(other.warnings);
        self.unknown += other.unknown;
    }
}

fn kept<T: ParseFromJSON>(value: &Value) -> Result<T> {
    T::parse_from_json(Some(value.clone())).map_err(|error| Error::internal(error.into_message()))
}

async fn work<S: Step>(run: JobRun) -> Result<Outcome> {
    let items: Vec<S::Item> = kept(&run.params[jobs::ROWS])?;
    let step: S = kept(&run.params["step"])?;
    let total = i64::try_from(items.len()).map_err(Error::internal)?;
    let (mut sum, mut cut) = (Sum::default(), None);
    for (part, rows) in (0_i32..).zip(items.chunks(S::AT_ONCE)) {
        let went = async {
            run.progress(S::TITLE, sum.gone(), total).await?;
            one_part(&run, &step, part, rows).await
        };
        match went.await {
            Ok(came_to) => sum.add(came_to),
            Err(error) => {
                cut = Some(error);
                break;
            }
        }
    }
    if cut.is_none() {
        // Too late to cancel: all of it is behind the step.
        run.progress(S::TITLE, sum.gone(), total).await.ok();
    }
    let outcome = told(&run, S::TITLE, total, &sum, cut).await?;
    let mut tx = run.begin().await?;
    sqlx::query!("delete from job_part where job_id = $1", run.id).execute(&mut *tx).await?;
    run.mark_done(&mut tx, &outcome).await?;
    tx.commit_untracked("how far a job came").await?;
    Ok(outcome)
}

/// A part is claimed in the transaction that does it, so it is done once; what it came to is written beside it afterwards.
async fn one_part<S: Step>(run: &JobRun, step: &S, part: i32, rows: &[S::Item]) -> Result<Sum> {
    // The rights of this moment: who lost the code meanwhile goes no further.
    let scope = run.scope(S::Permission::CODE).await?;
    let mut tx = run.begin().await?;
    let known = sqlx::query!(
        r#"select done, failed as "failed: Json<Vec<BulkFailure>>", warnings as "warnings: Json<Vec<BulkWarning>>"
           from job_part where job_id = $1 and part = $2"#,
        run.id,
        part
    )
    .fetch_optional(&mut *tx)
    .await?;
    if let Some(known) = known {
        return Ok(match known.done {
            Some(done) => Sum { done: i64::from(done), failed: known.failed.0, warnings: known.warnings.0, unknown: 0 },
            None => Sum { unknown: i64::try_from(rows.len()).map_err(Error::internal)?, ..Sum::default() },
        });
    }
    sqlx::query!("insert into job_part (job_id, part) values ($1, $2)", run.id, part).execute(&mut *tx).await?;
    let (BulkResult { done, failed }, warnings) = step.run_warned(tx, rows.to_vec(), &scope).await?;
    let sum = Sum { done, failed, warnings, unknown: 0 };
    // The part is done; that its end could not be written matters only to whoever takes the job up after a crash.
    if let Err(error) = note(run, part, &sum).await {
        tracing::warn!(job = run.id, part, %error, "what a part came to could not be written");
    }
    Ok(sum)
}

async fn note(run: &JobRun, part: i32, sum: &Sum) -> Result<()> {
    let mut tx = run.begin().await?;
    sqlx::query!(
        "update job_part set done = $3, failed = $4, warnings = $5 where job_id = $1 and part = $2",
        run.id,
        part,
        i32::try_from(sum.done).map_err(Error::internal)?,
        json!(sum.failed),
        json!(sum.warnings)
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("how far a job came").await
}

/// A row of the file of a step.
struct Line {
    id: i64,
    name: String,
    outcome: &'static str,
    msg: String,
}

const FAILED: &[Column<Line>] = &[
    Column { heading: "编号", width: 12, cell: |row| Cell::Int(row.id) },
    Column { heading: "名称", width: 24, cell: |row| Cell::Text(row.name.clone()) },
    Column { heading: "原因", width: 60, cell: |row| Cell::Text(row.msg.clone()) },
];

/// Where some rows are only worth a second look.
const NOTED: &[Column<Line>] = &[
    Column { heading: "编号", width: 12, cell: |row| Cell::Int(row.id) },
    Column { heading: "名称", width: 24, cell: |row| Cell::Text(row.name.clone()) },
    Column { heading: "结果", width: 12, cell: |row| Cell::Text(row.outcome.to_owned()) },
    Column { heading: "原因", width: 60, cell: |row| Cell::Text(row.msg.clone()) },
];

async fn told(run: &JobRun, title: &str, total: i64, sum: &Sum, cut: Option<Error>) -> Result<Outcome> {
    let file = details(run, title, &sum.failed, &sum.warnings).await?;
    let errors = sum.failed.iter().take(TOLD).map(|row| json!(row)).collect::<Vec<Value>>();
    let warnings = sum.warnings.iter().take(TOLD).map(|row| json!(row)).collect::<Vec<Value>>();
    Ok(Outcome { message: message(total, sum, cut.as_ref()), errors, warnings, result_file: file, cut })
}

/// The file of the rows that a job could not do; none when it did all.
pub(crate) async fn failures(run: &JobRun, title: &str, failed: &[BulkFailure]) -> Result<Option<i64>> {
    details(run, title, failed, &[]).await
}

async fn details(run: &JobRun, title: &str, failed: &[BulkFailure], warnings: &[BulkWarning]) -> Result<Option<i64>> {
    let (columns, what) = if warnings.is_empty() { (FAILED, "失败明细") } else { (NOTED, "办理明细") };
    let line = |outcome, id, name: &str, msg: &str| Line { id, name: name.to_owned(), outcome, msg: msg.to_owned() };
    let failed = failed.iter().map(|row| line("失败", row.id, &row.name, &row.msg));
    let warned = warnings.iter().map(|row| line("提醒", row.id, &row.name, &row.msg));
    let lines: Vec<Line> = failed.chain(warned).collect();
    if lines.is_empty() {
        return Ok(None);
    }
    let mut writer = Writer::start(&folder(run.app()).await?, what, columns);
    for line in &lines {
        writer.row(cells(columns, line)).await?;
    }
    let made = writer.finish().await?;
    let name = format!("{title}{what}_{}.xlsx", run.app().clock().now().format("%Y%m%d%H%M%S"));
    let school = run.school.as_ref().map(|school| school.id);
    files::keep_result(run.app(), school, run.actor.id, &name, made.path()).await.map(Some)
}

fn message(total: i64, sum: &Sum, cut: Option<&Error>) -> String {
    let Sum { done, failed, warnings, unknown } = sum;
    let mut text = format!("共{total}条，成功{done}条，失败{}条", failed.len());
    if !warnings.is_empty() {
        text.push_str(&format!("，{}条提醒请核对", warnings.len()));
    }
    if *unknown > 0 {
        text.push_str(&format!("，另有{unknown}条办理中服务中断，结果请在列表中核对"));
    }
    if let Some(cut) = cut {
        text.push_str(&format!("，{}，其余{}条未办理", cut.msg, total - sum.gone()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_before_a_cancel_is_told() {
        let failed = |count| vec![BulkFailure { id: 1, name: String::new(), msg: String::new() }; count];
        let sum = Sum { done: 7_990, failed: failed(10), ..Sum::default() };
        let cut = Error::conflict("任务已取消");
        assert_eq!(message(20_000, &sum, Some(&cut)), "共20000条，成功7990条，失败10条，任务已取消，其余12000条未办理");
        assert_eq!(message(3, &Sum { done: 3, ..Sum::default() }, None), "共3条，成功3条，失败0条");
        let sum = Sum { done: 700, unknown: 500, ..Sum::default() };
        let told = "共1200条，成功700条，失败0条，另有500条办理中服务中断，结果请在列表中核对";
        assert_eq!(message(1_200, &sum, None), told);
        let warning = BulkWarning { id: 1, name: String::new(), msg: String::new() };
        let sum = Sum { done: 2, warnings: vec![warning], ..Sum::default() };
        assert_eq!(message(2, &sum, None), "共2条，成功2条，失败0条，1条提醒请核对");
    }
}
