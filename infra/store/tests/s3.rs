//! The bucket, against an S3 server in this process that checks signatures.

#![allow(clippy::unwrap_used, reason = "a test may fail; the lint sees only functions marked as tests")]
#![allow(clippy::disallowed_methods, reason = "the server compares a signature's time with its own clock")]

use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use bytes::Bytes;
use chrono::{DateTime, FixedOffset, TimeDelta, Utc};
use futures_util::TryStreamExt;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use s3s::auth::SimpleAuth;
use s3s::dto::{PutObjectAclInput, PutObjectAclOutput};
use s3s::service::S3ServiceBuilder;
use s3s::{S3, S3Error, S3ErrorCode, S3Request, S3Response, S3Result};
use store::{Cut, S3Settings, Store, StoreError};

const KEY: &str = "identity/s1/202609/0123456789abcdef.pdf";

fn now() -> DateTime<FixedOffset> {
    DateTime::<Utc>::from(SystemTime::now()).fixed_offset()
}

/// Starts a server with one bucket, which lives as long as the folder and the test.
async fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("bucket")).unwrap();
    let store = serve(s3s_fs::FileSystem::new(folder.path()).unwrap()).await;
    (folder, store)
}

/// A store in the bucket of a server.
async fn serve(server: impl S3) -> Store {
    let mut service = S3ServiceBuilder::new(server);
    service.set_auth(SimpleAuth::from_single("key", "secret"));
    let service = service.build();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let service = service.clone();
            tokio::spawn(async move {
                auto::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(socket), service).await
            });
        }
    });
    Store::s3(S3Settings {
        endpoint: Some(endpoint),
        region: "us-east-1".into(),
        bucket: "bucket".into(),
        access_key: "key".into(),
        secret_key: "secret".into(),
        path_style: true,
    })
}

async fn read(store: &Store, key: &str) -> Vec<u8> {
    store.get(key).await.unwrap().chunks.try_collect::<Vec<Bytes>>().await.unwrap().concat()
}

#[tokio::test]
async fn what_is_put_is_got() {
    let (_folder, store) = store().await;
    store.put(KEY, "text/plain", Bytes::from_static(b"0123456789")).await.unwrap();
    assert_eq!(read(&store, KEY).await, b"0123456789");
    let head = store.head(KEY).await.unwrap().unwrap();
    assert_eq!((head.size, head.content_type.as_deref()), (10, Some("text/plain")));
    assert_eq!(store.get_range(KEY, 2..5).await.unwrap(), "234");
    assert_eq!(store.get_range(KEY, 8..99).await.unwrap(), "89");
    assert!(matches!(store.get_range(KEY, 10..11).await, Err(StoreError::OutOfRange)));
    store.delete(KEY).await.unwrap();
    store.delete(KEY).await.unwrap();
    assert_eq!(store.head(KEY).await.unwrap(), None);
    assert!(matches!(store.get(KEY).await, Err(StoreError::NotFound)));
}

/// A bucket that keeps what access its objects were given; or, told so, has no such settings.
struct Settings {
    given: Arc<Mutex<Vec<(String, String)>>>,
    refusal: Option<S3ErrorCode>,
}

#[async_trait::async_trait]
impl S3 for Settings {
    async fn put_object_acl(&self, asked: S3Request<PutObjectAclInput>) -> S3Result<S3Response<PutObjectAclOutput>> {
        if let Some(code) = &self.refusal {
            return Err(S3Error::new(code.clone()));
        }
        let acl = asked.input.acl.map(|acl| acl.as_str().to_owned()).unwrap_or_default();
        self.given.lock().unwrap().push((asked.input.key, acl));
        Ok(S3Response::new(PutObjectAclOutput::default()))
    }
}

#[tokio::test]
async fn an_object_is_made_its_owners_alone_where_the_bucket_has_such_settings() {
    let given = Arc::new(Mutex::new(Vec::new()));
    let open = serve(Settings { given: given.clone(), refusal: None }).await;
    open.make_private(KEY).await.unwrap();
    assert_eq!(*given.lock().unwrap(), [(KEY.to_owned(), "private".to_owned())]);

    for code in [S3ErrorCode::NotImplemented, S3ErrorCode::AccessDenied] {
        let ruled = serve(Settings { given: given.clone(), refusal: Some(code) }).await;
        ruled.make_private(KEY).await.unwrap();
    }
    let ruled = S3ErrorCode::Custom("AccessControlListNotSupported".into());
    serve(Settings { given: given.clone(), refusal: Some(ruled) }).await.make_private(KEY).await.unwrap();
    let gone = serve(Settings { given, refusal: Some(S3ErrorCode::NoSuchKey) }).await;
    assert!(matches!(gone.make_private(KEY).await, Err(StoreError::NotFound)));
}

#[tokio::test]
async fn a_large_file_is_sent_in_parts() {
    let (folder, store) = store().await;
    let path = folder.path().join("upload");
    for size in [0, 8 << 20, (8 << 20) + 1, 20_000_000] {
        let content: Vec<u8> = (0..size).map(|n: u32| (n >> 3) as u8).collect();
        std::fs::write(&path, &content).unwrap();
        store.put_file(KEY, "video/mp4", &path).await.unwrap();
        assert!(read(&store, KEY).await == content, "{size} bytes");
        let head = store.head(KEY).await.unwrap().unwrap();
        assert_eq!((head.size, head.content_type.as_deref()), (u64::from(size), Some("video/mp4")));
    }
}

