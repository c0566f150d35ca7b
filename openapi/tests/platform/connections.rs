//! Visitors as the server meets them on the wire: refused before they had finished, slow, silent, or too many.

use std::{net::SocketAddr, time::Duration};

use infra::metrics::Metrics;
use kit::Server;
use openapi::{
    connections::{self, Limits},
    document, server,
};
use poem::{Endpoint, EndpointExt, Response};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

/// Much longer than everything here takes.
const LONG: Duration = Duration::from_secs(30);
/// The limit that a visitor runs into on purpose.
const SHORT: Duration = Duration::from_millis(400);

fn limits() -> Limits {
    Limits { head: LONG, body: LONG, idle: LONG, connections: 100, per_address: 100, proxies: Vec::new() }
}

struct Listening {
    address: SocketAddr,
    stop: CancellationToken,
    ended: JoinHandle<()>,
}

async fn listen<E: Endpoint<Output = Response> + 'static>(endpoint: E, limits: Limits) -> Listening {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let stop = CancellationToken::new();
    let ended = tokio::spawn(connections::serve(listener, endpoint, limits, Metrics::new(), stop.clone(), LONG));
    Listening { address, stop, ended }
}

async fn whole(server: &Server, limits: Limits) -> Listening {
    listen(server::endpoint(&server.app).map_to_response(), limits).await
}

/// One kept connection.
struct Wire(TcpStream);

impl Wire {
    async fn to(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("connected");
        stream.set_nodelay(true).expect("packets of their own");
        Self(stream)
    }

    async fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).await.expect("sent");
    }

    /// Head and body of the next answer; none when the connection ended before.
    async fn answer(&mut self) -> Option<(String, Vec<u8>)> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let byte = timeout(LONG, self.0.read_u8()).await.expect("an answer in time").ok()?;
            head.push(byte);
        }
        let head = String::from_utf8(head).expect("text").to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).map(|text| text.parse());
        let mut body = vec![0; length.expect("a length").expect("a number")];
        timeout(LONG, self.0.read_exact(&mut body)).await.expect("a body in time").ok()?;
        Some((head, body))
    }

    /// Waits until the server ends the connection.
    async fn is_cut(&mut self) -> bool {
        let mut byte = [0; 1];
        matches!(timeout(LONG, self.0.read(&mut byte)).await.expect("cut in time"), Ok(0) | Err(_))
    }
}

fn head(method: &str, path: &str, headers: &str) -> String {
    format!("{method} {}{path} HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n", document::BASE)
}

fn json_of(length: usize) -> (String, Vec<u8>) {
    (format!("content-type: application/json\r\ncontent-length: {length}\r\n"), vec![b' '; length])
}

const PUBLIC: &str =
    "GET /admin/apis/system/client/banner?position=home&terminal=pc HTTP/1.1\r\nhost: localhost\r\n\r\n";

#[tokio::test]
async fn a_refusal_before_the_body_never_costs_the_next_request() {
    let server = Server::start().await;
    let listening = whole(&server, limits()).await;
    let (plain, body) = json_of(20);
    let (large, large_body) = json_of(300_000);
    let multipart = "content-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n";
    let refusals = [
        (head("POST", "/no/such/path", &plain), body.clone()),
        (head("DELETE", "/system/pc/sys/school/list", &plain), body.clone()),
        (head("POST", "/system/pc/sys/school/list?nope=1", &plain), body.clone()),
        (head("POST", "/system/pc/sys/school/list", &plain), body.clone()),
        (head("POST", "/adult/pc/studentRoll/import", multipart), vec![b'x'; 100_000]),
        (head("POST", "/system/pc/sys/school/list?nope=1", &large), large_body),
        (head("POST", "/system/pc/sys/school/list?nope=1", &json_of(3 << 20).0), json_of(3 << 20).1),
        (head("POST", "/no/such/path", "transfer-encoding: chunked\r\n"), b"5\r\nabcde\r\n0\r\n\r\n".to_vec()),
        ("POST /admin/openapi.json HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n".to_owned(), vec![b'x'; 9]),
    ];
    let (mut kept, mut closed) = (0, 0);
    for (head, body) in &refusals {
        let mut wire = Wire::to(listening.address).await;
        for turn in 0..60 {
            wire.send(head.as_bytes()).await;
            // The body comes in a packet of its own, at times noticeably later.
            if turn % 6 == 0 {
                sleep(Duration::from_millis(15)).await;
            }
            // Who is refused may stop sending; who does not must get the answer all the same.
            let sent = wire.0.write_all(body).await;
            let (told, _) = wire.answer().await.unwrap_or_else(|| panic!("{head}: no answer, {sent:?}"));
            if told.contains("connection: close") {
                closed += 1;
                assert!(wire.is_cut().await, "{head}: said close and stayed");
                wire = Wire::to(listening.address).await;
                continue;
            }
            kept += 1;
            wire.send(PUBLIC.as_bytes()).await;
            let next = wire.answer().await.unwrap_or_else(|| panic!("{head}: the next request was lost"));
            assert!(next.0.starts_with("http/1.1 200"), "{head}: {}", next.0);
        }
    }
    // The large ones are not worth reading, the others are.
    assert_eq!((kept, closed), (6 * 60, 3 * 60));
}

