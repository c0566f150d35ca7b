//! Learners of the operators' site and what membership is sold as.

use kit::learners::{EXT, VIP_SET, vip_set};
use serde_json::{Value, json};

use super::{Life, id};

pub(super) async fn live(life: &mut Life<'_>) {
    let course: i64 = life
        .server
        .one(
            "insert into platform.online_course (course_type, course_name, category_id, lecturer_id, cover, is_free,
                 price_original, price_sale, audit_status, created_by, updated_by)
             select 'record', '学员的课程', c.id, l.id, '/a.png', true, 0, 0, 'approved', 0, 0
             from (select id from platform.online_category where category_type = 'record' order by id limit 1) c,
                  (select id from platform.lecturer order by id limit 1) l
             returning id",
        )
        .await;
    sets(life).await;
    let set = vip_set(&life.client, "年度会员", 12).await;
    let form = |phone: &str, nickname: &str| json!({ "phone": phone, "nickname": nickname });
    let made = id(&life.post(&format!("{EXT}/save"), form("13900000005", "甲")).await);
    let mut edit = form("13900000005", "乙");
    (edit["id"], edit["version"]) = (json!(made), json!(1));
    life.put(&format!("{EXT}/edit"), edit).await;
    let right = json!({ "id": made, "productType": "record", "productId": course, "days": 30 });
    life.post(&format!("{EXT}/grantRight"), right).await;
    life.post(&format!("{EXT}/grantVip"), json!({ "id": made, "vipSetId": set })).await;
    life.put(&format!("{EXT}/update/password"), json!({ "id": made })).await;
    for enabled in [false, true] {
        life.put(&format!("{EXT}/update/status"), json!({ "id": made, "enabled": enabled })).await;
    }
    let view: Value = life.get(&format!("{EXT}/view?id={made}")).await;
    assert_eq!((view["rights"].as_array().map(Vec::len), &view["memberState"]), (Some(1), &json!("running")));
    life.post(&format!("{EXT}/list"), json!({})).await;
    life.post(&format!("{EXT}/export"), json!({})).await;
    life.get(&format!("{EXT}/import/template")).await;
    life.import(&format!("{EXT}/import"), &["手机号", "昵称", "性别"], &[&["13900000006", "丙", "男"]]).await;
}

async fn sets(life: &mut Life<'_>) {
    let form = |name: &str| json!({ "setName": name, "months": 1, "priceOriginal": 3_900, "price": 2_900, "discountRate": 0.95 });
    let made = id(&life.post(&format!("{VIP_SET}/save"), form("甲")).await);
    let mut edit = form("乙");
    (edit["id"], edit["version"]) = (json!(made), json!(1));
    life.put(&format!("{VIP_SET}/edit"), edit).await;
    life.get(&format!("{VIP_SET}/view?id={made}")).await;
    life.post(&format!("{VIP_SET}/list"), json!({})).await;
    life.post(&format!("{VIP_SET}/export"), json!({})).await;
    for enabled in [false, true] {
        life.put(&format!("{VIP_SET}/update/status"), json!({ "id": made, "enabled": enabled })).await;
    }
    let second = id(&life.post(&format!("{VIP_SET}/save"), form("丙")).await);
    life.post(&format!("{VIP_SET}/batchDel"), json!({ "ids": [second] })).await;
    life.delete(&format!("{VIP_SET}/delete?id={made}")).await;
}
