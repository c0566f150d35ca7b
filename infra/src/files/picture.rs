//! Pictures: checked by content, written anew without what people did not mean to send.

use image::{ImageFormat, ImageReader};
use poem_openapi::{Multipart, Object, types::multipart::Upload};

use super::extension_of;
use crate::{Error, Result};

/// A picture's bytes stay below 2 MiB (01 §4.2.1).
pub(super) const PICTURE_BYTES: u64 = 2_097_152;
const PICTURE_PIXELS: u64 = 40_000_000;

/// A stored picture.
#[derive(Debug, Object)]
pub(super) struct Picture {
    /// 地址
    pub(super) url: String,
    /// 键
    pub(super) key: String,
    /// 宽
    pub(super) width: u32,
    /// 高
    pub(super) height: u32,
}

#[derive(Debug, Multipart)]
pub(super) struct PictureForm {
    /// 图片
    #[oai(rename = "picFile")]
    pub(super) pic_file: Upload,
}

/// Type by the bytes; name and declared type must agree. What people did not mean to send (place, camera) is removed
/// by writing the pixels anew.
pub(super) fn read_picture(name: &str, declared: &str, bytes: Vec<u8>) -> Result<(Vec<u8>, ImageFormat, u32, u32)> {
    let refused = || Error::refused("不支持上传该文件格式");
    let format = image::guess_format(&bytes).map_err(|_| refused())?;
    let (extensions, types): (&[&str], &[&str]) = match format {
        ImageFormat::Jpeg => (&["jpg", "jpeg"], &["image/jpeg"]),
        ImageFormat::Png => (&["png"], &["image/png"]),
        ImageFormat::Gif => (&["gif"], &["image/gif"]),
        ImageFormat::Ico => (&["ico", "icon"], &["image/x-icon", "image/vnd.microsoft.icon", "image/icon"]),
        _ => return Err(refused()),
    };
    if !extensions.contains(&extension_of(name).as_str()) || !types.contains(&declared) {
        return Err(refused());
    }
    let (width, height) =
        ImageReader::with_format(std::io::Cursor::new(&bytes), format).into_dimensions().map_err(|_| refused())?;
    if u64::from(width) * u64::from(height) > PICTURE_PIXELS {
        return Err(Error::refused("图片不能超过4000万像素"));
    }
    if !matches!(format, ImageFormat::Jpeg | ImageFormat::Png) {
        return Ok((bytes, format, width, height));
    }
    let picture = image::load_from_memory_with_format(&bytes, format).map_err(|_| refused())?;
    let mut clean = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut clean, format).map_err(Error::internal)?;
    Ok((clean.into_inner(), format, width, height))
}
