//! The bytes themselves, where the store is a folder of this machine.

use futures_util::TryStreamExt;
use poem::{
    Body as HttpBody, Request, Response, handler,
    http::{StatusCode, header},
    web::{Data, Path as UrlPath},
};
use store::{Grant, LinkQuery, StoreError};

use super::{file_store, is_public};
use crate::{App, Error};

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
    let mut response = Response::builder()
        .header(header::CONTENT_LENGTH, object.size)
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::CONTENT_TYPE, content_type_of(&key));
    response = match name {
        Some(name) if !is_picture(&key) => response.header(header::CONTENT_DISPOSITION, store::attachment(&name)),
        Some(_) => response.header(header::CACHE_CONTROL, "private, max-age=300"),
        None => response.header(header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    };
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
        _ => "application/octet-stream",
    }
}
