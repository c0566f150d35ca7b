//! 优惠券: what is typed of one, what it takes off a price, how long it may be used, and what of it still changes (01 §9.4).

use chrono::Duration;
use infra::{Error, Result, clock::Moment, enumeration, money::yuan, naming::tidy};
use learner_rules::enums::ProductType;
use poem_openapi::{Object, types::Example};

use crate::money::{hundredths, part_of};

enumeration! {
    /// 优惠券类型
    pub enum CouponType = "couponType" {
        FullReduction = "full_reduction" "满减",
        Discount = "discount" "折扣",
        Direct = "direct" "立减",
    }
}

enumeration! {
    /// 优惠券适用范围
    pub enum CouponScope = "couponScope" {
        All = "all" "全部商品",
        Category = "category" "指定分类",
        Product = "product" "指定商品",
    }
}

enumeration! {
    /// 优惠券有效期类型
    pub enum CouponValidity = "couponValidType" {
        Fixed = "fixed" "固定时间",
        Days = "days" "领取后若干天",
    }
}

enumeration! {
    /// 优惠券使用状态
    pub enum CouponUserStatus = "couponUserStatus" {
        Unused = "unused" "未使用",
        Locked = "locked" "占用",
        Used = "used" "已使用",
        Expired = "expired" "已过期",
    }
}

/// What an operator types of a coupon. What its kind does not ask for is left aside.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CouponForm {
    /// 名称
    #[oai(validator(max_length = 30))]
    pub coupon_name: String,
    /// 类型
    pub coupon_type: CouponType,
    /// 使用门槛(分)
    /// 满减时必填：价格达到该金额才能使用
    #[oai(validator(minimum(value = "0"), maximum(value = "100000000")))]
    pub threshold: Option<i64>,
    /// 优惠金额(分)
    /// 满减和立减时必填
    #[oai(validator(minimum(value = "1"), maximum(value = "100000000")))]
    pub amount: Option<i64>,
    /// 折扣
    /// 折扣时必填，0.9即按90%付款，最多两位小数
    #[oai(validator(minimum(value = "0.01"), maximum(value = "0.99")))]
    pub rate: Option<f64>,
    /// 最多优惠(分)
    /// 折扣时可填，不填为不限
    #[oai(validator(minimum(value = "1"), maximum(value = "100000000")))]
    pub max_discount: Option<i64>,
    /// 适用范围
    pub scope_type: CouponScope,
    /// 适用商品类型
    /// 指定商品时必填
    pub scope_product_type: Option<ProductType>,
    /// 适用的分类或商品
    /// 指定分类或指定商品时必填，分类包括其下级
    #[oai(validator(max_items = 200))]
    pub scope_ids: Option<Vec<i64>>,
    /// 发放总量
    #[oai(validator(minimum(value = "1"), maximum(value = "10000000")))]
    pub total_count: i32,
    /// 每人限领
    /// 不填为1张
    #[oai(validator(minimum(value = "1"), maximum(value = "100")))]
    pub per_limit: Option<i32>,
    /// 领取开始时间
    pub receive_begins_at: Moment,
    /// 领取截止时间
    pub receive_ends_at: Moment,
    /// 有效期类型
    pub valid_type: CouponValidity,
    /// 有效期开始
    /// 固定时间时必填
    pub valid_from: Option<Moment>,
    /// 有效期结束
    /// 固定时间时必填
    pub valid_to: Option<Moment>,
    /// 有效天数
    /// 领取后若干天时必填
    #[oai(validator(minimum(value = "1"), maximum(value = "3650")))]
    pub valid_days: Option<i32>,
}

impl Example for CouponForm {
    fn example() -> Self {
        let begins = Moment::default();
        Self {
            coupon_name: "满150减20".to_owned(),
            coupon_type: CouponType::FullReduction,
            threshold: Some(15_000),
            amount: Some(2_000),
            rate: None,
            max_discount: None,
            scope_type: CouponScope::All,
            scope_product_type: None,
            scope_ids: None,
            total_count: 500,
            per_limit: Some(1),
            receive_begins_at: begins,
            receive_ends_at: begins + Duration::days(30),
            valid_type: CouponValidity::Days,
            valid_from: None,
            valid_to: None,
            valid_days: Some(30),
        }
    }
}

