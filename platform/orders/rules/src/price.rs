//! How a price comes about (01 §9.4): the seckill's, or else what is asked, less what members pay less, less what a coupon takes off.

use marketing_rules::{
    coupon::{Refusal as CouponRefusal, Terms},
    money::part_of,
};

/// What a price is made of.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'c> {
    /// What the product is sold for.
    pub price_sale: i64,
    /// Of a running seckill: then neither membership nor coupon count.
    pub seckill: Option<i64>,
    /// What a member pays, in hundredths.
    pub member_rate: Option<i64>,
    pub coupon: Option<&'c Terms>,
}

/// A price with what led to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    pub vip_discount: i64,
    pub coupon_discount: i64,
    /// Never below nothing.
    pub to_pay: i64,
}

/// Why there is no price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("秒杀商品不能使用优惠券")]
    CouponWithSeckill,
    #[error(transparent)]
    Coupon(CouponRefusal),
}

/// # Errors
/// For a coupon with a seckill, and one that the price does not reach.
pub fn derived(asked: Asked<'_>) -> Result<Price, Refusal> {
    if let Some(price) = asked.seckill {
        return match asked.coupon {
            Some(_) => Err(Refusal::CouponWithSeckill),
            None => Ok(Price { vip_discount: 0, coupon_discount: 0, to_pay: price }),
        };
    }
    let members = asked.member_rate.map_or(asked.price_sale, |rate| part_of(asked.price_sale, rate, 100));
    let coupon_discount = match asked.coupon {
        Some(terms) => terms.taken_off(members).map_err(Refusal::Coupon)?,
        None => 0,
    };
    Ok(Price { vip_discount: asked.price_sale - members, coupon_discount, to_pay: members - coupon_discount })
}

#[cfg(test)]
mod tests {
    use marketing_rules::coupon::CouponType;

    use super::*;

    const OFF: Terms = Terms {
        kind: CouponType::FullReduction,
        threshold: 15_000,
        amount: Some(2_000),
        rate: None,
        max_discount: None,
    };
    const ASKED: Asked<'static> = Asked { price_sale: 19_900, seckill: None, member_rate: None, coupon: None };

    /// The worked figures of 01 §9.4 and §9.10 Orders (1).
    #[test]
    fn membership_comes_before_the_coupon() {
        let member = Asked { member_rate: Some(85), ..ASKED };
        assert_eq!(derived(member).map(|price| price.to_pay), Ok(16_915));
        let with = derived(Asked { coupon: Some(&OFF), ..member });
        assert_eq!(with, Ok(Price { vip_discount: 2_985, coupon_discount: 2_000, to_pay: 14_915 }));
        let tenth =
            Terms { kind: CouponType::Discount, threshold: 0, amount: None, rate: Some(90), max_discount: Some(1_500) };
        assert_eq!(derived(Asked { coupon: Some(&tenth), ..member }).map(|price| price.to_pay), Ok(15_415));
    }

    #[test]
    fn a_seckill_has_its_price_alone() {
        let seckill = Asked { seckill: Some(990), member_rate: Some(85), ..ASKED };
        assert_eq!(derived(seckill), Ok(Price { vip_discount: 0, coupon_discount: 0, to_pay: 990 }));
        assert_eq!(derived(Asked { coupon: Some(&OFF), ..seckill }), Err(Refusal::CouponWithSeckill));
    }

    #[test]
    fn a_coupon_takes_a_price_to_nothing_at_most() {
        let direct = Terms { kind: CouponType::Direct, amount: Some(30_000), ..OFF };
        assert_eq!(derived(Asked { coupon: Some(&direct), ..ASKED }).map(|price| price.to_pay), Ok(0));
        let cheap = Asked { price_sale: 14_999, coupon: Some(&OFF), ..ASKED };
        assert_eq!(derived(cheap), Err(Refusal::Coupon(CouponRefusal::BelowThreshold(15_000))));
    }
}
