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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_passes() {
        assert_eq!(judge(300, 300, 1, 2), Verdict::Review);
        assert_eq!(judge(301, 300, 1, 2), Verdict::Back("总文字复制比 30.1%，超过30%，请修改后重新提交".to_owned()));
        assert_eq!(judge(310, 300, 2, 2), Verdict::Failed("总文字复制比 31.0%，超过30%".to_owned()));
    }
}
