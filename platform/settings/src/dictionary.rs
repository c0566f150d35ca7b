//! 数据字典: value lists without program logic, which operators keep (01 §3).
//!
//! A type that repeats an enumeration exists for exchange files; the code decides its values, so nobody edits it here.
//! What rows of schools carry is disabled, never deleted: [`data`] asks every school.

pub mod data;
mod fields;
mod sheet;
pub mod types;

use infra::{
    Entity, Error, Part, Result,
    transfer::{ByRow, export_job, import_job},
};
use sqlx::PgConnection;

pub const PART: Part = Part {
    permissions: &[types::PERMISSIONS, data::PERMISSIONS],
    entities: &[
        Entity { table: "dict_type", name: "字典类型", counted: "个字典类型" },
        Entity { table: "dict_data", name: "字典数据", counted: "条字典数据" },
    ],
    jobs: &[export_job::<data::DictWords>(), import_job::<ByRow<sheet::DictSheet>>()],
    ..Part::NONE
};

/// Types that repeat an enumeration of the code (01 §3.1).
const ENUMERATED: [&str; 6] =
    ["gender", "id_card_type", "teacher_title", "msg_type", "punishment_kind", "banner_target"];

fn enumerated() -> [String; ENUMERATED.len()] {
    ENUMERATED.map(str::to_owned)
}

/// # Errors
/// 404 at an unknown type, 409 at one whose values the code decides.
async fn editable(connection: &mut PgConnection, dict_type: &str) -> Result<()> {
    let known = sqlx::query_scalar!(
        r#"select exists (select from platform.dict_type where dict_type = $1) as "known!""#,
        dict_type
    )
    .fetch_one(connection)
    .await?;
    if !known {
        return Err(Error::field("dictType", "字典类型不存在，请先新增类型"));
    }
    if ENUMERATED.contains(&dict_type) {
        return Err(Error::conflict("该字典的取值由系统决定，仅可查看"));
    }
    Ok(())
}
