//! A question of the site as it is typed and kept: the shape and the checks of part 03 A7, in a category instead of a bank.

use infra::Result;
use poem_openapi::{Object, types::Example};
use question_bank_rules::{
    check::{Complete, Part},
    enums::{QuestionDifficulty, QuestionType},
    form::{QuestionForm, QuestionOption, QuestionUpload, SubQuestionForm},
    marking::QuestionAnswer,
    score::points,
    text::QuestionText,
};

/// How often an audio is played unless somebody says otherwise.
const PLAYS: i32 = 2;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuizProblemForm {
    /// 分类
    pub category_id: i64,
    /// 题型
    /// 已用于试卷的试题不能修改
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
    /// 复制自
    pub copied_from: Option<i64>,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for QuizProblemForm {
    fn example() -> Self {
        let QuestionForm { kind, stem, options, answer, difficulty, default_score, .. } = QuestionForm::example();
        Self {
            category_id: 1,
            kind,
            stem,
            options,
            answer,
            analysis: None,
            difficulty,
            default_score,
            media_key: None,
            play_limit: None,
            upload: None,
            allow_attachment: false,
            sub_questions: Vec::new(),
            copied_from: None,
            enabled: true,
        }
    }
}

/// A question that can be asked and marked, with what goes beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct RightProblem {
    pub whole: Complete,
    pub difficulty: QuestionDifficulty,
    pub audio: Option<String>,
    pub play_limit: Option<i32>,
}

impl QuizProblemForm {
    /// # Errors
    /// 422 with everything that is wrong, fields of a sub-question as `subQuestions[0].answer`.
    pub fn checked(&self) -> Result<RightProblem> {
        let form = QuestionForm {
            bank_id: 0,
            kind: self.kind,
            stem: self.stem.clone(),
            options: self.options.clone(),
            answer: self.answer.clone(),
            analysis: self.analysis.clone(),
            chapter_id: None,
            knowledge_point_ids: Vec::new(),
            difficulty: self.difficulty,
            default_score: self.default_score,
            media_key: self.media_key.clone(),
            play_limit: self.play_limit,
            upload: self.upload.clone(),
            allow_attachment: self.allow_attachment,
            sub_questions: self.sub_questions.clone(),
            draft: None,
            copied_from: self.copied_from,
        };
        let listening = self.kind == QuestionType::Listening;
        Ok(RightProblem {
            whole: Complete::of(&form)?,
            difficulty: self.difficulty.unwrap_or(QuestionDifficulty::Medium),
            audio: self.media_key.clone().filter(|_| listening),
            play_limit: listening.then(|| self.play_limit.unwrap_or(PLAYS)),
        })
    }
}

impl RightProblem {
    /// The questions within it, as they are kept.
    pub fn subs(&self) -> Vec<SubQuestionForm> {
        self.whole.subs.iter().map(|(_, part)| sub_of(part)).collect()
    }

    /// The keys of its pictures and of its audio, each once.
    pub fn keys(&self) -> Vec<String> {
        let mut keys = self.whole.keys();
        keys.extend(self.audio.clone());
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// What is right of it and of the questions within it, and why.
    pub fn keys_and_reasons(&self) -> Vec<(Option<&QuestionAnswer>, Option<&QuestionText>)> {
        let own = std::iter::once(&self.whole.own);
        let all = own.chain(self.whole.subs.iter().map(|(_, part)| part));
        all.map(|part| (part.answer.as_ref(), part.analysis.as_ref())).collect()
    }

    /// Whether something in it is answered with a file.
    pub fn takes_files(&self) -> bool {
        let mut parts = self.whole.subs.iter().map(|(_, part)| part.kind);
        self.whole.own.kind == QuestionType::FileUpload || parts.any(|kind| kind == QuestionType::FileUpload)
    }

    /// Whether whoever answered the other answered the same question.
    pub fn asks_the_same(&self, other: &Self) -> bool {
        let parts = |problem: &Self| problem.whole.subs.iter().map(|(_, part)| part.clone()).collect::<Vec<_>>();
        self.whole.own.asks_the_same(&other.whole.own)
            && self.audio == other.audio
            && parts(self).len() == parts(other).len()
            && parts(self).iter().zip(parts(other)).all(|(own, other)| own.asks_the_same(&other))
    }
}

fn sub_of(part: &Part) -> SubQuestionForm {
    SubQuestionForm {
        id: None,
        kind: part.kind,
        stem: part.stem.clone(),
        options: part.options.clone(),
        answer: part.answer.clone(),
        analysis: part.analysis.clone(),
        default_score: Some(points(part.score)),
        upload: part.upload.clone(),
        allow_attachment: part.allow_attachment,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_checked_as_those_of_the_schools() {
        let right = QuizProblemForm::example().checked().expect("right");
        assert_eq!((right.whole.own.score, right.play_limit, right.subs().len()), (20, None, 0));
        let mut wrong = QuizProblemForm::example();
        wrong.options.truncate(1);
        assert_eq!(wrong.checked().map_err(|error| error.code), Err(422));
        let mut other = QuizProblemForm::example();
        other.stem = QuestionText::cleaned("<p>价格是</p>");
        assert!(!other.checked().expect("right").asks_the_same(&right) && right.asks_the_same(&right));
        assert_eq!((right.keys_and_reasons().len(), right.takes_files()), (1, false));
    }
}
