//! A setting on its way to people: value, default, limits and words, enough to draw its control.

use infra::{
    App,
    params::ParamKind,
    setting::{
        Setting,
        kind::{Field, Kind, Options, SettingType},
    },
};
use poem_openapi::{Object, types::Any};
use serde_json::Value;

use super::registry::SettingGroup;

/// A word that may be chosen.
#[derive(Debug, Clone, Object)]
pub struct SettingOption {
    /// 值
    code: String,
    /// 名称
    desc: String,
}

/// A named value inside a setting.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SettingPart {
    /// 键
    key: String,
    /// 名称
    name: String,
    /// 类型
    #[oai(rename = "type")]
    kind: SettingType,
    /// 最小值
    min: Option<f64>,
    /// 最大值
    max: Option<f64>,
    /// 最多字数
    max_length: Option<i32>,
    /// 可选值
    options: Vec<SettingOption>,
}

/// One setting.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SettingItem {
    /// 键
    pub key: String,
    /// 名称
    pub name: String,
    /// 类型
    #[oai(rename = "type")]
    pub kind: SettingType,
    /// 值
    pub value: Any<Value>,
    /// 默认值
    pub default_value: Any<Value>,
    /// 已修改
    pub changed: bool,
    /// 只读
    pub read_only: bool,
    /// 必填
    pub required: bool,
    /// 说明
    pub help: Option<String>,
    /// 最小值
    pub min: Option<f64>,
    /// 最大值
    pub max: Option<f64>,
    /// 最多字数或行数
    pub max_length: Option<i32>,
    /// 可选值
    pub options: Vec<SettingOption>,
    /// 各项
    pub parts: Vec<SettingPart>,
    /// 合计
    pub sum: Option<i64>,
}

fn options(words: Options) -> Vec<SettingOption> {
    words.iter().map(|(code, desc)| SettingOption { code: (*code).to_owned(), desc: (*desc).to_owned() }).collect()
}

fn part(field: &Field) -> SettingPart {
    let (min, max) = field.kind.range();
    SettingPart {
        key: field.key.to_owned(),
        name: field.name.to_owned(),
        kind: field.kind.wire(),
        min,
        max,
        max_length: field.kind.most(),
        options: options(field.kind.options()),
    }
}

impl SettingItem {
    /// The setting with what was set; null means that nothing was.
    pub(super) fn of(setting: &Setting, set: Option<Value>, default: Value) -> Self {
        let kind = setting.kind;
        let (min, max) = kind.range();
        let set = set.filter(|value| !value.is_null());
        let help = if setting.help.is_empty() { kind.hint() } else { Some(setting.help) };
        Self {
            key: setting.key.to_owned(),
            name: setting.name.to_owned(),
            kind: kind.wire(),
            changed: set.is_some(),
            value: Any(set.unwrap_or_else(|| default.clone())),
            default_value: Any(default),
            read_only: setting.read_only,
            required: false,
            help: help.map(ToOwned::to_owned),
            min,
            max,
            max_length: kind.most(),
            options: options(kind.options()),
            parts: kind.fields().iter().map(part).collect(),
            sum: match kind {
                Kind::Object { sum, .. } => sum,
                _ => None,
            },
        }
    }
}

/// A parameter's kind as a setting has it.
const fn of_param(kind: ParamKind) -> Kind {
    match kind {
        ParamKind::Int { default, min, max } => Kind::Int { default, min, max },
        ParamKind::Decimal { default, min, max } => Kind::Decimal { default, min, max },
        ParamKind::Bool { default } => Kind::Bool { default },
        ParamKind::Text { default, pattern, hint } => Kind::Text { default, max: 500, pattern: Some(pattern), hint },
        ParamKind::Select { default, options } => Kind::Select { default, options },
        ParamKind::Date { default } => Kind::Date { default },
    }
}

/// The settings of a group: those that a module reads, or the parameters that a school may override.
pub(super) fn settings_of(app: &App, group: SettingGroup) -> Vec<Setting> {
    if group != SettingGroup::Params {
        return app.modules().settings(group.as_str()).copied().collect();
    }
    app.modules()
        .params()
        .filter(|param| param.school_overridable)
        .map(|param| Setting {
            read_only: param.fixed,
            ..Setting::new(param.code, param.name, of_param(param.kind), "")
        })
        .collect()
}

/// The platform's value of a parameter, as a setting of this kind holds it.
pub(super) fn as_value(kind: Kind, text: String) -> Value {
    match kind {
        Kind::Int { .. } | Kind::Decimal { .. } | Kind::Bool { .. } => {
            serde_json::from_str(&text).unwrap_or_else(|_| kind.default())
        }
        _ => Value::String(text),
    }
}
