//! 作业结果: scores, comments and, as far as the homework shows them, keys (part 03 B10).

use homework_rules::times::Shown;
use infra::{Client, Error, Reads, Reply, Result, clock::Moment, reply};
use online_study::StudentClient;
use poem_openapi::{Object, OpenApi, param::Query};
use question_bank::question::QuestionMedia;

use super::answer::own_sheet;
use crate::{
    enums::SheetMarkState,
    marking::{MarkingItem, items_of},
    sheet::task,
};

/// What a student sees of a sheet that they handed in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TaskResult {
    /// 答卷
    pub sheet_id: i64,
    /// 作业
    pub title: String,
    /// 次数
    pub attempt_no: i32,
    /// 状态
    pub mark_state: SheetMarkState,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 得分
    pub total_score: Option<f64>,
    /// 迟交扣分
    pub penalty: Option<f64>,
    /// 总分
    pub full_score: f64,
    /// 答案可见
    pub answer_visible: bool,
    /// 题目
    /// 各题得分在批阅后、没有剩余次数时可见，评语和批注在批阅或退回后可见，答案和解析按作业的设置可见
    pub items: Vec<MarkingItem>,
    /// 图片和音频
    pub media: Vec<QuestionMedia>,
    /// 退回原因
    pub return_reason: Option<String>,
    /// 重做截止
    pub redo_until: Option<Moment>,
    /// 服务器时间
    pub server_time: Moment,
}

pub struct OwnResults;

#[OpenApi(prefix_path = "/exam/client/tasks", tag = "crate::Tag::Homework")]
impl OwnResults {
    /// 作业结果
    #[oai(path = "/result", method = "get", operation_id = "viewTaskResult")]
    async fn result(
        &self,
        caller: Client<StudentClient, Reads>,
        /// 答卷
        #[oai(name = "sheetId")]
        sheet_id: Query<i64>,
    ) -> Result<Reply<TaskResult>> {
        let mut tx = caller.read().await?;
        let sheet = own_sheet(&mut tx, sheet_id.0, caller.session.person_id).await?;
        let task = task(&mut tx, sheet.homework_student_id.ok_or_else(Error::not_found)?).await?;
        let now = caller.app.clock().now();
        let shown = Shown {
            show: task.show_answer,
            sheet: sheet.mark_state,
            over: task.over(now),
            again: task.again(now),
            more: task.more(now),
        };
        let returned = sheet.mark_state == SheetMarkState::Returned;
        if !shown.keys() && !shown.score() && !returned {
            return Err(Error::new(403, "暂未开放查看"));
        }
        let row = sqlx::query!(
            r#"select a.total_score::float8 as total, a.penalty::float8 as "penalty!", r.reason as "reason?",
                      r.redo_until as "redo_until?"
               from answer_sheet a
               left join lateral (
                   select x.reason, x.redo_until from sheet_return x where x.sheet_id = a.id order by x.id desc limit 1) r on true
               where a.id = $1"#,
            sheet.id
        )
        .fetch_one(&mut *tx)
        .await?;
        let (mut items, media) = items_of(&caller.app, &mut tx, (sheet.id, sheet.snapshot_id), (None, None)).await?;
        for item in &mut items {
            if !shown.keys() {
                (item.reference, item.analysis) = (None, None);
            }
            if !shown.score_of_each() {
                (item.score, item.auto_score) = (None, None);
            }
            if !shown.score() && !returned {
                (item.comment, item.annotations) = (None, Vec::new());
            }
        }
        // Pictures of keys that are not shown are not shown either.
        let media = if shown.keys() { media } else { shown_media(&items, media) };
        Ok(reply(TaskResult {
            sheet_id: sheet.id,
            title: task.title,
            attempt_no: sheet.attempt_no,
            mark_state: sheet.mark_state,
            submitted_at: sheet.submitted_at,
            total_score: row.total.filter(|_| shown.score()),
            penalty: shown.score().then_some(row.penalty),
            full_score: question_bank::score::points(task.total),
            answer_visible: shown.keys(),
            items,
            media,
            return_reason: row.reason.filter(|_| returned),
            redo_until: row.redo_until.filter(|_| returned),
            server_time: now,
        }))
    }
}

/// The media that the questions themselves show.
fn shown_media(items: &[MarkingItem], media: Vec<QuestionMedia>) -> Vec<QuestionMedia> {
    let mut keys: Vec<String> = Vec::new();
    for item in items {
        keys.extend(item.stem.keys());
        keys.extend(item.material.iter().flat_map(|text| text.keys()));
        keys.extend(item.options.iter().flat_map(|option| option.content.keys()));
        keys.extend(item.media_key.clone());
    }
    media.into_iter().filter(|one| keys.contains(&one.key)).collect()
}
