//! Banks and their questions (part 03 A7).

use std::io::{Cursor, Write};

use kit::{
    Answer, Client, Server,
    cohort::registrar,
    courses::{COURSE, chapter, course},
    fields,
    files::{png, uploaded},
    imports::taken_back,
    jobs::ended,
    questions::{BANK, QUESTION, bank, case, choice, compose, paper, question, version},
    sheets::{XLSX, row_errors, sheet, texts},
};
use poem::http::Method;
use serde_json::{Value, json};
use zip::{ZipWriter, write::SimpleFileOptions};

async fn seen(client: &Client<'_>, id: i64) -> Value {
    client.get(&format!("{QUESTION}/view?id={id}")).await.data().clone()
}

/// The question as it was read, as the body of an edit.
async fn edit_of(client: &Client<'_>, id: i64, change: Value) -> Value {
    let view = seen(client, id).await;
    let mut edit = json!({ "id": id, "version": view["version"] });
    for field in ["bankId", "type", "stem", "options", "answer", "analysis", "chapterId", "difficulty", "defaultScore"]
    {
        edit[field] = view[field].clone();
    }
    let part = |sub: &Value| {
        let mut part = json!({});
        for field in ["id", "type", "stem", "options", "answer", "analysis", "defaultScore"] {
            part[field] = sub[field].clone();
        }
        part
    };
    edit["subQuestions"] = json!(view["subQuestions"].as_array().expect("parts").iter().map(part).collect::<Vec<_>>());
    for (field, value) in change.as_object().expect("fields") {
        edit[field] = value.clone();
    }
    edit
}