/// A coupon as it was typed, with nothing that its kind does not ask for.
#[derive(Debug, Clone, PartialEq)]
pub struct TypedCoupon {
    pub coupon_name: String,
    pub terms: Terms,
    /// As it was typed, of discounts.
    pub rate: Option<f64>,
    pub scope_type: CouponScope,
    pub scope_product_type: Option<ProductType>,
    pub scope_ids: Vec<i64>,
    pub total_count: i32,
    pub per_limit: i32,
    pub receive_begins_at: Moment,
    pub receive_ends_at: Moment,
    pub valid_type: CouponValidity,
    pub valid_from: Option<Moment>,
    pub valid_to: Option<Moment>,
    pub valid_days: Option<i32>,
}

/// What a coupon takes off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    pub kind: CouponType,
    pub threshold: i64,
    pub amount: Option<i64>,
    /// What is paid with a discount, in hundredths.
    pub rate: Option<i64>,
    pub max_discount: Option<i64>,
}

/// Why a coupon takes nothing off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("未满{}，不能使用该优惠券", told(.0))]
    BelowThreshold(i64),
}

fn told(threshold: &i64) -> String {
    yuan(*threshold)
}

impl Terms {
    /// What people read of it: 满150.00元减20.00元.
    pub fn words(&self) -> String {
        let amount = self.amount.unwrap_or_default();
        match (self.kind, self.max_discount) {
            (CouponType::FullReduction, _) => format!("满{}减{}", yuan(self.threshold), yuan(amount)),
            (CouponType::Direct, _) => format!("立减{}", yuan(amount)),
            (CouponType::Discount, None) => format!("按{}%付款", self.rate.unwrap_or(100)),
            (CouponType::Discount, Some(most)) => {
                format!("按{}%付款，最多减{}", self.rate.unwrap_or(100), yuan(most))
            }
        }
    }

    /// What is taken off a price; never more than the price.
    ///
    /// # Errors
    /// A full reduction below its threshold.
    pub fn taken_off(&self, price: i64) -> Result<i64, Refusal> {
        let amount = self.amount.unwrap_or_default();
        let off = match self.kind {
            CouponType::FullReduction if price < self.threshold => {
                return Err(Refusal::BelowThreshold(self.threshold));
            }
            CouponType::FullReduction | CouponType::Direct => amount,
            CouponType::Discount => {
                let off = part_of(price, 100 - self.rate.unwrap_or(100), 100);
                self.max_discount.map_or(off, |most| off.min(most))
            }
        };
        Ok(off.min(price))
    }
}

