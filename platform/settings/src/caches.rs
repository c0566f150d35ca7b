//! 清除缓存: what servers remember is dropped everywhere (01 §3.2.3). Sessions, jobs and counters are no caches and stay.

use infra::{Change, Part, Result, Tx, enumeration, notice};
use poem_openapi::{Object, types::Example};
use serde_json::json;

pub const PART: Part = Part { enumerations: &[CacheScope::ENUMERATION], ..Part::NONE };

enumeration! {
    /// 缓存范围
    pub enum CacheScope = "cacheScope" {
        Config = "config" "系统配置和站点信息",
        School = "school" "院校目录",
        Param = "param" "参数",
        Dictionary = "dictionary" "字典",
        Rights = "rights" "菜单和权限",
        SensitiveWord = "sensitive_word" "敏感词",
    }
}

impl CacheScope {
    /// The topic under which servers are told.
    fn topic(self) -> &'static str {
        match self {
            Self::Config => crate::config::TOPIC,
            Self::School => "school",
            Self::Param => "param",
            Self::Dictionary => "dict",
            Self::Rights => "rights",
            Self::SensitiveWord => crate::sensitive::TOPIC,
        }
    }
}

/// Which caches; all unless said.
#[derive(Debug, Clone, Default, Object)]
#[oai(example)]
pub struct CacheScopes {
    /// 范围
    pub scopes: Option<Vec<CacheScope>>,
}

impl Example for CacheScopes {
    fn example() -> Self {
        Self { scopes: Some(vec![CacheScope::Config]) }
    }
}

impl CacheScopes {
    pub fn topics(self) -> Vec<&'static str> {
        let all = || CacheScope::CHOICES.iter().map(|(_, scope)| *scope).collect();
        self.scopes.unwrap_or_else(all).into_iter().map(CacheScope::topic).collect()
    }
}

/// Where caches were dropped.
#[derive(Debug, Clone, Object)]
pub struct Dropped {
    /// 服务实例数
    pub instances: i64,
    /// 清除的缓存类数
    pub dropped: i64,
}

/// Drops caches in every server when the transaction commits.
pub async fn dropped(mut tx: Tx, topics: &[&'static str]) -> Result<Dropped> {
    let instances = notice::instances(&mut tx).await?;
    for &topic in topics {
        tx.notice(topic, "");
    }
    tx.commit(Change::event("sys_config", 0, "drop_caches", json!({ "topics": topics }))).await?;
    Ok(Dropped { instances, dropped: i64::try_from(topics.len()).unwrap_or(i64::MAX) })
}
