//! An account that somebody is about to change, and whether they may reach it.
//!
//! Invariant: a [`Known`] comes out of [`lock_system`], [`lock_in_job`] and [`lock_school`] alone, and all ask whether whoever
//! acts could give every right and every school that the account holds. A new step cannot forget it.

use account_rules::reach::{Beyond, Places};
use infra::{
    Error, Result, Tx,
    access::{Allowed, Caller, Permission},
    token::Area,
};
use sqlx::PgConnection;

use super::grant;

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

/// The account that a `view` names, by its number or by its login name.
///
/// # Errors
/// 400 for both or neither, 404 when nobody has the name.
pub(super) async fn by_key(connection: &mut PgConnection, id: Option<i64>, login_name: Option<String>) -> Result<i64> {
    match (id, login_name) {
        (Some(id), None) => Ok(id),
        (None, Some(login_name)) => sqlx::query_scalar!(
            "select id from platform.sys_user where lower(login_name) = lower($1) and deleted_at is null",
            login_name
        )
        .fetch_optional(connection)
        .await?
        .ok_or_else(Error::not_found),
        _ => Err(Error::malformed()),
    }
}

/// Whether a binding at a school may name a teacher; one who left may not.
///
/// # Errors
/// 422 at `teacherId`; 404 when the caller may not act for the school.
pub(super) async fn check_teacher<P: Permission>(
    caller: &Allowed<P>,
    school: i64,
    teacher_id: Option<i64>,
) -> Result<()> {
    let Some(id) = teacher_id else { return Ok(()) };
    let school = caller.app().school(school).await?.ok_or_else(Error::not_found)?;
    let mut tx = caller.read_in(&school).await?;
    let there = sqlx::query_scalar!(
        r#"select exists (select from teacher where id = $1 and status <> 'left') as "there!""#,
        id
    )
    .fetch_one(&mut *tx)
    .await?;
    if there { Ok(()) } else { Err(Error::field("teacherId", "所选教师不存在或已离职，请重新选择")) }
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

/// What of an account a step touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// All of it; the word says what an account of several schools must be taken to the platform for.
    Whole(&'static str),
    /// Its work at one school.
    At(i64),
}

impl Over {
    fn school(self) -> Option<i64> {
        match self {
            Self::Whole(_) => None,
            Self::At(school) => Some(school),
        }
    }
}

/// An account as it stands, held until the transaction ends; whoever acts may act on it.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) id: i64,
    pub(super) login_name: String,
    pub(super) real_name: String,
    pub(super) user_type: String,
    pub(super) enabled: bool,
    pub(super) built_in: bool,
    pub(super) version: i32,
    _may_be_acted_on: Checked,
}

/// Only this file makes one.
#[derive(Debug, Clone, Copy)]
struct Checked;

impl Known {
    pub(super) fn is_of_platform(&self) -> bool {
        self.user_type == "platform"
    }

    /// The version is checked when it was sent.
    pub(super) async fn check_version(&self, tx: &mut Tx, read: Option<i32>) -> Result<()> {
        match read {
            Some(read) if read != self.version => Err(tx.stale("sys_user", self.id).await),
            _ => Ok(()),
        }
    }
}

/// # Errors
/// 404 when there is none, it is deleted, or of the other kind; 403 when it holds more than whoever acts.
pub(super) async fn lock_system(tx: &mut Tx, caller: &Caller, id: i64) -> Result<Known> {
    let known = lock(tx, id, Reach { school: None, operator: None }).await?;
    if !known.is_of_platform() {
        return Err(Error::not_found());
    }
    may_act_on(tx, caller, id, Over::Whole("办理")).await?;
    Ok(known)
}

/// The same in a job of the platform, whose starter acts.
///
/// # Errors
/// As [`lock_system`].
pub(super) async fn lock_in_job(tx: &mut Tx, id: i64) -> Result<Known> {
    let known = lock(tx, id, Reach { school: None, operator: None }).await?;
    if !known.is_of_platform() {
        return Err(Error::not_found());
    }
    let by = tx.by();
    check_acts_on(tx, by, None, id, Over::Whole("办理")).await?;
    Ok(known)
}