/// The form with its fields checked and what its kind does not ask for left aside.
///
/// # Errors
/// 422 at the field: what its kind needs is missing, times that do not follow each other, a rate finer than two places.
pub fn checked(form: CouponForm) -> Result<TypedCoupon> {
    let missing = |field: &str, message: &str| Error::field(field, message);
    let kind = form.coupon_type;
    let amount = match kind {
        CouponType::Discount => None,
        CouponType::FullReduction | CouponType::Direct => {
            Some(form.amount.ok_or_else(|| missing("amount", "请填写优惠金额"))?)
        }
    };
    let threshold = match kind {
        CouponType::FullReduction => {
            let threshold = form.threshold.filter(|least| *least > 0);
            threshold.ok_or_else(|| missing("threshold", "请填写使用门槛"))?
        }
        CouponType::Discount | CouponType::Direct => 0,
    };
    if amount.is_some_and(|amount| kind == CouponType::FullReduction && amount > threshold) {
        return Err(missing("amount", "优惠金额不能高于使用门槛"));
    }
    let (rate, max_discount) = match kind {
        CouponType::Discount => {
            let typed = form.rate.ok_or_else(|| missing("rate", "请填写折扣"))?;
            hundredths(typed).ok_or_else(|| missing("rate", "折扣最多两位小数"))?;
            (Some(typed), form.max_discount)
        }
        CouponType::FullReduction | CouponType::Direct => (None, None),
    };
    let mut scope_ids = form.scope_ids.unwrap_or_default();
    scope_ids.sort_unstable();
    scope_ids.dedup();
    let (scope_product_type, scope_ids) = match form.scope_type {
        CouponScope::All => (None, Vec::new()),
        _ if scope_ids.is_empty() => return Err(missing("scopeIds", "请选择适用的分类或商品")),
        CouponScope::Category => (None, scope_ids),
        CouponScope::Product => {
            let kind = form.scope_product_type.ok_or_else(|| missing("scopeProductType", "请选择适用商品类型"))?;
            (Some(kind), scope_ids)
        }
    };
    if form.receive_ends_at <= form.receive_begins_at {
        return Err(missing("receiveEndsAt", "领取截止时间必须晚于开始时间"));
    }
    let (valid_from, valid_to, valid_days) = match form.valid_type {
        CouponValidity::Fixed => {
            let from = form.valid_from.ok_or_else(|| missing("validFrom", "请填写有效期开始"))?;
            let to = form.valid_to.ok_or_else(|| missing("validTo", "请填写有效期结束"))?;
            if to <= from {
                return Err(missing("validTo", "有效期结束必须晚于开始"));
            }
            (Some(from), Some(to), None)
        }
        CouponValidity::Days => {
            (None, None, Some(form.valid_days.ok_or_else(|| missing("validDays", "请填写有效天数"))?))
        }
    };
    Ok(TypedCoupon {
        coupon_name: tidy(&form.coupon_name),
        terms: Terms { kind, threshold, amount, rate: rate.and_then(hundredths), max_discount },
        rate,
        scope_type: form.scope_type,
        scope_product_type,
        scope_ids,
        total_count: form.total_count,
        per_limit: form.per_limit.unwrap_or(1),
        receive_begins_at: form.receive_begins_at,
        receive_ends_at: form.receive_ends_at,
        valid_type: form.valid_type,
        valid_from,
        valid_to,
        valid_days,
    })
}

/// What was typed of a coupon that so many have received already.
///
/// # Errors
/// 409 when more changes than name, number and end of receipt; 422 at `totalCount` below what was received.
pub fn may_become(before: &TypedCoupon, after: &TypedCoupon, received: i32) -> Result<()> {
    if after.total_count < received {
        return Err(Error::field("totalCount", format!("已领取{received}张，发放总量不能低于该数量")));
    }
    let kept = TypedCoupon {
        coupon_name: after.coupon_name.clone(),
        total_count: after.total_count,
        receive_ends_at: after.receive_ends_at,
        ..before.clone()
    };
    if received > 0 && kept != *after {
        return Err(Error::conflict("已有用户领取，仅可修改名称、数量和截止时间"));
    }
    Ok(())
}