async fn started(server: &Server) -> (Client<'_>, i64, i64) {
    let admin = registrar(server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let bank = bank(&admin, course, "ZY", "homework").await;
    (admin, course, bank)
}

#[tokio::test]
async fn a_bank_belongs_to_its_course_and_counts_its_questions() {
    let server = Server::start().await;
    let (admin, course, id) = started(&server).await;
    let twin = json!({ "code": "zy", "name": "另一个", "courseId": course, "usage": "exam" });
    assert_eq!(fields(&admin.post(&format!("{BANK}/save"), twin).await), ["code: 编码“zy”已存在"]);
    question(&admin, choice(id, "货币最基本的职能是", 2.0)).await;
    question(&admin, case(id, "阅读材料")).await;
    let seen = admin.get(&format!("{COURSE}/view?id={course}")).await;
    assert_eq!(seen.data()["questionCount"], json!(2), "a case is one question, whatever its parts");
    let listed = admin.post(&format!("{BANK}/list"), json!({ "courseId": course })).await;
    let row = &listed.data()["list"][0];
    assert_eq!((&row["questionCount"], &row["pendingCount"]), (&json!(2), &json!(0)), "{}", listed.body);
    let view = admin.get(&format!("{BANK}/view?code=ZY")).await;
    assert_eq!(view.data()["spread"].as_array().map(Vec::len), Some(2), "{}", view.body);
    let refused = admin.delete(&format!("{BANK}/delete?id={id}")).await;
    assert_eq!(refused.refused(), (409, "“题库ZY”已被引用，不能删除：2道试题"), "parts are not counted");
    let other = kit::courses::course(&admin, "WGJJ", "微观经济学").await;
    let edit = json!({ "id": id, "version": view.data()["version"], "code": "ZY", "name": "题库ZY", "courseId": other, "usage": "homework" });
    assert_eq!(fields(&admin.put(&format!("{BANK}/edit"), edit).await), ["courseId: 题库已有试题，不能改为其他课程"]);
}

#[tokio::test]
async fn a_bank_of_its_owner_is_seen_by_its_members_alone() {
    let server = Server::start().await;
    let (admin, course, _) = started(&server).await;
    let codes = ["exam:pc:questionBank:list", "exam:pc:exam:problem:list", "exam:pc:exam:problem:view"];
    let (member, stranger) = (server.staff(1, &codes).await, server.staff(1, &codes).await);
    let account = member.get("/system/pc/api/sys/user/getSchoolAccountInfo").await.data()["userId"].clone();
    let body = json!({ "code": "KS", "name": "命题组题库", "courseId": course, "usage": "exam", "visibility": "owner",
        "memberAccountIds": [account] });
    let id = admin.post(&format!("{BANK}/save"), body).await.id();
    let made = question(&admin, choice(id, "保密试题", 2.0)).await;
    let seen = admin.get(&format!("{COURSE}/view?id={course}")).await;
    assert_eq!(seen.data()["questionCount"], json!(0), "a course tells of the banks of the whole school");
    for (client, count) in [(&admin, 2), (&member, 2), (&stranger, 1)] {
        let listed = client.post(&format!("{BANK}/list"), json!({})).await;
        assert_eq!(listed.data()["totalCount"], json!(count), "{}", listed.body);
    }
    assert_eq!(member.get(&format!("{QUESTION}/view?id={made}")).await.code(), 200);
    assert_eq!(stranger.get(&format!("{QUESTION}/view?id={made}")).await.code(), 404);
    let trail = json!({ "entityType": "question", "entityId": made });
    assert_eq!(member.post("/data/pc/sys/log/record", trail.clone()).await.code(), 200);
    assert_eq!(stranger.post("/data/pc/sys/log/record", trail).await.code(), 404);
    assert_eq!(stranger.post(&format!("{QUESTION}/list"), json!({})).await.data()["totalCount"], json!(0));

    // Nor by any other door.
    let codes = [
        "adult:pc:options:view",
        "exam:pc:exam:problem:export",
        "exam:pc:exam:problem:duplicate",
        "exam:pc:exam:problem:save",
        "exam:pc:exam:problem:edit",
        "exam:pc:exam:problem:import:text",
    ];
    let stranger = server.staff(1, &codes).await;
    let offered = stranger.get("/adult/pc/options/questionBank").await;
    assert_eq!(offered.data().as_array().map(Vec::len), Some(1), "{}", offered.body);
    let sheet = stranger.post(&format!("{QUESTION}/export"), json!({})).await;
    assert!(!texts(&sheet.bytes).concat().iter().any(|cell| cell.contains("保密试题")));
    let text = json!({ "bankId": id, "format": "text" });
    assert_eq!(stranger.post(&format!("{QUESTION}/export"), text).await.code(), 404);
    let near = json!({ "bankId": id, "threshold": 0.8 });
    assert_eq!(stranger.post(&format!("{QUESTION}/duplicate"), near).await.code(), 404);
    let set = json!({ "ids": [made], "difficulty": "hard" });
    assert_eq!(stranger.put(&format!("{QUESTION}/batchEdit"), set).await.data()["done"], json!(0));
    let save = format!("{QUESTION}/save");
    let why = "bankId: 所选题库不存在，请重新选择";
    assert_eq!(fields(&stranger.post(&save, choice(id, "外人的试题", 2.0)).await), [why]);
    let text = send(&stranger, id, "[判断题] 外人的试题\n【答案】对\n", &[("dryRun", "true")]).await;
    assert_eq!(fields(&text), [why]);
}

#[tokio::test]
async fn accounts_are_chosen_by_their_names_and_keep_their_login_names() {
    let server = Server::start().await;
    let (admin, ..) = started(&server).await;
    let asks = server.staff(1, &["adult:pc:options:view"]).await;
    let login: String = server.one("select login_name from platform.sys_user order by id desc limit 1").await;
    let offered = asks.get("/adult/pc/options/account").await;
    assert!(offered.data().as_array().is_some_and(|found| found.len() > 1), "{}", offered.body);
    for client in [&admin, &asks] {
        let offered = client.get("/adult/pc/options/account").await;
        assert!(!offered.body.to_string().contains(&login), "{}", offered.body);
    }
    let found = async |keyword: &str| {
        let offered = asks.get(&format!("/adult/pc/options/account?keyword={keyword}")).await;
        offered.data().as_array().map(Vec::len)
    };
    let begun = &login[..login.len() - 1];
    assert_eq!((found(&login).await, found(begun).await), (Some(1), Some(0)), "{login} is known whole or not at all");
}

fn with_picture(bank: i64, stem: &str, key: &str) -> Value {
    choice(bank, &format!("{stem}<img data-key=\"{key}\">"), 2.0)
}

#[tokio::test]
async fn a_question_takes_private_pictures_and_audio_alone() {
    let server = Server::start().await;
    let (admin, _, bank) = started(&server).await;
    let save = format!("{QUESTION}/save");
    let of = async |body: Value| fields(&admin.post(&save, body).await);
    let pdf = uploaded(&admin, "a.pdf", "application/pdf", b"12345").await;
    let kinds = "stem: 不支持该文件格式，可上传：png、jpg、jpeg、gif";
    assert_eq!(of(with_picture(bank, "看图", &pdf)).await, [kinds]);
    // Anybody reads a public file who has its address.
    let form = json!({ "fileName": "a.png", "size": 5, "contentType": "image/png", "type": 2 });
    let ticket = admin.post("/system/pc/upload/presign", form).await.data().clone();
    let (url, public) = (ticket["url"].as_str().expect("an address"), ticket["key"].as_str().expect("a key"));
    admin.raw(Method::PUT, url, Some("image/png"), b"12345".to_vec()).await;
    admin.post("/system/pc/upload/complete", json!({ "key": public })).await.data();
    assert_eq!(of(with_picture(bank, "看图", public)).await, ["stem: 文件不存在或未上传完成，请重新上传"]);
    let large = uploaded(&admin, "b.png", "image/png", b"12345").await;
    server.run(&format!("update school_1.file_object set size = (20 << 20) + 1 where key = '{large}'")).await;
    assert_eq!(of(with_picture(bank, "看图", &large)).await, ["stem: 文件大小不能超过20MB"]);
    let odd = uploaded(&admin, "c.png", "text/html", b"12345").await;
    assert_eq!(of(with_picture(bank, "看图", &odd)).await, ["stem: 文件内容类型与扩展名不一致，请重新选择文件"]);
    let picture = uploaded(&admin, "d.png", "image/png", b"12345").await;
    let mut listening = case(bank, "听录音");
    (listening["type"], listening["mediaKey"]) = (json!("listening"), json!(picture));
    assert_eq!(of(listening.clone()).await, ["mediaKey: 不支持该文件格式，可上传：mp3、m4a"]);
    listening["mediaKey"] = json!(uploaded(&admin, "e.mp3", "audio/mpeg", b"12345").await);
    listening["subQuestions"][1]["stem"] = json!(format!("第二问<img data-key=\"{picture}\">"));
    let view = seen(&admin, question(&admin, listening).await).await;
    assert_eq!((&view["hasImage"], view["media"].as_array().map(Vec::len)), (&json!(true), Some(2)), "{view}");
}

#[tokio::test]
async fn the_same_picture_makes_the_same_question_however_often_it_is_uploaded() {
    let server = Server::start().await;
    let (admin, _, bank) = started(&server).await;
    let mut keys = Vec::new();
    for shade in [1, 1, 2] {
        keys.push(uploaded(&admin, "图.png", "image/png", &png(shade)).await);
    }
    let first = question(&admin, with_picture(bank, "看图", &keys[0])).await;
    let again = admin.post(&format!("{QUESTION}/save"), with_picture(bank, "看图", &keys[1])).await;
    assert_eq!(fields(&again), [format!("stem: 与题库第{first}题重复")]);
    question(&admin, with_picture(bank, "看图", &keys[2])).await;
}

#[tokio::test]
async fn what_a_snapshot_shows_stays_when_the_question_shows_it_no_more() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server).await;
    let mut made = Vec::new();
    for shade in [1, 2] {
        let key = uploaded(&admin, "图.png", "image/png", &png(shade)).await;
        made.push(question(&admin, with_picture(bank, &format!("第{shade}图"), &key)).await);
    }
    let held = paper(&admin, course, "homework", 2.0).await;
    compose(&admin, held, &made[..1]).await;
    let wanted = json!({ "id": held, "version": version(&admin, held).await });
    admin.put("/exam/pc/exam/info/submit", wanted).await.data();
    admin.bare(Method::GET, &format!("/exam/pc/exam/info/print?id={held}")).await;
    for id in &made {
        let edit = edit_of(&admin, *id, json!({ "stem": format!("没有图的第{id}题") })).await;
        assert_eq!(admin.put(&format!("{QUESTION}/edit"), edit).await.code(), 200);
    }
    for (id, left) in made.iter().zip([1, 0]) {
        let files = format!(
            "select count(*) from school_1.question_media m join school_1.file_object f on f.id = m.file_id
             where m.question_id = {id} and f.owner_type = 'question'"
        );
        assert_eq!(server.one::<i64>(&files).await, left, "of the one that was frozen");
    }
    let nobodys = "select count(*) from school_1.file_object where owner_type is null and original_name = '图.png'";
    assert_eq!(server.one::<i64>(nobodys).await, 1, "the other's is swept away later");
}

