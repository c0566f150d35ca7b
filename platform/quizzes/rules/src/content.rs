//! What an exam consists of, as a version keeps it (01 §9.7).

use std::collections::HashSet;

use infra::{Error, FieldError, Result};
use poem_openapi::{
    Object,
    types::{Example, ParseFromJSON, ToJSON},
};
use question_bank_rules::score::{is_score, points, tenths};
use serde_json::Value;

/// The most that a paper or a question may be worth, in tenths.
const MOST: i64 = 10_000;
/// Questions of an exam.
const PROBLEMS: usize = 500;

/// A question of a section.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizProblemRef {
    /// 试题
    pub problem_id: i64,
    /// 分值
    pub score: f64,
}

/// 大题.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct QuizSection {
    /// 大题标题
    #[oai(validator(min_length = 1, max_length = 60))]
    pub title: String,
    /// 试题
    #[oai(validator(max_items = 500))]
    pub problems: Vec<QuizProblemRef>,
}

/// The whole of an exam.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuizContent {
    /// 试卷名称
    #[oai(validator(max_length = 60))]
    pub exam_name: String,
    /// 分类
    pub category_id: Option<i64>,
    /// 讲师
    pub lecturer_id: Option<i64>,
    /// 封面
    #[oai(validator(
        max_length = 300,
        pattern = r"^(https://[^\s/\\?#@]+([/?#][^\s\\]*)?|/admin/files(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+)$"
    ))]
    pub cover: Option<String>,
    /// 免费
    pub is_free: bool,
    /// 原价(分)
    #[oai(default, validator(minimum(value = "0"), maximum(value = "99999999")))]
    pub price_original: i64,
    /// 优惠价(分)
    #[oai(default, validator(minimum(value = "0"), maximum(value = "99999999")))]
    pub price_sale: i64,
    /// 考试时长(分钟)
    #[oai(validator(minimum(value = "1"), maximum(value = "600")))]
    pub duration_minutes: i32,
    /// 总分
    /// 最多一位小数，应等于各题分值之和
    pub total_score: f64,
    /// 及格分
    pub pass_score: f64,
    /// 考试次数
    /// 0为不限
    #[oai(default, validator(minimum(value = "0"), maximum(value = "100")))]
    pub attempt_limit: i32,
    /// 大题
    #[oai(default, validator(max_items = 50))]
    pub sections: Vec<QuizSection>,
}

impl Example for QuizContent {
    fn example() -> Self {
        Self {
            exam_name: "学位英语模拟卷一".to_owned(),
            category_id: None,
            lecturer_id: None,
            cover: None,
            is_free: true,
            price_original: 0,
            price_sale: 0,
            duration_minutes: 90,
            total_score: 2.0,
            pass_score: 1.2,
            attempt_limit: 0,
            sections: vec![QuizSection {
                title: "一、单项选择题".to_owned(),
                problems: vec![QuizProblemRef { problem_id: 1, score: 2.0 }],
            }],
        }
    }
}

impl QuizContent {
    /// Every question, in the order of the paper.
    pub fn problems(&self) -> impl Iterator<Item = &QuizProblemRef> {
        self.sections.iter().flat_map(|section| &section.problems)
    }

    /// The numbers of its questions.
    pub fn problem_ids(&self) -> Vec<i64> {
        self.problems().map(|each| each.problem_id).collect()
    }

    /// The content with what belongs together made to agree: an exam that is free costs nothing. One that is handed in or published
    /// (`whole`) has questions, and they come to its total; a draft may still lack some.
    ///
    /// # Errors
    /// 422 at every field that does not fit the others.
    pub fn in_itself(mut self, whole: bool) -> Result<Self> {
        self.exam_name = infra::naming::tidy(&self.exam_name);
        self.cover = self.cover.filter(|cover| !cover.trim().is_empty());
        for section in &mut self.sections {
            section.title = infra::naming::tidy(&section.title);
        }
        if self.is_free {
            self.price_sale = 0;
        }
        let mut wrong = Wrong::default();
        if self.exam_name.is_empty() {
            wrong.at("examName", "试卷名称不能为空");
        }
        self.check_prices(&mut wrong);
        self.check_problems(&mut wrong);
        self.check_scores(&mut wrong, whole);
        if wrong.0.is_empty() { Ok(self) } else { Err(Error::fields(wrong.0)) }
    }

    fn check_prices(&self, wrong: &mut Wrong) {
        if !self.is_free && self.price_sale == 0 {
            wrong.at("priceSale", "收费试卷的优惠价应大于0，不收费请选择免费");
        }
        if self.price_sale > self.price_original {
            wrong.at("priceSale", "优惠价不能高于原价");
        }
    }

    fn check_problems(&self, wrong: &mut Wrong) {
        if self.problems().count() > PROBLEMS {
            wrong.at("sections", format!("一份试卷最多{PROBLEMS}道试题"));
        }
        let mut seen = HashSet::new();
        for (place, section) in self.sections.iter().enumerate() {
            if section.title.is_empty() {
                wrong.at(&format!("sections[{place}].title"), "大题标题不能为空");
            }
            for (row, problem) in section.problems.iter().enumerate() {
                if !seen.insert(problem.problem_id) {
                    wrong.at(&format!("sections[{place}].problems[{row}].problemId"), "试题重复");
                }
                if !is_score(problem.score, 1, MOST) {
                    wrong
                        .at(&format!("sections[{place}].problems[{row}].score"), "分值应在0.1到1000之间，最多一位小数");
                }
            }
        }
    }

