//! 查重: questions of a bank whose stems are nearly the same (part 03 A7).

use infra::{
    Allowed, Body, Error, Reply, Result,
    access::Permission,
    files,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
    sheet::{Cell, Column, Writer, cells},
    transfer::folder,
};
use poem_openapi::{Object, OpenApi, types::Example};
use question_bank_rules::duplicate::{DuplicatePair, pairs};
use serde_json::json;
use sqlx::PgConnection;
use tokio::task::spawn_blocking;

use super::FindDuplicateQuestions;
use crate::bank;

/// Questions of a bank that are compared while the call waits.
const DIRECT: i64 = 2_000;
const KIND: &str = "question.duplicate";

/// Which bank, and how near.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DuplicateSearch {
    /// 题库
    pub bank_id: i64,
    /// 相似度
    /// 0.6至1
    #[oai(validator(minimum(value = "0.6"), maximum(value = "1")))]
    pub threshold: f64,
}

impl Example for DuplicateSearch {
    fn example() -> Self {
        Self { bank_id: 1, threshold: 0.8 }
    }
}

/// What was found, or the job that looks.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DuplicatesFound {
    /// 相似试题
    /// 按相似度从高到低
    pub pairs: Vec<DuplicatePair>,
    /// 任务编号
    /// 题库超过2000题时的后台任务，结果文件见任务中心
    pub job_id: Option<i64>,
}

pub(super) const JOB: JobKind = JobKind {
    kind: KIND,
    code: Some(<FindDuplicateQuestions as Permission>::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

pub struct QuestionDuplicates;

#[OpenApi(prefix_path = "/exam/pc/exam/problem", tag = "crate::Tag::QuestionBank")]
impl QuestionDuplicates {
    /// 试题查重
    #[oai(path = "/duplicate", method = "post", operation_id = "findDuplicateQuestions")]
    async fn find(
        &self,
        caller: Allowed<FindDuplicateQuestions>,
        Body(search): Body<DuplicateSearch>,
    ) -> Result<Reply<DuplicatesFound>> {
        let mut tx = caller.read().await?;
        let bank = bank::seen(&mut tx, search.bank_id, caller.user_id()).await?.ok_or_else(Error::not_found)?;
        let count = sqlx::query_scalar!(
            r#"select count(*) as "count!" from question where bank_id = $1 and parent_id is null"#,
            search.bank_id
        )
        .fetch_one(&mut *tx)
        .await?;
        if count > DIRECT {
            drop(tx);
            let job = NewJob {
                kind: KIND,
                target: search.bank_id.to_string(),
                title: format!("试题查重（{}）", bank.name),
                params: json!({ "bankId": search.bank_id, "threshold": search.threshold }),
            };
            let job_id = Some(jobs::start(caller.caller(), job).await?);
            return Ok(reply(DuplicatesFound { pairs: Vec::new(), job_id }));
        }
        let stems = stems(&mut tx, search.bank_id).await?;
        drop(tx);
        Ok(reply(DuplicatesFound { pairs: compared(stems, search.threshold).await?, job_id: None }))
    }
}

async fn stems(connection: &mut PgConnection, bank: i64) -> Result<Vec<(i64, String)>> {
    let rows =
        sqlx::query!("select id, stem_plain from question where bank_id = $1 and parent_id is null order by id", bank)
            .fetch_all(connection)
            .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.stem_plain)).collect())
}

async fn compared(stems: Vec<(i64, String)>, threshold: f64) -> Result<Vec<DuplicatePair>> {
    let found = spawn_blocking(move || pairs(&stems, threshold)).await.map_err(Error::internal)?;
    found.ok_or_else(|| Error::refused("相似的试题过多，请提高相似度后重试"))
}

const COLUMNS: &[Column<DuplicatePair>] = &[
    Column { heading: "题号", width: 12, cell: |pair| Cell::Int(pair.first_id) },
    Column { heading: "题干", width: 60, cell: |pair| Cell::Text(pair.first_stem.clone()) },
    Column { heading: "另一题号", width: 12, cell: |pair| Cell::Int(pair.second_id) },
    Column { heading: "另一题干", width: 60, cell: |pair| Cell::Text(pair.second_stem.clone()) },
    Column {
        heading: "相似度(%)",
        width: 12,
        cell: |pair| Cell::Decimal((pair.similarity * 1_000.0).round() as i64, 1),
    },
];

async fn work(run: JobRun) -> Result<Outcome> {
    let bank = run.params["bankId"].as_i64().ok_or_else(|| Error::internal("the job names no bank"))?;
    let threshold = run.params["threshold"].as_f64().unwrap_or(1.0);
    run.scope(<FindDuplicateQuestions as Permission>::CODE).await?;
    let mut tx = run.read().await?;
    let known = bank::seen(&mut tx, bank, run.actor.id).await?;
    known.ok_or_else(Error::not_found)?;
    let stems = stems(&mut tx, bank).await?;
    drop(tx);
    let total = i64::try_from(stems.len()).unwrap_or(i64::MAX);
    run.progress("比较", 0, total).await?;
    let found = compared(stems, threshold).await?;
    let message = format!("共{total}题，发现{}对相似试题", found.len());
    if found.is_empty() {
        return Ok(Outcome { message, ..Outcome::default() });
    }
    let mut writer = Writer::start(&folder(run.app()).await?, "相似试题", COLUMNS);
    for pair in &found {
        writer.row(cells(COLUMNS, pair)).await?;
    }
    let made = writer.finish().await?;
    let name = format!("试题查重_{}.xlsx", run.app().clock().now().format("%Y%m%d%H%M%S"));
    let school = run.school.as_ref().map(|school| school.id);
    let file = files::keep_result(run.app(), school, run.actor.id, &name, made.path()).await?;
    Ok(Outcome { message, result_file: Some(file), ..Outcome::default() })
}
