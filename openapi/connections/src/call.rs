use std::{
    io,
    pin::{Pin, pin},
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http_body_util::{BodyExt, combinators::BoxBody};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use poem::{
    Request, RequestParts, Response,
    http::{HeaderValue, header, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};

use super::timing::Timing;

/// So much of a body that nobody wants is read for the sake of the next request.
const WORTH_READING: u64 = 64 << 10;
/// How long an answer waits for such a rest.
const PATIENCE: Duration = Duration::from_secs(1);
/// How much is thrown away beside an answer that ends the connection, and for how long: a visitor who is still sending
/// would lose the answer if the connection ended at once.
const LINGER: (u64, Duration) = (64 << 20, Duration::from_secs(10));

type Answer = BoxBody<Bytes, io::Error>;

/// One request and what becomes of its body.
pub(super) struct Call {
    rest: Rest,
    timing: Arc<Timing>,
    /// The visitor sends the body only when it is asked for.
    asks_first: bool,
}

impl Call {
    /// Begins to work on a request: from now on its connection is busy.
    pub(super) fn begin(
        request: hyper::Request<Incoming>,
        local: LocalAddr,
        remote: RemoteAddr,
        timing: &Arc<Timing>,
    ) -> (Self, Request) {
        timing.busy();
        let (head, incoming) = request.into_parts();
        let asks_first = head.headers.contains_key(header::EXPECT);
        let ended = incoming.is_end_stream();
        let rest = Rest(Arc::new(Mutex::new(Unread { incoming, ended })));
        let body = Given { rest: rest.clone(), timing: timing.clone() };
        let parts = RequestParts::from((head, local, remote, Scheme::HTTP));
        let request = Request::from_parts(parts, BodyExt::boxed(body).into());
        (Self { rest, timing: timing.clone(), asks_first }, request)
    }

    /// The answer as it goes out. What nobody read of the body is read here while it is little; otherwise the answer says
    /// that the connection ends.
    pub(super) async fn settle(self, response: Response) -> hyper::Response<Taken> {
        let mut response: hyper::Response<Answer> = response.into();
        if !self.is_read().await {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            let (most, longest) = LINGER;
            let rest = self.rest.clone();
            tokio::spawn(async move { tokio::time::timeout(longest, rest.discard(most)).await });
        }
        let timing = self.timing;
        response.map(|inner| Taken { inner, timing })
    }

    async fn is_read(&self) -> bool {
        if self.rest.unread().ended {
            return true;
        }
        // To read would be to ask for it.
        let too_much = self.rest.unread().incoming.size_hint().lower() > WORTH_READING;
        if self.asks_first || too_much {
            return false;
        }
        tokio::time::timeout(PATIENCE, self.rest.discard(WORTH_READING)).await.unwrap_or(false)
    }
}

/// A body and whether its end was seen.
struct Unread {
    incoming: Incoming,
    ended: bool,
}

/// What is left of a body, wherever its first reader went.
#[derive(Clone)]
struct Rest(Arc<Mutex<Unread>>);

impl Rest {
    fn unread(&self) -> MutexGuard<'_, Unread> {
        self.0.lock().expect("reading does not panic")
    }

    fn poll(&self, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let mut unread = self.unread();
        if unread.ended {
            return Poll::Ready(None);
        }
        let frame = pin!(&mut unread.incoming).poll_frame(cx);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) || unread.incoming.is_end_stream() {
            unread.ended = true;
        }
        frame
    }

    /// Reads on and throws away; whether the end came within so many bytes.
    async fn discard(&self, most: u64) -> bool {
        let mut left = most;
        while let Some(frame) = std::future::poll_fn(|cx| self.poll(cx)).await {
            let length = match frame {
                Ok(frame) => frame.data_ref().map_or(0, Bytes::len) as u64,
                Err(_) => return false,
            };
            match left.checked_sub(length) {
                Some(rest) => left = rest,
                None => return false,
            }
        }
        true
    }
}

/// The body as the endpoint gets it.
struct Given {
    rest: Rest,
    timing: Arc<Timing>,
}

impl Body for Given {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let frame = self.rest.poll(cx);
        if frame.is_pending() {
            self.timing.waits_for_body();
        } else {
            self.timing.has_body();
        }
        frame.map_err(io::Error::other)
    }

    fn is_end_stream(&self) -> bool {
        self.rest.unread().ended
    }

    fn size_hint(&self) -> SizeHint {
        self.rest.unread().incoming.size_hint()
    }
}

impl Drop for Given {
    fn drop(&mut self) {
        self.timing.has_body();
    }
}

/// The body of an answer; when it is gone the connection is idle.
pub(super) struct Taken {
    inner: Answer,
    timing: Arc<Timing>,
}

impl Body for Taken {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        Pin::new(&mut self.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.timing.answered();
    }
}
