//! 站内信 as a student finds it in their client (01 §7.5, §7.6-7).

use kit::{
    Client, Server,
    clients::{HOST, sign_in, with_token},
    students::{ROLL, id_number},
};
use serde_json::{Value, json};

use super::{MSG, becomes, school, send};

const INBOX: &str = "/user/client/msg";

/// The first students of the school in their clients, with passwords of their own.
async fn reader<'s>(server: &'s Server, number: &str, id_card_no: &str) -> Client<'s> {
    let initial = format!("Aa@{}", &id_card_no[12..]);
    let first = sign_in(server, number, &initial, "student").await;
    let own = "Qiu#2026xian";
    let body = json!({
        "oldPassword": server.cipher(&initial), "loginPassword": server.cipher(own), "confirmPassword": server.cipher(own),
    });
    assert_eq!(with_token(server, &first).put("/user/client/password", body).await.code(), 200);
    with_token(server, &sign_in(server, number, own, "student").await)
}

fn titles(list: &Value) -> Vec<&str> {
    list["list"].as_array().expect("a list").iter().filter_map(|letter| letter["title"].as_str()).collect()
}

#[tokio::test]
async fn a_student_reads_his_letters_once_and_nobody_elses() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    server.run(&format!("update platform.school set domain = '{HOST}' where id = 1")).await;
    server.run("select pg_notify('chengjiao', 'school:1')").await;
    for n in [1, 2] {
        let student = json!({
            "name": "张晓梅", "idCardNo": id_number(n), "studentNo": format!("26{n:08}"), "gradeId": p.grade, "levelId": p.level,
            "majorId": p.major, "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": p.site,
            "enrolledOn": "2026-03-01", "status": "registered", "source": "legacy",
        });
        admin.post(&format!("{ROLL}/save"), student).await.id();
    }
    let later = (server.app.clock().now() + chrono::Duration::days(3)).to_rfc3339();
    let top = send(&admin, json!({ "title": "置顶通知", "topUntil": later })).await;
    let plain =
        send(&admin, json!({ "title": "缴费通知", "jumpType": "url", "jumpTarget": "https://pay.example.cn" })).await;
    for id in [top, plain] {
        becomes(&server, id, "sent").await;
    }
    let (one, two) =
        (reader(&server, "2600000001", &id_number(1)).await, reader(&server, "2600000002", &id_number(2)).await);
    let list = one.post(&format!("{INBOX}/list"), json!({})).await.data().clone();
    assert_eq!(titles(&list), ["置顶通知", "缴费通知"]);
    assert_eq!(one.get(&format!("{INBOX}/unread")).await.data()["count"], json!(2));
    let (first, second) = (list["list"][0]["id"].clone(), list["list"][1]["id"].clone());

    let read = async |who: &Client<'_>, ids: &[&Value]| {
        who.put(&format!("{INBOX}/read"), json!({ "ids": ids })).await.data()["done"].clone()
    };
    assert_eq!(read(&two, &[&first, &second]).await, json!(0), "another's letters");
    assert_eq!(read(&one, &[&second]).await, json!(1));
    let at = |list: &Value| list["list"][1]["readAt"].clone();
    let before = at(one.post(&format!("{INBOX}/list"), json!({})).await.data());
    assert_eq!(read(&one, &[&second]).await, json!(0));
    assert_eq!(at(one.post(&format!("{INBOX}/list"), json!({})).await.data()), before, "the first time counts");
    assert_eq!(server.one::<i64>(&format!("select read_count from school_1.msg where id = {plain}")).await, 1);
    let unread = one.post(&format!("{INBOX}/list"), json!({ "unread": true })).await;
    assert_eq!(titles(unread.data()), ["置顶通知"]);

    // What was read stays, marked; the unread one vanishes.
    for id in [top, plain] {
        admin.put(&format!("{MSG}/recall?id={id}"), json!({})).await.data();
    }
    let left = one.post(&format!("{INBOX}/list"), json!({})).await.data().clone();
    assert_eq!((titles(&left), &left["list"][0]["recalled"]), (vec!["缴费通知"], &json!(true)));
    // A token of the console is none of a client's, and the other way round.
    assert_eq!(admin.post(&format!("{INBOX}/list"), json!({})).await.code(), 403);
    assert_eq!(one.post(&format!("{MSG}/list"), json!({})).await.code(), 403);
}
