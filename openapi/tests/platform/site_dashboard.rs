//! What the operators' home page tells of their online-education site (part 01 §11): a figure is the total of the list behind it.

use chrono::Duration;
use kit::{
    Answer, Client, Server,
    accounts::operator_with,
    community::{blog, certificate, question},
    learners::{entered, numbered},
    lecturers::{application, withdrawal},
    orders::{bought, mock_pays, order, refund, sold_for},
    quizzes,
    site::{comment, course},
};
use serde_json::{Value, json};

const HOME: &str = "/data/pc/dashboard/platform";
const HOME_CODE: &str = "data:pc:dashboard:view";
const SUMS: &str = "/data/pc/order/stat/view";
const SUMS_CODE: &str = "data:pc:order:stat:view";

/// Pages to which the figures lead, each with the call of its list.
const LISTS: [(&str, &str); 11] = [
    ("/user/order/info/list", "/user/pc/order/info/list"),
    ("/course/audit/record/list", "/course/pc/audit/record/list"),
    ("/course/audit/live/list", "/course/pc/audit/live/list"),
    ("/course/audit/resource/list", "/course/pc/audit/resource/list"),
    ("/exam/audit/list", "/exam/pc/audit/list"),
    ("/user/lecturer/audit/list", "/user/pc/lecturer/audit/list"),
    ("/user/account/extract/log/list", "/user/pc/account/extract/log/list"),
    ("/community/certificate/list", "/user/pc/community/certificate/list"),
    ("/community/blog/list", "/user/pc/community/blog/list"),
    ("/community/questions/list", "/user/pc/community/questions/list"),
    ("/course/comment/list", "/course/pc/comment/list"),
];

/// The call of the list to which a figure leads, and what the page asks of it.
fn behind(link: &Value) -> (&'static str, Value) {
    let link = link.as_str().expect("a link");
    let (page, query) = link.split_once('?').expect("a filter");
    let (_, call) = LISTS.into_iter().find(|(known, _)| *known == page).unwrap_or_else(|| panic!("no list at {page}"));
    let filter = query.split('&').filter_map(|part| part.split_once('='));
    (call, filter.map(|(name, value)| (name.to_owned(), json!(value))).collect::<serde_json::Map<_, _>>().into())
}

async fn total(client: &Client<'_>, link: &Value) -> Value {
    let (call, filter) = behind(link);
    client.post(call, filter).await.data()["totalCount"].clone()
}

fn of(home: &Answer, kind: &str, key: &str) -> Value {
    let rows = home.data()[kind].as_array().expect("a list");
    rows.iter().find(|row| row["key"] == json!(key)).cloned().unwrap_or(Value::Null)
}

/// The points of a line of the income, the last day last.
fn line(home: &Answer, at: usize) -> Vec<Value> {
    of(home, "charts", "income")["series"][at]["points"].as_array().expect("points").clone()
}