#[tokio::test]
async fn who_waits_to_be_asked_for_the_body_is_not_asked_in_vain() {
    let server = Server::start().await;
    let listening = whole(&server, limits()).await;
    let mut wire = Wire::to(listening.address).await;
    let headers = format!("{}expect: 100-continue\r\n", json_of(20).0);
    wire.send(head("POST", "/system/pc/sys/school/list?nope=1", &headers).as_bytes()).await;
    let (told, _) = wire.answer().await.expect("an answer");
    assert!(told.starts_with("http/1.1 400") && told.contains("connection: close"), "{told}");
    assert!(wire.is_cut().await);
}

#[tokio::test]
async fn who_keeps_the_server_waiting_is_cut_and_others_are_served() {
    let server = Server::start().await;
    let listening = whole(&server, Limits { head: SHORT, body: SHORT, idle: SHORT, ..limits() }).await;
    let mut waiting = Vec::new();
    for begun in ["", "GET /adm", "GET /admin/openapi.json HTTP/1.1\r\nhost: local", PUBLIC] {
        let mut wire = Wire::to(listening.address).await;
        wire.send(begun.as_bytes()).await;
        if begun == PUBLIC {
            wire.answer().await.expect("an answer, and then nothing");
        }
        waiting.push(wire);
    }
    // Half a body of a call that reads it.
    let login = head("POST", "/system/pc/api/sys/user/login", &json_of(200).0);
    let mut half = Wire::to(listening.address).await;
    half.send(login.as_bytes()).await;
    half.send(b"{\"loginName\":").await;
    waiting.push(half);
    // Answers that nobody takes, more of them than the system keeps for a visitor.
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let mut deaf = Wire(socket.connect(listening.address).await.expect("connected"));
    let large = "GET /admin/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(40);
    deaf.send(large.as_bytes()).await;

    let begun = tokio::time::Instant::now();
    let mut other = Wire::to(listening.address).await;
    other.send(PUBLIC.as_bytes()).await;
    assert!(other.answer().await.expect("an answer").0.starts_with("http/1.1 200"));
    for wire in &mut waiting {
        assert!(wire.is_cut().await);
    }
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    // What the system had taken for the visitor is still there; behind it the connection is over.
    let mut taken = 0;
    let mut buffer = vec![0; 1 << 20];
    sleep(3 * SHORT).await;
    while let Ok(length @ 1..) = timeout(LONG, deaf.0.read(&mut buffer)).await.expect("cut in time") {
        taken += length;
    }
    assert!(taken < 40 * 1_000_000, "all of it was delivered: {taken}");
}

#[tokio::test]
async fn bytes_that_move_slowly_are_not_cut() {
    let server = Server::start().await;
    let listening = whole(&server, Limits { head: SHORT, body: SHORT, idle: SHORT, ..limits() }).await;
    let mut slow = Wire::to(listening.address).await;
    let text = br#"{"loginName":"nobody","loginPassword":"x"}"#;
    let headers = format!("content-type: application/json\r\ncontent-length: {}\r\n", text.len());
    slow.send(head("POST", "/system/pc/api/sys/user/login", &headers).as_bytes()).await;
    for bytes in text.chunks(4) {
        sleep(SHORT / 4).await;
        slow.send(bytes).await;
    }
    assert!(slow.answer().await.is_some(), "an upload of {:?} was cut", SHORT * 11 / 4);

    let mut reader = Wire::to(listening.address).await;
    let answers = 12;
    reader.send("GET /admin/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(answers).as_bytes()).await;
    let mut length = None;
    for _ in 0..answers {
        let (_, body) = reader.answer().await.expect("a download that is taken slowly goes on");
        assert_eq!(*length.get_or_insert(body.len()), body.len());
        sleep(SHORT / 4).await;
    }
}

#[tokio::test]
async fn more_than_there_are_places_wait_until_one_is_free() {
    let server = Server::start().await;
    let listening = whole(&server, Limits { connections: 2, ..limits() }).await;
    let mut first = Wire::to(listening.address).await;
    let mut second = Wire::to(listening.address).await;
    for wire in [&mut first, &mut second] {
        wire.send(PUBLIC.as_bytes()).await;
        wire.answer().await.expect("an answer");
    }
    let mut third = Wire::to(listening.address).await;
    third.send(PUBLIC.as_bytes()).await;
    assert!(timeout(SHORT, third.0.readable()).await.is_err(), "a third was served beside two");
    drop(first);
    assert!(third.answer().await.expect("an answer").0.starts_with("http/1.1 200"));
}

#[tokio::test]
async fn a_server_that_stops_ends_what_it_began() {
    let (begun, go_on) = (CancellationToken::new(), CancellationToken::new());
    let endpoint = {
        let (begun, go_on) = (begun.clone(), go_on.clone());
        poem::endpoint::make(move |_| {
            let (begun, go_on) = (begun.clone(), go_on.clone());
            async move {
                begun.cancel();
                go_on.cancelled().await;
                Response::builder().body("done")
            }
        })
    };
    let listening = listen(endpoint, limits()).await;
    let mut idle = Wire::to(listening.address).await;
    let mut working = Wire::to(listening.address).await;
    working.send(PUBLIC.as_bytes()).await;
    begun.cancelled().await;
    listening.stop.cancel();
    assert!(idle.is_cut().await);
    let nobody_new = async { while TcpStream::connect(listening.address).await.is_ok() {} };
    timeout(LONG, nobody_new).await.expect("a stopping server takes nobody new");
    assert!(!listening.ended.is_finished());
    go_on.cancel();
    assert_eq!(working.answer().await.expect("an answer").1, b"done");
    listening.ended.await.expect("no panic");
}
