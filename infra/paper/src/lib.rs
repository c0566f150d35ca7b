//! Papers: A4 forms as PDF, in a Chinese face that is part of the program.
//!
//! ```text
//! Paper: heading, paragraph, table … ─[lines: text]→ marks on leaves: leaf ─[finish: draw]→ PDF with the glyphs that it uses
//! ```
//! Everything is laid out first, as the number of pages stands on each; a paper that is being made takes some hundred
//! kilobytes. What the face lacks is printed as a box. The same calls make the same bytes: no clock and no chance is asked.
//!
//! Papers that are finished, and those of others, become one in a [`Binder`].
//!
//! Start reading at [`Paper`], then [`Cell`].

mod draw;
mod face;
mod leaf;
mod line;
mod merge;
mod picture;
mod table;
#[cfg(test)]
mod tests;
mod text;

use face::FACE;
use leaf::{Align, Format, LEFT, Leaf, MM, Set, TOP};

pub use line::Line;
pub use merge::{Binder, pages};
pub use picture::Picture;
pub use table::{Cell, Row};

const COVER: Set = Set { size: 32.0, leading: 60.0, bold: true };
const HEADING: Set = Set { size: 20.0, leading: 30.0, bold: true };
const SUBHEADING: Set = Set { size: 14.0, leading: 24.0, bold: true };
const BODY: Set = Set { size: 12.0, leading: 22.0, bold: false };
const NOTE: Set = Set { size: 9.0, leading: 13.0, bold: false };
const FIELD: Set = Set { size: 15.0, leading: 22.0, bold: false };
/// The border around a table.
const BORDER: f32 = 1.2;
/// Indent of paragraphs, in letters.
const INDENT: f32 = 2.0;
/// Of fields: the label, the room behind it, the value, and how high each is.
const FIELD_LABEL: f32 = 30.0 * MM;
const FIELD_ROOM: f32 = 5.0 * MM;
const FIELD_VALUE: f32 = 85.0 * MM;
const FIELD_HEIGHT: f32 = 14.0 * MM;
/// What stays below a subheading, so that it does not end a page.
const KEPT_BELOW: f32 = 30.0 * MM;

/// Why there is no paper. It is never the text's fault.
#[derive(Debug, thiserror::Error)]
#[error("the paper could not be made: {0}")]
pub struct PaperError(String);

/// On which side of the page something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left,
    Middle,
    Right,
}

/// A paper in the making, filled from the top; what does not fit goes to the next page.
#[derive(Debug)]
pub struct Paper {
    title: String,
    header: String,
    format: Format,
    leaves: Vec<Leaf>,
    /// What stands along the left margin of every page: words to be filled in, signs along its line.
    margin: Option<(String, String)>,
    /// Without anything but what is placed: no header, no numbers of pages.
    bare: bool,
    /// Down to where the last page is filled, in points below its margin.
    filled: f32,
}

