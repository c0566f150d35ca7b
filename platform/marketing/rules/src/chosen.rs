//! 分销商品: what is typed of a product of whose price promoters get a part (01 §9.4).

use chrono::Duration;
use infra::{Error, Result, clock::Moment};
use learner_rules::enums::ProductType;
use poem_openapi::{Object, types::Example};

use crate::money::hundredths;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ChosenForm {
    /// 商品类型
    pub product_type: ProductType,
    /// 商品编号
    pub product_id: i64,
    /// 佣金比例
    /// 0.01至0.50，最多两位小数
    #[oai(validator(minimum(value = "0.01"), maximum(value = "0.5")))]
    pub ratio: f64,
    /// 开始时间
    pub begins_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 分享海报模板
    pub poster_template_id: Option<i64>,
}

impl Example for ChosenForm {
    fn example() -> Self {
        let begins_at = Moment::default();
        Self {
            product_type: ProductType::Record,
            product_id: 1,
            ratio: 0.1,
            begins_at,
            ends_at: begins_at + Duration::days(30),
            poster_template_id: None,
        }
    }
}

/// # Errors
/// 422 for a ratio finer than two places, and for a span that does not begin before it ends.
pub fn checked(form: ChosenForm) -> Result<ChosenForm> {
    if hundredths(form.ratio).is_none() {
        return Err(Error::field("ratio", "佣金比例最多两位小数"));
    }
    if form.ends_at <= form.begins_at {
        return Err(Error::field("endsAt", "结束时间必须晚于开始时间"));
    }
    Ok(form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_has_two_places() {
        let with = |ratio: f64| checked(ChosenForm { ratio, ..ChosenForm::example() }).map_err(|error| error.code);
        assert!(with(0.29).is_ok());
        assert_eq!(with(0.105).map(|_| ()), Err(422));
        let form = ChosenForm::example();
        assert!(checked(ChosenForm { ends_at: form.begins_at, ..form }).is_err());
    }
}
