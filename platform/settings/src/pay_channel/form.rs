//! How a pay channel is written. Its code stands in the address that its provider calls, and its provider decides what its account has:
//! both stay.

use infra::{Change, Edit, Error, OnConstraint, Result, Tx, just_referred, naming::tidy, unreferred};
use poem_openapi::{Object, types::Example};

use super::{PayProvider, PayType, list::find};

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PayChannelForm {
    /// 通道编码
    /// 小写字母开头，2至50位小写字母、数字或下划线；是通知地址的一部分
    #[oai(validator(pattern = "^[a-z][a-z0-9_]{1,49}$"))]
    pub channel_code: String,
    /// 通道名称
    #[oai(validator(max_length = 30))]
    pub channel_name: String,
    /// 服务商
    pub provider: PayProvider,
    /// 支付方式
    pub pay_type: PayType,
    /// 手续费率
    /// 0至0.05，最多四位小数；0.006即0.6%
    #[oai(validator(minimum(value = "0"), maximum(value = "0.05")))]
    pub fee_rate: f64,
    /// 图标
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub logo: Option<String>,
}

impl Example for PayChannelForm {
    fn example() -> Self {
        Self {
            channel_code: "wechat_b".to_owned(),
            channel_name: "微信支付（二）".to_owned(),
            provider: PayProvider::WechatV3,
            pay_type: PayType::Wechat,
            fee_rate: 0.006,
            logo: None,
        }
    }
}

/// # Errors
/// 422 at the field: a way of paying that is not the provider's, a rate finer than four places.
fn checked(mut form: PayChannelForm) -> Result<PayChannelForm> {
    form.channel_name = tidy(&form.channel_name);
    let fits = match form.provider {
        PayProvider::WechatV3 => form.pay_type == PayType::Wechat,
        PayProvider::Alipay => form.pay_type == PayType::Alipay,
        PayProvider::Offline => form.pay_type == PayType::Offline,
        PayProvider::Mock => form.pay_type != PayType::Free,
    };
    if !fits {
        return Err(Error::field("payType", "支付方式与服务商不符，请重新选择"));
    }
    if ((form.fee_rate * 10_000.0).round() / 10_000.0 - form.fee_rate).abs() > 1e-9 {
        return Err(Error::field("feeRate", "手续费率最多四位小数"));
    }
    Ok(form)
}

fn taken(constraint: &str) -> Option<Error> {
    (constraint == "pay_channel_code_taken").then(|| Error::field("channelCode", "通道编码已存在"))
}

/// # Errors
/// 422 at the field, also for a code that exists.
pub(super) async fn insert(tx: &mut Tx, form: PayChannelForm) -> Result<(i64, Change)> {
    let form = checked(form)?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.pay_channel (channel_code, channel_name, provider, pay_type, fee_rate, logo, configured, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5::float8::numeric, $6, $7, $8, $8) returning id",
        form.channel_code,
        form.channel_name,
        form.provider.as_str(),
        form.pay_type.as_str(),
        form.fee_rate,
        form.logo,
        form.provider.needed().is_empty(),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(taken)?;
    let after = find(tx, id).await?;
    Ok((id, Change::created("pay_channel", id, &after)))
}

/// # Errors
/// 422 at the field; 409 when somebody else changed it.
pub(super) async fn update(tx: &mut Tx, edit: Edit<PayChannelForm>) -> Result<Change> {
    let form = checked(edit.form)?;
    let before = find(tx, edit.id).await?;
    if form.channel_code != before.channel_code {
        return Err(Error::field("channelCode", "通道编码不能修改"));
    }
    if form.provider != before.provider {
        return Err(Error::field("provider", "服务商不能修改，请新增通道"));
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.pay_channel set channel_name = $3, pay_type = $4, fee_rate = $5::float8::numeric, logo = $6,
                updated_at = now(), updated_by = $7, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.channel_name,
        form.pay_type.as_str(),
        form.fee_rate,
        form.logo,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("pay_channel", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("pay_channel", edit.id, &before, &after))
}

/// # Errors
/// 409 for an enabled one, and for one that rules, orders or payments refer to.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    tx.lock("pay_channel", id).await?;
    let before = find(tx, id).await?;
    if before.enabled {
        return Err(Error::conflict("通道已启用，请先停用再删除"));
    }
    sqlx::query!("delete from platform.pay_channel_unique where channel_id = $1", id).execute(&mut **tx).await?;
    unreferred(tx, "pay_channel", id).await?;
    sqlx::query!("delete from platform.pay_channel where id = $1", id)
        .execute(&mut **tx)
        .await
        .on_constraint(just_referred)?;
    Ok(Change::deleted("pay_channel", id, &before))
}
