//! A file that is no workbook, as the answer of a call: text, an archive, a document of a word processor, a paper for the printer, a
//! calendar that programs read again and again.

use aws_lc_rs::digest::{SHA256, digest};
use poem::{
    FromRequest, IntoResponse, Request, RequestBody, Response,
    http::{StatusCode, header},
};
use poem_openapi::{
    ApiResponse,
    registry::{MetaMediaType, MetaResponses, Registry},
    types::{Binary, Type},
};

use super::{Exported, answers};
use crate::migrate::hex;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Text,
    Zip,
    Word,
    Pdf,
    Calendar,
}

impl FileKind {
    const fn content_type(self) -> &'static str {
        match self {
            Self::Text => "text/plain; charset=utf-8",
            Self::Zip => "application/zip",
            Self::Word => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Pdf => "application/pdf",
            Self::Calendar => "text/calendar; charset=utf-8",
        }
    }

    fn media(self) -> MetaMediaType {
        MetaMediaType { content_type: self.content_type(), schema: Binary::<Vec<u8>>::schema_ref() }
    }
}

/// A file that the browser saves under a name.
#[derive(Debug)]
pub struct Download {
    pub name: String,
    pub kind: FileKind,
    pub bytes: Vec<u8>,
}

impl IntoResponse for Download {
    fn into_response(self) -> Response {
        Response::builder()
            .content_type(self.kind.content_type())
            .header(header::CONTENT_DISPOSITION, store::attachment(&self.name))
            .body(self.bytes)
    }
}

/// A printed paper, which the browser shows or saves.
#[derive(Debug)]
pub struct Printed {
    /// Of the file, with its ending.
    pub name: String,
    pub bytes: Vec<u8>,
}

impl IntoResponse for Printed {
    fn into_response(self) -> Response {
        Download { name: self.name, kind: FileKind::Pdf, bytes: self.bytes }.into_response()
    }
}

impl ApiResponse for Printed {
    fn meta() -> MetaResponses {
        answers("PDF文件", vec![FileKind::Pdf.media()])
    }

    fn register(_registry: &mut Registry) {}
}

/// What a program says that it has already of what it asks for again.
#[derive(Debug)]
pub struct Known(Option<String>);

impl<'a> FromRequest<'a> for Known {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> poem::Result<Self> {
        Ok(Self(request.header(header::IF_NONE_MATCH).map(ToOwned::to_owned)))
    }
}

impl Known {
    fn names(&self, tag: &str) -> bool {
        let tags = self.0.iter().flat_map(|tags| tags.split(','));
        tags.map(|one| one.trim().trim_start_matches("W/")).any(|one| one == tag)
    }
}

/// A text that programs fetch again and again. Who has it already is told so, by the tag that its content makes.
#[derive(Debug)]
pub struct Feed {
    /// None: it is known.
    text: Option<String>,
    tag: String,
}

impl Feed {
    /// A calendar in the words of RFC 5545.
    pub fn calendar(text: String, known: &Known) -> Self {
        let tag = format!("\"{}\"", hex(digest(&SHA256, text.as_bytes()).as_ref()));
        Self { text: (!known.names(&tag)).then_some(text), tag }
    }
}

impl IntoResponse for Feed {
    fn into_response(self) -> Response {
        let answer = Response::builder()
            .header(header::ETAG, self.tag)
            // Whoever has the address may keep it, nobody on the way.
            .header(header::CACHE_CONTROL, "private, no-cache");
        match self.text {
            Some(text) => answer.content_type(FileKind::Calendar.content_type()).body(text),
            None => answer.status(StatusCode::NOT_MODIFIED).finish(),
        }
    }
}

impl ApiResponse for Feed {
    fn meta() -> MetaResponses {
        answers("iCalendar日历", vec![FileKind::Calendar.media()])
    }

    fn register(_registry: &mut Registry) {}
}

/// The answer of an export that has a form besides the workbook.
pub enum ExportedAs {
    Workbook(Exported),
    File(Download),
}

impl IntoResponse for ExportedAs {
    fn into_response(self) -> Response {
        match self {
            Self::Workbook(exported) => exported.into_response(),
            Self::File(file) => file.into_response(),
        }
    }
}

impl ApiResponse for ExportedAs {
    fn meta() -> MetaResponses {
        let mut meta = Exported::meta();
        for response in &mut meta.responses {
            response.content.extend([FileKind::Text, FileKind::Zip, FileKind::Word].map(FileKind::media));
        }
        meta
    }

    fn register(registry: &mut Registry) {
        Exported::register(registry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_it_already_is_told_so() {
        let fresh = Feed::calendar("BEGIN:VCALENDAR".to_owned(), &Known(None));
        assert!(fresh.text.is_some());
        let known = |tags: String| Feed::calendar("BEGIN:VCALENDAR".to_owned(), &Known(Some(tags))).text.is_none();
        assert!(known(fresh.tag.clone()) && known(format!("\"other\", W/{}", fresh.tag)));
        assert!(!known("\"other\"".to_owned()));
    }
}
