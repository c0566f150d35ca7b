//! 缴费: who has paid, marked by hand, by a sheet or by a payment (02 §7, §16). Only flags come here; what is to be paid and what is
//! paid back is other parts' work.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{
    Allowed, Body, BulkFailure, BulkResult, Change, Error, OnConstraint, Reply, Result, Scope, Tx,
    clock::{Moment, day_began},
    reply,
    transfer::Imported,
};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    EditRegistration,
    held::{Arriving, RegistrationItem, Rows, held, rows},
};
use crate::enums::{FeeSource, RegistrationStatus};

/// The most that somebody pays at once, 分.
pub(super) const MOST: i64 = 100_000_000;

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

pub struct Fees;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Fees {
    /// 标记缴费
    #[oai(path = "/fee", method = "put", operation_id = "markRegistrationFees")]
    async fn mark(
        &self,
        caller: Allowed<EditRegistration>,
        Body(wanted): Body<RegistrationFees>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let payment = said(&wanted, tx.app().clock().today())?;
        let (result, changes) = match payment {
            Some(payment) => mark(&mut tx, &wanted.items, &payment, &caller.scope()).await?,
            None => clear(&mut tx, &wanted.items, &caller.scope()).await?,
        };
        tx.commit_all(changes).await?;
        Ok(reply(result))
    }
}

/// What was paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Payment {
    /// 分.
    pub amount: i64,
    pub paid_at: Moment,
    pub trade_no: Option<String>,
}

