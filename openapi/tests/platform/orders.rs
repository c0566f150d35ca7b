//! Orders of the operators' site: how a price comes about, what a payment grants and how it is split, refunds, closing and settling
//! (part 01 §9.4, §9.10 Orders).

use chrono::TimeDelta;
use futures_util::future::join_all;
use kit::{
    Server,
    accounts::operator_with,
    clients::with_token,
    fields,
    learners::{EXT, LEARNER, OWN, entered, sign_in, vip_set},
    lecturers::balance,
    orders::{
        CHOSEN, DISTRIBUTION, ORDER, OWN_ORDER, SECKILL, bought, chosen, chosen_form, coupon, member, mock_pays, order,
        pay, receive, refund, seckill, seckill_form, seen, sold_for, taught_by,
    },
    platform_courses::COURSE,
    quizzes::{EXAM, answers, content, problems, record_of, shown, start, submit, with},
    sheets::texts,
};
use serde_json::{Value, json};
use sqlx::Executor;

const PHONE: &str = "13900000005";

/// Acceptance (1), with the worked figures of §9.4.
#[tokio::test]
async fn membership_comes_before_the_coupon_and_one_coupon_is_enough() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let course = sold_for(&server, "学位英语", 19_900).await;
    let (own, learner) = entered(&server, PHONE).await;
    member(&operator, learner).await;
    let off = coupon(&server, &operator, 10, json!({})).await;
    let tenth = json!({ "couponName": "九折", "couponType": "discount", "rate": 0.9, "maxDiscount": 1_500 });
    let tenth = coupon(&server, &operator, 10, tenth).await;
    let (off, tenth) = (receive(&own, off).await.id(), receive(&own, tenth).await.id());
    let both = order(&own, course, json!({ "couponUserIds": [off, tenth] })).await;
    assert_eq!(fields(&both), ["couponUserId: 每单仅可使用一张优惠券"]);
    assert_eq!(order(&own, course, json!({ "couponUserId": off, "couponUserIds": [tenth] })).await.code(), 422);
    let placed = order(&own, course, json!({ "couponUserId": off })).await.data().clone();
    assert_eq!((&placed["pricePaid"], &placed["orderStatus"]), (&json!(14_915), &json!("pending")));
    let number = placed["orderNo"].as_str().expect("a number");
    assert!(
        number.len() == 18 && number.starts_with(&server.app.clock().today().format("%Y%m%d").to_string()),
        "{number}"
    );
    let shown = seen(&operator, placed["id"].as_i64().expect("a number")).await;
    assert_eq!((&shown["vipDiscount"], &shown["couponDiscount"]), (&json!(2_985), &json!(2_000)));
    assert_eq!((&shown["couponName"], &shown["priceSale"]), (&json!("满150减20"), &json!(19_900)));
    // The coupon is another order's now, and so is the course.
    let again = order(&own, course, json!({ "couponUserId": tenth })).await;
    assert_eq!(again.refused(), (409, "您有该商品的待支付订单，请先支付或取消"));
    let other = sold_for(&server, "会计基础", 19_900).await;
    let locked = order(&own, other, json!({ "couponUserId": off })).await;
    assert_eq!(fields(&locked), ["couponUserId: 该优惠券已使用或被其他订单占用"]);
    let discounted = order(&own, other, json!({ "couponUserId": tenth })).await;
    assert_eq!(discounted.data()["pricePaid"], json!(15_415), "min(1692, 1500) less");
    // Given up, it may be used again.
    own.post(&format!("{OWN_ORDER}/cancel"), json!({ "orderNo": placed["orderNo"] })).await.data();
    let status: String = server.one(&format!("select status from platform.coupon_user where id = {off}")).await;
    assert_eq!(status, "unused");
    let closed = own.post(&format!("{OWN_ORDER}/cancel"), json!({ "orderNo": placed["orderNo"] })).await;
    assert_eq!(closed.refused(), (409, "订单已关闭，不能关闭"));
    // Below its threshold.
    let cheap = sold_for(&server, "试听课", 9_900).await;
    let refused = order(&own, cheap, json!({ "couponUserId": off })).await;
    assert_eq!(fields(&refused), ["couponUserId: 未满150.00元，不能使用该优惠券"]);
    // Another learner's coupon and order are none.
    let (stranger, _) = entered(&server, "13900000006").await;
    let theirs = order(&stranger, course, json!({ "couponUserId": off })).await;
    assert_eq!(fields(&theirs), ["couponUserId: 该优惠券不存在，请重新选择"]);
    let cancel = json!({ "orderNo": discounted.data()["orderNo"] });
    assert_eq!(stranger.post(&format!("{OWN_ORDER}/cancel"), cancel).await.code(), 404);
}