impl Paper {
    /// An empty paper. The title is what a viewer shows; the header stands over every page.
    pub fn new(title: impl Into<String>, header: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            header: header.into(),
            format: Format::PORTRAIT,
            leaves: vec![Leaf::default()],
            margin: None,
            bare: false,
            filled: 0.0,
        }
    }

    /// The same on A4 that lies across, for wide tables.
    pub fn landscape(title: impl Into<String>, header: impl Into<String>) -> Self {
        Self { format: Format::LANDSCAPE, ..Self::new(title, header) }
    }

    /// A sheet that lies across and is printed already: words are placed on it, and nothing else comes to it.
    pub fn overlay(title: impl Into<String>) -> Self {
        Self { bare: true, ..Self::landscape(title, "") }
    }

    /// Words on the last page, so many millimetres from its left and upper edges.
    pub fn placed(&mut self, x: f32, y: f32, text: &str) -> &mut Self {
        self.leaf().letters(x * MM, y * MM, text, BODY, 0.0);
        self
    }

    /// A picture on the last page at a place, fitted into so many millimetres.
    pub fn placed_picture(&mut self, at: (f32, f32), picture: &Picture, room: (f32, f32)) -> &mut Self {
        let size = picture.fitted(room.0 * MM, room.1 * MM);
        self.leaf().picture((at.0 * MM, at.1 * MM), size, size, picture);
        self
    }

    /// A dashed line along the left margin of every page, `along` on it and `words` outside, to be read from the right: what is
    /// folded and sealed of an examination paper.
    pub fn margin(&mut self, words: impl Into<String>, along: impl Into<String>) -> &mut Self {
        self.margin = Some((words.into(), along.into()));
        self
    }

    /// The title of a form of several pages, on its cover.
    pub fn cover(&mut self, text: &str) -> &mut Self {
        self.lines(text, COVER, Align::Middle, 0.0)
    }

    /// The title of a form.
    pub fn heading(&mut self, text: &str) -> &mut Self {
        self.lines(text, HEADING, Align::Middle, 0.0).space(4.0)
    }

    /// The title of a part.
    pub fn subheading(&mut self, text: &str) -> &mut Self {
        self.make_room(KEPT_BELOW);
        self.lines(text, SUBHEADING, Align::Left, 0.0).space(1.0)
    }

    /// Paragraphs, divided by line ends, each indented by two letters.
    pub fn paragraph(&mut self, text: &str) -> &mut Self {
        self.lines(text, BODY, Align::Even, INDENT)
    }

    /// Small print.
    pub fn note(&mut self, text: &str) -> &mut Self {
        self.lines(text, NOTE, Align::Even, 0.0)
    }

    /// A line with places to write in.
    pub fn line(&mut self, line: &Line, side: Side) -> &mut Self {
        let height = line.height(BODY);
        self.make_room(height);
        let left = self.format.body_width() - line.width(BODY);
        let x = match side {
            Side::Left => 0.0,
            Side::Middle => (left / 2.0).max(0.0),
            Side::Right => left.max(0.0),
        };
        let at = (LEFT + x, TOP + self.filled);
        self.leaf().line(at, line, BODY);
        self.filled += height;
        self
    }

    /// Labels with a value over a line each, as on the cover of a form.
    pub fn fields<L: AsRef<str>, V: AsRef<str>>(&mut self, fields: impl IntoIterator<Item = (L, V)>) -> &mut Self {
        let x = LEFT + (self.format.body_width() - FIELD_LABEL - FIELD_ROOM - FIELD_VALUE) / 2.0;
        let value_x = x + FIELD_LABEL + FIELD_ROOM;
        for (label, value) in fields {
            let values = text::lines(value.as_ref(), FIELD_VALUE / FIELD.size, 0.0);
            for (number, value) in values.iter().enumerate() {
                self.make_room(FIELD_HEIGHT);
                let bottom = TOP + self.filled + FIELD_HEIGHT;
                let leaf = self.leaf();
                if number == 0 {
                    leaf.drawn_out((x, bottom - FIELD.leading), FIELD_LABEL, label.as_ref(), FIELD);
                }
                leaf.text((value_x, bottom - FIELD.leading), FIELD_VALUE, value, FIELD, Align::Middle);
                leaf.rule((value_x, bottom), (value_x + FIELD_VALUE, bottom), 0.6);
                self.filled += FIELD_HEIGHT;
            }
        }
        self
    }

    /// Rows with borders, as wide as the page. A row is divided only when a page does not hold it.
    pub fn table(&mut self, rows: impl IntoIterator<Item = Row>) -> &mut Self {
        self.rows(None, rows)
    }

    /// The same below a row of headings, which stands again over what goes to a further page.
    pub fn listing(&mut self, head: &Row, rows: impl IntoIterator<Item = Row>) -> &mut Self {
        let width = self.format.body_width();
        self.make_room(3.0 * head.lay(width).height);
        self.rows(Some(head), rows)
    }

    fn rows(&mut self, head: Option<&Row>, rows: impl IntoIterator<Item = Row>) -> &mut Self {
        let (width, whole) = (self.format.body_width(), self.format.body_height());
        let mut begun = self.filled;
        self.put_head(head);
        for row in rows {
            let mut rest = Some(row.lay(width));
            while let Some(row) = rest.take() {
                let divided = row.height > whole && self.room() > whole / 3.0;
                if row.height > self.room() && self.filled > 0.0 && !divided {
                    self.close_table(begun);
                    self.new_page();
                    begun = 0.0;
                    self.put_head(head);
                }
                let row = if row.height > self.room() {
                    let (now, later) = row.split(self.room());
                    rest = Some(later);
                    now
                } else {
                    row
                };
                let at = (LEFT, TOP + self.filled);
                let height = row.height;
                row.draw(self.leaf(), at, height);
                self.filled += height;
            }
        }
        self.close_table(begun);
        self
    }

    /// A picture in the middle, fitted into so many millimetres.
    pub fn picture(&mut self, picture: &Picture, width: f32, height: f32) -> &mut Self {
        let body = self.format.body_width();
        let place = ((width * MM).min(body), (height * MM).min(self.format.body_height()));
        let size = picture.fitted(place.0, place.1);
        self.make_room(size.1);
        let at = (LEFT, TOP + self.filled);
        self.leaf().picture(at, (body, size.1), size, picture);
        self.filled += size.1;
        self
    }

    /// Leaves so many millimetres empty; at most what is left of the page.
    pub fn space(&mut self, millimetres: f32) -> &mut Self {
        self.filled = (self.filled + millimetres * MM).min(self.format.body_height());
        self
    }

    /// Goes on with a new page.
    pub fn new_page(&mut self) -> &mut Self {
        self.leaves.push(Leaf::default());
        self.filled = 0.0;
        self
    }

    /// The PDF.
    ///
    /// # Errors
    /// When the library that writes it refuses; no text and no picture makes it do so.
    pub fn finish(mut self) -> Result<Vec<u8>, PaperError> {
        let (count, format) = (self.leaves.len(), self.format);
        let body = format.body_width();
        let pages = if self.bare { &mut [] } else { self.leaves.as_mut_slice() };
        for (number, leaf) in (1..).zip(pages) {
            let middle = |text: &str| LEFT + (body - FACE.width(text) * NOTE.size) / 2.0;
            if !self.header.is_empty() {
                leaf.letters(middle(&self.header), 13.0 * MM, &self.header, NOTE, 0.0);
                leaf.rule((LEFT, 18.5 * MM), (LEFT + body, 18.5 * MM), 0.4);
            }
            if let Some((words, along)) = &self.margin {
                leaf.margin(words, along, NOTE, format.body_height());
            }
            let number = format!("第{number}页 共{count}页");
            leaf.letters(middle(&number), format.height - 15.0 * MM, &number, NOTE, 0.0);
        }
        draw::document(&self.title, &self.leaves, format)
    }

    fn lines(&mut self, text: &str, set: Set, align: Align, indent: f32) -> &mut Self {
        let width = self.format.body_width();
        for line in text::lines(text, width / set.size, indent) {
            self.make_room(set.leading);
            let at = (LEFT, TOP + self.filled);
            self.leaf().text(at, width, &line, set, align);
            self.filled += set.leading;
        }
        self
    }

    /// Headings are short: they fit a page.
    fn put_head(&mut self, head: Option<&Row>) {
        let Some(head) = head else { return };
        let row = head.lay(self.format.body_width());
        let at = (LEFT, TOP + self.filled);
        let height = row.height;
        row.draw(self.leaf(), at, height);
        self.filled += height;
    }

    fn close_table(&mut self, begun: f32) {
        let height = self.filled - begun;
        let width = self.format.body_width();
        if height > 0.0 {
            self.leaf().frame((LEFT, TOP + begun), (width, height), BORDER);
        }
    }

    fn room(&self) -> f32 {
        self.format.body_height() - self.filled
    }

    /// Begins a new page unless so many points are left of this one.
    fn make_room(&mut self, height: f32) {
        if height > self.room() && self.filled > 0.0 {
            self.new_page();
        }
    }

    fn leaf(&mut self) -> &mut Leaf {
        if self.leaves.is_empty() {
            self.leaves.push(Leaf::default());
        }
        let last = self.leaves.len() - 1;
        &mut self.leaves[last]
    }
}