#[tokio::test]
async fn a_stem_is_stored_without_its_script() {
    let server = Server::start().await;
    let (admin, _, bank) = started(&server).await;
    let id = question(&admin, choice(bank, "货币<script>alert(1)</script>的职能", 2.0)).await;
    assert_eq!(seen(&admin, id).await["stem"], json!("<p>货币的职能</p>"));
    let key = uploaded(&admin, "图.png", "image/png", b"12345").await;
    let mut with = choice(bank, &format!("看图<img data-key=\"{key}\" src=\"https://e.com/x\">"), 2.0);
    let id = question(&admin, with.clone()).await;
    let view = seen(&admin, id).await;
    assert_eq!(view["stem"], json!(format!("<p>看图<img data-key=\"{key}\"></p>")));
    assert_eq!((&view["hasImage"], &view["media"][0]["key"]), (&json!(true), &json!(key)));
    with["stem"] = json!("看图<img data-key=\"private/s1/202611/00000000000000000000000000000000.png\">");
    assert_eq!(
        fields(&admin.post(&format!("{QUESTION}/save"), with).await),
        ["stem: 文件不存在或未上传完成，请重新上传"]
    );
}

#[tokio::test]
async fn what_cannot_be_asked_is_told_at_its_field() {
    let server = Server::start().await;
    let (admin, _, bank) = started(&server).await;
    let save = format!("{QUESTION}/save");
    let mut body = choice(bank, "货币最基本的职能是", 2.0);
    body["options"][1]["letter"] = json!("C");
    assert_eq!(fields(&admin.post(&save, body).await), ["options: 选项必须从A开始连续编号"]);
    let blanks = json!([{ "accept": ["价值尺度"], "match": "loose", "score": 1.0 },
        { "accept": ["流通手段"], "match": "loose", "score": 1.0 }]);
    let body = json!({ "bankId": bank, "type": "fill_blank", "stem": "____、____和____", "defaultScore": 2.0,
        "answer": { "blanks": blanks } });
    assert_eq!(fields(&admin.post(&save, body).await), ["answer: 题干有3个空，答案有2个"]);
    let mut body = case(bank, "阅读材料");
    body["subQuestions"][1]["answer"] = Value::Null;
    assert_eq!(fields(&admin.post(&save, body).await), ["subQuestions[1].answer: 请选择对或错"]);
    let first = question(&admin, choice(bank, "货币的职能", 2.0)).await;
    let again = admin.post(&save, choice(bank, "货币 的职能", 3.0)).await;
    assert_eq!(fields(&again), [format!("stem: 与题库第{first}题重复")]);
}

#[tokio::test]
async fn two_editors_of_one_case_do_not_mix_their_parts() {
    let server = Server::start().await;
    let (admin, _, bank) = started(&server).await;
    let id = question(&admin, case(bank, "阅读材料")).await;
    let one = edit_of(&admin, id, json!({ "stem": "阅读新材料" })).await;
    let mut other = edit_of(&admin, id, json!({})).await;
    other["subQuestions"][0]["stem"] = json!("改过的第一问");
    let edit = format!("{QUESTION}/edit");
    assert_eq!(admin.put(&edit, one).await.code(), 200);
    assert_eq!(admin.put(&edit, other).await.code(), 409);
    let view = seen(&admin, id).await;
    assert_eq!((&view["stem"], &view["subQuestions"][0]["stem"]), (&json!("阅读新材料"), &json!("第一问")));
    assert_eq!((&view["revision"], &view["defaultScore"]), (&json!(2), &json!(6.0)));
    let mut turned = edit_of(&admin, id, json!({})).await;
    turned["subQuestions"].as_array_mut().expect("parts").reverse();
    assert_eq!(admin.put(&edit, turned).await.code(), 200);
    assert_eq!(seen(&admin, id).await["subQuestions"][0]["stem"], json!("第二问"));
}

