//! What stands on a poster that people share (01 §9.1): a picture of 750×1334 points, and on it a QR code and what belongs to what is
//! shared.

use infra::{Error, FieldError, Result, enumeration};
use poem_openapi::{
    Object,
    types::{Example, ParseFromJSON, ToJSON},
};
use serde_json::Value;

/// Points of a poster.
const WIDTH: i32 = 750;
const HEIGHT: i32 = 1334;

enumeration! {
    /// 海报元素
    pub enum PosterElementKind = "posterElementKind" {
        Qr = "qr" "二维码",
        Avatar = "avatar" "头像",
        Nickname = "nickname" "昵称",
        Title = "title" "标题",
        Price = "price" "价格",
        Cover = "cover" "封面",
    }
}

/// Something on a poster; its place is that of its upper left corner.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(example)]
pub struct PosterElement {
    /// 元素
    pub kind: PosterElementKind,
    /// 左边距
    #[oai(validator(minimum(value = "0"), maximum(value = "749")))]
    pub x: i32,
    /// 上边距
    #[oai(validator(minimum(value = "0"), maximum(value = "1333")))]
    pub y: i32,
    /// 宽度
    #[oai(validator(minimum(value = "1"), maximum(value = "750")))]
    pub w: i32,
    /// 高度
    #[oai(validator(minimum(value = "1"), maximum(value = "1334")))]
    pub h: i32,
    /// 文字颜色
    /// 例如 #333333；二维码、头像和封面不用填写
    #[oai(validator(pattern = "^#[0-9a-fA-F]{6}$"))]
    pub color: Option<String>,
    /// 字号
    /// 二维码、头像和封面不用填写
    #[oai(validator(minimum(value = "12"), maximum(value = "120")))]
    pub size: Option<i32>,
}

impl Example for PosterElement {
    fn example() -> Self {
        Self { kind: PosterElementKind::Qr, x: 275, y: 1000, w: 200, h: 200, color: None, size: None }
    }
}

/// # Errors
/// 422 at `elements` without a QR code, and for each element that reaches beyond the picture.
pub fn check(elements: &[PosterElement]) -> Result<()> {
    let mut wrong = Vec::new();
    if !elements.iter().any(|element| element.kind == PosterElementKind::Qr) {
        wrong.push("海报上必须有二维码".to_owned());
    }
    let outside = elements.iter().enumerate().filter(|(_, element)| {
        let PosterElement { x, y, w, h, .. } = **element;
        x < 0 || y < 0 || x.saturating_add(w) > WIDTH || y.saturating_add(h) > HEIGHT
    });
    wrong.extend(outside.map(|(place, element)| format!("第{}个元素“{}”超出了海报范围", place + 1, element.kind.zh())));
    if wrong.is_empty() {
        return Ok(());
    }
    let at = |message| FieldError { field: "elements".to_owned(), message };
    Err(Error::fields(wrong.into_iter().map(at).collect()))
}

/// As the table keeps them.
pub fn to_stored(elements: &[PosterElement]) -> Value {
    Value::Array(elements.iter().filter_map(ToJSON::to_json).collect())
}

/// # Errors
/// An internal one for what no poster can have.
pub fn stored(value: Value) -> Result<Vec<PosterElement>> {
    Vec::<PosterElement>::parse_from_json(Some(value)).map_err(|error| Error::internal(error.into_message()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(kind: PosterElementKind, x: i32, y: i32, w: i32, h: i32) -> PosterElement {
        PosterElement { kind, x, y, w, h, color: None, size: None }
    }

    #[test]
    fn a_poster_has_a_code_and_nothing_beyond_its_edges() {
        let code = at(PosterElementKind::Qr, 550, 1134, 200, 200);
        assert_eq!(check(&[code.clone()]), Ok(()));
        let told = |elements: &[PosterElement]| check(elements).expect_err("a refusal").data;
        let without = told(&[at(PosterElementKind::Title, 0, 0, 750, 80)]);
        assert_eq!(without[0]["message"], "海报上必须有二维码");
        let beyond = told(&[code, at(PosterElementKind::Price, 551, 0, 200, 40)]);
        assert_eq!(beyond[0]["message"], "第2个元素“价格”超出了海报范围");
        let below = told(&[at(PosterElementKind::Qr, 0, 1135, 200, 200)]);
        assert_eq!(below[0]["message"], "第1个元素“二维码”超出了海报范围");
    }

    #[test]
    fn what_is_stored_is_read_again() {
        let elements = vec![PosterElement::example(), at(PosterElementKind::Avatar, 40, 40, 96, 96)];
        assert_eq!(stored(to_stored(&elements)), Ok(elements));
    }
}
