use std::net::IpAddr;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use aws_sdk_s3::Client;
use aws_sdk_s3::config::http::HttpResponse;
use aws_sdk_s3::config::{
    BehaviorVersion, Credentials, Region, RequestChecksumCalculation, ResponseChecksumValidation,
};
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_s3::types::{CompletedMultipartUpload, CompletedPart, ObjectCannedAcl};
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_runtime_api::client::dns::{DnsFuture, ResolveDns, ResolveDnsError, SharedDnsResolver};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use bytes::{Bytes, BytesMut};
use chrono::{DateTime, FixedOffset, TimeDelta};
use futures_util::future::BoxFuture;
use futures_util::stream::{BoxStream, StreamExt, try_unfold};
use futures_util::{FutureExt, TryStreamExt};

use crate::{DOWNLOAD_VALID, Head, Object, Part, StoreError, UPLOAD_VALID, attachment};

/// The size of a part of a large upload, in bytes; at most 10,000 of them make an object.
const PART: usize = 8 << 20;

/// What a bucket answers where the access of single objects cannot be set.
const WITHOUT_ACL: [&str; 3] = ["AccessControlListNotSupported", "NotImplemented", "AccessDenied"];

/// Where a bucket is and who may use it.
pub struct S3Settings {
    /// The server's address; none is Amazon's of the region.
    pub endpoint: Option<String>,
    pub region: String,
    pub bucket: String,
    pub access_key: String,
    pub secret_key: String,
    /// The bucket in the path of addresses; else it is a part of the host's name.
    pub path_style: bool,
}

/// Asks for the addresses of a name.
#[derive(Clone)]
struct Resolver(Arc<Resolve>);

type Resolve = dyn Fn(String) -> BoxFuture<'static, std::io::Result<Vec<IpAddr>>> + Send + Sync;

impl std::fmt::Debug for Resolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Resolver")
    }
}

impl ResolveDns for Resolver {
    fn resolve_dns<'a>(&'a self, name: &'a str) -> DnsFuture<'a> {
        let asked = (self.0)(name.to_owned());
        DnsFuture::new(async move { asked.await.map_err(ResolveDnsError::new) })
    }
}

/// Objects in a bucket.
#[derive(Debug, Clone)]
pub struct S3 {
    client: Client,
    bucket: String,
}

impl S3 {
    /// Set up so that other servers than Amazon's understand it too: no checksum trailers.
    pub(crate) fn new(settings: S3Settings) -> Self {
        Self::through(settings, None)
    }

    pub(crate) fn resolving<F>(settings: S3Settings, resolve: impl Fn(String) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = std::io::Result<Vec<IpAddr>>> + Send + 'static,
    {
        let resolver = Resolver(Arc::new(move |name| resolve(name).boxed()));
        let client = Builder::new()
            .tls_provider(Provider::Rustls(CryptoMode::AwsLc))
            .build_with_resolver(SharedDnsResolver::new(resolver));
        Self::through(settings, Some(client))
    }

    fn through(settings: S3Settings, client: Option<SharedHttpClient>) -> Self {
        let credentials = Credentials::new(settings.access_key, settings.secret_key, None, None, "settings");
        let mut config = aws_sdk_s3::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(settings.region))
            .credentials_provider(credentials)
            .force_path_style(settings.path_style)
            .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
            .response_checksum_validation(ResponseChecksumValidation::WhenRequired);
        config.set_endpoint_url(settings.endpoint);
        if client.is_some() {
            config.set_http_client(client);
        }
        Self { client: Client::from_conf(config.build()), bucket: settings.bucket }
    }

    pub(crate) async fn put(&self, key: &str, content_type: &str, bytes: Bytes) -> Result<(), StoreError> {
        let request = self.client.put_object().bucket(&self.bucket).key(key).content_type(content_type);
        request.body(ByteStream::from(bytes)).send().await.map_err(failed)?;
        Ok(())
    }

    /// Sends up to one part as it is, and more in parts that become an object together or not at all.
    pub(crate) async fn put_stream(
        &self,
        key: &str,
        content_type: &str,
        size: u64,
        chunks: BoxStream<'_, Result<Bytes, StoreError>>,
    ) -> Result<(), StoreError> {
        let mut parts = in_parts(chunks);
        if size <= PART as u64 {
            let bytes = parts.try_next().await?.unwrap_or_default();
            return self.put(key, content_type, bytes).await;
        }
        let upload = self.begin_parts(key, content_type).await?;
        let sent = self.send_parts(key, &upload, parts).await;
        if sent.is_err()
            && let Err(error) = self.abort_parts(key, &upload).await
        {
            tracing::warn!(key, ?error, "the parts of a broken upload stay in the bucket");
        }
        sent
    }

