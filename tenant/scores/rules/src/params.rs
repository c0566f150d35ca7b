//! What a rule of each kind says, checked (part 04 §5.3).

use std::collections::BTreeSet;

use infra::FieldError;
use poem_openapi::{Object, types::ParseFromJSON};
use serde_json::Value;

use crate::{
    arith::shown,
    enums::{
        AbsentTotal, AttendanceScoreSource, CheatingMakeup, GpaScale, GradingMode, HomeworkMethod, MakeupMethod,
        PartMissing, ScoreKind,
    },
};

/// Progress, time and days, and what is full.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", deny_unknown_fields)]
pub struct StudyParams {
    pub progress_weight: i32,
    pub minutes_weight: i32,
    pub days_weight: i32,
    /// None: the periods online, 45 minutes each.
    pub full_minutes: Option<i32>,
    pub full_days: Option<i32>,
}

/// How homework counts.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(deny_unknown_fields)]
pub struct HomeworkParams {
    pub method: HomeworkMethod,
    pub n: Option<i32>,
}

/// The examination and its make-ups.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", deny_unknown_fields)]
pub struct FinalExamParams {
    pub exam_minimum: i32,
    pub makeup_method: MakeupMethod,
    pub makeup_cap: i32,
    pub makeup_limit: i32,
    pub final_makeup_limit: i32,
    pub absent_total: AbsentTotal,
    pub cheating_makeup: CheatingMakeup,
    pub violation_makeup: bool,
    pub disqualified_makeup: bool,
}

/// Attendance, and what is deducted.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", deny_unknown_fields)]
pub struct AttendanceParams {
    pub source: AttendanceScoreSource,
    pub base: i32,
    pub absent_deduct: i32,
    pub late_deduct: i32,
    pub leave_deduct: i32,
    pub floor: i32,
    pub absence_fail_percent: i32,
}

/// What questions and answers are worth.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", deny_unknown_fields)]
pub struct QuestionsParams {
    pub per_question: i32,
    pub per_answer: i32,
    pub cap: i32,
}

/// An item of a score.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(deny_unknown_fields)]
pub struct ItemRule {
    pub code: String,
    pub name: String,
    pub weight: i32,
}

/// Items, and whether the value alone may be entered.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", deny_unknown_fields)]
pub struct ItemsParams {
    pub items: Vec<ItemRule>,
    pub items_required: bool,
}

/// What each part of a total weighs.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(deny_unknown_fields)]
pub struct TotalWeights {
    pub study: i32,
    pub homework: i32,
    pub attendance: i32,
    pub questions: i32,
    pub final_exam: i32,
}

/// What becomes of a part that is none.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(deny_unknown_fields)]
pub struct TotalMissing {
    pub study: PartMissing,
    pub homework: PartMissing,
    pub attendance: PartMissing,
    pub questions: PartMissing,
    pub final_exam: PartMissing,
}

/// The total.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", deny_unknown_fields)]
pub struct TotalParams {
    pub weights: TotalWeights,
    pub scale: i32,
    pub pass_line: i32,
    pub missing: TotalMissing,
    pub grading_mode: GradingMode,
    pub gpa_scale: GpaScale,
}

impl TotalParams {
    /// Places of the total.
    pub const fn places(&self) -> u8 {
        if self.scale == 0 { 0 } else { 1 }
    }

    /// In tenths.
    pub fn pass(&self) -> i64 {
        i64::from(self.pass_line) * 10
    }
}

/// What the parts of a thesis weigh.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(deny_unknown_fields)]
pub struct GraduationWeights {
    pub internship: i32,
    pub thesis: i32,
    pub review: i32,
    pub defense: i32,
}

/// Below which a part is not passed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Object)]
#[oai(deny_unknown_fields)]
pub struct GraduationFloors {
    pub internship: Option<i32>,
    pub thesis: Option<i32>,
    pub review: Option<i32>,
    pub defense: Option<i32>,
}

/// The total of a thesis.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", deny_unknown_fields)]
pub struct GraduationTotalParams {
    pub weights: GraduationWeights,
    pub scale: i32,
    pub pass_line: i32,
    pub floors: GraduationFloors,
    pub excellent_max_percent: i32,
    pub grading_mode: GradingMode,
}

