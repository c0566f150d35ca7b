//! 毕业总成绩: of practical work, thesis, review and defence; whoever is below the floor of a part does not pass (part 04 §8.2).

use crate::{
    arith::{scaled, shown},
    levels,
    params::GraduationTotalParams,
};

/// The parts, in tenths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GraduationParts {
    pub internship: Option<i64>,
    pub thesis: Option<i64>,
    pub review: Option<i64>,
    pub defense: Option<i64>,
}

/// What they come to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraduationTotal {
    pub total: Option<i64>,
    pub word: Option<String>,
    /// 否决原因.
    pub veto: Option<String>,
    /// Parts that are needed and not there.
    pub missing: Vec<&'static str>,
    pub passed: bool,
}

/// The total of a thesis; none as long as a part that weighs is missing.
pub fn graduation(p: &GraduationTotalParams, parts: &GraduationParts) -> GraduationTotal {
    let all = [
        ("实习成绩", parts.internship, p.weights.internship, p.floors.internship),
        ("论文成绩", parts.thesis, p.weights.thesis, p.floors.thesis),
        ("评阅成绩", parts.review, p.weights.review, p.floors.review),
        ("答辩成绩", parts.defense, p.weights.defense, p.floors.defense),
    ];
    let needed = all.iter().filter(|(.., weight, _)| *weight > 0);
    let missing: Vec<&'static str> =
        needed.clone().filter(|(_, value, ..)| value.is_none()).map(|(name, ..)| *name).collect();
    if !missing.is_empty() {
        return GraduationTotal { missing, ..GraduationTotal::default() };
    }
    let sum: i128 =
        needed.map(|(_, value, weight, _)| i128::from(value.unwrap_or_default()) * i128::from(*weight)).sum();
    let (pass, places) = (i64::from(p.pass_line) * 10, if p.scale == 0 { 0 } else { 1 });
    let mut total = scaled(sum, 100, places);
    let below = all.iter().filter(|(.., weight, _)| *weight > 0).find_map(|(name, value, _, floor)| {
        let floor = (*floor)?;
        value.is_some_and(|value| value < i64::from(floor) * 10).then(|| format!("{name}低于{floor}分"))
    });
    if below.is_some() {
        total = total.min(pass - 10);
    }
    let word = levels::word(p.grading_mode, total);
    GraduationTotal {
        total: Some(total),
        word: Some(if word.is_empty() { shown(total) } else { word.to_owned() }),
        veto: below,
        missing,
        passed: total >= pass,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        enums::GradingMode,
        params::{GraduationFloors, GraduationWeights},
    };

    fn rule(weights: [i32; 4]) -> GraduationTotalParams {
        let [internship, thesis, review, defense] = weights;
        GraduationTotalParams {
            weights: GraduationWeights { internship, thesis, review, defense },
            scale: 0,
            pass_line: 60,
            floors: GraduationFloors { review: Some(60), defense: Some(60), ..GraduationFloors::default() },
            excellent_max_percent: 15,
            grading_mode: GradingMode::FiveLevel,
        }
    }

    fn parts(internship: Option<i64>, thesis: i64, review: i64, defense: i64) -> GraduationParts {
        GraduationParts { internship, thesis: Some(thesis), review: Some(review), defense: Some(defense) }
    }

    #[test]
    fn parts_are_weighed_and_floors_hold() {
        let total = graduation(&rule([0, 40, 20, 40]), &parts(None, 820, 750, 700));
        assert_eq!(
            (total.total, total.word.as_deref(), total.veto, total.passed),
            (Some(760), Some("中等"), None, true)
        );
        let vetoed = graduation(&rule([0, 40, 20, 40]), &parts(None, 820, 750, 550));
        assert_eq!((vetoed.total, vetoed.word.as_deref(), vetoed.passed), (Some(590), Some("不及格"), false));
        assert_eq!(vetoed.veto.as_deref(), Some("答辩成绩低于60分"));
        assert_eq!(graduation(&rule([10, 35, 20, 35]), &parts(Some(900), 820, 750, 700)).total, Some(770));
    }

    #[test]
    fn without_a_part_there_is_no_total() {
        let none = GraduationParts { defense: None, ..parts(None, 820, 750, 0) };
        let total = graduation(&rule([0, 40, 20, 40]), &none);
        assert_eq!((total.total, total.missing), (None, vec!["答辩成绩"]));
    }
}
