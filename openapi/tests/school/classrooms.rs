//! Rooms of a site and classes generated for places (part 03 A2, A4).

use kit::{
    Server,
    cohort::{cohort, registrar},
    fields,
    sheets::{import, row_errors, texts},
};
use serde_json::{Value, json};

const ROOM: &str = "/adult/pc/classroom";

fn room(site: i64, no: &str) -> Value {
    json!({ "siteId": site, "building": "第一教学楼", "roomNo": no, "roomType": "multimedia", "capacity": 60, "examCapacity": 30 })
}

#[tokio::test]
async fn nobody_is_examined_where_nobody_fits_and_a_room_is_there_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let mut wrong = room(p.site, "301");
    wrong["examCapacity"] = json!(80);
    let refused = admin.post(&format!("{ROOM}/save"), wrong).await;
    assert_eq!(fields(&refused), ["examCapacity: 考试容量不能大于容量"]);
    let id = admin.post(&format!("{ROOM}/save"), room(p.site, "a301")).await.id();
    let seen = admin.get(&format!("{ROOM}/view?id={id}")).await;
    assert_eq!(seen.data()["name"], json!("第一教学楼a301"));
    let again = admin.post(&format!("{ROOM}/save"), room(p.site, "A301")).await;
    assert_eq!(fields(&again), ["roomNo: 该站点已有教室“第一教学楼A301”"]);
    let refused = admin.delete(&format!("/adult/pc/site/delete?id={}", p.site)).await;
    assert_eq!(refused.refused(), (409, "“城东教学点”已被引用，不能删除：1间教室"));
    let options = admin.get(&format!("/adult/pc/options/classroom?parentId={}&keyword=a3", p.site)).await;
    assert_eq!(options.data()[0]["code"], json!(id), "{}", options.body);
}

#[tokio::test]
async fn rooms_lie_where_their_site_lies() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let other =
        admin.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西", "kind": "headquarter" })).await.id();
    let own = admin.post(&format!("{ROOM}/save"), room(other, "101")).await.id();
    let hidden = admin.post(&format!("{ROOM}/save"), room(p.site, "102")).await.id();
    let codes =
        ["list", "view", "save", "edit", "delete", "export"].map(|action| format!("adult:pc:classroom:{action}"));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[other]).await;
    let list = narrow.post(&format!("{ROOM}/list"), json!({})).await;
    assert_eq!((&list.data()["totalCount"], &list.data()["list"][0]["id"]), (&json!(1), &json!(own)));
    assert_eq!(texts(&narrow.post(&format!("{ROOM}/export"), json!({})).await.bytes).len(), 2);
    assert_eq!(narrow.get(&format!("{ROOM}/view?id={hidden}")).await.code(), 404);
    assert_eq!(narrow.delete(&format!("{ROOM}/delete?id={hidden}")).await.code(), 404);
    let refused = narrow.post(&format!("{ROOM}/save"), room(p.site, "103")).await;
    assert_eq!(fields(&refused), ["siteId: 所选站点不存在，请重新选择"]);
    let mut moved = room(p.site, "101");
    moved["id"] = json!(own);
    moved["version"] = json!(1);
    let refused = narrow.put(&format!("{ROOM}/edit"), moved).await;
    assert_eq!(fields(&refused), ["siteId: 所选站点不存在，请重新选择"]);
}

#[tokio::test]
async fn a_sheet_of_rooms_comes_whole_or_not_at_all() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    let headings = ["站点编码", "楼宇", "房间号", "类型", "容量", "考试容量"];
    let wrong = import(
        &admin,
        ROOM,
        &headings,
        &[
            &["CD", "一教", "101", "普通", "60", "30"],
            &["XX", "一教", "102", "普通", "60", ""],
            &["CD", "一教", "101", "机房", "60", "80"],
            &["cd", "一教", "101", "机房", "60", ""],
        ],
    )
    .await;
    assert_eq!(
        row_errors(wrong.data()),
        ["3 站点编码: 编码“XX”不存在", "4 考试容量: 考试容量不能大于容量", "5 房间号: 该站点已有教室“一教101”"]
    );
    assert_eq!(server.one::<i64>("select count(*) from school_1.classroom").await, 0);
    let right = import(
        &admin,
        ROOM,
        &headings,
        &[&["CD", "一教", "101", "普通", "60", "30"], &["CD", "", "102", "机房", "40", ""]],
    )
    .await;
    assert_eq!(right.data()["imported"], json!(2), "{}", right.body);
    let names: Vec<String> = server.one("select array_agg(name order by name) from school_1.classroom").await;
    assert_eq!(names, ["102", "一教101"]);
}

/// Part 03 A4, acceptance 1.
#[tokio::test]
async fn generated_classes_go_on_counting() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let second = json!({ "code": "GS", "name": "工商管理", "nationalMajorId": p.national, "levelId": p.level, "totalCredits": 92.0, "direction": "工商" });
    let second = admin.post("/adult/pc/major/save", second).await.id();
    let mut sites = vec![p.site];
    for code in ["CX", "CN"] {
        let site = json!({ "code": code, "name": format!("站{code}"), "kind": "headquarter" });
        sites.push(admin.post("/adult/pc/site/save", site).await.id());
    }
    let items: Vec<Value> = [p.major, second]
        .iter()
        .flat_map(|major| {
            sites.iter().map(move |site| json!({ "majorId": major, "siteId": site, "count": 1, "capacity": 40 }))
        })
        .collect();
    let wish = |dry_run: bool| json!({ "gradeId": p.grade, "items": items, "dryRun": dry_run });
    let names = |answer: &Value| -> Vec<String> {
        answer["classes"]
            .as_array()
            .expect("classes")
            .iter()
            .map(|c| c["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    let shown = admin.post("/adult/pc/class/generate", wish(true)).await;
    assert_eq!(server.one::<i64>("select count(*) from school_1.class").await, 0);
    let made = admin.post("/adult/pc/class/generate", wish(false)).await;
    assert_eq!(made.data()["done"], json!(6));
    assert_eq!(names(shown.data()), names(made.data()));
    assert_eq!(names(made.data())[0], "2026级专升本会计学城东1班");
    assert_eq!(server.one::<Vec<i32>>("select array_agg(seq) from school_1.class").await, [1; 6]);
    let more = admin.post("/adult/pc/class/generate", wish(false)).await;
    assert_eq!(names(more.data())[0], "2026级专升本会计学城东2班");
    assert_eq!(more.data()["classes"][0]["code"], json!("2026-KJ-CD-02"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.class where seq = 2 and capacity = 40").await, 6);
    let twice = json!({ "gradeId": p.grade, "items": [items[0], items[0]] });
    let refused = admin.post("/adult/pc/class/generate", twice).await;
    assert_eq!(fields(&refused), ["items: 同一专业和站点只能填写一行"]);
}
