//! Lines that somebody signs.

use crate::{
    face::FACE,
    leaf::{MM, Set},
    picture::Picture,
};

const WRITTEN_WIDTH: f32 = 34.0 * MM;
const WRITTEN_HEIGHT: f32 = 12.0 * MM;

/// A line of words and of places in which somebody writes, for example `本人签名：____ 2026年3月1日`.
#[derive(Debug, Clone, Default)]
pub struct Line {
    pub(crate) parts: Vec<Part>,
}

#[derive(Debug, Clone)]
pub(crate) enum Part {
    Words(String),
    /// What was written; none leaves the place to a pen.
    Written(Option<Picture>),
}

impl Line {
    pub fn of(words: impl Into<String>) -> Self {
        Self::default().words(words)
    }

    #[must_use]
    pub fn words(mut self, words: impl Into<String>) -> Self {
        self.parts.push(Part::Words(words.into()));
        self
    }

    /// A place for a signature, with it or to be signed by hand.
    #[must_use]
    pub fn signature(mut self, written: Option<&Picture>) -> Self {
        self.parts.push(Part::Written(written.cloned()));
        self
    }

    pub(crate) fn width(&self, set: Set) -> f32 {
        self.parts.iter().map(|part| part.width(set)).sum()
    }

    pub(crate) fn height(&self, set: Set) -> f32 {
        let signed = self.parts.iter().any(|part| matches!(part, Part::Written(_)));
        if signed { WRITTEN_HEIGHT } else { set.leading }
    }
}

impl Part {
    pub(crate) fn width(&self, set: Set) -> f32 {
        match self {
            Self::Words(words) => FACE.width(words) * set.size,
            Self::Written(_) => WRITTEN_WIDTH,
        }
    }
}
