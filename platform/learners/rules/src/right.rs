//! 权益: until when somebody may use what they got (01 §9.4, §9.6).

use chrono::Duration;
use infra::clock::Moment;

/// Why nothing is granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("该学员已长期拥有该商品，无需赠送")]
    ForEver,
}

/// What somebody has of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    Nothing,
    ForEver,
    Until(Moment),
}

/// When a right ends that lasts so many days more: they begin when what runs ends, or now.
///
/// # Errors
/// Whoever has the product for ever needs none.
pub fn extended(now: Moment, held: Held, days: i32) -> Result<Moment, Refusal> {
    let from = match held {
        Held::ForEver => return Err(Refusal::ForEver),
        Held::Until(end) if end > now => end,
        Held::Until(_) | Held::Nothing => now,
    };
    Ok(from + Duration::days(days.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Moment {
        text.parse().expect("a moment")
    }

    /// 01 §9.10 Learners (5).
    #[test]
    fn days_of_an_owned_product_extend_it() {
        let now = at("2027-01-31T10:00:00+08:00");
        let held = Held::Until(at("2027-02-15T00:00:00+08:00"));
        assert_eq!(extended(now, held, 30), Ok(at("2027-03-17T00:00:00+08:00")));
        let ended = Held::Until(at("2027-01-01T00:00:00+08:00"));
        assert_eq!(extended(now, ended, 30), Ok(at("2027-03-02T10:00:00+08:00")));
        assert_eq!(extended(now, Held::Nothing, 1), Ok(at("2027-02-01T10:00:00+08:00")));
    }

    #[test]
    fn what_is_owned_for_ever_is_not_extended() {
        let refused = extended(at("2027-01-31T10:00:00+08:00"), Held::ForEver, 30);
        assert_eq!(refused, Err(Refusal::ForEver));
    }
}
