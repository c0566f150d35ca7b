//! How an attempt comes to its score, in words (part 03 B6, B7).

use question_bank::score::shown;

/// How an attempt comes to its score, in one line.
pub fn said(
    attempt: i32,
    (objective, subjective): (i64, i64),
    percent: i32,
    total: Option<i64>,
    pending: usize,
) -> String {
    let sum = objective + subjective;
    let sums = format!("第{attempt}次：客观分{}＋主观分{}＝{}", shown(objective), shown(subjective), shown(sum));
    match total {
        None => format!("{sums}，还有{pending}题待批阅"),
        Some(total) if percent > 0 => format!("{sums}，迟交扣{percent}%＝{}", shown(total)),
        Some(_) => sums,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_says_how_it_comes_to_its_score() {
        assert_eq!(said(1, (500, 360), 10, Some(774), 0), "第1次：客观分50.0＋主观分36.0＝86.0，迟交扣10%＝77.4");
        assert_eq!(said(2, (500, 285), 0, Some(785), 0), "第2次：客观分50.0＋主观分28.5＝78.5");
        assert_eq!(said(1, (500, 0), 0, None, 2), "第1次：客观分50.0＋主观分0.0＝50.0，还有2题待批阅");
    }
}
