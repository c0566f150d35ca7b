//! The provider as Terraform starts it.

use std::process::ExitCode;

use provider::{protocol::handshake, provider::SchoolProvider};

fn main() -> ExitCode {
    handshake::main("terraform-provider-school", SchoolProvider::new)
}
