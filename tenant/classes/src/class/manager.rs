//! Who manages a class: written here for the module of the class managers (part 02 §12.4, §16).

use infra::{Change, Error, Result, Tx};

/// A class whose manager is to change, locked until the transaction ends.
#[derive(Debug, Clone)]
pub struct ManagedClass {
    pub id: i64,
    pub name: String,
    pub site_id: i64,
    pub manager_id: Option<i64>,
    pub version: i32,
}

/// The classes of these numbers as far as they are there, locked in the order of their numbers.
pub async fn managed_classes(tx: &mut Tx, class_ids: &[i64]) -> Result<Vec<ManagedClass>> {
    let classes = sqlx::query_as!(
        ManagedClass,
        "select id, name, site_id, manager_id, version from class where id = any($1) order by id for update",
        class_ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(classes)
}

/// The classes of these numbers and those that the manager has now, locked in the order of their numbers.
///
/// # Errors
/// 422 at `classIds` when a class is gone.
pub async fn class_managers(tx: &mut Tx, class_ids: &[i64], manager_id: i64) -> Result<Vec<ManagedClass>> {
    let classes = sqlx::query_as!(
        ManagedClass,
        "select id, name, site_id, manager_id, version from class
         where id = any($1) or manager_id = $2 order by id for update",
        class_ids,
        manager_id
    )
    .fetch_all(&mut **tx)
    .await?;
    if class_ids.iter().any(|id| !classes.iter().any(|class| class.id == *id)) {
        return Err(Error::field("classIds", "所选班级不存在，请重新选择"));
    }
    Ok(classes)
}

/// Sets the manager of classes, none to take them away; answers what changed, for the trail.
pub async fn class_set_manager(tx: &mut Tx, classes: &[&ManagedClass], manager_id: Option<i64>) -> Result<Vec<Change>> {
    let ids: Vec<i64> = classes.iter().map(|class| class.id).collect();
    let by = tx.by();
    sqlx::query!(
        "update class set manager_id = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = any($1) and manager_id is distinct from $2",
        &ids,
        manager_id,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(classes
        .iter()
        .filter(|class| class.manager_id != manager_id)
        .map(|class| Change::status("class", class.id, "managerId", class.manager_id, manager_id))
        .collect())
}
