//! How a room is written.

use infra::{Change, Edit, Error, OnConstraint, Result, Scope, Tx, across::Keyed, pinyin};
use unit_rules::classroom::{ClassroomForm, Complete};

use super::Classrooms;
use crate::site::SiteStatus;

/// # Errors
/// 422 at the site when it is not there, not the caller's, or closed.
async fn site_usable(tx: &mut Tx, site_id: i64, scope: &Scope) -> Result<()> {
    let site = sqlx::query!(
        r#"select name, status as "status: SiteStatus" from site s
           where id = $1 and ($2::bigint[] is null or id = any($2)
                 or exists (select from class c where c.site_id = s.id and c.id = any($3::bigint[])))"#,
        site_id,
        scope.sites(),
        scope.classes()
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("siteId", "所选站点不存在，请重新选择"))?;
    match site.status {
        SiteStatus::Active | SiteStatus::Suspended => Ok(()),
        SiteStatus::Closed => Err(Error::field("siteId", format!("“{}”已撤销，请选择其他项", site.name))),
    }
}

pub(super) async fn insert(tx: &mut Tx, form: ClassroomForm, scope: &Scope) -> Result<(i64, Change)> {
    let typed = form.clone();
    let form = Complete::of(form)?;
    site_usable(tx, form.site_id, scope).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into classroom (site_id, building, room_no, name, room_type, capacity, exam_capacity, initials, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
        form.site_id,
        form.building,
        form.room_no,
        form.name,
        form.room_type.as_str(),
        form.capacity,
        form.exam_capacity,
        pinyin::text_initials(&form.name),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form))?;
    Ok((id, Change::created("classroom", id, &typed)))
}

/// # Errors
/// 404 outside the scope, 409 when it was changed meanwhile, 422 for a site that cannot be chosen.
pub(super) async fn update(tx: &mut Tx, edit: Edit<ClassroomForm>, scope: &Scope) -> Result<Change> {
    let before = Classrooms::find(tx, edit.id, scope).await?;
    let form = Complete::of(edit.form)?;
    if form.site_id != before.site_id {
        site_usable(tx, form.site_id, scope).await?;
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update classroom set site_id = $3, building = $4, room_no = $5, name = $6, room_type = $7, capacity = $8,
                exam_capacity = $9, initials = $10, updated_at = now(), updated_by = $11, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.site_id,
        form.building,
        form.room_no,
        form.name,
        form.room_type.as_str(),
        form.capacity,
        form.exam_capacity,
        pinyin::text_initials(&form.name),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("classroom", edit.id).await);
    }
    let after = Classrooms::find(tx, edit.id, scope).await?;
    Ok(Change::edited("classroom", edit.id, &before, &after))
}

fn explain_constraint(constraint: &str, form: &Complete) -> Option<Error> {
    (constraint == "classroom_room_taken").then(|| {
        let Complete { building, room_no, .. } = form;
        Error::field("roomNo", format!("该站点已有教室“{building}{room_no}”"))
    })
}
