//! The console's files: of the folder that the settings name, or, in a release, inside the program.

use infra::config::Config;
use poem::Endpoint;

/// Every path that is no file is the console's own: it gets the page, which knows what to show. A script that is not there is
/// none, as in a release: a page of another version is not to be given the page as a script.
#[cfg(not(feature = "console"))]
pub(crate) fn files(config: &Config) -> impl Endpoint + use<> {
    use poem::{Route, endpoint::StaticFilesEndpoint};

    let folder = &config.server.console_dir;
    Route::new()
        .nest("/assets", StaticFilesEndpoint::new(folder.join("assets")))
        .nest("/", StaticFilesEndpoint::new(folder).index_file("index.html").fallback_to_index())
}

/// Every path that is no file is the console's own: it gets the page, which knows what to show.
#[cfg(feature = "console")]
pub(crate) fn files(_: &Config) -> impl Endpoint + use<> {
    inside::Inside
}

#[cfg(feature = "console")]
mod inside {
    use std::borrow::Cow;

    use bytes::Bytes;
    use poem::{
        Endpoint, Request, Response, Result,
        http::{Method, StatusCode, header},
    };
    use rust_embed::RustEmbed;

    const PAGE: &str = "index.html";
    /// Their names tell their content: who has one never asks again.
    const NAMED_BY_CONTENT: &str = "assets/";

    #[derive(RustEmbed)]
    #[folder = "../console/dist"]
    struct Files;

    pub(super) struct Inside;

    impl Endpoint for Inside {
        type Output = Response;

        async fn call(&self, request: Request) -> Result<Response> {
            if !matches!(*request.method(), Method::GET | Method::HEAD) {
                return Err(StatusCode::METHOD_NOT_ALLOWED.into());
            }
            let asked = request.uri().path().trim_start_matches('/');
            let is_asset = asked.starts_with(NAMED_BY_CONTENT);
            let found = match Files::get(asked) {
                None if !is_asset => Files::get(PAGE),
                found => found,
            };
            // A page of a former version asks for what is no longer there; it is not to be given the page as a script.
            let Some(file) = found else { return Err(StatusCode::NOT_FOUND.into()) };
            let hash: String = file.metadata.sha256_hash().iter().map(|byte| format!("{byte:02x}")).collect();
            let tag = format!("\"{hash}\"");
            let kept = if is_asset { "public, max-age=31536000, immutable" } else { "no-cache" };
            // Between here and the visitor it is compressed for who can read that.
            let answer = Response::builder()
                .header(header::ETAG, &tag)
                .header(header::CACHE_CONTROL, kept)
                .header(header::VARY, "Accept-Encoding");
            let known = request.header(header::IF_NONE_MATCH).is_some_and(|known| known.contains(&hash));
            if known {
                return Ok(answer.status(StatusCode::NOT_MODIFIED).finish());
            }
            let body = match file.data {
                Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                Cow::Owned(bytes) => Bytes::from(bytes),
            };
            Ok(answer.header(header::CONTENT_TYPE, file.metadata.mimetype()).body(body))
        }
    }
}
