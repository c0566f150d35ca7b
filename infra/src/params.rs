//! 参数: single typed values that rules read. Code, default and range stand here or beside the rule; a changed value
//! stands in `platform.sys_param` (01 §3.1, §12). An entity tells its parameters in `Part::params`.

use std::{collections::HashMap, sync::Arc};

use serde_json::Value;
use sqlx::PgConnection;

use crate::{app::App, db::Purpose, error::Result, module::Part};

pub const PART: Part = Part { params: &[PARAMS], ..Part::NONE };

/// A whole number with its default and range.
#[derive(Debug, Clone, Copy)]
pub struct IntParam {
    pub code: &'static str,
    pub default: i64,
    pub min: i64,
    pub max: i64,
}

impl IntParam {
    /// How the registry knows it.
    pub const fn entry(self, name: &'static str, group: &'static str) -> Param {
        Param::new(self.code, name, group, ParamKind::Int { default: self.default, min: self.min, max: self.max })
    }
}

/// A number of at most four places with its default and range.
#[derive(Debug, Clone, Copy)]
pub struct DecimalParam {
    pub code: &'static str,
    pub default: f64,
    pub min: f64,
    pub max: f64,
}

impl DecimalParam {
    /// How the registry knows it.
    pub const fn entry(self, name: &'static str, group: &'static str) -> Param {
        Param::new(self.code, name, group, ParamKind::Decimal { default: self.default, min: self.min, max: self.max })
    }
}

/// Yes or no.
#[derive(Debug, Clone, Copy)]
pub struct BoolParam {
    pub code: &'static str,
    pub default: bool,
}

impl BoolParam {
    /// How the registry knows it.
    pub const fn entry(self, name: &'static str, group: &'static str) -> Param {
        Param::new(self.code, name, group, ParamKind::Bool { default: self.default })
    }
}

/// What a parameter's value is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    Int {
        default: i64,
        min: i64,
        max: i64,
    },
    /// At most four places; the ends belong to the range.
    Decimal {
        default: f64,
        min: f64,
        max: f64,
    },
    Bool {
        default: bool,
    },
    /// A text of this shape; `hint` says what the shape wants.
    Text {
        default: &'static str,
        pattern: &'static str,
        hint: &'static str,
    },
    /// One of these, as value and Chinese word.
    Select {
        default: &'static str,
        options: &'static [(&'static str, &'static str)],
    },
    /// `YYYY-MM-DD`.
    Date {
        default: &'static str,
    },
}

/// A parameter as people see it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Param {
    /// `module.name`
    pub code: &'static str,
    /// 中文
    pub name: &'static str,
    /// 分组, in Chinese.
    pub group: &'static str,
    pub kind: ParamKind,
    /// Whether a school may have a value of its own (a row of its `school_setting`).
    pub school_overridable: bool,
    /// Shown, but nobody changes it.
    pub fixed: bool,
}

impl Param {
    pub const fn new(code: &'static str, name: &'static str, group: &'static str, kind: ParamKind) -> Self {
        Self { code, name, group, kind, school_overridable: false, fixed: false }
    }

    /// A school may have its own value.
    #[must_use]
    pub const fn of_schools(mut self) -> Self {
        self.school_overridable = true;
        self
    }

    /// The product relies on the value.
    #[must_use]
    pub const fn fixed(mut self) -> Self {
        self.fixed = true;
        self
    }

    /// The value that holds until somebody changes it, as text.
    pub fn default(&self) -> String {
        match self.kind {
            ParamKind::Int { default, .. } => default.to_string(),
            ParamKind::Decimal { default, .. } => default.to_string(),
            ParamKind::Bool { default } => default.to_string(),
            ParamKind::Text { default, .. } | ParamKind::Select { default, .. } | ParamKind::Date { default } => {
                default.to_owned()
            }
        }
    }
}

/// Minutes without a call after which a session ends.
pub const IDLE_MINUTES: IntParam = IntParam { code: "session.idleMinutes", default: 120, min: 10, max: 720 };
/// Days after which a password must be changed; 0 is never.
pub const PASSWORD_MAX_DAYS: IntParam = IntParam { code: "auth.passwordMaxDays", default: 180, min: 0, max: 365 };

/// Calls that one token of the clients may make in a second (part 03 B10).
pub const CLIENT_CALLS: IntParam = IntParam { code: "client.callsPerSecond", default: 20, min: 1, max: 100_000 };

/// The parameters whose rules stand in this crate.
pub const PARAMS: &[Param] = &[
    IDLE_MINUTES.entry("会话空闲时长(分钟)", "会话"),
    CLIENT_CALLS.entry("客户端同一令牌每秒调用次数", "会话"),
    PASSWORD_MAX_DAYS.entry("密码有效期(天)，0为不限", "登录安全"),
];

/// The values that differ from their defaults.
pub type Params = Arc<HashMap<String, String>>;

impl App {
    async fn params(&self) -> Result<Params> {
        self.caches()
            .params
            .get((), async {
                let mut tx = self.db().in_platform(Purpose::Read).await?;
                let rows =
                    sqlx::query!(r#"select code, value as "value!" from platform.sys_param where value is not null"#)
                        .fetch_all(&mut *tx)
                        .await?;
                Ok::<_, crate::Error>(Arc::new(rows.into_iter().map(|row| (row.code, row.value)).collect()))
            })
            .await
    }

    /// The value in force; one outside the range counts as the nearest end.
    pub async fn int(&self, param: IntParam) -> Result<i64> {
        let params = self.params().await?;
        let value = params.get(param.code).and_then(|text| text.parse().ok()).unwrap_or(param.default);
        Ok(value.clamp(param.min, param.max))
    }

    pub async fn decimal(&self, param: DecimalParam) -> Result<f64> {
        let params = self.params().await?;
        let value = params.get(param.code).and_then(|text| text.parse().ok()).unwrap_or(param.default);
        Ok(value.clamp(param.min, param.max))
    }

    pub async fn flag(&self, param: BoolParam) -> Result<bool> {
        let params = self.params().await?;
        Ok(params.get(param.code).map_or(param.default, |text| text == "true"))
    }

    /// The platform's value of a registered parameter, as text; empty when no module registers the code.
    pub async fn param_text(&self, code: &str) -> Result<String> {
        if let Some(set) = self.params().await?.get(code) {
            return Ok(set.clone());
        }
        Ok(self.modules().params().find(|param| param.code == code).map(|param| param.default()).unwrap_or_default())
    }

    /// The value in force in the school of this connection: its own, else the platform's.
    pub async fn param_text_in(&self, school: &mut PgConnection, code: &str) -> Result<String> {
        let own = sqlx::query_scalar!("select value from school_setting where key = $1 and value <> 'null'", code)
            .fetch_optional(school)
            .await?;
        match own {
            Some(Value::String(text)) => Ok(text),
            Some(value) => Ok(value.to_string()),
            None => self.param_text(code).await,
        }
    }
}
