//! What operators keep of learners, one by one and in sheets, and who sees it (part 01 §9.6, §9.10 Learners).

use kit::{
    Server,
    accounts::operator_with,
    clients::{school, with_token},
    cohort::cohort,
    fields,
    learners::{EXT, LEARNER, OWN, code, entered, learner, passwords, seen, sign_in, sign_in_by_code, vip_set},
    sheets::{import, row_errors, texts},
    students::{ROLL, id_number},
};
use serde_json::{Value, json};

const PHONE: &str = "13900000005";
const HEADINGS: [&str; 3] = ["手机号", "昵称", "性别"];

/// 01 §9.10 Learners (4).
#[tokio::test]
async fn a_phone_is_one_learners() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let first = operator.post(&format!("{EXT}/save"), learner(PHONE, "小林")).await.id();
    let again = operator.post(&format!("{EXT}/save"), learner(PHONE, "小王")).await;
    assert_eq!(again.refused(), (409, "该手机号已被其他学员使用"));
    let second = operator.post(&format!("{EXT}/save"), learner("13900000006", "小王")).await.id();
    let mut edit = learner(PHONE, "小王");
    (edit["id"], edit["version"]) = (json!(second), json!(1));
    assert_eq!(operator.put(&format!("{EXT}/edit"), edit.clone()).await.code(), 409);
    // A mask stands for the stored number.
    edit["phone"] = json!("139****0006");
    edit["nickname"] = json!("小王二");
    operator.put(&format!("{EXT}/edit"), edit.clone()).await.data();
    let stale = operator.put(&format!("{EXT}/edit"), edit).await;
    assert_eq!(stale.code(), 409, "{}", stale.body);
    let shown = seen(&operator, second).await;
    assert_eq!((&shown["phone"], &shown["nickname"]), (&json!("139****0006"), &json!("小王二")));
    assert_eq!(seen(&operator, first).await["source"], json!("admin"));
    // Whoever gets another phone signs in anew.
    let (own, third) = entered(&server, "13900000007").await;
    let version = seen(&operator, third).await["version"].clone();
    let moved = json!({ "id": third, "version": version, "phone": "13900000008" });
    operator.put(&format!("{EXT}/edit"), moved).await.data();
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.code(), 303);
    assert_eq!(sign_in(&server, "13900000008", OWN).await.code(), 200);
}

/// Operators look at the pictures of learners in their lists: none comes from where it likes.
#[tokio::test]
async fn a_picture_is_of_this_site_or_encrypted() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (own, _) = entered(&server, PHONE).await;
    let told = ["headImg: 头像格式不正确：请上传图片，或填写以 https:// 开头的图片地址"];
    for wrong in ["http://cdn.example.com/a.png", "/a.png", "/admin/files/../apis/a"] {
        let refused = own.put(&format!("{LEARNER}/edit"), json!({ "headImg": wrong })).await;
        assert_eq!(fields(&refused), told, "{wrong}");
        let mut form = learner("13900000006", "小王");
        form["headImg"] = json!(wrong);
        assert_eq!(fields(&operator.post(&format!("{EXT}/save"), form).await), told, "{wrong}");
    }
    for right in ["https://cdn.example.com/a.png", "/admin/files/public/platform/202611/a.png"] {
        own.put(&format!("{LEARNER}/edit"), json!({ "headImg": right })).await.data();
        assert_eq!(own.get(&format!("{LEARNER}/view")).await.data()["headImg"], json!(right));
    }
}

/// Others would believe whoever is called like the site: neither form, sheet nor learner gives such a name.
#[tokio::test]
async fn nobody_is_called_like_the_site() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (own, _) = entered(&server, PHONE).await;
    let told = ["nickname: 昵称不能含“官方”“管理员”或平台名称，请换一个"];
    for wrong in ["官方回复", "成教云 小助手"] {
        let refused = own.put(&format!("{LEARNER}/edit"), json!({ "nickname": wrong })).await;
        assert_eq!(fields(&refused), told, "{wrong}");
        let refused = operator.post(&format!("{EXT}/save"), learner("13900000006", wrong)).await;
        assert_eq!(fields(&refused), told, "{wrong}");
    }
    let answer = import(&operator, EXT, &HEADINGS, &[&["13700000001", "平台管理员", ""]]).await.data().clone();
    assert_eq!(row_errors(&answer), ["2 昵称: 昵称不能含“官方”“管理员”或平台名称，请换一个"]);
    own.put(&format!("{LEARNER}/edit"), json!({ "nickname": "管理学小林" })).await.data();
}