/// What the body says was paid; none when the people have not paid.
///
/// # Errors
/// 422 at the field that is missing, or that cannot be.
fn said(wanted: &RegistrationFees, today: NaiveDate) -> Result<Option<Payment>> {
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
pub(super) const LATER: &str = "缴费日期不能晚于今天";

/// # Errors
/// Why nothing is noted of what the person pays.
pub(super) fn payable(person: &Arriving) -> Result<(), String> {
    use RegistrationStatus::{NoShow, Pending, Reported, Reserved};
    person.only(&[Pending, NoShow, Reserved, Reported], "登记缴费")
}

/// What is known of payments: of some people, and of some trade numbers.
pub(super) struct Ledger {
    of: HashMap<i64, Known>,
    /// By trade number whose it is; somebody's beyond the caller's scope too, so nobody is named.
    taken: HashMap<String, i64>,
}

/// What somebody has paid.
#[derive(Debug, Clone)]
struct Known {
    payment: Option<Payment>,
    source: Option<FeeSource>,
}

impl Ledger {
    /// Of these registrations, which are held, and of the trade numbers.
    pub async fn of(tx: &mut Tx, ids: &[i64], trade_nos: &[String]) -> Result<Self> {
        let rows = sqlx::query!(
            r#"select id, fee_paid, paid_amount, paid_at, trade_no, fee_source as "fee_source: FeeSource"
               from registration where id = any($1)"#,
            ids
        )
        .fetch_all(&mut **tx)
        .await?;
        let taken =
            sqlx::query!(r#"select trade_no as "trade_no!", id from registration where trade_no = any($1)"#, trade_nos)
                .fetch_all(&mut **tx)
                .await?;
        let known = rows.into_iter().map(|row| {
            let payment = row.fee_paid.then(|| Payment {
                amount: row.paid_amount.unwrap_or_default(),
                paid_at: row.paid_at.unwrap_or_default(),
                trade_no: row.trade_no,
            });
            (row.id, Known { payment, source: row.fee_source })
        });
        Ok(Self { of: known.collect(), taken: taken.into_iter().map(|row| (row.trade_no, row.id)).collect() })
    }

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

    fn is_online(&self, id: i64) -> bool {
        self.of.get(&id).is_some_and(|known| known.source == Some(FeeSource::Payment))
    }

    /// That something was told of somebody which changes nothing: every call that writes leaves a record.
    pub fn untouched(&self, id: i64) -> Change {
        Change::edited("registration", id, &self.told(id), &self.told(id))
    }

    fn told(&self, id: i64) -> Paid {
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
struct Paid {
    /// 已缴费
    fee_paid: bool,
    /// 实缴金额(分)
    paid_amount: Option<i64>,
    /// 缴费时间
    paid_at: Option<Moment>,
    /// 流水号
    trade_no: Option<String>,
    /// 缴费来源
    fee_source: Option<FeeSource>,
}

fn told(payment: Option<&Payment>, source: Option<FeeSource>) -> Paid {
    Paid {
        fee_paid: payment.is_some(),
        paid_amount: payment.map(|payment| payment.amount),
        paid_at: payment.map(|payment| payment.paid_at),
        trade_no: payment.and_then(|payment| payment.trade_no.clone()),
        fee_source: source,
    }
}

/// Takes back what a sheet noted of somebody who is held; none when it noted nothing.
///
/// # Errors
/// 409 when something else is noted by now, or the person is to pay nothing.
pub(super) async fn put_back(tx: &mut Tx, person: &Arriving, record: &Imported) -> Result<Option<Change>> {
    payable(person).map_err(Error::conflict)?;
    let now = Ledger::of(tx, &[person.id], &[]).await?.told(person.id);
    let former: Paid = record.former(&now)?;
    if former == now {
        return Ok(None);
    }
    let by = tx.by();
    sqlx::query!(
        "update registration
         set fee_paid = $2, paid_amount = $3, paid_at = $4, trade_no = $5, fee_source = $6, updated_at = now(),
             updated_by = $7, version = version + 1
         where id = $1",
        person.id,
        former.fee_paid,
        former.paid_amount,
        former.paid_at as _,
        former.trade_no,
        former.fee_source.map(FeeSource::as_str),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(taken)?;
    Ok(Some(Change::edited("registration", person.id, &now, &former)))
}

fn taken(constraint: &str) -> Option<Error> {
    (constraint == "registration_trade_no_taken").then(|| Error::conflict("流水号已被使用，请刷新后重试"))
}

/// Why a payment is not noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NotPaid {
    /// The trade number is another person's.
    Taken,
    /// The person has paid otherwise.
    Before(Payment),
}

impl NotPaid {
    pub fn message(&self) -> String {
        match self {
            Self::Taken => "流水号已用于其他人员的缴费".to_owned(),
            Self::Before(paid) => {
                let (day, yuan) = (paid.paid_at.format("%Y-%m-%d"), yuan(paid.amount));
                format!("该生已于{day}缴费{yuan}元，如需更改请先取消缴费标记")
            }
        }
    }
}

/// An amount of 分 as people write it.
fn yuan(amount: i64) -> String {
    format!("{}.{:02}", amount / 100, amount % 100)
}

/// Notes that somebody who was admitted has paid: the service that a payment calls (02 §16); the fee sheet goes by the same
/// ledger. The same trade number again changes nothing, and is no change.
///
/// # Errors
/// 404 when nobody of the admission is to come, 409 when they are to pay nothing, have paid otherwise, or the number is another
/// person's; 422 for an amount that cannot be.
pub async fn mark_paid(
    tx: &mut Tx,
    admission_id: i64,
    amount: i64,
    paid_at: Moment,
    trade_no: Option<&str>,
) -> Result<Option<Change>> {
    if !(0..=MOST).contains(&amount) {
        return Err(Error::refused("实缴金额不正确"));
    }
    let person = counting(tx, admission_id).await?;
    let id = person.id;
    let payment = Payment { amount, paid_at, trade_no: trade_no.map(ToOwned::to_owned) };
    let ledger = Ledger::of(tx, &[id], payment.trade_no.as_slice()).await?;
    if !ledger.judge(id, &payment).map_err(|why| Error::conflict(why.message()))? {
        return Ok(None);
    }
    payable(&person).map_err(Error::conflict)?;
    Ok(write(tx, &ledger, &[(id, payment)], FeeSource::Payment).await?.pop())
}

/// The registration of an admission that counts, held. Somebody who is carried on between the look and the hold is looked for
/// again, in the batch to which they went.
///
/// # Errors
/// 404 when there is none.
async fn counting(tx: &mut Tx, admission_id: i64) -> Result<Arriving> {
    loop {
        let id = sqlx::query_scalar!(
            "select id from registration where admission_id = $1 and deleted_at is null and not carried_on",
            admission_id
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
        let person = held(tx, &[id], &Scope::whole_school()).await?.pop();
        if let Some(person) = person.filter(|person| !person.carried_on) {
            return Ok(person);
        }
    }
}

/// Writes what was paid of rows that are held.
///
/// # Errors
/// 409 when another transaction took a trade number meanwhile.
pub(super) async fn write(
    tx: &mut Tx,
    ledger: &Ledger,
    paid: &[(i64, Payment)],
    source: FeeSource,
) -> Result<Vec<Change>> {
    let by = tx.by();
    let ids: Vec<i64> = paid.iter().map(|(id, _)| *id).collect();
    let amounts: Vec<i64> = paid.iter().map(|(_, payment)| payment.amount).collect();
    let times: Vec<Moment> = paid.iter().map(|(_, payment)| payment.paid_at).collect();
    let trade_nos: Vec<Option<&str>> = paid.iter().map(|(_, payment)| payment.trade_no.as_deref()).collect();
    sqlx::query!(
        "update registration r
         set fee_paid = true, paid_amount = w.amount, paid_at = w.paid_at, trade_no = w.trade_no, fee_source = $2,
             updated_at = now(), updated_by = $1, version = r.version + 1
         from unnest($3::bigint[], $4::bigint[], $5::timestamptz[], $6::text[]) as w (id, amount, paid_at, trade_no)
         where r.id = w.id",
        by,
        source.as_str(),
        &ids,
        &amounts,
        times as _,
        trade_nos as _
    )
    .execute(&mut **tx)
    .await
    .on_constraint(taken)?;
    let changes = paid.iter().map(|(id, payment)| {
        Change::edited("registration", *id, &ledger.told(*id), &told(Some(payment), Some(source)))
    });
    Ok(changes.collect())
}

type Went = (BulkResult, Vec<Change>);

async fn mark(tx: &mut Tx, items: &[RegistrationItem], payment: &Payment, scope: &Scope) -> Result<Went> {
    let Rows { people, mut failed } = rows(tx, items, scope, payable).await?;
    let ids: Vec<i64> = people.iter().map(|person| person.id).collect();
    let ledger = Ledger::of(tx, &ids, payment.trade_no.as_slice()).await?;
    let (mut done, mut paid, mut kept) = (0, Vec::new(), None);
    for person in people {
        match ledger.judge(person.id, payment) {
            Ok(true) => paid.push((person.id, payment.clone())),
            Ok(false) => kept = Some(person.id),
            Err(why) => {
                failed.push(BulkFailure { id: person.id, name: person.name, msg: why.message() });
                continue;
            }
        }
        done += 1;
    }
    let mut changes = write(tx, &ledger, &paid, FeeSource::Manual).await?;
    if changes.is_empty() {
        changes.extend(kept.map(|id| ledger.untouched(id)));
    }
    Ok((BulkResult { done, failed }, changes))
}

/// Who has not paid is left as they are.
async fn clear(tx: &mut Tx, items: &[RegistrationItem], scope: &Scope) -> Result<Went> {
    let Rows { people, mut failed } = rows(tx, items, scope, payable).await?;
    let ids: Vec<i64> = people.iter().map(|person| person.id).collect();
    let ledger = Ledger::of(tx, &ids, &[]).await?;
    let (mut done, mut cleared, mut kept) = (0, Vec::with_capacity(people.len()), None);
    for person in people {
        if ledger.is_online(person.id) {
            let msg = "在线支付的缴费不能取消，请办理退费".to_owned();
            failed.push(BulkFailure { id: person.id, name: person.name, msg });
            continue;
        }
        done += 1;
        if person.fee_paid {
            cleared.push(person.id);
        } else {
            kept = Some(person.id);
        }
    }
    let by = tx.by();
    sqlx::query!(
        "update registration
         set fee_paid = false, paid_amount = null, paid_at = null, trade_no = null, fee_source = null, updated_at = now(),
             updated_by = $2, version = version + 1
         where id = any($1)",
        &cleared,
        by
    )
    .execute(&mut **tx)
    .await?;
    let mut changes: Vec<Change> =
        cleared.iter().map(|id| Change::edited("registration", *id, &ledger.told(*id), &told(None, None))).collect();
    if changes.is_empty() {
        changes.extend(kept.map(|id| ledger.untouched(id)));
    }
    Ok((BulkResult { done, failed }, changes))
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