#[tokio::test]
async fn what_is_sold_is_the_head_of_its_list() {
    let server = Server::start().await;
    mock_pays(&server).await;
    let operator = server.operator().await;
    let empty = operator.get(HOME).await;
    assert_eq!((&of(&empty, "cards", "ordersToday")["value"], line(&empty, 0).len()), (&json!(0), 30));
    let [english, politics, maths] = [
        sold_for(&server, "学位英语", 17_900).await,
        sold_for(&server, "政治", 9_900).await,
        sold_for(&server, "高等数学", 5_000).await,
    ];
    let (own, _) = entered(&server, "13900000005").await;
    let before = bought(&own, maths, json!({})).await;
    server
        .run(&format!(
            "update platform.order_info set created_at = created_at - interval '1 day', paid_at = paid_at - interval '1 day'
             where id = {before}"
        ))
        .await;
    let paid = bought(&own, english, json!({})).await;
    refund(&operator, paid, 5_000).await.data();
    // Nobody paid this one yet: it is an order, and no money.
    order(&own, politics, json!({})).await.id();
    server.app.clock().shift(Duration::seconds(61));
    let home = operator.get(&format!("{HOME}?refresh=true")).await;
    let orders = of(&home, "cards", "ordersToday");
    assert_eq!((&orders["value"], &orders["compare"], &orders["unit"]), (&json!(2), &json!(1), &json!("个")));
    assert_eq!(total(&operator, &orders["link"]).await, orders["value"]);
    let money = of(&home, "cards", "paidToday");
    assert_eq!((&money["value"], &money["compare"], &money["unit"]), (&json!(17_900), &json!(5_000), &json!("分")));
    let sums = operator.post(SUMS, behind(&money["link"]).1).await.data().clone();
    assert_eq!((&sums["paid"], &sums["orders"]), (&money["value"], &orders["value"]));
    // Each day of the income is the head of the list of what was paid on it.
    let (paid, back) = (line(&home, 0), line(&home, 1));
    assert_eq!((&paid[28]["value"], &paid[29]["value"]), (&json!(5_000), &json!(17_900)));
    assert_eq!((&back[28]["value"], &back[29]["value"]), (&json!(0), &json!(5_000)));
    for day in [28, 29] {
        let sums = operator.post(SUMS, behind(&paid[day]["link"]).1).await.data().clone();
        assert_eq!((&sums["paid"], &sums["refunded"]), (&paid[day]["value"], &back[day]["value"]), "{}", paid[day]);
        assert_eq!(paid[day]["link"], back[day]["link"]);
    }
    assert_eq!(of(&home, "charts", "income")["unit"], json!("分"));
    // What was wholly refunded was paid all the same.
    refund(&operator, before, 5_000).await.data();
    server.app.clock().shift(Duration::seconds(61));
    let home = operator.get(&format!("{HOME}?refresh=true")).await;
    assert_eq!((&line(&home, 0)[28]["value"], &line(&home, 1)[28]["value"]), (&json!(5_000), &json!(5_000)));
    // Income shows with its own code alone.
    let bare = operator_with(&server, "homebody", &[HOME_CODE]).await;
    let seen = bare.get(HOME).await;
    assert_eq!((of(&seen, "charts", "income"), &of(&seen, "cards", "ordersToday")["value"]), (Value::Null, &json!(2)));
    let cashier = operator_with(&server, "cashier", &[HOME_CODE, SUMS_CODE]).await;
    assert_eq!(line(&cashier.get(HOME).await, 0)[29]["value"], json!(17_900));
}

/// Learners are people who sign in like others: the lines of all kinds together are the card.
#[tokio::test]
async fn learners_who_sign_in_have_a_line() {
    let server = Server::start().await;
    entered(&server, "13900000006").await;
    let operator = server.operator().await;
    let home = operator.get(HOME).await;
    let chart = of(&home, "charts", "signIns");
    let today = |line: &Value| line["points"][29]["value"].as_i64().expect("a number");
    let lines = chart["series"].as_array().expect("lines");
    assert_eq!(lines.iter().find(|line| line["name"] == json!("学员")).map(today), Some(1), "{chart}");
    let all: i64 = lines.iter().map(today).sum();
    assert_eq!(json!(all), of(&home, "cards", "signedInToday")["value"]);
}