/// 01 §9.10 Learners (3).
#[tokio::test]
async fn a_sheet_with_one_wrong_phone_writes_nothing() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let phones: Vec<String> =
        (0..300).map(|n| if n == 200 { "1390000123".to_owned() } else { format!("13700{n:06}") }).collect();
    let rows: Vec<[&str; 3]> = phones.iter().map(|phone| [phone.as_str(), "学员", "女"]).collect();
    let all: Vec<&[&str]> = rows.iter().map(|row| row.as_slice()).collect();
    let answer = import(&operator, EXT, &HEADINGS, &all).await.data().clone();
    assert_eq!((&answer["total"], &answer["imported"]), (&json!(300), &json!(0)));
    let errors = row_errors(&answer);
    assert!(errors.len() == 1 && errors[0].starts_with("202 手机号: "), "{errors:?}");
    assert_eq!(server.one::<i64>("select count(*) from platform.user_ext").await, 0);
    operator.post(&format!("{EXT}/save"), learner(PHONE, "小林")).await.id();
    let rows: [&[&str]; 3] = [&[PHONE, "", ""], &["13700000001", "甲", "男"], &["13700000001", "乙", ""]];
    let answer = import(&operator, EXT, &HEADINGS, &rows).await.data().clone();
    let errors = ["2 手机号: 该手机号已被其他学员使用", "4 手机号: 与第3行手机号重复"];
    assert_eq!(row_errors(&answer), errors);
    let answer = import(&operator, EXT, &HEADINGS, &rows[1..2]).await.data().clone();
    assert_eq!(answer["imported"], json!(1), "{answer}");
    let list = operator.post(&format!("{EXT}/list"), json!({ "phone": "13700000001" })).await.data().clone();
    let row = &list["list"][0];
    assert_eq!((&list["totalCount"], &row["nickname"], &row["gender"]), (&json!(1), &json!("甲"), &json!("male")));
    assert_eq!((&row["hasPassword"], &row["source"]), (&json!(false), &json!("admin")));
    // Without a password they come in by a code, and set one.
    let sent = code(&server, "13700000001", "login").await;
    let own = with_token(&server, &sign_in_by_code(&server, "13700000001", &sent).await);
    own.put("/user/client/password", passwords(&server, "", OWN)).await.data();
    assert_eq!(sign_in(&server, "13700000001", OWN).await.code(), 200);
}

#[tokio::test]
async fn an_import_that_is_undone_takes_away_whom_nothing_refers_to() {
    let server = Server::start().await;
    let operator = server.operator().await;
    import(&operator, EXT, &HEADINGS, &[&["13700000001", "甲", ""], &["13700000002", "乙", ""]]).await.data();
    let set = vip_set(&operator, "年度会员", 12).await;
    let member: i64 = server.one("select id from platform.user_ext where nickname = '甲'").await;
    operator.post(&format!("{EXT}/grantVip"), json!({ "id": member, "vipSetId": set })).await.data();
    kit::imports::undone(&operator, false).await;
    let left: String = server.one("select string_agg(nickname, ',') from platform.user_ext").await;
    assert_eq!(left, "甲", "a member stays");
}

