//! What operators type of a learner and of membership, and learners of themselves (01 §9.6).

use chrono::NaiveDate;
use infra::{Error, Result, mask, naming::tidy};
use poem_openapi::{Object, types::Example};

use crate::enums::LearnerGender;

/// What an operator types of a learner.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct LearnerForm {
    /// 手机号
    /// 应为11位手机号，用于登录
    #[oai(validator(pattern = "^1[3-9][0-9]([0-9]{4}|[*]{4})[0-9]{4}$"))]
    pub phone: String,
    /// 昵称
    #[oai(validator(max_length = 30))]
    pub nickname: Option<String>,
    /// 性别
    pub gender: Option<LearnerGender>,
    /// 生日
    pub birthday: Option<NaiveDate>,
    /// 头像
    /// 请上传图片，或填写以 https:// 开头的图片地址
    #[oai(validator(
        max_length = 300,
        pattern = r"^(https://[^\s/\\?#@]+([/?#][^\s\\]*)?|/admin/files(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+)$"
    ))]
    pub head_img: Option<String>,
    /// 关联院校
    /// 学员同时是院校学生时填写
    pub linked_school_id: Option<i64>,
    /// 关联学号
    #[oai(validator(max_length = 30))]
    pub linked_student_no: Option<String>,
}

impl Example for LearnerForm {
    fn example() -> Self {
        Self {
            phone: "13900000005".to_owned(),
            nickname: Some("好学的小林".to_owned()),
            gender: Some(LearnerGender::Unknown),
            birthday: None,
            head_img: None,
            linked_school_id: None,
            linked_student_no: None,
        }
    }
}

/// What learners type of themselves.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnLearnerForm {
    /// 昵称
    #[oai(validator(max_length = 30))]
    pub nickname: Option<String>,
    /// 性别
    pub gender: Option<LearnerGender>,
    /// 生日
    pub birthday: Option<NaiveDate>,
    /// 头像
    /// 请上传图片，或填写以 https:// 开头的图片地址
    #[oai(validator(
        max_length = 300,
        pattern = r"^(https://[^\s/\\?#@]+([/?#][^\s\\]*)?|/admin/files(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+)$"
    ))]
    pub head_img: Option<String>,
}

impl Example for OwnLearnerForm {
    fn example() -> Self {
        Self {
            nickname: Some("好学的小林".to_owned()),
            gender: Some(LearnerGender::Female),
            birthday: NaiveDate::from_ymd_opt(1996, 3, 15),
            head_img: None,
        }
    }
}

/// A membership that is sold.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct VipSetForm {
    /// 名称
    #[oai(validator(min_length = 1, max_length = 20))]
    pub set_name: String,
    /// 月数
    #[oai(validator(minimum(value = "1"), maximum(value = "60")))]
    pub months: i32,
    /// 原价(分)
    #[oai(validator(minimum(value = "0"), maximum(value = "100000000")))]
    pub price_original: i64,
    /// 售价(分)
    #[oai(validator(minimum(value = "0"), maximum(value = "100000000")))]
    pub price: i64,
    /// 会员折扣
    /// 0.10至1.00，0.85即按85%付款
    #[oai(validator(minimum(value = "0.1"), maximum(value = "1")))]
    pub discount_rate: f64,
    /// 会员权益
    #[oai(validator(max_length = 500))]
    pub benefits: Option<String>,
    /// 排序
    /// 0至9999，不填为1
    #[oai(validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: Option<i32>,
}

impl Example for VipSetForm {
    fn example() -> Self {
        Self {
            set_name: "年度会员".to_owned(),
            months: 12,
            price_original: 39_900,
            price: 29_900,
            discount_rate: 0.85,
            benefits: Some("全部课程按85%付款".to_owned()),
            sort: Some(1),
        }
    }
}

/// The phone whole: what came back as its mask is the stored one.
///
/// # Errors
/// 422 when a mask came that is not the stored number's.
pub fn whole_phone(typed: String, stored: Option<&str>) -> Result<String> {
    let phone = mask::kept(Some(typed), stored, mask::phone).unwrap_or_default();
    if phone.contains('*') {
        return Err(Error::field("phone", "请填写完整的手机号"));
    }
    Ok(phone)
}

/// By these others know who speaks for the site.
const OFFICIAL: [&str; 2] = ["官方", "管理员"];