/// What a rule says, by its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Params {
    Study(StudyParams),
    Homework(HomeworkParams),
    FinalExam(FinalExamParams),
    Attendance(AttendanceParams),
    Questions(QuestionsParams),
    Items(ItemsParams),
    Total(TotalParams),
    GraduationTotal(GraduationTotalParams),
}

/// Where a rule is wrong.
type Wrong = Vec<FieldError>;

/// What a rule of a kind says.
///
/// # Errors
/// Fields that are missing, or do not fit.
pub fn read(kind: ScoreKind, value: &Value) -> Result<Params, Wrong> {
    let params = match kind {
        ScoreKind::Study => Params::Study(parsed(value)?),
        ScoreKind::Homework => Params::Homework(parsed(value)?),
        ScoreKind::FinalExam => Params::FinalExam(parsed(value)?),
        ScoreKind::Attendance => Params::Attendance(parsed(value)?),
        ScoreKind::Questions => Params::Questions(parsed(value)?),
        ScoreKind::Thesis | ScoreKind::Review | ScoreKind::Defense => Params::Items(parsed(value)?),
        ScoreKind::Total => Params::Total(parsed(value)?),
        ScoreKind::GraduationTotal => Params::GraduationTotal(parsed(value)?),
    };
    let wrong = check(&params);
    if wrong.is_empty() { Ok(params) } else { Err(wrong) }
}

fn parsed<T: ParseFromJSON>(value: &Value) -> Result<T, Wrong> {
    T::parse_from_json(Some(value.clone())).map_err(|_| vec![wrong("params", "参数不完整或格式不正确")])
}

fn wrong(field: &str, message: impl Into<String>) -> FieldError {
    FieldError { field: field.to_owned(), message: message.into() }
}

/// Weights lie between 0 and 100 and come to a hundred.
fn hundred(errors: &mut Wrong, field: &str, weights: &[i32]) {
    if weights.iter().any(|weight| !(0..=100).contains(weight)) {
        errors.push(wrong(field, "权重应为0到100之间的整数"));
        return;
    }
    let sum: i32 = weights.iter().sum();
    if sum != 100 {
        errors.push(wrong(field, format!("权重之和必须为100，当前为{sum}")));
    }
}

fn between(errors: &mut Wrong, field: &str, value: i32, (least, most): (i32, i32)) {
    if !(least..=most).contains(&value) {
        errors.push(wrong(field, format!("应为{least}到{most}之间的整数")));
    }
}

fn check(params: &Params) -> Wrong {
    let mut errors = Wrong::new();
    match params {
        Params::Study(p) => check_study(&mut errors, p),
        Params::Homework(p) => match (p.method, p.n) {
            (HomeworkMethod::BestN, None) => errors.push(wrong("params.n", "请填写次数")),
            (HomeworkMethod::BestN, Some(n)) => between(&mut errors, "params.n", n, (1, 100)),
            _ => {}
        },
        Params::FinalExam(p) => {
            between(&mut errors, "params.examMinimum", p.exam_minimum, (0, 100));
            between(&mut errors, "params.makeupCap", p.makeup_cap, (0, 100));
            between(&mut errors, "params.makeupLimit", p.makeup_limit, (0, 10));
            between(&mut errors, "params.finalMakeupLimit", p.final_makeup_limit, (0, 10));
        }
        Params::Attendance(p) => {
            between(&mut errors, "params.base", p.base, (0, 100));
            between(&mut errors, "params.absentDeduct", p.absent_deduct, (0, 100));
            between(&mut errors, "params.lateDeduct", p.late_deduct, (0, 100));
            between(&mut errors, "params.leaveDeduct", p.leave_deduct, (0, 100));
            between(&mut errors, "params.floor", p.floor, (0, p.base.clamp(0, 100)));
            between(&mut errors, "params.absenceFailPercent", p.absence_fail_percent, (1, 100));
        }
        Params::Questions(p) => {
            between(&mut errors, "params.perQuestion", p.per_question, (0, 100));
            between(&mut errors, "params.perAnswer", p.per_answer, (0, 100));
            between(&mut errors, "params.cap", p.cap, (1, 100));
        }
        Params::Items(p) => check_items(&mut errors, p),
        Params::Total(p) => {
            let w = &p.weights;
            hundred(&mut errors, "params.weights", &[w.study, w.homework, w.attendance, w.questions, w.final_exam]);
            between(&mut errors, "params.scale", p.scale, (0, 1));
            between(&mut errors, "params.passLine", p.pass_line, (1, 100));
        }
        Params::GraduationTotal(p) => {
            let w = &p.weights;
            hundred(&mut errors, "params.weights", &[w.internship, w.thesis, w.review, w.defense]);
            between(&mut errors, "params.scale", p.scale, (0, 1));
            between(&mut errors, "params.passLine", p.pass_line, (1, 100));
            between(&mut errors, "params.excellentMaxPercent", p.excellent_max_percent, (0, 100));
            let floors = [
                ("params.floors.internship", p.floors.internship),
                ("params.floors.thesis", p.floors.thesis),
                ("params.floors.review", p.floors.review),
                ("params.floors.defense", p.floors.defense),
            ];
            for (field, floor) in floors {
                if let Some(floor) = floor {
                    between(&mut errors, field, floor, (0, 100));
                }
            }
        }
    }
    errors
}

