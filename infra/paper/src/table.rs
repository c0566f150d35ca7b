//! Tables with borders: rows of cells whose text wraps, so that a row is as high as its fullest cell.

use crate::{
    leaf::{Align, Leaf, MM, Set},
    line::Line,
    picture::Picture,
    text::{TextLine, lines},
};

/// 五号, as forms are filled in.
const SET: Set = Set { size: 10.5, leading: 15.0, bold: false };
/// 小五 and closer lines, for tables of many columns.
const SMALL: Set = Set { size: 9.0, leading: 11.5, bold: false };
const SMALL_LEAST: f32 = 5.5 * MM;
/// Between a border and what it surrounds, across.
const SIDE: f32 = 1.6 * MM;
/// The same, down.
const ABOVE: f32 = 0.85 * MM;
/// A row's least height.
const LEAST: f32 = 9.0 * MM;
const BORDER: f32 = 0.5;
/// Indent of passages, in letters.
const INDENT: f32 = 2.0;
/// From the right border to what stands at the foot of a cell.
const FOOT_SIDE: f32 = 6.0 * MM;
/// A seal is 42 mm across.
const SEAL: f32 = 42.0 * MM;

/// A row of a table.
#[derive(Debug, Clone)]
pub struct Row {
    cells: Vec<Cell>,
    least: f32,
    set: Set,
}

impl Row {
    pub fn of(cells: impl IntoIterator<Item = Cell>) -> Self {
        Self { cells: cells.into_iter().collect(), least: LEAST, set: SET }
    }

    /// At least so many millimetres high.
    #[must_use]
    pub fn high(mut self, millimetres: f32) -> Self {
        self.least = millimetres * MM;
        self
    }

    /// In small letters, and no higher than they need.
    #[must_use]
    pub fn small(mut self) -> Self {
        (self.least, self.set) = (SMALL_LEAST, SMALL);
        self
    }

    pub(crate) fn lay(&self, width: f32) -> Laid {
        let whole: u16 = self.cells.iter().map(|cell| cell.share).sum();
        let share = |cell: &Cell| width * f32::from(cell.share) / f32::from(whole.max(1));
        let cells: Vec<LaidCell> = self.cells.iter().map(|cell| cell.lay(share(cell), self.set)).collect();
        let height = cells.iter().map(LaidCell::height).fold(self.least, f32::max);
        Laid { cells, height }
    }
}

/// A cell. Its share says how wide it is beside the others of its row.
#[derive(Debug, Clone)]
pub struct Cell {
    share: u16,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    Label(String),
    Value(String),
    Passage(Passage),
    Picture { picture: Option<Picture>, missing: String },
    Rows(Vec<Row>),
}

#[derive(Debug, Clone, Default)]
struct Passage {
    text: String,
    foot: Vec<Line>,
    seal: Option<Picture>,
}

impl Cell {
    /// What a form prints itself, in the middle. In a narrow cell it stands upright, a character a line.
    pub fn label(share: u16, text: impl Into<String>) -> Self {
        Self { share, content: Content::Label(text.into()) }
    }

    /// What was filled in: in the middle, or from the left when it takes several lines.
    pub fn value(share: u16, text: impl Into<String>) -> Self {
        Self { share, content: Content::Value(text.into()) }
    }

    /// A longer text in paragraphs, from the top.
    pub fn passage(share: u16, text: impl Into<String>) -> Self {
        Self { share, content: Content::Passage(Passage { text: text.into(), ..Passage::default() }) }
    }

    /// A picture as large as it fits; without one, the word for what is missing.
    pub fn picture(share: u16, picture: Option<&Picture>, missing: impl Into<String>) -> Self {
        Self { share, content: Content::Picture { picture: picture.cloned(), missing: missing.into() } }
    }

    /// Rows within a row, beside a cell that is as high as all of them.
    pub fn rows(share: u16, rows: Vec<Row>) -> Self {
        Self { share, content: Content::Rows(rows) }
    }

    /// Adds a line at the foot of a passage, on the right: signature, place of a seal, date. Only passages have a foot.
    #[must_use]
    pub fn foot(mut self, line: Line) -> Self {
        if let Content::Passage(passage) = &mut self.content {
            passage.foot.push(line);
        }
        self
    }

    /// Puts a seal over the foot of a passage.
    #[must_use]
    pub fn seal(mut self, seal: Option<&Picture>) -> Self {
        if let Content::Passage(passage) = &mut self.content {
            passage.seal = seal.cloned();
        }
        self
    }

    fn lay(&self, width: f32, set: Set) -> LaidCell {
        let room = (width - 2.0 * SIDE) / set.size;
        let body = match &self.content {
            Content::Label(text) => Body::Words { lines: lines(text, room, 0.0), align: Align::Middle },
            Content::Value(text) => {
                let lines = lines(text, room, 0.0);
                let align = if lines.len() > 1 { Align::Left } else { Align::Middle };
                Body::Words { lines, align }
            }
            Content::Passage(passage) => Body::Passage {
                lines: lines(&passage.text, room, INDENT),
                foot: passage.foot.clone(),
                seal: passage.seal.clone(),
            },
            Content::Picture { picture: Some(picture), .. } => Body::Picture(picture.clone()),
            Content::Picture { picture: None, missing } => {
                Body::Words { lines: lines(missing, room, 0.0), align: Align::Middle }
            }
            Content::Rows(rows) => Body::Rows(rows.iter().map(|row| row.lay(width)).collect()),
        };
        LaidCell { width, set, body }
    }
}

