//! 支付回调: what a provider tells of a payment or a refund (01 §9.4, §9.11). Nothing is believed before its signature is found right;
//! the same again changes nothing.

use infra::{Error, Public, Result, Tx, Writes, audit::Actor};
use poem::{Body as HttpBody, Request};
use poem_openapi::{OpenApi, param::Path, payload::PlainText};
use settings::pay_channel::PayType;

use crate::{
    order::{
        arrive::{Payment, arrived},
        locked::{lock, numbered},
        refund,
    },
    provider::{Message, News, Provider, RefundEnd, Told},
};

/// Messages are small.
const MOST_BYTES: usize = 64 << 10;

pub struct PayCallbacks;

#[OpenApi(tag = "crate::Tag::Orders")]
impl PayCallbacks {
    /// 支付回调
    /// 由支付服务商调用，按其格式应答；验签不通过时应答400
    #[oai(path = "/user/callback/pay/:channelCode", method = "post", operation_id = "receivePayNotice")]
    async fn receive(
        &self,
        caller: Public<Writes>,
        /// 支付通道编码
        #[oai(name = "channelCode")]
        channel_code: Path<String>,
        request: &Request,
        body: HttpBody,
    ) -> Result<PlainText<String>> {
        let app = &caller.app;
        let mut read = caller.platform().await?;
        let channel = sqlx::query!(
            r#"select id, pay_type as "pay_type: PayType" from platform.pay_channel where channel_code = $1"#,
            channel_code.0
        )
        .fetch_optional(&mut *read)
        .await?
        .ok_or_else(Error::not_found)?;
        let provider = Provider::of(app, &mut read, channel.id).await?;
        drop(read);
        let header = |name: &str| request.header(name).unwrap_or_default().to_owned();
        let bytes = body.into_bytes_limit(MOST_BYTES).await.map_err(|_| Error::malformed())?;
        let message = Message {
            timestamp: header("wechatpay-timestamp"),
            nonce: header("wechatpay-nonce"),
            signature: header("wechatpay-signature"),
            body: String::from_utf8(bytes.to_vec()).map_err(|_| Error::malformed())?,
        };
        match provider.read(app, &message)? {
            News::Nothing => {}
            News::Paid(told) => paid(&caller, (channel.id, channel.pay_type), told).await.map_err(repeated)?,
            News::Refunded { refund_no, end } => refunded(&caller, &refund_no, &end).await.map_err(repeated)?,
        }
        Ok(PlainText(provider.thanks().to_owned()))
    }
}

/// What follows stands in the trail as the provider's doing.
async fn begin(caller: &Public<Writes>) -> Result<Tx> {
    let mut tx = caller.begin().await?;
    let ip = caller.visit.ip.clone();
    tx.acts_now(Actor { name: "支付服务商".to_owned(), ip, ..Actor::system(&caller.visit.trace_id) });
    Ok(tx)
}

async fn paid(caller: &Public<Writes>, (channel_id, pay_type): (i64, PayType), told: Told) -> Result<()> {
    let mut tx = begin(caller).await?;
    let id = match numbered(&mut tx, &told.order_no, None).await {
        Ok(id) => id,
        // An order of another installation that shares the account: nothing of ours follows.
        Err(error) if error.code == 404 => {
            tracing::warn!("a payment came for an order that is not ours");
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    let order = lock(&mut tx, id).await?;
    let Told { trade_no, amount, paid_at, .. } = told;
    let arrived = arrived(&mut tx, order, &Payment { channel_id, pay_type, trade_no, amount, paid_at }).await?;
    if arrived.changes.is_empty() {
        return Ok(());
    }
    tx.commit_all(arrived.changes).await?;
    // What the provider does not take now is asked again by the job.
    if let Some(refund) = arrived.refund {
        let end = refund::provider_says(&caller.app, refund).await?;
        let mut tx = begin(caller).await?;
        let changes = refund::ended(&mut tx, refund, &end).await?;
        tx.commit_all(changes).await?;
    }
    Ok(())
}

async fn refunded(caller: &Public<Writes>, refund_no: &str, end: &RefundEnd) -> Result<()> {
    let mut tx = begin(caller).await?;
    let refund = sqlx::query_scalar!("select id from platform.order_refund where refund_no = $1", refund_no)
        .fetch_optional(&mut *tx)
        .await?;
    let Some(refund) = refund else { return Ok(()) };
    let changes = refund::ended(&mut tx, refund, end).await?;
    tx.commit_all(changes).await
}

/// A provider repeats its message only after HTTP 500, also where a person would be asked to try again.
fn repeated(error: Error) -> Error {
    if error.code == 500 { error } else { Error::internal(error) }
}