/// Acceptance (2): as many as the stock has, whoever comes first; what is not paid in a quarter of an hour is free again.
#[tokio::test]
async fn a_seckill_sells_its_stock_and_no_more() {
    let server = Server::start().await;
    let operator = server.operator().await;
    mock_pays(&server).await;
    let course = sold_for(&server, "秒杀课", 19_900).await;
    let offer = seckill(&server, &operator, course, 3).await;
    let mut buyers = Vec::new();
    for number in 0..10 {
        buyers.push(entered(&server, &format!("139000001{number:02}")).await.0);
    }
    let calls = buyers.iter().map(|own| order(own, course, json!({ "seckillId": offer })));
    let answers = join_all(calls).await;
    let placed: Vec<&Value> =
        answers.iter().filter(|answer| answer.code() == 200).map(|answer| answer.data()).collect();
    let refused = answers.iter().filter(|answer| answer.refused() == (409, "已抢光")).count();
    assert_eq!((placed.len(), refused), (3, 7));
    assert!(placed.iter().all(|placed| placed["pricePaid"] == json!(990)));
    let stock = "select stock_locked || '/' || stock_sold from platform.seckill";
    assert_eq!(server.one::<String>(stock).await, "3/0");
    let winner = answers.iter().position(|answer| answer.code() == 200).expect("one of them");
    pay(&buyers[winner], answers[winner].data(), "wechat").await.data();
    assert_eq!(server.one::<String>(stock).await, "2/1");
    let again = order(&buyers[winner], course, json!({ "seckillId": offer })).await;
    assert_eq!(again.refused(), (409, "您已购买该商品"));
    server.when_due("order.close", TimeDelta::minutes(14)).await;
    assert_eq!(server.one::<String>(stock).await, "2/1", "not yet");
    server.when_due("order.close", TimeDelta::minutes(2)).await;
    assert_eq!(server.one::<String>(stock).await, "0/1");
    let closed: i64 = server.one("select count(*) from platform.order_info where order_status = 'closed'").await;
    assert_eq!(closed, 2);
    // Neither membership nor a coupon counts with it.
    let loser = answers.iter().position(|answer| answer.code() == 409).expect("one of them");
    let held = coupon(&server, &operator, 1, json!({})).await;
    let held = receive(&buyers[loser], held).await.id();
    let with = order(&buyers[loser], course, json!({ "seckillId": offer, "couponUserId": held })).await;
    assert_eq!(fields(&with), ["couponUserId: 秒杀商品不能使用优惠券"]);
    let body = json!({ "id": offer, "enabled": false });
    operator.put("/user/pc/seckill/update/status", body).await.data();
    let off = order(&buyers[loser], course, json!({ "seckillId": offer })).await;
    assert_eq!(off.refused(), (409, "秒杀活动已停用"));
}

