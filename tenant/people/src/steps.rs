//! 启用停用, 重置密码, 解锁 of the people whom this module keeps: each succeeds or fails by itself (02 §12.1).

use std::future::Future;

use infra::{
    Bulk, BulkFailure, BulkResult, Change, Error, Result, Scope, Tx,
    across::{BulkOfSchools, Item, ItemOfSchool, OfSchool},
};
use poem_openapi::{Object, types::Example};

use crate::{
    account::{Account, NewAccount, OwnerKind, lock, open_accounts, taken_logins},
    person::{self, Person},
};

/// A kind of person with a table in this module.
pub(crate) trait Staff {
    const KIND: OwnerKind;
    const TABLE: &'static str;

    /// # Errors
    /// 404 for a person who is gone or outside the scope.
    fn seen(tx: &mut Tx, id: i64, scope: &Scope) -> impl Future<Output = Result<()>> + Send;
}

/// A person, with the version of their account that was read (`accountVersion`).
#[derive(Debug, Clone, Copy, Object)]
pub struct AccountItem {
    /// 人员编号
    pub id: i64,
    /// 账号版本
    pub version: i32,
}

impl Item for AccountItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// `{items}` of a step on accounts.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct AccountItems {
    /// 人员
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<AccountItem>,
}

impl Example for AccountItems {
    fn example() -> Self {
        Self { items: vec![AccountItem { id: 1, version: 1 }] }
    }
}

/// `{items, enabled}`.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct AccountStatusChange {
    /// 人员
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<AccountItem>,
    /// 启用
    pub enabled: bool,
}

impl Example for AccountStatusChange {
    fn example() -> Self {
        Self { items: AccountItems::example().items, enabled: false }
    }
}

/// `{items}` of a step on accounts, of one school or of several.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct AccountItemsOfSchools {
    /// 人员
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<ItemOfSchool<AccountItem>>,
}

impl Example for AccountItemsOfSchools {
    fn example() -> Self {
        Self { items: vec![AccountItem { id: 1, version: 1 }.into()] }
    }
}

/// `{items, enabled}`, of one school or of several.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct AccountStatusChangeOfSchools {
    /// 人员
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<ItemOfSchool<AccountItem>>,
    /// 启用
    pub enabled: bool,
}

impl Example for AccountStatusChangeOfSchools {
    fn example() -> Self {
        Self { items: AccountItemsOfSchools::example().items, enabled: false }
    }
}

/// A password that is told this once.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GivenPassword {
    /// 人员编号
    pub id: i64,
    /// 姓名
    pub name: String,
    /// 登录名
    pub login_name: String,
    /// 初始密码
    pub password: String,
}

/// How a reset went; the passwords of those for whom the school's rule gives none.
#[derive(Debug, Clone, Object)]
pub struct PasswordResetResult {
    /// 成功条数
    pub done: i64,
    /// 失败明细
    pub failed: Vec<BulkFailure>,
    /// 随机初始密码
    /// 没有证件号的人员，仅显示这一次
    pub passwords: Vec<GivenPassword>,
}

/// The same in one school or in several.
#[derive(Debug, Clone, Object)]
pub struct PasswordResetsOfSchools {
    #[oai(flatten)]
    pub result: BulkOfSchools,
    /// 随机初始密码
    /// 没有证件号的人员，仅显示这一次
    pub passwords: Vec<OfSchool<GivenPassword>>,
}

/// The account of a row, locked, with the person.
async fn known<S: Staff>(tx: &mut Tx, item: AccountItem, scope: &Scope) -> Result<(Person, Account)> {
    S::seen(tx, item.id, scope).await?;
    let account = lock(tx, S::KIND, item.id).await?.ok_or_else(Error::not_found)?;
    account.unchanged_since(tx, item.version).await?;
    let person = person::find(tx, S::KIND, item.id).await?.ok_or_else(Error::not_found)?;
    Ok((person, account))
}

async fn set_enabled<S: Staff>(tx: &mut Tx, item: AccountItem, enabled: bool, scope: &Scope) -> Result<Change> {
    let (person, account) = known::<S>(tx, item, scope).await?;
    if enabled && !person.active {
        return Err(Error::conflict("该人员已停用或离职，请先修改人员状态"));
    }
    account.set_enabled(tx, enabled).await
}

