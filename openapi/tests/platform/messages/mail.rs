//! 邮件 over a mail server of this process, which refuses what it is told to (05 D8-3, D8-8).

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use kit::{Client, Server, rows::students};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::Mutex,
};

use super::{MSG, becomes, count, school, send};

/// What the mail server has seen.
#[derive(Default)]
struct Seen {
    letters: Mutex<Vec<String>>,
    tries: AtomicUsize,
}

/// Speaks just enough SMTP. `answer` decides what RCPT gets, by the address and the number of tries so far.
async fn mail_server(answer: fn(&str, usize) -> &'static str) -> (u16, Arc<Seen>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let seen = Arc::new(Seen::default());
    let kept = Arc::clone(&seen);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(talk(stream, answer, Arc::clone(&kept)));
        }
    });
    (port, seen)
}

async fn talk(stream: TcpStream, answer: fn(&str, usize) -> &'static str, seen: Arc<Seen>) {
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    let mut reply = "220 test".to_owned();
    loop {
        if writer.write_all(format!("{reply}\r\n").as_bytes()).await.is_err() {
            return;
        }
        let Ok(Some(line)) = lines.next_line().await else { return };
        let command = line.to_uppercase();
        reply = if command.starts_with("RCPT") {
            let tries = seen.tries.fetch_add(1, Ordering::SeqCst);
            answer(&line, tries).to_owned()
        } else if command.starts_with("DATA") {
            if writer.write_all(b"354 go on\r\n").await.is_err() {
                return;
            }
            let mut letter = String::new();
            while let Ok(Some(line)) = lines.next_line().await {
                if line == "." {
                    break;
                }
                letter += &line;
                letter.push('\n');
            }
            seen.letters.lock().await.push(letter);
            "250 kept".to_owned()
        } else if command.starts_with("QUIT") {
            return;
        } else {
            "250 test".to_owned()
        };
    }
}

async fn configure(operator: &Client<'_>, port: u16) {
    let config = json!({ "configName": "邮件", "configKind": "mail", "isDefault": true,
        "content": { "host": "127.0.0.1", "port": port, "security": "none", "from": "office@example.com", "fromName": "继续教育学院" } });
    operator.post("/system/pc/sys/config/save", config).await.data();
}

/// 05 D8-3: 451 twice, then accepted: three attempts, sent. 550: failed at once, and 重发 is possible.
#[tokio::test]
async fn a_busy_mail_server_is_asked_again_and_a_refusal_is_final() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 1).await;
    let (port, seen) = mail_server(|address, tries| match (address.contains("s1@"), tries) {
        (true, 0 | 1) => "451 try later",
        (true, _) => "250 ok",
        _ => "550 no such user",
    })
    .await;
    configure(&server.operator().await, port).await;
    let id = send(&admin, json!({ "channels": ["mail"], "title": "缴费通知" })).await;
    for (attempts, minutes) in [(1, 1), (2, 5)] {
        let waits = format!(
            "select exists (select from school_1.msg_delivery
                            where msg_id = {id} and attempts = {attempts} and status = 'queued')"
        );
        server.wait_until(&waits).await;
        server.app.clock().shift(chrono::Duration::minutes(minutes) + chrono::Duration::seconds(1));
    }
    becomes(&server, id, "sent").await;
    assert_eq!(count(&server, "school_1.msg_attempt where not ok and code = 'provider_busy'").await, 2);
    assert_eq!(count(&server, "school_1.msg_attempt").await, 3);
    let letters = seen.letters.lock().await;
    assert!(letters[0].contains("multipart/alternative") && letters[0].contains("s1@example.com"), "{}", letters[0]);
    drop(letters);

    students(&server, &p, p.site, None, 2, 1).await;
    server.run("delete from school_1.client_account").await;
    let list = json!({ "audience": "student_filter", "audienceFilter": { "studentStatus": ["registered"] }, "channels": ["mail"] });
    server.run("update school_1.student set status = 'suspended' where student_no = '2600000001'").await;
    let id = send(&admin, list).await;
    becomes(&server, id, "failed").await;
    let failures = admin.post(&format!("{MSG}/failureLog"), json!({ "id": id })).await;
    let row = failures.data()["list"][0].clone();
    assert_eq!(
        (&row["failCode"], &row["attempts"], &row["address"]),
        (&json!("provider_rejected"), &json!(1), &json!("s***@example.com"))
    );
    let again = admin.post(&format!("{MSG}/resend"), json!({ "ids": [row["id"]] })).await;
    assert_eq!(again.data()["done"], json!(1));
    becomes(&server, id, "failed").await;
    assert_eq!(count(&server, &format!("school_1.msg_attempt where delivery_id = {}", row["id"])).await, 2);
}