/// The split of §9.4: 17900 at 10 % and 70 % is 1790, 11277 and 4833, with a fee of 107; frozen for seven days.
#[tokio::test]
async fn a_payment_is_split_kept_back_and_settled() {
    let server = Server::start().await;
    let clerk = operator_with(&server, "clerk", &["user:pc:distribution:export"]).await;
    let operator = server.operator().await;
    mock_pays(&server).await;
    let course = sold_for(&server, "学位英语", 17_900).await;
    let (teacher, teaching) = entered(&server, "13900000011").await;
    let (promoter, promoting) = entered(&server, "13900000012").await;
    let (own, _) = entered(&server, PHONE).await;
    taught_by(&server, course, teaching).await;
    chosen(&server, &operator, course).await;
    let code = promoter.get(&format!("{LEARNER}/view")).await.data()["shareCode"].clone();
    let id = bought(&own, course, json!({ "shareCode": code })).await;
    let shown = seen(&operator, id).await;
    assert_eq!(
        (&shown["commission"], &shown["lecturerProfit"], &shown["platformProfit"], &shown["feeAmount"]),
        (&json!(1_790), &json!(11_277), &json!(4_833), &json!(107))
    );
    assert_eq!(
        (balance(&server, teaching).await, balance(&server, promoting).await),
        ("0/11277/0".to_owned(), "0/1790/0".to_owned())
    );
    let rights = own.get(&format!("{LEARNER}/view")).await.data()["rights"].clone();
    assert_eq!((&rights[0]["productId"], &rights[0]["granted"]), (&json!(course), &json!(false)));
    let count: i64 = server.one(&format!("select count_buy from platform.online_course where id = {course}")).await;
    assert_eq!(count, 1);
    assert_eq!(order(&own, course, json!({})).await.refused(), (409, "您已购买该商品"));
    // Acceptance of courses (5): what somebody bought is not deleted.
    let deleted = operator.delete(&format!("{COURSE}/delete?id={course}")).await;
    assert_eq!(deleted.refused(), (409, "已有1名学员购买，请下架"));
    // The learner is told.
    let told: i64 =
        server.one(&format!("select count(*) from platform.event_outbox where dedupe_key = 'order_paid:{id}'")).await;
    assert_eq!(told, 1);
    let listed =
        operator.post(&format!("{DISTRIBUTION}/list"), json!({ "promoterId": promoting })).await.data().clone();
    assert_eq!((&listed["list"][0]["amount"], &listed["list"][0]["status"]), (&json!(1_790), &json!("frozen")));
    assert_eq!(listed["list"][0]["promoterPhone"], json!("139****0012"));
    let whole = format!("{DISTRIBUTION}/export?whole=true&reason=%E5%AF%B9%E8%B4%A6");
    let sheet = texts(&operator.post(&whole, json!({})).await.bytes);
    assert_eq!((sheet.len(), sheet[1][2].as_str()), (2, "13900000012"));
    let masked = texts(&clerk.post(&format!("{DISTRIBUTION}/export"), json!({})).await.bytes);
    assert_eq!(masked[1][2], "139****0012");
    // Nobody is their own promoter, and a code is good for a week.
    let own_code = teacher.get(&format!("{LEARNER}/view")).await.data()["shareCode"].clone();
    let second = bought(&teacher, course, json!({ "shareCode": own_code })).await;
    assert_eq!(seen(&operator, second).await["commission"], json!(0));
    let mut forged = code.as_str().expect("a code").to_owned();
    forged.replace_range(0..1, "9");
    let (third, _) = entered(&server, "13900000013").await;
    let unbrought = bought(&third, course, json!({ "shareCode": forged })).await;
    assert_eq!(seen(&operator, unbrought).await["promoterName"], Value::Null);

    server.when_due("order.settle", TimeDelta::days(6)).await;
    assert_eq!(balance(&server, promoting).await, "0/1790/0", "not yet");
    server.when_due("order.settle", TimeDelta::days(1)).await;
    assert_eq!(balance(&server, promoting).await, "1790/0/0");
    server.when_due("order.settle", TimeDelta::minutes(2)).await;
    assert_eq!(balance(&server, promoting).await, "1790/0/0", "once");
    let status: String = server.one(&format!("select status from platform.distribution where order_id = {id}")).await;
    assert_eq!(status, "settled");
    let broken: i64 = server
        .one(
            "select count(*) from platform.user_account a
             where a.total_income <> a.available + a.frozen + a.withdrawn
                or a.total_income <> (select sum(amount) from platform.account_journal j where j.learner_id = a.learner_id)",
        )
        .await;
    assert_eq!(broken, 0);
}

