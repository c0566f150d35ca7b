//! What a paper holds: sections of questions with their scores (part 03 A8).

use poem_openapi::Object;
use question_bank_rules::{
    enums::{MultipleRule, QuestionDifficulty, QuestionStatus, QuestionType},
    form::{QuestionOption, QuestionUpload, SubQuestion},
    marking::QuestionAnswer,
    score::{distributed, part, points, tenths},
    text::QuestionText,
};

/// What stands in the place of a question that its bank keeps to its members.
const UNSEEN: &str = "（所在题库仅成员可见）";

/// A question of a paper with all that is asked.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DetailQuestion {
    /// 试题
    pub question_id: i64,
    /// 题号
    pub seq: String,
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
    /// 难度
    pub difficulty: QuestionDifficulty,
    /// 章节
    pub chapter_id: Option<i64>,
    /// 章节标题
    pub chapter_title: Option<String>,
    /// 知识点
    pub knowledge_point_ids: Vec<i64>,
    /// 知识点名称
    pub knowledge_point_names: Vec<String>,
    /// 分值
    pub score: f64,
    /// 各空分值
    pub blank_scores: Option<Vec<f64>>,
    /// 各小题分值
    pub sub_scores: Option<Vec<f64>>,
    /// 状态
    pub status: QuestionStatus,
    /// 使用次数
    pub used_count: i32,
    /// 修订号
    pub revision: i32,
    /// 音频
    pub media_key: Option<String>,
    /// 播放次数
    pub play_limit: Option<i32>,
    /// 附件要求
    pub upload: Option<QuestionUpload>,
    /// 允许附件
    pub allow_attachment: bool,
    /// 小题
    pub sub_questions: Vec<SubQuestion>,
}

/// A section of a paper.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DetailSection {
    /// 大题编号
    pub id: Option<i64>,
    /// 大题标题
    pub title: String,
    /// 答题说明
    pub instruction: Option<QuestionText>,
    /// 题型
    #[oai(rename = "type")]
    pub kind: Option<QuestionType>,
    /// 每题分值
    pub default_score: Option<f64>,
    /// 多选题计分
    pub multiple_rule: MultipleRule,
    /// 试题
    pub questions: Vec<DetailQuestion>,
}

/// What a paper comes to, in tenths of a point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    pub questions: i32,
    pub sum: i64,
    pub objective: i64,
    pub subjective: i64,
    /// In thousandths; none of a paper without scores.
    pub difficulty: Option<i64>,
    /// Questions that are not in use any more, or not yet.
    pub unusable: i32,
}

/// What the blanks and the sub-questions of a question count for, in tenths; none of either where it has none.
pub type Shares = (Option<Vec<i64>>, Option<Vec<i64>>);

/// Whether a machine marks it.
fn is_objective(kind: QuestionType, answer: Option<&QuestionAnswer>) -> bool {
    match kind {
        QuestionType::SingleChoice | QuestionType::MultipleChoice | QuestionType::TrueFalse => true,
        QuestionType::FillBlank => answer.is_none_or(|answer| answer.manual != Some(true)),
        QuestionType::ShortAnswer | QuestionType::Essay | QuestionType::FileUpload => false,
        QuestionType::CaseAnalysis | QuestionType::Listening => false,
    }
}

impl DetailQuestion {
    /// The scores of its sub-questions, in tenths.
    pub fn sub_tenths(&self) -> Vec<i64> {
        let own: Vec<i64> = self.sub_questions.iter().map(|sub| tenths(sub.default_score)).collect();
        match &self.sub_scores {
            Some(scores) if scores.len() == own.len() => scores.iter().map(|score| tenths(*score)).collect(),
            _ => distributed(tenths(self.score), &own),
        }
    }

    /// What its blanks and its sub-questions count for where it is worth so much, in tenths; none where it has more of them than
    /// tenths, as they would be worth more than the question.
    pub fn shares(&self, score: i64) -> Option<Shares> {
        let own: Vec<i64> = self.sub_questions.iter().map(|sub| tenths(sub.default_score)).collect();
        let (blanks, subs) = shares(self.kind, self.answer.as_ref(), &own, score);
        let adds_up = [&blanks, &subs].into_iter().flatten().all(|parts| parts.iter().sum::<i64>() == score);
        adds_up.then_some((blanks, subs))
    }

    /// Its key with the scores that its blanks have in this paper; shared out anew where the question has other blanks since.
    pub fn key(&self) -> Option<QuestionAnswer> {
        let mut answer = self.answer.clone()?;
        let (shared, _) = shares(self.kind, Some(&answer), &[], tenths(self.score));
        if let (Some(blanks), Some(shared)) = (&mut answer.blanks, shared) {
            let kept = self.blank_scores.as_ref().filter(|scores| scores.len() == blanks.len());
            let scores = kept.cloned().unwrap_or_else(|| shared.into_iter().map(points).collect());
            for (blank, score) in blanks.iter_mut().zip(scores) {
                blank.score = score;
            }
        }
        Some(answer)
    }

    fn objective(&self) -> i64 {
        if !self.kind.is_parent() {
            return if is_objective(self.kind, self.answer.as_ref()) { tenths(self.score) } else { 0 };
        }
        let parts = self.sub_questions.iter().zip(self.sub_tenths());
        parts.filter(|(sub, _)| is_objective(sub.kind, sub.answer.as_ref())).map(|(_, score)| score).sum()
    }

