//! 设置班主任 (part 03 A4): ticked classes get one manager, or none; each class succeeds or fails by itself. Whom a class is
//! taken over from stands in its trail.

use std::collections::HashMap;

use classes::class::{EditClass, ManagedClass, class_set_manager, managed_classes};
use infra::{Allowed, Body, BulkFailure, BulkResult, Error, Reply, Result, Scope, Tx, reply};
use people_rules::appoint::{Appointee, allow, is_gone};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{allocation::outdate, lock};
use crate::enums::StaffStatus;

/// A class, with the version that was read.
#[derive(Debug, Clone, Copy, Object)]
pub struct ClassItem {
    /// 班级编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

/// Who is to look after which classes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ManagerAppointment {
    /// 班级
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<ClassItem>,
    /// 班主任
    /// 不填表示取消班主任
    pub manager_id: Option<i64>,
}

impl Example for ManagerAppointment {
    fn example() -> Self {
        Self { items: vec![ClassItem { id: 1, version: 1 }], manager_id: Some(1) }
    }
}

pub struct Appoint;

#[OpenApi(prefix_path = "/adult/pc/class", tag = "crate::Tag::People")]
impl Appoint {
    /// 设置班主任
    #[oai(path = "/manager", method = "put", operation_id = "setClassManager")]
    async fn set(
        &self,
        caller: Allowed<EditClass>,
        Body(wanted): Body<ManagerAppointment>,
    ) -> Result<Reply<BulkResult>> {
        let scope = caller.scope();
        let mut tx = caller.begin().await?;
        let appointee = match wanted.manager_id {
            Some(id) => Some(serving(&mut tx, id, &scope).await?),
            None => None,
        };
        let ids: Vec<i64> = wanted.items.iter().map(|item| item.id).collect();
        let mut found: HashMap<i64, ManagedClass> =
            managed_classes(&mut tx, &ids).await?.into_iter().map(|class| (class.id, class)).collect();
        let (mut given, mut failed) = (Vec::new(), Vec::new());
        for item in wanted.items {
            let refused = |name: &str, msg: String| BulkFailure { id: item.id, name: name.to_owned(), msg };
            let seen = found.remove(&item.id).filter(|class| scope.sees(Some(class.site_id), Some(class.id)));
            let Some(class) = seen else {
                // The name of a class that is not theirs is not told either.
                failed.push(refused("", Error::not_found().msg.into_owned()));
                continue;
            };
            if class.version != item.version {
                failed.push(refused(&class.name, tx.stale("class", class.id).await.msg.into_owned()));
            } else if let Err(why) = allow(&class, appointee.as_ref()) {
                failed.push(refused(&class.name, why));
            } else {
                given.push(class);
            }
        }
        let classes: Vec<&ManagedClass> = given.iter().collect();
        let changes = class_set_manager(&mut tx, &classes, wanted.manager_id).await?;
        let managers: Vec<i64> =
            given.iter().flat_map(|class| [class.manager_id, wanted.manager_id]).flatten().collect();
        outdate(&mut tx, &managers).await?;
        tx.commit_all(changes).await?;
        Ok(reply(BulkResult { done: i64::try_from(given.len()).map_err(Error::internal)?, failed }))
    }
}

/// The manager, locked.
///
/// # Errors
/// 422 at `managerId` when they are gone, outside the scope, or work here no more.
async fn serving(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Appointee> {
    let manager = lock(tx, id, scope).await.map_err(|error| match error.code {
        404 => Error::field("managerId", "所选班主任不存在，请重新选择"),
        _ => error,
    })?;
    if manager.status != StaffStatus::Active {
        return Err(Error::field("managerId", is_gone(&manager.name)));
    }
    Ok(Appointee { id: manager.id, name: manager.name, site_ids: manager.site_ids })
}