/// Some of everything that somebody has to look at.
async fn waiting(server: &Server, operator: &Client<'_>) {
    for (kind, count) in [("record", 3), ("live", 2), ("resource", 1)] {
        for number in 1..=count {
            let id = course(server, &format!("{kind}{number}")).await;
            server
                .run(&format!(
                    "with shelf as (update platform.online_category g set category_type = '{kind}'
                                    from platform.online_course c where c.id = {id} and g.id = c.category_id),
                          version as (update platform.online_course_revision
                                      set audit_status = 'pending', audited_by = null, audited_at = null where course_id = {id})
                     update platform.online_course set course_type = '{kind}', published_revision_id = null, putaway = 'off',
                            audit_status = 'pending' where id = {id}"
                ))
                .await;
        }
    }
    let [first, second, _] = quizzes::problems(operator).await;
    let paper = quizzes::content("模拟卷", 100.0, 60.0, &[(first, 50.0), (second, 50.0)]);
    quizzes::save(operator, paper, "review").await.id();
    application(server, 31, "江若宁").await;
    application(server, 32, "苏明远").await;
    withdrawal(server, 41, 10_000).await;
    let approved = withdrawal(server, 42, 20_000).await;
    let decision = json!({ "id": approved, "auditStatus": "approved" });
    operator.put("/user/pc/account/extract/log/audit", decision).await.data();
    certificate(server, 51, "英语教师").await;
    for (title, status) in [("第一篇", "pending"), ("第二篇", "pending"), ("第三篇", "approved")] {
        blog(server, 61, title, status).await;
        question(server, title, status).await;
    }
    let talked = course(server, "学位英语").await;
    comment(server, talked, "讲得好", "pending").await;
    comment(server, talked, "很清楚", "approved").await;
    numbered(server, 71).await;
    server
        .run(&format!(
            "insert into platform.order_info (order_no, learner_id, phone, product_type, product_id, product_name, price_original,
                 price_sale, price_paid, pay_type, order_status, source, pay_before, paid_at, created_by, updated_by)
             values ('202705010000000001', 71, '13900000071', 'record', {talked}, '学位英语', 29900, 19900, 19900, 'wechat',
                 'refunding', 'h5', now(), now(), 0, 0)"
        ))
        .await;
}

#[tokio::test]
async fn open_work_of_the_site_is_the_total_of_its_lists() {
    let server = Server::start().await;
    let operator = server.operator().await;
    waiting(&server, &operator).await;
    let home = operator.get(HOME).await;
    for (key, count) in [
        ("pendingCourses", 3),
        ("pendingLiveCourses", 2),
        ("pendingResources", 1),
        ("pendingExams", 1),
        ("pendingLecturers", 2),
        ("pendingExtracts", 1),
        ("unpaidExtracts", 1),
        ("refundingOrders", 1),
        ("pendingCertificates", 1),
        ("pendingBlogs", 2),
        ("pendingQuestions", 2),
        ("pendingComments", 1),
    ] {
        let todo = of(&home, "todos", key);
        assert_eq!(todo["count"], json!(count), "{key}: {}", home.body);
        assert_eq!(total(&operator, &todo["link"]).await, todo["count"], "{key}");
        assert!(todo["oldest"].is_string(), "{todo}");
    }
    // Whoever holds the code of a list sees its work, and no other.
    let codes = [HOME_CODE, "user:pc:account:extract:log:list", "user:pc:community:blog:list"];
    let clerk = operator_with(&server, "clerk", &codes).await;
    let seen = clerk.get(HOME).await;
    let keys: Vec<&str> =
        seen.data()["todos"].as_array().expect("todos").iter().filter_map(|row| row["key"].as_str()).collect();
    assert_eq!(keys, ["pendingExtracts", "unpaidExtracts", "pendingBlogs"]);
    for key in keys {
        let todo = of(&seen, "todos", key);
        assert_eq!(total(&clerk, &todo["link"]).await, todo["count"], "{key}");
    }
    let operator = server.operator().await;
    // What was decided is no work any more, within the minute in which one may ask anew.
    let list = operator.post("/exam/pc/audit/list", json!({ "auditStatus": "pending" })).await;
    let decision = json!({ "id": list.data()["list"][0]["id"], "auditStatus": "approved" });
    operator.put("/exam/pc/audit/audit", decision).await.data();
    let same = operator.get(HOME).await;
    assert_eq!(of(&same, "todos", "pendingExams")["count"], json!(1), "remembered for five minutes");
    server.app.clock().shift(Duration::seconds(61));
    let fresh = operator.get(&format!("{HOME}?refresh=true")).await;
    assert_eq!(of(&fresh, "todos", "pendingExams")["count"], json!(0));
    assert_ne!(fresh.data()["computedAt"], home.data()["computedAt"]);
}
