//! 异动统计: the lines of a count in words (02 §10).

use poem_openapi::Object;

use crate::enums::{ChangeReason, ChangeStatisticBy, ChangeType};

/// So many changes have something in common.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChangeCount {
    /// 标识
    /// 类型、原因的取值，月份（2026-09），或站点、原专业的编号；未填原因和未定生效日期的为空
    pub key: String,
    /// 名称
    pub name: String,
    /// 流向标识
    /// 按专业流向统计时为新专业的编号
    pub to_key: Option<String>,
    /// 流向名称
    pub to_name: Option<String>,
    /// 条数
    pub count: i64,
}

/// A line as the statement groups it.
pub struct Line {
    pub key: Option<String>,
    pub name: Option<String>,
    pub to_key: Option<String>,
    pub to_name: Option<String>,
    pub count: i64,
}

/// The line in words; none for what has nothing of the kind.
pub fn counted(by: ChangeStatisticBy, line: Line) -> Option<ChangeCount> {
    let Line { key, name, to_key, to_name, count } = line;
    let (key, name) = match (by, key) {
        (ChangeStatisticBy::Type, Some(key)) => {
            let name = ChangeType::parse(&key).map_or_else(|| key.clone(), |kind| kind.zh().to_owned());
            (key, name)
        }
        (ChangeStatisticBy::Reason, Some(key)) => {
            let name = ChangeReason::parse(&key).map_or_else(|| key.clone(), |reason| reason.zh().to_owned());
            (key, name)
        }
        (ChangeStatisticBy::Reason, None) => (String::new(), "未填原因".to_owned()),
        (ChangeStatisticBy::Month, None) => (String::new(), "未定".to_owned()),
        (ChangeStatisticBy::Month, Some(key)) => (key.clone(), key),
        (ChangeStatisticBy::Site | ChangeStatisticBy::Flow, Some(key)) => (key, name.unwrap_or_default()),
        (_, None) => return None,
    };
    Some(ChangeCount { key, name, to_key, to_name, count })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_in_words() {
        let told = |by, key: Option<&str>| {
            let line = Line { key: key.map(str::to_owned), name: None, to_key: None, to_name: None, count: 3 };
            counted(by, line).map(|count| format!("{} {}", count.name, count.count))
        };
        assert_eq!(told(ChangeStatisticBy::Type, Some("return")).as_deref(), Some("复学 3"));
        assert_eq!(told(ChangeStatisticBy::Reason, Some("military")).as_deref(), Some("应征入伍 3"));
        assert_eq!(told(ChangeStatisticBy::Reason, None).as_deref(), Some("未填原因 3"));
        assert_eq!(told(ChangeStatisticBy::Month, Some("2026-09")).as_deref(), Some("2026-09 3"));
        assert_eq!(told(ChangeStatisticBy::Month, None).as_deref(), Some("未定 3"));
    }
}
