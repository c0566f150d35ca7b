//! The help centre: what readers find, the same for people of the console and of the clients (part 05 B4).

mod answer;
pub mod client;
pub mod console;
mod counts;
mod shelves;

use infra::{App, Error, Part, Result, directory::School};
use settings::website;

use crate::SETTINGS;

pub const PART: Part = Part { settings: &[SETTINGS], ..Part::NONE };

/// # Errors
/// 409 while the platform, or the school, has no help centre.
pub(crate) async fn open(app: &App, school: Option<&School>) -> Result<()> {
    if website::has_help(app, school).await? { Ok(()) } else { Err(Error::conflict("帮助中心未开放")) }
}
