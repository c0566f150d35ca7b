use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::Notify,
    time::Instant,
};

use super::Limits;

/// What a connection is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A request's head is coming.
    Head,
    Busy,
    Idle,
}

/// Why a connection was cut; the label of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overdue {
    Head,
    Body,
    Idle,
    Answer,
}

impl Overdue {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Body => "body",
            Self::Idle => "idle",
            Self::Answer => "answer",
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct State {
    phase: Phase,
    since: Instant,
    /// When the last byte came.
    heard: Instant,
    /// Since when somebody waits for more of the body.
    wants_body: Option<Instant>,
    /// Since when the visitor takes nothing of what is to be sent.
    blocked: Option<Instant>,
}

/// For how long a connection has been waiting for what.
#[derive(Debug)]
pub(super) struct Timing {
    state: Mutex<State>,
    changed: Notify,
    head: Duration,
    body: Duration,
    idle: Duration,
}

impl Timing {
    pub(super) fn new(limits: &Limits) -> Arc<Self> {
        let now = Instant::now();
        let state = State { phase: Phase::Head, since: now, heard: now, wants_body: None, blocked: None };
        let (head, body, idle) = (limits.head, limits.body, limits.idle);
        Arc::new(Self { state: Mutex::new(state), changed: Notify::new(), head, body, idle })
    }

    /// Whatever may bring a deadline nearer wakes who waits for it.
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().expect("no change panics"));
        self.changed.notify_one();
    }

    pub(super) fn busy(&self) {
        self.change(|state| {
            state.phase = Phase::Busy;
            state.wants_body = None;
        });
    }

    pub(super) fn answered(&self) {
        self.change(|state| (state.phase, state.since) = (Phase::Idle, Instant::now()));
    }

    pub(super) fn waits_for_body(&self) {
        if self.state.lock().expect("no change panics").wants_body.is_none() {
            self.change(|state| state.wants_body = Some(Instant::now()));
        }
    }

    pub(super) fn has_body(&self) {
        self.state.lock().expect("no change panics").wants_body = None;
    }

    fn heard(&self) {
        let now = Instant::now();
        let mut state = self.state.lock().expect("no change panics");
        state.heard = now;
        if state.phase == Phase::Idle {
            (state.phase, state.since) = (Phase::Head, now);
            self.changed.notify_one();
        }
    }

    fn sends(&self, taken: bool) {
        let blocked = self.state.lock().expect("no change panics").blocked.is_some();
        if taken && blocked {
            self.state.lock().expect("no change panics").blocked = None;
        } else if !taken && !blocked {
            self.change(|state| state.blocked = Some(Instant::now()));
        }
    }

    /// What has to happen next, and until when.
    fn deadline(&self) -> Option<(Instant, Overdue)> {
        let state = *self.state.lock().expect("no change panics");
        let phase = match state.phase {
            Phase::Head => Some((state.since + self.head, Overdue::Head)),
            Phase::Idle => Some((state.since + self.idle, Overdue::Idle)),
            Phase::Busy => None,
        };
        let body = state.wants_body.map(|since| (since.max(state.heard) + self.body, Overdue::Body));
        let answer = state.blocked.map(|since| (since + self.body, Overdue::Answer));
        [phase, body, answer].into_iter().flatten().min_by_key(|(until, _)| *until)
    }

    /// Waits until something took too long.
    pub(super) async fn overdue(&self) -> Overdue {
        loop {
            match self.deadline() {
                None => self.changed.notified().await,
                Some((until, why)) if until <= Instant::now() => return why,
                Some((until, _)) => tokio::select! {
                    () = tokio::time::sleep_until(until) => {}
                    () = self.changed.notified() => {}
                },
            }
        }
    }
}

/// A stream whose bytes are noticed.
pub(super) struct Timed<S> {
    stream: S,
    timing: Arc<Timing>,
}

impl<S> Timed<S> {
    pub(super) fn new(stream: S, timing: Arc<Timing>) -> Self {
        Self { stream, timing }
    }

    fn sent<T>(&self, sent: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        self.timing.sends(sent.is_ready());
        sent
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Timed<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if buf.filled().len() > before {
            self.timing.heard();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Timed<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.sent(sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.sent(sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing() -> Arc<Timing> {
        let second = Duration::from_secs;
        Timing::new(&Limits {
            head: second(10),
            body: second(60),
            idle: second(75),
            connections: 1,
            per_address: 1,
            proxies: Vec::new(),
        })
    }

    /// What is waited for, and for how many more seconds.
    fn next(timing: &Timing) -> Option<(u64, Overdue)> {
        let left = |until: Instant| until.duration_since(Instant::now()).as_secs_f64().round() as u64;
        timing.deadline().map(|(until, why)| (left(until), why))
    }

    #[test]
    fn a_head_has_ten_seconds_and_an_idle_connection_seventy_five() {
        let timing = timing();
        assert_eq!(next(&timing), Some((10, Overdue::Head)));
        timing.busy();
        timing.answered();
        assert_eq!(next(&timing), Some((75, Overdue::Idle)));
        timing.heard();
        assert_eq!(next(&timing), Some((10, Overdue::Head)));
    }

    #[test]
    fn each_byte_of_a_body_begins_the_time_anew_and_work_takes_its_own() {
        let timing = timing();
        timing.busy();
        assert_eq!(next(&timing), None);
        timing.waits_for_body();
        assert_eq!(next(&timing), Some((60, Overdue::Body)));
        let earlier = Instant::now().checked_sub(Duration::from_secs(40)).expect("a machine that runs for a minute");
        timing.change(|state| (state.wants_body, state.heard) = (Some(earlier), earlier));
        assert_eq!(next(&timing), Some((20, Overdue::Body)));
        timing.heard();
        assert_eq!(next(&timing), Some((60, Overdue::Body)));
        timing.has_body();
        assert_eq!(next(&timing), None);
    }

    #[test]
    fn an_answer_that_is_taken_has_no_end() {
        let timing = timing();
        timing.busy();
        timing.sends(false);
        assert_eq!(next(&timing), Some((60, Overdue::Answer)));
        timing.sends(true);
        assert_eq!(next(&timing), None);
        // The last bytes may still be on their way when the next request is waited for.
        timing.answered();
        timing.sends(false);
        assert_eq!(next(&timing), Some((60, Overdue::Answer)));
    }
}
