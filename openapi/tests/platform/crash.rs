//! The real program, killed in the middle of an import and started again on the same data folder (00 §4).

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use base64::{Engine, prelude::BASE64_STANDARD};
use embedded::Cluster;
use kit::{
    sheets::{XLSX, sheet},
    signed,
    students::{HEADINGS, id_number_of},
};
use openapi::{demo, document};
use rsa::{Oaep, RsaPublicKey, pkcs8::DecodePublicKey};
use serde_json::{Value, json};
use sha2::Sha256;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tempfile::TempDir;

const STUDENTS: usize = 5_000;
const LONGEST: Duration = Duration::from_secs(240);

/// A running `serve --demo`; killed when dropped.
pub(crate) struct Program {
    child: Child,
    pub(crate) address: String,
    /// Where `/metrics`, `/healthz` and `/readyz` are.
    pub(crate) operations: String,
    /// Kept open: the program may go on talking.
    _output: BufReader<ChildStdout>,
}

impl Program {
    pub(crate) async fn start(data: &Path) -> Self {
        let operations = free_address();
        let log = std::fs::OpenOptions::new().create(true).append(true).open(data.join("server.log")).expect("a log");
        let mut command = Command::new(env!("CARGO_BIN_EXE_chengjiao"));
        for inherited in ["DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_LISTEN_URL"] {
            command.env_remove(inherited);
        }
        command
            .args(["serve", "--demo"])
            .env("CHENGJIAO_DATA", data)
            .env("CHENGJIAO_SERVER_LISTEN", "127.0.0.1:0")
            .env("CHENGJIAO_SERVER_OPS_LISTEN", &operations)
            .stdout(Stdio::piped())
            .stderr(log);
        let mut child = command.spawn().expect("the program");
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        let listening = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            while output.read_line(&mut line).expect("text") > 0 {
                if let Some(address) = line.trim_end().strip_prefix("成教云 ") {
                    return Some((address.trim_end_matches('/').to_owned(), output));
                }
                line.clear();
            }
            None
        });
        let Ok(Ok(Some((address, output)))) =
            tokio::time::timeout(LONGEST, listening).await.inspect_err(|_| drop(child.kill()))
        else {
            panic!(
                "the program never listened: {}",
                std::fs::read_to_string(data.join("server.log")).unwrap_or_default()
            );
        };
        Self { child, address, operations: format!("http://{operations}"), _output: output }
    }

    /// As by `kill -9`.
    fn die(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }

    /// As by a service manager.
    pub(crate) fn stop(mut self) {
        let asked = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().expect("kill");
        assert!(asked.success());
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(60) {
            if let Some(status) = self.child.try_wait().expect("a child") {
                assert!(status.success(), "{status}");
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the program does not stop when asked to");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Already gone after `die` and `stop`.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Below /tmp, where the account that PostgreSQL steps down to can enter.
pub(crate) fn data_folder() -> TempDir {
    let folder: TempDir = tempfile::Builder::new().prefix("chengjiao-crash").tempdir().expect("a folder");
    let open = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o755);
    std::fs::set_permissions(folder.path(), open).expect("rights");
    folder
}

/// An address where nobody listens now; `--demo` takes the next when somebody came first.
fn free_address() -> String {
    let probe = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    probe.local_addr().expect("an address").to_string()
}

/// Joins the cluster of the data folder, which a killed program leaves running.
pub(crate) async fn join(data: &Path) -> Cluster {
    let options = embedded::Options::new(data);
    tokio::task::spawn_blocking(move || Cluster::start(options))
        .await
        .expect("no panic")
        .expect("the private PostgreSQL")
}

pub(crate) async fn owner(cluster: &Cluster) -> PgConnection {
    PgConnection::connect(&cluster.url(embedded::DATABASE, embedded::OWNER)).await.expect("the cluster answers")
}

pub(crate) async fn one<T>(connection: &mut PgConnection, sql: &str) -> T
where
    T: Send + Unpin + for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
{
    sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(connection).await.expect(sql)
}

async fn until(connection: &mut PgConnection, sql: &str) {
    let begun = Instant::now();
    while !one::<bool>(connection, sql).await {
        assert!(begun.elapsed() < LONGEST, "never became true: {sql}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A person at a browser.
pub(crate) struct Browser {
    pub(crate) http: reqwest::Client,
    pub(crate) token: String,
}

impl Browser {
    pub(crate) async fn sign_in(address: &str, login_name: &str) -> Self {
        let mut browser = Self { http: reqwest::Client::new(), token: String::new() };
        let site = browser.post(address, "/system/pc/sys/config/get", json!({})).await;
        let der = BASE64_STANDARD.decode(site["publicKey"].as_str().expect("a key")).expect("Base64");
        let key = RsaPublicKey::from_public_key_der(&der).expect("SPKI");
        let mut rng = <rand_chacha::ChaCha20Rng as rand_chacha::rand_core::SeedableRng>::from_seed([5; 32]);
        let cipher = key.encrypt(&mut rng, Oaep::<Sha256>::new(), demo::PASSWORD.as_bytes()).expect("encrypted");
        let now = infra::clock::Clock::default().now().timestamp_millis();
        browser
            .post(address, "/system/pc/api/sys/user/authenticate", signed(login_name, "schoolLogin", now, 1234))
            .await;
        let body = json!({ "loginName": login_name, "loginPassword": BASE64_STANDARD.encode(cipher) });
        let entered = browser.post(address, "/system/pc/api/sys/user/schoolLogin", body).await;
        let token = entered.as_str().or_else(|| entered["token"].as_str()).expect("a token");
        browser.token = token.to_owned();
        browser
    }

    async fn data(&self, request: reqwest::RequestBuilder) -> Value {
        let answer = request.header("token", &self.token).send().await.expect("an answer");
        let body: Value = serde_json::from_slice(&answer.bytes().await.expect("bytes")).expect("JSON");
        assert_eq!(body["code"], json!(200), "{body}");
        body["data"].clone()
    }

    async fn post(&self, address: &str, path: &str, body: Value) -> Value {
        self.data(self.http.post(format!("{address}{}{path}", document::BASE)).json(&body)).await
    }

    async fn get(&self, address: &str, path: &str) -> Value {
        self.data(self.http.get(format!("{address}{}{path}", document::BASE))).await
    }

    async fn import_students(&self, address: &str, file: Vec<u8>) -> Value {
        let part = reqwest::multipart::Part::bytes(file).file_name("a.xlsx").mime_str(XLSX).expect("a type");
        let form = reqwest::multipart::Form::new().part("file", part);
        self.data(self.http.post(format!("{address}{}/adult/pc/studentRoll/import", document::BASE)).multipart(form))
            .await
    }
}

/// New students in the grade of 2026 of the demonstration school, whatever its codes are.
async fn newcomers(owner: &mut PgConnection, schema: &str) -> Vec<u8> {
    let codes: Vec<String> = one(
        owner,
        &format!(
            "select array[g.code, l.code, m.code, s.code] from {schema}.grade g, {schema}.major m join {schema}.level l on l.id = m.level_id,
                {schema}.site s
             where g.code = '2026' and g.enabled and m.enabled and l.enabled and m.study_form = 'non_full_time' and s.status = 'active'
             order by l.id, m.id, s.id limit 1"
        ),
    )
    .await;
    let rows: Vec<Vec<String>> = (0..STUDENTS)
        .map(|n| {
            let (id, phone, no) = (id_number_of("659900", n), format!("154{n:08}"), format!("CRASH{n:05}"));
            let cells = [
                "张晓梅",
                &id,
                &phone,
                &no,
                &codes[0],
                &codes[1],
                &codes[2],
                "非脱产",
                &codes[3],
                "2026-03-01",
                "2.5",
                "在籍",
            ];
            cells.map(ToOwned::to_owned).to_vec()
        })
        .collect();
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    sheet(&HEADINGS, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// Twice killed: once with every row written but nothing committed, once between the commit in the school and the end of
/// the job in the platform.
#[tokio::test(flavor = "multi_thread")]
async fn an_import_whose_server_is_killed_twice_is_done_exactly_once() {
    let folder = data_folder();
    let data = folder.path();
    let first = Program::start(data).await;
    let cluster = join(data).await;
    // Bound anew after the cluster, so that a failing test ends the programs first and PostgreSQL then.
    let first = first;
    let (mut look, mut holder, mut other) = (owner(&cluster).await, owner(&cluster).await, owner(&cluster).await);
    let school: i64 = one(&mut look, "select id from platform.school where code = 'demo01'").await;
    let schema = format!("school_{school}");
    let file = newcomers(&mut look, &schema).await;
    let count = format!("select count(*) from {schema}.student where student_no like 'CRASH%'");
    let staff = Browser::sign_in(&first.address, "demo01_admin").await;

    // The work's last statement waits for this table.
    let block = format!("lock table {schema}.job_done in share mode");
    let mut lock = holder.begin().await.expect("a transaction");
    lock.execute(AssertSqlSafe(block.clone())).await.expect("a lock");
    let job = staff.import_students(&first.address, file).await["jobId"].as_i64().expect("a job");
    let written = format!("select done = {STUDENTS} and state = 'running' from platform.job where id = {job}");
    until(&mut look, &written).await;
    first.die();
    lock.rollback().await.expect("the lock goes");
    let gone = format!("select not exists (select from pg_stat_activity where usename = '{}')", embedded::APP);
    until(&mut look, &gone).await;
    assert_eq!(one::<i64>(&mut look, &count).await, 0, "half an import stayed");
    let state = format!("select state from platform.job where id = {job}");
    assert_eq!(one::<String>(&mut look, &state).await, "running");

    let left = format!("update platform.job set leased_until = now() - interval '1 second', done = 0 where id = {job}");
    look.execute(AssertSqlSafe(left.clone())).await.expect("the lease runs out");
    let mut lock = holder.begin().await.expect("a transaction");
    lock.execute(AssertSqlSafe(block)).await.expect("a lock");
    let second = Program::start(data).await;
    until(&mut look, &written).await;
    // Now the commit may come, but not the end of the job.
    let mut row = other.begin().await.expect("a transaction");
    row.execute(AssertSqlSafe(format!("select id from platform.job where id = {job} for update")))
        .await
        .expect("a row");
    lock.rollback().await.expect("the lock goes");
    until(&mut look, &format!("select exists (select from {schema}.job_done where job_id = {job})")).await;
    second.die();
    row.rollback().await.expect("the row goes");
    until(&mut look, &gone).await;
    assert_eq!(one::<i64>(&mut look, &count).await, STUDENTS as i64);
    assert_eq!(one::<String>(&mut look, &state).await, "running");

    look.execute(AssertSqlSafe(left)).await.expect("the lease runs out");
    let third = Program::start(data).await;
    until(&mut look, &format!("select state not in ('queued', 'running') from platform.job where id = {job}")).await;
    let seen = staff.get(&third.address, &format!("/system/pc/job/view?id={job}")).await;
    assert_eq!(
        (&seen["state"], &seen["message"]),
        // The site is full from some row on, which is told once and refuses nobody.
        (&json!("done"), &json!(format!("共{STUDENTS}行，已导入{STUDENTS}行，1行请核对")))
    );
    assert_eq!(one::<i64>(&mut look, &count).await, STUDENTS as i64);
    let trail = format!(
        "select array[count(*), count(distinct a.batch_id)] from {schema}.audit_log a join {schema}.student s on s.id = a.entity_id
         where a.entity_type = 'student' and a.action = 'import' and s.student_no like 'CRASH%'"
    );
    assert_eq!(one::<Vec<i64>>(&mut look, &trail).await, [STUDENTS as i64, 1]);
    let listed = staff.post(&third.address, "/adult/pc/studentRoll/list", json!({ "keyword": "CRASH" })).await;
    assert_eq!(listed["totalCount"], json!(STUDENTS));

    third.stop();
    for connection in [look, holder, other] {
        connection.close().await.expect("closed");
    }
    tokio::task::spawn_blocking(move || cluster.stop()).await.expect("no panic").expect("PostgreSQL stops");
}
