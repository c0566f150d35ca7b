//! 试卷预览: the paper of a slot with its keys, as it is now and, once published, as it was frozen (part 04 §2.4).

use exams::{enums::ExamMode, setup};
use infra::{Allowed, Error, Reply, Result, reply};
use papers::{
    content::{DetailSection, hide, keys_of, of_paper},
    enums::PaperStatus,
    paper::keep_back,
    snapshot::corrected_sections_of,
};
use poem_openapi::{Object, OpenApi, param::Query};
use question_bank::question::{QuestionMedia, media, sees_answers};

use super::PreviewOnlinePaper;
use exam_rules::enums::PaperVariant;

/// A paper with its keys.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OnlineExamPreview {
    /// 试卷名称
    pub paper_name: String,
    /// 快照
    /// 发布前为空
    pub snapshot_id: Option<i64>,
    /// 内容摘要
    pub sha256: Option<String>,
    /// 大题
    pub sections: Vec<DetailSection>,
    /// 图片和音频
    pub media: Vec<QuestionMedia>,
}

pub struct Previews;

#[OpenApi(prefix_path = "/exam/pc/online/setup", tag = "crate::Tag::OnlineExams")]
impl Previews {
    /// 预览考试试卷
    #[oai(path = "/paper/preview", method = "get", operation_id = "previewOnlinePaper")]
    async fn preview(
        &self,
        caller: Allowed<PreviewOnlinePaper>,
        /// 考试
        #[oai(name = "setupId")]
        setup_id: Query<i64>,
        /// 卷别
        slot: Query<PaperVariant>,
    ) -> Result<Reply<OnlineExamPreview>> {
        let mut tx = caller.read().await?;
        setup::viewable(&mut tx, setup_id.0, ExamMode::Online, &caller.scope()).await?;
        let row = sqlx::query!(
            r#"select p.paper_id as "paper_id!", n.name as "name!", n.status as "status!: PaperStatus", p.snapshot_id,
                      s.sha256 as "sha256?"
               from exam_setup_paper p
               join paper n on n.id = p.paper_id
               left join paper_snapshot s on s.id = p.snapshot_id
               where p.setup_id = $1 and p.slot = $2"#,
            setup_id.0,
            slot.0.as_str()
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        // Only what passed is frozen.
        let (mut sections, status) = match row.snapshot_id {
            Some(snapshot) => (corrected_sections_of(&mut tx, snapshot).await?, PaperStatus::Approved),
            None => (of_paper(&mut tx, row.paper_id).await?, row.status),
        };
        // As in the papers: who may look at an examination does not yet see its key.
        if !sees_answers(&caller) {
            hide(&mut sections);
        }
        keep_back(&caller, &mut tx, Some(status), &mut sections).await?;
        let media = media::shown(caller.app(), &mut tx, &keys_of(&sections)).await?;
        Ok(reply(OnlineExamPreview {
            paper_name: row.name,
            snapshot_id: row.snapshot_id,
            sha256: row.sha256,
            sections,
            media,
        }))
    }
}
