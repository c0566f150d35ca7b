//! What is sold for less, and who gets a part of it: coupons, seckills, products with promoters (part 01 §9.4, §9.10 Orders).

use chrono::TimeDelta;
use kit::{
    Answer, Client, Server,
    accounts::operator_with,
    fields,
    imports::taken_back,
    learners::{entered, register, vip_set},
    orders::{
        CHOSEN, COUPON, SECKILL, chosen, chosen_form, coupon, coupon_form, moment, order, receive, seckill_form,
        sold_for,
    },
    sheets::{XLSX, row_errors, sheet, texts},
    statistics::with,
};
use serde_json::{Value, json};

const PHONE: &str = "13900000005";

async fn seen(operator: &Client<'_>, entity: &str, id: i64) -> Value {
    operator.get(&format!("{entity}/view?id={id}")).await.data().clone()
}

/// What was typed, typed anew with some of it changed.
async fn edited(operator: &Client<'_>, entity: &str, (id, form): (i64, &Value), more: Value) -> Answer {
    let version = seen(operator, entity, id).await["version"].clone();
    let body = with(with(form.clone(), more), json!({ "id": id, "version": version }));
    operator.put(&format!("{entity}/edit"), body).await
}

#[tokio::test]
async fn a_coupon_is_received_while_it_lasts() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (own, _) = entered(&server, PHONE).await;
    let (other, _) = entered(&server, "13900000006").await;
    let (third, _) = entered(&server, "13900000007").await;
    let two = coupon(&server, &operator, 2, json!({})).await;
    receive(&own, two).await.id();
    assert_eq!(receive(&own, two).await.refused(), (409, "每人限领1张"));
    receive(&other, two).await.id();
    assert_eq!(receive(&third, two).await.refused(), (409, "该优惠券已领完"));
    assert_eq!(receive(&third, two + 99).await.code(), 404);
    let shown = seen(&operator, COUPON, two).await;
    assert_eq!((&shown["receivedCount"], &shown["usedCount"]), (&json!(2), &json!(0)));
    let later = json!({ "receiveBeginsAt": moment(&server, TimeDelta::days(1)) });
    let early = coupon(&server, &operator, 2, later).await;
    assert_eq!(receive(&third, early).await.refused(), (409, "该优惠券尚未开始领取"));
    let stop = async |id: i64| operator.put(&format!("{COUPON}/stop"), json!({ "id": id })).await;
    assert_eq!(stop(early).await.refused(), (409, "该优惠券尚未开始领取，请直接停用"));
    stop(two).await.data();
    assert_eq!(stop(two).await.refused(), (409, "该优惠券的领取已截止"));
    let stopped = coupon(&server, &operator, 2, json!({})).await;
    stop(stopped).await.data();
    assert_eq!(receive(&third, stopped).await.refused(), (409, "该优惠券已停止领取"));
    let off = coupon(&server, &operator, 2, json!({})).await;
    operator.put(&format!("{COUPON}/update/status"), json!({ "id": off, "enabled": false })).await.data();
    assert_eq!(receive(&third, off).await.refused(), (409, "该优惠券已停止领取"));
    assert_eq!(receive(&operator, two).await.refused(), (403, "当前身份不能访问"));
    // What somebody received stays.
    let kept = operator.delete(&format!("{COUPON}/delete?id={two}")).await;
    assert_eq!(kept.code(), 409, "{}", kept.body);
    let many = operator.post(&format!("{COUPON}/batchDel"), json!({ "ids": [two, off, stopped] })).await;
    assert_eq!((&many.data()["done"], many.data()["failed"].as_array().map(Vec::len)), (&json!(2), Some(1)));
    let sheet =
        texts(&operator.post(&format!("{COUPON}/export"), json!({ "couponType": "full_reduction" })).await.bytes);
    assert_eq!((sheet.len(), sheet[1][2].as_str()), (3, "满150.00元减20.00元"));
}

