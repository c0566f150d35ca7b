//! What the operators' public site is decorated with.

use kit::site_content::{advertisement, category, nav, poster};
use serde_json::{Value, json};

use super::{Life, id};

const NAV: &str = "/system/pc/nav/bar";
const TOP: &str = "/system/pc/adv/top";
const CAROUSEL: &str = "/system/pc/adv/carousel";
const ZONE: &str = "/system/pc/zone";
const ITEM: &str = "/system/pc/zone/item";
const SCHOOL: &str = "/system/pc/zone/school";
const CATEGORY: &str = "/course/pc/category/home";
const FOOTER: &str = "/system/pc/website/nav";
const LINK: &str = "/system/pc/website/link";
const POSTER: &str = "/system/pc/sharing/template";
const WORD: &str = "/system/pc/search";

pub(super) async fn live(life: &mut Life<'_>) {
    list(life, NAV, [nav("首页"), nav("课程"), nav("名师")]).await;
    let shown = |from: &str, to: &str| advertisement("春季招生", from, to);
    let at_the_top = [shown("05-01", "05-02"), shown("05-03", "05-04"), shown("05-05", "05-06")];
    list(life, TOP, at_the_top).await;
    list(life, CAROUSEL, [shown("05-01", "05-02"), shown("05-01", "05-02"), shown("05-01", "05-02")]).await;
    let below = |parent: i64, title: &str| json!({ "parentId": parent, "navTitle": title, "linkUrl": "/help" });
    let column = id(&life.post(&format!("{FOOTER}/save"), json!({ "navTitle": "关于我们" })).await);
    list(life, FOOTER, [below(column, "简介"), below(column, "联系"), below(column, "招聘")]).await;
    let link = |name: &str| json!({ "linkName": name, "linkUrl": "https://www.chsi.com.cn/" });
    list(life, LINK, [link("学信网"), link("国开"), link("招考")]).await;
    list(life, POSTER, [poster("春"), poster("夏"), poster("秋")]).await;
    let word = |word: &str| json!({ "terminal": "pc", "wordType": "hot", "word": word });
    list(life, WORD, [word("英语"), word("政治"), word("会计")]).await;
    short(life, SCHOOL, json!({ "schoolId": 1, "slogan": "甲" }), json!({ "schoolId": 2 })).await;
    let (one, other) = (category(life.server, "首页甲").await, category(life.server, "首页乙").await);
    let of = |id: i64| json!({ "terminal": "pc", "categoryId": id });
    life.get(&format!("{CATEGORY}/available/list")).await;
    short(life, CATEGORY, of(one), of(other)).await;
    shelves(life).await;
    life.get("/system/client/site/home?terminal=pc").await;
}

/// The default actions of a list with three rows, of which one is left.
async fn list(life: &mut Life<'_>, entity: &str, [first, second, third]: [Value; 3]) {
    let gone = id(&life.post(&format!("{entity}/save"), third).await);
    life.post(&format!("{entity}/batchDel"), json!({ "ids": [gone] })).await;
    short(life, entity, first, second).await;
}

/// The same of two rows, without the deletion of several.
async fn short(life: &mut Life<'_>, entity: &str, first: Value, second: Value) {
    let made = id(&life.post(&format!("{entity}/save"), first.clone()).await);
    let other = id(&life.post(&format!("{entity}/save"), second).await);
    life.post(&format!("{entity}/list"), json!({})).await;
    let mut edit = first;
    (edit["id"], edit["sort"]) = (json!(made), json!(7));
    edit["version"] = life.get(&format!("{entity}/view?id={made}")).await["version"].clone();
    life.put(&format!("{entity}/edit"), edit).await;
    life.put(&format!("{entity}/sort"), json!({ "ids": [made, other] })).await;
    for enabled in [false, true] {
        life.put(&format!("{entity}/update/status"), json!({ "id": made, "enabled": enabled })).await;
    }
    life.post(&format!("{entity}/export"), json!({})).await;
    life.delete(&format!("{entity}/delete?id={made}")).await;
    if entity == SCHOOL || entity == CATEGORY {
        life.post(&format!("{entity}/batchDel"), json!({ "ids": [other] })).await;
    }
}

async fn shelves(life: &mut Life<'_>) {
    let zone = |title: &str| json!({ "terminal": "pc", "zoneTitle": title, "zoneType": "lecturer" });
    list(life, ZONE, [zone("名师"), zone("新人"), zone("退休")]).await;
    let shelf = id(&life.post(&format!("{ZONE}/save"), zone("讲师团")).await);
    let mut items = Vec::new();
    for name in ["陈老师", "李老师"] {
        let lecturer = json!({ "lecturerName": name, "phone": "13900000003" });
        let lecturer = id(&life.post("/user/pc/lecturer/save", lecturer).await);
        life.get(&format!("{ITEM}/available/list?zoneId={shelf}")).await;
        items.push(id(&life.post(&format!("{ITEM}/save"), json!({ "zoneId": shelf, "refId": lecturer })).await));
    }
    life.post(&format!("{ITEM}/list"), json!({ "zoneId": shelf })).await;
    life.put(&format!("{ITEM}/sort"), json!({ "ids": [items[1], items[0]] })).await;
    life.delete(&format!("{ITEM}/delete?id={}", items[0])).await;
}
