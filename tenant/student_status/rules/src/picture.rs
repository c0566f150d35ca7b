//! A student's photo: what it must be, and how it is written anew without what the camera added (02 §9.8).

use std::io::Cursor;

use image::{DynamicImage, ExtendedColorType, ImageDecoder, ImageFormat, ImageReader, codecs::jpeg::JpegEncoder};

use crate::enums::PhotoKind;

/// The largest picture, in bytes.
pub const MOST_BYTES: usize = 2 << 20;
/// A picture of more is not decoded at all.
const MOST_PIXELS: u64 = 40_000_000;
const SMALLEST: (u32, u32) = (150, 200);
/// 学历照片 exactly.
const GRADUATION: (u32, u32) = (480, 640);
const GRADUATION_BYTES: std::ops::RangeInclusive<usize> = 10 << 10..=500 << 10;
const QUALITY: u8 = 92;

/// A picture as it is kept.
#[derive(Debug)]
pub struct Picture {
    pub bytes: Vec<u8>,
    pub content_type: &'static str,
    pub extension: &'static str,
}

/// Decodes a picture, checks it and writes its pixels anew.
///
/// # Errors
/// The sentence for the list of invalid pictures.
pub fn read(kind: PhotoKind, bytes: &[u8]) -> Result<Picture, String> {
    if bytes.len() > MOST_BYTES {
        return Err("图片不能超过2MB".to_owned());
    }
    if kind == PhotoKind::Graduation && !GRADUATION_BYTES.contains(&bytes.len()) {
        return Err("学历照片大小应在10KB到500KB之间".to_owned());
    }
    let unreadable = |_| "图片无法识别，请使用jpg或png格式".to_owned();
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| unreadable(()))?;
    let format = reader.format().filter(|format| matches!(format, ImageFormat::Jpeg | ImageFormat::Png));
    let format = format.ok_or_else(|| unreadable(()))?;
    let mut decoder = reader.into_decoder().map_err(|_| unreadable(()))?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err("图片不能超过4000万像素".to_owned());
    }
    if kind == PhotoKind::Graduation && decoder.original_color_type() != ExtendedColorType::Rgb8 {
        return Err("学历照片应为彩色照片（三通道）".to_owned());
    }
    // What a phone noted beside the pixels is lost with the rest, so it is obeyed first.
    let orientation = decoder.orientation().unwrap_or(image::metadata::Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|_| unreadable(()))?;
    picture.apply_orientation(orientation);
    measures(kind, picture.width(), picture.height())?;
    let mut clean = Cursor::new(Vec::new());
    let written = match format {
        ImageFormat::Png => picture.write_to(&mut clean, ImageFormat::Png),
        _ => picture.write_with_encoder(JpegEncoder::new_with_quality(&mut clean, QUALITY)),
    };
    written.map_err(|_| unreadable(()))?;
    let (content_type, extension) = match format {
        ImageFormat::Png => ("image/png", "png"),
        _ => ("image/jpeg", "jpg"),
    };
    Ok(Picture { bytes: clean.into_inner(), content_type, extension })
}

/// 3:4 within five in a hundred and not too small; 学历照片 exactly 480×640.
fn measures(kind: PhotoKind, width: u32, height: u32) -> Result<(), String> {
    if kind == PhotoKind::Graduation {
        return if (width, height) == GRADUATION {
            Ok(())
        } else {
            Err(format!("学历照片应为480×640像素，实际为{width}×{height}"))
        };
    }
    if width < SMALLEST.0 || height < SMALLEST.1 {
        return Err(format!("图片不能小于150×200像素，实际为{width}×{height}"));
    }
    // width / height against 3 / 4, without a division.
    let (is, wanted) = (u64::from(width) * 400, u64::from(height) * 300);
    if is.abs_diff(wanted) * 100 > wanted * 5 {
        return Err(format!("图片宽高比应为3:4，实际为{width}×{height}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, RgbImage};

    use super::*;

    fn jpeg(width: u32, height: u32) -> Vec<u8> {
        let noise = RgbImage::from_fn(width, height, |x, y| {
            let value = (x.wrapping_mul(7919) ^ y.wrapping_mul(104_729)).to_le_bytes();
            image::Rgb([value[0], value[1], value[0] ^ value[1]])
        });
        let mut bytes = Vec::new();
        noise.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 60)).unwrap();
        bytes
    }

    fn told(kind: PhotoKind, bytes: &[u8]) -> String {
        read(kind, bytes).err().unwrap_or_default()
    }

    #[test]
    fn a_right_picture_is_written_anew() {
        let picture = read(PhotoKind::Enrol, &jpeg(300, 400)).unwrap();
        assert_eq!((picture.content_type, picture.extension), ("image/jpeg", "jpg"));
        assert!(!picture.bytes.windows(4).any(|part| part == b"Exif"));
        let mut png = Cursor::new(Vec::new());
        RgbImage::new(150, 200).write_to(&mut png, ImageFormat::Png).unwrap();
        assert_eq!(read(PhotoKind::Admission, &png.into_inner()).unwrap().extension, "png");
    }

    #[test]
    fn the_ratio_has_five_in_a_hundred() {
        assert_eq!(measures(PhotoKind::Enrol, 300, 400), Ok(()));
        assert_eq!(measures(PhotoKind::Enrol, 315, 400), Ok(()));
        assert_eq!(measures(PhotoKind::Enrol, 285, 400), Ok(()));
        assert!(measures(PhotoKind::Enrol, 316, 400).is_err());
        assert!(measures(PhotoKind::Enrol, 284, 400).is_err());
        assert_eq!(measures(PhotoKind::Enrol, 400, 400).unwrap_err(), "图片宽高比应为3:4，实际为400×400");
        assert_eq!(measures(PhotoKind::Enrol, 149, 200).unwrap_err(), "图片不能小于150×200像素，实际为149×200");
    }

    #[test]
    fn the_graduation_photo_is_exact() {
        let right = jpeg(480, 640);
        assert!(GRADUATION_BYTES.contains(&right.len()), "{}", right.len());
        assert_eq!(told(PhotoKind::Graduation, &right), "");
        assert_eq!(told(PhotoKind::Graduation, &jpeg(600, 800)), "学历照片应为480×640像素，实际为600×800");
        assert_eq!(told(PhotoKind::Graduation, &right[..9000]), "学历照片大小应在10KB到500KB之间");
        let grey =
            GrayImage::from_fn(480, 640, |x, y| image::Luma([(x.wrapping_mul(7919) ^ y.wrapping_mul(104_729)) as u8]));
        let mut bytes = Vec::new();
        grey.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 60)).unwrap();
        assert_eq!(told(PhotoKind::Graduation, &bytes), "学历照片应为彩色照片（三通道）");
    }

    #[test]
    fn what_is_no_picture_is_told() {
        assert_eq!(told(PhotoKind::Enrol, b"GIF89a"), "图片无法识别，请使用jpg或png格式");
        assert_eq!(told(PhotoKind::Enrol, &jpeg(300, 400)[..100]), "图片无法识别，请使用jpg或png格式");
        assert_eq!(told(PhotoKind::Enrol, &vec![0; MOST_BYTES + 1]), "图片不能超过2MB");
    }
}