    /// The keys of its pictures and of its audio.
    fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.media_key.iter().cloned().collect();
        let mut add = |text: &QuestionText| keys.extend(text.keys());
        add(&self.stem);
        self.options.iter().for_each(|option| add(&option.content));
        self.analysis.iter().for_each(&mut add);
        self.answer.iter().filter_map(|answer| answer.text.as_ref()).for_each(&mut add);
        for sub in &self.sub_questions {
            add(&sub.stem);
            sub.options.iter().for_each(|option| add(&option.content));
            sub.analysis.iter().for_each(&mut add);
            sub.answer.iter().filter_map(|answer| answer.text.as_ref()).for_each(&mut add);
        }
        keys
    }

    /// Without what only some may see.
    pub fn hide(&mut self) {
        (self.answer, self.analysis) = (None, None);
        for sub in &mut self.sub_questions {
            (sub.answer, sub.analysis) = (None, None);
        }
    }

    /// Without anything that is asked.
    pub fn keep_back(&mut self) {
        self.hide();
        let unseen = || QuestionText::cleaned(UNSEEN);
        (self.stem, self.options, self.media_key) = (unseen(), Vec::new(), None);
        for sub in &mut self.sub_questions {
            (sub.stem, sub.options) = (unseen(), Vec::new());
        }
    }
}

/// What a paper of these sections comes to.
pub fn figures(sections: &[DetailSection]) -> Figures {
    let mut figures = Figures::default();
    let mut weighted = 0;
    for question in sections.iter().flat_map(|section| &section.questions) {
        let (score, objective) = (tenths(question.score), question.objective());
        figures.questions += 1;
        figures.sum += score;
        figures.objective += objective;
        figures.subjective += score - objective;
        weighted += score * question.difficulty.coefficient();
        figures.unusable += i32::from(question.status != QuestionStatus::Enabled);
    }
    // Σ(score × coefficient) / Σ score, of hundredths in thousandths.
    figures.difficulty = (figures.sum > 0).then(|| part(weighted, 10, figures.sum));
    figures
}

/// The keys of all pictures and audio of these sections; an instruction has none.
pub fn keys_of(sections: &[DetailSection]) -> Vec<String> {
    sections.iter().flat_map(|section| &section.questions).flat_map(DetailQuestion::keys).collect()
}

/// Leaves out all answers.
pub fn hide(sections: &mut [DetailSection]) {
    sections.iter_mut().flat_map(|section| &mut section.questions).for_each(DetailQuestion::hide);
}

/// Scores of the blanks of a key, and of the sub-questions, for a question that is worth so much; in tenths.
pub fn shares(kind: QuestionType, answer: Option<&QuestionAnswer>, subs: &[i64], score: i64) -> Shares {
    let blanks = answer.and_then(|answer| answer.blanks.as_ref()).filter(|_| kind == QuestionType::FillBlank);
    let blanks = blanks.map(|blanks| {
        let own: Vec<i64> = blanks.iter().map(|blank| tenths(blank.score)).collect();
        if own.iter().sum::<i64>() == score { own } else { distributed(score, &own) }
    });
    let subs = kind
        .is_parent()
        .then(|| if subs.iter().sum::<i64>() == score { subs.to_vec() } else { distributed(score, subs) });
    (blanks, subs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(kind: QuestionType, score: f64, difficulty: QuestionDifficulty) -> DetailQuestion {
        DetailQuestion {
            question_id: 1,
            seq: "1".to_owned(),
            kind,
            stem: QuestionText::cleaned("题"),
            options: Vec::new(),
            answer: None,
            analysis: None,
            difficulty,
            chapter_id: None,
            chapter_title: None,
            knowledge_point_ids: Vec::new(),
            knowledge_point_names: Vec::new(),
            score,
            blank_scores: None,
            sub_scores: None,
            status: QuestionStatus::Enabled,
            used_count: 0,
            revision: 1,
            media_key: None,
            play_limit: None,
            upload: None,
            allow_attachment: false,
            sub_questions: Vec::new(),
        }
    }

    #[test]
    fn a_paper_is_the_sum_of_its_questions() {
        let section = DetailSection {
            id: None,
            title: "一".to_owned(),
            instruction: None,
            kind: None,
            default_score: None,
            multiple_rule: MultipleRule::AllOrNothing,
            questions: vec![
                question(QuestionType::SingleChoice, 2.0, QuestionDifficulty::Easy),
                question(QuestionType::Essay, 8.0, QuestionDifficulty::Hard),
            ],
        };
        let told = figures(&[section]);
        assert_eq!((told.questions, told.sum, told.objective, told.subjective), (2, 100, 20, 80));
        // (2 × 0.9 + 8 × 0.3) / 10 = 0.42
        assert_eq!(told.difficulty, Some(420));
    }

    #[test]
    fn ten_points_over_three_parts_of_three() {
        assert_eq!(shares(QuestionType::CaseAnalysis, None, &[30, 30, 30], 100), (None, Some(vec![35, 35, 30])));
        assert_eq!(shares(QuestionType::CaseAnalysis, None, &[30, 30, 30], 90), (None, Some(vec![30, 30, 30])));
        assert_eq!(shares(QuestionType::Essay, None, &[], 90), (None, None));
    }
}
