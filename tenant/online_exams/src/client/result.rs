//! 考试结果: score and answers, as far as the examination shows them (part 04 §2.6).

use exams::{
    enums::{ExamMode, ShowScoreMode},
    setup::known,
};
use homework::{
    enums::SheetMarkState,
    marking::{MarkingItem, items_of},
    sheet::sheet,
};
use infra::{Client, Error, Reads, Reply, Result, clock::Moment, reply};
use online_study::StudentClient;
use poem_openapi::{Object, OpenApi, param::Query};
use question_bank::question::QuestionMedia;

use crate::sheet::candidate;

/// What a student sees of a sheet that they handed in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnExamResult {
    /// 答卷
    pub sheet_id: i64,
    /// 考试
    pub name: String,
    /// 状态
    pub mark_state: SheetMarkState,
    /// 交卷时间
    pub submitted_at: Option<Moment>,
    /// 得分
    pub total_score: Option<f64>,
    /// 卷面总分
    pub full_score: Option<f64>,
    /// 答案可见
    pub answer_visible: bool,
    /// 题目
    /// 公布答案后可见
    pub items: Vec<MarkingItem>,
    /// 图片和音频
    pub media: Vec<QuestionMedia>,
}

pub struct OwnResults;

#[OpenApi(prefix_path = "/exam/client/exam", tag = "crate::Tag::OnlineExams")]
impl OwnResults {
    /// 考试结果
    #[oai(path = "/result", method = "get", operation_id = "viewOwnExamResult")]
    async fn result(
        &self,
        caller: Client<StudentClient, Reads>,
        /// 答卷
        #[oai(name = "sheetId")]
        sheet_id: Query<i64>,
    ) -> Result<Reply<OwnExamResult>> {
        let mut tx = caller.read().await?;
        let sheet = sheet(&mut tx, sheet_id.0).await?;
        let one = candidate(&mut tx, sheet.exam_candidate_id.ok_or_else(Error::not_found)?).await?;
        if one.student_id != caller.session.person_id {
            return Err(Error::not_found());
        }
        let setup = known(&mut tx, one.setup_id, ExamMode::Online).await?;
        let published = sqlx::query_scalar!(
            r#"select exists (select from exam_score where candidate_id = $1 and published) as "published!""#,
            one.id
        )
        .fetch_one(&mut *tx)
        .await?;
        let now = caller.app.clock().now();
        let handed = matches!(sheet.mark_state, SheetMarkState::Submitted | SheetMarkState::Marked);
        // As long as the window is open another attempt, or somebody else, may still need the answers.
        let over =
            setup.ends_at.is_none_or(|ends| now >= ends) && setup.reopened_until.is_none_or(|until| now >= until);
        let shows = |mode: ShowScoreMode| match mode {
            ShowScoreMode::Never => false,
            ShowScoreMode::AfterSubmit => handed,
            ShowScoreMode::AfterEnd => handed && over,
            ShowScoreMode::AfterPublish => handed && published,
        };
        let (score, answers) = (shows(setup.show_score), shows(setup.show_answer) && over);
        if !score && !answers {
            return Err(Error::new(403, "暂未开放查看"));
        }
        let row = sqlx::query!(
            r#"select total_score::float8 as total, submitted_at from answer_sheet where id = $1"#,
            sheet.id
        )
        .fetch_one(&mut *tx)
        .await?;
        let (mut items, mut media) = (Vec::new(), Vec::new());
        if answers {
            (items, media) = items_of(&caller.app, &mut tx, (sheet.id, sheet.snapshot_id), (None, None)).await?;
            if !score {
                for item in &mut items {
                    (item.score, item.auto_score) = (None, None);
                }
            }
        }
        Ok(reply(OwnExamResult {
            sheet_id: sheet.id,
            name: setup.name,
            mark_state: sheet.mark_state,
            submitted_at: row.submitted_at,
            total_score: row.total.filter(|_| score),
            full_score: setup.paper_total.map(question_bank::score::points),
            answer_visible: answers,
            items,
            media,
        }))
    }
}
