//! gRPC over HTTP/2, as far as calls with one message in and one out need it.

use std::{convert::Infallible, future::Ready, sync::Arc};

use bytes::{BufMut, Bytes, BytesMut};
use http_body_util::{BodyExt, Full, combinators::WithTrailers};
use hyper::{
    HeaderMap, Request, Response,
    body::Incoming,
    header::{CONTENT_TYPE, HeaderValue},
    server::conn::http2,
    service::service_fn,
};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::watch,
};

use super::provider::{Provider, dispatch, method_of};

/// The end of a plugin's life, as the starter asks for it.
const SHUTDOWN: &str = "/plugin.GRPCController/Shutdown";
/// Codes of gRPC.
pub const UNIMPLEMENTED: u8 = 12;
const INVALID: u8 = 3;
/// States and schemas of large stacks go beyond what HTTP/2 begins with.
const WINDOW: u32 = 16 * 1024 * 1024;
/// What is refused before it fills the memory.
const LARGEST: usize = 256 * 1024 * 1024;
/// The length of a message before it: a flag and four bytes.
const PREFIX: usize = 5;

type Answer = Response<WithTrailers<Full<Bytes>, Ready<Option<Result<HeaderMap, Infallible>>>>>;

/// Why a call has no message in its answer.
#[derive(Debug)]
pub struct Status {
    code: u8,
    message: String,
}

impl Status {
    pub fn new(code: u8, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// The message of the call cannot be read.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(INVALID, message)
    }
}

/// Serves one connection until it ends; says in `shutdown` when the starter asked for the end.
pub async fn serve<P, S>(stream: S, provider: Arc<P>, shutdown: watch::Sender<bool>)
where
    P: Provider,
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(move |request| {
        let (provider, shutdown) = (provider.clone(), shutdown.clone());
        async move { Ok::<_, Infallible>(answer(request, &*provider, &shutdown).await) }
    });
    let served = http2::Builder::new(TokioExecutor::new())
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOW)
        .serve_connection(TokioIo::new(stream), service)
        .await;
    if let Err(error) = served {
        eprintln!("[WARN] connection ended: {error}");
    }
}

async fn answer<P: Provider>(request: Request<Incoming>, provider: &P, shutdown: &watch::Sender<bool>) -> Answer {
    let path = request.uri().path();
    if path == SHUTDOWN {
        shutdown.send_replace(true);
        return framed(Ok(Vec::new()));
    }
    // Before the body is read: streams of services that are not there never end.
    let Some(method) = method_of(path) else { return framed(Err(Status::new(UNIMPLEMENTED, "not implemented"))) };
    let message = match http_body_util::Limited::new(request.into_body(), LARGEST).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => return framed(Err(Status::invalid(error.to_string()))),
    };
    framed(match unframed(&message) {
        Ok(message) => dispatch(provider, method, message).await,
        Err(status) => Err(status),
    })
}

/// The message within its frame.
fn unframed(frame: &[u8]) -> Result<&[u8], Status> {
    let (prefix, message) = frame.split_at_checked(PREFIX).ok_or_else(|| Status::invalid("no message"))?;
    if prefix[0] != 0 {
        return Err(Status::new(UNIMPLEMENTED, "compressed messages are not understood"));
    }
    let length = prefix[1..].iter().fold(0_usize, |length, byte| (length << 8) | usize::from(*byte));
    if length == message.len() { Ok(message) } else { Err(Status::invalid("a message of another length")) }
}

fn framed(outcome: Result<Vec<u8>, Status>) -> Answer {
    let mut trailers = HeaderMap::new();
    let body = match outcome {
        Ok(message) => {
            let mut frame = BytesMut::with_capacity(PREFIX + message.len());
            frame.put_u8(0);
            frame.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
            frame.put_slice(&message);
            trailers.insert("grpc-status", HeaderValue::from(0_u16));
            frame.freeze()
        }
        Err(status) => {
            trailers.insert("grpc-status", HeaderValue::from(u16::from(status.code)));
            if let Ok(message) = HeaderValue::from_str(&plain(&status.message)) {
                trailers.insert("grpc-message", message);
            }
            Bytes::new()
        }
    };
    let body = Full::new(body).with_trailers(std::future::ready(Some(Ok(trailers))));
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    response
}

/// A message of a status stands in a header: what is not printable there is a percent sign and its number.
fn plain(message: &str) -> String {
    message
        .bytes()
        .map(|byte| match byte {
            b' '..=b'~' if byte != b'%' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_message_is_framed_and_its_end_says_that_it_went_well() {
        let answer = framed(Ok(vec![7, 8]));
        let body = answer.into_body().collect().await.expect("infallible");
        let trailers = body.trailers().cloned().expect("trailers");
        assert_eq!(trailers["grpc-status"], "0");
        let bytes = body.to_bytes();
        assert_eq!(bytes.as_ref(), [0, 0, 0, 0, 2, 7, 8]);
        assert_eq!(unframed(&bytes).expect("whole"), [7, 8]);
    }

    #[tokio::test]
    async fn a_refusal_stands_in_the_trailers() {
        let body = framed(Err(Status::invalid("100% 错"))).into_body().collect().await.expect("infallible");
        let trailers = body.trailers().cloned().expect("trailers");
        assert_eq!(
            (&trailers["grpc-status"], &trailers["grpc-message"]),
            (&HeaderValue::from(3_u16), &HeaderValue::from_static("100%25 %E9%94%99"))
        );
    }

    #[test]
    fn a_torn_or_compressed_message_is_refused() {
        assert!(unframed(&[0, 0, 0]).is_err());
        assert!(unframed(&[0, 0, 0, 0, 2, 7]).is_err());
        assert!(unframed(&[1, 0, 0, 0, 1, 7]).is_err());
    }
}
