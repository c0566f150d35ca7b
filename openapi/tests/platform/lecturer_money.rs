//! Who becomes a lecturer, and how they are paid (part 01 §9.5).

use chrono::TimeDelta;
use kit::{
    Server,
    accounts::operator_with,
    fields,
    lecturers::{account, application, balance, withdrawal},
    sheets::texts,
};
use serde_json::json;

const AUDIT: &str = "/user/pc/lecturer/audit";
const LOG: &str = "/user/pc/account/extract/log";

/// What the learner is told by the event of this key; nothing while there is none.
async fn told(server: &Server, key: &str) -> String {
    server
        .one(&format!(
            "select coalesce((select (payload -> 'variables')::text from platform.event_outbox where dedupe_key = '{key}'), '')"
        ))
        .await
}

/// Acceptance (1), and the way of a rejection.
#[tokio::test]
async fn an_application_is_decided_on_once() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let asked = application(&server, 7, "江若宁").await;
    let decide = async |id: i64, status: &str| {
        operator.put(&format!("{AUDIT}/audit"), json!({ "id": id, "auditStatus": status })).await
    };
    assert_eq!(fields(&decide(asked, "rejected").await), ["auditOpinion: 请填写审核意见"]);
    decide(asked, "approved").await.data();
    assert_eq!(decide(asked, "approved").await.refused(), (409, "该申请已审核，请刷新"));
    let made: String = server.one("select string_agg(lecturer_name || learner_id, ',') from platform.lecturer").await;
    assert_eq!(made, "江若宁7", "one lecturer");
    assert_eq!(told(&server, &format!("lecturer_audit_result:{asked}")).await, r#"{"remark": "", "result": "通过"}"#);
    // Who teaches already changes what is told of them.
    let again = application(&server, 7, "江若宁老师").await;
    let refused = json!({ "id": again, "auditStatus": "rejected", "auditOpinion": "照片不清晰" });
    operator.put(&format!("{AUDIT}/audit"), refused).await.data();
    assert_eq!(
        told(&server, &format!("lecturer_audit_result:{again}")).await,
        r#"{"remark": "照片不清晰", "result": "不通过"}"#
    );
    let again = application(&server, 7, "江若宁老师").await;
    decide(again, "approved").await.data();
    let made: String = server.one("select string_agg(lecturer_name || learner_id, ',') from platform.lecturer").await;
    assert_eq!(made, "江若宁老师7");
    let income = async || {
        let shown = operator.post("/user/pc/lecturer/list", json!({})).await;
        shown.data()["list"][0]["totalIncome"].clone()
    };
    assert_eq!(income().await, json!(0), "nothing was sold yet");
    account(&server, 7, 11_277).await;
    assert_eq!(income().await, json!(11_277));
    let listed = operator.post(&format!("{AUDIT}/list"), json!({ "keyword": "13900000031" })).await;
    assert_eq!(listed.data()["totalCount"], json!(3));
    assert_eq!(listed.data()["list"][0]["phone"], json!("139****0031"));
    let refused = json!({ "keyword": "13900000031", "auditStatus": "rejected" });
    let refused = operator.post(&format!("{AUDIT}/list"), refused).await.data().clone();
    let counted = json!([{ "value": "approved", "count": 2 }, { "value": "rejected", "count": 1 }]);
    assert_eq!((&refused["totalCount"], &refused["segments"]), (&json!(1), &counted));
    let wanted = json!({ "entity": "lecturerAudit", "id": asked, "field": "phone" });
    assert_eq!(operator.post("/system/pc/plain/view", wanted).await.data()["value"], json!("13900000031"));
}

/// Acceptance (3): who approves does not pay, and what is paid is taken out.
#[tokio::test]
async fn one_approves_and_another_pays() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let asked = withdrawal(&server, 7, 10_000).await;
    let pay = json!({ "id": asked, "success": true, "payNo": "202611280001" });
    let early = operator.put(&format!("{LOG}/pay"), pay.clone()).await;
    assert_eq!(early.refused(), (409, "该提现尚未审核通过，不能打款"));
    operator.put(&format!("{LOG}/audit"), json!({ "id": asked, "auditStatus": "approved" })).await.data();
    assert_eq!(told(&server, &format!("extract_result:{asked}")).await, "", "it is not ended yet");
    let own = operator.put(&format!("{LOG}/pay"), pay.clone()).await;
    assert_eq!(own.refused(), (409, "审核人与打款人不能为同一人"));
    let cashier = operator_with(&server, "cashier", &["user:pc:account:extract:log:pay"]).await;
    let unnamed = cashier.put(&format!("{LOG}/pay"), json!({ "id": asked, "success": true })).await;
    assert_eq!(fields(&unnamed), ["payNo: 请填写打款流水号"]);
    cashier.put(&format!("{LOG}/pay"), pay.clone()).await.data();
    assert_eq!(balance(&server, 7).await, "1277/0/10000");
    let paid = r#"{"amount": "100.00元", "remark": "请查收", "result": "已打款"}"#;
    assert_eq!(told(&server, &format!("extract_result:{asked}")).await, paid);
    let operator = server.operator().await;
    let shown = operator.get(&format!("{LOG}/view?id={asked}")).await;
    assert_ne!(shown.data()["paidAt"], json!(null));
    assert_eq!(cashier.put(&format!("{LOG}/pay"), pay).await.refused(), (409, "该提现已打款，不能打款"));
    assert_eq!(cashier.post(&format!("{LOG}/list"), json!({})).await.code(), 403);
}

