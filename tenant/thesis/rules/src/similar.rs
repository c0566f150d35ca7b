//! 查重: how often a thesis may be too similar.

/// What a rate means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Review,
    Back(String),
    Failed(String),
}

/// Rate and limit in tenths of a percent; `count` with this check among them.
pub fn judge(rate: i64, limit: i64, count: i32, attempts: i32) -> Verdict {
    if rate <= limit {
        return Verdict::Review;
    }
    let limit = if limit % 10 == 0 { (limit / 10).to_string() } else { format!("{}.{}", limit / 10, limit % 10) };
    let told = format!("总文字复制比 {}.{}%，超过{limit}%", rate / 10, rate % 10);
    if count < attempts { Verdict::Back(format!("{told}，请修改后重新提交")) } else { Verdict::Failed(told) }
}

/// How rates are counted together.
pub const BANDS: [&str; 5] = ["不超过10%", "10%–20%", "20%–30%", "30%–40%", "40%以上"];

/// Where a rate in tenths of a percent is counted.
pub fn band(rate: i64) -> usize {
    match rate {
        ..=100 => 0,
        101..=200 => 1,
        201..=300 => 2,
        301..=400 => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_passes() {
        assert_eq!(judge(300, 300, 1, 2), Verdict::Review);
        assert_eq!(judge(301, 300, 1, 2), Verdict::Back("总文字复制比 30.1%，超过30%，请修改后重新提交".to_owned()));
        assert_eq!(judge(310, 300, 2, 2), Verdict::Failed("总文字复制比 31.0%，超过30%".to_owned()));
    }

    #[test]
    fn a_limit_closes_its_band() {
        assert_eq!([0, 100, 101, 300, 301, 1_000].map(band), [0, 0, 1, 2, 3, 4]);
        assert_eq!(BANDS.len(), band(1_000) + 1);
    }
}
