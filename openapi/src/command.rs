//! The command line (architecture decision 19).

mod demo;
mod operator;
mod serve;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use infra::release;
use openapi::{document, modules, start, upgrade};

#[derive(Debug, Parser)]
#[command(name = "chengjiao", version = release::VERSION, about = "成教云: a back-office for adult higher education")]
pub(crate) struct Arguments {
    /// Settings; `chengjiao.toml` in this folder when it exists.
    #[arg(long, global = true, env = "CHENGJIAO_CONFIG")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the console and the calls; jobs run inside unless `server.work` is false.
    Serve {
        /// Load the demonstration schools first and print their accounts; takes the next free port.
        #[arg(long)]
        demo: bool,
    },
    /// Run jobs only.
    Work,
    /// Bring the platform and every school up to date.
    Migrate,
    /// Open and close schools.
    #[command(subcommand)]
    School(operator::School),
    /// Accounts of operators.
    #[command(subcommand)]
    Account(operator::Account),
    /// Print the OpenAPI document, or write it with the table of permissions into a folder.
    Document {
        #[arg(long)]
        into: Option<PathBuf>,
    },
    /// Demonstration data: schools with invented people.
    #[command(subcommand)]
    Demo(demo::Demo),
    /// Check settings, database, schemas and files.
    Doctor,
}

/// Why a command did nothing or failed, a line each, and what the process ends with.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub(crate) said: String,
    pub(crate) code: u8,
}

impl From<String> for Mistake {
    fn from(said: String) -> Self {
        Self { said, code: 1 }
    }
}

impl Mistake {
    /// What was asked for must not be done here; nothing was.
    fn refused(said: impl Into<String>) -> Self {
        Self { said: said.into(), code: 2 }
    }
}

pub(crate) async fn run(arguments: Arguments) -> Result<(), Mistake> {
    if let Command::Document { into } = &arguments.command {
        return Ok(write_document(into.as_deref())?);
    }
    let config = start::config(arguments.config)?;
    log();
    let ended = match arguments.command {
        Command::Serve { demo } => return serve::serve(config, demo).await,
        Command::Work => serve::work(config).await,
        Command::Migrate => operator::migrate(config).await,
        Command::School(command) => operator::school(config, command).await,
        Command::Account(command) => operator::account(config, command).await,
        Command::Demo(command) => return demo::demo(config, command).await,
        Command::Doctor => operator::doctor(config).await,
        Command::Document { .. } => Ok(()),
    };
    Ok(ended?)
}

/// Plain lines on a terminal, JSON elsewhere; `CHENGJIAO_LOG` filters, for example `info,infra=debug`.
fn log() {
    use std::io::IsTerminal;
    let filter = tracing_subscriber::EnvFilter::try_from_env("CHENGJIAO_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info,sqlx=warn"));
    let builder =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(|| infra::mask::Masked(std::io::stderr()));
    if std::io::stderr().is_terminal() {
        builder.compact().init();
    } else {
        builder.json().init();
    }
}

fn write_document(into: Option<&std::path::Path>) -> Result<(), String> {
    let document = document::document();
    let text = document::text(document);
    match into {
        None => print!("{text}"),
        Some(folder) => {
            std::fs::write(folder.join("openapi.json"), text).map_err(|error| error.to_string())?;
            std::fs::write(folder.join("permissions.txt"), document::permission_table(document))
                .map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// Runs `migrate` with a bar on a terminal and plain lines otherwise.
async fn upgrade(db: &infra::db::Db) -> Result<upgrade::Report, String> {
    let bar = indicatif::ProgressBar::new(0);
    let report = upgrade::run(db, &modules::modules(), |done, total| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        if bar.is_hidden() && (done == total || done % 50 == 0) {
            eprintln!("migrated {done} of {total} schools");
        }
    })
    .await?;
    bar.finish_and_clear();
    for (id, reason) in &report.failed {
        eprintln!("school {id} stays on its old version: {reason}");
    }
    Ok(report)
}
