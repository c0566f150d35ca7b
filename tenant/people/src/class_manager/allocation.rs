//! 分配班级: which classes a manager has; taking one over from another is asked for and stands in the trail.

use classes::class::{ManagedClass, class_managers, class_set_manager};
use infra::{Change, Error, Result, Scope, Tx};
use poem_openapi::{Object, types::Example};
use serde_json::json;

use super::{ClassManager, lock};
use crate::enums::StaffStatus;

/// All classes that the manager is to have; what is not among them they have no more.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ClassAllocation {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 班级
    #[oai(validator(max_items = 500))]
    pub class_ids: Vec<i64>,
    /// 接管其他班主任的班级
    #[oai(default)]
    pub take_over: bool,
}

impl Example for ClassAllocation {
    fn example() -> Self {
        Self { id: 1, version: 1, class_ids: vec![1], take_over: false }
    }
}

/// # Errors
/// 409 for a stale version, else as [`assign`].
pub(super) async fn allocate(mut tx: Tx, wanted: ClassAllocation, scope: &Scope) -> Result<()> {
    let manager = lock(&mut tx, wanted.id, scope).await?;
    if manager.version != wanted.version {
        return Err(tx.stale("class_manager", wanted.id).await);
    }
    let changes = assign(&mut tx, &manager, &wanted.class_ids, wanted.take_over, scope).await?;
    tx.commit_all(changes).await
}

/// Gives a manager these classes and no others; the first change is the manager's.
///
/// # Errors
/// 409 for classes of another manager unless they are taken over knowingly; 422 for a class at a site that is not the
/// manager's or outside the caller's scope.
pub(super) async fn assign(
    tx: &mut Tx,
    manager: &ClassManager,
    class_ids: &[i64],
    take_over: bool,
    scope: &Scope,
) -> Result<Vec<Change>> {
    if manager.status != StaffStatus::Active && !class_ids.is_empty() {
        return Err(Error::conflict("该班主任已停用或离职，不能分配班级"));
    }
    let classes = class_managers(tx, class_ids, manager.id).await?;
    let (given, released): (Vec<&ManagedClass>, Vec<&ManagedClass>) =
        classes.iter().partition(|class| class_ids.contains(&class.id));
    for class in &classes {
        let wanted = class_ids.contains(&class.id);
        if wanted && !manager.site_ids.contains(&class.site_id) {
            return Err(Error::field("classIds", format!("班级“{}”不在该班主任的站点", class.name)));
        }
        let moves = wanted != (class.manager_id == Some(manager.id));
        if moves && !scope.sees(Some(class.site_id), Some(class.id)) {
            return Err(Error::field("classIds", format!("无权分配班级“{}”", class.name)));
        }
    }
    let mut others: Vec<i64> =
        given.iter().filter_map(|class| class.manager_id).filter(|other| *other != manager.id).collect();
    others.sort_unstable();
    others.dedup();
    if !others.is_empty() && !take_over {
        return Err(taken(tx, &given, manager.id).await?);
    }
    let what = json!({ "classIds": class_ids, "takenOverFrom": others });
    let mut changes = vec![Change::event("class_manager", manager.id, "allocation", what)];
    changes.extend(class_set_manager(tx, &given, Some(manager.id)).await?);
    changes.extend(class_set_manager(tx, &released, None).await?);
    others.push(manager.id);
    outdate(tx, &others).await?;
    Ok(changes)
}

/// Whoever has read one of these managers before this step has read the wrong classes.
pub(super) async fn outdate(tx: &mut Tx, managers: &[i64]) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update class_manager set updated_at = now(), updated_by = $2, version = version + 1 where id = any($1)",
        managers,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Whose the classes are that were not to be taken over.
async fn taken(tx: &mut Tx, given: &[&ManagedClass], manager_id: i64) -> Result<Error> {
    let ids: Vec<i64> = given.iter().map(|class| class.id).collect();
    let owners = sqlx::query!(
        "select c.name as class_name, m.name as manager_name from class c join class_manager m on m.id = c.manager_id
         where c.id = any($1) and m.id <> $2 order by c.code limit 5",
        &ids,
        manager_id
    )
    .fetch_all(&mut **tx)
    .await?;
    let told: Vec<String> =
        owners.iter().map(|row| format!("“{}”由{}负责", row.class_name, row.manager_name)).collect();
    Ok(Error::conflict(format!("班级{}，如需接管请勾选“接管其他班主任的班级”", told.join("、"))))
}