/// 05 D5: after twenty errors of the provider in a row the channel rests for five minutes; operators are told, what waits is sent then.
#[tokio::test]
async fn a_provider_that_keeps_failing_is_left_alone() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 25).await;
    let (port, seen) = mail_server(|_, tries| if tries < 20 { "451 try later" } else { "250 ok" }).await;
    configure(&server.operator().await, port).await;
    let id = send(&admin, json!({ "channels": ["mail"] })).await;
    let tried = "school_1.msg_attempt a join school_1.msg_delivery d on d.id = a.delivery_id where d.channel = 'mail'";
    server.wait_until(&format!("select count(*) = 20 from {tried}")).await;
    server.wait_until("select count(*) = 1 from platform.event_outbox where name = 'channel_paused'").await;
    // All of them are due by now; whoever goes through the inbox is served meanwhile.
    server.app.clock().shift(chrono::Duration::minutes(4));
    let other = send(&admin, json!({})).await;
    becomes(&server, other, "sent").await;
    assert_eq!(count(&server, tried).await, 20);
    server.app.clock().shift(chrono::Duration::seconds(61));
    server.wait_until(&format!("select count(*) = 40 from {tried}")).await;
    // The next twenty wait for the pace of 120 a minute.
    server.app.clock().shift(chrono::Duration::seconds(11));
    becomes(&server, id, "sent").await;
    assert_eq!((seen.letters.lock().await.len(), seen.tries.load(Ordering::SeqCst)), (25, 45));
}

/// 05 D8-8: a demonstration school sends nothing, whatever is configured.
#[tokio::test]
async fn nothing_leaves_a_demonstration_school() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 2).await;
    let (port, seen) = mail_server(|_, _| "250 ok").await;
    configure(&server.operator().await, port).await;
    server.run("update platform.school set demo = true where id = 1").await;
    server.run("select pg_notify('chengjiao', 'school:1')").await;
    let id = send(&admin, json!({ "channels": ["mail", "sms"] })).await;
    becomes(&server, id, "sent").await;
    assert_eq!(count(&server, "school_1.msg_recorded").await, 4);
    assert!(seen.letters.lock().await.is_empty());
}

/// 05 D7: a trial shakes hands, signs in and sends a letter to the operator's own address; what the server refuses is told.
#[tokio::test]
async fn a_trial_of_a_mail_server_sends_a_letter_to_oneself() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (port, seen) =
        mail_server(|address, _| if address.contains("wang@") { "250 ok" } else { "550 no such user" }).await;
    configure(&operator, port).await;
    let config: i64 = server.one("select max(id) from platform.sys_config where config_kind = 'mail'").await;
    let trial = async || operator.post(&format!("/system/pc/sys/config/test?id={config}"), json!({})).await;
    assert_eq!(trial().await.refused(), (409, "您的账号没有邮箱，请先在账号资料中补充"));
    let own = |address: &str| format!("update platform.sys_user set email = '{address}' where login_name = 'operator'");
    server.run(&own("wang@example.com")).await;
    let tried = trial().await;
    assert_eq!(tried.data()["message"], json!("已向w***@example.com发送测试邮件，请查收"), "{}", tried.body);
    let letters = seen.letters.lock().await;
    assert!(letters.len() == 1 && letters[0].contains("wang@example.com"), "{letters:?}");
    drop(letters);
    server.run(&own("li@example.com")).await;
    assert_eq!(trial().await.refused(), (409, "邮件服务器拒绝了测试邮件（550），请检查发件地址和账号"));
    // With encryption, a server that has none is not "reachable".
    server.run("update platform.sys_config set content = content || '{\"security\":\"starttls\"}' where config_kind = 'mail'").await;
    assert_eq!(trial().await.refused(), (409, "无法连接服务器，请检查地址、端口和加密方式"));
}