#[tokio::test]
async fn where_questions_are_reviewed_they_wait_for_somebody() {
    let server = Server::start().await;
    let (admin, _, bank) = started(&server).await;
    server.run("insert into school_1.school_setting (key, value, created_by, updated_by) values ('questionReviewRequired', 'true', 0, 0)").await;
    let id = question(&admin, choice(bank, "货币最基本的职能是", 2.0)).await;
    assert_eq!(seen(&admin, id).await["status"], json!("draft"));
    let item = |version: i64| json!({ "items": [{ "id": id, "version": version }] });
    let early = admin.put(&format!("{QUESTION}/audit"), item(1)).await;
    assert_eq!(early.data()["failed"][0]["msg"], json!("当前状态为草稿，不能审核"));
    assert_eq!(admin.put(&format!("{QUESTION}/submit"), item(1)).await.data()["done"], json!(1));
    let mut back = item(2);
    back["reason"] = json!("答案有误");
    assert_eq!(admin.put(&format!("{QUESTION}/reject"), back).await.data()["done"], json!(1));
    let view = seen(&admin, id).await;
    assert_eq!((&view["status"], &view["rejectReason"]), (&json!("rejected"), &json!("答案有误")));
    // All that the filter names, as a job.
    let begun = admin.put(&format!("{QUESTION}/submit"), json!({ "filter": { "bankId": bank } })).await;
    ended(&admin, &begun.data()["jobId"]).await;
    assert_eq!(admin.put(&format!("{QUESTION}/audit"), item(4)).await.data()["done"], json!(1));
    let edit = edit_of(&admin, id, json!({ "defaultScore": 3.0 })).await;
    assert_eq!(admin.put(&format!("{QUESTION}/edit"), edit).await.code(), 200);
    let view = seen(&admin, id).await;
    assert_eq!((&view["status"], &view["revision"]), (&json!("pending_review"), &json!(2)));
}

#[tokio::test]
async fn a_question_of_a_paper_stays_and_keeps_the_paper_from_its_review_when_it_is_switched_off() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server).await;
    let id = question(&admin, choice(bank, "货币最基本的职能是", 2.0)).await;
    let paper = paper(&admin, course, "homework", 2.0).await;
    compose(&admin, paper, &[id]).await;
    let refused = admin.delete(&format!("{QUESTION}/delete?id={id}")).await;
    assert_eq!(refused.refused(), (409, "已被1份试卷引用，请改为停用"));
    let off = json!({ "id": id, "enabled": false });
    admin.put(&format!("{QUESTION}/update/status"), off).await.data();
    let view = admin.get(&format!("/exam/pc/exam/info/view?id={paper}")).await;
    assert_eq!(view.data()["disabledCount"], json!(1));
    let wanted = json!({ "id": paper, "version": version(&admin, paper).await });
    let refused = admin.put("/exam/pc/exam/info/submit", wanted).await;
    assert_eq!(refused.refused(), (422, "1道试题已停用或待审核"));
}

#[tokio::test]
async fn the_answers_of_an_examination_bank_are_not_for_everybody() {
    let server = Server::start().await;
    let (admin, course, _) = started(&server).await;
    let exam = bank(&admin, course, "KS", "exam").await;
    let id = question(&admin, choice(exam, "货币最基本的职能是", 2.0)).await;
    let codes = ["exam:pc:exam:problem:list", "exam:pc:exam:problem:view", "exam:pc:exam:problem:export"];
    let teacher = server.staff(1, &codes).await;
    let view = teacher.get(&format!("{QUESTION}/view?id={id}")).await;
    let data = view.data();
    assert_eq!((&data["answer"], &data["answerVisible"]), (&Value::Null, &json!(false)), "{}", view.body);
    let listed = teacher.post(&format!("{QUESTION}/list"), json!({ "bankId": exam })).await;
    assert_eq!(listed.data()["list"][0]["answerText"], Value::Null);
    let path = format!("{QUESTION}/export");
    let headings = |bytes: &[u8]| texts(bytes)[0].clone();
    let theirs = headings(&teacher.post(&path, json!({ "bankId": exam })).await.bytes);
    assert!(!theirs.iter().any(|heading| heading == "答案" || heading == "解析"), "{theirs:?}");
    let whole = headings(&admin.post(&path, json!({ "bankId": exam })).await.bytes);
    assert!(["答案", "解析"].iter().all(|wanted| whole.iter().any(|heading| heading == wanted)), "{whole:?}");
    let text = teacher.post(&path, json!({ "bankId": exam, "format": "text" })).await;
    assert!(!String::from_utf8_lossy(&text.bytes).contains("【答案】"));
    let trail = admin.post("/data/pc/sys/log/record", json!({ "entityType": "question", "entityId": id })).await;
    assert!(!trail.body.to_string().contains("letters"), "{}", trail.body);

    // Nor does it become another bank's, whose answers all see.
    let codes = ["exam:pc:exam:problem:move", "exam:pc:questionBank:view", "exam:pc:questionBank:edit"];
    let mover = server.staff(1, &codes).await;
    let homework = bank(&admin, course, "ZY3", "homework").await;
    let wanted = json!({ "ids": [id], "bankId": homework });
    let why = "考试题库的答案对您不可见，不能改为其他用途";
    let moved = mover.put(&format!("{QUESTION}/move"), wanted.clone()).await;
    assert_eq!(moved.data()["failed"][0]["msg"], json!(why), "{}", moved.body);
    let version = mover.get(&format!("{BANK}/view?id={exam}")).await.data()["version"].clone();
    let edit =
        json!({ "id": exam, "version": version, "code": "KS", "name": "题库KS", "courseId": course, "usage": "both" });
    assert_eq!(mover.put(&format!("{BANK}/edit"), edit).await.refused(), (409, why));
    // Who sees them may, unless a paper of the other side has the question.
    let held = paper(&admin, course, "exam", 2.0).await;
    compose(&admin, held, &[id]).await;
    let refused = admin.put(&format!("{QUESTION}/move"), wanted.clone()).await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!("已被1份其他用途的试卷引用，不能改为作业"));
    compose(&admin, held, &[]).await;
    assert_eq!(admin.put(&format!("{QUESTION}/move"), wanted).await.data()["done"], json!(1));
}

