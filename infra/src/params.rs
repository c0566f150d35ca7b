//! 参数: single typed values that rules read. Code, default and range stand here or beside the rule; a changed value
//! stands in `platform.sys_param` (01 §3.1, §12).

use std::{collections::HashMap, sync::Arc};

use crate::{app::App, db::Purpose, error::Result};

/// A whole number with its default and range.
#[derive(Debug, Clone, Copy)]
pub struct IntParam {
    pub code: &'static str,
    pub default: i64,
    pub min: i64,
    pub max: i64,
}

/// Yes or no.
#[derive(Debug, Clone, Copy)]
pub struct BoolParam {
    pub code: &'static str,
    pub default: bool,
}

/// Minutes without a call after which a session ends.
pub const IDLE_MINUTES: IntParam = IntParam { code: "session.idleMinutes", default: 120, min: 10, max: 720 };
/// Days after which a password must be changed; 0 is never.
pub const PASSWORD_MAX_DAYS: IntParam = IntParam { code: "auth.passwordMaxDays", default: 180, min: 0, max: 365 };

/// The values that differ from their defaults.
pub type Params = Arc<HashMap<String, String>>;

impl App {
    async fn params(&self) -> Result<Params> {
        self.caches()
            .params
            .get((), async {
                let mut tx = self.db().in_platform(Purpose::Read).await?;
                let rows = sqlx::query!("select code, value from platform.sys_param").fetch_all(&mut *tx).await?;
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

    pub async fn flag(&self, param: BoolParam) -> Result<bool> {
        let params = self.params().await?;
        Ok(params.get(param.code).map_or(param.default, |text| text == "true"))
    }
}
