//! Scores in tenths of a point: what is added, divided and compared is never a float (part 03 §0.1).

/// Beyond any score, and far enough from the end of a number that sums of many do not reach it.
const FAR: f64 = 1e12;

/// A score of the wire in tenths; one place is all that it may have.
pub fn tenths(score: f64) -> i64 {
    (score * 10.0).round().clamp(-FAR, FAR) as i64
}

/// The same as the wire has it.
pub fn points(tenths: i64) -> f64 {
    tenths as f64 / 10.0
}

/// For a person: `98.0`.
pub fn shown(tenths: i64) -> String {
    format!("{}.{}", tenths / 10, (tenths % 10).abs())
}

/// Whether a score of the wire has one place at the most and lies between these, in tenths.
pub fn is_score(score: f64, least: i64, most: i64) -> bool {
    let exact = tenths(score);
    (score * 10.0 - exact as f64).abs() < 1e-6 && (least..=most).contains(&exact)
}

/// `a × b / c`, rounded half up; of positive numbers.
pub const fn part(a: i64, b: i64, c: i64) -> i64 {
    (2 * a * b + c) / (2 * c)
}

/// A score over parts in the proportion of their own scores, in steps of half a point, the remainder to the last
/// (part 03 A8): 10 over 3:3:3 is 3.5, 3.5 and 3.0. A score that is too small for halves goes in tenths, at least one to each.
/// Fewer tenths than parts cannot be shared: the parts keep their own scores, whose sum tells it to whoever asks.
pub fn distributed(score: i64, over: &[i64]) -> Vec<i64> {
    let shared = in_steps(score, over, 5).or_else(|| in_steps(score, over, 1)).or_else(|| each_a_tenth(score, over));
    shared.unwrap_or_else(|| over.to_vec())
}

/// A tenth to each part, what is left in their proportion, the remainder to the last.
fn each_a_tenth(score: i64, over: &[i64]) -> Option<Vec<i64>> {
    let sum: i64 = over.iter().sum();
    let left = score.checked_sub(i64::try_from(over.len()).ok()?).filter(|left| *left >= 0 && sum > 0)?;
    let mut parts: Vec<i64> = over.iter().map(|own| 1 + left * own / sum).collect();
    let given: i64 = parts.iter().sum();
    *parts.last_mut()? += score - given;
    Some(parts)
}

/// None where a part would get nothing.
fn in_steps(score: i64, over: &[i64], step: i64) -> Option<Vec<i64>> {
    let sum: i64 = over.iter().sum();
    let (_, first) = over.split_last().filter(|_| sum > 0)?;
    let mut parts: Vec<i64> = first.iter().map(|own| part(score, *own, sum * step) * step).collect();
    parts.push(score - parts.iter().sum::<i64>());
    parts.iter().all(|part| *part > 0).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_over_three_equal_parts() {
        assert_eq!(distributed(100, &[30, 30, 30]), [35, 35, 30]);
        assert_eq!(distributed(60, &[20, 20, 20]), [20, 20, 20]);
        assert_eq!(distributed(100, &[50]), [100]);
        assert_eq!(distributed(20, &[10, 20, 10]).iter().sum::<i64>(), 20);
        assert_eq!(distributed(10, &[10, 10, 10, 10]), [3, 3, 3, 1], "too little for halves");
        assert_eq!(distributed(5, &[1, 100]), [1, 4], "nothing for the first by its proportion");
        assert_eq!(distributed(6, &[10, 10, 10, 10]), [1, 1, 1, 3], "nothing for the last by theirs");
        assert_eq!(distributed(3, &[10, 10, 10, 10]), [10, 10, 10, 10], "four tenths are needed");
    }

    #[test]
    fn halves_go_up() {
        assert_eq!(part(50, 2, 3), 33);
        assert_eq!(part(5, 1, 2), 3, "0.25 is 0.3");
        assert_eq!(shown(980), "98.0");
        assert!(is_score(2.5, 5, 1000) && is_score(0.1, 1, 1000));
        assert!(!is_score(0.05, 1, 1000) && !is_score(100.1, 5, 1000));
        assert!(!is_score(1e300, 1, 1000) && tenths(1e300).checked_mul(1_000).is_some());
    }
}
