//! What learners of the operators' site do who want to teach there: they apply, hand in courses, say where their money goes and ask for
//! it (part 01 §9.2, §9.5, §9.10, §9.11).

use kit::{
    Answer, Client, Server,
    clients::with_token,
    fields,
    files::paper,
    learners::{EXT, OWN, entered, sign_in},
    lecturers::{account, balance},
    platform_courses::{AUDIT as VERSIONS, COURSE, put},
    rows::video,
};
use serde_json::{Value, json};

const APPLY: &str = "/user/client/lecturer/apply";
const SUBMIT: &str = "/course/client/course/submit";
const VIEW: &str = "/course/client/course/view";
const BANK: &str = "/user/client/account/bank";
const EXTRACT: &str = "/user/client/account/extract";
const AUDIT: &str = "/user/pc/lecturer/audit";
const LOG: &str = "/user/pc/account/extract/log";
const FIRST: &str = "13900000091";
const SECOND: &str = "13900000092";

fn application(name: &str) -> Value {
    json!({ "lecturerName": name, "phone": "13900000031", "position": "讲师", "introduce": "从事英语教学十年" })
}

/// A learner who asked to teach and was found fit.
async fn teaching<'s>(server: &'s Server, operator: &Client<'_>, phone: &str, name: &str) -> (Client<'s>, i64) {
    let (learner, id) = entered(server, phone).await;
    let asked = learner.post(APPLY, application(name)).await.id();
    let decision = json!({ "id": asked, "auditStatus": "approved" });
    operator.put(&format!("{AUDIT}/audit"), decision).await.data();
    (learner, id)
}

/// A course of 199 yuan, sold for 149, of one chapter with one lesson.
fn course(category: i64, media: i64, name: &str) -> Value {
    json!({
        "courseName": name, "categoryId": category, "cover": "/cover.png", "isFree": false, "priceOriginal": 19_900,
        "priceSale": 14_900,
        "chapters": [{ "chapterName": "第一章", "periods": [{ "periodName": "1.1", "mediaAssetId": media }] }],
    })
}

async fn submit(client: &Client<'_>, id: Option<i64>, content: &Value) -> Answer {
    client.post(SUBMIT, json!({ "id": id, "courseType": "record", "content": content })).await
}

/// The only version that waits.
async fn waiting(operator: &Client<'_>) -> Value {
    let list = operator.post(&format!("{VERSIONS}/list"), json!({ "auditStatus": "pending" })).await;
    assert_eq!(list.data()["totalCount"], json!(1), "{}", list.body);
    list.data()["list"][0].clone()
}

async fn decide(operator: &Client<'_>, status: &str, opinion: Option<&str>) {
    let id = waiting(operator).await["id"].clone();
    let decision = json!({ "id": id, "auditStatus": status, "auditOpinion": opinion });
    operator.put(&format!("{VERSIONS}/audit"), decision).await.data();
}

/// One application waits at a time; the part of each sale is not the applicant's to say.
#[tokio::test]
async fn a_learner_applies_to_teach() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let word = json!({ "words": ["代考"], "category": "ad", "action": "reject" });
    operator.post("/system/pc/sys/sensitive/word/library/save", word).await.data();
    let (learner, id) = entered(&server, FIRST).await;
    let mut bad = application("江若宁");
    bad["introduce"] = json!("代 考包过");
    assert_eq!(fields(&learner.post(APPLY, bad).await), ["introduce: 内容包含敏感词，请修改后提交"]);
    let mut greedy = application("江若宁");
    greedy["lecturerProportion"] = json!(1.0);
    assert_eq!(learner.post(APPLY, greedy).await.code(), 400, "no field of this form");
    let mut open = application("江若宁");
    (open["headImg"], open["phone"]) = (json!("http://10.0.0.1/a.png"), json!("1390000003"));
    assert_eq!(
        fields(&learner.post(APPLY, open).await),
        [
            "phone: 手机格式不正确：应为11位手机号",
            "headImg: 头像格式不正确：请上传图片，或填写以 https:// 开头的图片地址"
        ]
    );
    let asked = learner.post(APPLY, application("江若宁")).await.id();
    let again = learner.post(APPLY, application("江若宁")).await;
    assert_eq!(again.refused(), (409, "您的申请正在审核，请耐心等待"));
    let approve = async |id: i64| {
        operator.put(&format!("{AUDIT}/audit"), json!({ "id": id, "auditStatus": "approved" })).await.data().clone()
    };
    approve(asked).await;
    let made = async || -> String {
        server
            .one(&format!(
                "select lecturer_name || '/' || lecturer_proportion::float8 from platform.lecturer where learner_id = {id}"
            ))
            .await
    };
    assert_eq!(made().await, "江若宁/0.7");
    // What was agreed with them stays when they change what is told of them.
    server.run("update platform.lecturer set lecturer_proportion = 0.65").await;
    let changed = learner.post(APPLY, application("江若宁老师")).await.id();
    approve(changed).await;
    assert_eq!(made().await, "江若宁老师/0.65");
    assert_eq!(operator.post(APPLY, application("某人")).await.refused(), (403, "当前身份不能访问"));
    assert_eq!(server.anonymous().post(APPLY, application("某人")).await.refused(), (301, "请先登录"));
    operator.put(&format!("{EXT}/update/status"), json!({ "id": id, "enabled": false })).await.data();
    assert_eq!(learner.post(APPLY, application("某人")).await.code(), 303);
}

