//! Bytes under keys, in a local folder or in an S3 bucket.
//!
//! Names, owners, hashes and the right to read are rows of the database; here are only bytes. A browser moves large
//! files itself: it gets a [`Ticket`] to upload and an address to download, both signed and short-lived. A bucket
//! checks the signature itself; for the local folder the server does, with [`Store::verify_local`].
//!
//! Invariant: nothing here reads the clock to decide. The time that a signature starts at, or is checked at, is an
//! argument. (The SDK dates its own requests to the bucket.)

mod error;
mod key;
mod link;
mod local;
mod parts;
mod s3;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::Range;
use std::path::Path;

use bytes::Bytes;
use chrono::{DateTime, FixedOffset, TimeDelta};
use futures_util::stream::{BoxStream, Stream, StreamExt, try_unfold};
use tokio_util::io::ReaderStream;

pub use error::{StoreError, is_full};
pub use link::{Grant, LinkQuery, attachment};
pub use local::Local;
pub use parts::{Cut, Part};
pub use s3::{S3, S3Settings};

/// How long an upload may begin after the ticket was given.
pub const UPLOAD_VALID: TimeDelta = TimeDelta::minutes(15);
/// How long a download address works.
pub const DOWNLOAD_VALID: TimeDelta = TimeDelta::minutes(10);

/// How much of a file is read or sent at a time, in bytes.
const CHUNK: usize = 64 << 10;

/// The place where files are kept.
#[derive(Debug, Clone)]
pub enum Store {
    Local(Local),
    S3(S3),
}

/// An object on its way out.
pub struct Object {
    /// In bytes.
    pub size: u64,
    /// What the bucket knows; a local folder knows nothing.
    pub content_type: Option<String>,
    pub chunks: BoxStream<'static, Result<Bytes, StoreError>>,
}

/// What is known of an object without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// In bytes.
    pub size: u64,
    /// What the bucket knows; a local folder knows nothing.
    pub content_type: Option<String>,
}

/// Permission for a browser to upload one object of one size and type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    pub method: &'static str,
    pub url: String,
    /// The headers that the browser must send. It adds `Content-Length`, which is signed too, by itself.
    pub headers: BTreeMap<String, String>,
    pub expires_at: DateTime<FixedOffset>,
}

impl Store {
    /// A store in a folder, which is made when missing. Addresses begin with `base_url` (empty, or without a slash at
    /// its end) and are signed with `secret`, which every server of the installation must share.
    pub fn local(folder: &Path, base_url: &str, secret: &[u8]) -> Result<Self, StoreError> {
        Local::new(folder, base_url, secret).map(Self::Local)
    }

    /// A store in an existing bucket. Nothing is sent yet.
    pub fn s3(settings: S3Settings) -> Self {
        Self::S3(S3::new(settings))
    }

    /// The same, connecting to what `resolve` answers for a name instead of what the system would. It is not asked for an
    /// address in figures.
    pub fn s3_resolving<F>(settings: S3Settings, resolve: impl Fn(String) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = std::io::Result<Vec<std::net::IpAddr>>> + Send + 'static,
    {
        Self::S3(S3::resolving(settings, resolve))
    }

    /// Stores the bytes, over whatever was there.
    pub async fn put(&self, key: &str, content_type: &str, bytes: Bytes) -> Result<(), StoreError> {
        key::check(key)?;
        match self {
            Self::Local(local) => local.put(key, bytes).await,
            Self::S3(s3) => s3.put(key, content_type, bytes).await,
        }
    }

    /// Stores a file, holding a few megabytes of it in memory at most.
    pub async fn put_file(&self, key: &str, content_type: &str, path: &Path) -> Result<(), StoreError> {
        let file = tokio::fs::File::open(path).await.map_err(StoreError::unavailable)?;
        let size = file.metadata().await.map_err(StoreError::unavailable)?.len();
        self.put_stream(key, content_type, size, ReaderStream::with_capacity(file, CHUNK)).await
    }

    /// Stores a stream of exactly `size` bytes. More or fewer are [`StoreError::SizeDiffers`], and then, as after any
    /// other failure, what was stored under the key before is still there.
    pub async fn put_stream<E>(
        &self,
        key: &str,
        content_type: &str,
        size: u64,
        chunks: impl Stream<Item = Result<Bytes, E>> + Send,
    ) -> Result<(), StoreError>
    where
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        key::check(key)?;
        let chunks = exactly(size, chunks).boxed();
        match self {
            Self::Local(local) => local.put_stream(key, chunks).await,
            Self::S3(s3) => s3.put_stream(key, content_type, size, chunks).await,
        }
    }