fn check_study(errors: &mut Wrong, p: &StudyParams) {
    hundred(errors, "params.weights", &[p.progress_weight, p.minutes_weight, p.days_weight]);
    if let Some(minutes) = p.full_minutes {
        between(errors, "params.fullMinutes", minutes, (1, 100_000));
    }
    match p.full_days {
        Some(days) => between(errors, "params.fullDays", days, (1, 366)),
        None if p.days_weight > 0 => errors.push(wrong("params.fullDays", "请填写满分天数")),
        None => {}
    }
}

fn check_items(errors: &mut Wrong, p: &ItemsParams) {
    if p.items.is_empty() || p.items.len() > 20 {
        errors.push(wrong("params.items", "评分项应为1到20项"));
        return;
    }
    let weights: Vec<i32> = p.items.iter().map(|item| item.weight).collect();
    hundred(errors, "params.items", &weights);
    let (mut codes, mut names) = (BTreeSet::new(), BTreeSet::new());
    for (place, item) in p.items.iter().enumerate() {
        let coded = (1..=20).contains(&item.code.len())
            && item.code.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_');
        if !coded || !codes.insert(item.code.as_str()) {
            errors.push(wrong(&format!("params.items[{place}].code"), "编码应为20个以内的字母或数字，不能重复"));
        }
        let named = (1..=20).contains(&item.name.chars().count());
        if !named || !names.insert(item.name.as_str()) {
            errors.push(wrong(&format!("params.items[{place}].name"), "名称应为1到20个字，不能重复"));
        }
    }
}