/// Acceptance (9), its second half: 480 received of 500 bind the terms.
#[tokio::test]
async fn what_was_received_binds_the_terms() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let form = coupon_form(&server, 500, json!({}));
    let id = operator.post(&format!("{COUPON}/save"), form.clone()).await.id();
    edited(&operator, COUPON, (id, &form), json!({ "amount": 3_000 })).await.data();
    edited(&operator, COUPON, (id, &form), json!({})).await.data();
    server.run(&format!("update platform.coupon set received_count = 480 where id = {id}")).await;
    let fewer = edited(&operator, COUPON, (id, &form), json!({ "totalCount": 470 })).await;
    assert_eq!(fields(&fewer), ["totalCount: 已领取480张，发放总量不能低于该数量"]);
    let more = edited(&operator, COUPON, (id, &form), json!({ "amount": 3_000 })).await;
    assert_eq!(more.refused(), (409, "已有用户领取，仅可修改名称、数量和截止时间"));
    let ends = moment(&server, TimeDelta::days(60));
    let may = json!({ "couponName": "春季券", "totalCount": 480, "receiveEndsAt": ends });
    edited(&operator, COUPON, (id, &form), may).await.data();
    let shown = seen(&operator, COUPON, id).await;
    assert_eq!((&shown["couponName"], &shown["totalCount"]), (&json!("春季券"), &json!(480)));
    // What its kind needs.
    let wrong = async |more: Value| {
        let answer = operator.post(&format!("{COUPON}/save"), coupon_form(&server, 1, more)).await;
        fields(&answer).concat()
    };
    assert_eq!(wrong(json!({ "couponType": "discount" })).await, "rate: 请填写折扣");
    assert_eq!(wrong(json!({ "couponType": "discount", "rate": 0.855 })).await, "rate: 折扣最多两位小数");
    assert_eq!(wrong(json!({ "scopeType": "category" })).await, "scopeIds: 请选择适用的分类或商品");
    let nothing = json!({ "scopeType": "product", "scopeProductType": "record", "scopeIds": [99] });
    assert_eq!(wrong(nothing).await, "scopeIds: 所选的分类或商品不存在，请重新选择");
    // Nothing is sold in a category of blogs.
    let blogs: i64 = server
        .one(
            "insert into platform.online_category (category_type, category_name, created_by, updated_by)
             values ('blog', '博客', 0, 0) returning id",
        )
        .await;
    let unsold = json!({ "scopeType": "category", "scopeIds": [blogs] });
    assert_eq!(wrong(unsold).await, "scopeIds: 所选的分类或商品不存在，请重新选择");
    assert_eq!(wrong(json!({ "validType": "fixed" })).await, "validFrom: 请填写有效期开始");
}

#[tokio::test]
async fn a_coupon_is_for_what_it_says() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (own, _) = entered(&server, PHONE).await;
    let (course, other) = (sold_for(&server, "学位英语", 19_900).await, sold_for(&server, "写作课", 19_900).await);
    let above: i64 = server
        .one(
            "insert into platform.online_category (category_type, category_name, created_by, updated_by)
             values ('record', '语言', 0, 0) returning id",
        )
        .await;
    server
        .run(&format!(
            "update platform.online_category set parent_id = {above}
             where id = (select category_id from platform.online_course where id = {course})"
        ))
        .await;
    let refused = ["couponUserId: 该优惠券不适用于所选商品"];
    let below = coupon(&server, &operator, 1, json!({ "scopeType": "category", "scopeIds": [above] })).await;
    let below = json!({ "couponUserId": receive(&own, below).await.id() });
    assert_eq!(fields(&order(&own, other, below.clone()).await), refused);
    assert_eq!(order(&own, course, below).await.data()["pricePaid"], json!(17_900));
    let one = json!({ "scopeType": "product", "scopeProductType": "record", "scopeIds": [other] });
    let one = coupon(&server, &operator, 1, one).await;
    let held = json!({ "couponUserId": receive(&own, one).await.id() });
    let third = sold_for(&server, "会计基础", 19_900).await;
    assert_eq!(fields(&order(&own, third, held.clone()).await), refused);
    assert_eq!(order(&own, other, held).await.data()["pricePaid"], json!(17_900));
    let fixed = json!({
        "validType": "fixed", "validFrom": moment(&server, TimeDelta::days(1)), "validTo": moment(&server, TimeDelta::days(2)),
    });
    let fixed = coupon(&server, &operator, 1, fixed).await;
    let held = json!({ "couponUserId": receive(&own, fixed).await.id() });
    assert_eq!(fields(&order(&own, third, held).await), ["couponUserId: 该优惠券尚未到可用时间"]);
}

