//! A lecturer asks for their money.

use infra::{Change, Error, Result, Tx, money::yuan};
use lecturer_rules::account::Movement;
use poem_openapi::{Object, types::Example};

use super::LEAST;
use crate::account::book;

/// Where the money goes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct BankCard {
    /// 银行卡号
    /// 12至19位数字
    #[oai(validator(pattern = "^[0-9]{12,19}$"))]
    pub bank_card_no: String,
    /// 开户银行
    #[oai(validator(max_length = 50))]
    pub bank_name: String,
    /// 开户支行
    #[oai(validator(max_length = 100))]
    pub bank_branch: Option<String>,
    /// 户名
    #[oai(validator(max_length = 50))]
    pub bank_user_name: String,
    /// 手机
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]{9}$"))]
    pub phone: String,
}

impl Example for BankCard {
    fn example() -> Self {
        Self {
            bank_card_no: "6222020200112230000".to_owned(),
            bank_name: "中国工商银行".to_owned(),
            bank_branch: None,
            bank_user_name: "苏明远".to_owned(),
            phone: "13900000041".to_owned(),
        }
    }
}

/// Keeps an amount of 分 back until somebody decided. Bank and card are kept as they are now. Answers the number of the row.
///
/// # Errors
/// 422 below the least amount; 409 `可提现余额不足`.
pub async fn apply(tx: &mut Tx, learner: i64, amount: i64, card: &BankCard) -> Result<(i64, Change)> {
    let least = tx.app().clone().int(LEAST).await?;
    if amount < least {
        return Err(Error::field("amount", format!("提现金额不能低于{}", yuan(least))));
    }
    let by = tx.by();
    // The account is opened by its first income; who has none has nothing to take out.
    let known = sqlx::query_scalar!(
        r#"select exists (select from platform.user_account where learner_id = $1) as "known!""#,
        learner
    )
    .fetch_one(&mut **tx)
    .await?;
    if !known {
        return Err(Error::conflict("可提现余额不足"));
    }
    let id = sqlx::query_scalar!(
        "insert into platform.account_extract_log (learner_id, amount, bank_card_no, bank_name, bank_branch, bank_user_name, phone,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        learner,
        amount,
        card.bank_card_no,
        card.bank_name,
        card.bank_branch,
        card.bank_user_name,
        card.phone,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    book(tx, learner, Movement::ExtractFreeze(amount), ("account_extract_log", id)).await?;
    let what = serde_json::json!({ "learnerId": learner, "amount": amount });
    Ok((id, Change::event("account_extract_log", id, "insert", what)))
}