/// 参数摘要, for lists.
pub fn summary(params: &Params) -> String {
    match params {
        Params::Study(p) => format!("进度{}% 时长{}% 天数{}%", p.progress_weight, p.minutes_weight, p.days_weight),
        Params::Homework(p) => match p.n {
            Some(n) if p.method == HomeworkMethod::BestN => format!("最好的{n}次"),
            _ => p.method.zh().to_owned(),
        },
        Params::FinalExam(p) => format!(
            "补考{}次 毕业补考{}次 {}（{}分）",
            p.makeup_limit,
            p.final_makeup_limit,
            p.makeup_method.zh(),
            p.makeup_cap
        ),
        Params::Attendance(p) => p.source.zh().to_owned(),
        Params::Questions(p) => format!("提问{}分 回答{}分 最高{}分", p.per_question, p.per_answer, p.cap),
        Params::Items(p) => {
            let items: Vec<String> = p.items.iter().map(|item| format!("{}{}", item.name, item.weight)).collect();
            items.join(" ")
        }
        Params::Total(p) => {
            let w = &p.weights;
            format!(
                "学习{} 作业{} 考勤{} 答疑{} 卷面{}，及格{}，{}",
                w.study,
                w.homework,
                w.attendance,
                w.questions,
                w.final_exam,
                shown(p.pass()),
                p.grading_mode.zh()
            )
        }
        Params::GraduationTotal(p) => {
            let w = &p.weights;
            format!("实习{} 论文{} 评阅{} 答辩{}，及格{}", w.internship, w.thesis, w.review, w.defense, p.pass_line)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn total(final_exam: i32) -> Value {
        json!({
            "weights": { "study": 20, "homework": 20, "attendance": 0, "questions": 0, "final_exam": final_exam },
            "scale": 0, "passLine": 60,
            "missing": { "study": "zero", "homework": "zero", "attendance": "zero", "questions": "zero", "final_exam": "block" },
            "gradingMode": "percent", "gpaScale": "linear_5"
        })
    }

    fn told(kind: ScoreKind, value: &Value) -> Vec<(String, String)> {
        let errors = read(kind, value).err().unwrap_or_default();
        errors.into_iter().map(|error| (error.field, error.message)).collect()
    }

    #[test]
    fn weights_come_to_a_hundred() {
        assert!(read(ScoreKind::Total, &total(60)).is_ok());
        let of = |sum: i32| vec![("params.weights".to_owned(), format!("权重之和必须为100，当前为{sum}"))];
        assert_eq!(told(ScoreKind::Total, &total(55)), of(95));
        assert_eq!(told(ScoreKind::Total, &total(50)), of(90));
    }

    #[test]
    fn what_is_unknown_or_missing_is_refused() {
        let mut more = total(60);
        more["bonus"] = json!(1);
        assert_eq!(told(ScoreKind::Total, &more)[0].0, "params");
        assert_eq!(told(ScoreKind::Homework, &json!({}))[0].0, "params");
        assert_eq!(told(ScoreKind::Homework, &json!({ "method": "best_n", "n": null }))[0].0, "params.n");
    }

    #[test]
    fn a_day_that_counts_needs_a_full_number() {
        let value = json!({ "progressWeight": 70, "minutesWeight": 20, "daysWeight": 10, "fullMinutes": null, "fullDays": null });
        assert_eq!(told(ScoreKind::Study, &value), vec![("params.fullDays".to_owned(), "请填写满分天数".to_owned())]);
    }

    #[test]
    fn items_have_codes_and_names_of_their_own() {
        let value = json!({ "items": [{ "code": "a", "name": "选题", "weight": 50 }, { "code": "a", "name": "内容", "weight": 50 }],
                            "itemsRequired": false });
        assert_eq!(told(ScoreKind::Thesis, &value)[0].0, "params.items[1].code");
    }

    #[test]
    fn the_rules_of_the_migration_are_right() {
        let rules = [
            (
                ScoreKind::Study,
                r#"{"progressWeight":80,"minutesWeight":20,"daysWeight":0,"fullMinutes":null,"fullDays":null}"#,
            ),
            (
                ScoreKind::FinalExam,
                r#"{"examMinimum":0,"makeupMethod":"exam_only_capped","makeupCap":60,"makeupLimit":2,"finalMakeupLimit":1,"absentTotal":"zero","cheatingMakeup":"none","violationMakeup":true,"disqualifiedMakeup":false}"#,
            ),
            (
                ScoreKind::Attendance,
                r#"{"source":"instruction_total","base":100,"absentDeduct":10,"lateDeduct":3,"leaveDeduct":2,"floor":0,"absenceFailPercent":33}"#,
            ),
            (ScoreKind::Questions, r#"{"perQuestion":10,"perAnswer":5,"cap":100}"#),
            (
                ScoreKind::GraduationTotal,
                r#"{"weights":{"internship":0,"thesis":40,"review":20,"defense":40},"scale":0,"passLine":60,"floors":{"review":60,"defense":60},"excellentMaxPercent":15,"gradingMode":"five_level"}"#,
            ),
        ];
        for (kind, text) in rules {
            let value: Value = serde_json::from_str(text).unwrap();
            let params = read(kind, &value).unwrap();
            assert!(!summary(&params).is_empty(), "{}", kind.zh());
        }
    }
}
