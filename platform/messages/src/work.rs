//! The loop that turns events into messages, messages into deliveries and sends them, in every place: `platform` and each
//! open school.
//!
//! ```text
//! a change commits ── notice "messages:<schema>" ──► bell ──► tend(place): dispatch → resolve → send → close
//! due times (timed messages, retries, leases) are remembered after each visit; one school a second is looked at anyway
//! ```
//! Places take turns, each with a bounded batch, so that one school's 50,000 reminders do not hold another's code (05 D5).
//! Nothing depends on a single server: rows are taken with `for update skip locked`, deliveries are leased for two minutes.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use channels::workspace::Workspace;
use infra::{App, Error, Result, clock::Moment};
use scenes::outbox::TOPIC;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{dispatch, handover, receipts, resolve, sender};

/// How long the loop rests at most between two looks at the clock.
const REST: Duration = Duration::from_millis(250);
/// A school is looked at this often even when nobody rang; the first round after a start goes faster.
const ROUND: Duration = Duration::from_secs(1);
const FIRST_ROUND: Duration = Duration::from_millis(50);

/// Where messages live: `platform`, or a school.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Spot {
    Platform,
    School(i64),
}

impl Spot {
    fn of_schema(schema: &str) -> Option<Self> {
        match schema {
            "platform" => Some(Self::Platform),
            other => other.strip_prefix("school_")?.parse().ok().map(Self::School),
        }
    }
}

/// What rang since the loop looked last.
#[derive(Default)]
struct Rung {
    spots: BTreeSet<Spot>,
    /// The ear was deaf for a while: everything may have rung.
    all: bool,
}

struct Bell {
    rung: Mutex<Rung>,
    wake: Notify,
}

impl Bell {
    fn ring(&self, key: &str) {
        let mut rung = self.rung.lock().expect("nothing panics while it holds the bell");
        match Spot::of_schema(key) {
            Some(spot) => {
                rung.spots.insert(spot);
            }
            None => rung.all = true,
        }
        drop(rung);
        self.wake.notify_one();
    }

    fn take(&self) -> Rung {
        std::mem::take(&mut *self.rung.lock().expect("nothing panics while it holds the bell"))
    }
}

/// This server's bell; it hears the notices of all servers from the first time on.
fn bell(app: &App) -> Arc<Bell> {
    struct Kept(Arc<Bell>);
    let kept = app.of_room(|notices| {
        let bell = Arc::new(Bell { rung: Mutex::default(), wake: Notify::new() });
        let ear = Arc::clone(&bell);
        notices.on(TOPIC, move |key| ear.ring(key));
        Kept(bell)
    });
    Arc::clone(&kept.0)
}

/// Works until `stop`.
pub async fn work(app: App, stop: CancellationToken) {
    let bell = bell(&app);
    let mut round = Round::new();
    let mut turns: VecDeque<Spot> = VecDeque::new();
    let mut due: BTreeMap<Spot, Moment> = BTreeMap::new();
    loop {
        let rung = bell.take();
        if rung.all {
            round = Round::new();
        }
        let now = app.clock().now();
        let ripe: Vec<Spot> = due.iter().filter(|(_, at)| **at <= now).map(|(spot, _)| *spot).collect();
        for spot in rung.spots.into_iter().chain(ripe) {
            due.remove(&spot);
            if !turns.contains(&spot) {
                turns.push_back(spot);
            }
        }
        if turns.is_empty()
            && let Some(spot) = round.next(&app).await
        {
            turns.push_back(spot);
        }
        if let Some(spot) = turns.pop_front() {
            match tend(&app, spot).await {
                Ok(Left::More) => turns.push_back(spot),
                Ok(Left::Nothing) => {}
                Ok(Left::Until(at)) => {
                    due.insert(spot, at);
                }
                Err(error) => {
                    tracing::warn!(?spot, %error, "messages could not be worked on; tried again in a minute");
                    due.insert(spot, now + chrono::Duration::minutes(1));
                }
            }
        }
        if stop.is_cancelled() {
            return;
        }
        if turns.is_empty() {
            tokio::select! {
                () = bell.wake.notified() => {}
                () = tokio::time::sleep(REST) => {}
                () = stop.cancelled() => return,
            }
        }
    }
}

