//! An order with the payments that came for it, and what went back.

use infra::{Result, clock::Moment};
use order_rules::enums::{PaymentOutcome, RefundStatus};
use poem_openapi::Object;
use settings::pay_channel::PayType;
use sqlx::PgConnection;

use super::list::Order;

/// A payment that came.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OrderPayment {
    /// 编号
    pub id: i64,
    /// 支付通道
    pub channel_name: String,
    /// 支付方式
    pub pay_type: PayType,
    /// 交易流水号
    pub trade_no: String,
    /// 金额(分)
    pub amount: i64,
    /// 处理结果
    pub outcome: PaymentOutcome,
    /// 付款时间
    pub paid_at: Moment,
}

/// A refund.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OrderRefund {
    /// 编号
    pub id: i64,
    /// 退款单号
    pub refund_no: String,
    /// 服务商退款单号
    pub channel_refund_no: Option<String>,
    /// 退款金额(分)
    pub amount: i64,
    /// 退款原因
    pub reason: String,
    /// 退款状态
    pub status: RefundStatus,
    /// 失败原因
    pub fail_reason: Option<String>,
    /// 收回佣金(分)
    pub commission_back: i64,
    /// 收回讲师分成(分)
    pub lecturer_back: i64,
    /// 平台承担(分)
    pub platform_back: i64,
    /// 经办人
    /// 系统自动退款时为空
    pub operator_name: Option<String>,
    /// 申请时间
    pub created_at: Moment,
    /// 完成时间
    pub finished_at: Option<Moment>,
}

/// An order in full.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OrderDetail {
    #[oai(flatten)]
    pub order: Order,
    /// 到账
    pub payments: Vec<OrderPayment>,
    /// 退款
    pub refunds: Vec<OrderRefund>,
}

pub(super) async fn payments(connection: &mut PgConnection, order: i64) -> Result<Vec<OrderPayment>> {
    let all = sqlx::query_as!(
        OrderPayment,
        r#"select p.id, h.channel_name, p.pay_type as "pay_type: _", p.trade_no, p.amount, p.outcome as "outcome: _", p.paid_at
           from platform.order_payment p join platform.pay_channel h on h.id = p.channel_id
           where p.order_id = $1 order by p.id"#,
        order
    )
    .fetch_all(connection)
    .await?;
    Ok(all)
}

pub(super) async fn refunds(connection: &mut PgConnection, order: i64) -> Result<Vec<OrderRefund>> {
    let all = sqlx::query_as!(
        OrderRefund,
        r#"select r.id, r.refund_no, r.channel_refund_no, r.amount, r.reason, r.status as "status: _", r.fail_reason,
                  r.commission_back, r.lecturer_back, r.platform_back,
                  (select u.real_name from platform.sys_user u where u.id = r.operator_id) as "operator_name?", r.created_at,
                  r.finished_at
           from platform.order_refund r where r.order_id = $1 order by r.id"#,
        order
    )
    .fetch_all(connection)
    .await?;
    Ok(all)
}