#[tokio::test]
async fn whoever_may_not_see_a_key_leaves_it_as_it_is() {
    let server = Server::start().await;
    let (admin, course, _) = started(&server).await;
    let exam = bank(&admin, course, "KS", "exam").await;
    let mut body = choice(exam, "货币最基本的职能是", 2.0);
    body["analysis"] = json!("见第二章");
    let id = question(&admin, body).await;
    let whole = question(&admin, case(exam, "阅读材料")).await;
    let teacher = server.staff(1, &["exam:pc:exam:problem:view", "exam:pc:exam:problem:edit"]).await;
    let edit = format!("{QUESTION}/edit");
    let refused = async |change: Value| fields(&teacher.put(&edit, edit_of(&teacher, id, change).await).await);
    let guess = json!({ "answer": { "letters": ["B"] } });
    assert_eq!(refused(guess).await, ["answer: 您无权查看该题的答案，答案保持不变，请勿填写"]);
    let analysis = json!({ "analysis": "另一个解析" });
    assert_eq!(refused(analysis).await, ["analysis: 您无权查看该题的解析，解析保持不变，请勿填写"]);
    // Whether the key goes with these would tell it.
    let three = json!({ "options": [{ "letter": "A", "content": "甲" }, { "letter": "B", "content": "乙" },
        { "letter": "C", "content": "丙" }] });
    assert_eq!(refused(three).await, ["options: 您无权查看该题的答案，不能增减选项"]);
    assert_eq!(refused(json!({ "type": "multiple_choice" })).await, ["type: 您无权查看该题的答案，不能修改题型"]);
    let typo = edit_of(&teacher, id, json!({ "stem": "货币的最基本职能是" })).await;
    assert_eq!(teacher.put(&edit, typo).await.code(), 200);
    let view = seen(&admin, id).await;
    let kept = (&view["answer"]["letters"], &view["analysis"], &view["revision"]);
    assert_eq!(kept, (&json!(["A"]), &json!("见第二章"), &json!(2)), "{view}");
    let same = edit_of(&teacher, id, json!({})).await;
    assert_eq!(teacher.put(&edit, same).await.code(), 200);
    assert_eq!(seen(&admin, id).await["revision"], json!(2), "the same question");

    let mut parts = edit_of(&teacher, whole, json!({})).await;
    parts["subQuestions"][1]["answer"] = json!({ "value": false });
    let told = fields(&teacher.put(&edit, parts.clone()).await);
    assert_eq!(told, ["subQuestions[1].answer: 您无权查看该题的答案，答案保持不变，请勿填写"]);
    parts["subQuestions"][1]["answer"] = Value::Null;
    let new = json!({ "type": "true_false", "stem": "第三问", "answer": { "value": false }, "defaultScore": 1.0 });
    parts["subQuestions"].as_array_mut().expect("parts").push(new);
    assert_eq!(teacher.put(&edit, parts).await.code(), 200);
    let view = seen(&admin, whole).await;
    let keys: Vec<&Value> =
        view["subQuestions"].as_array().expect("parts").iter().map(|sub| &sub["answer"]["value"]).collect();
    assert_eq!(keys, [&json!(true), &json!(true), &json!(false)]);
}

#[tokio::test]
async fn what_a_paper_of_an_examination_holds_is_secret_whatever_its_bank_is_for() {
    let server = Server::start().await;
    let (admin, course, _) = started(&server).await;
    let both = bank(&admin, course, "TY", "both").await;
    let id = question(&admin, choice(both, "货币最基本的职能是", 2.0)).await;
    let free = question(&admin, choice(both, "货币是什么", 2.0)).await;
    let codes = [
        "exam:pc:exam:problem:list",
        "exam:pc:exam:problem:view",
        "exam:pc:exam:problem:export",
        "exam:pc:exam:info:view",
    ];
    let teacher = server.staff(1, &codes).await;
    let visible = async |id: i64| seen(&teacher, id).await["answerVisible"].clone();
    assert_eq!(visible(id).await, json!(true));
    let homework = paper(&admin, course, "homework", 2.0).await;
    compose(&admin, homework, &[id]).await;
    assert_eq!(visible(id).await, json!(true));
    let exam = paper(&admin, course, "exam", 2.0).await;
    compose(&admin, exam, &[id]).await;
    let view = seen(&teacher, id).await;
    assert_eq!((&view["answer"], &view["answerVisible"]), (&Value::Null, &json!(false)), "{view}");
    assert_eq!(visible(free).await, json!(true));
    assert_eq!(seen(&admin, id).await["answer"]["letters"], json!(["A"]));
    let listed = teacher.post(&format!("{QUESTION}/list"), json!({ "ids": [id] })).await;
    assert_eq!(listed.data()["list"][0]["answerText"], Value::Null, "{}", listed.body);
    let path = format!("{QUESTION}/export");
    let rows = texts(&teacher.post(&path, json!({ "bankId": both })).await.bytes);
    assert_eq!(rows.concat().iter().filter(|cell| *cell == "A").count(), 1, "of the other alone: {rows:?}");
    let text = teacher.post(&path, json!({ "bankId": both, "format": "text" })).await;
    assert_eq!(String::from_utf8_lossy(&text.bytes).matches("【答案】").count(), 1);
    let detail = teacher.get(&format!("/exam/pc/exam/info/detail?id={homework}")).await;
    assert_eq!(detail.data()["sections"][0]["questions"][0]["answer"], Value::Null, "{}", detail.body);
    compose(&admin, exam, &[]).await;
    assert_eq!(visible(id).await, json!(true));
}

