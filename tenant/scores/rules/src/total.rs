//! 总评: marks first, then the weights of what applies, rounded once, then the least of the examination (part 04 §5.3).

use crate::{
    arith::{scaled, shown},
    enums::{AbsentTotal, ExamRound, GradingMode, PartMissing, ScoreKind, ScoreMark},
    levels,
    params::{FinalExamParams, TotalParams},
};

/// A part of a total, in tenths. None is not 0, and not applicable is not none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Component {
    Value(i64),
    #[default]
    None,
    NotApplicable,
}

pub use Component as Part;

impl Component {
    pub const fn value(self) -> Option<i64> {
        match self {
            Self::Value(value) => Some(value),
            Self::None | Self::NotApplicable => None,
        }
    }
}

/// What a total is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    pub study: Part,
    pub homework: Part,
    pub attendance: Part,
    pub questions: Part,
    pub exam: Part,
    pub exam_mark: ScoreMark,
    /// A violation voids the examination.
    pub zero_exam: bool,
}

/// A line of the explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub name: String,
    pub text: String,
}

/// What a total came to, in tenths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Total {
    pub value: Option<i64>,
    pub mark: ScoreMark,
    pub passed: Option<bool>,
    /// What is missing and may not be.
    pub blocked: Vec<ScoreKind>,
    pub steps: Vec<Step>,
}

fn step(name: &str, text: impl Into<String>) -> Step {
    Step { name: name.to_owned(), text: text.into() }
}

fn marked(mark: ScoreMark, value: Option<i64>, passed: Option<bool>) -> Total {
    let text = value.map_or_else(|| mark.zh().to_owned(), |value| format!("{}，总评{}", mark.zh(), shown(value)));
    Total { value, mark, passed, blocked: Vec::new(), steps: vec![step("特殊情况", text)] }
}

/// The total of a round that counts as the first examination.
pub fn total(p: &TotalParams, exam: &FinalExamParams, parts: &Parts) -> Total {
    match parts.exam_mark {
        ScoreMark::Cheating | ScoreMark::Disqualified => marked(parts.exam_mark, Some(0), Some(false)),
        ScoreMark::Violation if parts.zero_exam => marked(ScoreMark::Violation, Some(0), Some(false)),
        ScoreMark::Deferred => marked(ScoreMark::Deferred, None, None),
        ScoreMark::Exempt => marked(ScoreMark::Exempt, None, Some(true)),
        ScoreMark::Absent => match exam.absent_total {
            AbsentTotal::Zero => marked(ScoreMark::Absent, Some(0), Some(false)),
            AbsentTotal::Compute => {
                let counted = formula(p, exam, &Parts { exam: Part::Value(0), ..*parts });
                Total { mark: ScoreMark::Absent, ..counted }
            }
        },
        ScoreMark::Normal | ScoreMark::Violation => formula(p, exam, parts),
    }
}

/// By the weights alone.
pub(crate) fn formula(p: &TotalParams, exam: &FinalExamParams, parts: &Parts) -> Total {
    let (w, missing) = (&p.weights, &p.missing);
    let all = [
        (ScoreKind::Study, parts.study, w.study, missing.study),
        (ScoreKind::Homework, parts.homework, w.homework, missing.homework),
        (ScoreKind::Attendance, parts.attendance, w.attendance, missing.attendance),
        (ScoreKind::Questions, parts.questions, w.questions, missing.questions),
        (ScoreKind::FinalExam, parts.exam, w.final_exam, missing.final_exam),
    ];
    let (mut sum, mut whole, mut blocked, mut steps) = (0_i128, 0_i128, Vec::new(), Vec::new());
    for (kind, part, weight, missing) in all {
        if weight == 0 {
            continue;
        }
        let weight = i128::from(weight);
        match (part, missing) {
            (Part::Value(value), _) => {
                sum += weight * i128::from(value);
                whole += weight;
                steps.push(step(kind.zh(), format!("{} × {weight}%", shown(value))));
            }
            (Part::NotApplicable, _) => steps.push(step(kind.zh(), "不适用，按其余项折算")),
            (Part::None, PartMissing::Redistribute) => steps.push(step(kind.zh(), "无成绩，按其余项折算")),
            (Part::None, PartMissing::Zero) => {
                whole += weight;
                steps.push(step(kind.zh(), format!("无成绩，按0 × {weight}%")));
            }
            (Part::None, PartMissing::Block) => {
                blocked.push(kind);
                steps.push(step(kind.zh(), "缺少成绩"));
            }
        }
    }
    if whole == 0 && blocked.is_empty() {
        blocked.push(ScoreKind::FinalExam);
    }
    if !blocked.is_empty() {
        return Total { value: None, mark: parts.exam_mark, passed: None, blocked, steps };
    }
    let mut value = scaled(sum, whole, p.places());
    steps.push(step("加权", format!("{} ÷ {whole}% = {}", shown_hundredths(sum), shown(value))));
    let least = i64::from(exam.exam_minimum) * 10;
    if parts.exam.value().is_some_and(|exam| exam < least) && value > p.pass() - 10 {
        value = p.pass() - 10;
        steps.push(step("卷面最低分", format!("卷面低于{}分，总评不高于{}", exam.exam_minimum, shown(value))));
    }
    Total { value: Some(value), mark: ScoreMark::Normal, passed: Some(value >= p.pass()), blocked, steps }
}

