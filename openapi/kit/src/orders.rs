//! What the operators' site sells: coupons, seckills, orders and how they are paid.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::{Answer, Client, Server, client::with, learners::EXT, site::course};

pub const ORDER: &str = "/user/pc/order/info";
pub const OWN_ORDER: &str = "/user/client/order";
pub const CHANNEL: &str = "/user/pc/pay/channel";
pub const RULE: &str = "/user/pc/pay/rule";
pub const COUPON: &str = "/user/pc/coupon";
pub const SECKILL: &str = "/user/pc/seckill";
pub const CHOSEN: &str = "/user/pc/chosen";
pub const DISTRIBUTION: &str = "/user/pc/distribution";

/// A recorded course on the shelf that is sold for so many 分.
pub async fn sold_for(server: &Server, name: &str, price: i64) -> i64 {
    let id = course(server, name).await;
    server
        .run(&format!(
            "update platform.online_course set price_original = {price} + 10000, price_sale = {price} where id = {id}"
        ))
        .await;
    id
}

/// Whose course it is gets 70 % of what is left, into the account of a learner.
pub async fn taught_by(server: &Server, course: i64, learner: i64) {
    server
        .run(&format!(
            "update platform.lecturer set learner_id = {learner}
             where id = (select lecturer_id from platform.online_course where id = {course})"
        ))
        .await;
}

/// 模拟支付, which pays everything at once on every terminal; 0.6 % is its fee. The database is one of the demonstration then.
pub async fn mock_pays(server: &Server) -> i64 {
    server.run("insert into platform.demonstration (id) values (true) on conflict do nothing").await;
    let channel: i64 = server
        .one(
            "insert into platform.pay_channel (channel_code, channel_name, provider, pay_type, fee_rate, configured, enabled,
                 created_by, updated_by)
             values ('mock', '模拟支付', 'mock', 'wechat', 0.006, true, true, 0, 0) returning id",
        )
        .await;
    server
        .run(&format!(
            "insert into platform.pay_rule (terminal, pay_type, channel_id, priority, created_by, updated_by)
             select t, 'wechat', {channel}, 1, 0, 0
             from unnest(array['pc', 'h5', 'app', 'mini_program', 'wechat_browser']) t"
        ))
        .await;
    channel
}

/// What orders a recorded course from a computer, with more said.
pub fn wanted(course: i64, more: Value) -> Value {
    with(json!({ "productType": "record", "productId": course, "terminal": "pc" }), more)
}

/// Orders a recorded course from a computer.
pub async fn order(own: &Client<'_>, course: i64, more: Value) -> Answer {
    own.post(&format!("{OWN_ORDER}/create"), wanted(course, more)).await
}

/// Pays an order as its answer names it.
pub async fn pay(own: &Client<'_>, placed: &Value, pay_type: &str) -> Answer {
    let body = json!({ "orderNo": placed["orderNo"], "payType": pay_type });
    own.post(&format!("{OWN_ORDER}/pay"), body).await
}

/// Orders a recorded course and pays it by the mock; the order's number.
pub async fn bought(own: &Client<'_>, course: i64, more: Value) -> i64 {
    let placed = order(own, course, more).await;
    let placed = placed.data();
    assert_eq!(pay(own, placed, "wechat").await.data()["orderStatus"], json!("paid"));
    placed["id"].as_i64().expect("a number")
}

/// So far from now, to the second: what is shown again is the same then.
pub fn moment(server: &Server, later: TimeDelta) -> Value {
    json!((server.app.clock().now() + later).format("%Y-%m-%dT%H:%M:%S%:z").to_string())
}

/// 满150减20 for everybody, from yesterday for a month, so many of it; with more said.
pub fn coupon_form(server: &Server, total: i64, more: Value) -> Value {
    let at = |days: i64| moment(server, TimeDelta::days(days));
    let form = json!({
        "couponName": "满150减20", "couponType": "full_reduction", "threshold": 15_000, "amount": 2_000, "scopeType": "all",
        "totalCount": total, "perLimit": 1, "receiveBeginsAt": at(-1), "receiveEndsAt": at(30), "validType": "days", "validDays": 30,
    });
    with(form, more)
}

pub async fn coupon(server: &Server, operator: &Client<'_>, total: i64, more: Value) -> i64 {
    operator.post(&format!("{COUPON}/save"), coupon_form(server, total, more)).await.id()
}

/// A learner receives one of a coupon.
pub async fn receive(own: &Client<'_>, coupon: i64) -> Answer {
    own.post("/user/client/coupon/receive", json!({ "couponId": coupon })).await
}

/// A seckill of a recorded course for 9.90 yuan that runs for an hour; with more said.
pub fn seckill_form(server: &Server, course: i64, stock: i64, more: Value) -> Value {
    let form = json!({
        "activityName": "限时秒杀", "productType": "record", "productId": course, "seckillPrice": 990, "stockTotal": stock,
        "beginsAt": moment(server, TimeDelta::minutes(-1)), "endsAt": moment(server, TimeDelta::hours(1)),
    });
    with(form, more)
}

pub async fn seckill(server: &Server, operator: &Client<'_>, course: i64, stock: i64) -> i64 {
    operator.post(&format!("{SECKILL}/save"), seckill_form(server, course, stock, json!({}))).await.id()
}

/// A tenth of a recorded course for promoters, for a month; with more said.
pub fn chosen_form(server: &Server, course: i64, more: Value) -> Value {
    let at = |days: i64| moment(server, TimeDelta::days(days));
    let form =
        json!({ "productType": "record", "productId": course, "ratio": 0.1, "beginsAt": at(-1), "endsAt": at(30) });
    with(form, more)
}

pub async fn chosen(server: &Server, operator: &Client<'_>, course: i64) -> i64 {
    operator.post(&format!("{CHOSEN}/save"), chosen_form(server, course, json!({}))).await.id()
}

/// A membership at 85 %.
pub async fn member(operator: &Client<'_>, learner: i64) {
    let set = crate::learners::vip_set(operator, "年度会员", 12).await;
    operator.post(&format!("{EXT}/grantVip"), json!({ "id": learner, "vipSetId": set })).await.data();
}

/// An order as operators see it.
pub async fn seen(operator: &Client<'_>, id: i64) -> Value {
    operator.get(&format!("{ORDER}/view?id={id}")).await.data().clone()
}

/// Asks for a refund.
pub async fn refund(operator: &Client<'_>, id: i64, amount: i64) -> Answer {
    let version = seen(operator, id).await["version"].clone();
    let body = json!({ "id": id, "amount": amount, "reason": "学员申请退款", "version": version });
    operator.post(&format!("{ORDER}/refund"), body).await
}
