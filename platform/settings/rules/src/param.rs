//! Whether a text is a value of a parameter's kind (01 §3.2.6).

use chrono::NaiveDate;
use infra::params::ParamKind;

/// The value as it is kept.
///
/// # Errors
/// What is wrong with it, for the person who typed it.
pub fn normal(kind: &ParamKind, text: &str) -> Result<String, String> {
    match kind {
        ParamKind::Int { min, max, .. } => {
            let value: i64 = text.parse().map_err(|_| "应为整数".to_owned())?;
            within(value, *min, *max)
        }
        ParamKind::Decimal { min, max, .. } => {
            let value: f64 = text.parse().map_err(|_| "应为数字".to_owned())?;
            if text.split_once('.').is_some_and(|(_, places)| places.len() > 4) || !value.is_finite() {
                return Err("最多4位小数".to_owned());
            }
            within(value, *min, *max)
        }
        ParamKind::Bool { .. } => match text {
            "true" | "false" => Ok(text.to_owned()),
            _ => Err("应为是或否".to_owned()),
        },
        ParamKind::Text { pattern, hint, .. } => {
            let right = regex::Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text));
            if right { Ok(text.to_owned()) } else { Err(format!("格式不正确：{hint}")) }
        }
        ParamKind::Select { options, .. } => {
            if options.iter().any(|(code, _)| *code == text) {
                Ok(text.to_owned())
            } else {
                Err("取值无效，请重新选择".to_owned())
            }
        }
        ParamKind::Date { .. } => match NaiveDate::parse_from_str(text, "%Y-%m-%d") {
            Ok(date) => Ok(date.to_string()),
            Err(_) => Err("不是有效的日期".to_owned()),
        },
    }
}

fn within<T: PartialOrd + std::fmt::Display>(value: T, min: T, max: T) -> Result<String, String> {
    if value < min || value > max { Err(format!("取值应在{min}到{max}之间")) } else { Ok(value.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_of_its_kind_and_in_its_range() {
        let minutes = ParamKind::Int { default: 120, min: 10, max: 720 };
        assert_eq!(normal(&minutes, "5"), Err("取值应在10到720之间".to_owned()));
        assert_eq!(normal(&minutes, "0010"), Ok("10".to_owned()));
        assert_eq!(normal(&minutes, "ten"), Err("应为整数".to_owned()));
        let share = ParamKind::Decimal { default: 0.7, min: 0.0, max: 1.0 };
        assert_eq!(normal(&share, "0.65"), Ok("0.65".to_owned()));
        assert_eq!(normal(&share, "1.01"), Err("取值应在0到1之间".to_owned()));
        assert_eq!(normal(&share, "0.12345"), Err("最多4位小数".to_owned()));
        assert_eq!(normal(&ParamKind::Bool { default: true }, "yes"), Err("应为是或否".to_owned()));
        let date = ParamKind::Date { default: "2026-01-01" };
        assert_eq!(normal(&date, "2026-02-30"), Err("不是有效的日期".to_owned()));
    }
}
