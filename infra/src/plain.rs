//! 查看敏感字段: one whole personal value of one record, logged (05 E4).

use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::{AssertSqlSafe, Row};

use crate::{Body, Error, Reply, Result, SignedIn, access::ReadsLogged, reply, room::Plain};

/// Whole values that one account may see in a day.
const PER_DAY: i64 = 200;

/// Which value.
#[derive(Debug, Object)]
#[oai(example)]
struct Wanted {
    /// 对象
    #[oai(validator(max_length = 50))]
    entity: String,
    /// 编号
    id: i64,
    /// 字段
    #[oai(validator(max_length = 50))]
    field: String,
}

impl Example for Wanted {
    fn example() -> Self {
        Self { entity: "student".to_owned(), id: 1, field: "idCardNo".to_owned() }
    }
}

#[derive(Debug, Object)]
struct Whole {
    /// 完整内容
    value: Option<String>,
}

pub struct PlainView;

#[OpenApi(tag = "crate::Tag::Infra")]
impl PlainView {
    /// 查看敏感字段
    #[oai(path = "/system/pc/plain/view", method = "post", operation_id = "viewPlain")]
    async fn view(&self, caller: SignedIn<ReadsLogged>, Body(wanted): Body<Wanted>) -> Result<Reply<Whole>> {
        let unknown = || Error::new(404, "没有可查看的内容");
        let plain = caller.app().rooms().plain(&wanted.entity).ok_or_else(unknown)?;
        let column = plain.fields.iter().find(|(name, _)| *name == wanted.field).ok_or_else(unknown)?.1;
        let scope = caller.rights().get(plain.code).ok_or_else(Error::forbidden)?;
        let mut platform = caller.platform().await?;
        let today = caller
            .app()
            .clock()
            .today()
            .and_hms_opt(0, 0, 0)
            .unwrap_or_default()
            .and_local_timezone(crate::clock::china());
        let seen = sqlx::query_scalar!(
            r#"select count(*) as "count!" from platform.sys_log
               where actor_id = $1 and at >= $2 and path = '/system/pc/plain/view' and result_code = 200"#,
            caller.user_id(),
            today.single().map(|at| at.to_utc())
        )
        .fetch_one(&mut *platform)
        .await?;
        drop(platform);
        if seen >= PER_DAY {
            return Err(Error::too_many("今日查看敏感信息已达200次，请明天再试或联系管理员"));
        }
        let mut tx = caller.school_read().await?;
        // Table and columns are constants of a room.
        let row = sqlx::query(AssertSqlSafe(statement(&plain, column)))
            .bind(wanted.id)
            .bind(scope.sites())
            .bind(scope.classes())
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(Error::not_found)?;
        Ok(reply(Whole { value: row.try_get(0)? }))
    }
}

fn statement(plain: &Plain, column: &str) -> String {
    let Plain { table, scope: (site, class), .. } = plain;
    let class = class.unwrap_or("null");
    format!(
        "select {column}::text from {table} where id = $1
           and ($2::bigint[] is null or {site} = any($2) or {class}::bigint = any($3::bigint[]))"
    )
}

/// The scope of a code without rows of its own sees nothing.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;

    #[test]
    fn the_statement_names_only_constants_of_the_room() {
        let plain =
            Plain { entity: "site", table: "site", code: "x", fields: &[("phone", "phone")], scope: ("id", None) };
        assert!(statement(&plain, "phone").starts_with("select phone::text from site where id = $1"));
        assert!(Scope::default().sites().is_some_and(<[i64]>::is_empty));
    }
}
