//! 素材: how large a file of each kind may be, and what an article is (01 §9.9).

use infra::{Error, Result};

use crate::enums::GzhMaterialType;

/// So many articles are one material.
pub const MOST_ARTICLES: usize = 8;
/// Seconds of a voice.
const VOICE_SECONDS: i32 = 60;

/// The extensions of a kind's files and how many MiB one may have; none for articles.
pub const fn limits(kind: GzhMaterialType) -> Option<(&'static [&'static str], i64)> {
    match kind {
        GzhMaterialType::Image => Some((&["jpg", "jpeg", "png", "gif"], 2)),
        GzhMaterialType::Voice => Some((&["mp3", "wma", "wav", "amr"], 2)),
        GzhMaterialType::Video => Some((&["mp4"], 10)),
        GzhMaterialType::News => None,
    }
}

/// What a material is made of: a file, or articles.
///
/// # Errors
/// 422 at the field for a file that is missing, a voice without or with more than 60 seconds, and articles that are none or too many.
pub fn whole(kind: GzhMaterialType, has_file: bool, seconds: Option<i32>, articles: usize) -> Result<()> {
    match kind {
        GzhMaterialType::News if articles == 0 => Err(Error::field("articles", "请至少添加一篇图文")),
        GzhMaterialType::News if articles > MOST_ARTICLES => {
            Err(Error::field("articles", format!("图文不能超过{MOST_ARTICLES}篇")))
        }
        GzhMaterialType::News => Ok(()),
        _ if !has_file => Err(Error::field("fileKey", "请上传文件")),
        GzhMaterialType::Voice => match seconds {
            Some(1..=VOICE_SECONDS) => Ok(()),
            _ => Err(Error::field("durationSeconds", format!("语音时长应为1至{VOICE_SECONDS}秒"))),
        },
        GzhMaterialType::Image | GzhMaterialType::Video => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(outcome: Result<()>) -> Option<i32> {
        outcome.err().map(|error| error.code)
    }

    #[test]
    fn each_kind_has_what_it_is_made_of() {
        assert_eq!(code(whole(GzhMaterialType::Image, true, None, 0)), None);
        assert_eq!(code(whole(GzhMaterialType::Image, false, None, 0)), Some(422));
        assert_eq!(code(whole(GzhMaterialType::Voice, true, Some(60), 0)), None);
        assert_eq!(code(whole(GzhMaterialType::Voice, true, Some(61), 0)), Some(422));
        assert_eq!(code(whole(GzhMaterialType::Voice, true, None, 0)), Some(422));
        assert_eq!(code(whole(GzhMaterialType::News, false, None, 1)), None);
        assert_eq!(code(whole(GzhMaterialType::News, false, None, 0)), Some(422));
        assert_eq!(code(whole(GzhMaterialType::News, false, None, 9)), Some(422));
    }

    #[test]
    fn files_have_their_sizes() {
        assert_eq!(limits(GzhMaterialType::Voice).map(|(_, most)| most), Some(2));
        assert_eq!(limits(GzhMaterialType::Video).map(|(_, most)| most), Some(10));
        assert_eq!(limits(GzhMaterialType::News), None);
    }
}
