//! 在线作业成绩: of the homework of a course that is over (part 04 §5.3).

use crate::{arith::scaled, enums::HomeworkMethod, params::HomeworkParams};

/// Weight in tenths and score in tenths of each; none where it was missed. None without any: it is not applicable then.
pub fn value(p: &HomeworkParams, rows: &[(i64, Option<i64>)]) -> Option<i64> {
    if rows.is_empty() {
        return None;
    }
    let weighed = |rows: &mut dyn Iterator<Item = (i64, i64)>| {
        let (sum, whole) = rows.fold((0_i128, 0_i128), |(sum, whole), (weight, score)| {
            (sum + i128::from(weight) * i128::from(score), whole + i128::from(weight))
        });
        if whole == 0 { 0 } else { scaled(sum, whole, 1) }
    };
    Some(match p.method {
        HomeworkMethod::Weighted => {
            weighed(&mut rows.iter().map(|(weight, score)| (*weight, score.unwrap_or_default())))
        }
        HomeworkMethod::IgnoreMissed => {
            weighed(&mut rows.iter().filter_map(|(weight, score)| Some((*weight, (*score)?))))
        }
        HomeworkMethod::BestN => {
            let mut scores: Vec<i64> = rows.iter().map(|(_, score)| score.unwrap_or_default()).collect();
            scores.sort_unstable_by(|a, b| b.cmp(a));
            let most = p.n.and_then(|n| usize::try_from(n).ok()).unwrap_or(scores.len()).max(1);
            weighed(&mut scores.into_iter().take(most).map(|score| (1, score)))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missed_homework_counts_as_the_rule_says() {
        let rows = [(10, Some(800)), (10, None), (20, Some(900))];
        let by = |method, n| value(&HomeworkParams { method, n }, &rows);
        assert_eq!(by(HomeworkMethod::Weighted, None), Some(650));
        assert_eq!(by(HomeworkMethod::IgnoreMissed, None), Some(867));
        assert_eq!(by(HomeworkMethod::BestN, Some(2)), Some(850));
        assert_eq!(value(&HomeworkParams { method: HomeworkMethod::Weighted, n: None }, &[]), None);
    }
}
