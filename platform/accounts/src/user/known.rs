//! An account that somebody is about to change, and whether he may reach it.

use infra::{
    Error, Result, Tx,
    access::{Allowed, Caller, Permission},
    token::Area,
};
use sqlx::PgConnection;

/// Which accounts a call may touch: null parameters of one condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reach {
    /// Only accounts that are bound to this school.
    pub(super) school: Option<i64>,
    /// Only accounts that are bound to a school of this operator's.
    pub(super) operator: Option<i64>,
}

impl Reach {
    /// Of a call on school users: the claim's school alone, or the operator's schools.
    pub(super) fn of(caller: &Caller) -> Self {
        match caller.session.school_id {
            Some(school) => Self { school: Some(school), operator: None },
            None => Self { school: None, operator: Some(caller.user_id()) },
        }
    }
}

/// The school that a call means: the claim's in the school area, the one that an operator names.
///
/// # Errors
/// 400 when somebody in the school area names one; 403 when the operator may not act for it.
pub(super) async fn school_of<P: Permission>(caller: &Allowed<P>, named: Option<i64>) -> Result<Option<i64>> {
    match (caller.session.school_id, named) {
        (Some(_), Some(_)) => Err(Error::malformed()),
        (Some(own), None) => Ok(Some(own)),
        (None, None) => Ok(None),
        (None, Some(id)) => {
            acts_for(&mut *caller.platform().await?, caller.user_id(), id).await?;
            Ok(Some(id))
        }
    }
}

/// The same where a school must be meant.
///
/// # Errors
/// 422 at `schoolId` when an operator names none.
pub(super) async fn one_school_of<P: Permission>(caller: &Allowed<P>, named: Option<i64>) -> Result<i64> {
    school_of(caller, named).await?.ok_or_else(|| Error::field("schoolId", "请选择院校"))
}

/// # Errors
/// 403 when the school is none of the operator's.
pub(super) async fn acts_for(connection: &mut PgConnection, operator: i64, school: i64) -> Result<()> {
    let acts = sqlx::query_scalar!(
        r#"select exists (
               select from platform.school s join platform.sys_user o on o.id = $1
               where s.id = $2 and s.deleted_at is null and (o.school_scope = 'all' or exists (
                   select from platform.sys_user_school m where m.user_id = o.id and m.school_id = s.id and m.enabled))
           ) as "acts!""#,
        operator,
        school
    )
    .fetch_one(connection)
    .await?;
    if acts { Ok(()) } else { Err(Error::new(403, "没有管理该院校的权限")) }
}

/// An account as it stands, held until the transaction ends.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) id: i64,
    pub(super) login_name: String,
    pub(super) real_name: String,
    pub(super) user_type: String,
    pub(super) enabled: bool,
    pub(super) built_in: bool,
    pub(super) version: i32,
}

impl Known {
    pub(super) fn is_of_platform(&self) -> bool {
        self.user_type == "platform"
    }

    /// The version is checked when it was sent (ruling 43).
    pub(super) async fn check_version(&self, tx: &mut Tx, read: Option<i32>) -> Result<()> {
        match read {
            Some(read) if read != self.version => Err(tx.stale("sys_user", self.id).await),
            _ => Ok(()),
        }
    }
}

/// # Errors
/// 404 when there is none, it is deleted, or of the other kind.
pub(super) async fn lock_system(tx: &mut Tx, id: i64) -> Result<Known> {
    let known = lock(tx, id, Reach { school: None, operator: None }).await?;
    if known.is_of_platform() { Ok(known) } else { Err(Error::not_found()) }
}

/// # Errors
/// 404 when there is none, or the caller does not reach it.
pub(super) async fn lock_school(tx: &mut Tx, caller: &Caller, id: i64) -> Result<Known> {
    let known = lock(tx, id, Reach::of(caller)).await?;
    if known.is_of_platform() { Err(Error::not_found()) } else { Ok(known) }
}

pub(super) async fn lock(tx: &mut Tx, id: i64, reach: Reach) -> Result<Known> {
    sqlx::query_as!(
        Known,
        "select u.id, u.login_name, u.real_name, u.user_type, u.enabled, u.built_in, u.version
         from platform.sys_user u
         where u.id = $1 and u.deleted_at is null and u.user_type <> 'machine'
           and ($2::bigint is null or exists (
               select from platform.sys_user_school b where b.user_id = u.id and b.school_id = $2))
           and ($3::bigint is null
                or exists (select from platform.sys_user o where o.id = $3 and o.school_scope = 'all')
                or exists (select from platform.sys_user_school b
                           join platform.sys_user_school m on m.school_id = b.school_id and m.user_id = $3 and m.enabled
                           where b.user_id = u.id))
         for update of u",
        id,
        reach.school,
        reach.operator
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// Whether the account also works at other schools than this one.
pub(super) async fn works_elsewhere(tx: &mut Tx, user_id: i64, school: i64) -> Result<bool> {
    let elsewhere = sqlx::query_scalar!(
        r#"select exists (select from platform.sys_user_school where user_id = $1 and school_id <> $2) as "elsewhere!""#,
        user_id,
        school
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(elsewhere)
}

/// The claim's school, where the caller is in one.
pub(super) fn own_school(caller: &Caller) -> Option<i64> {
    (caller.session.area == Area::School).then_some(caller.session.school_id).flatten()
}

/// Marks that something about the account changed, whoever reads it next.
pub(super) async fn touch(tx: &mut Tx, user_id: i64) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update platform.sys_user set updated_at = now(), updated_by = $2, version = version + 1 where id = $1",
        user_id,
        by
    )
    .execute(&mut **tx)
    .await?;
    tx.notice("session", format!("u{user_id}"));
    Ok(())
}