/// # Errors
/// 404 when there is none, or the caller does not reach it; 403 when it holds more there than whoever acts.
pub(super) async fn lock_school(tx: &mut Tx, caller: &Caller, id: i64, over: Over) -> Result<Known> {
    let known = lock(tx, id, Reach::of(caller)).await?;
    if known.is_of_platform() {
        return Err(Error::not_found());
    }
    may_act_on(tx, caller, id, over).await?;
    Ok(known)
}

async fn lock(tx: &mut Tx, id: i64, reach: Reach) -> Result<Known> {
    let row = sqlx::query!(
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
    .ok_or_else(Error::not_found)?;
    Ok(Known {
        id: row.id,
        login_name: row.login_name,
        real_name: row.real_name,
        user_type: row.user_type,
        enabled: row.enabled,
        built_in: row.built_in,
        version: row.version,
        _may_be_acted_on: Checked,
    })
}

/// Whether whoever acts could give every right, every data scope and every school that an account holds, where the step
/// touches it. Oneself may always be acted on.
///
/// # Errors
/// 403 with what is beyond, and who may act.
pub async fn may_act_on(tx: &mut Tx, caller: &Caller, id: i64, over: Over) -> Result<()> {
    check_acts_on(tx, caller.user_id(), own_school(caller), id, over).await
}

async fn check_acts_on(tx: &mut Tx, by: i64, inside: Option<i64>, id: i64, over: Over) -> Result<()> {
    if id == by {
        return Ok(());
    }
    let places = sqlx::query_as!(
        Places,
        r#"select u.user_type = 'platform' as "of_platform!", u.school_scope = 'all' as "everywhere!",
                  array(select b.school_id from platform.sys_user_school b
                        where b.user_id = u.id and ($3::bigint is null or b.school_id = $3)
                        union
                        select ur.school_id from platform.sys_user_role ur
                        where ur.user_id = u.id and ($3::bigint is null or ur.school_id = $3) and ur.school_id is not null)
                      as "schools!",
                  exists (select from platform.sys_user_school b
                          where b.user_id = u.id and b.is_admin and ($3::bigint is null or b.school_id = $3)) as "administrator!",
                  o.user_type = 'school' as "staff!",
                  exists (select from platform.sys_user_school b
                          where b.user_id = o.id and b.is_admin and b.enabled and b.school_id = $4) as "is_administrator!",
                  o.school_scope = 'all' as "acts_everywhere!",
                  array(select m.school_id from platform.sys_user_school m where m.user_id = o.id and m.enabled) as "acts_for!"
           from platform.sys_user u join platform.sys_user o on o.id = $2
           where u.id = $1"#,
        id,
        by,
        over.school(),
        inside
    )
    .fetch_one(&mut **tx)
    .await?;
    match (places.beyond(inside), over) {
        (None, _) => grant::check_account(tx, id, over.school(), inside).await,
        (Some(Beyond::WiderScope), _) => {
            Err(Error::new(403, "该账号可管的院校超出您的可管范围，请由可管这些院校的人员办理"))
        }
        (Some(Beyond::AnotherSchool), Over::Whole(step)) if inside.is_some() => {
            Err(Error::new(403, format!("该账号绑定了多个院校，请由平台{step}")))
        }
        (Some(Beyond::AnotherSchool), _) => {
            Err(Error::new(403, "该账号还绑定了您不能管理的院校，请由可管这些院校的人员办理"))
        }
        (Some(Beyond::Administrator), _) => Err(Error::new(403, "该账号是院校管理员，请由院校管理员或平台运营方办理")),
    }
}

/// Whether whoever acts may make somebody 院校管理员: an operator, or one of the school's administrators.
///
/// # Errors
/// 403 for everybody else.
pub(super) async fn may_name_administrators(tx: &mut Tx, caller: &Caller, school: i64) -> Result<()> {
    let may = sqlx::query_scalar!(
        r#"select o.user_type <> 'school' or exists (
               select from platform.sys_user_school b
               where b.user_id = o.id and b.school_id = $2 and b.is_admin and b.enabled) as "may!"
           from platform.sys_user o where o.id = $1"#,
        caller.user_id(),
        school
    )
    .fetch_one(&mut **tx)
    .await?;
    if may {
        Ok(())
    } else {
        Err(Error::new(403, "您不是院校管理员，请由院校管理员或平台运营方设置院校管理员"))
    }
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
