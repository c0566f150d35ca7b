//! The paper of a sheet as its student sees it: no key, no analysis, in the sheet's own order (part 03 B10).

use homework_rules::shuffle::Shuffle;
use infra::{App, Result};
use papers::content::{DetailQuestion, DetailSection, hide, keys_of};
use poem_openapi::Object;
use question_bank::{
    enums::QuestionType,
    question::{QuestionMedia, QuestionOption, QuestionUpload, media},
    score::points,
    text::QuestionText,
};
use sqlx::PgConnection;

/// A question within another, without its key.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TaskSubQuestion {
    /// 题号
    /// 保存答案时使用
    pub seq: String,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题干
    pub stem: QuestionText,
    /// 选项
    pub options: Vec<QuestionOption>,
    /// 分值
    pub score: f64,
    /// 附件要求
    pub upload: Option<QuestionUpload>,
    /// 允许附件
    pub allow_attachment: bool,
}

/// A question without its key.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TaskQuestion {
    /// 题号
    /// 保存答案时使用
    pub seq: String,
    /// 显示的题号
    pub number: i32,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题干
    pub stem: QuestionText,
    /// 选项
    pub options: Vec<QuestionOption>,
    /// 分值
    pub score: f64,
    /// 音频
    pub media_key: Option<String>,
    /// 播放次数
    pub play_limit: Option<i32>,
    /// 附件要求
    pub upload: Option<QuestionUpload>,
    /// 允许附件
    pub allow_attachment: bool,
    /// 小题
    pub sub_questions: Vec<TaskSubQuestion>,
}

/// A section of a paper.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TaskSection {
    /// 大题标题
    pub title: String,
    /// 答题说明
    pub instruction: Option<QuestionText>,
    /// 试题
    pub questions: Vec<TaskQuestion>,
}

/// A paper that is answered.
#[derive(Debug, Clone, Object)]
pub struct TaskPaper {
    /// 大题
    pub sections: Vec<TaskSection>,
    /// 图片和音频
    pub media: Vec<QuestionMedia>,
}

fn asked(number: i32, question: DetailQuestion) -> TaskQuestion {
    let scores = question.sub_tenths();
    let seq = question.seq;
    let subs =
        (1..).zip(question.sub_questions).zip(scores).map(|((place, sub), score): ((i32, _), i64)| TaskSubQuestion {
            seq: format!("{seq}.{place}"),
            kind: sub.kind,
            stem: sub.stem,
            options: sub.options,
            score: points(score),
            upload: sub.upload,
            allow_attachment: sub.allow_attachment,
        });
    TaskQuestion {
        sub_questions: subs.collect(),
        number,
        kind: question.kind,
        stem: question.stem,
        options: question.options,
        score: question.score,
        media_key: question.media_key,
        play_limit: question.play_limit,
        upload: question.upload,
        allow_attachment: question.allow_attachment,
        seq,
    }
}

/// What is asked, without what is right.
fn bare(sections: Vec<DetailSection>) -> Vec<TaskSection> {
    let mut number = 0;
    sections
        .into_iter()
        .map(|section| TaskSection {
            title: section.title,
            instruction: section.instruction,
            questions: section
                .questions
                .into_iter()
                .map(|question| {
                    number += 1;
                    asked(number, question)
                })
                .collect(),
        })
        .collect()
}

/// The paper of a snapshot in a sheet's order.
///
/// # Errors
/// Those of the store.
pub async fn task_paper(
    app: &App,
    connection: &mut PgConnection,
    mut sections: Vec<DetailSection>,
    shuffle: Shuffle,
) -> Result<TaskPaper> {
    hide(&mut sections);
    shuffle.apply(&mut sections);
    let media = media::shown(app, connection, &keys_of(&sections)).await?;
    Ok(TaskPaper { sections: bare(sections), media })
}