    async fn send_parts(
        &self,
        key: &str,
        upload: &str,
        mut parts: BoxStream<'_, Result<Bytes, StoreError>>,
    ) -> Result<(), StoreError> {
        let mut completed = CompletedMultipartUpload::builder();
        let mut number = 0;
        while let Some(part) = parts.try_next().await? {
            number += 1;
            let request = self.client.upload_part().bucket(&self.bucket).key(key).upload_id(upload);
            let sent = request.part_number(number).body(part.into()).send().await.map_err(failed)?;
            completed = completed.parts(CompletedPart::builder().part_number(number).set_e_tag(sent.e_tag).build());
        }
        let finish = self.client.complete_multipart_upload().bucket(&self.bucket).key(key).upload_id(upload);
        finish.multipart_upload(completed.build()).send().await.map_err(failed)?;
        Ok(())
    }

    pub(crate) async fn get(&self, key: &str) -> Result<Object, StoreError> {
        let found = self.client.get_object().bucket(&self.bucket).key(key).send().await.map_err(failed)?;
        let size = length(found.content_length)?;
        let chunks = try_unfold(found.body, |mut body| async move {
            let chunk = body.next().await.transpose().map_err(StoreError::unavailable)?;
            Ok(chunk.map(|chunk| (chunk, body)))
        });
        Ok(Object { size, content_type: found.content_type, chunks: chunks.boxed() })
    }

    pub(crate) async fn get_range(&self, key: &str, range: Range<u64>) -> Result<Bytes, StoreError> {
        let range = format!("bytes={}-{}", range.start, range.end - 1);
        let request = self.client.get_object().bucket(&self.bucket).key(key).range(range);
        let found = request.send().await.map_err(failed)?;
        Ok(found.body.collect().await.map_err(StoreError::unavailable)?.into_bytes())
    }

    pub(crate) async fn head(&self, key: &str) -> Result<Head, StoreError> {
        let found = self.client.head_object().bucket(&self.bucket).key(key).send().await.map_err(failed)?;
        Ok(Head { size: length(found.content_length)?, content_type: found.content_type })
    }

