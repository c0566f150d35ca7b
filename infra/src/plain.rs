//! 查看敏感字段: one whole personal value of one record, logged (05 E4).

use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::{AssertSqlSafe, Row};

use crate::{
    App, Body, Error, Reply, Result, SignedIn,
    access::{HomeOrNamed, ReadsLogged},
    db::Purpose,
    module::UnmaskedFields,
    reply,
};

/// Whole values that one account may see in a day.
const PER_DAY: i32 = 200;

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
    async fn view(
        &self,
        caller: SignedIn<ReadsLogged, HomeOrNamed>,
        Body(wanted): Body<Wanted>,
    ) -> Result<Reply<Whole>> {
        let unknown = || Error::new(404, "没有可查看的内容");
        let plain = caller.app().modules().plain(&wanted.entity).ok_or_else(unknown)?;
        let column = plain.fields.iter().find(|(name, _)| *name == wanted.field).ok_or_else(unknown)?.1;
        let scope = caller.rights().get(plain.code).ok_or_else(Error::forbidden)?;
        if !count_one(caller.app(), caller.user_id()).await? {
            return Err(Error::too_many("今日查看敏感信息已达200次，请明天再试或联系管理员"));
        }
        caller.note("entity", wanted.entity.clone());
        caller.note("ids", vec![wanted.id]);
        // Table, columns and condition are constants of a module.
        let sql = AssertSqlSafe(statement(&plain, column));
        let row = if plain.platform.is_some() {
            let operator = caller.session.school_id.is_none().then(|| caller.user_id());
            let query = sqlx::query(sql).bind(wanted.id).bind(caller.session.school_id).bind(operator);
            query.fetch_optional(&mut *caller.platform().await?).await?
        } else {
            let query = sqlx::query(sql).bind(wanted.id).bind(scope.sites()).bind(scope.classes());
            query.fetch_optional(&mut *caller.school_read().await?).await?
        };
        let row = row.ok_or_else(Error::not_found)?;
        Ok(reply(Whole { value: row.try_get(0)? }))
    }
}

/// Counts a view before it is given, so that calls beside each other cannot pass the limit together. False beyond it.
async fn count_one(app: &App, user_id: i64) -> Result<bool> {
    let mut tx = app.db().in_platform(Purpose::Write).await?;
    let counted = sqlx::query_scalar!(
        "insert into platform.plain_view_count as c (user_id, day, seen) values ($1, $2, 1)
         on conflict (user_id, day) do update set seen = c.seen + 1 where c.seen < $3
         returning c.seen",
        user_id,
        app.clock().today(),
        PER_DAY
    )
    .fetch_optional(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(counted.is_some())
}

fn statement(plain: &UnmaskedFields, column: &str) -> String {
    let UnmaskedFields { table, scope: (site, class), .. } = plain;
    if let Some(condition) = plain.platform {
        return format!("select {column}::text from {table} where id = $1 and ({condition})");
    }
    let (class, live) = (class.unwrap_or("null"), plain.live.unwrap_or("true"));
    format!(
        "select {column}::text from {table} where id = $1 and {live}
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
        let site = UnmaskedFields {
            entity: "site",
            table: "site",
            code: "x",
            fields: &[("phone", "phone")],
            scope: ("id", None),
            live: None,
            platform: None,
        };
        assert!(statement(&site, "phone").starts_with("select phone::text from site where id = $1 and true"));
        let live = statement(&UnmaskedFields { live: Some("deleted_at is null"), ..site }, "phone");
        assert!(live.starts_with("select phone::text from site where id = $1 and deleted_at is null"), "{live}");
        let account = UnmaskedFields { table: "platform.sys_user", platform: Some("$2 = 1"), ..site };
        assert_eq!(
            statement(&account, "phone"),
            "select phone::text from platform.sys_user where id = $1 and ($2 = 1)"
        );
        assert!(Scope::default().sites().is_some_and(<[i64]>::is_empty));
    }
}
