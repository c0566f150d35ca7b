//! What a setting's value is, what it is until somebody sets it, and whether a value may stand (01 §13).

use crate::enumeration;
use chrono::NaiveDate;
use serde_json::{Map, Number, Value, json};

enumeration! {
    /// 设置项类型
    pub enum SettingType = "settingType" {
        Text = "text" "文本",
        Int = "int" "整数",
        Decimal = "decimal" "小数",
        Bool = "bool" "是否",
        Select = "select" "单选",
        Number = "number" "数值单选",
        MonthDay = "month_day" "月日",
        Time = "time" "时刻",
        Date = "date" "日期",
        Picture = "picture" "图片",
        File = "file" "私有文件",
        Color = "color" "颜色",
        Object = "object" "一组值",
        Pairs = "pairs" "成对的值",
        Rows = "rows" "多行",
        Choices = "choices" "多选",
    }
}

/// Value on the wire and Chinese word.
pub type Options = &'static [(&'static str, &'static str)];

/// The kind of a value, with its default and limits.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// At most `max` characters of this shape; `hint` says what the shape wants. An empty default is no value.
    Text {
        default: &'static str,
        max: usize,
        pattern: Option<&'static str>,
        hint: &'static str,
    },
    Int {
        default: i64,
        min: i64,
        max: i64,
    },
    /// At most four places.
    Decimal {
        default: f64,
        min: f64,
        max: f64,
    },
    Bool {
        default: bool,
    },
    /// One of these words.
    Select {
        default: &'static str,
        options: Options,
    },
    /// One of these numbers; the words are the numbers as text.
    Number {
        default: &'static str,
        options: Options,
    },
    /// `MM-DD`, a day that every year has.
    MonthDay {
        default: &'static str,
    },
    /// `HH:MM`.
    Time,
    /// `YYYY-MM-DD`.
    Date {
        default: &'static str,
    },
    /// The address of a public picture.
    Picture,
    /// The key of a private file.
    File,
    /// `#rrggbb`.
    Color,
    /// Named values together; whole numbers that make `sum`, where there is one.
    Object {
        fields: &'static [Field],
        sum: Option<i64>,
    },
    /// `[[from, to]]` of these words.
    Pairs {
        default: &'static [(&'static str, &'static str)],
        options: Options,
    },
    /// A small table. `in_order` names two columns of times: each row begins after the one before has ended.
    Rows {
        columns: &'static [Field],
        most: usize,
        default: &'static [&'static [&'static str]],
        in_order: Option<(&'static str, &'static str)>,
    },
    /// Some of these words, each once, in an order of one's own; all of them by default.
    Choices {
        options: Options,
    },
}

/// A named value inside another.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub key: &'static str,
    /// 中文
    pub name: &'static str,
    pub kind: Kind,
}

impl Field {
    pub const fn new(key: &'static str, name: &'static str, kind: Kind) -> Self {
        Self { key, name, kind }
    }

    /// A share of a sum, in whole percent.
    pub const fn share(key: &'static str, name: &'static str, default: i64) -> Self {
        Self::new(key, name, Kind::Int { default, min: 0, max: 100 })
    }
}

fn number(text: &str) -> Value {
    text.parse::<Number>().map_or(Value::Null, Value::Number)
}

fn filled(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { json!(text) }
}

impl Kind {
    pub const fn wire(self) -> SettingType {
        match self {
            Self::Text { .. } => SettingType::Text,
            Self::Int { .. } => SettingType::Int,
            Self::Decimal { .. } => SettingType::Decimal,
            Self::Bool { .. } => SettingType::Bool,
            Self::Select { .. } => SettingType::Select,
            Self::Number { .. } => SettingType::Number,
            Self::MonthDay { .. } => SettingType::MonthDay,
            Self::Time => SettingType::Time,
            Self::Date { .. } => SettingType::Date,
            Self::Picture => SettingType::Picture,
            Self::File => SettingType::File,
            Self::Color => SettingType::Color,
            Self::Object { .. } => SettingType::Object,
            Self::Pairs { .. } => SettingType::Pairs,
            Self::Rows { .. } => SettingType::Rows,
            Self::Choices { .. } => SettingType::Choices,
        }
    }

