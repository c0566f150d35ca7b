//! 打印成绩单: each with a number by which it is verified; what was printed is kept (part 04 §7).

use infra::{Allowed, Body, Change, Error, Result, transfer::Printed};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use tokio::task::spawn_blocking;

use super::PrintTranscripts;
use crate::transcript::{self, Issue};

/// Whose transcripts.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TranscriptPrint {
    /// 学生
    /// 一次最多200名
    #[oai(validator(min_items = 1, max_items = 200))]
    pub student_ids: Vec<i64>,
}

impl Example for TranscriptPrint {
    fn example() -> Self {
        Self { student_ids: vec![1] }
    }
}

pub struct Prints;

#[OpenApi(prefix_path = "/adult/pc/adult/achievement", tag = "crate::Tag::Scores")]
impl Prints {
    /// 打印成绩单
    /// A4纵向，附验证码
    #[oai(path = "/print/transcript", method = "post", operation_id = "printTranscripts")]
    async fn print(&self, caller: Allowed<PrintTranscripts>, Body(wanted): Body<TranscriptPrint>) -> Result<Printed> {
        let scope = caller.scope();
        let app = caller.app().clone();
        let mut students = wanted.student_ids;
        students.sort_unstable();
        students.dedup();
        let mut tx = caller.begin().await?;
        let seen = sqlx::query_scalar!(
            "select id from student
             where id = any($1) and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[])) order by id",
            &students,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(&mut *tx)
        .await?;
        if seen.len() != students.len() {
            return Err(Error::not_found());
        }
        let issues: Vec<Issue> = transcript::issue(&mut tx, &students).await?;
        let mut papers = Vec::with_capacity(issues.len());
        for issue in &issues {
            papers.push(transcript::loaded(&app, &mut tx, issue.student, issue).await?);
        }
        let changes = issues.iter().map(|issue| {
            let what = json!({ "verificationNo": issue.verification_no });
            Change::event("student", issue.student, "transcript", what)
        });
        let changes: Vec<Change> = changes.collect();
        let drawn = spawn_blocking(move || transcript::drawn(&papers).finish());
        let bytes = drawn.await.map_err(Error::internal)?.map_err(Error::internal)?;
        tx.commit_all(changes).await?;
        Ok(Printed { name: "成绩单.pdf".to_owned(), bytes })
    }
}
