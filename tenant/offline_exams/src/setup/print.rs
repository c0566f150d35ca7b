//! 打印试卷: A or B of an examination, frozen when it is printed first.

use exam_rules::enums::PaperVariant;
use exams::{
    enums::{ExamMode, ExamSetupStatus},
    setup::{self, HeldSetup},
};
use infra::{Allowed, Body, Change, Error, Result, Tx, transfer::Printed};
use papers::{paper::print::paper_of_snapshot, snapshot::freeze};
use poem_openapi::{Object, OpenApi, types::Example};
use question_bank::question::sees_answers;
use serde_json::json;

use super::PrintOfflinePaper;

/// Which paper is printed.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OfflinePaperPrint {
    /// 考试
    pub setup_id: i64,
    /// 卷别
    pub slot: PaperVariant,
    /// 含答案
    #[oai(default)]
    pub with_answer: bool,
}

impl Example for OfflinePaperPrint {
    fn example() -> Self {
        Self { setup_id: 1, slot: PaperVariant::A, with_answer: false }
    }
}

pub struct Prints;

#[OpenApi(prefix_path = "/offline/pc/offline/setup", tag = "crate::Tag::OfflineExams")]
impl Prints {
    /// 打印试卷
    /// 第一次打印时冻结试卷
    #[oai(path = "/print/paper", method = "post", operation_id = "printOfflinePaper")]
    async fn paper(
        &self,
        caller: Allowed<PrintOfflinePaper>,
        Body(wanted): Body<OfflinePaperPrint>,
    ) -> Result<Printed> {
        if wanted.with_answer && !sees_answers(&caller) {
            return Err(Error::forbidden());
        }
        let app = caller.app();
        let school = caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
        let mut tx = caller.begin().await?;
        let held = setup::held(&mut tx, wanted.setup_id, ExamMode::Offline, &caller.scope()).await?;
        if held.status == ExamSetupStatus::Cancelled {
            return Err(Error::conflict("考试已取消，不能打印试卷"));
        }
        let papers = finalised(&mut tx, &held).await?;
        let (_, snapshot) = papers
            .into_iter()
            .find(|(slot, _)| *slot == wanted.slot)
            .ok_or_else(|| Error::field("slot", format!("考试没有{}", wanted.slot.zh())))?;
        let drawn = paper_of_snapshot(app, &mut tx, snapshot, school, wanted.with_answer).await?;
        let what = json!({ "slot": wanted.slot.as_str(), "withAnswer": wanted.with_answer, "snapshotId": snapshot });
        tx.commit(Change::event("exam_setup", wanted.setup_id, "print", what)).await?;
        Ok(Printed { name: drawn.0, bytes: drawn.1 })
    }
}

/// The snapshots of the papers of a setup that is held. What was frozen once stays; the others are frozen now, and what all come to is
/// kept: scores are converted by it.
///
/// # Errors
/// 409 for a paper that cannot be used; 422 where papers do not come to the same.
pub(super) async fn finalised(tx: &mut Tx, held: &HeldSetup) -> Result<Vec<(PaperVariant, i64)>> {
    let rows = sqlx::query!(
        r#"select slot as "slot: PaperVariant", paper_id, snapshot_id from exam_setup_paper where setup_id = $1 order by slot"#,
        held.id
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut papers = Vec::with_capacity(rows.len());
    for row in rows {
        let snapshot = match row.snapshot_id {
            Some(snapshot) => snapshot,
            None => freeze(tx, row.paper_id).await?.id,
        };
        papers.push((row.slot, snapshot));
    }
    let snapshots: Vec<i64> = papers.iter().map(|(_, snapshot)| *snapshot).collect();
    let totals = sqlx::query_scalar!(
        r#"select distinct (total_score * 10)::bigint as "total!" from paper_snapshot where id = any($1)"#,
        &snapshots
    )
    .fetch_all(&mut **tx)
    .await?;
    if totals.len() > 1 {
        return Err(Error::field("papers", "各试卷的总分应相同"));
    }
    setup::frozen(tx, held.id, (held.seed, totals.first().copied()), &papers).await?;
    Ok(papers)
}
