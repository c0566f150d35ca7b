//! Grade words and the numbers that stand for them (part 04 §0.5).

use crate::enums::GradingMode;

/// The word of a number; of a hundred the number itself has none.
pub const fn word(mode: GradingMode, value: i64) -> &'static str {
    match mode {
        GradingMode::Percent => "",
        GradingMode::FiveLevel => match value {
            900.. => "优秀",
            800.. => "良好",
            700.. => "中等",
            600.. => "及格",
            _ => "不及格",
        },
        GradingMode::TwoLevel => {
            if value >= 600 {
                "合格"
            } else {
                "不合格"
            }
        }
    }
}

/// The number that stands for a word, in tenths.
pub fn stored(word: &str) -> Option<i64> {
    Some(match word {
        "优秀" => 950,
        "良好" => 850,
        "中等" | "合格" => 750,
        "及格" => 650,
        "不及格" | "不合格" => 500,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_numbers_and_back() {
        for five in ["优秀", "良好", "中等", "及格", "不及格"] {
            assert_eq!(word(GradingMode::FiveLevel, stored(five).unwrap()), five);
        }
        assert_eq!((word(GradingMode::FiveLevel, 899), word(GradingMode::FiveLevel, 900)), ("良好", "优秀"));
        assert_eq!((word(GradingMode::TwoLevel, 750), word(GradingMode::TwoLevel, 500)), ("合格", "不合格"));
        assert_eq!(stored("甲"), None);
    }
}
