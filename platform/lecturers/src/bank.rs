//! 收款银行卡: where the money of a learner goes, one card of each (01 §9.5, §9.11).

use infra::{Change, Entity, Part, Result, Tx, naming::tidy};
use sqlx::PgConnection;

use crate::extract::BankCard;

pub const PART: Part = Part {
    entities: &[Entity { table: "account_bank", name: "收款银行卡", counted: "张收款银行卡" }],
    ..Part::NONE
};

/// The card of a learner, if they told one.
///
/// # Errors
/// Those of the database.
pub(crate) async fn card_of(connection: &mut PgConnection, learner: i64) -> Result<Option<BankCard>> {
    let card = sqlx::query_as!(
        BankCard,
        "select bank_card_no, bank_name, bank_branch, bank_user_name, phone from platform.account_bank where learner_id = $1",
        learner
    )
    .fetch_optional(connection)
    .await?;
    Ok(card)
}

/// Keeps a learner's card, in the place of the one before. Answers the number of the row.
///
/// # Errors
/// Those of the database.
pub(crate) async fn keep(tx: &mut Tx, learner: i64, mut card: BankCard) -> Result<(i64, Change)> {
    card.bank_name = tidy(&card.bank_name);
    card.bank_user_name = tidy(&card.bank_user_name);
    let by = tx.by();
    let made = sqlx::query_scalar!(
        "insert into platform.account_bank (learner_id, bank_card_no, bank_name, bank_branch, bank_user_name, phone, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict (learner_id) do nothing returning id",
        learner,
        card.bank_card_no,
        card.bank_name,
        card.bank_branch,
        card.bank_user_name,
        card.phone,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    if let Some(id) = made {
        return Ok((id, Change::created("account_bank", id, &card)));
    }
    let before = sqlx::query!(
        "select id, bank_card_no, bank_name, bank_branch, bank_user_name, phone from platform.account_bank
         where learner_id = $1 for update",
        learner
    )
    .fetch_one(&mut **tx)
    .await?;
    sqlx::query!(
        "update platform.account_bank
         set bank_card_no = $2, bank_name = $3, bank_branch = $4, bank_user_name = $5, phone = $6, updated_at = now(),
             updated_by = $7, version = version + 1
         where id = $1",
        before.id,
        card.bank_card_no,
        card.bank_name,
        card.bank_branch,
        card.bank_user_name,
        card.phone,
        by
    )
    .execute(&mut **tx)
    .await?;
    let former = BankCard {
        bank_card_no: before.bank_card_no,
        bank_name: before.bank_name,
        bank_branch: before.bank_branch,
        bank_user_name: before.bank_user_name,
        phone: before.phone,
    };
    Ok((before.id, Change::edited("account_bank", before.id, &former, &card)))
}
