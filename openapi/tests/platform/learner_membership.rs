//! Membership and what else learners may use, and until when (part 01 §9.6, §9.10 Learners).

use chrono::{DateTime, Duration, FixedOffset, Months};
use kit::{
    Server, fields,
    learners::{EXT, LEARNER, VIP_SET, entered, seen, vip_set},
    platform_courses::shared,
    sheets::texts,
};
use serde_json::{Value, json};

const PHONE: &str = "13900000005";

fn at(value: &Value) -> DateTime<FixedOffset> {
    value.as_str().expect("a moment").parse().expect("a moment")
}

/// 01 §9.10 Learners (1).
#[tokio::test]
async fn months_are_added_behind_what_runs() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (own, id) = entered(&server, PHONE).await;
    let (year, month) = (vip_set(&operator, "年度会员", 12).await, vip_set(&operator, "月度会员", 1).await);
    let grant = async |set: i64| operator.post(&format!("{EXT}/grantVip"), json!({ "id": id, "vipSetId": set })).await;
    assert_eq!(seen(&operator, id).await["memberState"], json!("none"));
    grant(month).await.data();
    let first = seen(&operator, id).await;
    assert_eq!((&first["memberState"], &first["vipDiscountRate"]), (&json!("running"), &json!(0.85)));
    grant(year).await.data();
    let second = seen(&operator, id).await;
    let wanted = at(&first["vipExpiresAt"]).checked_add_months(Months::new(12)).expect("a day");
    assert_eq!(at(&second["vipExpiresAt"]), wanted);
    let spans = second["memberships"].as_array().expect("memberships");
    assert_eq!((spans[0]["fromAt"].clone(), spans.len()), (first["vipExpiresAt"].clone(), 2));
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.data()["vipDiscountRate"], json!(0.85));
    let off = json!({ "id": year, "enabled": false });
    operator.put(&format!("{VIP_SET}/update/status"), off).await.data();
    assert_eq!(fields(&grant(year).await), ["vipSetId: 所选会员设置已停用，请重新选择"]);
    assert_eq!(fields(&grant(9_999).await), ["vipSetId: 所选会员设置不存在，请重新选择"]);
    let refused = operator.delete(&format!("{VIP_SET}/delete?id={year}")).await;
    assert_eq!(refused.refused(), (409, "已被1条会员记录引用，不能删除"));
    let found = async |state: &str| {
        operator.post(&format!("{EXT}/list"), json!({ "memberState": state })).await.data()["totalCount"].clone()
    };
    assert_eq!((found("running").await, found("none").await, found("ended").await), (json!(1), json!(0), json!(0)));
    server.run("update platform.user_ext set vip_expires_at = now() - interval '1 day'").await;
    assert_eq!((found("running").await, found("ended").await), (json!(0), json!(1)));
}

#[tokio::test]
async fn a_membership_is_sold_at_its_price() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let id = vip_set(&operator, "年度会员", 12).await;
    let form = |more: Value| {
        let mut form = json!({
            "setName": "季度会员", "months": 3, "priceOriginal": 9_900, "price": 7_900, "discountRate": 0.9,
        });
        more.as_object().expect("fields").iter().for_each(|(name, value)| form[name] = value.clone());
        form
    };
    let save = async |more: Value| operator.post(&format!("{VIP_SET}/save"), form(more)).await;
    assert_eq!(fields(&save(json!({ "setName": "年度会员" })).await), ["setName: 名称已存在"]);
    assert_eq!(fields(&save(json!({ "price": 9_901 })).await), ["price: 售价不能高于原价"]);
    assert_eq!(fields(&save(json!({ "discountRate": 0.855 })).await), ["discountRate: 会员折扣最多两位小数"]);
    for wrong in [
        json!({ "months": 61 }),
        json!({ "months": 0 }),
        json!({ "discountRate": 0.09 }),
        json!({ "discountRate": 1.01 }),
    ] {
        assert_eq!(save(wrong.clone()).await.code(), 422, "{wrong}");
    }
    let second = save(json!({ "sort": 0 })).await.id();
    let list = operator.post(&format!("{VIP_SET}/list"), json!({})).await.data().clone();
    let names: Vec<&str> =
        list["list"].as_array().expect("a list").iter().filter_map(|one| one["setName"].as_str()).collect();
    assert_eq!(names, ["季度会员", "年度会员"]);
    let mut edit = form(json!({ "price": 6_900 }));
    (edit["id"], edit["version"]) = (json!(second), json!(1));
    operator.put(&format!("{VIP_SET}/edit"), edit.clone()).await.data();
    assert_eq!(operator.put(&format!("{VIP_SET}/edit"), edit).await.code(), 409);
    let sheet = texts(&operator.post(&format!("{VIP_SET}/export"), json!({})).await.bytes);
    assert_eq!(sheet[0][..5], ["名称", "月数", "原价(元)", "售价(元)", "会员折扣"]);
    assert_eq!(sheet[1][..5], ["季度会员", "3", "99", "69", "0.9"]);
    operator.delete(&format!("{VIP_SET}/delete?id={id}")).await.data();
}

/// 01 §9.10 Learners (5).
#[tokio::test]
async fn days_of_an_owned_product_extend_it() {
    let server = Server::start().await;
    let course = shared(&server, "video_1").await;
    let operator = server.operator().await;
    let (own, id) = entered(&server, PHONE).await;
    let grant = async |product: i64, kind: &str, days: i64| {
        let body = json!({ "id": id, "productType": kind, "productId": product, "days": days });
        operator.post(&format!("{EXT}/grantRight"), body).await
    };
    grant(course, "record", 30).await.data();
    let first = seen(&operator, id).await["rights"][0].clone();
    assert_eq!((&first["productName"], &first["granted"]), (&json!("大学英语（平台）"), &json!(true)));
    grant(course, "record", 30).await.data();
    let rights = own.get(&format!("{LEARNER}/view")).await.data()["rights"].clone();
    assert_eq!(rights.as_array().map(Vec::len), Some(1));
    assert_eq!(at(&rights[0]["expiresAt"]), at(&first["expiresAt"]) + Duration::days(30));
    server.run("update platform.learner_right set expires_at = null").await;
    assert_eq!(grant(course, "record", 30).await.refused(), (409, "该学员已长期拥有该商品，无需赠送"));
    assert_eq!(fields(&grant(course, "live", 30).await), ["productId: 所选商品不存在，请重新选择"]);
    assert_eq!(fields(&grant(1, "vip", 30).await), ["productType: 会员请用“开通会员”办理"]);
    assert_eq!(grant(course, "record", 0).await.code(), 422);
    let trail: String = server
        .one("select string_agg(action, ',' order by id) from platform.audit_log where entity_type = 'learner_right'")
        .await;
    assert_eq!(trail, "insert,status");
}
