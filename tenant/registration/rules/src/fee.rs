//! 缴费: what was paid, and whether it is noted (02 §7, §16).

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{
    Change, Error, Result,
    clock::{Moment, day_began},
    money::yuan,
};
use poem_openapi::{Object, types::Example};

use crate::{
    arriving::{Arriving, RegistrationItem},
    enums::{FeeSource, RegistrationStatus},
};

/// Who has paid what, or has not.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RegistrationFees {
    /// 报到
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<RegistrationItem>,
    /// 已缴费
    /// 否时清除缴费记录
    pub fee_paid: bool,
    /// 实缴金额(分)
    /// 已缴费时填写
    #[oai(validator(minimum(value = "0"), maximum(value = "100000000")))]
    pub paid_amount: Option<i64>,
    /// 缴费日期
    /// 已缴费时填写
    pub paid_at: Option<NaiveDate>,
    /// 流水号
    /// 只在办理一人时填写
    #[oai(validator(max_length = 64))]
    pub trade_no: Option<String>,
}

impl Example for RegistrationFees {
    fn example() -> Self {
        Self {
            items: vec![RegistrationItem { id: 1, version: 1 }],
            fee_paid: true,
            paid_amount: Some(280_000),
            paid_at: NaiveDate::from_ymd_opt(2026, 2, 25),
            trade_no: None,
        }
    }
}

/// What was paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// 分.
    pub amount: i64,
    pub paid_at: Moment,
    pub trade_no: Option<String>,
}

/// What the body says was paid; none when the people have not paid.
///
/// # Errors
/// 422 at the field that is missing, or that cannot be.
pub fn said(wanted: &RegistrationFees, today: NaiveDate) -> Result<Option<Payment>> {
    if !wanted.fee_paid {
        return Ok(None);
    }
    let amount = wanted.paid_amount.ok_or_else(|| Error::field("paidAmount", "请填写实缴金额"))?;
    let day = wanted.paid_at.ok_or_else(|| Error::field("paidAt", "请填写缴费日期"))?;
    if day > today {
        return Err(Error::field("paidAt", LATER));
    }
    let trade_no = wanted.trade_no.as_deref().map(str::trim).filter(|no| !no.is_empty()).map(ToOwned::to_owned);
    if trade_no.is_some() && wanted.items.len() > 1 {
        return Err(Error::field("tradeNo", "流水号是一人一笔的，请逐人填写"));
    }
    Ok(Some(Payment { amount, paid_at: day_began(day), trade_no }))
}

/// What is told of a day that has not come.
pub const LATER: &str = "缴费日期不能晚于今天";

/// # Errors
/// Why nothing is noted of what the person pays.
pub fn payable(person: &Arriving) -> Result<(), String> {
    use RegistrationStatus::{NoShow, Pending, Reported, Reserved};
    person.only(&[Pending, NoShow, Reserved, Reported], "登记缴费")
}

/// What is known of payments: of some people, and of some trade numbers.
pub struct Ledger {
    pub of: HashMap<i64, Known>,
    /// By trade number whose it is; somebody's beyond the caller's scope too, so nobody is named.
    pub taken: HashMap<String, i64>,
}

/// What somebody has paid.
#[derive(Debug, Clone)]
pub struct Known {
    pub payment: Option<Payment>,
    pub source: Option<FeeSource>,
}

impl Ledger {
    /// Whether the payment is to be written; not when it was before.
    ///
    /// # Errors
    /// Why it cannot be: the trade number is somebody else's, or the person has paid otherwise.
    pub fn judge(&self, id: i64, payment: &Payment) -> Result<bool, NotPaid> {
        if let Some(owner) = payment.trade_no.as_ref().and_then(|no| self.taken.get(no)) {
            if *owner != id {
                return Err(NotPaid::Taken);
            }
            // The same payment was told before.
            return Ok(false);
        }
        match self.of.get(&id).and_then(|known| known.payment.as_ref()) {
            None => Ok(true),
            Some(paid) if payment.trade_no.is_none() && same(paid, payment) => Ok(false),
            // A number is added to what was noted without one.
            Some(paid) if paid.trade_no.is_none() && same(paid, payment) => Ok(true),
            Some(paid) => Err(NotPaid::Before(paid.clone())),
        }
    }

    /// Whether it was paid online.
    pub fn is_online(&self, id: i64) -> bool {
        self.of.get(&id).is_some_and(|known| known.source == Some(FeeSource::Payment))
    }

    /// That something was told of somebody which changes nothing: every call that writes leaves a record.
    pub fn untouched(&self, id: i64) -> Change {
        Change::edited("registration", id, &self.told(id), &self.told(id))
    }

