//! `demo study`: demonstration students and teachers at work, for whoever wants to see screens fill.

use std::time::Duration;

use accounts::guard;
use clap::{Args, builder::RangedU64ValueParser};
use infra::App;
use openapi::{
    demo::{PASSWORD, study},
    document,
};
use simulator::{Plan, Wanted};

use super::{Mistake, said, told};

#[derive(Debug, Args)]
pub(crate) struct Study {
    /// Where the server answers.
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    address: String,
    /// Code of the demonstration school.
    #[arg(long, default_value = "demo01")]
    school: String,
    /// Students; each needs a turn to sign in, of which the server allows some in a minute.
    #[arg(long, default_value_t = 30, value_parser = RangedU64ValueParser::<usize>::new().range(1..=2_000))]
    learners: usize,
    /// Teachers of their courses.
    #[arg(long, default_value_t = 5, value_parser = RangedU64ValueParser::<usize>::new().range(0..=200))]
    teachers: usize,
    /// The same seed draws the same people, who do the same.
    #[arg(long, default_value_t = 42)]
    seed: u64,
    /// How long they are at work.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=480))]
    minutes: u64,
    /// Of players; the server counts no faster than each course allows.
    #[arg(long, default_value_t = 1.0, value_parser = speed)]
    speed: f64,
    /// Calls that are on their way at once.
    #[arg(long, default_value_t = 16, value_parser = RangedU64ValueParser::<usize>::new().range(1..=256))]
    at_once: usize,
}

fn speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text.parse().map_err(|_| "a number".to_owned())?;
    if (0.5..=2.0).contains(&speed) { Ok(speed) } else { Err("from 0.5 to 2".to_owned()) }
}

/// # Errors
/// A refusal for a school that is none of the demonstration; a mistake when the server cannot be reached.
pub(super) async fn run(app: &App, asked: Study) -> Result<(), Mistake> {
    let wanted = Wanted { learners: asked.learners, teachers: asked.teachers, seed: asked.seed };
    let (host, cast) = study::prepare(app, &asked.school, wanted).await.map_err(said)?;
    eprintln!(
        "院校{}（{host}）的{}名学生、{}名教师开始学习和教学，共{}分钟",
        asked.school,
        cast.learners.len(),
        cast.teachers.len(),
        asked.minutes
    );
    let plan = Plan {
        address: format!("{}{}", asked.address.trim_end_matches('/'), document::BASE),
        host,
        password: PASSWORD,
        clock: app.clock().clone(),
        run: app.random().text(b"abcdefghijklmnopqrstuvwxyz0123456789", 8),
        seed: asked.seed,
        length: Duration::from_secs(60 * asked.minutes),
        beat: None,
        speed: asked.speed,
        at_once: asked.at_once,
        // Whoever sits at a browser of this machine signs in too.
        sign_ins: app.int(guard::PER_MINUTE).await.map_err(told)? * 4 / 5,
    };
    let report = simulator::run(&plan, &cast).await?;
    println!("{report}");
    Ok(())
}
