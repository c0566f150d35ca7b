//! What an operator types of a school, and what of it is refused.

use chrono::NaiveDate;
use infra::{Error, Result, enumeration};
use poem_openapi::{Object, types::Example};
use school_rules::brand;
use serde_json::json;

use super::{School, SchoolStatus};

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SchoolForm {
    /// 院校名称
    #[oai(validator(max_length = 60))]
    pub name: String,
    /// 简称
    #[oai(validator(max_length = 12))]
    pub short_name: Option<String>,
    /// 院校标识码
    /// 应为10位数字
    #[oai(validator(pattern = "^[0-9]{10}$"))]
    pub identity_code: Option<String>,
    /// 域名
    /// 例如 cj.example.edu.cn，不含协议和端口
    #[oai(validator(max_length = 100, pattern = "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"))]
    pub domain: Option<String>,
    /// 标志
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub logo: Option<String>,
    /// 无字标志
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub logo_no_word: Option<String>,
    /// 页面图标
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub ico: Option<String>,
    /// 站点标题
    #[oai(validator(max_length = 60))]
    pub title: Option<String>,
    /// 登录背景
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub login_background: Option<String>,
    /// 品牌色
    /// 例如 #165DFF
    #[oai(validator(pattern = "^#[0-9a-fA-F]{6}$"))]
    pub brand_color: Option<String>,
    /// 帮助中心
    #[oai(default)]
    pub assistance_center_enabled: bool,
    /// 服务到期
    pub expires_on: Option<NaiveDate>,
    /// 学生配额
    #[oai(validator(minimum(value = "1"), maximum(value = "10000000")))]
    pub student_quota: Option<i32>,
    /// 存储配额(GB)
    #[oai(validator(minimum(value = "1"), maximum(value = "1000000")))]
    pub storage_quota_gb: Option<i32>,
    /// 联系人
    #[oai(validator(max_length = 30))]
    pub contact_name: Option<String>,
    /// 联系电话
    #[oai(validator(max_length = 30))]
    pub contact_phone: Option<String>,
    /// 省份
    #[oai(validator(max_length = 30))]
    pub province: Option<String>,
    /// 地址
    #[oai(validator(max_length = 200))]
    pub address: Option<String>,
    /// 备注
    #[oai(validator(max_length = 255))]
    pub remark: Option<String>,
}

/// A school to be opened, with its first administrator.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NewSchool {
    /// 院校代码
    /// 2至20位小写字母或数字，通常为教育部5位院校代码
    #[oai(validator(pattern = "^[0-9a-z]{2,20}$"))]
    pub code: String,
    /// 状态
    pub status: NewSchoolStatus,
    #[oai(flatten)]
    pub form: SchoolForm,
    /// 管理员账号
    /// 4至32位字母、数字或 _ . @ -
    #[oai(validator(pattern = "^[A-Za-z0-9_.@-]{4,32}$"))]
    pub admin_login_name: Option<String>,
    /// 管理员姓名
    #[oai(validator(min_length = 2, max_length = 30))]
    pub admin_real_name: Option<String>,
    /// 管理员手机号
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]{9}$"))]
    pub admin_phone: Option<String>,
    /// 管理员密码密文
    #[oai(validator(max_length = 1024))]
    pub admin_password: Option<String>,
}

enumeration! {
    /// 新院校的状态
    pub enum NewSchoolStatus = "newSchoolStatus" {
        Trial = "trial" "试用",
        Active = "active" "正常",
    }
}

impl SchoolForm {
    fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            short_name: None,
            identity_code: None,
            domain: None,
            logo: None,
            logo_no_word: None,
            ico: None,
            title: None,
            login_background: None,
            brand_color: None,
            assistance_center_enabled: false,
            expires_on: None,
            student_quota: None,
            storage_quota_gb: None,
            contact_name: None,
            contact_phone: None,
            province: None,
            address: None,
            remark: None,
        }
    }
}

impl NewSchool {
    /// A trial school of which only code and name are known.
    pub fn named(code: &str, name: &str) -> Self {
        Self {
            code: code.to_owned(),
            status: NewSchoolStatus::Trial,
            form: SchoolForm::named(name),
            admin_login_name: None,
            admin_real_name: None,
            admin_phone: None,
            admin_password: None,
        }
    }
}

impl Example for NewSchool {
    fn example() -> Self {
        Self::named("10589", "东湖示范学院")
    }
}

/// The whole form again, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SchoolEdit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 转为正式
    #[oai(default)]
    pub activate: bool,
    /// 删除保护
    #[oai(default = "protected")]
    pub deletion_protection: bool,
    #[oai(flatten)]
    pub form: SchoolForm,
}

fn protected() -> bool {
    true
}

impl Example for SchoolEdit {
    fn example() -> Self {
        Self {
            id: 1, version: 1, activate: false, deletion_protection: true, form: SchoolForm::named("东湖示范学院")
        }
    }
}

pub(crate) fn explain_constraint(constraint: &str) -> Option<Error> {
    match constraint {
        "school_code_taken" => Some(code_taken("院校代码已存在")),
        "school_name_taken" => Some(Error::field("name", "院校名称已存在")),
        "school_domain_taken" => Some(Error::field("domain", "该域名已被其他院校使用")),
        "school_trial_expires" => Some(Error::field("expiresOn", "试用院校须填写服务到期日期")),
        _ => None,
    }
}

/// 409, with the field for programs.
pub(super) fn code_taken(msg: &'static str) -> Error {
    Error::conflict(msg).with_data(json!([{ "field": "code", "message": msg }]))
}

/// A school becomes active only by an edit that says so and gives the end of the service (01 §5.2).
pub(super) fn next_status(before: &School, edit: &SchoolEdit) -> Result<SchoolStatus> {
    if edit.activate && before.status == SchoolStatus::Trial {
        if edit.form.expires_on.is_none() {
            return Err(Error::field("expiresOn", "转为正式须填写服务到期日期"));
        }
        return Ok(SchoolStatus::Active);
    }
    Ok(before.status)
}

/// White text on the brand colour must reach 4.5 : 1 (WCAG 2.1, 1.4.3).
pub(crate) fn check_color(color: Option<&str>) -> Result<()> {
    let Some(color) = color else { return Ok(()) };
    match brand::contrast_with_white(color) {
        Some(ratio) if ratio >= 4.5 => Ok(()),
        Some(ratio) => Err(Error::field(
            "brandColor",
            format!("品牌色与白色文字的对比度为{ratio:.1}，应不低于4.5，请选择较深的颜色"),
        )),
        None => Err(Error::field("brandColor", "品牌色格式不正确")),
    }
}
