//! Modules → one poem application: layers in their order, each with its reason.

use std::sync::LazyLock;

use bytes::Bytes;
use embedded::Restarts;
use infra::{
    App, files,
    http::{Declarations, RequestLayer},
    release,
};
use logs::names::FieldNames;
use poem::{
    Endpoint, EndpointExt, IntoResponse, Response, Route, get, handler,
    http::{StatusCode, header},
    middleware::{Compression, SetHeader},
    web::{Data, Json},
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::{console, document};

/// Calls, files, document and console of one server.
pub fn endpoint(app: &App) -> impl Endpoint + use<> {
    static DECLARED: LazyLock<Declarations> = LazyLock::new(|| Declarations::of(document::document()));
    FieldNames::learn(app, document::document());
    let calls = document::service().with(RequestLayer::new(app.clone(), &DECLARED));
    let console = console::files(app.config())
        .with(Compression::new())
        .with(
            SetHeader::new()
                .overriding("content-security-policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: https: http:; media-src 'self' https: http:; connect-src 'self' https: http:; frame-src https:; frame-ancestors 'self'; base-uri 'self'; form-action 'self'")
                .overriding("referrer-policy", "same-origin")
                .overriding("x-frame-options", "SAMEORIGIN"),
        );
    Route::new()
        .nest(document::BASE, calls)
        .at("/admin/files/*key", get(files::serve).put(files::serve).data(app.clone()))
        .at("/admin/openapi.json", get(openapi_json))
        .nest("/", console)
        .with(SetHeader::new().overriding("x-content-type-options", "nosniff"))
}

#[handler]
fn openapi_json() -> Response {
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| document::document().to_string().into());
    Response::builder().header(header::CONTENT_TYPE, "application/json; charset=utf-8").body(TEXT.clone())
}

/// `/metrics`, `/healthz`, `/readyz`, on their own address. A server that is `leaving` is not ready.
pub fn operations_endpoint(app: &App, restarts: Restarts, leaving: CancellationToken) -> impl Endpoint + use<> {
    Route::new()
        .at("/metrics", get(metrics).data(app.clone()).data(restarts))
        .at("/healthz", get(healthy))
        .at("/readyz", get(ready).data(app.clone()).data(leaving))
}

#[handler]
fn metrics(app: Data<&App>, restarts: Data<&Restarts>) -> Response {
    app.metrics().restarts(restarts.count());
    Response::builder().header(header::CONTENT_TYPE, "text/plain; version=0.0.4").body(app.metrics().page(app.db()))
}

#[handler]
fn healthy() -> Response {
    Json(json!({ "healthy": true, "version": release::VERSION })).into_response()
}

/// Within two seconds, which part is missing.
#[handler]
async fn ready(app: Data<&App>, leaving: Data<&CancellationToken>) -> Response {
    if leaving.is_cancelled() {
        let parts = json!({ "ready": false, "leaving": true });
        return Json(parts).with_status(StatusCode::SERVICE_UNAVAILABLE).into_response();
    }
    let (database, notices) = (app.db().pulse().is_ready().await, app.notices().is_hearing());
    let said = |fine: bool| if fine { "ok" } else { "no answer" };
    let parts = json!({ "ready": database && notices, "database": said(database), "notices": said(notices) });
    let status = if database && notices { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    Json(parts).with_status(status).into_response()
}
