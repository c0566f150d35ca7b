//! The envelope of every answer: `{"code":200,"msg":"成功","data":…}` (00 §4).

use poem_openapi::{
    Object,
    payload::Json,
    types::{Example, IsObjectType, ParseFromJSON, ToJSON, Type},
};
use serde::{Deserialize, Serialize};

/// What every answer looks like.
#[derive(Debug, Clone, Object)]
pub struct Envelope<T: Type + ParseFromJSON + ToJSON + Send + Sync> {
    /// 结果码
    pub code: i32,
    /// 提示
    pub msg: String,
    /// 数据
    pub data: T,
}

/// A successful answer.
pub type Reply<T> = Json<Envelope<T>>;

pub fn reply<T: Type + ParseFromJSON + ToJSON + Send + Sync>(data: T) -> Reply<T> {
    Json(Envelope { code: 200, msg: "成功".to_owned(), data })
}

/// The answer of `save` and of every step on one record.
#[derive(Debug, Clone, Object)]
pub struct Saved {
    /// 编号
    pub id: i64,
}

/// The answer of a save that tells what is worth a second look; nothing of it is refused.
#[derive(Debug, Clone, Object)]
pub struct Warned {
    /// 编号
    pub id: i64,
    /// 提醒
    pub warnings: Vec<String>,
}

/// The answer of a bulk action: each row succeeds or fails by itself (00 §4).
#[derive(Debug, Clone, Default, Object)]
pub struct BulkResult {
    /// 成功条数
    pub done: i64,
    /// 失败明细
    pub failed: Vec<BulkFailure>,
}

/// A row of a bulk action that was refused.
#[derive(Debug, Clone, Serialize, Deserialize, Object)]
pub struct BulkFailure {
    /// 编号
    pub id: i64,
    /// 名称
    pub name: String,
    /// 原因
    pub msg: String,
}

/// A row of a bulk action that went well and is worth a second look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Object)]
pub struct BulkWarning {
    /// 编号
    pub id: i64,
    /// 名称
    pub name: String,
    /// 提醒
    pub msg: String,
}

/// The body of `edit`: the whole form again, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct Edit<F>
where
    F: Type + IsObjectType + ParseFromJSON + ToJSON + Example + Send + Sync,
{
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    #[oai(flatten)]
    pub form: F,
}

impl<F> Example for Edit<F>
where
    F: Type + IsObjectType + ParseFromJSON + ToJSON + Example + Send + Sync,
{
    fn example() -> Self {
        Self { id: 1, version: 1, form: F::example() }
    }
}

/// `{ids}` of `batchDel`.
#[derive(Debug, Clone, Object)]
pub struct Ids {
    /// 编号
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
}

/// `{id, enabled}` of `update/status`; the version is checked when it is sent.
#[derive(Debug, Clone, Object)]
pub struct EnabledChange {
    /// 编号
    pub id: i64,
    /// 启用
    pub enabled: bool,
    /// 版本
    pub version: Option<i32>,
}