    fn check_scores(&self, wrong: &mut Wrong, whole: bool) {
        let scored = |score: f64, least: i64| is_score(score, least, MOST);
        if !scored(self.total_score, 1) {
            return wrong.at("totalScore", "总分应在0.1到1000之间，最多一位小数");
        }
        if !scored(self.pass_score, 0) {
            wrong.at("passScore", "及格分应在0到1000之间，最多一位小数");
        } else if tenths(self.pass_score) > tenths(self.total_score) {
            wrong.at("passScore", "及格分不能高于总分");
        }
        if !whole {
            return;
        }
        if self.problems().next().is_none() {
            return wrong.at("sections", "请先组卷");
        }
        let sum: i64 = self.problems().map(|problem| tenths(problem.score)).sum();
        let total = tenths(self.total_score);
        if sum != total {
            wrong.at("totalScore", format!("题目分值合计{}，与总分{}不一致", points(sum), points(total)));
        }
    }

    /// As a version keeps it.
    pub fn to_stored(&self) -> Value {
        self.to_json().unwrap_or_default()
    }
}

/// What a version keeps.
///
/// # Errors
/// Internal, when it was not written by [`QuizContent::to_stored`].
pub fn stored(value: Value) -> Result<QuizContent> {
    stored_as(value)
}

/// The same of anything that was kept as it stands on the wire.
///
/// # Errors
/// Internal, when it was kept in another shape.
pub fn stored_as<T: ParseFromJSON>(value: Value) -> Result<T> {
    T::parse_from_json(Some(value)).map_err(|error| Error::internal(error.into_message()))
}

#[derive(Default)]
struct Wrong(Vec<FieldError>);

impl Wrong {
    fn at(&mut self, field: &str, message: impl Into<String>) {
        self.0.push(FieldError { field: field.to_owned(), message: message.into() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(content: QuizContent, whole: bool) -> Vec<String> {
        let error = match content.in_itself(whole) {
            Ok(_) => return Vec::new(),
            Err(error) => error,
        };
        let line = |field: &Value| {
            format!("{}: {}", field["field"].as_str().unwrap_or(""), field["message"].as_str().unwrap_or(""))
        };
        error.data.as_array().into_iter().flatten().map(line).collect()
    }

    fn worth(scores: &[f64], total: f64, pass: f64) -> QuizContent {
        let problems = (1..).zip(scores).map(|(problem_id, score)| QuizProblemRef { problem_id, score: *score });
        QuizContent {
            total_score: total,
            pass_score: pass,
            sections: vec![QuizSection { title: "一".to_owned(), problems: problems.collect() }],
            ..QuizContent::example()
        }
    }

    /// 01 §9.10 Exams (1).
    #[test]
    fn the_questions_come_to_the_total() {
        assert_eq!(told(worth(&[40.0, 58.0], 100.0, 60.0), true), ["totalScore: 题目分值合计98，与总分100不一致"]);
        assert_eq!(told(worth(&[40.0, 57.5], 100.0, 60.0), true), ["totalScore: 题目分值合计97.5，与总分100不一致"]);
        assert_eq!(told(worth(&[0.1, 0.2], 0.3, 0.2), true), [""; 0], "tenths are never a float when they are added");
        assert_eq!(told(worth(&[40.0, 60.0], 100.0, 60.0), true), [""; 0]);
        assert_eq!(told(worth(&[40.0, 58.0], 100.0, 60.0), false), [""; 0], "a draft is still composed");
        assert_eq!(told(worth(&[], 100.0, 60.0), true), ["sections: 请先组卷"]);
    }

    /// 01 §9.10 Exams (2).
    #[test]
    fn nobody_must_reach_more_than_all() {
        assert_eq!(told(worth(&[100.0], 100.0, 101.0), true), ["passScore: 及格分不能高于总分"]);
        assert_eq!(told(worth(&[100.0], 100.0, 101.0), false), ["passScore: 及格分不能高于总分"]);
        assert_eq!(told(worth(&[100.0], 100.0, 100.0), true), [""; 0]);
    }

    #[test]
    fn a_question_stands_once_and_is_worth_something() {
        let mut twice = worth(&[50.0, 50.0], 100.0, 60.0);
        twice.sections[0].problems[1].problem_id = 1;
        assert_eq!(told(twice, true), ["sections[0].problems[1].problemId: 试题重复"]);
        let odd = told(worth(&[99.95, 0.05], 100.0, 60.0), false);
        assert_eq!(odd.len(), 2, "{odd:?}");
    }

    #[test]
    fn what_is_free_costs_nothing() {
        let priced = QuizContent { is_free: false, price_original: 100, price_sale: 0, ..QuizContent::example() };
        assert_eq!(told(priced, true), ["priceSale: 收费试卷的优惠价应大于0，不收费请选择免费"]);
        let free = QuizContent { price_original: 100, price_sale: 50, ..QuizContent::example() };
        assert_eq!(free.in_itself(true).map(|content| content.price_sale), Ok(0));
        assert_eq!(stored(QuizContent::example().to_stored()), Ok(QuizContent::example()));
    }
}
