//! A save that is sent several times at once under one `Idempotency-Key` (00 §8).

use kit::{Server, cohort::registrar};
use poem::http::Method;
use serde_json::{Value, json};

const SAVE: &str = "/adult/pc/site/save";

#[tokio::test]
async fn twelve_saves_at_once_make_one_site_and_get_one_answer() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    for round in 0..5 {
        let key = format!("site-{round}");
        let body = json!({ "code": format!("S{round}"), "name": format!("城东站{round}"), "kind": "headquarter" });
        let calls = (0..12).map(|_| admin.with_header(Method::POST, SAVE, ("Idempotency-Key", &key), &body));
        let answers: Vec<Value> =
            futures_util::future::join_all(calls).await.iter().map(|answer| answer.data().clone()).collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    }
    assert_eq!(server.one::<i64>("select count(*) from school_1.site").await, 5);
}

#[tokio::test]
async fn a_key_means_one_call_for_a_day_and_may_be_used_again_afterwards() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let save = async |code: &str| {
        let body = json!({ "code": code, "name": code, "kind": "headquarter" });
        admin.with_header(Method::POST, SAVE, ("Idempotency-Key", "once"), &body).await
    };
    let first = save("S1").await.id();
    let other = json!({ "code": "S9", "name": "S9", "kind": "headquarter" });
    admin.with_header(Method::POST, SAVE, ("Idempotency-Key", "another"), &other).await.id();
    assert_eq!(save("S1").await.id(), first);
    assert_eq!(save("S2").await.refused(), (409, "请求编号已被使用"));
    server.run("update school_1.idempotency_key set created_at = created_at - interval '25 hours'").await;
    let second = save("S2").await.id();
    assert_ne!(second, first);
    let kept: i64 = server.one("select count(*) from school_1.idempotency_key").await;
    assert_eq!(kept, 1, "what is older than a day is gone");
    assert_eq!(save("S2").await.id(), second, "the key is the new call's for the next day");
    assert_eq!(save("S1").await.refused(), (409, "请求编号已被使用"));
}
