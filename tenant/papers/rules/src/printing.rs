//! What stands on a printed paper (part 03 A8).

use question_bank_rules::{
    enums::PaperKind,
    marking::{AnswerPoint, QuestionAnswer},
    score::{shown, tenths},
};

use crate::{
    content::DetailSection,
    enums::{PaperStatus, PaperVariant},
};

/// Places for the names of a student.
pub const NAMES: &str = "站点__________ 专业__________ 班级__________ 学号__________ 姓名__________";
const NUMERALS: [&str; 10] = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];

/// What stands on a printed paper.
#[derive(Debug, Clone)]
pub struct Printing {
    pub school: String,
    pub semester: Option<String>,
    pub course: String,
    pub name: String,
    pub kind: PaperKind,
    pub variant: PaperVariant,
    /// None of what a rule dealt.
    pub status: Option<PaperStatus>,
    /// 考试形式: how the course is examined, where it says so.
    pub form: Option<&'static str>,
    pub minutes: Option<i32>,
    pub sections: Vec<DetailSection>,
    pub with_answer: bool,
}

impl Printing {
    /// `2026-1 大学英语 考试试卷（A卷）`.
    pub fn title(&self) -> String {
        let what = match self.kind {
            PaperKind::Homework => "作业",
            PaperKind::Exam => "考试",
            PaperKind::Makeup => "补考",
            PaperKind::Practice => "练习",
        };
        let semester = self.semester.as_ref().map_or_else(String::new, |semester| format!("{semester} "));
        format!("{semester}{} {what}试卷（{}）", self.course, self.variant.zh())
    }

    pub fn full(&self) -> i64 {
        self.sections.iter().map(section_sum).sum()
    }

    /// `考试形式：闭卷　时长：90分钟　满分：100.0分`.
    pub fn terms(&self) -> String {
        let minutes = self.minutes.map_or_else(|| "不限".to_owned(), |minutes| format!("{minutes}分钟"));
        let form = self.form.map_or_else(String::new, |form| format!("考试形式：{form}　"));
        format!("{form}时长：{minutes}　满分：{}分", shown(self.full()))
    }
}

pub(crate) fn section_sum(section: &DetailSection) -> i64 {
    section.questions.iter().map(|question| tenths(question.score)).sum()
}

/// What stands over a section's questions.
pub fn section_head(section: &DetailSection) -> String {
    format!("{}（共{}题，{}分）", section.title, section.questions.len(), shown(section_sum(section)))
}

/// 一, 二, 三: a section each.
pub fn numerals(sections: &[DetailSection]) -> Vec<String> {
    let places = 0..sections.len();
    places.map(|place| NUMERALS.get(place).map_or_else(|| (place + 1).to_string(), |word| (*word).to_owned())).collect()
}

/// A key in words: the answer, and the points that a marker looks for.
pub fn answer_lines(answer: Option<&QuestionAnswer>) -> Vec<String> {
    let told = answer.map(QuestionAnswer::told).unwrap_or_default();
    let mut lines = vec![format!("【答案】{told}")];
    let points = answer.and_then(|answer| answer.points.as_ref()).filter(|points| !points.is_empty());
    if let Some(points) = points {
        let point = |point: &AnswerPoint| format!("{}（{}分）", point.text, shown(tenths(point.score)));
        lines.push(format!("【得分要点】{}", points.iter().map(point).collect::<Vec<_>>().join("；")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use question_bank_rules::text::QuestionText;

    use super::*;

    #[test]
    fn a_key_is_told_with_the_points_that_a_marker_looks_for() {
        let point = |text: &str, score: f64| AnswerPoint { text: text.to_owned(), score };
        let answer = QuestionAnswer {
            text: Some(QuestionText::cleaned("参考")),
            points: Some(vec![point("甲", 1.0), point("乙", 2.5)]),
            ..QuestionAnswer::default()
        };
        assert_eq!(answer_lines(Some(&answer)), ["【答案】参考", "【得分要点】甲（1.0分）；乙（2.5分）"]);
        assert_eq!(answer_lines(None), ["【答案】"]);
    }
}