/// A row of a known width.
#[derive(Debug, Clone)]
pub(crate) struct Laid {
    cells: Vec<LaidCell>,
    pub(crate) height: f32,
}

#[derive(Debug, Clone)]
struct LaidCell {
    width: f32,
    set: Set,
    body: Body,
}

#[derive(Debug, Clone)]
enum Body {
    Words { lines: Vec<TextLine>, align: Align },
    Passage { lines: Vec<TextLine>, foot: Vec<Line>, seal: Option<Picture> },
    Picture(Picture),
    Rows(Vec<Laid>),
}

impl Laid {
    pub(crate) fn draw(&self, leaf: &mut Leaf, (x, y): (f32, f32), height: f32) {
        let mut x = x;
        for cell in &self.cells {
            cell.draw(leaf, (x, y), height);
            x += cell.width;
        }
    }

    /// Divides a row that is higher than a page: what fits into `room`, and the rest.
    pub(crate) fn split(self, room: f32) -> (Self, Self) {
        let (now, later): (Vec<_>, Vec<_>) = self.cells.into_iter().map(|cell| cell.split(room)).unzip();
        let height = later.iter().map(LaidCell::height).fold(LEAST, f32::max);
        (Self { cells: now, height: room }, Self { cells: later, height })
    }
}

impl LaidCell {
    fn height(&self) -> f32 {
        let set = self.set;
        let inside = match &self.body {
            Body::Words { lines, .. } => high(lines.len(), set),
            Body::Passage { lines, foot, .. } => {
                high(lines.len(), set) + foot.iter().map(|line| line.height(set)).sum::<f32>()
            }
            Body::Picture(_) => 0.0,
            Body::Rows(rows) => return rows.iter().map(|row| row.height).sum(),
        };
        inside + 2.0 * ABOVE
    }

    fn draw(&self, leaf: &mut Leaf, (x, y): (f32, f32), height: f32) {
        let (room, set) = (self.width - 2.0 * SIDE, self.set);
        match &self.body {
            Body::Words { lines, align } => {
                let mut down = y + (height - high(lines.len(), set)) / 2.0;
                for line in lines {
                    leaf.text((x + SIDE, down), room, line, set, *align);
                    down += set.leading;
                }
            }
            Body::Passage { lines, foot, seal } => {
                let mut down = y + ABOVE;
                for line in lines {
                    leaf.text((x + SIDE, down), room, line, set, Align::Even);
                    down += set.leading;
                }
                let mut down = y + height - ABOVE - foot.iter().map(|line| line.height(set)).sum::<f32>();
                for line in foot {
                    let start = x + self.width - FOOT_SIDE - line.width(set);
                    leaf.line((start.max(x + SIDE), down), line, set);
                    down += line.height(set);
                }
                if let Some(seal) = seal {
                    let place = SEAL.min(height - 2.0 * ABOVE).min(self.width);
                    let at = (x + (self.width - place - FOOT_SIDE).max(0.0), y + height - place - ABOVE);
                    leaf.picture(at, (place, place), seal.fitted(place, place), seal);
                }
            }
            Body::Picture(picture) => {
                let inner = (self.width - 2.0 * ABOVE, height - 2.0 * ABOVE);
                leaf.picture((x + ABOVE, y + ABOVE), inner, picture.fitted(inner.0, inner.1), picture);
            }
            Body::Rows(rows) => {
                // What the neighbours are higher is shared by all.
                let factor = height / self.height().max(1.0);
                let mut down = y;
                for row in rows {
                    row.draw(leaf, (x, down), row.height * factor);
                    down += row.height * factor;
                }
            }
        }
        leaf.frame((x, y), (self.width, height), BORDER);
    }

    /// Labels and pictures stand in the first part; what is read from line to line goes on in the second.
    fn split(self, room: f32) -> (Self, Self) {
        let (width, set) = (self.width, self.set);
        let (now, later) = match self.body {
            Body::Words { mut lines, align } => {
                let later = lines.split_off(fitting(room, set).min(lines.len()));
                (Body::Words { lines, align }, Body::Words { lines: later, align })
            }
            Body::Passage { mut lines, foot, seal } => {
                let later = lines.split_off(fitting(room, set).min(lines.len()));
                let now = Body::Passage { lines, foot: Vec::new(), seal: None };
                (now, Body::Passage { lines: later, foot, seal })
            }
            Body::Picture(picture) => (Body::Picture(picture), Body::Words { lines: Vec::new(), align: Align::Left }),
            Body::Rows(rows) => {
                let (mut now, mut later, mut height) = (Vec::new(), Vec::new(), 0.0);
                for row in rows {
                    height += row.height;
                    if !later.is_empty() || height > room && !now.is_empty() {
                        later.push(row);
                    } else if row.height > room {
                        let (first, rest) = row.split(room);
                        now.push(first);
                        later.push(rest);
                    } else {
                        now.push(row);
                    }
                }
                (Body::Rows(now), Body::Rows(later))
            }
        };
        (Self { width, set, body: now }, Self { width, set, body: later })
    }
}

/// How high so many lines are.
fn high(lines: usize, set: Set) -> f32 {
    // A form has fewer lines than a float holds.
    lines as f32 * set.leading
}

/// How many lines fit into a cell of this height; at least one, so that a row ends.
fn fitting(room: f32, set: Set) -> usize {
    // Not negative, and small.
    (((room - 2.0 * ABOVE) / set.leading).max(1.0)) as usize
}
