//! What a cell holds, and what a person may have meant by it.

use calamine::DataRef;
use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use super::formula::typed;

/// Whole numbers from here on have lost digits: a spreadsheet keeps fifteen.
const INEXACT: f64 = 1e15;

/// The content of a cell that has any.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(f64),
    Time(NaiveDateTime),
    Bool(bool),
    /// A formula that failed, such as `#N/A`.
    Broken,
}

impl Value {
    /// None for an empty cell, and for one that holds only spaces.
    pub(super) fn from_cell(cell: &DataRef<'_>) -> Option<Self> {
        let text = |text: &str| {
            Some(Self::Text(typed(&tidy(text)).to_owned())).filter(|value| *value != Self::Text(String::new()))
        };
        match cell {
            DataRef::Empty => None,
            DataRef::String(string) | DataRef::DateTimeIso(string) | DataRef::DurationIso(string) => text(string),
            DataRef::SharedString(string) => text(string),
            DataRef::Int(number) => Some(Self::Number(*number as f64)),
            DataRef::Float(number) => Some(Self::Number(*number)),
            DataRef::Bool(yes) => Some(Self::Bool(*yes)),
            DataRef::Error(_) => Some(Self::Broken),
            DataRef::DateTime(time) => {
                let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
                let date = NaiveDate::from_ymd_opt(year.into(), month.into(), day.into());
                let moment = date.and_then(|date| date.and_hms_opt(hour.into(), minute.into(), second.into()));
                Some(moment.map_or(Self::Number(time.as_f64()), Self::Time))
            }
        }
    }

    /// The content as a person would write it; a number without exponent.
    pub(super) fn text(&self) -> Result<String, &'static str> {
        match self {
            Self::Text(text) => Ok(text.clone()),
            Self::Number(number) if number.abs() >= INEXACT => {
                Err("单元格是数字格式，超过 15 位会丢失精度，请改为文本格式后重新填写")
            }
            Self::Number(number) => Ok(number.to_string()),
            Self::Time(time) if time.time() == NaiveTime::MIN => Ok(time.format("%Y-%m-%d").to_string()),
            Self::Time(time) => Ok(time.format("%Y-%m-%d %H:%M:%S").to_string()),
            Self::Bool(yes) => Ok(if *yes { "是" } else { "否" }.to_owned()),
            Self::Broken => Err("单元格的公式有错误，请直接填写内容"),
        }
    }

    /// A calendar day from 1900 to 2100, from a date cell, a serial number, `YYYYMMDD`, or text in any usual form.
    pub(super) fn date(&self) -> Result<NaiveDate, &'static str> {
        const WRONG: &str = "日期不正确，请按 2026-03-01 的格式填写";
        let date = match self {
            Self::Time(time) => Some(time.date()),
            Self::Number(number) if number.fract() == 0.0 && *number > 19_000_000.0 => compact(&number.to_string()),
            Self::Number(number) if (1.0..75_000.0).contains(number) => {
                NaiveDate::from_ymd_opt(1899, 12, 30).map(|zero| zero + TimeDelta::days(*number as i64))
            }
            Self::Text(text) => written(text),
            _ => None,
        };
        date.filter(|date| (1900..=2100).contains(&date.year())).ok_or(WRONG)
    }

    /// A number in units of its last place: with one place, 87.5 is 875.
    pub(super) fn decimal(&self, places: u8) -> Result<i64, String> {
        let text = match self {
            Self::Number(number) => number.to_string(),
            other => other.text()?.replace(',', ""),
        };
        let wrong = || match places {
            0 => "请填写整数".to_owned(),
            _ => format!("请填写数字，最多 {places} 位小数"),
        };
        let (negative, digits) = text.strip_prefix('-').map_or((false, text.as_str()), |digits| (true, digits));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let fraction = fraction.trim_end_matches('0');
        let numeric = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !numeric(whole) || !numeric(fraction) || fraction.len() > usize::from(places) {
            return Err(wrong());
        }
        let units: i64 =
            format!("{whole}{fraction:0<width$}", width = usize::from(places)).parse().map_err(|_| wrong())?;
        Ok(if negative { -units } else { units })
    }
}