/// Acceptance (1) of the courses: what is published stays until the lecturer's new version is approved.
#[tokio::test]
async fn a_lecturer_hands_courses_in() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let category = json!({ "categoryName": "公共课" });
    let category = operator.post("/course/pc/category/record/save", category).await.id();
    let media = video(&server, "platform", "v1", "ready", 90).await;
    let (reader, _) = entered(&server, "13900000093").await;
    let content = course(category, media, "大学英语");
    assert_eq!(submit(&reader, None, &content).await.refused(), (403, "您还不是讲师，请先申请讲师"));
    let (lecturer, _) = teaching(&server, &operator, FIRST, "江若宁").await;
    let (other, own) = teaching(&server, &operator, SECOND, "苏明远").await;

    let mut wrong = course(category, 987_654, "大学英语");
    assert_eq!(
        fields(&submit(&lecturer, None, &wrong).await),
        ["content.chapters[0].periods[0].mediaAssetId: 所选音视频不存在，请重新选择"]
    );
    (wrong["courseName"], wrong["priceSale"]) = (json!(" "), json!(-1));
    assert_eq!(
        fields(&submit(&lecturer, None, &wrong).await),
        ["content.courseName: 课程名称不能为空", "content.priceSale: 优惠价(分)取值应在0到99999999之间"]
    );
    assert_eq!(submit(&lecturer, None, &json!({ "surprise": 1 })).await.code(), 400);
    // Whoever it says, the lecturer is whoever sends it.
    let mut posing = content.clone();
    (posing["lecturerId"], posing["countBuyBase"]) = (json!(987_654), json!(999));
    // A file that somebody else sent in is not theirs to hand in.
    let mut foreign = content.clone();
    foreign["chapters"][0]["periods"][0]["attachmentKeys"] = json!([paper(&operator, "讲义.pdf").await]);
    assert_eq!(
        fields(&submit(&lecturer, None, &foreign).await),
        ["content.chapters[0].periods[0].attachmentKeys: 文件不存在或未上传完成，请重新上传"]
    );
    let made = submit(&lecturer, None, &posing).await;
    assert_eq!(made.data()["auditStatus"], json!("pending"));
    let id = made.id();
    let again = submit(&lecturer, None, &content).await;
    assert_eq!(again.refused(), (409, "该课程有待审核版本"), "sent twice it is one course");
    let version = waiting(&operator).await;
    assert_eq!(
        (&version["courseName"], &version["lecturerName"], &version["submitterName"]),
        (&json!("大学英语"), &json!("江若宁"), &json!("江若宁"))
    );
    decide(&operator, "rejected", Some("封面不清晰")).await;
    submit(&lecturer, Some(id), &content).await.id();
    decide(&operator, "approved", None).await;
    assert_eq!(
        server.anonymous().get(&format!("{VIEW}?id={id}")).await.code(),
        404,
        "the operator puts it on the shelf"
    );
    put(&operator, id, "on").await.data();

    let page = async || server.anonymous().get(&format!("{VIEW}?id={id}")).await.data().clone();
    let before = page().await;
    assert_eq!(before["countBuy"], json!(0), "what stands before the number of buyers is the operator's to say");
    let mut newer = course(category, media, "大学英语（新）");
    newer["chapters"][0]["id"] = before["chapters"][0]["id"].clone();
    newer["chapters"][0]["periods"][0]["id"] = before["chapters"][0]["periods"][0]["id"].clone();
    assert_eq!(submit(&other, Some(id), &newer).await.code(), 404, "somebody else's course");
    let same = submit(&lecturer, Some(id), &{
        let mut same = newer.clone();
        same["courseName"] = json!("大学英语");
        same
    })
    .await;
    assert_eq!(same.refused(), (409, "内容与已发布的版本相同，无需提交"));
    let stale = json!({ "id": id, "version": 1, "courseType": "record", "content": newer });
    assert_eq!(lecturer.post(SUBMIT, stale).await.code(), 409);
    submit(&lecturer, Some(id), &newer).await.id();
    assert_eq!(page().await["courseName"], json!("大学英语"), "until approval the old text is shown");
    assert_eq!(submit(&lecturer, Some(id), &newer).await.refused(), (409, "该课程有待审核版本"));
    decide(&operator, "approved", None).await;
    let after = page().await;
    assert_eq!(after["courseName"], json!("大学英语（新）"));
    assert_eq!(after["chapters"][0]["periods"][0]["id"], before["chapters"][0]["periods"][0]["id"]);
    // A video that people pay another lecturer for is nobody's to give away, and a category is one of the kind.
    let copied = course(category, media, "免费学英语");
    assert_eq!(
        fields(&submit(&other, None, &copied).await),
        ["content.chapters[0].periods[0].mediaAssetId: 所选音视频已用于其他讲师的课程，请选择自己的音视频"]
    );
    let live = operator.post("/course/pc/category/live/save", json!({ "categoryName": "公开课" })).await.id();
    let mut misplaced = copied;
    misplaced["categoryId"] = json!(live);
    misplaced["chapters"] = json!([]);
    assert_eq!(fields(&submit(&other, None, &misplaced).await), ["content.categoryId: 所选分类不存在，请重新选择"]);
    // So is a file that somebody else sent in.
    let library = operator.post("/course/pc/category/resource/save", json!({ "categoryName": "真题" })).await.id();
    let key = "private/platform/202611/0123456789abcdefghijklmnopqrstuv.pdf";
    server
        .run(&format!(
            "insert into platform.file_object (key, original_name, content_type, size, file_type, state, uploader_type, uploader_id)
             values ('{key}', '真题.pdf', 'application/pdf', 9, 3, 'stored', 'account', 1)"
        ))
        .await;
    let resource = json!({
        "courseName": "真题汇编", "categoryId": library, "cover": "/cover.png", "isFree": true, "resourceFileKey": key,
        "resourceFileName": "真题.pdf",
    });
    let resource = json!({ "courseType": "resource", "content": resource });
    let taken = other.post(SUBMIT, resource.clone()).await;
    assert_eq!(fields(&taken), ["content.resourceFileKey: 文件不存在或未上传完成，请重新上传"]);
    server
        .run(&format!(
            "update platform.file_object set uploader_type = 'learner', uploader_id = {own} where key = '{key}'"
        ))
        .await;
    assert_eq!(other.post(SUBMIT, resource).await.data()["auditStatus"], json!("pending"));
    // What an operator has begun of it is not written over.
    let seen = operator.get(&format!("{COURSE}/view?id={id}")).await.data().clone();
    let mut draft = seen["content"].clone();
    (draft["id"], draft["version"], draft["submission"]) = (json!(id), seen["version"].clone(), json!("draft"));
    draft["courseName"] = json!("大学英语（运营修改）");
    operator.put(&format!("{COURSE}/edit"), draft).await.data();
    let mut third = newer;
    third["courseName"] = json!("大学英语（再改）");
    assert_eq!(submit(&lecturer, Some(id), &third).await.refused(), (409, "平台正在修改该课程，请稍后再提交"));
    assert_eq!(submit(&operator, None, &content).await.refused(), (403, "当前身份不能访问"));
    server.run("update platform.lecturer set enabled = false where lecturer_name = '江若宁'").await;
    assert_eq!(submit(&lecturer, None, &third).await.refused(), (403, "您的讲师资格已停用，请联系客服"));
}

