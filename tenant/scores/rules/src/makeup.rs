//! 补考: how often, what it comes to, and which round counts (part 04 §5.4).

use crate::{
    arith::scaled,
    enums::{CheatingMakeup, EffectiveRound, ExamRound, MakeupMethod, ScoreMark},
    params::{FinalExamParams, TotalParams},
    total::{Part, Parts, Step, Total, formula},
};

/// How often somebody may still try.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Chances {
    pub makeup: i32,
    pub final_makeup: i32,
}

/// What is left to whoever did not pass, by the mark of what counts and the rounds that were used.
pub fn chances(p: &FinalExamParams, mark: ScoreMark, used: (i32, i32)) -> Chances {
    let (makeups, finals) = used;
    let all =
        Chances { makeup: (p.makeup_limit - makeups).max(0), final_makeup: (p.final_makeup_limit - finals).max(0) };
    match mark {
        ScoreMark::Normal | ScoreMark::Absent => all,
        ScoreMark::Violation if p.violation_makeup => all,
        ScoreMark::Disqualified if p.disqualified_makeup => all,
        ScoreMark::Cheating if p.cheating_makeup == CheatingMakeup::OnceBeforeGraduation => {
            Chances { makeup: 0, final_makeup: (1 - finals).max(0) }
        }
        ScoreMark::Violation
        | ScoreMark::Disqualified
        | ScoreMark::Cheating
        | ScoreMark::Deferred
        | ScoreMark::Exempt => Chances::default(),
    }
}

/// The total of a make-up with this examination, in tenths; a mark of it goes before the number.
pub fn total(p: &FinalExamParams, t: &TotalParams, parts: &Parts, exam: i64) -> Total {
    let with = Parts { exam: Part::Value(exam), ..*parts };
    match parts.exam_mark {
        ScoreMark::Normal => {}
        ScoreMark::Violation if !parts.zero_exam => {}
        _ => return crate::total::total(t, p, &with),
    }
    let cap = i64::from(p.makeup_cap) * 10;
    match p.makeup_method {
        MakeupMethod::ExamOnlyCapped => {
            let rounded = scaled(i128::from(exam), 1, t.places());
            let passed = rounded >= t.pass();
            let value = if passed { cap } else { rounded };
            let text = if passed { "卷面及格，按封顶分计" } else { "卷面不及格，按卷面计" };
            let steps = vec![Step { name: p.makeup_method.zh().to_owned(), text: text.to_owned() }];
            Total { value: Some(value), mark: ScoreMark::Normal, passed: Some(passed), blocked: Vec::new(), steps }
        }
        MakeupMethod::RecomputeCapped => {
            let mut counted = formula(t, p, &with);
            if counted.passed == Some(true) && counted.value.is_some_and(|value| value > cap) {
                counted.value = Some(cap);
                counted.steps.push(Step { name: "封顶".to_owned(), text: format!("不高于{}", p.makeup_cap) });
            }
            counted
        }
        MakeupMethod::Recompute => formula(t, p, &with),
    }
}

/// What counts of all rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effective {
    pub value: Option<i64>,
    pub mark: ScoreMark,
    pub passed: Option<bool>,
    pub round: EffectiveRound,
    /// The round of an examination that it is of.
    pub exam: ExamRound,
}

/// The greatest of the first and the later rounds; of two alike the earlier. What has no value gives way to what has one.
pub fn effective(first: Option<&Total>, later: &[(ExamRound, Total)]) -> Effective {
    let first = first.map(|total| (ExamRound::First, total));
    let mut best: Option<(ExamRound, &Total)> = None;
    for (round, total) in first.into_iter().chain(later.iter().map(|(round, total)| (*round, total))) {
        let better = match best {
            None => true,
            Some((_, known)) if known.mark == ScoreMark::Exempt => false,
            Some((_, known)) => total.mark == ScoreMark::Exempt || total.value > known.value,
        };
        if better {
            best = Some((round, total));
        }
    }
    match best {
        None => Effective {
            value: None,
            mark: ScoreMark::Normal,
            passed: None,
            round: EffectiveRound::First,
            exam: ExamRound::First,
        },
        Some((exam, total)) => {
            let round = if total.mark == ScoreMark::Exempt { EffectiveRound::Exempt } else { exam.effective() };
            Effective { value: total.value, mark: total.mark, passed: total.passed, round, exam }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::total::tests::{exam, parts, rule};

    fn came(method: MakeupMethod, exam_value: i64) -> (Option<i64>, Option<bool>) {
        let total = total(&exam(0, method), &rule(), &parts(405, 405, 0), exam_value);
        (total.value, total.passed)
    }

    #[test]
    fn a_make_up_counts_as_the_rule_says() {
        assert_eq!(came(MakeupMethod::ExamOnlyCapped, 830), (Some(600), Some(true)));
        assert_eq!(came(MakeupMethod::RecomputeCapped, 830), (Some(600), Some(true)));
        assert_eq!(came(MakeupMethod::Recompute, 830), (Some(660), Some(true)));
        assert_eq!(came(MakeupMethod::ExamOnlyCapped, 410), (Some(410), Some(false)));
        let cheated = Parts { exam_mark: ScoreMark::Cheating, ..parts(405, 405, 0) };
        assert_eq!(total(&exam(0, MakeupMethod::Recompute), &rule(), &cheated, 830).value, Some(0));
    }

    #[test]
    fn a_make_up_never_lowers() {
        let of = |value, passed| Total {
            value: Some(value),
            mark: ScoreMark::Normal,
            passed: Some(passed),
            blocked: vec![],
            steps: vec![],
        };
        let first = of(480, false);
        let worse = effective(Some(&first), &[(ExamRound::Makeup, of(410, false))]);
        assert_eq!((worse.value, worse.passed, worse.round), (Some(480), Some(false), EffectiveRound::First));
        let better = effective(Some(&first), &[(ExamRound::Makeup, of(600, true))]);
        assert_eq!((better.value, better.round), (Some(600), EffectiveRound::Makeup));
        let deferred = Total { value: None, mark: ScoreMark::Deferred, passed: None, blocked: vec![], steps: vec![] };
        let later = effective(Some(&deferred), &[(ExamRound::Deferred, of(720, true))]);
        assert_eq!((later.value, later.mark, later.round), (Some(720), ScoreMark::Normal, EffectiveRound::Deferred));
        assert_eq!(effective(Some(&deferred), &[]).mark, ScoreMark::Deferred);
    }

    #[test]
    fn chances_run_out() {
        let p = exam(0, MakeupMethod::ExamOnlyCapped);
        let left = |mark, used| {
            let chances = chances(&p, mark, used);
            (chances.makeup, chances.final_makeup)
        };
        assert_eq!(left(ScoreMark::Normal, (0, 0)), (2, 1));
        assert_eq!(left(ScoreMark::Absent, (2, 0)), (0, 1));
        assert_eq!(left(ScoreMark::Normal, (3, 1)), (0, 0));
        assert_eq!(left(ScoreMark::Cheating, (0, 0)), (0, 0));
        assert_eq!(left(ScoreMark::Violation, (0, 0)), (2, 1));
        assert_eq!(left(ScoreMark::Disqualified, (0, 0)), (0, 0));
        let once = FinalExamParams { cheating_makeup: CheatingMakeup::OnceBeforeGraduation, ..p.clone() };
        assert_eq!(super::chances(&once, ScoreMark::Cheating, (0, 0)), Chances { makeup: 0, final_makeup: 1 });
        assert_eq!(super::chances(&once, ScoreMark::Cheating, (0, 1)), Chances::default());
    }
}
