//! Changes in the clients (part 02 §13): a student asks and takes back, the sites say what they think.

use kit::{
    Client, Server,
    clients::{self, entered},
    cohort::{Cohort, cohort},
    fields,
    site_staff::STAFF,
    status_change::{BATCH, CHANGE, batch_of, change, seen, step},
    students::{id_number, save, student},
};
use poem::http::Method;
use serde_json::{Value, json};

const OWN: &str = "/user/client/change";

fn initial(number: &str) -> String {
    format!("Aa@{}", &number[12..])
}

async fn student_in<'s>(server: &'s Server, admin: &Client<'_>, p: &Cohort, n: usize) -> (i64, Client<'s>) {
    let id = save(admin, student(p, n)).await;
    let own = entered(server, &format!("26{n:08}"), &initial(&id_number(n)), "student").await;
    (id, own)
}

async fn batch(admin: &Client<'_>, code: &str, types: &[&str], client_entry: bool) -> i64 {
    let mut body = batch_of(code, &format!("批次{code}"), types);
    body["clientEntry"] = json!(client_entry);
    admin.post(&format!("{BATCH}/save"), body).await.id()
}

async fn listed(client: &Client<'_>) -> Value {
    client.post(&format!("{OWN}/list"), json!({})).await.data().clone()
}

