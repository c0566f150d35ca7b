//! A bank, and an account of the school, as others choose them.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

/// Banks of the course `parent_id`, or of all, that the caller may see.
pub(super) async fn banks(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        "select b.id, b.code, b.name, b.enabled, b.course_id from question_bank b
         where (b.enabled or not $2)
           and ($1::text is null or strpos(b.name, $1) > 0 or starts_with(lower(b.code), lower($1)) or starts_with(b.initials, lower($1)))
           and ($3::bigint is null or b.course_id = $3)
           and (b.visibility = 'school' or b.created_by = $4
                or exists (select from question_bank_member m where m.bank_id = b.id and m.account_id = $4))
         order by b.code limit 200",
        asked.keyword,
        asked.only_enabled,
        asked.parent_id,
        asked.user_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| OptionItem::of(row.id, row.name, row.code, row.enabled).below(row.course_id))
        .collect())
}

/// Accounts of the school, from `platform`, by their people's names. A login name is the first half of a sign-in: it is told to
/// nobody here, and finds its account only when it is known whole.
pub(super) async fn accounts(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        "select u.id, u.real_name, u.enabled from platform.sys_user u
         join platform.sys_user_school s on s.user_id = u.id
         where s.school_id = $3 and s.enabled and (u.enabled or not $2)
           and ($1::text is null or strpos(u.real_name, $1) > 0 or lower(u.login_name) = lower($1))
         order by u.real_name, u.id limit 200",
        asked.keyword,
        asked.only_enabled,
        asked.school_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| OptionItem::of(row.id, row.real_name, String::new(), row.enabled)).collect())
}
