//! The bytes themselves, where the store is a folder of this machine.

use std::ops::Range;

use futures_util::TryStreamExt;
use poem::{
    Body as HttpBody, Request, Response, handler,
    http::{StatusCode, header},
    web::{Data, Path as UrlPath},
};
use store::{Grant, LinkQuery, StoreError};

use super::{file_store, is_public};
use crate::{App, Error};

/// Bytes of a part that is asked for at the most: a player asks for the next one.
const PART_BYTES: u64 = 4 << 20;

/// The part of a file that a player asks for; none where it asks in another way, and gets the whole.
fn part_of(asked: &str, size: u64) -> Option<Range<u64>> {
    let (first, last) = asked.strip_prefix("bytes=")?.split_once('-')?;
    let first: u64 = first.parse().ok()?;
    let end = if last.is_empty() { size } else { last.parse::<u64>().ok()?.checked_add(1)?.min(size) };
    (first < end).then(|| first..end.min(first.saturating_add(PART_BYTES)))
}

/// `GET|PUT /admin/files/<key>`: public files, and the signed addresses of the local folder.
#[handler]
pub async fn serve(
    app: Data<&App>,
    UrlPath(key): UrlPath<String>,
    request: &Request,
    body: HttpBody,
) -> poem::Result<Response> {
    let app = app.0;
    let place = match file_store::of_key(app, &key).await {
        Ok(place) => place,
        Err(error) if error.code == 404 => return Ok(StatusCode::NOT_FOUND.into()),
        Err(error) => return Err(error.into()),
    };
    let path = place.path(&key);
    let query = request.uri().query().unwrap_or_default();
    let link: Option<LinkQuery> = serde_urlencoded::from_str(query).ok();
    let now = app.clock().now();
    if request.method() == poem::http::Method::PUT {
        let grant = match link {
            Some(link) => place.store.verify_local("PUT", &path, &link, *now),
            None => Err(StoreError::BadLink),
        };
        let chunks = body.into_bytes_stream();
        return answer_of(match grant {
            Ok(Grant::Upload { size, content_type }) if request.content_type() == Some(content_type.as_str()) => {
                place.store.put_stream(&path, &content_type, size, chunks).await
            }
            Ok(Grant::Part { number, size }) => place.store.put_part(&path, number, size, chunks).await,
            Ok(Grant::Upload { .. } | Grant::Download { .. }) => Err(StoreError::BadLink),
            Err(error) => Err(error),
        });
    }
    let name = match link {
        Some(link) => match place.store.verify_local("GET", &path, &link, *now) {
            Ok(Grant::Download { file_name }) => Some(file_name),
            _ => return Ok(Response::builder().status(StatusCode::FORBIDDEN).finish()),
        },
        None if is_public(&key) => None,
        None => return Ok(Response::builder().status(StatusCode::FORBIDDEN).finish()),
    };
    let object = match place.store.get(&path).await {
        Ok(object) => object,
        // A key that no store would take was never given to anybody.
        Err(StoreError::NotFound | StoreError::BadKey) => return Ok(StatusCode::NOT_FOUND.into()),
        Err(error) => return Err(Error::from(error).into()),
    };
    let part = request.header("range").and_then(|asked| part_of(asked, object.size));
    let mut response = Response::builder()
        .header(header::ACCEPT_RANGES, "bytes")
        .header(header::CONTENT_LENGTH, part.as_ref().map_or(object.size, |part| part.end - part.start))
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::CONTENT_TYPE, content_type_of(&key));
    response = match name {
        Some(name) if !is_picture(&key) => response.header(header::CONTENT_DISPOSITION, store::attachment(&name)),
        Some(_) => response.header(header::CACHE_CONTROL, "private, max-age=300"),
        None => response.header(header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    };
    if let Some(part) = part {
        let told = format!("bytes {}-{}/{}", part.start, part.end - 1, object.size);
        let bytes = place.store.get_range(&path, part).await.map_err(Error::from)?;
        return Ok(response.status(StatusCode::PARTIAL_CONTENT).header(header::CONTENT_RANGE, told).body(bytes));
    }
    Ok(response.body(HttpBody::from_bytes_stream(object.chunks.map_err(std::io::Error::other))))
}

/// As a bucket answers: whoever sends bytes looks at the status alone.
fn answer_of(put: Result<(), StoreError>) -> poem::Result<Response> {
    match put {
        Ok(()) => Ok(StatusCode::OK.into()),
        Err(StoreError::SizeDiffers) => Ok(StatusCode::BAD_REQUEST.into()),
        Err(StoreError::BadLink | StoreError::Expired) => Ok(StatusCode::FORBIDDEN.into()),
        Err(StoreError::NotFound | StoreError::BadKey) => Ok(StatusCode::NOT_FOUND.into()),
        Err(error) => Err(Error::from(error).into()),
    }
}

fn is_picture(key: &str) -> bool {
    content_type_of(key).starts_with("image/")
}

/// The type is told by the key's extension, which we chose from the checked content or the declared name.
fn content_type_of(key: &str) -> &'static str {
    match key.rsplit('.').next().unwrap_or_default() {
        "jpg" | "jpeg" => "image/jpeg",
        "png" => "image/png",
        "gif" => "image/gif",
        "ico" => "image/x-icon",
        "pdf" => "application/pdf",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "zip" => "application/zip",
        "mp4" => "video/mp4",
        "mp3" => "audio/mpeg",
        "m4a" => "audio/mp4",
        "wav" => "audio/wav",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_gets_the_part_that_it_asks_for() {
        assert_eq!(part_of("bytes=0-", 100), Some(0..100));
        assert_eq!(part_of("bytes=10-19", 100), Some(10..20));
        assert_eq!(part_of("bytes=90-999", 100), Some(90..100));
        assert_eq!(part_of("bytes=0-", 2 * PART_BYTES), Some(0..PART_BYTES), "the rest is asked for next");
        for other in
            ["bytes=-5", "bytes=0-1,4-5", "bytes=100-", "bytes=9-8", "bytes=0-18446744073709551615", "lines=0-"]
        {
            assert_eq!(part_of(other, 100), None, "{other}");
        }
    }
}
