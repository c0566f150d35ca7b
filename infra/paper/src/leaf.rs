//! One page: what is drawn where, in points from its upper left corner.

use crate::{
    face::{ASCENT, FACE},
    line::{Line, Part},
    picture::Picture,
    text::{TextLine, gaps},
};

/// Points of a millimetre.
pub(crate) const MM: f32 = 72.0 / 25.4;
pub(crate) const LEFT: f32 = 20.0 * MM;
pub(crate) const TOP: f32 = 25.0 * MM;
const BOTTOM: f32 = 20.0 * MM;
/// A gap wider than this, in ems, tears a line apart.
const WIDEST_SPREAD: f32 = 0.2;

/// How large the pages of a paper are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Format {
    pub(crate) width: f32,
    pub(crate) height: f32,
}

impl Format {
    pub(crate) const PORTRAIT: Self = Self { width: 210.0 * MM, height: 297.0 * MM };
    pub(crate) const LANDSCAPE: Self = Self { width: 297.0 * MM, height: 210.0 * MM };

    /// Of what may be filled.
    pub(crate) fn body_width(self) -> f32 {
        self.width - 2.0 * LEFT
    }

    /// The same, down.
    pub(crate) fn body_height(self) -> f32 {
        self.height - TOP - BOTTOM
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Mark {
    Text { x: f32, baseline: f32, size: f32, bold: bool, text: String, spread: f32 },
    Upward { x: f32, y: f32, size: f32, text: String },
    Rule { from: (f32, f32), to: (f32, f32), width: f32 },
    Picture { x: f32, y: f32, size: (f32, f32), picture: Picture },
}

/// How letters are set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Set {
    /// In points.
    pub(crate) size: f32,
    /// From line to line, in points.
    pub(crate) leading: f32,
    pub(crate) bold: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Middle,
    /// As wide as the column, as lines within a paragraph are.
    Even,
}

/// The marks of a page.
#[derive(Debug, Default)]
pub(crate) struct Leaf {
    pub(crate) marks: Vec<Mark>,
}

impl Leaf {
    pub(crate) fn rule(&mut self, from: (f32, f32), to: (f32, f32), width: f32) {
        self.marks.push(Mark::Rule { from, to, width });
    }

    pub(crate) fn frame(&mut self, (x, y): (f32, f32), (width, height): (f32, f32), line: f32) {
        let (right, bottom) = (x + width, y + height);
        self.rule((x, y), (right, y), line);
        self.rule((right, y), (right, bottom), line);
        self.rule((right, bottom), (x, bottom), line);
        self.rule((x, bottom), (x, y), line);
    }

    /// A line of text whose place is `leading` high and `width` wide.
    pub(crate) fn text(&mut self, (x, y): (f32, f32), width: f32, line: &TextLine, set: Set, align: Align) {
        if line.text.is_empty() {
            return;
        }
        let left = width - (line.width + line.indent) * set.size;
        let count = gaps(&line.text);
        let mut spread = 0.0;
        let mut start = x + line.indent * set.size;
        match align {
            Align::Left => {}
            Align::Middle => start += left / 2.0,
            Align::Even if count > 0 => {
                // No line has more signs than a float holds.
                let each = left / count as f32;
                if each > 0.0 && (!line.last && each <= WIDEST_SPREAD * set.size) {
                    spread = each;
                }
            }
            Align::Even => {}
        }
        self.letters(start, y, &line.text, set, spread);
    }

    /// Letters from a point on, with room between them.
    pub(crate) fn letters(&mut self, x: f32, y: f32, text: &str, set: Set, spread: f32) {
        let baseline = y + (set.leading - set.size) / 2.0 + ASCENT * set.size;
        self.marks.push(Mark::Text { x, baseline, size: set.size, bold: set.bold, text: text.to_owned(), spread });
    }

    /// A line of dashes down the left margin, signs in gaps of it and words outside, to be read from the right.
    pub(crate) fn margin(&mut self, words: &str, along: &str, set: Set, body: f32) {
        let (x, bottom) = (LEFT - 5.0 * MM, TOP + body);
        let count = along.chars().count();
        // Evenly from below, as the words go. No margin has more signs than a float holds.
        let signs: Vec<(f32, char)> = (0_u16..)
            .zip(along.chars())
            .map(|(place, sign)| (bottom - body * (f32::from(place) + 0.5) / count as f32, sign))
            .collect();
        let mut y = TOP;
        while y < bottom {
            if signs.iter().all(|(middle, _)| (middle - y).abs() > 5.0 * MM) {
                self.rule((x, y), (x, y + 2.0 * MM), 0.5);
            }
            y += 4.0 * MM;
        }
        for (middle, sign) in signs {
            self.upward(x + 0.4 * set.size, middle, &sign.to_string(), set);
        }
        self.upward(x - 3.0 * MM, TOP + body / 2.0, words, set);
    }

    /// Letters that go up the page around a middle, over a baseline at `x`.
    fn upward(&mut self, x: f32, middle: f32, text: &str, set: Set) {
        let y = middle + FACE.width(text) * set.size / 2.0;
        self.marks.push(Mark::Upward { x, y, size: set.size, text: text.to_owned() });
    }

    /// A label drawn out to a width.
    pub(crate) fn drawn_out(&mut self, (x, y): (f32, f32), width: f32, label: &str, set: Set) {
        let left = width - FACE.width(label) * set.size;
        let count = gaps(label);
        self.letters(x, y, label, set, if count > 0 && left > 0.0 { left / count as f32 } else { 0.0 });
    }

    /// A line with places to write in; its height is [`Line::height`].
    pub(crate) fn line(&mut self, (x, y): (f32, f32), line: &Line, set: Set) {
        let mut x = x;
        for part in &line.parts {
            match part {
                Part::Words(words) => self.letters(x, y, words, Set { leading: line.height(set), ..set }, 0.0),
                Part::Written(Some(picture)) => {
                    let size = picture.fitted(part.width(set), line.height(set));
                    self.picture((x, y), (part.width(set), line.height(set)), size, picture);
                }
                Part::Written(None) => {}
            }
            x += part.width(set);
        }
    }

    /// A picture in the middle of a place.
    pub(crate) fn picture(&mut self, at: (f32, f32), place: (f32, f32), size: (f32, f32), picture: &Picture) {
        let (x, y) = (at.0 + (place.0 - size.0) / 2.0, at.1 + (place.1 - size.1) / 2.0);
        self.marks.push(Mark::Picture { x, y, size, picture: picture.clone() });
    }
}
