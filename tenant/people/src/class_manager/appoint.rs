//! 设置班主任 (part 03 A4): ticked classes get one manager, or none; each class succeeds or fails by itself. Whom a class is
//! taken over from stands in its trail.

use std::collections::HashMap;

use classes::class::{EditClass, ManagedClass, class_set_manager, managed_classes};
use infra::{Allowed, Body, BulkFailure, BulkResult, Error, Reply, Result, Scope, Tx, reply};
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

/// The manager whom the classes are to have.
#[derive(Debug)]
struct Appointee {
    id: i64,
    name: String,
    site_ids: Vec<i64>,
}

/// Why somebody looks after no more classes.
pub(super) fn is_gone(name: &str) -> String {
    format!("“{name}”已停用或离职，请选择其他班主任")
}

/// Why somebody does not look after this class.
pub(super) fn is_of_other_sites(name: &str) -> String {
    format!("班级的站点不在{name}负责的站点内")
}

/// Why a class keeps the manager that it has.
fn allow(class: &ManagedClass, appointee: Option<&Appointee>) -> Result<(), String> {
    match appointee {
        Some(person) if class.manager_id == Some(person.id) => Err(format!("班主任已是{}", person.name)),
        Some(person) if !person.site_ids.contains(&class.site_id) => Err(is_of_other_sites(&person.name)),
        None if class.manager_id.is_none() => Err("该班级没有班主任".to_owned()),
        Some(_) | None => Ok(()),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn told(site_id: i64, manager_id: Option<i64>, appointed: bool) -> String {
        let class = ManagedClass { id: 1, name: "1班".to_owned(), site_id, manager_id, version: 1 };
        let person = Appointee { id: 7, name: "周老师".to_owned(), site_ids: vec![4, 5] };
        allow(&class, appointed.then_some(&person)).map_or_else(|why| why, |()| "可以".to_owned())
    }

    #[test]
    fn a_class_gets_a_manager_of_its_site() {
        assert_eq!(told(4, None, true), "可以");
        assert_eq!(told(5, Some(8), true), "可以");
        assert_eq!(told(6, None, true), "班级的站点不在周老师负责的站点内");
    }

    #[test]
    fn what_would_change_nothing_is_told() {
        assert_eq!(told(4, Some(7), true), "班主任已是周老师");
        assert_eq!(told(4, None, false), "该班级没有班主任");
        assert_eq!(told(4, Some(7), false), "可以");
    }
}