    /// The value that holds while nobody set one; null where there is none.
    pub fn default(self) -> Value {
        match self {
            Self::Text { default, .. }
            | Self::Select { default, .. }
            | Self::MonthDay { default }
            | Self::Date { default } => filled(default),
            Self::Int { default, .. } => json!(default),
            Self::Decimal { default, .. } => json!(default),
            Self::Bool { default } => json!(default),
            Self::Number { default, .. } => number(default),
            Self::Time | Self::Picture | Self::File | Self::Color => Value::Null,
            Self::Object { fields, .. } => {
                Value::Object(fields.iter().map(|field| (field.key.to_owned(), field.kind.default())).collect())
            }
            Self::Pairs { default, .. } => default.iter().map(|(from, to)| json!([from, to])).collect(),
            Self::Rows { columns, default, .. } => default
                .iter()
                .map(|row| {
                    let cells = columns.iter().zip(*row).map(|(column, text)| {
                        let cell = match column.kind {
                            Kind::Int { .. } | Kind::Decimal { .. } | Kind::Number { .. } => number(text),
                            _ => json!(text),
                        };
                        (column.key.to_owned(), cell)
                    });
                    Value::Object(cells.collect())
                })
                .collect(),
            Self::Choices { options } => options.iter().map(|(word, _)| json!(word)).collect(),
        }
    }

    pub const fn options(self) -> Options {
        match self {
            Self::Select { options, .. }
            | Self::Number { options, .. }
            | Self::Pairs { options, .. }
            | Self::Choices { options } => options,
            _ => &[],
        }
    }

    pub const fn fields(self) -> &'static [Field] {
        match self {
            Self::Object { fields, .. } => fields,
            Self::Rows { columns, .. } => columns,
            _ => &[],
        }
    }

    /// The ends of a number's range.
    pub const fn range(self) -> (Option<f64>, Option<f64>) {
        match self {
            Self::Int { min, max, .. } => (Some(min as f64), Some(max as f64)),
            Self::Decimal { min, max, .. } => (Some(min), Some(max)),
            _ => (None, None),
        }
    }

    /// The most characters, or rows.
    pub fn most(self) -> Option<i32> {
        let most = match self {
            Self::Text { max, .. } => max,
            Self::Rows { most, .. } => most,
            _ => return None,
        };
        i32::try_from(most).ok()
    }

    pub const fn hint(self) -> Option<&'static str> {
        match self {
            Self::Text { hint, .. } if !hint.is_empty() => Some(hint),
            Self::MonthDay { .. } => Some("月-日，例如 07-10"),
            _ => None,
        }
    }

    /// The value as it is kept. Null, and a text of blanks, mean the default.
    ///
    /// # Errors
    /// What is wrong with it, to be read after the setting's name.
    pub fn normal(self, value: &Value) -> Result<Value, String> {
        if value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty()) {
            return Ok(Value::Null);
        }
        match self {
            Self::Text { max, pattern, hint, .. } => text(value, max, pattern, hint),
            Self::Int { min, max, .. } => {
                let number = value.as_i64().ok_or("应为整数")?;
                within(number, min, max).map(|number| json!(number))
            }
            Self::Decimal { min, max, .. } => {
                let number = value.as_f64().ok_or("应为数字")?;
                if ((number * 10_000.0).round() - number * 10_000.0).abs() > 1e-6 {
                    return Err("最多4位小数".to_owned());
                }
                within(number, min, max).map(|number| json!(number))
            }
            Self::Bool { .. } => value.as_bool().map(Value::Bool).ok_or_else(|| "应为是或否".to_owned()),
            Self::Select { options, .. } => word(value, options).map(|word| json!(word)),
            Self::Number { options, .. } => {
                let typed = value.as_f64().ok_or("取值无效，请重新选择")?;
                let known = options.iter().find(|(text, _)| text.parse::<f64>().is_ok_and(|known| known == typed));
                known.map(|(text, _)| number(text)).ok_or_else(|| "取值无效，请重新选择".to_owned())
            }
            Self::MonthDay { .. } => month_day(value),
            Self::Time => text(value, 5, Some("^([01][0-9]|2[0-3]):[0-5][0-9]$"), "例如 08:30"),
            Self::Date { .. } => {
                let date = value.as_str().and_then(|text| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok());
                date.map(|date| json!(date.to_string())).ok_or_else(|| "不是有效的日期".to_owned())
            }
            Self::Picture => text(value, 300, None, ""),
            Self::File => text(value, 200, Some("^[a-z0-9/_.-]+$"), "请重新上传文件"),
            Self::Color => text(value, 7, Some("^#[0-9a-fA-F]{6}$"), "例如 #165DFF"),
            Self::Object { fields, sum } => object(value, fields, sum),
            Self::Pairs { options, .. } => pairs(value, options),
            Self::Rows { columns, most, in_order, .. } => rows(value, columns, most, in_order),
            Self::Choices { options } => choices(value, options),
        }
    }
}

