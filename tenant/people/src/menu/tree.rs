//! The menus of a client.

use infra::{Error, Paging, Result};
use people_rules::menu::{ClientKind, ClientMenu};
use sqlx::PgConnection;

/// All menus of a client, in order.
pub(super) async fn all(connection: &mut PgConnection, client: ClientKind) -> Result<Vec<ClientMenu>> {
    let rows = sqlx::query_as!(
        ClientMenu,
        r#"select m.id, m.client_kind as "client_kind: _", m.parent_id, m.name, m.path, m.icon, m.open_kind as "open_kind: _",
                  m.permission_key, m.school_ids,
                  array(select s.name from platform.school s where s.id = any(m.school_ids) order by s.id) as "school_names!",
                  m.sort, m.enabled, m.version
           from platform.user_menu m where m.client_kind = $1 order by m.sort, m.id desc"#,
        client.as_str()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<ClientMenu> {
    let found = sqlx::query_as!(
        ClientMenu,
        r#"select m.id, m.client_kind as "client_kind: _", m.parent_id, m.name, m.path, m.icon, m.open_kind as "open_kind: _",
                  m.permission_key, m.school_ids,
                  array(select s.name from platform.school s where s.id = any(m.school_ids) order by s.id) as "school_names!",
                  m.sort, m.enabled, m.version
           from platform.user_menu m where m.id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?;
    found.ok_or_else(Error::not_found)
}

/// One page of all menus, or of one client's.
pub(super) async fn page(
    connection: &mut PgConnection,
    client: Option<ClientKind>,
    paging: Paging,
) -> Result<(i64, Vec<ClientMenu>)> {
    let client = client.map(ClientKind::as_str);
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.user_menu where ($1::text is null or client_kind = $1)"#,
        client
    )
    .fetch_one(&mut *connection)
    .await?;
    let list = sqlx::query_as!(
        ClientMenu,
        r#"select m.id, m.client_kind as "client_kind: _", m.parent_id, m.name, m.path, m.icon, m.open_kind as "open_kind: _",
                  m.permission_key, m.school_ids,
                  array(select s.name from platform.school s where s.id = any(m.school_ids) order by s.id) as "school_names!",
                  m.sort, m.enabled, m.version
           from platform.user_menu m where ($1::text is null or m.client_kind = $1)
           order by m.client_kind, m.sort, m.id desc limit $2 offset $3"#,
        client,
        paging.limit(),
        paging.offset()
    )
    .fetch_all(connection)
    .await?;
    Ok((total, list))
}