/// Acceptance (4), and of lecturers (5): what a refund takes back before and after settlement.
#[tokio::test]
async fn refunds_take_back_their_part() {
    let server = Server::start().await;
    let operator = server.operator().await;
    mock_pays(&server).await;
    let course = sold_for(&server, "学位英语", 17_900).await;
    let (_, teaching) = entered(&server, "13900000011").await;
    let (promoter, promoting) = entered(&server, "13900000012").await;
    let (own, _) = entered(&server, PHONE).await;
    taught_by(&server, course, teaching).await;
    chosen(&server, &operator, course).await;
    let code = promoter.get(&format!("{LEARNER}/view")).await.data()["shareCode"].clone();
    let id = bought(&own, course, json!({ "shareCode": code })).await;
    refund(&operator, id, 5_000).await.data();
    let shown = seen(&operator, id).await;
    assert_eq!((&shown["orderStatus"], &shown["refundedAmount"]), (&json!("paid"), &json!(5_000)));
    let first = &shown["refunds"][0];
    assert_eq!(
        (&first["commissionBack"], &first["lecturerBack"], &first["platformBack"], &first["status"]),
        (&json!(500), &json!(3_150), &json!(1_350), &json!("success"))
    );
    assert_eq!(
        (balance(&server, teaching).await, balance(&server, promoting).await),
        ("0/8127/0".to_owned(), "0/1290/0".to_owned())
    );
    let more = refund(&operator, id, 13_000).await;
    assert_eq!(fields(&more), ["amount: 退款金额不能超过可退金额129.00元"]);
    let stale = json!({ "id": id, "amount": 100, "reason": "学员申请退款", "version": 1 });
    assert_eq!(operator.post(&format!("{ORDER}/refund"), stale).await.code(), 409);
    // The rest: nothing is left to anybody, and the course is the learner's no more.
    refund(&operator, id, 12_900).await.data();
    let shown = seen(&operator, id).await;
    assert_eq!((&shown["orderStatus"], &shown["refunds"][1]["lecturerBack"]), (&json!("refunded"), &json!(8_127)));
    assert_eq!(
        (balance(&server, teaching).await, balance(&server, promoting).await),
        ("0/0/0".to_owned(), "0/0/0".to_owned())
    );
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.data()["rights"], json!([]));
    let count: i64 = server.one(&format!("select count_buy from platform.online_course where id = {course}")).await;
    assert_eq!(count, 0);
    let status: String = server.one(&format!("select status from platform.distribution where order_id = {id}")).await;
    assert_eq!(status, "cancelled");
    assert_eq!(refund(&operator, id, 1).await.refused(), (409, "订单已退款，不能退款"));

    // After settlement, and after the money was taken out, the account goes below nothing.
    let again = bought(&own, course, json!({})).await;
    server.when_due("order.settle", TimeDelta::days(8)).await;
    let lecturers = 17_900 * 7_000 / 10_000;
    assert_eq!(balance(&server, teaching).await, format!("{lecturers}/0/0"));
    server
        .run(&format!(
            "update platform.user_account set available = 0, withdrawn = {lecturers} where learner_id = {teaching}"
        ))
        .await;
    let operator = server.operator().await;
    refund(&operator, again, 17_900).await.data();
    assert_eq!(balance(&server, teaching).await, format!("-{lecturers}/0/{lecturers}"));
    // Nothing goes out before it is above nothing again.
    let teacher = with_token(&server, &sign_in(&server, "13900000011", OWN).await);
    let card = json!({
        "bankCardNo": "6222020200112230000", "bankName": "中国工商银行", "bankUserName": "苏明远", "phone": "13900000041",
    });
    teacher.post("/user/client/account/bank", card).await.id();
    let asked = teacher.post("/user/client/account/extract", json!({ "amount": 10_000 })).await;
    assert_eq!(asked.refused(), (409, "可提现余额不足"));
}

#[tokio::test]
async fn the_hundredth_refund_has_a_number_of_its_own() {
    let server = Server::start().await;
    let operator = server.operator().await;
    mock_pays(&server).await;
    let course = sold_for(&server, "学位英语", 17_900).await;
    let (own, _) = entered(&server, PHONE).await;
    let id = bought(&own, course, json!({})).await;
    let first = refund(&operator, id, 100).await;
    assert_eq!((&first.data()["status"], &first.data()["warnings"]), (&json!("success"), &json!([])));
    server
        .run(
            "insert into platform.order_refund (order_id, payment_id, amount, reason, status, refund_no, operator_id, finished_at,
                 created_by, updated_by)
             select r.order_id, r.payment_id, 1, '学员申请退款', 'failed', 'T' || n, 0, now(), 0, 0
             from platform.order_refund r cross join generate_series(1, 98) n",
        )
        .await;
    refund(&operator, id, 100).await.data();
    let last = seen(&operator, id).await["refunds"][99]["refundNo"].clone();
    assert!(last.as_str().is_some_and(|number| number.len() == 22 && number.ends_with("100")), "{last}");
}

