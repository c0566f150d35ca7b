//! What a learner does with their own orders: they order, pay and give up (01 §9.11).

use infra::{Body, Change, Customer, Error, Reply, Result, Writes, clock::Moment, reply};
use learner_rules::enums::ProductType;
use learners::{
    LearnerClient,
    right::{self, Product},
};
use order_rules::{
    enums::{OrderStatus, PayTerminal},
    state::{OrderStep, may},
};
use poem_openapi::{
    Object, OpenApi,
    types::{Any, Example},
};
use serde_json::Value;
use settings::pay_channel::{PayProvider, PayType};

use crate::{
    order::{
        arrive::{Arrived, Payment, arrived},
        close::close,
        locked::{lock, numbered},
        open::{self, Wanted},
        refund,
    },
    pay_rule::choose,
    provider::{Placing, Provider},
};

/// What a learner orders.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NewOrder {
    /// 商品类型
    pub product_type: ProductType,
    /// 商品编号
    pub product_id: i64,
    /// 优惠券
    /// 领取记录的编号
    pub coupon_user_id: Option<i64>,
    /// 优惠券列表
    /// 与优惠券填一项即可；每单仅可使用一张
    #[oai(validator(max_items = 20))]
    pub coupon_user_ids: Option<Vec<i64>>,
    /// 秒杀活动
    pub seckill_id: Option<i64>,
    /// 分享码
    /// 经他人分享购买时填写
    #[oai(validator(max_length = 80))]
    pub share_code: Option<String>,
    /// 终端
    pub terminal: PayTerminal,
}

impl Example for NewOrder {
    fn example() -> Self {
        Self {
            product_type: ProductType::Record,
            product_id: 1,
            coupon_user_id: None,
            coupon_user_ids: None,
            seckill_id: None,
            share_code: None,
            terminal: PayTerminal::Pc,
        }
    }
}

impl NewOrder {
    /// # Errors
    /// 422 for more than one coupon.
    fn coupon(&self) -> Result<Option<i64>> {
        let mut held = self.coupon_user_ids.clone().unwrap_or_default();
        held.extend(self.coupon_user_id);
        held.sort_unstable();
        held.dedup();
        match held.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            _ => Err(Error::field("couponUserId", "每单仅可使用一张优惠券")),
        }
    }
}

/// An order that waits to be paid, or costs nothing.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OrderPlaced {
    /// 编号
    pub id: i64,
    /// 订单号
    pub order_no: String,
    /// 应付(分)
    pub price_paid: i64,
    /// 订单状态
    /// 应付为0时已支付
    pub order_status: OrderStatus,
    /// 支付截止时间
    pub pay_before: Moment,
}

/// How a learner wants to pay.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PayOrder {
    /// 订单号
    #[oai(validator(pattern = "^[0-9]{18}$"))]
    pub order_no: String,
    /// 支付方式
    pub pay_type: PayType,
    /// 微信用户标识
    /// 在小程序或微信内网页支付时必填
    #[oai(validator(max_length = 64))]
    pub open_id: Option<String>,
}

impl Example for PayOrder {
    fn example() -> Self {
        Self { order_no: "202705010000000001".to_owned(), pay_type: PayType::Wechat, open_id: None }
    }
}

/// What the client does next.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PayParameters {
    /// 订单号
    pub order_no: String,
    /// 应付(分)
    pub price_paid: i64,
    /// 订单状态
    pub order_status: OrderStatus,
    /// 服务商
    pub provider: PayProvider,
    /// 二维码内容
    /// 电脑网页用微信支付时，由学员扫码
    pub code_url: Option<String>,
    /// 跳转地址
    pub pay_url: Option<String>,
    /// 客户端支付参数
    pub parameters: Option<Any<Value>>,
}

/// `{orderNo}`
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnOrder {
    /// 订单号
    #[oai(validator(pattern = "^[0-9]{18}$"))]
    pub order_no: String,
}

impl Example for OwnOrder {
    fn example() -> Self {
        Self { order_no: "202705010000000001".to_owned() }
    }
}

pub struct OwnOrders;

#[OpenApi(prefix_path = "/user/client/order", tag = "crate::Tag::Orders")]
impl OwnOrders {
    /// 下单
    /// 须在支付截止时间前支付，秒杀为15分钟；应付为0时立即生效
    #[oai(path = "/create", method = "post", operation_id = "createOrder")]
    async fn create(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(form): Body<NewOrder>,
    ) -> Result<Reply<OrderPlaced>> {
        let wanted = Wanted {
            learner: caller.session.person_id,
            product: Product { kind: form.product_type, id: form.product_id },
            coupon: form.coupon()?,
            seckill: form.seckill_id,
            share_code: form.share_code,
            terminal: form.terminal,
        };
        let mut tx = caller.begin().await?;
        let (order, changes) = open::create(&mut tx, wanted).await?;
        tx.commit_all(changes).await?;
        Ok(reply(OrderPlaced {
            id: order.id,
            order_no: order.order_no,
            price_paid: order.price_paid,
            order_status: order.order_status,
            pay_before: order.pay_before,
        }))
    }