async fn granted(operator: &Client<'_>, id: i64, phones: &[&str]) -> Answer {
    let rows: Vec<&[&str]> = phones.iter().map(std::slice::from_ref).collect();
    operator
        .upload(&format!("{COUPON}/grant/import?id={id}"), "file", "名单.xlsx", XLSX, &sheet(&["手机号"], &rows))
        .await
}

/// Acceptance (9): a sheet of phones with one that nobody has gives nobody anything.
#[tokio::test]
async fn coupons_are_given_to_all_of_a_sheet_or_to_nobody() {
    let server = Server::start().await;
    let operator = server.operator().await;
    server
        .run(
            "insert into platform.user_ext (phone, nickname, source, created_by, updated_by)
             select '137' || lpad(n::text, 8, '0'), '学员' || n, 'pc', 0, 0 from generate_series(1, 300) n",
        )
        .await;
    let phones: Vec<String> = (1..=300).map(|n| format!("137{n:08}")).collect();
    let mut all: Vec<&str> = phones.iter().map(String::as_str).collect();
    let id = coupon(&server, &operator, 300, json!({})).await;
    all[199] = "13600000000";
    let answer = granted(&operator, id, &all).await.data().clone();
    assert_eq!(row_errors(&answer), ["201 手机号: 没有使用该手机号的学员"]);
    assert_eq!(
        (&answer["imported"], server.one::<i64>("select count(*) from platform.coupon_user").await),
        (&json!(0), 0)
    );
    all[199] = &phones[199];
    let again = granted(&operator, id, &[all[0], all[0]]).await.data().clone();
    assert_eq!(row_errors(&again), ["3 手机号: 手机号重复"]);
    assert_eq!(granted(&operator, id, &all[..299]).await.data()["imported"], json!(299));
    assert_eq!(seen(&operator, COUPON, id).await["receivedCount"], json!(299));
    let twice = granted(&operator, id, &all[..1]).await.data().clone();
    assert_eq!(row_errors(&twice), ["2 手机号: 该学员已领取1张，每人限领1张"]);
    let few = coupon(&server, &operator, 2, json!({})).await;
    let many = granted(&operator, few, &all[..3]).await;
    assert_eq!(many.refused(), (409, "该优惠券仅剩2张，请增加发放总量"));
    let held = operator.post(&format!("{COUPON}/user/list"), json!({ "couponId": id, "phone": "13700000001" })).await;
    let row = &held.data()["list"][0];
    assert_eq!(
        (&row["granted"], &row["status"], &row["phone"]),
        (&json!(true), &json!("unused"), &json!("137****0001"))
    );
    // One of them is in use; the others go again.
    server
        .run(
            "with bought as (
                 insert into platform.order_info (order_no, learner_id, phone, product_type, product_id, product_name, price_original,
                     price_sale, price_paid, source, pay_before, created_by, updated_by)
                 select '202705010000000001', learner_id, '13700000001', 'record', 1, '学位英语', 19900, 19900, 17900, 'h5', now(), 0, 0
                 from platform.coupon_user order by id limit 1 returning id)
             update platform.coupon_user set status = 'used', used_at = now(), order_id = (select id from bought)
             where id = (select min(id) from platform.coupon_user)",
        )
        .await;
    let (_, staying) = taken_back(&operator, "优惠券发放名单").await;
    assert_eq!(staying, ["学员1: 该优惠券已使用或被订单占用，不能收回"]);
    assert_eq!(seen(&operator, COUPON, id).await["receivedCount"], json!(1));
}

#[tokio::test]
async fn coupons_are_given_to_learners() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (first, second) = (register(&server, PHONE).await, register(&server, "13900000006").await);
    let late = json!({ "receiveBeginsAt": moment(&server, TimeDelta::days(-9)), "receiveEndsAt": moment(&server, TimeDelta::days(-1)) });
    let id = coupon(&server, &operator, 5, late).await;
    server.run(&format!("update platform.user_ext set enabled = false where id = {second}")).await;
    let body = json!({ "id": id, "learnerIds": [first, second, 999] });
    let told = operator.post(&format!("{COUPON}/grant"), body).await.data().clone();
    let failed: Vec<&str> =
        told["failed"].as_array().expect("failures").iter().filter_map(|one| one["msg"].as_str()).collect();
    assert_eq!((&told["done"], failed[0]), (&json!(1), "该学员已停用"));
    assert_eq!(failed.len(), 2);
    operator.put(&format!("{COUPON}/update/status"), json!({ "id": id, "enabled": false })).await.data();
    let body = json!({ "id": id, "learnerIds": [first] });
    let told = operator.post(&format!("{COUPON}/grant"), body.clone()).await.data().clone();
    assert_eq!(told["failed"][0]["msg"], json!("该优惠券已停用，不能发放"));
    // Whoever only reads gives nothing.
    let reader = operator_with(&server, "reader", &["user:pc:coupon:list"]).await;
    assert_eq!(reader.post(&format!("{COUPON}/grant"), body).await.code(), 403);
    assert_eq!(
        reader.post(&format!("{COUPON}/user/list"), json!({ "learnerId": first })).await.data()["totalCount"],
        json!(1)
    );
}