/// Exams of the site (§9.7) are products, too: bought, brought, sold for less, and given back.
#[tokio::test]
async fn an_exam_is_sold_as_a_course_is() {
    let server = Server::start().await;
    let operator = server.operator().await;
    mock_pays(&server).await;
    // A course that may have the number of the exam.
    sold_for(&server, "学位英语", 19_900).await;
    let [first, second, third] = problems(&operator).await;
    let paper = content("模拟卷", 100.0, 60.0, &[(first, 40.0), (second, 40.0), (third, 20.0)]);
    let priced = json!({ "isFree": false, "priceOriginal": 4_900, "priceSale": 2_900, "attemptLimit": 3 });
    let exam = shown(&operator, with(paper, priced)).await;
    let (own, _) = entered(&server, PHONE).await;
    assert_eq!(start(&own, exam).await.refused(), (403, "请先购买该试卷"));
    let off = json!({ "couponName": "试卷立减", "couponType": "direct", "amount": 900, "scopeType": "product",
        "scopeProductType": "exam", "scopeIds": [exam] });
    let off = coupon(&server, &operator, 1, off).await;
    let terms = operator.get(&format!("/user/pc/coupon/view?id={off}")).await.data()["scopeNames"].clone();
    assert_eq!(terms, json!(["模拟卷"]));
    let held = receive(&own, off).await.id();
    let wanted = json!({ "productType": "exam", "couponUserId": held });
    let placed = order(&own, exam, wanted).await.data().clone();
    assert_eq!(placed["pricePaid"], json!(2_000));
    assert_eq!(pay(&own, &placed, "wechat").await.data()["orderStatus"], json!("paid"));
    let buys =
        "select count_buy || '/' || (select sum(count_buy) from platform.online_course) from platform.online_exam";
    assert_eq!(server.one::<String>(buys).await, "1/0");
    let record = record_of(&start(&own, exam).await);
    submit(&own, record, answers("B", "B", None)).await.data();
    let again = order(&own, exam, json!({ "productType": "exam" })).await;
    assert_eq!(again.refused(), (409, "您已购买该商品"));
    let deleted = operator.delete(&format!("{EXAM}/delete?id={exam}")).await;
    assert_eq!(deleted.refused(), (409, "已有1名学员购买，请下架"));
    // What lists show of it.
    let offer = seckill_form(&server, exam, 5, json!({ "productType": "exam" }));
    operator.post(&format!("{SECKILL}/save"), offer).await.id();
    let offers = operator.post(&format!("{SECKILL}/list"), json!({})).await.data()["list"][0].clone();
    assert_eq!((&offers["productName"], &offers["priceSale"]), (&json!("模拟卷"), &json!(2_900)));
    let part = chosen_form(&server, exam, json!({ "productType": "exam" }));
    operator.post(&format!("{CHOSEN}/save"), part).await.id();
    let found = operator.post(&format!("{CHOSEN}/list"), json!({ "productName": "模拟" })).await.data().clone();
    assert_eq!((&found["totalCount"], &found["list"][0]["productName"]), (&json!(1), &json!("模拟卷")));
    // Given back, it is not begun again.
    let id = placed["id"].as_i64().expect("a number");
    refund(&operator, id, 2_000).await.data();
    assert_eq!(server.one::<String>(buys).await, "0/0");
    assert_eq!(start(&own, exam).await.refused(), (403, "请先购买该试卷"));
    // What waits to be paid stays.
    order(&own, exam, json!({ "productType": "exam" })).await.data();
    operator.put(&format!("{EXAM}/update/putaway"), json!({ "id": exam, "putaway": "off" })).await.data();
    let waits = operator.delete(&format!("{EXAM}/delete?id={exam}")).await;
    assert_eq!(waits.refused(), (409, "“模拟卷”有未完成的订单，请稍后再删除"));
}

/// Membership is bought month upon month, and a whole refund takes back what lies ahead.
#[tokio::test]
async fn membership_is_bought_and_taken_back() {
    let server = Server::start().await;
    let operator = server.operator().await;
    mock_pays(&server).await;
    let set = vip_set(&operator, "年度会员", 12).await;
    let (own, learner) = entered(&server, PHONE).await;
    let buy = async || {
        let body = json!({ "productType": "vip", "productId": set, "terminal": "h5" });
        let placed = own.post(&format!("{OWN_ORDER}/create"), body).await.data().clone();
        assert_eq!(placed["pricePaid"], json!(29_900), "members pay the same");
        pay(&own, &placed, "wechat").await.data();
        placed["id"].as_i64().expect("a number")
    };
    let (first, second) = (buy().await, buy().await);
    let until = async || {
        server.one::<String>(&format!("select vip_expires_at::text from platform.user_ext where id = {learner}")).await
    };
    let two_years = until().await;
    refund(&operator, first, 29_900).await.data();
    let left: i64 = server.one(&format!("select count(*) from platform.user_vip where order_id = {second}")).await;
    assert_eq!(left, 1);
    let one_year: bool = server
        .one(&format!(
            "select e.vip_expires_at between now() + interval '11 months' and now() + interval '13 months'
             from platform.user_ext e where id = {learner}"
        ))
        .await;
    assert!(one_year && until().await < two_years, "{}", until().await);
    refund(&operator, second, 29_900).await.data();
    let rate = operator.get(&format!("{EXT}/view?id={learner}")).await.data()["vipDiscountRate"].clone();
    assert_eq!(rate, Value::Null);
    // Each had begun, so that its span was only shortened.
    let trail: String = server
        .one("select string_agg(action, ',' order by id) from platform.audit_log where entity_type = 'user_vip'")
        .await;
    assert_eq!(trail, "insert,insert,update,update");
    // What waits to be paid keeps its membership from being deleted.
    let body = json!({ "productType": "vip", "productId": set, "terminal": "h5" });
    own.post(&format!("{OWN_ORDER}/create"), body).await.data();
    assert_eq!(operator.delete(&format!("/system/pc/vip/set/delete?id={set}")).await.code(), 409);
}

