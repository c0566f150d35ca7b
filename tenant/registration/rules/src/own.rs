//! 本校字段: what is sent in for a school's own fields (02 §1).

use poem_openapi::Object;

/// A file for a field of the school's own, as it is sent in.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct RegistrationFileForm {
    /// 字段标识
    /// 本校图片或文件字段的标识
    #[oai(validator(pattern = "^x_[a-z0-9_]{1,30}$"))]
    pub kind: String,
    /// 文件
    /// 上传后的文件标识
    #[oai(validator(max_length = 300))]
    pub key: String,
}
