//! What the lists of the site ask for, and the words that they share.

use chrono::NaiveDate;
use infra::{Part, enumeration};
use poem_openapi::{Object, types::Example};

pub const PART: Part = Part { enumerations: &[SiteTerminal::ENUMERATION], ..Part::NONE };

enumeration! {
    /// 端
    pub enum SiteTerminal = "siteTerminal" {
        Pc = "pc" "电脑端",
        App = "app" "移动端",
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DecorationFilter {
    /// 名称
    #[oai(validator(max_length = 50))]
    pub name: Option<String>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

impl Example for DecorationFilter {
    fn example() -> Self {
        Self::default()
    }
}

/// The same of a list whose rows stand on one terminal.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct TerminalFilter {
    /// 名称或标题
    #[oai(validator(max_length = 50))]
    pub name: Option<String>,
    /// 端
    pub terminal: Option<SiteTerminal>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}
