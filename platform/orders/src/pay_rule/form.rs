//! How a pay rule is written.

use infra::{Change, Edit, Error, OnConstraint, Result, Tx};
use order_rules::enums::PayTerminal;
use poem_openapi::{Object, types::Example};
use settings::pay_channel::PayType;

use super::list::find;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PayRuleForm {
    /// 终端
    pub terminal: PayTerminal,
    /// 支付方式
    pub pay_type: PayType,
    /// 支付通道
    pub channel_id: i64,
    /// 最低金额(分)
    #[oai(validator(minimum(value = "0"), maximum(value = "100000000")))]
    pub min_amount: Option<i64>,
    /// 最高金额(分)
    /// 不填为不限
    #[oai(validator(minimum(value = "0"), maximum(value = "100000000")))]
    pub max_amount: Option<i64>,
    /// 优先级
    /// 1至99，数字小的优先
    #[oai(validator(minimum(value = "1"), maximum(value = "99")))]
    pub priority: i32,
}

impl Example for PayRuleForm {
    fn example() -> Self {
        Self {
            terminal: PayTerminal::Pc,
            pay_type: PayType::Wechat,
            channel_id: 1,
            min_amount: Some(0),
            max_amount: None,
            priority: 1,
        }
    }
}

/// # Errors
/// 422 at the field: amounts the wrong way round, a channel that is not there or is for another way of paying.
async fn check(tx: &mut Tx, form: &PayRuleForm) -> Result<()> {
    if form.pay_type == PayType::Free {
        return Err(Error::field("payType", "免费订单不需要支付规则，请选择其他支付方式"));
    }
    if form.max_amount.is_some_and(|most| most < form.min_amount.unwrap_or_default()) {
        return Err(Error::field("maxAmount", "最高金额不能低于最低金额"));
    }
    let kind = sqlx::query_scalar!(
        r#"select pay_type as "pay_type: PayType" from platform.pay_channel where id = $1 for share"#,
        form.channel_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("channelId", "所选支付通道不存在，请重新选择"))?;
    if kind == form.pay_type {
        Ok(())
    } else {
        Err(Error::field("channelId", "所选支付通道不是该支付方式"))
    }
}

fn taken(constraint: &str) -> Option<Error> {
    (constraint == "pay_rule_priority_taken").then(|| Error::conflict("该终端和支付方式已有相同优先级的规则"))
}

/// # Errors
/// 422 at the field; 409 for a priority that is taken.
pub(super) async fn insert(tx: &mut Tx, form: PayRuleForm) -> Result<(i64, Change)> {
    check(tx, &form).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.pay_rule (terminal, pay_type, channel_id, min_amount, max_amount, priority, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        form.terminal.as_str(),
        form.pay_type.as_str(),
        form.channel_id,
        form.min_amount.unwrap_or_default(),
        form.max_amount,
        form.priority,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(taken)?;
    let after = find(tx, id).await?;
    Ok((id, Change::created("pay_rule", id, &after)))
}

/// # Errors
/// As [`insert`], and 409 when somebody else changed it.
pub(super) async fn update(tx: &mut Tx, edit: Edit<PayRuleForm>) -> Result<Change> {
    let form = edit.form;
    let before = find(tx, edit.id).await?;
    check(tx, &form).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.pay_rule set terminal = $3, pay_type = $4, channel_id = $5, min_amount = $6, max_amount = $7, priority = $8,
                updated_at = now(), updated_by = $9, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.terminal.as_str(),
        form.pay_type.as_str(),
        form.channel_id,
        form.min_amount.unwrap_or_default(),
        form.max_amount,
        form.priority,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(taken)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("pay_rule", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("pay_rule", edit.id, &before, &after))
}

/// # Errors
/// 404 when it is gone.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    tx.remove("pay_rule", id, &before.channel_name).await?;
    Ok(Change::deleted("pay_rule", id, &before))
}
