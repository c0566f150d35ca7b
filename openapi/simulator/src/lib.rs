//! Demonstration students and teachers at work (part 03 B10): what their clients would send, over HTTP, so that every screen shows
//! figures that went the real way.
//!
//! ```text
//! cast (out of the register) ─sign in→ learners: choose electives, ask, answer homework, study until the time is over
//!                                      teachers: answer questions, mark, register attendance, round after round
//! call ─wire→ accepted, or refused with a reason ─→ report
//! ```
//! Who takes part and what each of them does is drawn from the seed; what the server makes of it is its own. Past the server nothing
//! is read but what a person knows by themselves: their login name and initial password, and of a teacher who is on the roster.

mod cast;
mod learner;
mod report;
mod teacher;
mod wire;

use std::time::Duration;

use futures_util::future::join_all;
use infra::clock::Clock;
use tokio::time::Instant;

use self::{teacher::Teacher, wire::Wire};

pub use self::{
    cast::{Cast, Person, cast},
    report::{Act, Report},
};

/// Who is to take part.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    pub learners: usize,
    pub teachers: usize,
    /// The same seed draws the same people, who do the same.
    pub seed: u64,
}

/// How it is played.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Where the server's calls begin: `http://127.0.0.1:8080/admin/apis`.
    pub address: String,
    /// The school's domain.
    pub host: String,
    /// What those have whose initial password was to be changed.
    pub password: &'static str,
    /// That of the server's machine.
    pub clock: Clock,
    /// What every number of a request begins with: another run's are others.
    pub run: String,
    pub seed: u64,
    /// How long people are at work.
    pub length: Duration,
    /// From one beat of a player to the next; without one as the server asks for.
    pub beat: Option<Duration>,
    /// Of players; none runs faster than its course allows.
    pub speed: f64,
    /// Calls that are on their way at once.
    pub at_once: usize,
    /// Sign-ins in a minute.
    pub sign_ins: i64,
}

/// Lets the cast work; what was sent, accepted and refused.
///
/// # Errors
/// A sentence, when the server cannot be reached.
pub async fn run(plan: &Plan, cast: &Cast) -> Result<Report, String> {
    let wire = Wire::to(plan).await?;
    let until = Instant::now() + plan.length;
    let learning = join_all(cast.learners.iter().map(|person| learner::work(&wire, person, until)));
    let teaching = join_all(cast.teachers.iter().map(|person| teacher::work(&wire, person, &cast.rosters, until)));
    let (_, mut teachers) = tokio::join!(learning, teaching);
    // What was asked and handed in last is not left lying.
    join_all(teachers.iter_mut().flatten().map(Teacher::round)).await;
    drop(teachers);
    Ok(wire.into_report())
}