/// Acceptance (4), a rejection, and what the list comes to.
#[tokio::test]
async fn what_is_not_paid_is_given_back() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (failing, rejected) = (withdrawal(&server, 7, 10_000).await, withdrawal(&server, 8, 20_000).await);
    let listed = operator.post(&format!("{LOG}/list"), json!({})).await;
    assert_eq!(
        (&listed.data()["sums"], &listed.data()["unbalanced"]),
        (&json!([{ "status": "pending", "count": 2, "amount": 30_000 }]), &json!(0))
    );
    assert_eq!(listed.data()["segments"], json!([{ "value": "pending", "count": 2 }]));
    assert_eq!(listed.data()["list"][0]["bankCardNo"].as_str().map(|no| no.contains('*')), Some(true));
    let decision = json!({ "id": rejected, "auditStatus": "rejected", "auditOpinion": "户名不符" });
    operator.put(&format!("{LOG}/audit"), decision.clone()).await.data();
    assert_eq!(operator.put(&format!("{LOG}/audit"), decision).await.refused(), (409, "该提现已审核，请刷新"));
    assert_eq!(balance(&server, 8).await, "21277/0/0");
    // The states are counted whichever is asked for; what they come to is that of the one.
    let waiting = operator.post(&format!("{LOG}/list"), json!({ "status": "pending" })).await.data().clone();
    let both = json!([{ "value": "pending", "count": 1 }, { "value": "rejected", "count": 1 }]);
    assert_eq!((&waiting["segments"], &waiting["totalCount"]), (&both, &json!(1)));
    assert_eq!(waiting["sums"], json!([{ "status": "pending", "count": 1, "amount": 10_000 }]));
    let why = r#"{"amount": "200.00元", "remark": "户名不符", "result": "已驳回"}"#;
    assert_eq!(told(&server, &format!("extract_result:{rejected}")).await, why);
    let several = json!({ "ids": [failing, rejected], "auditStatus": "approved" });
    let done = operator.put(&format!("{LOG}/batchReview"), several).await;
    assert_eq!((&done.data()["done"], &done.data()["failed"][0]["id"]), (&json!(1), &json!(rejected)));
    let cashier = operator_with(&server, "cashier", &["user:pc:account:extract:log:pay"]).await;
    let silent = cashier.put(&format!("{LOG}/pay"), json!({ "id": failing, "success": false })).await;
    assert_eq!(fields(&silent), ["reason: 请填写失败原因"]);
    let failed = json!({ "id": failing, "success": false, "reason": "银行退回" });
    cashier.put(&format!("{LOG}/pay"), failed).await.data();
    assert_eq!(balance(&server, 7).await, "11277/0/0");
    let why = r#"{"amount": "100.00元", "remark": "银行退回", "result": "打款失败"}"#;
    assert_eq!(told(&server, &format!("extract_result:{failing}")).await, why);
    let operator = server.operator().await;
    let shown = operator.get(&format!("{LOG}/view?id={failing}")).await;
    assert_eq!((&shown.data()["paidAt"], &shown.data()["opinion"]), (&json!(null), &json!("银行退回")));
    let rows = texts(&operator.post(&format!("{LOG}/export"), json!({ "status": "failed" })).await.bytes);
    assert_eq!((rows.len(), rows[1][0].as_str()), (2, "苏明远"));
    // An account that does not agree with its journal is told by the look of the night, until it agrees again.
    let told = async || {
        server.when_due("account.check", TimeDelta::minutes(2)).await;
        operator.post(&format!("{LOG}/list"), json!({})).await.data()["unbalanced"].clone()
    };
    assert_eq!(told().await, json!(0));
    server
        .run("update platform.account_journal set amount = amount + 1 where kind = 'income' and learner_id = 7")
        .await;
    assert_eq!(told().await, json!(1));
    let why: String = server
        .one("select errors -> 0 ->> 'msg' from platform.job where kind = 'account.check' order by id desc limit 1")
        .await;
    assert_eq!(why, "总收入11277分，各项合计11277分，流水合计11278分");
    server
        .run("update platform.account_journal set amount = amount - 1 where kind = 'income' and learner_id = 7")
        .await;
    assert_eq!(told().await, json!(0));
}
