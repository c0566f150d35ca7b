//! `chengjiao`: the server and everything an operator does on its command line.

mod command;

use clap::Parser;

fn main() -> std::process::ExitCode {
    let arguments = command::Arguments::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("{error}");
            return std::process::ExitCode::FAILURE;
        }
    };
    match runtime.block_on(command::run(arguments)) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(mistake) => {
            for line in mistake.said.lines() {
                eprintln!("error: {line}");
            }
            std::process::ExitCode::from(mistake.code)
        }
    }
}
