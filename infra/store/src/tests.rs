//! The local folder, from a key to a signed address.

use std::collections::BTreeMap;
use std::convert::Infallible;

use bytes::Bytes;
use chrono::{DateTime, FixedOffset, TimeDelta};
use futures_util::TryStreamExt;
use futures_util::stream::iter;

use crate::{Cut, Grant, LinkQuery, Store, StoreError};

const KEY: &str = "identity/s1/202609/0123456789abcdef.pdf";

fn now() -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339("2026-09-01T08:00:00+08:00").unwrap()
}

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::local(&folder.path().join("files"), "https://edu.example", b"secret").unwrap();
    (folder, store)
}

async fn read(store: &Store, key: &str) -> Result<Vec<u8>, StoreError> {
    let object = store.get(key).await?;
    let bytes = object.chunks.try_collect::<Vec<Bytes>>().await?.concat();
    assert_eq!(object.size, bytes.len() as u64);
    Ok(bytes)
}

/// The query of an address, decoded as the web framework does.
fn query(url: &str) -> (String, LinkQuery) {
    let (path, query) = url.split_once('?').unwrap();
    let fields: BTreeMap<&str, String> = query
        .split('&')
        .map(|field| {
            let (name, value) = field.split_once('=').unwrap();
            (name, decode(value))
        })
        .collect();
    let key = path.strip_prefix("https://edu.example/admin/files/").unwrap().to_owned();
    let link = LinkQuery {
        exp: fields["exp"].parse().unwrap(),
        content_type: fields.get("type").cloned(),
        size: fields.get("size").map(|size| size.parse().unwrap()),
        part: fields.get("part").map(|number| number.parse().unwrap()),
        name: fields.get("name").cloned(),
        sig: fields["sig"].clone(),
    };
    (key, link)
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let hex = [rest.next().unwrap(), rest.next().unwrap()];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).unwrap(), 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn what_is_put_is_got() {
    let (_folder, store) = store();
    store.put(KEY, "text/plain", Bytes::from_static(b"first")).await.unwrap();
    store.put(KEY, "text/plain", Bytes::from_static(b"0123456789")).await.unwrap();
    assert_eq!(read(&store, KEY).await.unwrap(), b"0123456789");
    assert_eq!(store.head(KEY).await.unwrap().unwrap().size, 10);
    assert_eq!(store.get_range(KEY, 2..5).await.unwrap(), "234");
    assert_eq!(store.get_range(KEY, 8..99).await.unwrap(), "89");
    assert!(matches!(store.get_range(KEY, 10..11).await, Err(StoreError::OutOfRange)));
    store.delete(KEY).await.unwrap();
    store.delete(KEY).await.unwrap();
    assert_eq!(store.head(KEY).await.unwrap(), None);
    assert!(matches!(store.get(KEY).await, Err(StoreError::NotFound)));
}

#[tokio::test]
async fn a_file_is_stored_whole() {
    let (folder, store) = store();
    for size in [0, 1, 20 << 20] {
        let path = folder.path().join("upload");
        let content: Vec<u8> = (0..size).map(|n| n as u8).collect();
        std::fs::write(&path, &content).unwrap();
        store.put_file(KEY, "application/pdf", &path).await.unwrap();
        assert!(read(&store, KEY).await.unwrap() == content, "{size} bytes");
    }
}

#[tokio::test]
async fn a_stream_of_another_size_changes_nothing() {
    let (folder, store) = store();
    store.put(KEY, "text/plain", Bytes::from_static(b"kept")).await.unwrap();
    for size in [4, 6] {
        let chunks = iter([Ok::<_, Infallible>(Bytes::from_static(b"abc")), Ok(Bytes::from_static(b"de"))]);
        let put = store.put_stream(KEY, "text/plain", size, chunks).await;
        assert!(matches!(put, Err(StoreError::SizeDiffers)), "{put:?}");
    }
    assert_eq!(read(&store, KEY).await.unwrap(), b"kept");
    let folder = folder.path().join("files/identity/s1/202609");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
}

#[tokio::test]
async fn a_key_that_leaves_the_folder_is_refused_everywhere() {
    let (_folder, store) = store();
    let key = "../etc/passwd";
    assert!(matches!(store.put(key, "a/b", Bytes::new()).await, Err(StoreError::BadKey)));
    assert!(matches!(store.get(key).await, Err(StoreError::BadKey)));
    assert!(matches!(store.get_range(key, 0..1).await, Err(StoreError::BadKey)));
    assert!(matches!(store.head(key).await, Err(StoreError::BadKey)));
    assert!(matches!(store.delete(key).await, Err(StoreError::BadKey)));
    assert!(matches!(store.upload_ticket(key, 1, "a/b", now()).await, Err(StoreError::BadKey)));
    assert!(matches!(store.download_url(key, "a", now()).await, Err(StoreError::BadKey)));
}

