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
use infra::{App, Error, Result, clock::Clock};
use schools::demo as mark;
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
    /// Of the server, without a path: `http://127.0.0.1:8080`.
    pub address: String,
    /// The school's domain.
    pub host: String,
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

/// Host and cast of a demonstration school.
///
/// # Errors
/// 409 in a database that was not made for demonstration, where the passwords of its people are not those that everybody knows, for
/// a school that is none of the demonstration, and for one without people.
pub async fn prepare(app: &App, code: &str, wanted: Wanted) -> Result<(String, Cast)> {
    if !mark::is_for_demonstration(app).await? {
        return Err(Error::conflict("本数据库不是为演示建立的，不能模拟学习"));
    }
    let id = mark::of_code(app, code).await?.ok_or_else(|| Error::conflict(format!("没有代码为{code}的演示院校")))?;
    let host = mark::host(super::begin(app).await?, id).await?;
    let place = app.school(id).await?.ok_or_else(Error::not_found)?;
    let mut tx = infra::tx::at_the_server_read_in(app, &place).await?;
    let cast = cast(&mut tx, wanted, app.clock().today()).await?;
    if cast.learners.is_empty() {
        return Err(Error::conflict(format!("院校{code}没有可以学习的学生，请先用 demo fill 写入演示数据")));
    }
    Ok((host, cast))
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