/// Whoever gets the course in the moment in which they pay for it has their money back at once, and is told so.
#[tokio::test]
async fn a_payment_for_what_is_owned_by_then_goes_back_at_once() {
    let server = Server::start().await;
    let operator = server.operator().await;
    mock_pays(&server).await;
    let course = sold_for(&server, "学位英语", 19_900).await;
    let (own, learner) = entered(&server, PHONE).await;
    let placed = order(&own, course, json!({})).await.data().clone();
    let id = placed["id"].as_i64().expect("a number");
    // The payment has begun and waits for the order, which somebody outside holds.
    let mut outside = server.owner().await;
    outside.execute("begin").await.expect("begun");
    sqlx::query("select id from platform.order_info where id = $1 for update")
        .bind(id)
        .execute(&mut outside)
        .await
        .expect("held");
    let (paid, ()) = tokio::join!(pay(&own, &placed, "wechat"), async {
        let waits = "select exists (select from pg_locks l join pg_stat_activity a on a.pid = l.pid
                     where not l.granted and a.datname = current_database())";
        server.wait_until(waits).await;
        let right = json!({ "id": learner, "productType": "record", "productId": course, "days": 30 });
        operator.post(&format!("{EXT}/grantRight"), right).await.data();
        outside.execute("rollback").await.expect("let go");
    });
    assert_eq!(paid.data()["orderStatus"], json!("refunded"));
    let shown = seen(&operator, id).await;
    assert_eq!((&shown["orderStatus"], &shown["payments"][0]["outcome"]), (&json!("refunded"), &json!("returned")));
    assert_eq!((&shown["refunds"][0]["status"], &shown["refunds"][0]["amount"]), (&json!("success"), &json!(19_900)));
}

/// A coupon that went back when its order was closed is used all the same when the money comes, and the trail says what it was before.
#[tokio::test]
async fn the_trail_tells_what_a_used_coupon_was_before() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let course = sold_for(&server, "学位英语", 19_900).await;
    let (own, _) = entered(&server, PHONE).await;
    let held = coupon(&server, &operator, 1, json!({})).await;
    let held = receive(&own, held).await.id();
    let placed = order(&own, course, json!({ "couponUserId": held })).await.data().clone();
    own.post(&format!("{OWN_ORDER}/cancel"), json!({ "orderNo": placed["orderNo"] })).await.data();
    let at = (server.app.clock().now() - TimeDelta::minutes(5)).to_rfc3339();
    let came = json!({ "id": placed["id"], "tradeNo": "B1", "paidAt": at });
    operator.put(&format!("{ORDER}/offlinePay"), came).await.data();
    let trail: Value = server
        .one(&format!(
            "select changes from platform.audit_log where entity_type = 'coupon_user' and entity_id = {held}
             order by id desc limit 1"
        ))
        .await;
    assert_eq!((&trail[0]["before"], &trail[0]["after"]), (&json!("unused"), &json!("used")), "{trail}");
}

