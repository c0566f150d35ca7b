//! 分享码: names whoever brings a buyer. It is signed and has its day, so that it needs no row and nobody makes one for others
//! (01 §9.4: the last valid link within seven days).

use chrono::NaiveDate;
use infra::{App, migrate::hex};

/// Days for which a code is good.
const DAYS: i64 = 7;
/// Of the signature so many bytes stand in the code.
const SIGNED: usize = 12;

/// The code of a learner, made at this day.
pub fn code(app: &App, learner: i64, day: NaiveDate) -> String {
    let day = day.format("%Y%m%d");
    let signature = app.keys().sign(format!("share\n{learner}\n{day}").as_bytes());
    format!("{learner}-{day}-{}", hex(&signature[..SIGNED.min(signature.len())]))
}

/// Whose a code is; none for one that is not ours, or is too old.
pub fn promoter(app: &App, typed: &str, today: NaiveDate) -> Option<i64> {
    let (learner, rest) = typed.split_once('-')?;
    let (day, _) = rest.split_once('-')?;
    let (learner, day) = (learner.parse().ok()?, NaiveDate::parse_from_str(day, "%Y%m%d").ok()?);
    let fresh = (0..=DAYS).contains(&(today - day).num_days());
    (fresh && code(app, learner, day) == typed).then_some(learner)
}