#[tokio::test]
async fn no_trail_keeps_a_key() {
    let server = Server::start().await;
    let (admin, _, bank) = started(&server).await;
    let id = question(&admin, choice(bank, "货币最基本的职能是", 2.0)).await;
    let edit = edit_of(&admin, id, json!({ "answer": { "letters": ["B"] }, "analysis": "秘而不宣" })).await;
    assert_eq!(admin.put(&format!("{QUESTION}/edit"), edit).await.code(), 200);
    admin.delete(&format!("{QUESTION}/delete?id={id}")).await.data();
    let kept: String =
        server.one("select string_agg(t::text, ' ') from school_1.audit_log t where entity_type = 'question'").await;
    assert!(!kept.contains("letters") && !kept.contains("秘而不宣"), "{kept}");
    assert!(kept.contains("已修改"), "{kept}");
}

const TEXT: &str = "1. [单选题] 货币最基本的职能是
A. 价值尺度
B. 贮藏手段
【答案】A
【解析】商品价值的尺度
【难度】中
【章节】第二章/第一节
【知识点】货币职能
【分值】2

2. [填空题] 货币的两个基本职能是____和____。
【答案】价值尺度;;流通手段|交换媒介
[综合题] 阅读材料
【小题】[单选题] 材料说明
A. 甲
B. 乙
【答案】B
【小题】[简答题] 为什么？
【答案】因为
【大题结束】
";

async fn send(client: &Client<'_>, bank: i64, text: &str, more: &[(&str, &str)]) -> Answer {
    let bank = bank.to_string();
    let texts: Vec<(&str, &str)> = [("bankId", bank.as_str())].into_iter().chain(more.iter().copied()).collect();
    client
        .upload_with(&format!("{QUESTION}/import/text"), &texts, "file", "试题.txt", "text/plain", text.as_bytes())
        .await
}

#[tokio::test]
async fn a_text_brings_its_questions_and_goes_again() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server).await;
    let above = chapter(&admin, course, None, "第二章").await;
    let within = chapter(&admin, course, Some(above), "第一节").await;
    let unknown = send(&admin, bank, TEXT, &[]).await;
    assert_eq!(row_errors(unknown.data()), ["1 知识点: 本课程没有知识点“货币职能”，请先新增"]);
    let point = json!({ "courseId": course, "code": "HB", "name": "货币职能" });
    admin.post("/course/pc/knowledgePoint/save", point).await.id();
    let checked = send(&admin, bank, TEXT, &[("dryRun", "true")]).await;
    assert_eq!((&checked.data()["errors"], &checked.data()["imported"]), (&json!([]), &json!(0)), "{}", checked.body);
    let taken = send(&admin, bank, TEXT, &[]).await;
    assert_eq!((&taken.data()["imported"], &taken.data()["skipped"]), (&json!(3), &json!(0)), "{}", taken.body);
    let listed = admin.post(&format!("{QUESTION}/list"), json!({ "chapterId": above })).await;
    let row = &listed.data()["list"][0];
    assert_eq!((&row["chapterId"], &row["source"]), (&json!(within), &json!("import")), "{}", listed.body);
    let again = send(&admin, bank, TEXT, &[("skipDuplicates", "true")]).await;
    assert_eq!((&again.data()["imported"], &again.data()["skipped"]), (&json!(0), &json!(3)));
    let exported = admin.post(&format!("{QUESTION}/export"), json!({ "bankId": bank, "format": "text" })).await;
    let text = String::from_utf8_lossy(&exported.bytes).into_owned();
    assert!(text.contains("【答案】价值尺度;;流通手段|交换媒介") && text.contains("【大题结束】"), "{text}");
    let other = kit::questions::bank(&admin, course, "ZY2", "homework").await;
    let round = send(&admin, other, &text, &[]).await;
    assert_eq!((&round.data()["errors"], &round.data()["imported"]), (&json!([]), &json!(3)), "{text} {}", round.body);
    // One that is in use stays.
    let choice = format!("bank_id = {other} and type = 'single_choice' and parent_id is null");
    let used = server.one::<i64>(&format!("select id from school_1.question where {choice}")).await;
    let paper = paper(&admin, course, "homework", 2.0).await;
    compose(&admin, paper, &[used]).await;
    let (message, stays) = taken_back(&admin, "文本试题").await;
    assert_eq!(message, "共3条，已撤销2条，1条保留", "{stays:?}");
}

fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        writer.write_all(bytes).expect("its bytes");
    }
    writer.finish().expect("an archive").into_inner()
}