pub(crate) async fn change_status<S: Staff>(
    tx: Tx,
    items: Vec<AccountItem>,
    enabled: bool,
    scope: &Scope,
) -> Result<BulkResult> {
    let mut bulk = Bulk::new(tx, S::TABLE);
    for item in items {
        let outcome = set_enabled::<S>(bulk.row().await?, item, enabled, scope).await;
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}

pub(crate) async fn unlock<S: Staff>(tx: Tx, items: Vec<AccountItem>, scope: &Scope) -> Result<BulkResult> {
    async fn one<S: Staff>(tx: &mut Tx, item: AccountItem, scope: &Scope) -> Result<Change> {
        known::<S>(tx, item, scope).await?.1.unlock(tx).await
    }
    let mut bulk = Bulk::new(tx, S::TABLE);
    for item in items {
        let outcome = one::<S>(bulk.row().await?, item, scope).await;
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}

/// One row of a reset; a password where the rule gives none.
async fn reset<S: Staff>(tx: &mut Tx, item: AccountItem, scope: &Scope) -> Result<(Change, Option<GivenPassword>)> {
    let (person, account) = known::<S>(tx, item, scope).await?;
    if person.initial_password(tx).await?.is_some() {
        return Ok((account.reset_password(tx).await?, None));
    }
    let (change, password) = account.reset_to_random(tx).await?;
    let given = GivenPassword { id: item.id, name: person.name, login_name: account.login_name, password };
    Ok((change, Some(given)))
}

/// How it went, and the passwords where the rule gives none.
pub(crate) async fn reset_passwords<S: Staff>(
    tx: Tx,
    items: Vec<AccountItem>,
    scope: &Scope,
) -> Result<(BulkResult, Vec<GivenPassword>)> {
    let mut bulk = Bulk::new(tx, S::TABLE);
    let mut passwords = Vec::new();
    for item in items {
        let outcome = reset::<S>(bulk.row().await?, item, scope).await;
        let change = outcome.map(|(change, given)| {
            passwords.extend(given);
            change
        });
        bulk.ended(item.id, change).await?;
    }
    Ok((bulk.commit().await?, passwords))
}

/// 工号, or where somebody else signs in with it, 手机.
async fn login_name<'a>(tx: &mut Tx, work_no: Option<&'a str>, phone: &'a str) -> Result<&'a str> {
    let Some(work_no) = work_no else { return Ok(phone) };
    let taken = taken_logins(tx, &[work_no.to_owned()]).await?;
    Ok(if taken.is_empty() { work_no } else { phone })
}

/// Opens the account of a new person.
pub(crate) async fn open_account<S: Staff>(
    tx: &mut Tx,
    id: i64,
    work_no: Option<&str>,
    phone: &str,
    enabled: bool,
) -> Result<()> {
    let login_name = login_name(tx, work_no, phone).await?;
    open_accounts(tx, S::KIND, &[NewAccount { owner_id: id, login_name, enabled }]).await?;
    Ok(())
}

/// What of a person decides their account.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signs<'a> {
    pub work_no: Option<&'a str>,
    pub phone: &'a str,
    pub active: bool,
}

/// Keeps the account in step with an edited person: the login name follows its number, and who no longer works here is
/// signed out and stays out until the account is enabled again.
pub(crate) async fn follow<S: Staff>(tx: &mut Tx, id: i64, before: Signs<'_>, after: Signs<'_>) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    let Some(account) = lock(tx, S::KIND, id).await? else { return Ok(changes) };
    // Which of the two numbers the person signs in with, and what became of it.
    let was = |number: &str| account.login_name.eq_ignore_ascii_case(number);
    let by_work_no = before.work_no.is_some_and(was);
    let kept = if by_work_no { after.work_no.is_some_and(was) } else { !was(before.phone) || was(after.phone) };
    if !kept {
        let name = if by_work_no { login_name(tx, after.work_no, after.phone).await? } else { after.phone };
        changes.push(account.rename(tx, name).await?);
    }
    if before.active && !after.active && account.enabled {
        changes.push(account.set_enabled(tx, false).await?);
    }
    Ok(changes)
}
