//! 快捷入口: pages of one's own menu, at most eight an area.

use infra::{Result, Tx, access::Caller, token::Area};
use sqlx::PgConnection;

use crate::figures::Shortcut;

fn client_type(caller: &Caller) -> i16 {
    if caller.session.area == Area::School { 1 } else { 0 }
}

/// The pages that stand in a person's menu.
pub(crate) async fn pages(caller: &Caller, connection: &mut PgConnection) -> Result<Vec<Shortcut>> {
    let rows = sqlx::query!(
        "with recursive opened as (
             select id from platform.sys_menu where parent_id = 0 and enabled and client_type = $1
             union all
             select m.id from platform.sys_menu m join opened o on m.parent_id = o.id where m.enabled
         )
         select m.path, m.menu_name, m.icon, m.open_code
         from platform.sys_menu m join opened o on o.id = m.id
         where m.menu_type = 'page' and m.shipped and not m.hidden and m.path <> '/dashboard'
         order by m.sort, m.id",
        client_type(caller)
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .filter(|row| row.open_code.as_ref().is_none_or(|code| caller.holds(code)))
        .map(|row| Shortcut { path: row.path, title: row.menu_name, icon: row.icon })
        .collect())
}

/// The chosen ones among them, in the order of the choice; a page that was taken away is left out.
pub(crate) fn chosen(pages: &[Shortcut], paths: &[String]) -> Vec<Shortcut> {
    paths.iter().filter_map(|path| pages.iter().find(|page| page.path == *path).cloned()).collect()
}

pub(crate) async fn of(caller: &Caller, connection: &mut PgConnection) -> Result<Vec<Shortcut>> {
    let paths = sqlx::query_scalar!(
        "select paths from platform.dashboard_shortcut where user_id = $1 and client_type = $2",
        caller.user_id(),
        client_type(caller)
    )
    .fetch_optional(&mut *connection)
    .await?
    .unwrap_or_default();
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    Ok(chosen(&pages(caller, connection).await?, &paths))
}

/// Exactly these; answers the row's number.
pub(crate) async fn write(tx: &mut Tx, caller: &Caller, paths: &[String]) -> Result<i64> {
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.dashboard_shortcut as s (user_id, client_type, paths, created_by, updated_by)
         values ($1, $2, $3, $4, $4)
         on conflict (user_id, client_type) do update
         set paths = excluded.paths, updated_at = now(), updated_by = excluded.updated_by, version = s.version + 1
         returning id",
        caller.user_id(),
        client_type(caller),
        paths,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}