#[tokio::test]
async fn whole_phones_are_for_those_who_may_see_them() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let id = operator.post(&format!("{EXT}/save"), learner(PHONE, "小林")).await.id();
    let keeper = operator_with(&server, "keeper", &["user:pc:ext:list", "user:pc:ext:export"]).await;
    let list = keeper.post(&format!("{EXT}/list"), json!({ "nickname": "xl" })).await.data().clone();
    assert_eq!(list["list"][0]["phone"], json!("139****0005"));
    // Who has no nickname is found by number.
    let by_number = async |id: i64| {
        keeper.post(&format!("{EXT}/list"), json!({ "learnerId": id })).await.data()["totalCount"].clone()
    };
    assert_eq!((by_number(id).await, by_number(id + 1).await), (json!(1), json!(0)));
    let sheet = texts(&keeper.post(&format!("{EXT}/export"), json!({})).await.bytes);
    assert_eq!(sheet[0][..4], ["昵称", "手机号", "性别", "注册来源"]);
    assert_eq!(sheet[1][..4], ["小林", "139****0005", "女", "后台添加"]);
    let wanted = json!({ "entity": "user_ext", "id": id, "field": "phone" });
    assert_eq!(keeper.post("/system/pc/plain/view", wanted.clone()).await.code(), 403);
    let trusted = operator_with(&server, "trusted", &["user:pc:ext:viewPlain"]).await;
    assert_eq!(trusted.post("/system/pc/plain/view", wanted).await.data()["value"], json!(PHONE));
    // What the codes do not open.
    for (call, body) in [
        ("save", learner("13900000006", "小王")),
        ("grantVip", json!({ "id": id, "vipSetId": 1 })),
        ("grantRight", json!({ "id": id, "productType": "record", "productId": 1, "days": 1 })),
    ] {
        assert_eq!(keeper.post(&format!("{EXT}/{call}"), body).await.refused(), (403, "没有操作权限"), "{call}");
    }
    let off = json!({ "id": id, "enabled": false });
    assert_eq!(keeper.put(&format!("{EXT}/update/status"), off).await.code(), 403);
    assert_eq!(keeper.get(&format!("{EXT}/view?id={id}")).await.code(), 403);
    let operator = server.operator().await;
    assert_eq!(operator.get(&format!("{EXT}/view?id={}", id + 1)).await.code(), 404);
}

#[tokio::test]
async fn a_learner_may_be_a_schools_student() {
    let server = Server::start().await;
    let (admin, _) = school(&server).await;
    let p = cohort(&admin).await;
    let student = json!({
        "name": "张晓梅", "idCardNo": id_number(1), "studentNo": "2600000001", "gradeId": p.grade, "levelId": p.level,
        "majorId": p.major, "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": p.site,
        "enrolledOn": "2026-03-01", "status": "registered", "source": "legacy",
    });
    admin.post(&format!("{ROLL}/save"), student).await.id();
    let operator = server.operator().await;
    let linked = |phone: &str, school: Value, number: Value| json!({ "phone": phone, "linkedSchoolId": school, "linkedStudentNo": number });
    let save = async |form: Value| operator.post(&format!("{EXT}/save"), form).await;
    let half = save(linked(PHONE, json!(null), json!("2600000001"))).await;
    assert_eq!(fields(&half), ["linkedSchoolId: 请选择学号所在的院校"]);
    assert_eq!(fields(&save(linked(PHONE, json!(1), json!(null))).await), ["linkedStudentNo: 请填写该院校的学号"]);
    let none = save(linked(PHONE, json!(1), json!("2600000009"))).await;
    assert_eq!(fields(&none), ["linkedStudentNo: 该院校没有这个学号"]);
    let id = save(linked(PHONE, json!(1), json!("2600000001"))).await.id();
    let shown = seen(&operator, id).await;
    assert_eq!((&shown["linkedStudentNo"], &shown["linkedStudentName"]), (&json!("2600000001"), &json!("张晓梅")));
    let taken = save(linked("13900000006", json!(1), json!("2600000001"))).await;
    assert_eq!(fields(&taken), ["linkedStudentNo: 该学生已关联其他学员"]);
    // An operator of another school sees that there is a link, and no more.
    let narrow = operator_with(&server, "narrow", &["user:pc:ext:view", "user:pc:ext:save"]).await;
    kit::rows::manage(&server, "narrow", &[2]).await;
    let less = seen(&narrow, id).await;
    assert_eq!((&less["linkedSchoolId"], &less["linkedStudentNo"]), (&json!(1), &json!(null)));
    let strange = narrow.post(&format!("{EXT}/save"), linked("13900000007", json!(1), json!("2600000001"))).await;
    assert_eq!(fields(&strange), ["linkedSchoolId: 所选院校不存在或您不能管理，请重新选择"]);
}