/// A nickname without idle blanks; none where nothing is left. Nobody is called like those who answer for the site, which is called
/// `site`: others would believe them.
///
/// # Errors
/// 422 at the field.
pub fn checked_nickname(typed: Option<String>, site: &str) -> Result<Option<String>> {
    let Some(name) = typed.map(|name| tidy(&name)).filter(|name| !name.is_empty()) else { return Ok(None) };
    let (read, site) = (as_read(&name), as_read(site));
    if OFFICIAL.iter().any(|word| read.contains(word)) || (!site.is_empty() && read.contains(&site)) {
        return Err(Error::field("nickname", "昵称不能含“官方”“管理员”或平台名称，请换一个"));
    }
    Ok(Some(name))
}

/// Blanks and signs between its characters make no other name.
fn as_read(name: &str) -> String {
    name.chars().filter(|each| each.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// # Errors
/// 422 for a day that has not come, or that nobody alive was born on.
pub fn checked_birthday(birthday: Option<NaiveDate>, today: NaiveDate) -> Result<()> {
    let first = NaiveDate::from_ymd_opt(1900, 1, 1).unwrap_or_default();
    match birthday {
        Some(day) if day > today || day < first => Err(Error::field("birthday", "生日应在1900年至今天之间")),
        _ => Ok(()),
    }
}

/// The form of a membership with its name tidied.
///
/// # Errors
/// 422 at the field: a price above the original one, a rate finer than a hundredth.
pub fn checked_set(mut form: VipSetForm) -> Result<VipSetForm> {
    form.set_name = tidy(&form.set_name);
    if form.set_name.is_empty() {
        return Err(Error::field("setName", "请填写名称"));
    }
    if form.price > form.price_original {
        return Err(Error::field("price", "售价不能高于原价"));
    }
    // Not a validator: a hundredth is no binary float, so its multiples cannot be told by dividing.
    if ((form.discount_rate * 100.0).round() / 100.0 - form.discount_rate).abs() > 1e-9 {
        return Err(Error::field("discountRate", "会员折扣最多两位小数"));
    }
    Ok(form)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(year: i32, month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(year, month, day).expect("a day")
    }

    #[test]
    fn a_mask_stands_for_the_stored_phone_alone() {
        assert_eq!(whole_phone("139****0005".to_owned(), Some("13900000005")).expect("kept"), "13900000005");
        assert_eq!(whole_phone("13900000006".to_owned(), Some("13900000005")).expect("new"), "13900000006");
        assert_eq!(whole_phone("139****0005".to_owned(), None).expect_err("no phone").code, 422);
    }

    #[test]
    fn a_nickname_of_blanks_is_none() {
        let taken = |typed: &str| checked_nickname(Some(typed.to_owned()), "成教云").expect("a nickname");
        assert_eq!(taken("  "), None);
        assert_eq!(taken(" 小 林 ").as_deref(), Some("小 林"));
    }

    #[test]
    fn nobody_is_called_like_the_site() {
        let refused = |typed: &str, site: &str| checked_nickname(Some(typed.to_owned()), site).is_err();
        for name in ["官方", "官方回复", "官 方·回复", "平台管理员", "成教云客服", "成-教-云"] {
            assert!(refused(name, "成教云"), "{name}");
        }
        assert!(refused("CHENGJIAO小助手", "Chengjiao"));
        assert!(!refused("管理学小林", "成教云") && !refused("小林", "") && !refused("小林", "——"));
    }

    #[test]
    fn nobody_is_born_tomorrow() {
        let today = day(2027, 1, 31);
        assert!(checked_birthday(Some(today), today).is_ok());
        assert!(checked_birthday(None, today).is_ok());
        assert!(checked_birthday(Some(day(2027, 2, 1)), today).is_err());
        assert!(checked_birthday(Some(day(1899, 12, 31)), today).is_err());
    }

    #[test]
    fn a_membership_is_not_sold_above_its_price() {
        let refused = |form: VipSetForm| checked_set(form).expect_err("refused").data.to_string();
        assert!(refused(VipSetForm { price: 40_000, ..VipSetForm::example() }).contains("售价不能高于原价"));
        assert!(refused(VipSetForm { discount_rate: 0.855, ..VipSetForm::example() }).contains("最多两位小数"));
        assert!(checked_set(VipSetForm { discount_rate: 0.29, ..VipSetForm::example() }).is_ok());
    }
}
