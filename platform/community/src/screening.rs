//! Words of the library in what a learner sends (01 §3.2.7): masked, made to wait, or refused before anything is kept.

use community_rules::{
    enums::CommunityStatus,
    html::{covered, visible},
};
use infra::{App, Result, RichText, params::BoolParam};
use settings::sensitive::{Screened, screen_field};

/// The texts of one thing that is sent.
pub(crate) struct Screening<'a> {
    app: &'a App,
    waits: bool,
}

impl<'a> Screening<'a> {
    /// Of what waits anyway while `param` is on.
    pub(crate) async fn of(app: &'a App, param: BoolParam) -> Result<Self> {
        Ok(Self { app, waits: app.flag(param).await? })
    }

    /// A plain text of a field as it is kept.
    ///
    /// # Errors
    /// 422 at the field for a word that may not be kept; it is not told.
    pub(crate) async fn text(&mut self, field: &str, text: &str) -> Result<String> {
        Ok(match screen_field(self.app, field, text).await? {
            Screened::Publish(text) => text,
            Screened::Review(text) => {
                self.waits = true;
                text
            }
        })
    }

    /// The same of a text with marks: a word is covered across them.
    ///
    /// # Errors
    /// 422 as [`Screening::text`].
    pub(crate) async fn rich(&mut self, field: &str, html: &RichText) -> Result<RichText> {
        let masked = self.text(field, &visible(html.as_str())).await?;
        Ok(RichText::cleaned(&covered(html.as_str(), &masked)))
    }

    /// Whether others see it at once.
    pub(crate) fn status(&self) -> CommunityStatus {
        if self.waits { CommunityStatus::Pending } else { CommunityStatus::Approved }
    }
}
