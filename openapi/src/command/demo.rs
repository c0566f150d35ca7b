//! Demonstration data at the command line: where it may be written, and what it says (05 G1).

mod study;

use std::io::BufRead;

use chrono::NaiveDate;
use clap::{Args, Subcommand};
use infra::{App, Error, config::Config};
use openapi::{
    demo::{self, PASSWORD, Wanted},
    start,
};

use super::{
    Mistake,
    operator::{ended, told, with_app},
};

/// What a person types who means it.
const WORD: &str = "演示";

#[derive(Debug, Subcommand)]
pub(crate) enum Demo {
    /// Fill one demonstration school, or the operators' part and the usual two.
    Fill(Fill),
    /// Fill the operators' part alone. Nothing of it is drawn: it has no seed.
    Platform {
        /// The day that it stands at; today by default.
        #[arg(long)]
        as_of: Option<NaiveDate>,
        #[command(flatten)]
        production: Production,
    },
    /// Check that all stands that was filled; fails with what is missing.
    Verify {
        /// One school only.
        #[arg(long)]
        school: Option<String>,
    },
    /// Remove demonstration schools with their accounts, and without --school the operators' part too.
    Clear {
        /// One school only.
        #[arg(long)]
        school: Option<String>,
        #[command(flatten)]
        production: Production,
    },
    /// Let students and teachers of a demonstration school work at a running server, as their clients would; only in a database
    /// that was made for demonstration.
    Study(study::Study),
}

#[derive(Debug, Args)]
pub(crate) struct Fill {
    /// Code of the school, demo01 to demo04.
    #[arg(long)]
    school: Option<String>,
    /// Open the school first when there is none of this code.
    #[arg(long, requires = "school")]
    create: bool,
    /// Students in the register.
    #[arg(long, requires = "school", default_value_t = demo::STUDENTS, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(10..=100_000))]
    students: usize,
    /// The same seed, day and numbers give the same people.
    #[arg(long, requires = "school")]
    seed: Option<u64>,
    /// The day that the data stand at; today by default.
    #[arg(long, requires = "school")]
    as_of: Option<NaiveDate>,
    /// Cohorts.
    #[arg(long, requires = "school", default_value_t = demo::YEARS, value_parser = clap::value_parser!(i32).range(1..=5))]
    years: i32,
    /// Check afterwards.
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    production: Production,
}

/// How a person says that this is meant although the database serves customers.
#[derive(Debug, Args)]
pub(crate) struct Production {
    /// Also where the database was not made for demonstration; asks once more.
    #[arg(long)]
    allow_production: bool,
    /// Answer that question.
    #[arg(long, requires = "allow_production")]
    yes: bool,
}

const REFUSED: &str =
    "本数据库不是为演示建立的，不能写入或清除演示数据；请换用空的数据库，确需继续请加上 --allow-production";

/// # Errors
/// A refusal where the database was not made for demonstration.
pub(super) async fn allowed(app: &App) -> Result<(), Mistake> {
    if demo::is_allowed(app).await.map_err(told)? { Ok(()) } else { Err(Mistake::refused(REFUSED)) }
}

/// Answers whether the database was made for demonstration; elsewhere a person must have said and confirmed it.
async fn permitted(app: &App, production: &Production) -> Result<bool, Mistake> {
    if demo::is_allowed(app).await.map_err(told)? {
        return Ok(true);
    }
    if !production.allow_production {
        return Err(Mistake::refused(REFUSED));
    }
    if !production.yes {
        eprintln!("本数据库用于正式业务。输入“{WORD}”并回车继续：");
        let mut typed = String::new();
        std::io::stdin().lock().read_line(&mut typed).map_err(told)?;
        if typed.trim() != WORD {
            return Err(Mistake::refused("未确认，没有做任何更改"));
        }
    }
    Ok(false)
}

/// Opens and fills the usual schools, with this process's worker running.
pub(super) async fn fill_usual(app: &App) -> Result<(), Mistake> {
    demo::fill(app, |step| eprintln!("{step}")).await.map_err(said)
}

/// A conflict is a refusal.
fn said(error: Error) -> Mistake {
    if error.code == 409 { Mistake::refused(error.msg) } else { told(error).into() }
}

pub(super) async fn demo(config: Config, command: Demo) -> Result<(), Mistake> {
    with_app(config, async |app| {
        let stop = tokio_util::sync::CancellationToken::new();
        let worker = start::worker(app, &stop);
        let done = run(app, command).await;
        stop.cancel();
        worker.await.map_err(told)?;
        done
    })
    .await
}

async fn run(app: &App, command: Demo) -> Result<(), Mistake> {
    match command {
        Demo::Fill(fill) => run_fill(app, fill).await,
        Demo::Platform { as_of, production } => {
            let is_ours = permitted(app, &production).await?;
            demo::platform(app, is_ours, as_of.unwrap_or_else(|| app.clock().today())).await.map_err(said)
        }
        Demo::Verify { school } => verify(app, school).await,
        Demo::Clear { school, production } => {
            permitted(app, &production).await?;
            let codes = one_or_all(app, school.clone()).await?;
            for code in codes {
                let job = demo::clear_school(app, &code).await.map_err(said)?;
                infra::jobs::wake(app);
                println!("{code}: {}", ended(app, job).await?);
            }
            if school.is_none() {
                demo::clear_platform(app).await.map_err(said)?;
            }
            Ok(())
        }
        // Boxed: too deep for the compiler to lay out at once.
        Demo::Study(asked) => Box::pin(study::run(app, asked)).await,
    }
}

async fn run_fill(app: &App, fill: Fill) -> Result<(), Mistake> {
    let is_ours = permitted(app, &fill.production).await?;
    let Some(code) = fill.school else {
        if !is_ours {
            return Err(Mistake::refused("正式数据库中须用 --school 指明一所演示院校"));
        }
        fill_usual(app).await?;
        println!("{}", demo::accounts());
        return if fill.verify { verify(app, None).await } else { Ok(()) };
    };
    let wanted = Wanted { students: fill.students, years: fill.years, seed: fill.seed, as_of: fill.as_of };
    // The password that everybody knows opens nothing beside real schools.
    let password = if is_ours { PASSWORD.to_owned() } else { accounts::password::random(app) };
    let accounts = demo::fill_school(app, &code, fill.create, &wanted, &password, |step| eprintln!("{step}"))
        .await
        .map_err(said)?;
    println!("演示账号，新建账号的密码为 {password}\n{accounts}");
    if fill.verify { verify(app, Some(code)).await } else { Ok(()) }
}

async fn one_or_all(app: &App, school: Option<String>) -> Result<Vec<String>, Mistake> {
    match school {
        Some(code) => Ok(vec![code]),
        None => demo::codes(app).await.map_err(said),
    }
}

async fn verify(app: &App, school: Option<String>) -> Result<(), Mistake> {
    let mut missing = Vec::new();
    for code in one_or_all(app, school).await? {
        let found = demo::verify(app, &code).await.map_err(said)?;
        println!("{code}: {}", if found.is_empty() { "完整".to_owned() } else { format!("缺少{}项", found.len()) });
        missing.extend(found.into_iter().map(|line| format!("{code}：{line}")));
    }
    if missing.is_empty() { Ok(()) } else { Err(missing.join("\n").into()) }
}