fn text(value: &Value, max: usize, pattern: Option<&str>, hint: &str) -> Result<Value, String> {
    let text = value.as_str().ok_or("应为文本")?.trim();
    if text.chars().count() > max {
        return Err(format!("不能超过{max}个字符"));
    }
    let right = pattern.is_none_or(|pattern| regex::Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text)));
    if right { Ok(json!(text)) } else { Err(format!("格式不正确：{hint}")) }
}

fn within<T: PartialOrd + std::fmt::Display>(value: T, min: T, max: T) -> Result<T, String> {
    if value < min || value > max { Err(format!("取值应在{min}到{max}之间")) } else { Ok(value) }
}

fn word(value: &Value, options: Options) -> Result<&'static str, String> {
    let known = options.iter().find(|(word, _)| value.as_str() == Some(word));
    known.map(|(word, _)| *word).ok_or_else(|| "取值无效，请重新选择".to_owned())
}

/// 29 February, which most years lack, is no day of any year.
fn month_day(value: &Value) -> Result<Value, String> {
    let text = value.as_str().unwrap_or_default().trim();
    match NaiveDate::parse_from_str(&format!("2025-{text}"), "%Y-%m-%d") {
        Ok(day) => Ok(json!(day.format("%m-%d").to_string())),
        Err(_) => Err("不是有效的日期，应为月-日，例如 07-10".to_owned()),
    }
}

fn object(value: &Value, fields: &[Field], sum: Option<i64>) -> Result<Value, String> {
    let typed = value.as_object().ok_or("格式不正确")?;
    if let Some(unknown) = typed.keys().find(|key| !fields.iter().any(|field| field.key == **key)) {
        return Err(format!("没有“{unknown}”这一项"));
    }
    let mut kept = Map::new();
    for field in fields {
        let given = typed.get(field.key).unwrap_or(&Value::Null);
        let normal = field.kind.normal(given).map_err(|why| format!("的“{}”{why}", field.name))?;
        // A field that is left out has its default, so that what is kept is whole.
        kept.insert(field.key.to_owned(), if normal.is_null() { field.kind.default() } else { normal });
    }
    if let Some(sum) = sum {
        let typed: i64 = kept.values().filter_map(Value::as_i64).sum();
        if typed != sum {
            return Err(format!("之和应为{sum}，目前为{typed}"));
        }
    }
    Ok(Value::Object(kept))
}

fn pairs(value: &Value, options: Options) -> Result<Value, String> {
    let mut kept: Vec<Value> = Vec::new();
    for pair in value.as_array().ok_or("格式不正确")? {
        let [from, to] = pair.as_array().map(Vec::as_slice).unwrap_or_default() else {
            return Err("每行须选择两项".to_owned());
        };
        let (from, to) = (word(from, options)?, word(to, options)?);
        if from == to {
            return Err("同一行的两项不能相同".to_owned());
        }
        let pair = json!([from, to]);
        if kept.contains(&pair) {
            return Err("有重复的行，请删除".to_owned());
        }
        kept.push(pair);
    }
    Ok(Value::Array(kept))
}

fn rows(
    value: &Value,
    columns: &[Field],
    most: usize,
    in_order: Option<(&'static str, &'static str)>,
) -> Result<Value, String> {
    let rows = value.as_array().ok_or("格式不正确")?;
    if rows.len() > most {
        return Err(format!("最多{most}行"));
    }
    let mut kept = Vec::new();
    let mut ended = String::new();
    for (row, line) in rows.iter().zip(1..) {
        let row = object(row, columns, None).map_err(|why| format!("第{line}行{why}"))?;
        if let Some(column) = columns.iter().find(|column| row[column.key].is_null()) {
            return Err(format!("第{line}行的“{}”不能为空", column.name));
        }
        if let Some((from, to)) = in_order {
            // `HH:MM` compares as text.
            let (begins, ends) = (row[from].as_str().unwrap_or_default(), row[to].as_str().unwrap_or_default());
            if begins < ended.as_str() || ends <= begins {
                return Err(format!("第{line}行的时间应晚于上一行，且结束晚于开始"));
            }
            ended = ends.to_owned();
        }
        kept.push(row);
    }
    Ok(Value::Array(kept))
}