/// 01 §12: three days before its end whoever has a coupon is told, once; then it is over.
#[tokio::test]
async fn a_coupon_ends() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (own, _) = entered(&server, PHONE).await;
    let course = sold_for(&server, "学位英语", 19_900).await;
    let id = coupon(&server, &operator, 1, json!({ "validDays": 10 })).await;
    let held = receive(&own, id).await.id();
    let told = format!("select count(*) from platform.event_outbox where dedupe_key = 'coupon_expiring:{held}'");
    server.when_due("coupon.expiry", TimeDelta::days(6)).await;
    assert_eq!(server.one::<i64>(&told).await, 0);
    server.when_due("coupon.expiry", TimeDelta::days(1)).await;
    server.when_due("coupon.expiry", TimeDelta::days(1)).await;
    assert_eq!(server.one::<i64>(&told).await, 1, "once");
    let status = format!("select status from platform.coupon_user where id = {held}");
    assert_eq!(server.one::<String>(&status).await, "unused");
    server.when_due("coupon.expiry", TimeDelta::days(3)).await;
    assert_eq!(server.one::<String>(&status).await, "expired");
    let own = kit::clients::with_token(&server, &kit::learners::sign_in(&server, PHONE, kit::learners::OWN).await);
    let late = order(&own, course, json!({ "couponUserId": held })).await;
    assert_eq!(fields(&late), ["couponUserId: 该优惠券已过期"]);
}

#[tokio::test]
async fn seckills_of_one_product_follow_each_other() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let course = sold_for(&server, "学位英语", 19_900).await;
    let save =
        async |more: Value| operator.post(&format!("{SECKILL}/save"), seckill_form(&server, course, 10, more)).await;
    assert_eq!(fields(&save(json!({ "seckillPrice": 19_900 })).await), ["seckillPrice: 秒杀价必须低于商品的优惠价"]);
    assert_eq!(fields(&save(json!({ "productId": 99 })).await), ["productId: 所选商品不存在，请重新选择"]);
    let ended = json!({ "endsAt": moment(&server, TimeDelta::hours(-1)) });
    assert_eq!(fields(&save(ended).await), ["endsAt: 结束时间必须晚于开始时间"]);
    let form = seckill_form(&server, course, 10, json!({}));
    let id = operator.post(&format!("{SECKILL}/save"), form.clone()).await.id();
    let at = |hours: i64| moment(&server, TimeDelta::hours(hours));
    let overlapping = save(json!({ "beginsAt": moment(&server, TimeDelta::minutes(30)), "endsAt": at(2) })).await;
    assert_eq!(overlapping.refused(), (409, "该商品在此时段已有秒杀活动"));
    let next = save(json!({ "beginsAt": form["endsAt"], "endsAt": at(3) })).await.id();
    // While it runs, it gets longer and larger.
    let change = async |more: Value| edited(&operator, SECKILL, (id, &form), more).await;
    let refused = (409, "活动进行中，仅可修改结束时间和增加库存");
    assert_eq!(change(json!({ "seckillPrice": 880 })).await.refused(), refused);
    assert_eq!(change(json!({ "stockTotal": 9 })).await.refused(), refused);
    change(json!({ "stockTotal": 20 })).await.data();
    assert_eq!(
        change(json!({ "stockTotal": 20, "endsAt": at(2) })).await.refused(),
        (409, "该商品在此时段已有秒杀活动")
    );
    let shown = seen(&operator, SECKILL, id).await;
    assert_eq!(
        (&shown["state"], &shown["stockTotal"], &shown["priceSale"]),
        (&json!("running"), &json!(20), &json!(19_900))
    );
    // One that is switched off is in nobody's way, until it is on again.
    let switch = async |id: i64, enabled: bool| {
        operator.put(&format!("{SECKILL}/update/status"), json!({ "id": id, "enabled": enabled })).await
    };
    switch(next, false).await.data();
    change(json!({ "stockTotal": 20, "endsAt": at(2) })).await.data();
    assert_eq!(switch(next, true).await.refused(), (409, "该商品在此时段已有秒杀活动"));
    let waiting = operator.post(&format!("{SECKILL}/list"), json!({ "state": "waiting" })).await.data().clone();
    assert_eq!((&waiting["totalCount"], &waiting["list"][0]["id"]), (&json!(1), &json!(next)));
    // What was ordered keeps it.
    let (own, _) = entered(&server, PHONE).await;
    let placed = order(&own, course, json!({ "seckillId": id })).await.data().clone();
    assert_eq!(placed["pricePaid"], json!(990));
    assert_eq!(operator.delete(&format!("{SECKILL}/delete?id={id}")).await.code(), 409);
    assert_eq!(operator.delete(&format!("{SECKILL}/delete?id={next}")).await.id(), next);
    let other = sold_for(&server, "写作课", 19_900).await;
    let foreign = order(&own, other, json!({ "seckillId": id })).await;
    assert_eq!(fields(&foreign), ["seckillId: 所选秒杀活动不存在，请刷新后重试"]);
    let soon = seckill_form(&server, other, 1, json!({ "beginsAt": at(1), "endsAt": at(2) }));
    let soon = operator.post(&format!("{SECKILL}/save"), soon).await.id();
    assert_eq!(order(&own, other, json!({ "seckillId": soon })).await.refused(), (409, "秒杀活动尚未开始"));
    let sheet = texts(&operator.post(&format!("{SECKILL}/export"), json!({})).await.bytes);
    assert_eq!(sheet.len(), 3);
}

