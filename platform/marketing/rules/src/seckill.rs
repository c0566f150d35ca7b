//! 秒杀活动: when it runs, and what of it changes while it does (01 §9.4).

use chrono::Duration;
use infra::{Error, Result, clock::Moment, enumeration, naming::tidy};
use learner_rules::enums::ProductType;
use poem_openapi::{Object, types::Example};

enumeration! {
    /// 秒杀活动状态
    pub enum SeckillState = "seckillState" {
        Waiting = "waiting" "未开始",
        Running = "running" "进行中",
        Ended = "ended" "已结束",
    }
}

impl SeckillState {
    /// Of a span at a moment; its end belongs to it no more.
    pub fn at(now: Moment, begins: Moment, ends: Moment) -> Self {
        if now < begins {
            Self::Waiting
        } else if now < ends {
            Self::Running
        } else {
            Self::Ended
        }
    }
}

/// What an operator types.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SeckillForm {
    /// 活动名称
    #[oai(validator(max_length = 30))]
    pub activity_name: String,
    /// 商品类型
    pub product_type: ProductType,
    /// 商品编号
    pub product_id: i64,
    /// 秒杀价(分)
    /// 须低于优惠价
    #[oai(validator(minimum(value = "0"), maximum(value = "100000000")))]
    pub seckill_price: i64,
    /// 库存
    #[oai(validator(minimum(value = "1"), maximum(value = "1000000")))]
    pub stock_total: i32,
    /// 每人限购
    /// 不填为1
    #[oai(validator(minimum(value = "1"), maximum(value = "99")))]
    pub per_limit: Option<i32>,
    /// 开始时间
    pub begins_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
}

impl Example for SeckillForm {
    fn example() -> Self {
        let begins_at = Moment::default();
        Self {
            activity_name: "五一秒杀".to_owned(),
            product_type: ProductType::Record,
            product_id: 1,
            seckill_price: 990,
            stock_total: 100,
            per_limit: Some(1),
            begins_at,
            ends_at: begins_at + Duration::hours(2),
        }
    }
}

/// The form, tidy and with what was left out.
///
/// # Errors
/// 422 for a span that does not begin before it ends.
pub fn checked(mut form: SeckillForm) -> Result<SeckillForm> {
    form.activity_name = tidy(&form.activity_name);
    form.per_limit = Some(form.per_limit.unwrap_or(1));
    if form.ends_at <= form.begins_at {
        return Err(Error::field("endsAt", "结束时间必须晚于开始时间"));
    }
    Ok(form)
}

/// Whether a seckill that stands so may be typed anew like this.
///
/// # Errors
/// 409 for one that has ended, and for more than the end and a larger stock of one that runs.
pub fn may_become(state: SeckillState, before: &SeckillForm, after: &SeckillForm) -> Result<()> {
    match state {
        SeckillState::Waiting => Ok(()),
        SeckillState::Ended => Err(Error::conflict("活动已结束，不能修改")),
        SeckillState::Running => {
            let kept = SeckillForm { stock_total: after.stock_total, ends_at: after.ends_at, ..before.clone() };
            if kept != *after || after.stock_total < before.stock_total {
                return Err(Error::conflict("活动进行中，仅可修改结束时间和增加库存"));
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_begins_and_ends() {
        let form = SeckillForm::example();
        let state = |at| SeckillState::at(at, form.begins_at, form.ends_at);
        assert_eq!(state(form.begins_at - Duration::seconds(1)), SeckillState::Waiting);
        assert_eq!(state(form.begins_at), SeckillState::Running);
        assert_eq!(state(form.ends_at), SeckillState::Ended);
    }

    #[test]
    fn what_runs_gets_longer_and_larger_only() {
        let before = checked(SeckillForm::example()).expect("a seckill");
        let running = |change: fn(&mut SeckillForm)| {
            let mut after = before.clone();
            change(&mut after);
            may_become(SeckillState::Running, &before, &after).map_err(|error| error.code)
        };
        assert_eq!(running(|form| form.stock_total = 200), Ok(()));
        assert_eq!(running(|form| form.ends_at = form.ends_at + Duration::hours(1)), Ok(()));
        assert_eq!(running(|form| form.stock_total = 99), Err(409));
        assert_eq!(running(|form| form.seckill_price = 1), Err(409));
        let cheaper = SeckillForm { seckill_price: 1, ..before.clone() };
        assert!(may_become(SeckillState::Waiting, &before, &cheaper).is_ok());
        assert!(may_become(SeckillState::Ended, &before, &before).is_err());
    }
}
