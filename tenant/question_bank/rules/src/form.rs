//! What a teacher types of a question.

use infra::across::Item;
use poem_openapi::{Object, types::Example};

use crate::{
    enums::{QuestionDifficulty, QuestionType},
    marking::QuestionAnswer,
    text::QuestionText,
};

/// An option of a choice.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct QuestionOption {
    /// 选项字母
    #[oai(validator(max_length = 2))]
    pub letter: String,
    /// 选项内容
    pub content: QuestionText,
}

/// 附件要求
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuestionUpload {
    /// 允许的扩展名
    #[oai(validator(max_items = 20))]
    pub extensions: Vec<String>,
    /// 最多文件数
    #[oai(validator(minimum(value = "1"), maximum(value = "9")))]
    pub max_files: i32,
    /// 单个文件上限(MB)
    #[oai(validator(minimum(value = "1"), maximum(value = "200")))]
    pub max_size_mb: i32,
}

/// A question within another.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SubQuestionForm {
    /// 编号
    /// 已有的小题
    pub id: Option<i64>,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题干
    pub stem: QuestionText,
    /// 选项
    #[oai(default, validator(max_items = 100))]
    pub options: Vec<QuestionOption>,
    /// 答案
    pub answer: Option<QuestionAnswer>,
    /// 解析
    pub analysis: Option<QuestionText>,
    /// 默认分值
    pub default_score: Option<f64>,
    /// 附件要求
    pub upload: Option<QuestionUpload>,
    /// 允许附件
    #[oai(default)]
    pub allow_attachment: bool,
}

/// What a teacher types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuestionForm {
    /// 题库
    pub bank_id: i64,
    /// 题型
    /// 已用于试卷快照的试题不能修改
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题干
    pub stem: QuestionText,
    /// 选项
    /// 单选题、多选题，字母从A开始连续编号
    #[oai(default, validator(max_items = 100))]
    pub options: Vec<QuestionOption>,
    /// 答案
    pub answer: Option<QuestionAnswer>,
    /// 解析
    pub analysis: Option<QuestionText>,
    /// 章节
    pub chapter_id: Option<i64>,
    /// 知识点
    #[oai(default, validator(max_items = 20))]
    pub knowledge_point_ids: Vec<i64>,
    /// 难度
    /// 不填为中
    pub difficulty: Option<QuestionDifficulty>,
    /// 默认分值
    /// 综合题、听力题为各小题之和，不填
    pub default_score: Option<f64>,
    /// 音频
    /// 听力题
    #[oai(validator(max_length = 140))]
    pub media_key: Option<String>,
    /// 播放次数
    /// 0为不限，听力题不填为2
    #[oai(validator(minimum(value = "0"), maximum(value = "99")))]
    pub play_limit: Option<i32>,
    /// 附件要求
    pub upload: Option<QuestionUpload>,
    /// 允许附件
    /// 论述题
    #[oai(default)]
    pub allow_attachment: bool,
    /// 小题
    /// 综合题、听力题，1至20个
    #[oai(default, validator(max_items = 20))]
    pub sub_questions: Vec<SubQuestionForm>,
    /// 存为草稿
    pub draft: Option<bool>,
    /// 复制自
    pub copied_from: Option<i64>,
}

impl Example for QuestionForm {
    fn example() -> Self {
        let option = |letter: &str, content: &str| QuestionOption {
            letter: letter.to_owned(),
            content: QuestionText::cleaned(content),
        };
        Self {
            bank_id: 1,
            kind: QuestionType::SingleChoice,
            stem: QuestionText::cleaned("<p>货币最基本的职能是</p>"),
            options: vec![option("A", "<p>价值尺度</p>"), option("B", "<p>贮藏手段</p>")],
            answer: Some(QuestionAnswer { letters: Some(vec!["A".to_owned()]), ..QuestionAnswer::default() }),
            analysis: None,
            chapter_id: None,
            knowledge_point_ids: Vec::new(),
            difficulty: Some(QuestionDifficulty::Medium),
            default_score: Some(2.0),
            media_key: None,
            play_limit: None,
            upload: None,
            allow_attachment: false,
            sub_questions: Vec::new(),
            draft: None,
            copied_from: None,
        }
    }
}

/// A question as it was read.
#[derive(Debug, Clone, Copy, Object)]
pub struct QuestionItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Item for QuestionItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// A question within another, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SubQuestion {
    /// 编号
    pub id: i64,
    /// 小题号
    pub sub_no: i32,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题干
    pub stem: QuestionText,
    /// 选项
    pub options: Vec<QuestionOption>,
    /// 答案
    pub answer: Option<QuestionAnswer>,
    /// 解析
    pub analysis: Option<QuestionText>,
    /// 默认分值
    pub default_score: f64,
    /// 附件要求
    pub upload: Option<QuestionUpload>,
    /// 允许附件
    pub allow_attachment: bool,
    /// 修订号
    pub revision: i32,
}