/// Somebody orders as many as one may, whatever became of the first.
#[tokio::test]
async fn one_person_gets_one() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let set = vip_set(&operator, "年度会员", 12).await;
    let form = seckill_form(&server, set, 10, json!({ "productType": "vip" }));
    let id = operator.post(&format!("{SECKILL}/save"), form).await.id();
    let (own, _) = entered(&server, PHONE).await;
    let wanted = json!({ "productType": "vip", "productId": set, "seckillId": id });
    let first = order(&own, set, wanted.clone()).await.data().clone();
    assert_eq!(order(&own, set, wanted.clone()).await.refused(), (409, "该秒杀商品每人限购1份"));
    own.post("/user/client/order/cancel", json!({ "orderNo": first["orderNo"] })).await.data();
    order(&own, set, wanted).await.data();
    let stock: String = server.one("select stock_locked || '/' || stock_sold from platform.seckill").await;
    assert_eq!(stock, "1/0");
}

#[tokio::test]
async fn a_product_is_chosen_once() {
    let server = Server::start().await;
    let reader = operator_with(&server, "reader", &["user:pc:chosen:list"]).await;
    let operator = server.operator().await;
    let course = sold_for(&server, "学位英语", 19_900).await;
    let save = async |more: Value| operator.post(&format!("{CHOSEN}/save"), chosen_form(&server, course, more)).await;
    assert_eq!(fields(&save(json!({ "ratio": 0.105 })).await), ["ratio: 佣金比例最多两位小数"]);
    assert_eq!(save(json!({ "ratio": 0.51 })).await.code(), 422);
    assert_eq!(
        fields(&save(json!({ "posterTemplateId": 99 })).await),
        ["posterTemplateId: 所选海报模板不存在，请重新选择"]
    );
    let id = chosen(&server, &operator, course).await;
    assert_eq!(save(json!({})).await.refused(), (409, "该商品已是分销商品"));
    let form = chosen_form(&server, course, json!({}));
    edited(&operator, CHOSEN, (id, &form), json!({ "ratio": 0.2 })).await.data();
    let listed = operator.post(&format!("{CHOSEN}/list"), json!({ "productName": "英语" })).await.data().clone();
    assert_eq!((&listed["totalCount"], &listed["list"][0]["ratio"]), (&json!(1), &json!(0.2)));
    assert_eq!(reader.delete(&format!("{CHOSEN}/delete?id={id}")).await.code(), 403);
    let gone = operator.post(&format!("{CHOSEN}/batchDel"), json!({ "ids": [id] })).await;
    assert_eq!(gone.data()["done"], json!(1));
}