#[tokio::test]
async fn a_ticket_admits_only_the_signed_type_and_size_and_time() {
    let (_folder, store) = store().await;
    let put = |url: String, content_type: &'static str, body: &'static str| async move {
        let request = reqwest::Client::new().put(url).header("Content-Type", content_type).body(body);
        request.send().await.unwrap().status().as_u16()
    };
    let ticket = store.upload_ticket(KEY, 5, "application/pdf", now()).await.unwrap();
    assert!(ticket.url.contains("X-Amz-SignedHeaders=content-length%3Bcontent-type%3Bhost"), "{}", ticket.url);
    assert!(ticket.url.contains("X-Amz-Expires=900"), "{}", ticket.url);
    assert_eq!(put(ticket.url.clone(), "text/html", "12345").await, 403);
    assert_eq!(put(ticket.url.clone(), "application/pdf", "123456").await, 403);
    assert_eq!(store.head(KEY).await.unwrap(), None);
    assert_eq!(put(ticket.url, "application/pdf", "12345").await, 200);
    assert_eq!(read(&store, KEY).await, b"12345");

    let old = store.upload_ticket(KEY, 5, "application/pdf", now() - TimeDelta::minutes(16)).await.unwrap();
    assert_eq!(put(old.url, "application/pdf", "54321").await, 403);
}

#[tokio::test]
async fn a_large_upload_resumes_with_the_parts_that_are_missing() {
    let (folder, store) = store().await;
    const PART: usize = 5 << 20;
    let content: Vec<u8> = (0..2 * PART + 7).map(|n| (n >> 5) as u8).collect();
    let cut = Cut::begun(content.len() as u64, PART as u64);
    let upload = store.begin_parts(KEY, "video/mp4").await.unwrap();
    let url = async |number: i32, at: DateTime<FixedOffset>| {
        store.part_url(KEY, &upload, (number, cut.size_of(number).unwrap()), at).await.unwrap()
    };
    let put = async |url: &str, bytes: &[u8]| {
        reqwest::Client::new().put(url).body(bytes.to_vec()).send().await.unwrap().status().as_u16()
    };
    let (last, first) = (url(3, now()).await, url(1, now()).await);
    assert!(last.contains("X-Amz-SignedHeaders=content-length%3Bhost"), "{last}");
    assert!(last.contains("X-Amz-Expires=900"), "{last}");
    assert_eq!(put(&last, &content[2 * PART..]).await, 200);
    assert_eq!(put(&first, &content[..PART]).await, 200);
    // Neither more bytes than were signed, nor another part, nor too late.
    assert_eq!(put(&last, b"12345678").await, 403);
    let another = last.replace("partNumber=3", "partNumber=2");
    assert_ne!(another, last);
    assert_eq!(put(&another, b"1234567").await, 403);
    assert_eq!(put(&url(3, now() - TimeDelta::minutes(16)).await, b"1234567").await, 403);

    let arrived = store.arrived(KEY, &upload).await.unwrap();
    assert_eq!(cut.missing(&arrived), [2]);
    assert!(matches!(store.join_parts(KEY, &upload, cut).await, Err(StoreError::PartsMissing(1))));
    assert_eq!(store.head(KEY).await.unwrap(), None);
    assert_eq!(put(&url(2, now()).await, &content[PART..2 * PART]).await, 200);
    store.join_parts(KEY, &upload, cut).await.unwrap();
    assert!(read(&store, KEY).await == content);
    assert_eq!(store.head(KEY).await.unwrap().unwrap().content_type.as_deref(), Some("video/mp4"));

    let given_up = store.begin_parts(KEY, "video/mp4").await.unwrap();
    let url = store.part_url(KEY, &given_up, (1, 5), now()).await.unwrap();
    assert_eq!(put(&url, b"12345").await, 200);
    store.abort_parts(KEY, &given_up).await.unwrap();
    assert!(put(&url, b"12345").await >= 400, "nothing arrives any more");
    let waiting = std::fs::read_dir(folder.path())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains(".part-"));
    assert_eq!(waiting.count(), 0);
}

#[tokio::test]
async fn a_download_address_names_the_file() {
    let (_folder, store) = store().await;
    store.put(KEY, "application/pdf", Bytes::from_static(b"12345")).await.unwrap();
    let url = store.download_url(KEY, "学籍表.pdf", now()).await.unwrap();
    assert!(url.contains("X-Amz-Expires=600"), "{url}");
    let answer = reqwest::get(&url).await.unwrap();
    assert_eq!(answer.status(), 200);
    let disposition = answer.headers()["content-disposition"].to_str().unwrap().to_owned();
    assert_eq!(disposition, "attachment; filename*=UTF-8''%E5%AD%A6%E7%B1%8D%E8%A1%A8.pdf");
    assert_eq!(answer.text().await.unwrap(), "12345");
    let forged = url.replace("X-Amz-Expires=600", "X-Amz-Expires=6000");
    assert_eq!(reqwest::get(&forged).await.unwrap().status(), 403);
}