fn choices(value: &Value, options: Options) -> Result<Value, String> {
    let mut kept: Vec<&str> = Vec::new();
    for choice in value.as_array().ok_or("格式不正确")? {
        let word = word(choice, options)?;
        if kept.contains(&word) {
            return Err("有重复的选项".to_owned());
        }
        kept.push(word);
    }
    if kept.is_empty() { Err("至少选择一项".to_owned()) } else { Ok(json!(kept)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHTS: Kind = Kind::Object {
        fields: &[Field::share("attendance", "考勤", 40), Field::share("performance", "表现", 60)],
        sum: Some(100),
    };

    #[test]
    fn weights_make_a_hundred() {
        assert_eq!(WEIGHTS.default(), json!({ "attendance": 40, "performance": 60 }));
        assert_eq!(
            WEIGHTS.normal(&json!({ "attendance": 50, "performance": 50 })),
            Ok(json!({ "attendance": 50, "performance": 50 }))
        );
        assert_eq!(WEIGHTS.normal(&json!({ "attendance": 50 })), Err("之和应为100，目前为110".to_owned()));
        assert_eq!(
            WEIGHTS.normal(&json!({ "attendance": 101, "performance": -1 })),
            Err("的“考勤”取值应在0到100之间".to_owned())
        );
        assert_eq!(WEIGHTS.normal(&json!({ "other": 100 })), Err("没有“other”这一项".to_owned()));
    }

    #[test]
    fn a_number_is_in_its_range() {
        let capacity = Kind::Int { default: 50, min: 1, max: 500 };
        assert_eq!(capacity.normal(&json!(500)), Ok(json!(500)));
        assert_eq!(capacity.normal(&json!(501)), Err("取值应在1到500之间".to_owned()));
        assert_eq!(capacity.normal(&json!("50")), Err("应为整数".to_owned()));
        assert_eq!(capacity.normal(&Value::Null), Ok(Value::Null));
        let step = Kind::Number { default: "0.5", options: &[("0.1", "0.1分"), ("0.5", "0.5分"), ("1", "1分")] };
        assert_eq!(step.default(), json!(0.5));
        assert_eq!(step.normal(&json!(1)), Ok(json!(1)));
        assert_eq!(step.normal(&json!(0.2)), Err("取值无效，请重新选择".to_owned()));
    }

    #[test]
    fn a_day_is_one_of_every_year() {
        let day = Kind::MonthDay { default: "07-10" };
        assert_eq!(day.normal(&json!("06-30")), Ok(json!("06-30")));
        for wrong in ["02-29", "13-01", "0710", "7/10"] {
            assert!(day.normal(&json!(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rows_follow_each_other() {
        const COLUMNS: &[Field] =
            &[Field::new("startsAt", "开始", Kind::Time), Field::new("endsAt", "结束", Kind::Time)];
        let periods = Kind::Rows {
            columns: COLUMNS,
            most: 2,
            default: &[&["08:00", "08:45"]],
            in_order: Some(("startsAt", "endsAt")),
        };
        assert_eq!(periods.default(), json!([{ "startsAt": "08:00", "endsAt": "08:45" }]));
        let row = |from: &str, to: &str| json!({ "startsAt": from, "endsAt": to });
        assert!(periods.normal(&json!([row("08:00", "08:45"), row("08:45", "09:30")])).is_ok());
        let told = |rows: Value| periods.normal(&rows).err().unwrap_or_default();
        assert_eq!(
            told(json!([row("08:00", "08:45"), row("08:30", "09:30")])),
            "第2行的时间应晚于上一行，且结束晚于开始"
        );
        assert_eq!(told(json!([row("08:00", "")])), "第1行的“结束”不能为空");
        assert_eq!(told(json!([row("08:00", "25:00")])), "第1行的“结束”格式不正确：例如 08:30");
        assert_eq!(told(json!([row("08:00", "08:45"), row("09:00", "09:45"), row("10:00", "10:45")])), "最多2行");
    }

    #[test]
    fn pairs_and_choices_are_of_their_words_and_stand_once() {
        const LEVELS: Options = &[("a", "甲"), ("b", "乙")];
        let allowed = Kind::Pairs { default: &[("b", "a")], options: LEVELS };
        assert_eq!(allowed.default(), json!([["b", "a"]]));
        assert_eq!(allowed.normal(&json!([["a", "a"]])), Err("同一行的两项不能相同".to_owned()));
        assert_eq!(allowed.normal(&json!([["a", "b"], ["a", "b"]])), Err("有重复的行，请删除".to_owned()));
        assert_eq!(allowed.normal(&json!([["a", "c"]])), Err("取值无效，请重新选择".to_owned()));
        let columns = Kind::Choices { options: LEVELS };
        assert_eq!(columns.default(), json!(["a", "b"]));
        assert_eq!(columns.normal(&json!(["b"])), Ok(json!(["b"])));
        assert_eq!(columns.normal(&json!([])), Err("至少选择一项".to_owned()));
    }
}