    /// What is known of somebody, as the trail tells it.
    pub fn told(&self, id: i64) -> Paid {
        let known = self.of.get(&id);
        told(known.and_then(|known| known.payment.as_ref()), known.and_then(|known| known.source))
    }
}

/// Whether both tell the same payment, their trade numbers aside.
fn same(one: &Payment, other: &Payment) -> bool {
    one.amount == other.amount && one.paid_at.date_naive() == other.paid_at.date_naive()
}

/// What somebody has paid, as the trail tells it.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct Paid {
    /// 已缴费
    pub fee_paid: bool,
    /// 实缴金额(分)
    pub paid_amount: Option<i64>,
    /// 缴费时间
    pub paid_at: Option<Moment>,
    /// 流水号
    pub trade_no: Option<String>,
    /// 缴费来源
    pub fee_source: Option<FeeSource>,
}

/// What was paid, and how it is known, as the trail tells it.
pub fn told(payment: Option<&Payment>, source: Option<FeeSource>) -> Paid {
    Paid {
        fee_paid: payment.is_some(),
        paid_amount: payment.map(|payment| payment.amount),
        paid_at: payment.map(|payment| payment.paid_at),
        trade_no: payment.and_then(|payment| payment.trade_no.clone()),
        fee_source: source,
    }
}

/// Why a payment is not noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotPaid {
    /// The trade number is another person's.
    Taken,
    /// The person has paid otherwise.
    Before(Payment),
}

impl NotPaid {
    /// In words.
    pub fn message(&self) -> String {
        match self {
            Self::Taken => "流水号已用于其他人员的缴费".to_owned(),
            Self::Before(paid) => {
                let (day, yuan) = (paid.paid_at.format("%Y-%m-%d"), yuan(paid.amount));
                format!("该生已于{day}缴费{yuan}，如需更改请先取消缴费标记")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn payment(amount: i64, on: &str, trade_no: Option<&str>) -> Payment {
        Payment { amount, paid_at: day_began(day(on)), trade_no: trade_no.map(ToOwned::to_owned) }
    }

    #[test]
    fn a_payment_is_noted_once() {
        let paid = Known { payment: Some(payment(280_000, "2026-02-25", None)), source: Some(FeeSource::Import) };
        let none = Known { payment: None, source: None };
        let ledger = Ledger { of: [(1, none), (2, paid)].into(), taken: [("T1".to_owned(), 1)].into() };
        assert_eq!(ledger.judge(1, &payment(280_000, "2026-02-25", None)), Ok(true));
        assert_eq!(ledger.judge(1, &payment(280_000, "2026-02-25", Some("T1"))), Ok(false));
        assert_eq!(ledger.judge(2, &payment(280_000, "2026-02-25", None)), Ok(false));
        assert_eq!(ledger.judge(2, &payment(280_000, "2026-02-25", Some("T2"))), Ok(true));
        let told = |id, payment: &Payment| ledger.judge(id, payment).err().map(|why| why.message()).unwrap_or_default();
        assert_eq!(told(2, &payment(280_000, "2026-02-25", Some("T1"))), "流水号已用于其他人员的缴费");
        assert_eq!(
            told(2, &payment(290_000, "2026-02-26", None)),
            "该生已于2026-02-25缴费2800.00元，如需更改请先取消缴费标记"
        );
    }

    #[test]
    fn what_was_paid_is_said_whole() {
        let wanted = RegistrationFees::example();
        let told =
            |wanted: &RegistrationFees| said(wanted, day("2026-02-25")).err().map(|error| error.msg.into_owned());
        assert_eq!(told(&wanted), None);
        assert_eq!(said(&RegistrationFees { fee_paid: false, ..wanted.clone() }, day("2026-02-25")), Ok(None));
        let told_of = |wanted| told(&wanted).unwrap_or_default();
        assert_eq!(told_of(RegistrationFees { paid_amount: None, ..wanted.clone() }), "请填写实缴金额");
        assert_eq!(told_of(RegistrationFees { paid_at: None, ..wanted.clone() }), "请填写缴费日期");
        let later = RegistrationFees { paid_at: Some(day("2026-02-26")), ..wanted.clone() };
        assert_eq!(told_of(later), "缴费日期不能晚于今天");
        let two = vec![RegistrationItem { id: 1, version: 1 }, RegistrationItem { id: 2, version: 1 }];
        let shared = RegistrationFees { items: two, trade_no: Some("T1".to_owned()), ..wanted };
        assert_eq!(told_of(shared), "流水号是一人一笔的，请逐人填写");
    }
}