/// Full-width digits, letters and spaces become ordinary ones, signs that nobody sees go, and so do spaces around.
pub(super) fn tidy(text: &str) -> String {
    let plain = text.chars().filter_map(|sign| match sign {
        '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' => char::from_u32(u32::from(sign) - 0xFEE0),
        '\u{200B}'..='\u{200F}' | '\u{FEFF}' | '\u{202A}'..='\u{202E}' => None,
        sign if sign.is_whitespace() || sign.is_control() => Some(' '),
        sign => Some(sign),
    });
    plain.collect::<String>().trim().to_owned()
}

/// `2026-03-01`, `2026/3/1`, `2026.3.1`, `2026年3月1日`, `20260301`, each perhaps with a time behind it.
fn written(text: &str) -> Option<NaiveDate> {
    let day = text.split_once([' ', 'T']).filter(|(_, time)| time.contains(':')).map_or(text, |(day, _)| day);
    if let Some(date) = compact(day) {
        return Some(date);
    }
    let day: String = day.chars().filter(|sign| *sign != ' ').collect();
    let mut parts = day.trim_end_matches(['日', '号']).split(['-', '/', '.', '年', '月', '－', '／', '．', '–', '—']);
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let short = |part: &str| (1..=2).contains(&part.len()) && digits(part);
    if parts.next().is_some() || year.len() != 4 || !digits(year) || !short(month) || !short(day) {
        return None;
    }
    NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
}

/// `20260301`.
fn compact(text: &str) -> Option<NaiveDate> {
    if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    NaiveDate::from_ymd_opt(text[..4].parse().ok()?, text[4..6].parse().ok()?, text[6..].parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(tidy(text))
    }

    #[test]
    fn dates_are_read_in_every_usual_form() {
        let day = NaiveDate::from_ymd_opt(2026, 3, 1).unwrap();
        for form in [
            "2026-03-01",
            "2026/3/1",
            "2026.3.1",
            "20260301",
            "2026年3月1日",
            "2026年03月01号",
            "２０２６－０３－０１",
            " 2026-03-01 00:00:00",
            "2026-03-01T00:00:00",
            "2026 年 3 月 1 日",
        ] {
            assert_eq!(text(form).date(), Ok(day), "{form}");
        }
        assert_eq!(Value::Number(46_082.0).date(), Ok(day));
        assert_eq!(Value::Number(20_260_301.0).date(), Ok(day));
        assert_eq!(Value::Time(day.and_hms_opt(8, 0, 0).unwrap()).date(), Ok(day));
        for form in ["2026-02-30", "26-3-1", "2026-3", "明天", "0026-03-01", "2026-03-01-01", "2026-+3-01"] {
            assert!(text(form).date().is_err(), "{form}");
        }
        for number in [0.0, -1.0, 20_261_301.0, 1e12, f64::NAN] {
            assert!(Value::Number(number).date().is_err(), "{number}");
        }
    }

    #[test]
    fn numbers_become_text_without_exponent_or_lost_digits() {
        assert_eq!(Value::Number(13_800_138_000.0).text().unwrap(), "13800138000");
        assert_eq!(Value::Number(0.1).text().unwrap(), "0.1");
        assert!(Value::Number(1.101_051_990_010_112e17).text().is_err());
        assert_eq!(text("　１３８００１３８０００\u{200B} ").text().unwrap(), "13800138000");
        assert_eq!(text("11010519900101123Ｘ").text().unwrap(), "11010519900101123X");
        assert_eq!(text("张（三）\n丰").text().unwrap(), "张（三） 丰");
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(Value::Number(87.5).decimal(1), Ok(875));
        assert_eq!(text("-1,234.50").decimal(2), Ok(-123_450));
        assert_eq!(text("3.0").decimal(0), Ok(3));
        assert!(Value::Number(87.55).decimal(1).is_err());
        assert!(Value::Number(0.1 + 0.2).decimal(1).is_err());
        for wrong in ["", "x", "1e3", "--1", ".5", "99999999999999999999"] {
            assert!(text(wrong).decimal(2).is_err(), "{wrong}");
        }
    }
}
