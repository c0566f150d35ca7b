//! A lecturer as list, view and export show them, and what an operator types of one (01 §9.5).

use infra::{Error, Result, clock::Moment, mask, naming::tidy};
use poem_openapi::{Object, types::Example};

/// A lecturer.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Lecturer {
    /// 编号
    pub id: i64,
    /// 姓名
    pub lecturer_name: String,
    /// 手机
    pub phone: String,
    /// 邮箱
    pub email: Option<String>,
    /// 职位
    pub position: Option<String>,
    /// 头像
    pub head_img: Option<String>,
    /// 简介
    pub introduce: Option<String>,
    /// 分成比例
    pub lecturer_proportion: f64,
    /// 课程数
    pub course_count: i64,
    /// 收入(分)
    /// 累计收入，已扣除退款收回的部分；没有网站账号的讲师为空
    pub total_income: Option<i64>,
    /// 可提现(分)
    pub available: Option<i64>,
    /// 冻结(分)
    pub frozen: Option<i64>,
    /// 已提现(分)
    pub withdrawn: Option<i64>,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl Lecturer {
    /// As lists show them; the whole values are one call for one person (05 E4).
    pub fn mask(&mut self) {
        self.phone = mask::phone(&self.phone);
        self.email = self.email.as_deref().map(mask::email);
    }
}

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct LecturerForm {
    /// 姓名
    #[oai(validator(max_length = 30))]
    pub lecturer_name: String,
    /// 手机
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]([0-9]{4}|[*]{4})[0-9]{4}$"))]
    pub phone: String,
    /// 邮箱
    /// 例如 name@example.com
    #[oai(validator(max_length = 100, pattern = "^[^@ ]+@[^@ ]+[.][^@ ]+$"))]
    pub email: Option<String>,
    /// 职位
    #[oai(validator(max_length = 50))]
    pub position: Option<String>,
    /// 头像
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub head_img: Option<String>,
    /// 分成比例
    /// 0至1，最多四位小数
    #[oai(validator(minimum(value = "0"), maximum(value = "1")))]
    pub lecturer_proportion: Option<f64>,
    /// 简介
    #[oai(validator(max_length = 2000))]
    pub introduce: Option<String>,
}

impl Example for LecturerForm {
    fn example() -> Self {
        Self {
            lecturer_name: "陈老师".to_owned(),
            phone: "13900000003".to_owned(),
            email: None,
            position: Some("高级讲师".to_owned()),
            head_img: None,
            lecturer_proportion: Some(0.7),
            introduce: None,
        }
    }
}

/// The form with phone and address whole, and the part of each sale: `usual` when none was typed.
///
/// # Errors
/// 422 at the field: a mask that is not the stored value's, a part finer than four places.
pub fn completed(mut form: LecturerForm, before: Option<&Lecturer>, usual: f64) -> Result<(LecturerForm, f64)> {
    form.lecturer_name = tidy(&form.lecturer_name);
    let phone = mask::kept(Some(form.phone), before.map(|before| before.phone.as_str()), mask::phone);
    form.phone = phone.unwrap_or_default();
    if form.phone.contains('*') {
        return Err(Error::field("phone", "请填写完整的手机号"));
    }
    form.email = mask::kept(form.email, before.and_then(|before| before.email.as_deref()), mask::email);
    if form.email.as_ref().is_some_and(|address| address.contains('*')) {
        return Err(Error::field("email", "请填写完整的邮箱，不修改时保留原内容"));
    }
    let proportion = form.lecturer_proportion.unwrap_or(usual);
    // Not a validator: a ten-thousandth is no binary float, so its multiples cannot be told by dividing.
    if ((proportion * 10_000.0).round() / 10_000.0 - proportion).abs() > 1e-9 {
        return Err(Error::field("lecturerProportion", "分成比例最多四位小数"));
    }
    Ok((form, proportion))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(lecturer_proportion: Option<f64>) -> Result<f64> {
        completed(LecturerForm { lecturer_proportion, ..LecturerForm::example() }, None, 0.7).map(|(_, part)| part)
    }

    #[test]
    fn the_usual_part_holds_until_one_is_typed() {
        assert_eq!(with(None), Ok(0.7));
        assert_eq!(with(Some(0.0)), Ok(0.0));
        assert_eq!(with(Some(0.6667)), Ok(0.6667));
        assert_eq!(with(Some(0.66667)).map_err(|error| error.code), Err(422));
    }

    #[test]
    fn a_mask_is_no_phone() {
        let masked = LecturerForm { phone: "139****0003".to_owned(), ..LecturerForm::example() };
        assert_eq!(completed(masked, None, 0.7).map(|_| ()).map_err(|error| error.code), Err(422));
    }
}