/// 平时成绩: what the parts beside the examination come to by their weights; none where none of them applies.
pub fn usual(p: &TotalParams, parts: &Parts) -> Option<i64> {
    let (w, missing) = (&p.weights, &p.missing);
    let all = [
        (parts.study, w.study, missing.study),
        (parts.homework, w.homework, missing.homework),
        (parts.attendance, w.attendance, missing.attendance),
        (parts.questions, w.questions, missing.questions),
    ];
    let (mut sum, mut whole) = (0_i128, 0_i128);
    for (part, weight, missing) in all {
        let value = match (part, missing) {
            (Part::Value(value), _) => value,
            (Part::None, PartMissing::Zero) => 0,
            (Part::None, PartMissing::Redistribute | PartMissing::Block) | (Part::NotApplicable, _) => continue,
        };
        sum += i128::from(weight) * i128::from(value);
        whole += i128::from(weight);
    }
    (whole > 0).then(|| scaled(sum, whole, 1))
}

/// A sum of tenths by hundredths as a number.
fn shown_hundredths(sum: i128) -> String {
    format!("{}.{:03}", sum / 1_000, sum % 1_000)
}

/// 成绩显示 of a total: `86`, `良好`, `60(补考)`, `缺考`.
pub fn text(total: &Total, mode: GradingMode, round: ExamRound) -> String {
    let said = match (total.mark, total.value) {
        (ScoreMark::Normal, Some(value)) => {
            let word = levels::word(mode, value);
            if word.is_empty() { shown(value) } else { word.to_owned() }
        }
        (ScoreMark::Normal, None) => return String::new(),
        (mark, _) => return mark.zh().to_owned(),
    };
    match round {
        ExamRound::Makeup if total.passed == Some(true) => format!("{said}(补考)"),
        ExamRound::FinalMakeup if total.passed == Some(true) => format!("{said}(毕业补考)"),
        _ => said,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{
        enums::{CheatingMakeup, GpaScale, MakeupMethod},
        params::{TotalMissing, TotalWeights},
    };

    pub(crate) fn rule() -> TotalParams {
        TotalParams {
            weights: TotalWeights { study: 20, homework: 20, attendance: 0, questions: 0, final_exam: 60 },
            scale: 0,
            pass_line: 60,
            missing: TotalMissing {
                study: PartMissing::Zero,
                homework: PartMissing::Zero,
                attendance: PartMissing::Zero,
                questions: PartMissing::Zero,
                final_exam: PartMissing::Block,
            },
            grading_mode: GradingMode::Percent,
            gpa_scale: GpaScale::Linear5,
        }
    }

    pub(crate) fn exam(minimum: i32, method: MakeupMethod) -> FinalExamParams {
        FinalExamParams {
            exam_minimum: minimum,
            makeup_method: method,
            makeup_cap: 60,
            makeup_limit: 2,
            final_makeup_limit: 1,
            absent_total: AbsentTotal::Zero,
            cheating_makeup: CheatingMakeup::None,
            violation_makeup: true,
            disqualified_makeup: false,
        }
    }

    pub(crate) fn parts(study: i64, homework: i64, exam: i64) -> Parts {
        Parts {
            study: Part::Value(study),
            homework: Part::Value(homework),
            attendance: Part::NotApplicable,
            questions: Part::NotApplicable,
            exam: Part::Value(exam),
            exam_mark: ScoreMark::Normal,
            zero_exam: false,
        }
    }

    fn came(p: &TotalParams, minimum: i32, parts: &Parts) -> (Option<i64>, Option<bool>) {
        let total = total(p, &exam(minimum, MakeupMethod::ExamOnlyCapped), parts);
        (total.value, total.passed)
    }

    #[test]
    fn what_applies_is_weighed_and_rounded_once() {
        let p = rule();
        assert_eq!(came(&p, 0, &parts(855, 900, 520)), (Some(660), Some(true)));
        let without = Parts { homework: Part::NotApplicable, ..parts(855, 0, 520) };
        assert_eq!(came(&p, 0, &without), (Some(600), Some(true)));
        assert_eq!(came(&p, 0, &parts(600, 600, 591)), (Some(590), Some(false)));
        assert_eq!(came(&TotalParams { scale: 1, ..rule() }, 0, &parts(600, 600, 591)), (Some(595), Some(false)));
        assert_eq!(came(&p, 0, &parts(600, 600, 592)), (Some(600), Some(true)));
    }

    #[test]
    fn an_examination_below_its_least_fails() {
        assert_eq!(came(&rule(), 50, &parts(1_000, 1_000, 450)), (Some(590), Some(false)));
        assert_eq!(came(&rule(), 45, &parts(1_000, 1_000, 450)), (Some(670), Some(true)));
    }

    #[test]
    fn marks_go_before_numbers() {
        let of = |mark| {
            total(&rule(), &exam(0, MakeupMethod::Recompute), &Parts { exam_mark: mark, ..parts(1_000, 1_000, 1_000) })
        };
        assert_eq!((of(ScoreMark::Cheating).value, of(ScoreMark::Cheating).passed), (Some(0), Some(false)));
        assert_eq!(text(&of(ScoreMark::Cheating), GradingMode::Percent, ExamRound::First), "作弊");
        assert_eq!((of(ScoreMark::Deferred).value, of(ScoreMark::Deferred).passed), (None, None));
        assert_eq!((of(ScoreMark::Exempt).value, of(ScoreMark::Exempt).passed), (None, Some(true)));
        assert_eq!(of(ScoreMark::Absent).value, Some(0));
        // A reprimand alone takes nothing away.
        assert_eq!((of(ScoreMark::Violation).value, of(ScoreMark::Violation).mark), (Some(1_000), ScoreMark::Normal));
        let void = Parts { exam_mark: ScoreMark::Violation, zero_exam: true, ..parts(1_000, 1_000, 1_000) };
        assert_eq!(total(&rule(), &exam(0, MakeupMethod::Recompute), &void).value, Some(0));
        let compute = FinalExamParams { absent_total: AbsentTotal::Compute, ..exam(0, MakeupMethod::Recompute) };
        let absent = total(
            &rule(),
            &compute,
            &Parts { exam_mark: ScoreMark::Absent, exam: Part::None, ..parts(1_000, 1_000, 0) },
        );
        assert_eq!((absent.value, absent.mark), (Some(400), ScoreMark::Absent));
    }

    #[test]
    fn what_is_missing_blocks_or_counts_nothing() {
        let none = Parts { exam: Part::None, ..parts(855, 900, 0) };
        let blocked = total(&rule(), &exam(0, MakeupMethod::Recompute), &none);
        assert_eq!((blocked.value, blocked.blocked), (None, vec![ScoreKind::FinalExam]));
        let zero = Parts { homework: Part::None, ..parts(855, 0, 520) };
        assert_eq!(came(&rule(), 0, &zero).0, Some(480));
        let mut spread = rule();
        spread.missing.homework = PartMissing::Redistribute;
        assert_eq!(came(&spread, 0, &zero).0, Some(600));
    }

    #[test]
    fn the_usual_score_leaves_the_examination_out() {
        assert_eq!(usual(&rule(), &parts(855, 900, 520)), Some(878));
        let none = Parts { homework: Part::None, ..parts(855, 0, 520) };
        assert_eq!(usual(&rule(), &none), Some(428), "none counts nothing");
        let neither = Parts { study: Part::NotApplicable, homework: Part::NotApplicable, ..parts(0, 0, 520) };
        assert_eq!(usual(&rule(), &neither), None);
    }

    #[test]
    fn words_of_totals() {
        let of = |value, passed| Total {
            value: Some(value),
            mark: ScoreMark::Normal,
            passed: Some(passed),
            blocked: vec![],
            steps: vec![],
        };
        assert_eq!(text(&of(860, true), GradingMode::Percent, ExamRound::First), "86");
        assert_eq!(text(&of(850, true), GradingMode::FiveLevel, ExamRound::First), "良好");
        assert_eq!(text(&of(600, true), GradingMode::Percent, ExamRound::Makeup), "60(补考)");
        assert_eq!(text(&of(600, true), GradingMode::Percent, ExamRound::FinalMakeup), "60(毕业补考)");
        assert_eq!(text(&of(410, false), GradingMode::Percent, ExamRound::Makeup), "41");
    }
}