async fn send_archive(client: &Client<'_>, bank: i64, bytes: &[u8]) -> Answer {
    let bank = bank.to_string();
    let path = format!("{QUESTION}/import/text");
    client.upload_with(&path, &[("bankId", &bank)], "file", "试题.zip", "application/zip", bytes).await
}

#[tokio::test]
async fn an_archive_brings_its_pictures_and_audio() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server).await;
    let text = "[听力题] 听录音{{media/a.png}}\n【音频】media/x.mp3\n【小题】[判断题] 对吗\n【答案】对\n【大题结束】\n";
    let picture = png(1);
    let entries: [(&str, &[u8]); 3] =
        [("试题.txt", text.as_bytes()), ("media/a.png", &picture), ("media/x.mp3", b"12345")];
    let without = send_archive(&admin, bank, &archive(&[entries[0], entries[2]])).await;
    assert_eq!(row_errors(without.data()), ["1 题干: 压缩包中没有文件“media/a.png”"]);
    let taken = send_archive(&admin, bank, &archive(&entries)).await;
    assert_eq!((&taken.data()["imported"], &taken.data()["errors"]), (&json!(1), &json!([])), "{}", taken.body);
    let listed = admin.post(&format!("{QUESTION}/list"), json!({ "bankId": bank })).await;
    let row = &listed.data()["list"][0];
    let id = row["id"].as_i64().expect("an id");
    let view = seen(&admin, id).await;
    assert_eq!((&row["hasImage"], view["media"].as_array().map(Vec::len)), (&json!(true), Some(2)), "{view}");
    let owned = "select count(*) from school_1.file_object where owner_type = 'question' and sha256 is not null";
    assert_eq!(server.one::<i64>(owned).await, 2);
    let exported = admin.post(&format!("{QUESTION}/export"), json!({ "bankId": bank, "format": "text" })).await;
    let again = send_archive(&admin, bank, &exported.bytes).await;
    assert_eq!(row_errors(again.data()), [format!("1 题干: 与题库第{id}题重复")]);
    let other = kit::questions::bank(&admin, course, "ZY2", "homework").await;
    let round = send_archive(&admin, other, &exported.bytes).await;
    assert_eq!((&round.data()["imported"], &round.data()["errors"]), (&json!(1), &json!([])), "{}", round.body);
}

#[tokio::test]
async fn a_text_keeps_lines_that_look_like_its_grammar_and_says_what_it_lacks() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server).await;
    let stem = "<p>看程序</p><p>#include &lt;stdio.h&gt;</p><p>[判断题] 一行</p><p>圆周率是____</p>";
    let blanks = json!([{ "accept": ["3.14"], "match": "number", "score": 2.0, "tolerance": 0.01 }]);
    let body = json!({ "bankId": bank, "type": "fill_blank", "stem": stem, "defaultScore": 2.0,
        "answer": { "blanks": blanks } });
    question(&admin, body).await;
    let exported = admin.post(&format!("{QUESTION}/export"), json!({ "bankId": bank, "format": "text" })).await;
    let text = String::from_utf8_lossy(&exported.bytes).into_owned();
    assert!(text.contains("# 第1题有文本不能表示的内容，导入后请补充：允许误差、匹配方式"), "{text}");
    let other = kit::questions::bank(&admin, course, "ZY2", "homework").await;
    let taken = send(&admin, other, &text, &[]).await;
    assert_eq!((&taken.data()["imported"], &taken.data()["errors"]), (&json!(1), &json!([])), "{}", taken.body);
    let listed = admin.post(&format!("{QUESTION}/list"), json!({ "bankId": other })).await;
    let id = listed.data()["list"][0]["id"].as_i64().expect("an id");
    assert_eq!(seen(&admin, id).await["stem"], json!(stem));
}

#[tokio::test]
async fn what_is_too_much_for_an_answer_is_a_job() {
    let server = Server::start().await;
    let (admin, _, bank) = started(&server).await;
    let text: String = (1..=2_001).map(|n| format!("{n}. [判断题] 第{n}题\n【答案】对\n")).collect();
    let message = async |answer: &Answer| {
        let job = ended(&admin, &answer.data()["jobId"]).await;
        job["message"].as_str().unwrap_or_default().to_owned()
    };
    let wrong = send(&admin, bank, &format!("{text}[判断题] 没有答案"), &[]).await;
    assert_eq!(message(&wrong).await, "共2002题，1处有误，未导入任何数据");
    assert_eq!(server.one::<i64>("select count(*) from school_1.question").await, 0);
    let taken = send(&admin, bank, &text, &[]).await;
    assert_eq!(message(&taken).await, "共2001题，已导入2001题，跳过0题");
    let again = send(&admin, bank, &text, &[("skipDuplicates", "true")]).await;
    assert_eq!(message(&again).await, "共2001题，已导入0题，跳过2001题");
    assert_eq!(server.one::<i64>("select count(*) from school_1.question").await, 2_001);
    let exported = admin.post(&format!("{QUESTION}/export"), json!({ "bankId": bank, "format": "text" })).await;
    assert_eq!(message(&exported).await, "共导出2001题");
    let near = admin.post(&format!("{QUESTION}/duplicate"), json!({ "bankId": bank, "threshold": 0.9 })).await;
    let found = message(&near).await;
    assert!(found.starts_with("共2001题，发现"), "{found}");
}

