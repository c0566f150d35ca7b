//! Knowledge points of a course (part 03 A5).

use kit::{
    Answer, Client, Server,
    cohort::registrar,
    courses::{COURSE, course},
    fields,
    sheets::texts,
};
use serde_json::{Value, json};

const POINT: &str = "/course/pc/knowledgePoint";

fn body(course: i64, parent: Option<i64>, code: &str, name: &str) -> Value {
    json!({ "courseId": course, "parentId": parent, "code": code, "name": name })
}

async fn save(client: &Client<'_>, body: Value) -> Answer {
    client.post(&format!("{POINT}/save"), body).await
}

async fn point(client: &Client<'_>, course: i64, parent: Option<i64>, code: &str, name: &str) -> i64 {
    save(client, body(course, parent, code, name)).await.id()
}

/// The point as it was read, below another.
async fn moved(client: &Client<'_>, id: i64, parent: Option<i64>) -> Value {
    let seen = client.get(&format!("{POINT}/view?id={id}")).await.data().clone();
    json!({ "id": id, "version": seen["version"], "courseId": seen["courseId"], "parentId": parent, "code": seen["code"],
        "name": seen["name"], "sortNo": seen["sortNo"] })
}

async fn edit(client: &Client<'_>, body: Value) -> Answer {
    client.put(&format!("{POINT}/edit"), body).await
}

/// The names of a tree, those below another in brackets.
fn names(nodes: &Value) -> String {
    let nodes = nodes.as_array().expect("points");
    let name = |node: &Value| match names(&node["children"]) {
        below if below.is_empty() => node["name"].as_str().expect("a name").to_owned(),
        below => format!("{}({below})", node["name"].as_str().expect("a name")),
    };
    nodes.iter().map(name).collect::<Vec<_>>().join(" ")
}

async fn tree(client: &Client<'_>, course: i64, keyword: Option<&str>) -> String {
    let wanted = json!({ "courseId": course, "keyword": keyword });
    names(client.post(&format!("{POINT}/list"), wanted).await.data())
}

#[tokio::test]
async fn points_stand_in_three_levels_and_move_with_those_below_them() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let economics = course(&admin, "A", "政治经济学").await;
    let money = point(&admin, economics, None, "HB", "货币").await;
    let functions = point(&admin, economics, Some(money), "ZN", "货币职能").await;
    let measure = point(&admin, economics, Some(functions), "CD", "价值尺度").await;
    let credit = point(&admin, economics, None, "XY", "信用").await;
    let interest = point(&admin, economics, Some(credit), "LX", "利息").await;
    let refused = save(&admin, body(economics, Some(measure), "X", "第四级")).await;
    assert_eq!(fields(&refused), ["parentId: 知识点最多三级"]);
    let seen = admin.get(&format!("{POINT}/view?id={measure}")).await;
    assert_eq!((&seen.data()["depth"], &seen.data()["parentName"]), (&json!(3), &json!("货币职能")));

    let refused = edit(&admin, moved(&admin, money, Some(measure)).await).await;
    assert_eq!(fields(&refused), ["parentId: 不能移动到自己的下级"]);
    let refused = edit(&admin, moved(&admin, credit, Some(functions)).await).await;
    assert_eq!(fields(&refused), ["parentId: 知识点最多三级"]);
    let foreign = course(&admin, "B", "会计学基础").await;
    let account = point(&admin, foreign, None, "ZH", "账户").await;
    let refused = edit(&admin, moved(&admin, interest, Some(account)).await).await;
    assert_eq!(fields(&refused), ["parentId: 所选上级知识点不存在，请重新选择"]);

    // Siblings stand by their number, then by their code.
    let mut later = moved(&admin, money, None).await;
    later["sortNo"] = json!(10);
    assert_eq!(edit(&admin, later).await.code(), 200);
    assert_eq!(tree(&admin, economics, None).await, "信用(利息) 货币(货币职能(价值尺度))");
    assert_eq!(edit(&admin, moved(&admin, functions, Some(credit)).await).await.code(), 200);
    assert_eq!(tree(&admin, economics, None).await, "信用(利息 货币职能(价值尺度)) 货币");
    // Above a match its superiors stay.
    assert_eq!(tree(&admin, economics, Some("尺度")).await, "信用(货币职能(价值尺度))");
    assert_eq!(tree(&admin, economics, Some("lx")).await, "信用(利息)");
    assert_eq!(admin.post(&format!("{POINT}/list"), json!({ "courseId": 999_999 })).await.code(), 404);
}

/// Each of two moves is right, and together they would make a fourth level.
#[tokio::test]
async fn two_moves_at_once_make_no_fourth_level() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let economics = course(&admin, "A", "政治经济学").await;
    let first = point(&admin, economics, None, "K1", "货币").await;
    let second = point(&admin, economics, None, "K2", "货币职能").await;
    let third = point(&admin, economics, None, "K3", "价值尺度").await;
    point(&admin, economics, Some(third), "K4", "价格标准").await;
    let (one, two) = (moved(&admin, second, Some(first)).await, moved(&other, third, Some(second)).await);
    let (one, two) = tokio::join!(edit(&admin, one), edit(&other, two));
    let mut codes = [one.code(), two.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 422], "{} {}", one.body, two.body);
}