    /// Opens an object to read it from its beginning.
    pub async fn get(&self, key: &str) -> Result<Object, StoreError> {
        key::check(key)?;
        match self {
            Self::Local(local) => local.get(key).await,
            Self::S3(s3) => s3.get(key).await,
        }
    }

    /// Reads some bytes. A range that ends beyond the object is cut; one that begins beyond it, or is empty, is
    /// [`StoreError::OutOfRange`].
    pub async fn get_range(&self, key: &str, range: Range<u64>) -> Result<Bytes, StoreError> {
        key::check(key)?;
        if range.is_empty() {
            return Err(StoreError::OutOfRange);
        }
        match self {
            Self::Local(local) => local.get_range(key, range).await,
            Self::S3(s3) => s3.get_range(key, range).await,
        }
    }

    /// Looks at an object without reading it; none when it is not there.
    pub async fn head(&self, key: &str) -> Result<Option<Head>, StoreError> {
        key::check(key)?;
        let head = match self {
            Self::Local(local) => local.head(key).await,
            Self::S3(s3) => s3.head(key).await,
        };
        match head {
            Ok(head) => Ok(Some(head)),
            Err(StoreError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Deletes an object. One that is not there counts as deleted.
    pub async fn delete(&self, key: &str) -> Result<(), StoreError> {
        key::check(key)?;
        match self {
            Self::Local(local) => local.delete(key).await,
            Self::S3(s3) => s3.delete(key).await,
        }
    }

    /// Gives an object the access setting of its owner alone, also in a bucket that everybody may read. A folder is never open,
    /// and a bucket whose policy alone decides has no such settings: neither is an error.
    pub async fn make_private(&self, key: &str) -> Result<(), StoreError> {
        key::check(key)?;
        match self {
            Self::Local(_) => Ok(()),
            Self::S3(s3) => s3.make_private(key).await,
        }
    }

    /// Lets a browser upload one object of this size (in bytes) and type within [`UPLOAD_VALID`].
    ///
    /// A bucket cannot be made to refuse every wrong upload, so [`head`](Self::head) must be asked before the object
    /// is trusted.
    pub async fn upload_ticket(
        &self,
        key: &str,
        size: u64,
        content_type: &str,
        now: DateTime<FixedOffset>,
    ) -> Result<Ticket, StoreError> {
        key::check(key)?;
        let url = match self {
            Self::Local(local) => local.links.upload(key, size, content_type, now + UPLOAD_VALID),
            Self::S3(s3) => s3.upload_url(key, size, content_type, now).await?,
        };
        let headers = BTreeMap::from([("Content-Type".to_owned(), content_type.to_owned())]);
        Ok(Ticket { method: "PUT", url, headers, expires_at: now + UPLOAD_VALID })
    }

    /// An address that downloads an object as a file of this name, for [`DOWNLOAD_VALID`].
    pub async fn download_url(
        &self,
        key: &str,
        file_name: &str,
        now: DateTime<FixedOffset>,
    ) -> Result<String, StoreError> {
        key::check(key)?;
        match self {
            Self::Local(local) => Ok(local.links.download(key, file_name, now + DOWNLOAD_VALID)),
            Self::S3(s3) => s3.download_url(key, file_name, now).await,
        }
    }

    /// Checks a request for an address that [`upload_ticket`](Self::upload_ticket), [`part_url`](Self::part_url) or
    /// [`download_url`](Self::download_url) gave for the local folder, and says what it may do.
    ///
    /// `method` is `PUT` or `GET`, `key` the path after `/admin/files/`, decoded. A store in a bucket gave no such
    /// addresses and refuses them all.
    pub fn verify_local(
        &self,
        method: &str,
        key: &str,
        query: &LinkQuery,
        now: DateTime<FixedOffset>,
    ) -> Result<Grant, StoreError> {
        key::check(key)?;
        match self {
            Self::Local(local) => local.links.verify(method, key, query, now),
            Self::S3(_) => Err(StoreError::BadLink),
        }
    }
}

/// The same chunks, with an error in place of the first byte too many or of an early end.
fn exactly<E>(
    size: u64,
    chunks: impl Stream<Item = Result<Bytes, E>> + Send,
) -> impl Stream<Item = Result<Bytes, StoreError>> + Send
where
    E: Into<Box<dyn Error + Send + Sync>>,
{
    try_unfold((Box::pin(chunks), size), |(mut chunks, missing)| async move {
        match chunks.next().await.transpose().map_err(StoreError::unavailable)? {
            Some(chunk) => match missing.checked_sub(chunk.len() as u64) {
                Some(missing) => Ok(Some((chunk, (chunks, missing)))),
                None => Err(StoreError::SizeDiffers),
            },
            None if missing == 0 => Ok(None),
            None => Err(StoreError::SizeDiffers),
        }
    })
}
