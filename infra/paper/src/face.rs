//! The face in which papers are set: Noto Serif SC, a Song face as official forms have it (`font/README.md`).

use std::sync::LazyLock;

use krilla::text::Font;
use skrifa::{
    FontRef, MetadataProvider,
    charmap::Charmap,
    instance::{LocationRef, Size},
    metrics::GlyphMetrics,
};

static BYTES: &[u8] = include_bytes!("../font/NotoSerifSC-Regular.otf");

/// How far letters reach above their line, in their size.
pub(crate) const ASCENT: f32 = 0.88;

pub(crate) static FACE: LazyLock<Face> = LazyLock::new(|| {
    let face = FontRef::new(BYTES).expect("the face is part of the program");
    Face {
        units: face.metrics(Size::unscaled(), LocationRef::default()).units_per_em.into(),
        letters: face.charmap(),
        widths: face.glyph_metrics(Size::unscaled(), LocationRef::default()),
        font: Font::new(BYTES.into(), 0).expect("the face is part of the program"),
    }
});

pub(crate) struct Face {
    pub(crate) font: Font,
    units: f32,
    letters: Charmap<'static>,
    widths: GlyphMetrics<'static>,
}

impl Face {
    /// The glyph of a sign and its width in ems. What the face lacks is a box, so that one sees that something is missing.
    pub(crate) fn glyph(&self, sign: char) -> (u32, f32) {
        let glyph = self.letters.map(sign).unwrap_or_default();
        (glyph.to_u32(), self.widths.advance_width(glyph).map_or(1.0, |width| width / self.units))
    }

    /// How wide a text is in one line, in ems.
    pub(crate) fn width(&self, text: &str) -> f32 {
        text.chars().map(|sign| self.glyph(sign).1).sum()
    }
}
