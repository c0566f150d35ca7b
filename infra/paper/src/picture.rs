//! Pictures on a paper.

use std::io::Cursor;

use image::{
    DynamicImage, GenericImageView, ImageDecoder, ImageFormat, ImageReader, Limits, codecs::jpeg::JpegEncoder,
};
use krilla::image::Image;

/// The longer side, in pixels: 5 cm at 300 to the inch.
const LONGEST: u32 = 600;
/// The same of what fills a page: 17 cm at 300 to the inch.
const LONGEST_SCAN: u32 = 2_000;
const LONGEST_READ: u32 = 12_000;
/// Bytes that a picture may take while it is read.
const MOST_MEMORY: u64 = 160 << 20;
const QUALITY: u8 = 88;

/// A picture, ready for papers. Cloning is cheap; the same on many papers is read once.
#[derive(Debug, Clone)]
pub struct Picture {
    pub(crate) image: Image,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

impl Picture {
    /// Reads a JPEG or PNG and draws it anew, upright and no larger than a paper needs: what else its file holds (place,
    /// camera, other bytes) does not come along. None when it cannot be read, or is larger than memory should bear.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        Self::within(bytes, LONGEST)
    }

    /// The same of a page that was scanned, sharp enough to be read.
    pub fn scan(bytes: &[u8]) -> Option<Self> {
        Self::within(bytes, LONGEST_SCAN)
    }

    fn within(bytes: &[u8], longest: u32) -> Option<Self> {
        let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
        let mut limits = Limits::default();
        limits.max_image_width = Some(LONGEST_READ);
        limits.max_image_height = Some(LONGEST_READ);
        limits.max_alloc = Some(MOST_MEMORY);
        reader.limits(limits);
        if !matches!(reader.format(), Some(ImageFormat::Jpeg | ImageFormat::Png)) {
            return None;
        }
        let mut decoder = reader.into_decoder().ok()?;
        // The limit above counts what the decoder itself needs, and not the pixels.
        if decoder.total_bytes() > MOST_MEMORY {
            return None;
        }
        let orientation = decoder.orientation().ok()?;
        let mut picture = DynamicImage::from_decoder(decoder).ok()?;
        if picture.width().max(picture.height()) > longest {
            picture = picture.thumbnail(longest, longest);
        }
        picture.apply_orientation(orientation);
        let (width, height) = picture.dimensions();
        let seen_through = picture.color().has_alpha() && picture.to_rgba8().pixels().any(|pixel| pixel.0[3] < u8::MAX);
        let image = if seen_through {
            let mut png = Cursor::new(Vec::new());
            picture.write_to(&mut png, ImageFormat::Png).ok()?;
            Image::from_png(png.into_inner().into(), true).ok()?
        } else {
            let mut jpeg = Vec::new();
            picture.into_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, QUALITY)).ok()?;
            Image::from_jpeg(jpeg.into(), true).ok()?
        };
        // At most LONGEST, which a float holds.
        Some(Self { image, width: width as f32, height: height as f32 })
    }

    /// As large as it fits into a place, without distortion.
    pub(crate) fn fitted(&self, width: f32, height: f32) -> (f32, f32) {
        let factor = (width / self.width).min(height / self.height);
        (self.width * factor, self.height * factor)
    }
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage, Rgba, RgbaImage};

    use super::*;

    fn png(picture: DynamicImage) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn a_picture_that_unpacks_to_too_much_is_not_read() {
        let small = image::DynamicImage::ImageRgba16(image::ImageBuffer::new(5_000, 5_000));
        assert!(Picture::read(&png(small)).is_none(), "two hundred million bytes");
    }

    #[test]
    fn a_large_picture_is_made_smaller_in_its_shape() {
        let picture = Picture::read(&png(RgbImage::from_pixel(1600, 2400, Rgb([200, 30, 30])).into())).unwrap();
        assert_eq!((picture.width, picture.height), (400.0, 600.0));
        assert_eq!(picture.fitted(100.0, 300.0), (100.0, 150.0));
    }

    #[test]
    fn a_seal_may_be_seen_through() {
        assert!(Picture::read(&png(RgbaImage::from_pixel(40, 40, Rgba([200, 30, 30, 90])).into())).is_some());
    }

    #[test]
    fn what_is_no_picture_is_none() {
        assert!(Picture::read(b"%PDF-1.7").is_none());
        assert!(Picture::read(&png(RgbImage::new(20, 20).into())[..40]).is_none());
        assert!(Picture::read(&png(RgbImage::new(LONGEST_READ + 1, 1).into())).is_none());
    }
}