/// The net below the bell: every place in turn.
struct Round {
    left: VecDeque<Spot>,
    pace: Duration,
    next_at: Instant,
}

impl Round {
    fn new() -> Self {
        Self { left: VecDeque::new(), pace: FIRST_ROUND, next_at: Instant::now() }
    }

    /// The next place, when it is time for one.
    async fn next(&mut self, app: &App) -> Option<Spot> {
        let now = Instant::now();
        if self.next_at > now {
            return None;
        }
        self.next_at = now + self.pace;
        if self.left.is_empty() {
            match places(app).await {
                Ok(all) => self.left = all,
                Err(error) => tracing::warn!(%error, "the schools could not be listed"),
            }
        }
        let spot = self.left.pop_front();
        if self.left.is_empty() {
            self.pace = ROUND;
        }
        spot
    }
}

async fn places(app: &App) -> Result<VecDeque<Spot>> {
    let mut tx = app.platform_read().await?;
    let ids = sqlx::query_scalar!(
        "select id from platform.school
         where deleted_at is null and status in ('trial', 'active') and provision_state = 'ready' order by id"
    )
    .fetch_all(&mut *tx)
    .await?;
    Ok([Spot::Platform].into_iter().chain(ids.into_iter().map(Spot::School)).collect())
}

/// What a visit left behind.
pub(crate) enum Left {
    Nothing,
    /// There is more to do at once.
    More,
    Until(Moment),
}

/// One visit: a bounded amount of everything that waits.
async fn tend(app: &App, spot: Spot) -> Result<Left> {
    let school = match spot {
        Spot::Platform => None,
        Spot::School(id) => match app.school(id).await? {
            // Suspended, archived and migrating schools are skipped; the round comes by again.
            Some(school) if school.is_open() && school.key().is_ok() => Some(school),
            _ => return Ok(Left::Nothing),
        },
    };
    let workspace = Workspace { app: app.clone(), school };
    let waiting = waiting(&workspace).await?;
    let mut more = false;
    if waiting.events {
        more |= dispatch::events(&workspace).await?;
    }
    if waiting.messages {
        more |= resolve::messages(&workspace).await?;
    }
    if waiting.deliveries {
        more |= sender::deliveries(&workspace).await?;
    }
    let mut receipt_at = None;
    if workspace.school.is_none() {
        handover::pending(&workspace).await?;
        receipt_at = receipts::pending(&workspace).await?;
    }
    // What was dispatched or resolved just now waits to be sent.
    if more || (waiting.events || waiting.messages) && !waiting.deliveries {
        return Ok(Left::More);
    }
    let next = self::waiting(&workspace).await?.next;
    let Some(at) = [next, receipt_at].into_iter().flatten().min() else { return Ok(Left::Nothing) };
    // A row that is due and was left lies under another server's lock, or its channel pauses: not at once again.
    Ok(Left::Until(at.max(workspace.now() + chrono::Duration::seconds(1))))
}

/// What there is to do at a place now, and when the next thing is due.
struct Waiting {
    events: bool,
    messages: bool,
    deliveries: bool,
    next: Option<Moment>,
}

async fn waiting(workspace: &Workspace) -> Result<Waiting> {
    let now = workspace.now();
    let mut tx = workspace.begin().await?;
    // Each is the end of a partial index over what waits; an idle place costs this one statement.
    let row = sqlx::query!(
        r#"select (select min(next_attempt_at) from event_outbox where status = 'pending' and kind = 'message') as event_at,
                  (select min(send_at) from msg where status = 'scheduled') as send_at,
                  exists (select from msg where status = 'sending' and resolved_at is null) as "unresolved!",
                  (select min(next_attempt_at) from msg_delivery where status = 'queued') as delivery_at,
                  (select min(lease_until) from msg_delivery where status = 'delivering') as lease_at"#
    )
    .fetch_one(&mut *tx)
    .await
    .map_err(Error::from)?;
    let due = |at: Option<Moment>| at.is_some_and(|at| at <= now);
    let next = [row.event_at, row.send_at, row.delivery_at, row.lease_at].into_iter().flatten().min();
    Ok(Waiting {
        events: due(row.event_at),
        messages: due(row.send_at) || row.unresolved,
        deliveries: due(row.delivery_at) || due(row.lease_at),
        next,
    })
}
