//! From laid pages to the bytes of a PDF.

use krilla::{
    Document,
    geom::{PathBuilder, Point, Size, Transform},
    metadata::Metadata,
    page::PageSettings,
    paint::{Fill, Stroke},
    surface::Surface,
    text::{GlyphId, KrillaGlyph},
};

use crate::{
    PaperError,
    face::FACE,
    leaf::{Format, Leaf, Mark},
    text::stand_apart,
};

/// How thick the stroke is that makes letters bold, in their size.
const BOLD: f32 = 0.035;

pub(crate) fn document(title: &str, leaves: &[Leaf], format: Format) -> Result<Vec<u8>, PaperError> {
    let settings =
        PageSettings::from_wh(format.width, format.height).ok_or_else(|| PaperError("no size of a page".to_owned()))?;
    let mut document = Document::new();
    document.set_metadata(Metadata::new().title(title.to_owned()).language("zh-CN".to_owned()));
    for leaf in leaves {
        let mut page = document.start_page_with(settings.clone());
        let mut surface = page.surface();
        for mark in &leaf.marks {
            draw(&mut surface, mark);
        }
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|error| PaperError(error.to_string()))
}

fn draw(surface: &mut Surface, mark: &Mark) {
    match mark {
        Mark::Text { x, baseline, size, bold, text, spread } => {
            surface.set_fill(Some(Fill::default()));
            surface.set_stroke(bold.then(|| Stroke { width: size * BOLD, ..Stroke::default() }));
            let glyphs = glyphs(text, spread / size);
            surface.draw_glyphs(Point::from_xy(*x, *baseline), &glyphs, FACE.font.clone(), text, *size, false);
        }
        Mark::Upward { x, y, size, text } => {
            surface.set_fill(Some(Fill::default()));
            surface.set_stroke(None);
            surface.push_transform(&Transform::from_row(0.0, -1.0, 1.0, 0.0, *x, *y));
            surface.draw_glyphs(Point::from_xy(0.0, 0.0), &glyphs(text, 0.0), FACE.font.clone(), text, *size, false);
            surface.pop();
        }
        Mark::Rule { from, to, width } => {
            let mut path = PathBuilder::new();
            path.move_to(from.0, from.1);
            path.line_to(to.0, to.1);
            if let Some(path) = path.finish() {
                surface.set_fill(None);
                surface.set_stroke(Some(Stroke { width: *width, ..Stroke::default() }));
                surface.draw_path(&path);
            }
        }
        Mark::Picture { x, y, size, picture } => {
            if let Some(size) = Size::from_wh(size.0, size.1) {
                surface.push_transform(&Transform::from_translate(*x, *y));
                surface.draw_image(picture.image.clone(), size);
                surface.pop();
            }
        }
    }
}

/// The glyphs of a line, with room between signs that stand apart, in ems.
fn glyphs(text: &str, spread: f32) -> Vec<KrillaGlyph> {
    let mut glyphs = Vec::with_capacity(text.len() / 2);
    let mut signs = text.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        let (glyph, width) = FACE.glyph(sign);
        let apart = signs.peek().is_some_and(|(_, next)| stand_apart(sign, *next));
        let advance = if apart { width + spread } else { width };
        let range = at..at + sign.len_utf8();
        glyphs.push(KrillaGlyph::new(GlyphId::new(glyph), advance, 0.0, 0.0, 0.0, range, None));
    }
    glyphs
}
