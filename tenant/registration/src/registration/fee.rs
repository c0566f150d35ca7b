//! 缴费: who has paid, marked by hand, by a sheet or by a payment (02 §7, §16). Only flags come here; what is to be paid and what is
//! paid back is other parts' work.

use infra::{
    Allowed, Body, BulkFailure, BulkResult, Change, Error, OnConstraint, Reply, Result, Scope, Tx, clock::Moment,
    reply, transfer::Imported,
};
use poem_openapi::OpenApi;
pub use registration_rules::fee::RegistrationFees;
use registration_rules::fee::{Known, Ledger, Paid, Payment, payable, said, told};

use super::{
    EditRegistration,
    held::{Arriving, RegistrationItem, Rows, held, rows},
};
use crate::enums::FeeSource;

/// The most that somebody pays at once, 分.
pub(super) const MOST: i64 = 100_000_000;

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

/// What is known of these registrations, which are held, and of the trade numbers.
pub(super) async fn ledger_of(tx: &mut Tx, ids: &[i64], trade_nos: &[String]) -> Result<Ledger> {
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
    Ok(Ledger { of: known.collect(), taken: taken.into_iter().map(|row| (row.trade_no, row.id)).collect() })
}

/// Takes back what a sheet noted of somebody who is held; none when it noted nothing.
///
/// # Errors
/// 409 when something else is noted by now, or the person is to pay nothing.
pub(super) async fn put_back(tx: &mut Tx, person: &Arriving, record: &Imported) -> Result<Option<Change>> {
    payable(person).map_err(Error::conflict)?;
    let now = ledger_of(tx, &[person.id], &[]).await?.told(person.id);
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
    let ledger = ledger_of(tx, &[id], payment.trade_no.as_slice()).await?;
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
    let ledger = ledger_of(tx, &ids, payment.trade_no.as_slice()).await?;
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
    let ledger = ledger_of(tx, &ids, &[]).await?;
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
