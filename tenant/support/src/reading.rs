//! The help centre: what readers find, the same for people of the console and of the clients (part 05 B4).

mod answer;
pub mod client;
pub mod console;
mod counts;
mod shelves;

use infra::{App, Error, Part, Result, access::Mode, directory::School};
use settings::website;

use crate::SETTINGS;

pub const PART: Part = Part { settings: &[SETTINGS], ..Part::NONE };

/// What reading counts, of everybody all day long: no log keeps it, and whoever may only look reads too.
#[derive(Debug)]
pub enum Counts {}
impl Mode for Counts {
    const WRITES: bool = true;
    const LOGGED: bool = false;
    const CHANGES_DATA: bool = false;
}
impl infra::access::MayWrite for Counts {}

/// # Errors
/// 409 while the platform, or the school, has no help centre.
pub(crate) async fn open(app: &App, school: Option<&School>) -> Result<()> {
    if website::has_help(app, school).await? { Ok(()) } else { Err(Error::conflict("帮助中心未开放")) }
}