/// How long a coupon may be used that is received now; none when it would have ended already.
pub fn validity(
    now: Moment,
    (from, to): (Option<Moment>, Option<Moment>),
    days: Option<i32>,
) -> Option<(Moment, Moment)> {
    let (from, to) = match (from, to, days) {
        (Some(from), Some(to), _) => (from, to),
        (_, _, days) => (now, now + Duration::days(days.unwrap_or_default().into())),
    };
    (to > now).then_some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFF: Terms = Terms {
        kind: CouponType::FullReduction,
        threshold: 15_000,
        amount: Some(2_000),
        rate: None,
        max_discount: None,
    };

    fn discount(rate: i64, most: Option<i64>) -> Terms {
        Terms { kind: CouponType::Discount, threshold: 0, amount: None, rate: Some(rate), max_discount: most }
    }

    /// The worked figures of 01 §9.4.
    #[test]
    fn a_coupon_takes_off_what_its_kind_says() {
        assert_eq!(OFF.taken_off(16_915), Ok(2_000));
        assert_eq!(OFF.taken_off(15_000), Ok(2_000));
        assert_eq!(OFF.taken_off(14_999), Err(Refusal::BelowThreshold(15_000)));
        assert_eq!(discount(90, Some(1_500)).taken_off(16_915), Ok(1_500));
        assert_eq!(discount(90, None).taken_off(16_915), Ok(1_692));
        let direct = Terms { kind: CouponType::Direct, threshold: 0, ..OFF };
        assert_eq!(direct.taken_off(1_500), Ok(1_500), "never below nothing");
        assert_eq!(OFF.words(), "满150.00元减20.00元");
        assert_eq!(discount(90, Some(1_500)).words(), "按90%付款，最多减15.00元");
        assert_eq!(Refusal::BelowThreshold(15_000).to_string(), "未满150.00元，不能使用该优惠券");
    }

    fn wrong(change: impl FnOnce(&mut CouponForm)) -> String {
        let mut form = CouponForm::example();
        change(&mut form);
        checked(form).map_or_else(|error| error.msg.into_owned(), |_| String::new())
    }

    #[test]
    fn a_kind_asks_for_its_own_fields() {
        assert_eq!(wrong(|_| ()), "");
        assert_eq!(wrong(|form| form.amount = None), "请填写优惠金额");
        assert_eq!(wrong(|form| form.threshold = None), "请填写使用门槛");
        assert_eq!(wrong(|form| form.amount = Some(15_001)), "优惠金额不能高于使用门槛");
        assert_eq!(wrong(|form| form.coupon_type = CouponType::Discount), "请填写折扣");
        let finer = |form: &mut CouponForm| {
            form.coupon_type = CouponType::Discount;
            form.rate = Some(0.855);
        };
        assert_eq!(wrong(finer), "折扣最多两位小数");
        assert_eq!(wrong(|form| form.scope_type = CouponScope::Category), "请选择适用的分类或商品");
        let product = |form: &mut CouponForm| {
            form.scope_type = CouponScope::Product;
            form.scope_ids = Some(vec![1]);
        };
        assert_eq!(wrong(product), "请选择适用商品类型");
        assert_eq!(wrong(|form| form.receive_ends_at = form.receive_begins_at), "领取截止时间必须晚于开始时间");
        assert_eq!(wrong(|form| form.valid_type = CouponValidity::Fixed), "请填写有效期开始");
        assert_eq!(wrong(|form| form.valid_days = None), "请填写有效天数");
    }

    /// 01 §9.10 Orders (9): 480 received, 500 to give; 470 is too few.
    #[test]
    fn what_was_received_binds_the_terms() {
        let before = checked(CouponForm::example()).expect("a coupon");
        let with = |change: fn(&mut TypedCoupon)| {
            let mut after = before.clone();
            change(&mut after);
            after
        };
        assert!(may_become(&before, &with(|coupon| coupon.total_count = 480), 480).is_ok());
        let fewer = may_become(&before, &with(|coupon| coupon.total_count = 470), 480);
        assert_eq!(fewer.map_err(|error| error.code), Err(422));
        let renamed = with(|coupon| {
            coupon.coupon_name = "春季券".to_owned();
            coupon.receive_ends_at = coupon.receive_ends_at + Duration::days(1);
        });
        assert!(may_become(&before, &renamed, 1).is_ok());
        let other = with(|coupon| coupon.terms.amount = Some(3_000));
        assert!(may_become(&before, &other, 0).is_ok(), "nobody has one");
        let refused = may_become(&before, &other, 1).map_err(|error| error.msg.into_owned());
        assert_eq!(refused, Err("已有用户领取，仅可修改名称、数量和截止时间".to_owned()));
    }

    #[test]
    fn a_coupon_is_good_for_its_days() {
        let now: Moment = "2027-05-01T10:00:00+08:00".parse().expect("a moment");
        let later = now + Duration::days(30);
        assert_eq!(validity(now, (None, None), Some(30)), Some((now, later)));
        assert_eq!(validity(now, (Some(now), Some(later)), None), Some((now, later)));
        assert_eq!(validity(later, (Some(now), Some(later)), None), None);
    }
}