#[tokio::test]
async fn a_student_asks_and_both_sites_look() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p = cohort(&admin).await;
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let mut class = p.class("C9");
    class["siteId"] = json!(far);
    admin.post("/adult/pc/class/save", class).await.id();
    for (site, phone) in [(p.site, "13600000001"), (far, "13600000002")] {
        let person = json!({ "siteId": site, "name": "刘站长", "phone": phone, "duty": "academic", "idCardNo": id_number(site as usize + 40) });
        admin.post(&format!("{STAFF}/save"), person).await.id();
    }
    let (id, own) = student_in(&server, &admin, &p, 1).await;
    let (other_id, other) = student_in(&server, &admin, &p, 2).await;
    let here = entered(&server, "13600000001", &initial(&id_number(p.site as usize + 40)), "site_staff").await;
    let there = entered(&server, "13600000002", &initial(&id_number(far as usize + 40)), "site_staff").await;
    let wanted = |request: &str| {
        json!({
            "requestId": request, "type": "class_change", "after": { "siteId": far }, "reason": "搬家，离城西更近",
        })
    };
    let check = json!({ "type": "class_change", "after": { "siteId": far } });
    // A window that students may not enter is none to them.
    batch(&admin, "YD-1", &["class_change"], false).await;
    assert_eq!(own.get(&format!("{OWN}/batches")).await.data(), &json!([]));
    let look = own.post(&format!("{OWN}/check"), check.clone()).await.data().clone();
    assert_eq!((&look["ok"], &look["reasons"]), (&json!(false), &json!(["当前不在异动受理时间"])));
    let closed = own.post(&format!("{OWN}/submit"), wanted("r-1")).await;
    assert_eq!(closed.refused(), (409, "当前不在异动受理时间"));
    let open = batch(&admin, "YD-2", &["class_change", "dropout"], true).await;
    let batches = own.get(&format!("{OWN}/batches")).await.data().clone();
    assert_eq!((&batches[0]["id"], batches.as_array().map(Vec::len)), (&json!(open), Some(1)));
    assert_eq!(own.post(&format!("{OWN}/check"), check).await.data()["ok"], json!(true));
    let asked = own.post(&format!("{OWN}/submit"), wanted("r-1")).await.id();
    let replay = own.unlooked(Method::POST, &format!("{OWN}/submit"), Some(&wanted("r-1"))).await;
    assert_eq!(replay.id(), asked, "sent twice it asks once");
    let row = listed(&own).await["list"][0].clone();
    assert_eq!((&row["status"], &row["source"]), (&json!("pending_site"), &json!("student_client")));
    assert_eq!((&row["applicantName"], &row["batchId"]), (&json!("张晓梅"), &json!(open)));
    for (client, count) in [(&other, 0), (&here, 1), (&there, 0)] {
        assert_eq!(listed(client).await["totalCount"], json!(count));
    }
    let review = |request: &str, version: &Value, result: &str, remark: Option<&str>| json!({ "requestId": request, "id": asked, "version": version, "result": result, "remark": remark });
    let site_review = format!("{OWN}/siteReview");
    assert_eq!(own.post(&site_review, review("s-1", &json!(1), "pass", None)).await.code(), 403, "no student reviews");
    assert_eq!(there.post(&site_review, review("s-1", &json!(1), "pass", None)).await.code(), 404);
    assert_eq!(here.post(&site_review, review("s-1", &json!(1), "pass", Some("情况属实"))).await.id(), asked);
    let waiting = listed(&there).await["list"][0].clone();
    assert_eq!((&waiting["id"], &waiting["status"]), (&json!(asked), &json!("pending_target_site")));
    let accept = format!("{OWN}/acceptReview");
    assert_eq!(here.post(&accept, review("s-2", &waiting["version"], "pass", None)).await.code(), 404);
    assert_eq!(there.post(&accept, review("s-2", &waiting["version"], "pass", None)).await.id(), asked);
    assert_eq!(step(&admin, "audit", asked, json!({})).await.id(), asked);
    let page = seen(&admin, asked).await;
    let steps: Vec<(&Value, &Value)> =
        page["steps"].as_array().expect("steps").iter().map(|step| (&step["step"], &step["actorName"])).collect();
    assert_eq!(
        steps[..3],
        [
            (&json!("submit"), &json!("张晓梅")),
            (&json!("site"), &json!("刘站长")),
            (&json!("target_site"), &json!("刘站长")),
        ]
    );
    let site: i64 = server.one(&format!("select site_id from school_1.student where id = {id}")).await;
    assert_eq!(site, far);
    // The site asks in a student's place; a student takes back only what they asked for themselves.
    let leave = json!({
        "requestId": "s-3", "studentId": other_id, "type": "dropout", "reasonCode": "voluntary", "reason": "学生来电要求退学",
    });
    assert_eq!(there.post(&format!("{OWN}/save"), leave.clone()).await.code(), 404, "not of another site");
    let made = here.post(&format!("{OWN}/save"), leave).await.id();
    assert_eq!(seen(&admin, made).await["source"], json!("site_client"));
    let cancel = json!({ "requestId": "r-9", "id": made, "version": 1, "remark": "不退学了" });
    assert_eq!(own.put(&format!("{OWN}/cancel"), cancel.clone()).await.code(), 404, "nobody else's");
    let refused = other.put(&format!("{OWN}/cancel"), cancel).await;
    assert_eq!(refused.refused(), (403, "该异动不是本人提交的，不能撤回，请联系学校或站点"));
    assert_eq!(seen(&admin, made).await["status"], json!("pending_site"));
    step(&admin, "cancel", made, json!({ "remark": "学生不退学了" })).await.id();
    let leave = json!({ "requestId": "r-10", "type": "dropout", "reasonCode": "voluntary", "reason": "工作调动" });
    let own_leave = other.post(&format!("{OWN}/submit"), leave).await.id();
    // Its type is the student's; what staff change of it is told on its way.
    let mut edit = change(other_id, "transfer_out", json!({ "targetSchoolName": "演示开放大学" }));
    (edit["id"], edit["version"]) = (json!(own_leave), json!(1));
    let refused = admin.put(&format!("{CHANGE}/edit"), edit.clone()).await;
    assert_eq!(fields(&refused), ["type: 学员或站点提交的申请不能更换类型，请驳回后另行申请"]);
    let mut edit = change(other_id, "dropout", json!({ "reasonCode": "voluntary" }));
    (edit["id"], edit["version"]) = (json!(own_leave), json!(1));
    assert_eq!(admin.put(&format!("{CHANGE}/edit"), edit).await.id(), own_leave);
    let steps = seen(&admin, own_leave).await["steps"].clone();
    assert_eq!((&steps[0]["step"], &steps[1]["step"]), (&json!("submit"), &json!("edit")));
    let cancel = json!({ "requestId": "r-11", "id": own_leave, "version": 2 });
    assert_eq!(other.put(&format!("{OWN}/cancel"), cancel).await.id(), own_leave);
    assert_eq!(seen(&admin, own_leave).await["status"], json!("cancelled"));
    // What the office has only drafted about them is nothing to them yet.
    let draft = change(other_id, "dropout", json!({ "reasonCode": "academic" }));
    let draft = admin.post(&format!("{CHANGE}/save"), draft).await.id();
    assert_eq!(listed(&other).await["totalCount"], json!(2));
    assert_eq!(step(&admin, "submit", draft, json!({})).await.id(), draft);
    assert_eq!(listed(&other).await["totalCount"], json!(3));
}
