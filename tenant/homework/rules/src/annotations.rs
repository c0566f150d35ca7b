//! 批注: marks of a marker on the words or the files of an answer (part 03 B7).

use infra::{Error, Result};
use poem_openapi::Object;

use crate::enums::AnnotationKind;

/// Of one answer.
const MOST: usize = 200;
const LONGEST: usize = 500;

/// Where an annotation stands: in the words from one character to another, or on a page of a file, of whose width and height
/// the rest are parts.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct Anchor {
    /// 起始字符
    #[oai(skip_serializing_if_is_none)]
    pub start: Option<i32>,
    /// 结束字符
    #[oai(skip_serializing_if_is_none)]
    pub end: Option<i32>,
    /// 附件
    #[oai(skip_serializing_if_is_none)]
    pub file_id: Option<i64>,
    /// 页码
    #[oai(skip_serializing_if_is_none)]
    pub page: Option<i32>,
    /// 横向位置
    /// 0至1
    #[oai(skip_serializing_if_is_none)]
    pub x: Option<f64>,
    /// 纵向位置
    /// 0至1
    #[oai(skip_serializing_if_is_none)]
    pub y: Option<f64>,
    /// 宽
    /// 0至1
    #[oai(skip_serializing_if_is_none)]
    pub w: Option<f64>,
    /// 高
    /// 0至1
    #[oai(skip_serializing_if_is_none)]
    pub h: Option<f64>,
}

/// A mark of a marker.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct Annotation {
    /// 类型
    pub kind: AnnotationKind,
    /// 位置
    pub anchor: Anchor,
    /// 文字
    #[oai(default)]
    pub text: String,
    /// 颜色
    #[oai(default, validator(max_length = 20))]
    pub color: String,
}

impl Anchor {
    fn is_right(&self) -> bool {
        let part = |value: Option<f64>| value.is_some_and(|value| (0.0..=1.0).contains(&value));
        match (self.start, self.end, self.file_id) {
            (Some(start), Some(end), None) => 0 <= start && start <= end,
            (None, None, Some(_)) => {
                self.page.is_none_or(|page| page >= 1) && [self.x, self.y, self.w, self.h].into_iter().all(part)
            }
            _ => false,
        }
    }
}

/// # Errors
/// 422 at the field for too many, too long or misplaced ones, and for files that the answer does not have.
pub fn check(annotations: &[Annotation], files: &[i64], field: &str) -> Result<()> {
    if annotations.len() > MOST {
        return Err(Error::field(field, format!("每题最多{MOST}个批注")));
    }
    for annotation in annotations {
        if annotation.text.chars().count() > LONGEST {
            return Err(Error::field(field, format!("批注文字不能超过{LONGEST}个字符")));
        }
        let strange = annotation.anchor.file_id.is_some_and(|file| !files.contains(&file));
        if strange || !annotation.anchor.is_right() {
            return Err(Error::field(field, "批注的位置不正确，请重新标注"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(anchor: Anchor) -> Annotation {
        Annotation { kind: AnnotationKind::Comment, anchor, text: "论据不足".to_owned(), color: String::new() }
    }

    #[test]
    fn an_annotation_stands_in_words_or_on_a_file() {
        let words = Anchor { start: Some(3), end: Some(9), ..Anchor::default() };
        let corner = Anchor { x: Some(0.1), y: Some(0.2), w: Some(0.3), h: Some(0.0), ..Anchor::default() };
        let page = Anchor { file_id: Some(7), page: Some(1), ..corner };
        let told = |anchor: &Anchor| check(&[at(anchor.clone())], &[7], "annotations").is_ok();
        assert!(told(&words) && told(&page));
        assert!(!told(&Anchor { end: Some(2), ..words.clone() }), "it ends before it begins");
        assert!(!told(&Anchor { file_id: Some(8), ..page.clone() }), "another's file");
        assert!(!told(&Anchor { x: Some(1.5), ..page }), "beside the page");
        assert!(!told(&Anchor::default()));
        let long = Annotation { text: "长".repeat(501), ..at(words.clone()) };
        assert!(check(&[long], &[], "annotations").is_err());
        assert!(check(&vec![at(words); 201], &[], "annotations").is_err());
    }
}