    pub(crate) async fn delete(&self, key: &str) -> Result<(), StoreError> {
        match self.client.delete_object().bucket(&self.bucket).key(key).send().await.map_err(failed) {
            Ok(_) | Err(StoreError::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn make_private(&self, key: &str) -> Result<(), StoreError> {
        let request = self.client.put_object_acl().bucket(&self.bucket).key(key).acl(ObjectCannedAcl::Private);
        match request.send().await {
            Ok(_) => Ok(()),
            // Buckets of one owner know no settings of single objects, nor do some servers, nor may every account give them.
            Err(error) if error.code().is_some_and(|code| WITHOUT_ACL.contains(&code)) => {
                tracing::debug!(key, code = error.code(), "the bucket takes no access setting");
                Ok(())
            }
            Err(error) => Err(failed(error)),
        }
    }

    pub(crate) async fn upload_url(
        &self,
        key: &str,
        size: u64,
        content_type: &str,
        now: DateTime<FixedOffset>,
    ) -> Result<String, StoreError> {
        let size = i64::try_from(size).map_err(StoreError::unavailable)?;
        let request = self.client.put_object().bucket(&self.bucket).key(key);
        let request = request.content_length(size).content_type(content_type);
        let signed = request.presigned(validity(now, UPLOAD_VALID)?).await.map_err(failed)?;
        Ok(signed.uri().to_owned())
    }

    pub(crate) async fn begin_parts(&self, key: &str, content_type: &str) -> Result<String, StoreError> {
        let begin = self.client.create_multipart_upload().bucket(&self.bucket).key(key).content_type(content_type);
        let begun = begin.send().await.map_err(failed)?;
        begun.upload_id.ok_or_else(|| StoreError::unavailable("the bucket gave no upload id"))
    }

    pub(crate) async fn part_url(
        &self,
        key: &str,
        upload: &str,
        number: i32,
        size: u64,
        now: DateTime<FixedOffset>,
    ) -> Result<String, StoreError> {
        let size = i64::try_from(size).map_err(StoreError::unavailable)?;
        let request = self.client.upload_part().bucket(&self.bucket).key(key).upload_id(upload);
        let request = request.part_number(number).content_length(size);
        let signed = request.presigned(validity(now, UPLOAD_VALID)?).await.map_err(failed)?;
        Ok(signed.uri().to_owned())
    }

    pub(crate) async fn arrived(&self, key: &str, upload: &str) -> Result<Vec<Part>, StoreError> {
        let list = self.client.list_parts().bucket(&self.bucket).key(key).upload_id(upload);
        let found = list.into_paginator().items().send().collect::<Result<Vec<_>, _>>().await.map_err(failed)?;
        found
            .into_iter()
            .map(|part| {
                let number =
                    part.part_number.ok_or_else(|| StoreError::unavailable("the bucket gave a part no number"))?;
                Ok(Part { number, size: length(part.size)?, tag: part.e_tag })
            })
            .collect()
    }

    pub(crate) async fn join_parts(&self, key: &str, upload: &str, mut parts: Vec<Part>) -> Result<(), StoreError> {
        parts.sort_by_key(|part| part.number);
        let parts =
            parts.into_iter().map(|part| CompletedPart::builder().part_number(part.number).set_e_tag(part.tag).build());
        let completed = CompletedMultipartUpload::builder().set_parts(Some(parts.collect())).build();
        let finish = self.client.complete_multipart_upload().bucket(&self.bucket).key(key).upload_id(upload);
        finish.multipart_upload(completed).send().await.map_err(failed)?;
        Ok(())
    }

    pub(crate) async fn abort_parts(&self, key: &str, upload: &str) -> Result<(), StoreError> {
        let abort = self.client.abort_multipart_upload().bucket(&self.bucket).key(key).upload_id(upload);
        match abort.send().await.map_err(failed) {
            Ok(_) | Err(StoreError::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn download_url(
        &self,
        key: &str,
        file_name: &str,
        now: DateTime<FixedOffset>,
    ) -> Result<String, StoreError> {
        let request = self.client.get_object().bucket(&self.bucket).key(key);
        let request = request.response_content_disposition(attachment(file_name));
        let signed = request.presigned(validity(now, DOWNLOAD_VALID)?).await.map_err(failed)?;
        Ok(signed.uri().to_owned())
    }
}

/// Gathers chunks to parts of exactly [`PART`] bytes and a last one with the rest.
fn in_parts<'a>(chunks: BoxStream<'a, Result<Bytes, StoreError>>) -> BoxStream<'a, Result<Bytes, StoreError>> {
    try_unfold((chunks, BytesMut::new()), |(mut chunks, mut gathered)| async move {
        while gathered.len() < PART {
            match chunks.try_next().await? {
                Some(chunk) => gathered.extend_from_slice(&chunk),
                None => break,
            }
        }
        if gathered.is_empty() {
            return Ok(None);
        }
        let part = gathered.split_to(gathered.len().min(PART)).freeze();
        Ok(Some((part, (chunks, gathered))))
    })
    .boxed()
}

fn validity(now: DateTime<FixedOffset>, valid: TimeDelta) -> Result<PresigningConfig, StoreError> {
    let valid: Duration = valid.to_std().map_err(StoreError::unavailable)?;
    let config = PresigningConfig::builder().start_time(SystemTime::from(now)).expires_in(valid);
    config.build().map_err(StoreError::unavailable)
}

fn length(length: Option<i64>) -> Result<u64, StoreError> {
    length
        .and_then(|length| u64::try_from(length).ok())
        .ok_or_else(|| StoreError::unavailable("the bucket did not say how large the object is"))
}

fn failed<E>(error: SdkError<E, HttpResponse>) -> StoreError
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    let bucket_is_missing = error.code() == Some("NoSuchBucket");
    match error.raw_response().map(|response| response.status().as_u16()) {
        Some(404) if !bucket_is_missing => StoreError::NotFound,
        Some(416) => StoreError::OutOfRange,
        _ => StoreError::unavailable(failed_text(&error)),
    }
}

/// The whole chain of causes; the SDK's own text for most errors is just "service error".
fn failed_text<E: std::error::Error + Send + Sync + 'static>(error: &SdkError<E, HttpResponse>) -> String {
    aws_sdk_s3::error::DisplayErrorContext(error).to_string()
}