/// 手工开单, 线下收款 and 备注; acceptance (5) by hand.
#[tokio::test]
async fn operators_open_orders_and_note_what_came() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let course = sold_for(&server, "学位英语", 19_900).await;
    let (own, learner) = entered(&server, PHONE).await;
    let manual =
        |price: i64| json!({ "learnerId": learner, "productType": "record", "productId": course, "pricePaid": price });
    let id = operator.post(&format!("{ORDER}/save"), manual(18_000)).await.id();
    let twice = operator.post(&format!("{ORDER}/save"), manual(18_000)).await;
    assert_eq!(twice.refused(), (409, "您有该商品的待支付订单，请先支付或取消"));
    let shown = seen(&operator, id).await;
    assert_eq!((&shown["source"], &shown["phone"]), (&json!("manual"), &json!("139****0005")));
    let now = server.app.clock().now();
    let at = |minutes: i64| (now + TimeDelta::minutes(minutes)).to_rfc3339();
    let came = |id: i64, number: &str, minutes: i64| json!({ "id": id, "tradeNo": number, "paidAt": at(minutes) });
    let offline = format!("{ORDER}/offlinePay");
    assert_eq!(fields(&operator.put(&offline, came(id, "B1", 5)).await), ["paidAt: 收款时间不能晚于现在"]);
    operator.put(&offline, came(id, "B1", -5)).await.data();
    let shown = seen(&operator, id).await;
    assert_eq!((&shown["orderStatus"], &shown["payType"]), (&json!("paid"), &json!("offline")));
    assert_eq!((&shown["payments"][0]["tradeNo"], &shown["feeAmount"]), (&json!("B1"), &json!(0)));
    assert_eq!(operator.put(&offline, came(id, "B2", -5)).await.refused(), (409, "订单已支付，不能支付"));
    // Refunded by hand, at once.
    refund(&operator, id, 18_000).await.data();
    assert_eq!(seen(&operator, id).await["orderStatus"], json!("refunded"));
    // What costs nothing is the learner's at once.
    let free = operator.post(&format!("{ORDER}/save"), manual(0)).await.id();
    let shown = seen(&operator, free).await;
    assert_eq!((&shown["orderStatus"], &shown["payType"]), (&json!("paid"), &json!("free")));
    assert_eq!(operator.post(&format!("{ORDER}/save"), manual(100)).await.refused(), (409, "您已购买该商品"));
    // A remark, and nothing else.
    let remark = json!({ "id": free, "remarkAdmin": "已电话核实", "version": shown["version"] });
    operator.put(&format!("{ORDER}/edit"), remark.clone()).await.data();
    assert_eq!(operator.put(&format!("{ORDER}/edit"), remark).await.code(), 409);
    // Money that comes after an order was closed.
    let other = sold_for(&server, "会计基础", 19_900).await;
    let late = order(&own, other, json!({})).await.data().clone();
    let late = late["id"].as_i64().expect("a number");
    operator.put(&format!("{ORDER}/close"), json!({ "id": late })).await.data();
    assert_eq!(
        operator.put(&format!("{ORDER}/close"), json!({ "id": late })).await.refused(),
        (409, "订单已关闭，不能关闭")
    );
    assert_eq!(fields(&operator.put(&offline, came(late, "B1", -5)).await), ["tradeNo: 该交易流水号已登记，请核对"]);
    operator.put(&offline, came(late, "B3", -5)).await.data();
    let shown = seen(&operator, late).await;
    assert_eq!((&shown["orderStatus"], &shown["abnormal"]), (&json!("paid"), &json!("late_paid")));
    // One that nobody began to pay cannot be asked for.
    let waiting = order(&own, sold_for(&server, "写作课", 19_900).await, json!({})).await.data().clone();
    let query = operator.post(&format!("{ORDER}/queryPay"), json!({ "id": waiting["id"] })).await;
    assert_eq!(query.refused(), (409, "学员尚未发起支付，无需查询"));
}

/// What may not be bought.
#[tokio::test]
async fn what_is_not_on_sale_is_not_ordered() {
    let server = Server::start().await;
    let course = sold_for(&server, "学位英语", 19_900).await;
    let (own, _) = entered(&server, PHONE).await;
    assert_eq!(fields(&order(&own, course + 99, json!({})).await), ["productId: 所选商品不存在，请刷新后重试"]);
    let exam = json!({ "productType": "exam", "productId": 1, "terminal": "pc" });
    assert_eq!(own.post(&format!("{OWN_ORDER}/create"), exam).await.code(), 422);
    server.run(&format!("update platform.online_course set putaway = 'off' where id = {course}")).await;
    assert_eq!(order(&own, course, json!({})).await.refused(), (409, "该商品已下架，不能购买"));
    server.run(&format!("update platform.online_course set putaway = 'on' where id = {course}")).await;
    // Acceptance (7).
    let placed = order(&own, course, json!({ "terminal": "h5" })).await.data().clone();
    assert_eq!(pay(&own, &placed, "alipay").await.refused(), (409, "暂无可用的支付方式"));
    assert_eq!(fields(&pay(&own, &placed, "free").await), ["payType: 请选择支付方式"]);
    // Half an hour, not a minute longer.
    server.when_due("order.close", TimeDelta::minutes(31)).await;
    assert_eq!(pay(&own, &placed, "alipay").await.refused(), (409, "订单已关闭，不能支付"));
    let stranger = server.operator().await;
    assert_eq!(order(&stranger, course, json!({})).await.refused(), (403, "当前身份不能访问"));
}

