//! 批量新增: drafts for many courses of a batch at once; all or none (part 04 §2.4).

use exams::{enums::ExamMode, setup};
use infra::{Allowed, Body, Error, FieldError, Reply, Result, Tx, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    SaveOnlineSetups,
    form::{OnlineExamForm, OnlineExamPaper},
};
use exam_rules::enums::PaperVariant;

/// A course of the batch.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OnlineExamRow {
    /// 课程
    pub course_id: i64,
    /// 学期
    pub semester_id: i64,
    /// 考试对象
    #[oai(validator(max_items = 1000))]
    pub class_ids: Vec<i64>,
    /// 试卷
    #[oai(default, validator(max_items = 6))]
    pub papers: Vec<i64>,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
}

/// Many of them.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OnlineExamBatch {
    /// 批次
    pub batch_id: i64,
    /// 共同设置
    /// 课程、学期、时间、试卷和考试对象以各行为准
    pub common: OnlineExamForm,
    /// 各课程
    #[oai(validator(min_items = 1, max_items = 200))]
    pub rows: Vec<OnlineExamRow>,
    /// 确认补考试卷与正考试卷相同
    #[oai(default)]
    pub confirm_same_paper: bool,
}

impl Example for OnlineExamBatch {
    fn example() -> Self {
        let common = OnlineExamForm::example();
        let row = OnlineExamRow {
            course_id: 1,
            semester_id: 1,
            class_ids: vec![1],
            papers: vec![1],
            starts_at: common.starts_at,
            ends_at: common.ends_at,
        };
        Self { batch_id: 1, common, rows: vec![row], confirm_same_paper: false }
    }
}

/// What was made.
#[derive(Debug, Clone, Object)]
pub struct OnlineExamsSaved {
    /// 编号
    pub ids: Vec<i64>,
}

pub struct Batches;

#[OpenApi(prefix_path = "/exam/pc/online/setup", tag = "crate::Tag::OnlineExams")]
impl Batches {
    /// 批量新增在线考试
    /// 任一行不正确时全部不保存
    #[oai(path = "/saveBatch", method = "post", operation_id = "saveOnlineSetups")]
    async fn save(
        &self,
        caller: Allowed<SaveOnlineSetups>,
        Body(wanted): Body<OnlineExamBatch>,
    ) -> Result<Reply<OnlineExamsSaved>> {
        let mut tx = caller.begin().await?;
        let (mut ids, mut changes, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
        let slots = PaperVariant::CHOICES;
        for (place, row) in wanted.rows.iter().enumerate() {
            let papers = row.papers.iter().zip(slots);
            let form = OnlineExamForm {
                batch_id: wanted.batch_id,
                course_id: row.course_id,
                semester_id: row.semester_id,
                class_ids: row.class_ids.clone(),
                starts_at: row.starts_at,
                ends_at: row.ends_at,
                papers: papers.map(|(paper, (_, slot))| OnlineExamPaper { slot: *slot, paper_id: *paper }).collect(),
                name: None,
                ..wanted.common.clone()
            };
            tx.savepoint().await?;
            let outcome = async {
                if !wanted.confirm_same_paper && used_before(&mut tx, row, wanted.batch_id).await? {
                    return Err(Error::field("papers", "补考试卷与正考试卷相同"));
                }
                let plan = form.plan(&mut tx).await?;
                setup::insert(&mut tx, &plan, ExamMode::Online, &caller.scope()).await
            };
            match outcome.await {
                Ok((id, change)) => {
                    tx.row_done().await?;
                    ids.push(id);
                    changes.push(change);
                }
                Err(error) => {
                    let field = |name: &str| format!("rows[{place}].{name}");
                    match error.data.as_array().filter(|_| error.code == 422) {
                        Some(told) => wrong.extend(told.iter().map(|one| FieldError {
                            field: field(one["field"].as_str().unwrap_or_default()),
                            message: one["message"].as_str().unwrap_or_default().to_owned(),
                        })),
                        None => wrong.push(FieldError { field: field("courseId"), message: error.msg.to_string() }),
                    }
                    tx.row_failed(error).await?;
                }
            }
        }
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
        tx.commit_all(changes).await?;
        Ok(reply(OnlineExamsSaved { ids }))
    }
}

/// Whether a make-up would have a paper that the first round had.
async fn used_before(tx: &mut Tx, row: &OnlineExamRow, batch: i64) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select exists (
               select from test_batch b
               join exam_setup s on s.course_id = $2 and s.round = 'first' and s.status in ('published', 'closed')
               join exam_setup_paper p on p.setup_id = s.id and p.paper_id = any($3)
               where b.id = $1 and b.kind <> 'final') as "used!""#,
        batch,
        row.course_id,
        &row.papers
    )
    .fetch_one(&mut **tx)
    .await?)
}