    /// 发起支付
    #[oai(path = "/pay", method = "post", operation_id = "payOrder")]
    async fn pay(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(form): Body<PayOrder>,
    ) -> Result<Reply<PayParameters>> {
        let app = &caller.app;
        let now = app.clock().now();
        if form.pay_type == PayType::Free {
            return Err(Error::field("payType", "请选择支付方式"));
        }
        let mut read = caller.read().await?;
        let id = numbered(&mut read, &form.order_no, Some(caller.session.person_id)).await?;
        let order = sqlx::query!(
            r#"select product_type as "product_type: ProductType", product_id, product_name, price_paid, pay_before,
                      order_status as "order_status: OrderStatus", terminal as "terminal: PayTerminal"
               from platform.order_info where id = $1"#,
            id
        )
        .fetch_one(&mut *read)
        .await?;
        may(OrderStep::Pay, order.order_status).map_err(|why| Error::conflict(why.to_string()))?;
        if order.pay_before <= now {
            return Err(Error::conflict("订单已超过支付时间，请重新下单"));
        }
        // Another order of theirs was paid meanwhile, or they were given it.
        let product = Product { kind: order.product_type, id: order.product_id };
        if product.kind != ProductType::Vip && right::holds(&mut read, caller.session.person_id, product, now).await? {
            return Err(Error::conflict("您已购买该商品"));
        }
        let terminal = order.terminal.unwrap_or(PayTerminal::Pc);
        let channel = choose(&mut read, terminal, form.pay_type, order.price_paid).await?;
        let provider = Provider::of(app, &mut read, channel.id).await?;
        drop(read);
        let placing = Placing {
            order_no: &form.order_no,
            title: &order.product_name,
            amount: order.price_paid,
            pay_before: order.pay_before,
            terminal,
            client_ip: &caller.visit.ip,
            open_id: form.open_id.as_deref(),
        };
        let begun = provider.begin(app, placing).await?;
        let mut tx = caller.begin().await?;
        let order = lock(&mut tx, id).await?;
        may(OrderStep::Pay, order.order_status).map_err(|why| Error::conflict(why.to_string()))?;
        let before = order.pay_type.map(PayType::as_str);
        let by = tx.by();
        sqlx::query!(
            "update platform.order_info set pay_type = $2, channel_id = $3, updated_at = now(), updated_by = $4,
                    version = version + 1
             where id = $1",
            id,
            form.pay_type.as_str(),
            channel.id,
            by
        )
        .execute(&mut *tx)
        .await?;
        let price_paid = order.price_paid;
        let mut changes = vec![Change::status("order_info", id, "payType", before, form.pay_type.as_str())];
        let (mut order_status, mut goes_back) = (order.order_status, None);
        if let Some(told) = begun.paid {
            let payment = Payment {
                channel_id: channel.id,
                pay_type: form.pay_type,
                trade_no: told.trade_no,
                amount: told.amount,
                paid_at: told.paid_at,
            };
            let Arrived { changes: followed, refund, paid } = arrived(&mut tx, order, &payment).await?;
            changes.extend(followed);
            goes_back = refund;
            if paid {
                order_status = OrderStatus::Paid;
            }
        }
        tx.commit_all(changes).await?;
        // What the provider does not take now is asked again by the job.
        if let Some(refund) = goes_back {
            let end = refund::provider_says(app, refund).await?;
            let mut tx = caller.begin().await?;
            let changes = refund::ended(&mut tx, refund, &end).await?;
            tx.commit_all(changes).await?;
            order_status = sqlx::query_scalar!(
                r#"select order_status as "order_status: OrderStatus" from platform.order_info where id = $1"#,
                id
            )
            .fetch_one(&mut *caller.read().await?)
            .await?;
        }
        Ok(reply(PayParameters {
            order_no: form.order_no,
            price_paid,
            order_status,
            provider: channel.provider,
            code_url: begun.code_url,
            pay_url: begun.pay_url,
            parameters: begun.parameters.map(Any),
        }))
    }

    /// 取消订单
    #[oai(path = "/cancel", method = "post", operation_id = "cancelOrder")]
    async fn cancel(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(wanted): Body<OwnOrder>,
    ) -> Result<Reply<infra::Saved>> {
        let mut tx = caller.begin().await?;
        let id = numbered(&mut tx, &wanted.order_no, Some(caller.session.person_id)).await?;
        let order = lock(&mut tx, id).await?;
        let changes = close(&mut tx, &order).await?;
        tx.commit_all(changes).await?;
        Ok(reply(infra::Saved { id }))
    }
}
