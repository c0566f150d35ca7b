//! A provider that fails twenty times in a row is left alone for five minutes, and one that takes so many a minute gets no
//! more (05 D5). What this server knows of each channel; nothing is lost with it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use infra::{App, Result, clock::Moment};
use scenes::{
    enums::Channel,
    outbox::{Persons, notify},
    template::Values,
};

use crate::{
    channel::{Limits, Outcome},
    enums::FailCode,
    workspace::Workspace,
};

const ERRORS_IN_A_ROW: u32 = 20;
const PAUSE_MINUTES: i64 = 5;
/// Who is told of a pause.
const WATCHERS: &str = "user:pc:msg:outbox";

#[derive(Debug, Default)]
struct State {
    errors: u32,
    closed_until: Option<Moment>,
}

type Key = (Option<i64>, Channel);

#[derive(Default)]
struct States(Mutex<HashMap<Key, State>>);

fn states(app: &App) -> Arc<States> {
    app.of_room(|_| States::default())
}

/// Whether the channel may be used now.
pub fn is_open(app: &App, school: Option<i64>, channel: Channel, now: Moment) -> bool {
    let states = states(app);
    let states = states.0.lock().expect("nothing panics while it holds the states");
    states.get(&(school, channel)).and_then(|state| state.closed_until).is_none_or(|until| until <= now)
}

/// Learns from a batch: errors of the provider add up, one success forgets them.
pub async fn note(
    workspace: &Workspace,
    channel: Channel,
    outcomes: &[Outcome],
    limits: Limits,
    now: Moment,
) -> Result<()> {
    let paused = {
        let states = states(&workspace.app);
        let mut states = states.0.lock().expect("nothing panics while it holds the states");
        let state = states.entry((workspace.school_id(), channel)).or_default();
        for outcome in outcomes {
            match outcome {
                Outcome::Accepted { .. } => state.errors = 0,
                Outcome::Rejected { code: FailCode::ProviderBusy | FailCode::Timeout, .. } => state.errors += 1,
                Outcome::Rejected { .. } => {}
            }
        }
        let taken = i64::try_from(outcomes.len()).unwrap_or(i64::MAX);
        let pace = chrono::Duration::milliseconds(taken.saturating_mul(60_000) / limits.per_minute.max(1));
        let paused = state.errors >= ERRORS_IN_A_ROW;
        state.closed_until = Some(now + if paused { chrono::Duration::minutes(PAUSE_MINUTES) } else { pace });
        if paused {
            state.errors = 0;
        }
        paused
    };
    if paused { tell(workspace, channel, now).await } else { Ok(()) }
}

async fn tell(workspace: &Workspace, channel: Channel, now: Moment) -> Result<()> {
    let school = workspace.school.as_ref().map_or_else(|| "平台".to_owned(), |school| school.name.clone());
    let values: Values = [("school", school.as_str()), ("channel", channel.zh()), ("detail", "服务商连续返回错误")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    let of = workspace.school_id().unwrap_or_default();
    let key = format!("channel_paused:{of}:{}:{}", channel.as_str(), now.format("%Y%m%d%H"));
    let mut tx = workspace.begin_in_platform().await?;
    notify(&mut tx, "channel_paused", Persons::Holders(WATCHERS.to_owned()), values, Some(&key)).await?;
    tx.commit_untracked("an event of the outbox").await
}