/// Acceptance (8) with 1,600 orders, memory not measured here: phones are masked in the sheet; the head sums what the filter names.
#[tokio::test]
async fn a_list_of_orders_is_summed_and_exported() {
    let server = Server::start().await;
    let clerk = operator_with(&server, "clerk", &["user:pc:order:info:export", "user:pc:order:info:list"]).await;
    let operator = server.operator().await;
    let course = sold_for(&server, "学位英语", 19_900).await;
    let (_, learner) = entered(&server, PHONE).await;
    server
        .run(&format!(
            "insert into platform.order_info (order_no, learner_id, phone, product_type, product_id, product_name, price_original,
                 price_sale, price_paid, refunded_amount, pay_type, order_status, source, pay_before, paid_at, created_by, updated_by)
             select '20270501' || lpad(n::text, 10, '0'), {learner}, '{PHONE}', 'record', {course}, '学位英语', 29900, 19900, 19900,
                    case when n % 4 = 0 then 5000 else 0 end, 'wechat', case when n % 5 = 0 then 'closed' else 'paid' end, 'h5', now(),
                    now(), 0, 0
             from generate_series(1, 2000) n where n % 5 > 0"
        ))
        .await;
    let filter =
        json!({ "orderStatus": "paid", "payType": "wechat", "source": "h5", "phone": "139", "productName": "英语" });
    let sums = operator.post("/data/pc/order/stat/view", filter.clone()).await.data().clone();
    assert_eq!(sums, json!({ "orders": 1_600, "paid": 1_600 * 19_900, "refunded": 400 * 5_000 }));
    let listed = operator.post(&format!("{ORDER}/list"), filter.clone()).await.data().clone();
    assert_eq!((&listed["totalCount"], &listed["list"][0]["phone"]), (&json!(1_600), &json!("139****0005")));
    // Each state is counted under all other filters.
    server
        .run("update platform.order_info set order_status = 'closed', closed_at = now() where order_no like '20270501%7'")
        .await;
    let mut closed = filter.clone();
    closed["orderStatus"] = json!("closed");
    let found = operator.post(&format!("{ORDER}/list"), closed.clone()).await.data().clone();
    let states = json!([{ "value": "closed", "count": 200 }, { "value": "paid", "count": 1_400 }]);
    assert_eq!((&found["totalCount"], &found["segments"]), (&json!(200), &states));
    closed["productName"] = json!("高等数学");
    let nothing = operator.post(&format!("{ORDER}/list"), closed).await.data().clone();
    assert_eq!((&nothing["totalCount"], &nothing["segments"]), (&json!(0), &json!(null)));
    server.run("update platform.order_info set order_status = 'paid' where order_no like '20270501%7'").await;
    let whole = format!("{ORDER}/export?whole=true&reason=%E5%AF%B9%E8%B4%A6");
    let sheet = texts(&operator.post(&whole, filter.clone()).await.bytes);
    assert_eq!((sheet.len(), sheet[1][2].as_str(), sheet[1][12].as_str()), (1_601, PHONE, "199"));
    let masked = texts(&clerk.post(&format!("{ORDER}/export"), json!({ "orderNo": "202705010000000001" })).await.bytes);
    assert_eq!((masked.len(), masked[1][2].as_str()), (2, "139****0005"));
    // The weaker refunds, closes and sees sums of nothing.
    assert_eq!(clerk.post("/data/pc/order/stat/view", json!({})).await.code(), 403);
    let body = json!({ "id": 1, "amount": 1, "reason": "x", "version": 1 });
    assert_eq!(clerk.post(&format!("{ORDER}/refund"), body).await.code(), 403);
    let one = operator.post(&format!("{ORDER}/list"), json!({ "orderNo": "202705010000000001" })).await.data().clone();
    let id = &one["list"][0]["id"];
    let plain = json!({ "entity": "order_info", "id": id, "field": "phone" });
    assert_eq!(operator.post("/system/pc/plain/view", plain.clone()).await.data()["value"], json!(PHONE));
    assert_eq!(clerk.post("/system/pc/plain/view", plain).await.code(), 403);
    // What was brought of a chosen product stands in its list.
    chosen(&server, &operator, course).await;
    let listed = operator.post(&format!("{CHOSEN}/list"), json!({})).await.data().clone();
    assert_eq!((&listed["list"][0]["orderCount"], &listed["list"][0]["productName"]), (&json!(0), &json!("学位英语")));
}
