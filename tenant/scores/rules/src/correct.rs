//! 成绩更正: counted anew by the formula of the day on which the score was submitted (part 04 §6.4).

use poem_openapi::types::{ParseFromJSON, ToJSON};
use serde_json::{Value, json};

use crate::{
    enums::{ExamRound, ScoreCorrectionStatus, ScoreMark},
    makeup::{self, Effective, effective},
    params::{FinalExamParams, TotalParams},
    total::{Part, Parts, Total, total},
};

/// 公式快照.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    pub rule_id: i64,
    pub rule_version: i32,
    pub total: TotalParams,
    pub exam: FinalExamParams,
}

impl Formula {
    pub fn to_json(&self) -> Value {
        json!({
            "ruleId": self.rule_id,
            "ruleVersion": self.rule_version,
            "weights": self.total.weights.to_json(),
            "params": { "total": self.total.to_json(), "finalExam": self.exam.to_json() },
        })
    }

    /// None of what was imported, or made elsewhere.
    pub fn read(value: &Value) -> Option<Self> {
        Some(Self {
            rule_id: value["ruleId"].as_i64()?,
            rule_version: i32::try_from(value["ruleVersion"].as_i64()?).ok()?,
            total: TotalParams::parse_from_json(Some(value["params"]["total"].clone())).ok()?,
            exam: FinalExamParams::parse_from_json(Some(value["params"]["finalExam"].clone())).ok()?,
        })
    }
}

/// A round as it was examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    pub round: ExamRound,
    /// In tenths of a hundred.
    pub value: Option<i64>,
    pub mark: ScoreMark,
    pub zero_exam: bool,
}

/// What each round comes to.
pub fn of_round(formula: &Formula, parts: &Parts, round: &Round) -> Total {
    let exam = round.value.map_or(Part::None, Part::Value);
    let with = Parts { exam, exam_mark: round.mark, zero_exam: round.zero_exam, ..*parts };
    if round.round.is_first() {
        return total(&formula.total, &formula.exam, &with);
    }
    match round.value {
        Some(value) => makeup::total(&formula.exam, &formula.total, &with, value),
        None if round.mark == ScoreMark::Normal => total(&formula.total, &formula.exam, &with),
        None => makeup::total(&formula.exam, &formula.total, &with, 0),
    }
}

/// All rounds in their order, each with its total, and what counts of them.
pub fn recomputed(formula: &Formula, parts: &Parts, rounds: &[Round]) -> (Vec<Total>, Effective) {
    let totals: Vec<Total> = rounds.iter().map(|round| of_round(formula, parts, round)).collect();
    let mut first = None;
    let mut later = Vec::new();
    for (round, total) in rounds.iter().zip(&totals) {
        match round.round {
            ExamRound::First => first = Some(total),
            other => later.push((other, total.clone())),
        }
    }
    let effective = effective(first, &later);
    (totals, effective)
}

/// Why a correction is not decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("该更正{}，不能再审核", .0.zh())]
    Decided(ScoreCorrectionStatus),
    #[error("不能审核自己申请的更正")]
    Own,
}

/// Where a decision leads.
///
/// # Errors
/// What was decided already; the applicant's own.
pub const fn after(from: ScoreCorrectionStatus, pass: bool, own: bool) -> Result<ScoreCorrectionStatus, Refusal> {
    match from {
        ScoreCorrectionStatus::Applied if own => Err(Refusal::Own),
        ScoreCorrectionStatus::Applied if pass => Ok(ScoreCorrectionStatus::Approved),
        ScoreCorrectionStatus::Applied => Ok(ScoreCorrectionStatus::Rejected),
        ScoreCorrectionStatus::Approved | ScoreCorrectionStatus::Rejected | ScoreCorrectionStatus::Cancelled => {
            Err(Refusal::Decided(from))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        enums::{EffectiveRound, MakeupMethod},
        total::tests::{exam, parts, rule},
    };

    fn formula() -> Formula {
        Formula { rule_id: 9, rule_version: 2, total: rule(), exam: exam(0, MakeupMethod::ExamOnlyCapped) }
    }

    fn first(value: i64) -> Round {
        Round { round: ExamRound::First, value: Some(value), mark: ScoreMark::Normal, zero_exam: false }
    }

    #[test]
    fn a_snapshot_is_read_as_it_was_kept() {
        assert_eq!(Formula::read(&formula().to_json()), Some(formula()));
        assert_eq!(Formula::read(&json!({ "imported": true })), None);
    }

    #[test]
    fn a_correction_is_counted_by_the_frozen_formula() {
        let of = |value| recomputed(&formula(), &parts(500, 500, 0), &[first(value)]).1;
        assert_eq!((of(580).value, of(580).passed), (Some(550), Some(false)));
        assert_eq!((of(610).value, of(610).passed), (Some(570), Some(false)));
        let makeup = Round { round: ExamRound::Makeup, ..first(830) };
        let (totals, effective) = recomputed(&formula(), &parts(500, 500, 0), &[first(480), makeup]);
        assert_eq!((totals.len(), effective.value, effective.round), (2, Some(600), EffectiveRound::Makeup));
    }

    #[test]
    fn who_applied_does_not_decide() {
        use ScoreCorrectionStatus::{Applied, Approved, Rejected};
        assert_eq!(after(Applied, true, false), Ok(Approved));
        assert_eq!(after(Applied, false, false), Ok(Rejected));
        assert_eq!(after(Applied, true, true), Err(Refusal::Own));
        assert_eq!(after(Approved, true, false), Err(Refusal::Decided(Approved)));
    }
}