#[tokio::test]
async fn codes_and_names_stand_once_in_a_course() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (one, two) = (course(&admin, "A", "政治经济学").await, course(&admin, "B", "西方经济学").await);
    let money = point(&admin, one, None, "HB", "货币").await;
    assert_eq!(fields(&save(&admin, body(one, None, "hb", "货币史")).await), ["code: 编码“hb”已存在"]);
    assert_eq!(fields(&save(&admin, body(one, Some(money), "HB2", " 货币 ")).await), ["name: 名称“货币”已存在"]);
    let twin = point(&admin, two, None, "hb", "货币").await;
    let seen = admin.get(&format!("{POINT}/view?courseId={two}&code=HB")).await;
    assert_eq!(seen.data()["id"], json!(twin));
    assert_eq!(admin.get(&format!("{POINT}/view?courseId={two}&code=XX")).await.code(), 404);
    assert_eq!(admin.get(&format!("{POINT}/view?code=HB")).await.code(), 400);
    assert_eq!(fields(&save(&admin, body(999_999, None, "X", "无")).await), ["courseId: 课程不存在或已被删除"]);

    let mut elsewhere = moved(&admin, money, None).await;
    elsewhere["courseId"] = json!(two);
    assert_eq!(fields(&edit(&admin, elsewhere).await), ["courseId: 知识点不能移到其他课程"]);
    let stale = moved(&admin, money, None).await;
    assert_eq!(edit(&admin, stale.clone()).await.code(), 200);
    assert_eq!(edit(&admin, stale).await.code(), 409);
}

#[tokio::test]
async fn a_point_with_others_below_it_stays_and_a_whole_branch_goes_at_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let economics = course(&admin, "A", "政治经济学").await;
    let money = point(&admin, economics, None, "HB", "货币").await;
    let functions = point(&admin, economics, Some(money), "ZN", "货币职能").await;
    let measure = point(&admin, economics, Some(functions), "CD", "价值尺度").await;
    let refused = admin.delete(&format!("{POINT}/delete?id={money}")).await;
    assert_eq!(refused.refused(), (409, "“货币”已被引用，不能删除：1个知识点"));
    let refused = admin.delete(&format!("{COURSE}/delete?id={economics}")).await;
    assert_eq!(refused.refused(), (409, "“政治经济学”已被引用，不能删除：3个知识点"));
    let part = admin.post(&format!("{POINT}/batchDel"), json!({ "ids": [money, functions] })).await;
    assert_eq!(part.data()["done"], json!(0), "{}", part.body);
    assert_eq!(part.data()["failed"][0]["name"], json!("货币职能"));
    let whole = admin.post(&format!("{POINT}/batchDel"), json!({ "ids": [money, 999_999, functions, measure] })).await;
    assert_eq!(
        (&whole.data()["done"], &whole.data()["failed"]),
        (&json!(3), &json!([{ "id": 999_999, "name": "", "msg": "记录不存在或已被删除" }]))
    );
    assert_eq!(admin.delete(&format!("{COURSE}/delete?id={economics}")).await.code(), 200);
}

#[tokio::test]
async fn points_are_exported_as_the_tree_is_read_and_offered_with_those_above_them() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let economics = course(&admin, "A", "政治经济学").await;
    let money = point(&admin, economics, None, "HB", "货币").await;
    let functions = point(&admin, economics, Some(money), "ZN", "货币职能").await;
    point(&admin, economics, Some(functions), "CD", "价值尺度").await;
    point(&admin, economics, None, "AA", "商品").await;
    let elsewhere = course(&admin, "B", "会计学基础").await;
    point(&admin, elsewhere, None, "ZH", "账户").await;
    let rows = texts(&admin.post(&format!("{POINT}/export"), json!({ "courseId": economics })).await.bytes);
    assert_eq!(
        rows,
        [
            ["名称", "编码", "上级知识点", "层级", "排序"],
            ["商品", "AA", "", "1", "0"],
            ["货币", "HB", "", "1", "0"],
            ["货币职能", "ZN", "货币", "2", "0"],
            ["价值尺度", "CD", "货币职能", "3", "0"],
        ]
    );
    let offered = admin.get(&format!("/adult/pc/options/knowledgePoint?parentId={economics}&keyword=jzcd")).await;
    assert_eq!(offered.data()[0]["desc"], json!("货币 / 货币职能 / 价值尺度"), "{}", offered.body);
    let offered = admin.get(&format!("/adult/pc/options/knowledgePoint?parentId={elsewhere}")).await;
    assert_eq!(offered.data().as_array().map(Vec::len), Some(1), "{}", offered.body);
}

#[tokio::test]
async fn an_operator_names_the_school_whose_points_he_means() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let economics = course(&admin, "A", "政治经济学").await;
    let operator = server.operator().await;
    let wanted = json!({ "courseId": economics });
    for call in ["list", "export"] {
        let refused = operator.post(&format!("{POINT}/{call}"), wanted.clone()).await;
        assert_eq!(fields(&refused), ["schoolId: 请选择院校"], "{call}");
    }
    let made = operator.post(&format!("{POINT}/save?schoolId=1"), body(economics, None, "HB", "货币")).await.id();
    assert_eq!(tree(&admin, economics, None).await, "货币");
    let rows = texts(&operator.post(&format!("{POINT}/export?schoolId=1"), wanted).await.bytes);
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_eq!(operator.get(&format!("{POINT}/view?id={made}&schoolId=2")).await.code(), 404);
}
