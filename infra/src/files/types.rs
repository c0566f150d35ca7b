//! Which files are taken, and which of them anybody may read: by the extension of their name and the type that they are
//! stored under.

use super::FileType;
use crate::{Error, Result};

/// Programs never, whatever the purpose (01 §4.2.2).
pub(super) const REFUSED: [&str; 26] = [
    "exe", "dll", "bat", "cmd", "com", "msi", "scr", "sh", "ps1", "vbs", "wsf", "hta", "js", "mjs", "jar", "php",
    "swf", "htm", "html", "xhtml", "xht", "shtml", "mht", "mhtml", "svg", "svgz",
];

/// What a browser says of a file that it does not know: it is only ever saved.
const UNKNOWN: &str = "application/octet-stream";

/// The extensions of public files, with the types that they may be stored and read under. A bucket serves a public file
/// under its stored type from an address that people trust, so nothing stands here that a browser runs or guesses at
/// (pages, drawings with script, XML, plain text).
const PUBLIC_TYPES: [(&str, &[&str]); 25] = [
    ("jpg", &["image/jpeg"]),
    ("jpeg", &["image/jpeg"]),
    ("png", &["image/png"]),
    ("gif", &["image/gif"]),
    ("ico", &["image/x-icon", "image/vnd.microsoft.icon"]),
    ("mp4", &["video/mp4"]),
    ("mov", &["video/quicktime"]),
    ("avi", &["video/avi", "video/msvideo", "video/x-msvideo", "video/vnd.avi"]),
    ("flv", &["video/x-flv"]),
    ("wmv", &["video/x-ms-wmv"]),
    ("mkv", &["video/x-matroska", "video/matroska"]),
    ("mpg", &["video/mpeg"]),
    ("3gp", &["video/3gpp"]),
    ("mp3", &["audio/mpeg", "audio/mp3"]),
    ("m4a", &["audio/mp4", "audio/x-m4a"]),
    ("wav", &["audio/wav", "audio/x-wav", "audio/vnd.wave"]),
    ("pdf", &["application/pdf"]),
    ("doc", &["application/msword"]),
    ("docx", &["application/vnd.openxmlformats-officedocument.wordprocessingml.document"]),
    ("xls", &["application/vnd.ms-excel"]),
    ("xlsx", &["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"]),
    ("ppt", &["application/vnd.ms-powerpoint"]),
    ("pptx", &["application/vnd.openxmlformats-officedocument.presentationml.presentation"]),
    ("zip", &["application/zip", "application/x-zip-compressed"]),
    ("rar", &["application/vnd.rar", "application/x-rar-compressed"]),
];

/// # Errors
/// 422 at `fileName` or `contentType` for what may not be public, or is no picture.
pub(super) fn is_servable(kind: FileType, extension: &str, content_type: &str) -> Result<()> {
    if kind == FileType::Private {
        return Ok(());
    }
    let known = PUBLIC_TYPES.iter().find(|(known, types)| {
        *known == extension && (kind == FileType::Public || types.iter().all(|known| known.starts_with("image/")))
    });
    known.ok_or_else(|| Error::field("fileName", "公开文件不支持该格式，请以私有附件上传"))?;
    if goes_with(extension, content_type) {
        return Ok(());
    }
    Err(Error::field("contentType", "文件内容类型与扩展名不一致，请重新选择文件"))
}

/// Whether a file of this extension may be of this type. What is not in the list goes with every type but a picture's.
pub(super) fn goes_with(extension: &str, content_type: &str) -> bool {
    let Some((_, types)) = PUBLIC_TYPES.iter().find(|(known, _)| *known == extension) else {
        return !content_type.starts_with("image/");
    };
    let is_picture = types.iter().any(|known| known.starts_with("image/"));
    types.contains(&content_type) || (content_type == UNKNOWN && !is_picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_no_browser_runs_is_public() {
        use FileType::{Picture, Private, Public};
        let told = |kind, extension: &str, content_type: &str| {
            is_servable(kind, extension, content_type)
                .map_err(|error| error.data[0]["field"].as_str().map(str::to_owned))
        };
        for (kind, extension, content_type) in [
            (Public, "pdf", "application/pdf"),
            (Public, "mp4", "video/mp4"),
            (Public, "rar", UNKNOWN),
            (Public, "png", "image/png"),
            (Picture, "jpg", "image/jpeg"),
            (Private, "xml", "application/xml"),
        ] {
            assert_eq!(told(kind, extension, content_type), Ok(()), "{extension} {content_type}");
        }
        for (kind, extension, content_type, field) in [
            (Public, "xhtml", "application/xhtml+xml", "fileName"),
            (Public, "xml", "text/xml", "fileName"),
            (Public, "txt", "text/plain", "fileName"),
            (Public, "bin", UNKNOWN, "fileName"),
            (Picture, "pdf", "application/pdf", "fileName"),
            (Public, "pdf", "application/xhtml+xml", "contentType"),
            (Public, "png", "image/svg+xml", "contentType"),
            (Picture, "png", UNKNOWN, "contentType"),
        ] {
            assert_eq!(told(kind, extension, content_type), Err(Some(field.to_owned())), "{extension} {content_type}");
        }
    }

    #[test]
    fn a_type_goes_with_its_extension() {
        for (extension, content_type) in [("jpeg", "image/jpeg"), ("pdf", UNKNOWN), ("ofd", "application/ofd")] {
            assert!(goes_with(extension, content_type), "{extension} {content_type}");
        }
        for (extension, content_type) in [("jpg", "application/zip"), ("png", UNKNOWN), ("ofd", "image/png")] {
            assert!(!goes_with(extension, content_type), "{extension} {content_type}");
        }
    }
}
