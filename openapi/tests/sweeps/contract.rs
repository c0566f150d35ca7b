//! The served document holds: schemathesis calls every operation with input made up from it, and neither an answer outside
//! its schema nor an error of the server may come back.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Arc, Mutex},
};

use kit::{Client, Server};
use openapi::server;
use poem::{
    Endpoint, EndpointExt, Response, Server as Listener,
    listener::{Acceptor, TcpAcceptor},
};
use serde_json::Value;
use tokio::process::Command;

/// What would end the caller's own session, and with it the measurement.
const LEFT_OUT: &str = "logout|leaveSchool|/kick|update/password";

/// Made-up calls of each operation, beside the examples of the document.
const EXAMPLES: &str = "8";

fn program() -> PathBuf {
    std::env::var_os("SCHEMATHESIS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools/schemathesis/bin/schemathesis"),
        PathBuf::from,
    )
}

/// The server on a port of its own, and the errors it answers: a code of 500 and above, or no envelope at all.
async fn listening(server: &Server) -> (String, Arc<Mutex<Vec<String>>>) {
    let failures = Arc::new(Mutex::new(Vec::new()));
    let seen = failures.clone();
    let endpoint = server::endpoint(&server.app).map_to_response().around(move |endpoint, request| {
        let seen = seen.clone();
        async move {
            let call = format!("{} {}", request.method(), request.uri());
            let (mut parts, body) = endpoint.get_response(request).await.into_parts();
            let bytes = body.into_vec().await.expect("a body");
            let code = serde_json::from_slice::<Value>(&bytes).ok().and_then(|answer| answer["code"].as_i64());
            if parts.status.is_server_error() || code.is_some_and(|code| (500..600).contains(&code)) {
                seen.lock().expect("no panic").push(format!("{call}: {}", String::from_utf8_lossy(&bytes)));
            }
            parts.headers.remove("content-length");
            Ok::<_, poem::Error>(Response::from_parts(parts, bytes.into()))
        }
    });
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let acceptor = TcpAcceptor::from_tokio(socket).expect("an acceptor");
    let address = format!("http://{}", acceptor.local_addr()[0]);
    let address = address.replace("socket://", "");
    tokio::spawn(Listener::new_with_acceptor(acceptor).run(endpoint));
    (address, failures)
}

async fn keeps_its_word(address: &str, caller: &Client<'_>, other_area: &str) {
    let token = caller.token.as_deref().expect("a token");
    let output = Command::new(program())
        .args(["run", &format!("{address}/admin/openapi.json"), "--url", &format!("{address}/admin/apis")])
        .args(["--header", &format!("token: {token}")])
        .args([
            "--checks",
            "not_a_server_error,response_schema_conformance,status_code_conformance,content_type_conformance",
        ])
        .args(["--phases", "examples,fuzzing", "--max-examples", EXAMPLES, "--seed", "1", "--no-color"])
        .args(["--generation-database", "none", "--warnings", "off"])
        .args(["--exclude-path-regex", LEFT_OUT, "--exclude-by", &format!("/x-area == {other_area}")])
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null())
        .output()
        .await
        .expect("schemathesis; scripts/tools installs it");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    let account = caller.get("/system/pc/api/sys/user/getSchoolAccountInfo").await;
    assert_eq!(account.code(), 200, "the session ended on the way: {}", account.body);
}

/// On a server of its own, so that both areas are called at once.
async fn holds_in(area: &str, other_area: &str) {
    let server = Server::start().await;
    let (address, failures) = listening(&server).await;
    let caller = if area == "school" { server.operator_in(1).await } else { server.operator().await };
    keeps_its_word(&address, &caller, other_area).await;
    let failures = failures.lock().expect("no panic").clone();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_served_document_holds_in_a_school() {
    holds_in("school", "platform").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_served_document_holds_for_the_operators() {
    holds_in("platform", "school").await;
}
