//! What a file of the library is sold as (01 §9.2).

use infra::{Error, Result, RichText};
use poem_openapi::{Object, types::Example};

use crate::course::{Head, head_mistakes, tidy_introduction};

/// What may stand in the library.
pub const EXTENSIONS: [&str; 8] = ["doc", "docx", "xls", "xlsx", "ppt", "pptx", "pdf", "zip"];

/// The largest file, in MiB.
pub const MOST_MB: i64 = 200;

/// The whole of a resource.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ResourceContent {
    /// 资源名称
    #[oai(validator(max_length = 60))]
    pub course_name: String,
    /// 分类
    pub category_id: i64,
    /// 讲师
    pub lecturer_id: i64,
    /// 封面
    #[oai(validator(max_length = 300))]
    pub cover: String,
    /// 资源介绍
    /// 文字最多2000个字符
    pub introduce: Option<RichText>,
    /// 免费
    pub is_free: bool,
    /// 原价(分)
    #[oai(default, validator(minimum(value = "0"), maximum(value = "99999999")))]
    pub price_original: i64,
    /// 优惠价(分)
    #[oai(default, validator(minimum(value = "0"), maximum(value = "99999999")))]
    pub price_sale: i64,
    /// 有效天数
    /// 不填为永久有效
    #[oai(validator(minimum(value = "1"), maximum(value = "36500")))]
    pub valid_days: Option<i32>,
    /// 购买基数
    /// 网站显示的购买数为基数与实际购买数之和
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999999")))]
    pub count_buy_base: i64,
    /// 资源文件
    #[oai(validator(max_length = 300))]
    pub resource_file_key: Option<String>,
    /// 文件名称
    #[oai(validator(max_length = 200))]
    pub resource_file_name: Option<String>,
    /// 页数
    #[oai(validator(minimum(value = "1"), maximum(value = "100000")))]
    pub resource_pages: Option<i32>,
}

impl Example for ResourceContent {
    fn example() -> Self {
        Self {
            course_name: "学位英语真题汇编".to_owned(),
            category_id: 1,
            lecturer_id: 1,
            cover: "/admin/files/public/platform/202611/cover.png".to_owned(),
            introduce: None,
            is_free: false,
            price_original: 1_990,
            price_sale: 990,
            valid_days: None,
            count_buy_base: 0,
            resource_file_key: None,
            resource_file_name: None,
            resource_pages: Some(48),
        }
    }
}

impl ResourceContent {
    /// What courses of every kind have.
    pub fn head(&self) -> Head<'_> {
        Head {
            course_name: &self.course_name,
            category_id: self.category_id,
            lecturer_id: self.lecturer_id,
            cover: &self.cover,
            introduce: self.introduce.as_ref(),
            is_free: self.is_free,
            price_original: self.price_original,
            price_sale: self.price_sale,
            valid_days: self.valid_days,
            count_buy_base: self.count_buy_base,
        }
    }

    /// The extension of its file, in small letters.
    pub fn extension(&self) -> Option<String> {
        let (_, extension) = self.resource_file_key.as_deref()?.rsplit_once('.')?;
        Some(extension.to_ascii_lowercase())
    }

    /// The content with what belongs together made to agree.
    ///
    /// # Errors
    /// 422 at every field that does not fit the others.
    pub fn in_itself(mut self) -> Result<Self> {
        self.introduce = tidy_introduction(self.introduce)?;
        if self.is_free {
            self.price_sale = 0;
        }
        if self.resource_file_key.is_none() {
            self.resource_file_name = None;
            self.resource_pages = None;
        }
        let wrong = head_mistakes(self.head());
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
        match self.extension() {
            None if self.resource_file_key.is_some() => Err(wrong_kind()),
            Some(extension) if !EXTENSIONS.contains(&extension.as_str()) => Err(wrong_kind()),
            _ => Ok(self),
        }
    }
}

fn wrong_kind() -> Error {
    Error::field("resourceFileKey", format!("不支持该文件格式，可上传：{}", EXTENSIONS.join("、")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(key: &str) -> Result<ResourceContent> {
        let content = ResourceContent {
            resource_file_key: Some(format!("private/platform/202611/{key}")),
            ..ResourceContent::example()
        };
        content.in_itself()
    }

    #[test]
    fn the_library_takes_some_kinds_of_files() {
        assert!(with("a.PDF").is_ok() && with("a.zip").is_ok());
        assert_eq!(with("a.exe").map_err(|error| error.code), Err(422));
        assert_eq!(with("a").map_err(|error| error.code), Err(422));
    }

    #[test]
    fn without_a_file_it_has_no_pages() {
        assert_eq!(ResourceContent::example().in_itself().map(|content| content.resource_pages), Ok(None));
    }
}