fn card(number: &str) -> Value {
    json!({ "bankCardNo": number, "bankName": "中国工商银行", "bankUserName": "苏明远", "phone": "13900000041" })
}

/// 11277, of which 10000 is asked for: 1277 and 10000 kept back. Acceptance (2), (4) and (5) of lecturers and accounts.
#[tokio::test]
async fn money_is_asked_for_and_kept_back() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (learner, id) = entered(&server, FIRST).await;
    let (other, strange) = entered(&server, SECOND).await;
    let ask = async |amount: i64| learner.post(EXTRACT, json!({ "amount": amount })).await;
    account(&server, id, 11_277).await;
    assert_eq!(ask(10_000).await.refused(), (409, "请先保存收款银行卡"));
    let wrong = learner.post(BANK, card("6222")).await;
    assert_eq!(fields(&wrong), ["bankCardNo: 银行卡号格式不正确：12至19位数字"]);
    let saved = learner.post(BANK, card("6222020200112230000")).await.id();
    assert_eq!(fields(&ask(9_999).await), ["amount: 提现金额不能低于100.00元"]);
    assert_eq!(fields(&ask(0).await), ["amount: 提现金额(分)取值应在1到100000000000之间"]);
    let asked = ask(10_000).await;
    let told = asked.data();
    assert_eq!(
        (&told["amount"], &told["status"], &told["available"], &told["frozen"]),
        (&json!(10_000), &json!("pending"), &json!(1_277), &json!(10_000))
    );
    assert_eq!(balance(&server, id).await, "1277/10000/0");
    assert_eq!(ask(10_000).await.refused(), (409, "可提现余额不足"));
    // The card may change; what was asked for goes to the one that it was asked for with.
    assert_eq!(learner.post(BANK, card("6222020200119990002")).await.id(), saved, "one card of each");
    let kept: String = server.one("select bank_card_no from platform.account_extract_log").await;
    assert_eq!(kept, "6222020200112230000");
    let trail: String = server
        .one("select string_agg(changes::text, ' ') from platform.audit_log where entity_type = 'account_bank'")
        .await;
    assert!(!trail.contains("6222020200112230000") && !trail.contains("6222020200119990002"), "{trail}");
    assert!(trail.contains("0002"), "which card it was can be told: {trail}");
    let decision = json!({ "id": asked.id(), "auditStatus": "rejected", "auditOpinion": "户名不符" });
    operator.put(&format!("{LOG}/audit"), decision).await.data();
    assert_eq!(balance(&server, id).await, "11277/0/0");
    // Two at once: the account is held while it moves.
    let both = futures_util::future::join(ask(10_000), ask(10_000)).await;
    let mut codes = [both.0.code(), both.1.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409], "{} {}", both.0.body, both.1.body);
    assert_eq!(balance(&server, id).await, "1277/10000/0");
    // Whoever never earned has no account; after a refund nothing goes out before it is above nothing again.
    other.post(BANK, card("6222020200112231111")).await.id();
    assert_eq!(other.post(EXTRACT, json!({ "amount": 10_000 })).await.refused(), (409, "可提现余额不足"));
    account(&server, strange, 11_277).await;
    server
        .run(&format!(
            "update platform.user_account set total_income = 0, available = -11277, withdrawn = 11277 where learner_id = {strange}"
        ))
        .await;
    assert_eq!(other.post(EXTRACT, json!({ "amount": 10_000 })).await.refused(), (409, "可提现余额不足"));
    for (call, body) in [(BANK, card("6222020200112230000")), (EXTRACT, json!({ "amount": 10_000 }))] {
        assert_eq!(operator.post(call, body.clone()).await.refused(), (403, "当前身份不能访问"));
        assert_eq!(server.anonymous().post(call, body.clone()).await.code(), 301);
    }
    // Signed in elsewhere the first session asks for nothing any more.
    let again = with_token(&server, &sign_in(&server, FIRST, OWN).await);
    assert_eq!(ask(10_000).await.code(), 303);
    assert_eq!(again.post(EXTRACT, json!({ "amount": 10_000 })).await.code(), 409);
}