#[tokio::test]
async fn one_question_without_its_answer_keeps_all_of_a_text_out() {
    let server = Server::start().await;
    let (admin, _, bank) = started(&server).await;
    let one = |n: usize| match n {
        700 => format!("{n}. [单选题] 第{n}题\nA. 甲\nB. 乙\n"),
        _ => format!("{n}. [单选题] 第{n}题\nA. 甲\nB. 乙\n【答案】A\n"),
    };
    let text: String = (1..=1_200).map(one).collect();
    let answer = send(&admin, bank, &text, &[]).await;
    // Four lines each.
    assert_eq!(row_errors(answer.data()), ["2797 答案: 不能为空"]);
    assert_eq!(server.one::<i64>("select count(*) from school_1.question").await, 0);
}

#[tokio::test]
async fn ten_thousand_rows_with_forty_repeats() {
    let server = Server::start().await;
    let (admin, _, bank) = started(&server).await;
    let headings = ["题型", "题干", "选项A", "选项B", "答案"];
    let stems: Vec<String> = (0..10_000).map(|n| format!("第{}题", if n >= 9_960 { n - 9_960 } else { n })).collect();
    let rows: Vec<[&str; 5]> = stems.iter().map(|stem| ["单选题", stem.as_str(), "甲", "乙", "A"]).collect();
    let rows: Vec<&[&str]> = rows.iter().map(|row| row.as_slice()).collect();
    let bank = bank.to_string();
    let fields = [("bankId", bank.as_str()), ("skipDuplicates", "true")];
    let begun = admin
        .upload_with(&format!("{QUESTION}/import"), &fields, "file", "试题.xlsx", XLSX, &sheet(&headings, &rows))
        .await;
    let job = ended(&admin, &begun.data()["jobId"]).await;
    let message = job["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("共10000行，新增9960行，修改0行，未变40行"), "{job}");
    assert_eq!(server.one::<i64>("select count(*) from school_1.question").await, 9_960);
}

#[tokio::test]
async fn a_sheet_has_a_case_with_its_parts() {
    let server = Server::start().await;
    let (admin, _, bank) = started(&server).await;
    let headings = ["题型", "题干", "选项A", "选项B", "选项C", "答案", "分值", "大题编号"];
    let rows: [&[&str]; 6] = [
        &["单选题", "货币最基本的职能是", "价值尺度", "贮藏手段", "", "B", "2", ""],
        &["判断题", "货币是商品", "", "", "", "√", "", ""],
        &["综合题", "阅读材料", "", "", "", "", "", "1"],
        &["多选题", "材料说明", "甲", "乙", "丙", "A,C", "3", "1"],
        &["简答题", "为什么", "", "", "", "因为", "7", "1"],
        &["填空题", "____和____", "", "", "", "甲;;乙", "2", ""],
    ];
    let number = bank.to_string();
    let upload = |rows: &[&[&str]]| sheet(&headings, rows);
    let path = format!("{QUESTION}/import");
    let taken = admin.upload_with(&path, &[("bankId", &number)], "file", "a.xlsx", XLSX, &upload(&rows)).await;
    assert_eq!((&taken.data()["errors"], &taken.data()["imported"]), (&json!([]), &json!(6)), "{}", taken.body);
    let listed = admin.post(&format!("{QUESTION}/list"), json!({ "type": "case_analysis" })).await;
    let row = &listed.data()["list"][0];
    assert_eq!((&row["subCount"], &row["defaultScore"]), (&json!(2), &json!(10.0)));
    let wrong: [&[&str]; 2] = [
        &["简答题", "为什么", "", "", "", "因为", "7", "9"],
        &["单选题", "货币最基本的职能是", "贮藏手段", "价值尺度", "", "A", "", ""],
    ];
    let refused = admin.upload_with(&path, &[("bankId", &number)], "file", "a.xlsx", XLSX, &upload(&wrong)).await;
    let first: i64 = server.one("select min(id) from school_1.question").await;
    assert_eq!(
        row_errors(refused.data()),
        ["2 大题编号: 编号为“9”的大题应在前面，且其小题连续".to_owned(), format!("3 题干: 与题库第{first}题重复")]
    );
    let template = admin.bare(Method::GET, &format!("{QUESTION}/import/template")).await;
    assert!(texts(&template.bytes)[0].iter().any(|heading| heading.starts_with("选项Z")));
}

#[tokio::test]
async fn questions_are_moved_set_and_compared() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server).await;
    let one = question(&admin, choice(bank, "货币最基本的职能是什么", 2.0)).await;
    let mut near = choice(bank, "货币最基本的职能是什么呢", 2.0);
    near["options"][1]["content"] = json!("支付手段");
    let two = question(&admin, near).await;
    let found = admin.post(&format!("{QUESTION}/duplicate"), json!({ "bankId": bank, "threshold": 0.8 })).await;
    let pair = &found.data()["pairs"][0];
    assert_eq!((&pair["firstId"], &pair["secondId"]), (&json!(one), &json!(two)), "{}", found.body);
    let other = kit::questions::bank(&admin, course, "ZY2", "both").await;
    let moved = admin.put(&format!("{QUESTION}/move"), json!({ "ids": [one, 999], "bankId": other })).await;
    assert_eq!(moved.data()["done"], json!(1));
    let twin = question(&admin, choice(bank, "货币最基本的职能是什么", 2.0)).await;
    let refused = admin.put(&format!("{QUESTION}/move"), json!({ "ids": [twin], "bankId": other })).await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!(format!("与题库第{one}题重复")));
    let set = admin.put(&format!("{QUESTION}/batchEdit"), json!({ "ids": [one, two], "difficulty": "hard" })).await;
    assert_eq!(set.data()["done"], json!(2));
    assert_eq!(seen(&admin, two).await["difficulty"], json!("hard"));
}
