//! Who gets what of a payment, and what a refund takes back of each (01 §9.4): the promoter first, then the lecturer; the platform keeps
//! what remains and bears the provider's fee.

use infra::money::yuan;
use marketing_rules::money::part_of;

/// The parts of a payment. Their sum is what was paid; the fee is the platform's to bear.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Split {
    pub commission: i64,
    pub lecturer: i64,
    pub platform: i64,
    pub fee: i64,
}

/// By what a payment is split.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shares {
    /// The promoter's, in hundredths.
    pub promoter: i64,
    /// The lecturer's of the rest, in ten-thousandths.
    pub lecturer: i64,
    /// The provider's, in ten-thousandths.
    pub fee: i64,
}

/// Parts are rounded down, the fee half up.
pub fn split(paid: i64, shares: Shares) -> Split {
    let commission = paid * shares.promoter / 100;
    let rest = paid - commission;
    let lecturer = rest * shares.lecturer / 10_000;
    Split { commission, lecturer, platform: rest - lecturer, fee: part_of(paid, shares.fee, 10_000) }
}

/// What a refund takes back of each part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Back {
    pub commission: i64,
    pub lecturer: i64,
    pub platform: i64,
}

/// Of a payment of which so much was refunded before. Counted from the whole that is refunded, so that several refunds take back what
/// one would, and the last one the rest.
pub fn taken_back(paid: i64, parts: Split, before: i64, amount: i64) -> Back {
    let of = |part: i64| if paid == 0 { 0 } else { part * (before + amount) / paid - part * before / paid };
    let (commission, lecturer) = (of(parts.commission), of(parts.lecturer));
    Back { commission, lecturer, platform: amount - commission - lecturer }
}

/// What is too much to be refunded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("退款金额不能超过可退金额{}", told(.0))]
pub struct TooMuch(pub i64);

fn told(left: &i64) -> String {
    yuan(*left)
}

/// # Errors
/// When more is asked for than is left of what was paid.
pub fn may_refund(paid: i64, refunded: i64, amount: i64) -> Result<(), TooMuch> {
    let left = paid - refunded;
    if amount > left { Err(TooMuch(left)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARES: Shares = Shares { promoter: 10, lecturer: 7_000, fee: 60 };

    /// The worked figures of 01 §9.4.
    #[test]
    fn a_payment_is_split() {
        let parts = split(17_900, SHARES);
        assert_eq!(parts, Split { commission: 1_790, lecturer: 11_277, platform: 4_833, fee: 107 });
        assert_eq!(parts.commission + parts.lecturer + parts.platform, 17_900);
        let nobody = split(17_900, Shares { fee: 60, ..Shares::default() });
        assert_eq!(nobody, Split { commission: 0, lecturer: 0, platform: 17_900, fee: 107 });
        assert_eq!(split(0, SHARES), Split::default());
    }

    #[test]
    fn a_refund_takes_back_of_each_part() {
        let parts = split(17_900, SHARES);
        let first = taken_back(17_900, parts, 0, 5_000);
        assert_eq!(first, Back { commission: 500, lecturer: 3_150, platform: 1_350 });
        let rest = taken_back(17_900, parts, 5_000, 12_900);
        assert_eq!((first.commission + rest.commission, first.lecturer + rest.lecturer), (1_790, 11_277));
        assert_eq!(first.platform + rest.platform, 4_833);
        assert_eq!(taken_back(0, Split::default(), 0, 0), Back::default());
    }

    /// 01 §9.10 Orders (4).
    #[test]
    fn no_more_goes_back_than_came() {
        assert_eq!(may_refund(17_900, 5_000, 12_900), Ok(()));
        let refused = may_refund(17_900, 5_000, 13_000).map_err(|why| why.to_string());
        assert_eq!(refused, Err("退款金额不能超过可退金额129.00元".to_owned()));
    }
}