#[tokio::test]
async fn an_upload_ticket_allows_that_upload_for_a_quarter_of_an_hour() {
    let (_folder, store) = store();
    let ticket = store.upload_ticket(KEY, 12, "application/pdf", now()).await.unwrap();
    assert_eq!(ticket.method, "PUT");
    assert_eq!(ticket.headers["Content-Type"], "application/pdf");
    assert_eq!(ticket.expires_at.to_rfc3339(), "2026-09-01T08:15:00+08:00");

    let (key, link) = query(&ticket.url);
    let verify = |method, key: &str, link: &LinkQuery, minutes| {
        store.verify_local(method, key, link, now() + TimeDelta::minutes(minutes))
    };
    let grant = Grant::Upload { size: 12, content_type: "application/pdf".into() };
    assert_eq!(verify("PUT", &key, &link, 15).unwrap(), grant);
    assert!(matches!(verify("PUT", &key, &link, 16), Err(StoreError::Expired)));

    let changed = [
        ("GET", key.clone(), link.clone()),
        ("PUT", key.replace("s1", "s2"), link.clone()),
        ("PUT", key.clone(), LinkQuery { size: Some(13), ..link.clone() }),
        ("PUT", key.clone(), LinkQuery { content_type: Some("text/html".into()), ..link.clone() }),
        ("PUT", key.clone(), LinkQuery { exp: link.exp + 3600, ..link.clone() }),
        ("PUT", key.clone(), LinkQuery { name: Some("a".into()), ..link.clone() }),
        ("PUT", key.clone(), LinkQuery { part: Some(1), ..link.clone() }),
        ("PUT", key.clone(), LinkQuery { part: Some(1), content_type: None, ..link.clone() }),
        ("PUT", key.clone(), LinkQuery { sig: String::new(), ..link.clone() }),
    ];
    for (method, key, link) in changed {
        assert!(matches!(verify(method, &key, &link, 0), Err(StoreError::BadLink)), "{method} {key} {link:?}");
    }
}

async fn send(store: &Store, number: i32, size: u64, bytes: &'static str) -> Result<(), StoreError> {
    store.put_part(KEY, number, size, iter([Ok::<_, Infallible>(Bytes::from_static(bytes.as_bytes()))])).await
}

#[tokio::test]
async fn parts_in_any_order_become_an_object() {
    let (folder, store) = store();
    let cut = Cut::begun(10, 4);
    let upload = store.begin_parts(KEY, "text/plain").await.unwrap();
    assert!(store.arrived(KEY, &upload).await.unwrap().is_empty());
    send(&store, 3, 2, "89").await.unwrap();
    send(&store, 1, 4, "0000").await.unwrap();
    send(&store, 1, 4, "0123").await.unwrap();
    assert!(matches!(send(&store, 2, 4, "45678").await, Err(StoreError::SizeDiffers)));
    assert!(matches!(send(&store, 2, 4, "456").await, Err(StoreError::SizeDiffers)));
    let mut arrived = store.arrived(KEY, &upload).await.unwrap();
    arrived.sort_by_key(|part| part.number);
    assert_eq!(arrived.iter().map(|part| (part.number, part.size)).collect::<Vec<_>>(), [(1, 4), (3, 2)]);
    assert!(matches!(store.join_parts(KEY, &upload, cut).await, Err(StoreError::PartsMissing(1))));
    assert_eq!(store.head(KEY).await.unwrap(), None);
    send(&store, 2, 4, "4567").await.unwrap();
    store.join_parts(KEY, &upload, cut).await.unwrap();
    assert_eq!(read(&store, KEY).await.unwrap(), b"0123456789");
    assert!(!folder.path().join("files/parts").exists(), "nothing is left beside the object");
    assert!(matches!(send(&store, 1, 4, "late").await, Err(StoreError::NotFound)));
}

#[tokio::test]
async fn an_upload_that_is_given_up_leaves_nothing() {
    let (folder, store) = store();
    let upload = store.begin_parts(KEY, "text/plain").await.unwrap();
    send(&store, 1, 4, "0123").await.unwrap();
    store.abort_parts(KEY, &upload).await.unwrap();
    store.abort_parts(KEY, &upload).await.unwrap();
    assert!(!folder.path().join("files/parts").exists());
    assert!(matches!(send(&store, 2, 4, "4567").await, Err(StoreError::NotFound)));
}

#[tokio::test]
async fn the_address_of_a_part_takes_that_part_alone() {
    let (_folder, store) = store();
    let url = store.part_url(KEY, "local", (2, 4), now()).await.unwrap();
    let (key, link) = query(&url);
    let verify = |link: &LinkQuery, minutes| store.verify_local("PUT", &key, link, now() + TimeDelta::minutes(minutes));
    assert_eq!(verify(&link, 15).unwrap(), Grant::Part { number: 2, size: 4 });
    assert!(matches!(verify(&link, 16), Err(StoreError::Expired)));
    for changed in [
        LinkQuery { part: Some(3), ..link.clone() },
        LinkQuery { part: None, ..link.clone() },
        LinkQuery { part: None, content_type: Some("2".into()), ..link.clone() },
        LinkQuery { size: Some(5), ..link.clone() },
    ] {
        assert!(matches!(verify(&changed, 0), Err(StoreError::BadLink)), "{changed:?}");
    }
}

#[tokio::test]
async fn a_download_address_carries_the_name_for_ten_minutes() {
    let (_folder, store) = store();
    let url = store.download_url(KEY, "学籍 表&1.pdf", now()).await.unwrap();
    let (key, link) = query(&url);
    let later = |minutes| now() + TimeDelta::minutes(minutes);
    let grant = Grant::Download { file_name: "学籍 表&1.pdf".into() };
    assert_eq!(store.verify_local("GET", &key, &link, later(10)).unwrap(), grant);
    assert!(matches!(store.verify_local("GET", &key, &link, later(11)), Err(StoreError::Expired)));
    let other = Store::local(_folder.path(), "", b"another secret").unwrap();
    assert!(matches!(other.verify_local("GET", &key, &link, later(0)), Err(StoreError::BadLink)));
}
