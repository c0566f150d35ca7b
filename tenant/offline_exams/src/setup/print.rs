//! 打印试卷: A or B of an examination, frozen when it is printed first.

use exam_rules::enums::PaperVariant;
use exams::{
    enums::{ExamMode, ExamSetupStatus},
    setup,
};
use infra::{Allowed, Body, Change, Error, Result, transfer::Printed};
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
        let paper = sqlx::query_scalar!(
            "select paper_id from exam_setup_paper where setup_id = $1 and slot = $2",
            wanted.setup_id,
            wanted.slot.as_str()
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| Error::field("slot", format!("考试没有{}", wanted.slot.zh())))?;
        let frozen = freeze(&mut tx, paper).await?;
        let drawn = paper_of_snapshot(app, &mut tx, frozen.id, school, wanted.with_answer).await?;
        let what = json!({ "slot": wanted.slot.as_str(), "withAnswer": wanted.with_answer, "snapshotId": frozen.id });
        tx.commit(Change::event("exam_setup", wanted.setup_id, "print", what)).await?;
        Ok(Printed { name: drawn.0, bytes: drawn.1 })
    }
}
