//! Orders of the operators' site, how they are paid, and what is sold for less.

use kit::{
    learners::numbered,
    orders::{
        CHANNEL, CHOSEN, COUPON, DISTRIBUTION, ORDER, RULE, SECKILL, chosen_form, coupon_form, seckill_form, sold_for,
    },
    statistics::with,
};
use serde_json::{Value, json};

use super::{Life, Upload, id};

/// Waits for a provider that can be asked (platform/payments.rs).
pub(super) const ELSEWHERE: [&str; 1] = ["queryOrderPay"];

const LEARNER: i64 = 901;

pub(super) async fn live(life: &mut Life<'_>) {
    let course = sold_for(life.server, "订单的课程", 19_900).await;
    let other = sold_for(life.server, "订单的另一课程", 19_900).await;
    numbered(life.server, LEARNER).await;
    numbered(life.server, LEARNER + 1).await;
    coupons(life).await;
    let (first, second) =
        (seckill_form(life.server, course, 5, json!({})), seckill_form(life.server, other, 5, json!({})));
    list(life, SECKILL, [first, second], json!({ "stockTotal": 9 })).await;
    let [first, second] = [course, other].map(|course| chosen_form(life.server, course, json!({})));
    list(life, CHOSEN, [first, second], json!({ "ratio": 0.2 })).await;
    let channel = |code: &str| json!({ "channelCode": code, "channelName": "对公转账", "provider": "offline", "payType": "offline", "feeRate": 0 });
    let one = channels(life, [channel("bank_b"), channel("bank_c"), channel("bank_d")]).await;
    let rule =
        |priority: i64| json!({ "terminal": "pc", "payType": "offline", "channelId": one, "priority": priority });
    list(life, RULE, [rule(1), rule(2)], json!({ "maxAmount": 50_000 })).await;
    orders(life, course).await;
}

/// The default actions of a list with two rows, of which none is left.
async fn list(life: &mut Life<'_>, entity: &str, [first, second]: [Value; 2], more: Value) {
    let made = id(&life.post(&format!("{entity}/save"), first.clone()).await);
    let other = id(&life.post(&format!("{entity}/save"), second).await);
    life.post(&format!("{entity}/list"), json!({})).await;
    let version = life.get(&format!("{entity}/view?id={made}")).await["version"].clone();
    let edit = with(with(first, more), json!({ "id": made, "version": version }));
    life.put(&format!("{entity}/edit"), edit).await;
    for enabled in [false, true] {
        life.put(&format!("{entity}/update/status"), json!({ "id": made, "enabled": enabled })).await;
    }
    life.post(&format!("{entity}/export"), json!({})).await;
    life.delete(&format!("{entity}/delete?id={made}")).await;
    life.post(&format!("{entity}/batchDel"), json!({ "ids": [other] })).await;
}

async fn coupons(life: &mut Life<'_>) {
    let form = |name: &str| coupon_form(life.server, 10, json!({ "couponName": name }));
    let (first, second, third) = (form("甲"), form("乙"), form("丙"));
    list(life, COUPON, [first, second], json!({ "totalCount": 20 })).await;
    let coupon = id(&life.post(&format!("{COUPON}/save"), third).await);
    life.post(&format!("{COUPON}/grant"), json!({ "id": coupon, "learnerIds": [LEARNER] })).await;
    life.get(&format!("{COUPON}/grant/import/template")).await;
    let phone: String =
        life.server.one(&format!("select phone from platform.user_ext where id = {}", LEARNER + 1)).await;
    let given = life
        .upload(&format!("{COUPON}/grant/import?id={coupon}"), Upload::sheet(&["手机号"], &[&[phone.as_str()]]))
        .await;
    assert_eq!(given["imported"], json!(1), "{given}");
    life.post(&format!("{COUPON}/user/list"), json!({ "couponId": coupon })).await;
    life.put(&format!("{COUPON}/stop"), json!({ "id": coupon })).await;
}

/// What is not deleted is the channel that is answered.
async fn channels(life: &mut Life<'_>, [kept, gone, last]: [Value; 3]) -> i64 {
    let made = id(&life.post(&format!("{CHANNEL}/save"), kept.clone()).await);
    let edit = with(kept, json!({ "id": made, "version": 1, "channelName": "对公转账（二）" }));
    life.put(&format!("{CHANNEL}/edit"), edit).await;
    life.get(&format!("{CHANNEL}/view?id={made}")).await;
    life.post(&format!("{CHANNEL}/export"), json!({})).await;
    let gone = id(&life.post(&format!("{CHANNEL}/save"), gone).await);
    life.delete(&format!("{CHANNEL}/delete?id={gone}")).await;
    let last = id(&life.post(&format!("{CHANNEL}/save"), last).await);
    life.post(&format!("{CHANNEL}/batchDel"), json!({ "ids": [last] })).await;
    made
}

async fn orders(life: &mut Life<'_>, course: i64) {
    let wanted = json!({ "learnerId": LEARNER, "productType": "record", "productId": course, "pricePaid": 9_900 });
    let closed = id(&life.post(&format!("{ORDER}/save"), wanted.clone()).await);
    life.put(&format!("{ORDER}/close"), json!({ "id": closed })).await;
    let made = id(&life.post(&format!("{ORDER}/save"), wanted).await);
    let paid_at = life.server.app.clock().now().to_rfc3339();
    life.put(&format!("{ORDER}/offlinePay"), json!({ "id": made, "tradeNo": "B1", "paidAt": paid_at })).await;
    let version = life.get(&format!("{ORDER}/view?id={made}")).await["version"].clone();
    life.put(&format!("{ORDER}/edit"), json!({ "id": made, "remarkAdmin": "已核实", "version": version })).await;
    let version = life.get(&format!("{ORDER}/view?id={made}")).await["version"].clone();
    let refund = json!({ "id": made, "amount": 900, "reason": "学员申请", "version": version });
    life.post(&format!("{ORDER}/refund"), refund).await;
    life.post(&format!("{ORDER}/list"), json!({})).await;
    life.post(&format!("{ORDER}/export"), json!({})).await;
    life.post("/data/pc/order/stat/view", json!({})).await;
    let brought: i64 = life
        .server
        .one(&format!(
            "insert into platform.distribution (order_id, promoter_id, ratio, amount, created_by, updated_by)
             values ({made}, {}, 0.1, 990, 0, 0) returning id",
            LEARNER + 1
        ))
        .await;
    life.get(&format!("{DISTRIBUTION}/view?id={brought}")).await;
    life.post(&format!("{DISTRIBUTION}/list"), json!({})).await;
    life.post(&format!("{DISTRIBUTION}/export"), json!({})).await;
}
