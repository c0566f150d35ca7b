//! Whether the database answers, asked every second on a connection of its own: pools that are merely busy and a database
//! that is gone keep a caller waiting alike, and only one of them is told that many people are here.
//!
//! Silence is counted in ticks that this process saw, not by the clock: a machine that is too busy to run the process at all
//! is no silent database.

use std::{
    pin::pin,
    str::FromStr,
    sync::{Arc, Mutex},
    time::Duration,
};

use sqlx::{ConnectOptions, Connection, PgConnection, postgres::PgConnectOptions};
use tokio::{sync::watch, time::Instant};
use tokio_util::sync::CancellationToken;

use crate::error::Error;

const EVERY: Duration = Duration::from_secs(1);
/// Readiness is known within two seconds.
const READY_WITHIN: Duration = Duration::from_millis(1500);
const TICK: Duration = Duration::from_millis(250);
/// Of a question that was not answered. A restart is shorter and only slows calls down; after it, nobody is kept waiting.
const SILENT_TICKS: u32 = 20;
/// Two beats and the time in which readiness is known.
const UNHEARD_TICKS: u32 = 14;

/// The heart of a server's database. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Pulse(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    options: PgConnectOptions,
    /// Ticks since the last answer.
    unanswered: watch::Sender<u32>,
    /// What was asked afresh last, and whether it was answered.
    looked: Mutex<Option<(Instant, bool)>>,
    turn: tokio::sync::Mutex<()>,
    closed: CancellationToken,
}

impl Pulse {
    pub(super) fn new(url: &str) -> Result<Self, sqlx::Error> {
        Ok(Self(Arc::new(Inner {
            options: PgConnectOptions::from_str(url)?.application_name("chengjiao pulse").disable_statement_logging(),
            unanswered: watch::Sender::new(0),
            looked: Mutex::new(None),
            turn: tokio::sync::Mutex::new(()),
            closed: CancellationToken::new(),
        })))
    }

    /// Asks every second until the pools are closed.
    pub(crate) async fn keep(self) {
        self.0.closed.run_until_cancelled(self.beats()).await;
    }

    async fn beats(&self) {
        let (mut kept, mut was_silent) = (None, false);
        loop {
            kept = self.asked(kept).await;
            let silent = self.ticks() >= SILENT_TICKS;
            if silent != was_silent {
                if silent {
                    tracing::error!("the database does not answer; calls are refused until it does");
                } else {
                    tracing::info!("the database answers again");
                }
                was_silent = silent;
            }
            let mut left = EVERY;
            while let Some(after) = left.checked_sub(TICK) {
                tokio::time::sleep(TICK).await;
                left = after;
                if kept.is_none() {
                    self.0.unanswered.send_modify(|ticks| *ticks += 1);
                }
            }
        }
    }

    /// Asks once; the connection, if it was answered before everybody is told.
    async fn asked(&self, kept: Option<PgConnection>) -> Option<PgConnection> {
        let mut asking = pin!(beat(&self.0.options, kept));
        for _ in 0..SILENT_TICKS {
            tokio::select! {
                biased;
                answer = &mut asking => match answer {
                    Ok(connection) => {
                        self.0.unanswered.send_replace(0);
                        return Some(connection);
                    }
                    Err(error) => {
                        tracing::debug!(%error, "the database did not answer");
                        return None;
                    }
                },
                () = tokio::time::sleep(TICK) => self.0.unanswered.send_modify(|ticks| *ticks += 1),
            }
        }
        tracing::debug!("the database did not answer in time");
        None
    }

    fn ticks(&self) -> u32 {
        *self.0.unanswered.borrow()
    }

    pub(super) fn close(&self) {
        self.0.closed.cancel();
    }

    /// Whether the last beats were answered; true where nobody asks.
    pub fn answers(&self) -> bool {
        self.ticks() < UNHEARD_TICKS
    }

    /// Waits until the database has not answered for some seconds.
    pub(crate) async fn silence(&self) {
        if self.0.unanswered.subscribe().wait_for(|ticks| *ticks >= SILENT_TICKS).await.is_err() {
            std::future::pending().await
        }
    }

    /// Whether a new connection is made and answered now. Who asks while another does is told the same.
    pub async fn is_ready(&self) -> bool {
        let asked = Instant::now();
        let look = async {
            let _turn = self.0.turn.lock().await;
            if let Some((at, answered)) = *self.0.looked.lock().expect("nothing panics while it holds this")
                && at >= asked
            {
                return answered;
            }
            let begun = Instant::now();
            let left = READY_WITHIN.saturating_sub(begun - asked);
            let answered = match tokio::time::timeout(left, beat(&self.0.options, None)).await {
                Ok(Ok(connection)) => {
                    self.0.unanswered.send_replace(0);
                    // The answer is known; how the connection ends does not matter.
                    tokio::spawn(connection.close());
                    true
                }
                Ok(Err(error)) => {
                    tracing::warn!(%error, "the database is not ready");
                    false
                }
                Err(_) => {
                    tracing::warn!("the database is not ready: it does not answer");
                    false
                }
            };
            *self.0.looked.lock().expect("nothing panics while it holds this") = Some((begun, answered));
            answered
        };
        tokio::time::timeout(READY_WITHIN, look).await.unwrap_or(false)
    }
}

/// One question, on the kept connection while it lives.
async fn beat(options: &PgConnectOptions, kept: Option<PgConnection>) -> Result<PgConnection, sqlx::Error> {
    if let Some(mut connection) = kept
        && connection.ping().await.is_ok()
    {
        return Ok(connection);
    }
    let mut connection = options.connect().await?;
    connection.ping().await?;
    Ok(connection)
}

/// Nothing was done, and it is not the number of visitors.
pub(crate) fn silent() -> Error {
    Error::new(500, "数据库暂时没有响应，请稍后再试")
        .with_data(serde_json::json!({ "traceId": crate::http::current_trace() }))
}

/// The connection ended on the way: whether the last statement counted is not known here.
pub(crate) fn broken_off() -> Error {
    Error::new(500, "与数据库的连接中断，请稍后刷新页面，确认操作是否已完成")
        .with_data(serde_json::json!({ "traceId": crate::http::current_trace() }))
}

/// Whether an error says that the database, or the connection to it, is gone.
pub(crate) fn is_gone(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::WorkerCrashed => true,
        // Shut down, crashed, starting, or no longer to be reached.
        sqlx::Error::Database(error) => {
            error.code().is_some_and(|code| matches!(&*code, "57P01" | "57P02" | "57P03") || code.starts_with("08"))
        }
        _ => false,
    }
}
