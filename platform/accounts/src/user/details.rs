//! What is written about an account besides its rights: name, phone, end, and the schools an operator may act for.

use infra::{Change, Error, OnConstraint, Result, Tx, access::Caller, clock::Moment, mask};
use serde_json::json;
use sqlx::PgConnection;

use super::{AccountGender, SchoolScope, known::Known};

/// What a person types about an account.
#[derive(Debug, Clone)]
pub struct Details {
    pub real_name: String,
    pub phone: Option<String>,
    pub email: Option<String>,
    pub gender: AccountGender,
    pub gmt_expires: Option<Moment>,
    pub remark: Option<String>,
}

pub fn explain_constraint(constraint: &str) -> Option<Error> {
    match constraint {
        "sys_user_login_name_taken" => Some(Error::field("loginName", "账号已存在")),
        "sys_user_phone_taken" => Some(Error::field("phone", "手机号已被其他账号使用")),
        _ => None,
    }
}

/// What came back masked was not typed: the stored phone and address stay.
///
/// # Errors
/// 422 when a masked value was changed in part.
pub async fn unmask(connection: &mut PgConnection, user_id: i64, details: &mut Details) -> Result<()> {
    let stored =
        sqlx::query!("select phone, email from platform.sys_user where id = $1", user_id).fetch_one(connection).await?;
    details.phone = mask::kept(details.phone.take(), stored.phone.as_deref(), mask::phone);
    details.email = mask::kept(details.email.take(), stored.email.as_deref(), mask::email);
    check_phone(details.phone.as_deref())?;
    if details.email.as_deref().is_some_and(|email| email.contains('*')) {
        return Err(Error::field("email", "请填写完整的邮箱"));
    }
    Ok(())
}

/// # Errors
/// 422 when it is no mobile number; a masked one is none.
pub(super) fn check_phone(phone: Option<&str>) -> Result<()> {
    let right = |phone: &str| {
        let digits = phone.as_bytes();
        digits.len() == 11
            && digits.iter().all(u8::is_ascii_digit)
            && digits[0] == b'1'
            && (b'3'..=b'9').contains(&digits[1])
    };
    match phone {
        Some(phone) if !right(phone) => Err(Error::field("phone", "手机号应为11位手机号")),
        _ => Ok(()),
    }
}

/// Writes all of it.
pub async fn write(tx: &mut Tx, user_id: i64, details: &Details) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update platform.sys_user set real_name = $2, phone = $3, email = $4, gender = $5, gmt_expires = $6, remark = $7,
                updated_at = now(), updated_by = $8, version = version + 1 where id = $1",
        user_id,
        details.real_name,
        details.phone,
        details.email,
        details.gender.as_str(),
        details.gmt_expires,
        details.remark,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    tx.notice("session", format!("u{user_id}"));
    Ok(())
}

/// The schools a platform account may act for; none when nothing differs.
///
/// # Errors
/// 409 for one's own; those of [`give_schools`].
pub(super) async fn set_schools(
    tx: &mut Tx,
    caller: &Caller,
    user: &Known,
    scope: SchoolScope,
    schools: &[i64],
) -> Result<Option<Change>> {
    let before = sqlx::query!(
        r#"select u.school_scope as "scope: SchoolScope",
                  array(select b.school_id from platform.sys_user_school b where b.user_id = u.id order by 1) as "schools!"
           from platform.sys_user u where u.id = $1"#,
        user.id
    )
    .fetch_one(&mut **tx)
    .await?;
    let wanted = named(scope, schools);
    if before.scope == scope && (scope == SchoolScope::All || before.schools == wanted) {
        return Ok(None);
    }
    if user.id == caller.user_id() {
        return Err(Error::conflict("不能修改自己的可管院校"));
    }
    give_schools(tx, caller, user.id, scope, schools).await?;
    let shown = |scope: SchoolScope, schools: &[i64]| json!({ "scope": scope.as_str(), "schools": schools });
    let (from, to) = (shown(before.scope, &before.schools), shown(scope, &wanted));
    Ok(Some(Change::status("sys_user", user.id, "schools", from, to)))
}

/// In order, each once; all schools are named by none.
pub fn named(scope: SchoolScope, schools: &[i64]) -> Vec<i64> {
    let mut named = if scope == SchoolScope::All { Vec::new() } else { schools.to_vec() };
    named.sort_unstable();
    named.dedup();
    named
}

/// Lets a platform account act for these schools and no others.
///
/// # Errors
/// 403 for schools that the acting person may not act for; 422 when none is named.
pub(super) async fn give_schools(
    tx: &mut Tx,
    caller: &Caller,
    user_id: i64,
    scope: SchoolScope,
    schools: &[i64],
) -> Result<()> {
    let wanted = named(scope, schools);
    if scope == SchoolScope::Listed && wanted.is_empty() {
        return Err(Error::field("schoolIds", "请选择可管院校"));
    }
    check_schools(tx, caller.user_id(), scope, &wanted).await?;
    let by = tx.by();
    sqlx::query!("update platform.sys_user set school_scope = $2 where id = $1", user_id, scope.as_str())
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "delete from platform.sys_user_school where user_id = $1 and not school_id = any($2)",
        user_id,
        &wanted
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into platform.sys_user_school (user_id, school_id, created_by, updated_by)
         select $1, id, $3, $3 from unnest($2::bigint[]) as w (id) on conflict (user_id, school_id) do nothing",
        user_id,
        &wanted,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Sets somebody's picture.
///
/// # Errors
/// 422 for an address that is too long.
pub async fn set_picture(tx: &mut Tx, user_id: i64, url: Option<&str>) -> Result<()> {
    sqlx::query!("update platform.sys_user set avatar = $2 where id = $1", user_id, url)
        .execute(&mut **tx)
        .await
        .on_constraint(explain_constraint)?;
    Ok(())
}

/// An operator of some schools makes no operator of others.
///
/// # Errors
/// 422 for a school that does not exist, 403 for one that the operator may not act for.
pub async fn check_schools(tx: &mut Tx, operator: i64, scope: SchoolScope, schools: &[i64]) -> Result<()> {
    let found = sqlx::query!(
        r#"select o.school_scope = 'all' as "all!",
                  (select count(*) from platform.school s where s.id = any($2) and s.deleted_at is null) as "known!",
                  (select count(*) from platform.sys_user_school m
                   where m.user_id = o.id and m.enabled and m.school_id = any($2)) as "own!"
           from platform.sys_user o where o.id = $1"#,
        operator,
        schools
    )
    .fetch_one(&mut **tx)
    .await?;
    let count = i64::try_from(schools.len()).unwrap_or(i64::MAX);
    if found.known != count {
        return Err(Error::field("schoolIds", "所选院校不存在，请重新选择"));
    }
    if !found.all && (scope == SchoolScope::All || found.own != count) {
        return Err(Error::new(403, "不能授予自己没有的可管院校"));
    }
    Ok(())
}
