//! 机器令牌: an operator lets a program call in their name, with some of their codes, at some of their schools (00 §8).
//!
//! ```text
//! save ─→ active ⇄ disabled ─delete→ gone      active ─time→ expired
//! ```
//! The secret leaves the server once, in the answer of `save`. What a token may do is met with what its owner may do at
//! each call ([`infra::machine`]); here it is only seen that nobody writes down more than they hold.

mod list;

use accounts::{
    account::{self, NewAccount},
    password,
    user::{
        SchoolScope, details,
        known::{self, Over},
    },
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use infra::{
    Allowed, Body, Change, EnabledChange, Entity, Error, OnConstraint, Page, Paged, Part, Reply, Result, Saved, Tx,
    access::Caller, clock::Moment, enumeration, machine, permissions, reply,
};
use list::{MachineToken, MachineTokenFilter, PermissionOption};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};

permissions! {
    pages "/sys/user/list";
    InPlatform Reads  ListMachineTokens  = "system:pc:sys:machineToken:list" "机器令牌列表";
    InPlatform Reads  OfferCodes         = "system:pc:sys:machineToken:save" "新增机器令牌";
    InPlatform Writes SaveMachineToken   = "system:pc:sys:machineToken:save" "新增机器令牌";
    InPlatform Writes DeleteMachineToken = "system:pc:sys:machineToken:delete" "删除机器令牌";
    InPlatform Writes SwitchMachineToken = "system:pc:sys:machineToken:update:status" "启用停用机器令牌";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[MachineTokenState::ENUMERATION],
    entities: &[Entity { table: "sys_machine_token", name: "机器令牌", counted: "个机器令牌" }],
    ..Part::NONE
};

enumeration! {
    /// 机器令牌状态
    pub enum MachineTokenState = "machineTokenState" {
        Active = "active" "有效",
        Disabled = "disabled" "停用",
        Expired = "expired" "已过期",
        OwnerOff = "owner_off" "所有者不可用",
    }
}

/// Random bytes of a secret.
const SECRET_BYTES: usize = 32;
/// Characters of a secret that stay to be seen.
const SHOWN: usize = 10;
/// A token ends after so many days at the latest.
const MOST_DAYS: i64 = 731;

/// A new token; its owner is whoever issues it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NewMachineToken {
    /// 名称
    #[oai(validator(min_length = 2, max_length = 30))]
    name: String,
    /// 权限
    #[oai(validator(min_items = 1, max_items = 2000))]
    permission_codes: Vec<String>,
    /// 可管院校
    school_scope: SchoolScope,
    /// 指定的院校
    #[oai(default, validator(max_items = 1000))]
    school_ids: Vec<i64>,
    /// 有效期至
    expires_at: Moment,
    /// 备注
    #[oai(validator(max_length = 255))]
    remark: Option<String>,
}

impl Example for NewMachineToken {
    fn example() -> Self {
        Self {
            name: "terraform".to_owned(),
            permission_codes: vec!["system:pc:sys:school:view".to_owned()],
            school_scope: SchoolScope::All,
            school_ids: Vec::new(),
            expires_at: Moment::default() + chrono::Duration::days(20_800),
            remark: None,
        }
    }
}

/// The answer of a new token; the secret is shown this once, and not again to a repeated request.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MachineTokenSaved {
    /// 编号
    id: i64,
    /// 令牌
    /// 放在请求头 token 中；仅显示这一次
    secret: Option<String>,
}

pub struct MachineTokens;

#[OpenApi(prefix_path = "/system/pc/sys/machineToken", tag = "crate::Tag::SignIn")]
impl MachineTokens {
    /// 机器令牌列表
    #[oai(path = "/list", method = "post", operation_id = "listMachineTokens")]
    async fn list(
        &self,
        caller: Allowed<ListMachineTokens>,
        Body(asked): Body<Paged<MachineTokenFilter>>,
    ) -> Result<Reply<Page<MachineToken>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = list::count(&mut tx, &filter, now).await?;
        let page = list::select(&mut tx, None, &filter, paging, now).await?;
        Ok(reply(paging.page(total, page)))
    }

    /// 可授予的权限
    #[oai(path = "/available/list", method = "get", operation_id = "listMachineTokenPermissions")]
    async fn permissions(&self, caller: Allowed<OfferCodes>) -> Result<Reply<Vec<PermissionOption>>> {
        let mut tx = caller.read().await?;
        Ok(reply(list::permissions_of(&mut tx, caller.user_id()).await?))
    }

    /// 新增机器令牌
    #[oai(path = "/save", method = "post", operation_id = "saveMachineToken")]
    async fn save(
        &self,
        caller: Allowed<SaveMachineToken>,
        Body(new): Body<NewMachineToken>,
    ) -> Result<Reply<MachineTokenSaved>> {
        by_a_person(&caller)?;
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => match error.replayed() {
                Some(id) => return Ok(reply(MachineTokenSaved { id, secret: None })),
                None => return Err(error),
            },
        };
        let app = caller.app();
        let now = app.clock().now();
        ends_in_time(new.expires_at, now)?;
        let codes = given(&mut tx, caller.user_id(), &new.permission_codes).await?;
        let schools = match new.school_scope {
            SchoolScope::All => None,
            SchoolScope::Listed => {
                let named = details::named(SchoolScope::Listed, &new.school_ids);
                if named.is_empty() {
                    return Err(Error::field("schoolIds", "请选择可管院校"));
                }
                details::check_schools(&mut tx, caller.user_id(), SchoolScope::Listed, &named).await?;
                Some(named)
            }
        };
        let random = app.random();
        let secret = format!("{}{}", machine::PREFIX, BASE64_URL_SAFE_NO_PAD.encode(random.bytes::<SECRET_BYTES>()));
        let account = NewAccount {
            // No person can have such a name, and nobody knows the password.
            login_name: &format!("cjm:{}", random.uuid().simple()),
            real_name: &format!("机器令牌 {}", new.name),
            phone: None,
            user_type: "machine",
            password: &password::random(app),
            must_change: false,
            built_in: false,
        };
        let account_id = account::create(&mut tx, &account, now).await?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.sys_machine_token (name, owner_id, account_id, shown_prefix, secret_digest, permission_codes,
                 school_ids, expires_at, remark, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning id",
            new.name,
            caller.user_id(),
            account_id,
            &secret[..SHOWN],
            machine::digest_of(&secret),
            &codes,
            schools.as_deref(),
            new.expires_at,
            new.remark,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(|name| {
            (name == "sys_machine_token_name_taken").then(|| Error::field("name", "您已有同名的机器令牌"))
        })?;
        machine::sync_schools(&mut tx, &[account_id]).await?;
        let made = list::find(&mut tx, id, now).await?;
        // Servers that remember all tokens do not know this one yet.
        tx.notice("session", "");
        tx.commit(Change::created("sys_machine_token", id, &made)).await?;
        Ok(reply(MachineTokenSaved { id, secret: Some(secret) }))
    }

    /// 删除机器令牌
    #[oai(path = "/delete", method = "delete", operation_id = "deleteMachineToken")]
    async fn delete(
        &self,
        caller: Allowed<DeleteMachineToken>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        by_a_person(&caller)?;
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        may_act_on(&mut tx, &caller, id.0).await?;
        let before = list::find(&mut tx, id.0, now).await?;
        let account =
            sqlx::query_scalar!("delete from platform.sys_machine_token where id = $1 returning account_id", id.0)
                .fetch_optional(&mut *tx)
                .await?
                .ok_or_else(Error::not_found)?;
        account::end_machine(&mut tx, account, now).await?;
        tx.commit(Change::deleted("sys_machine_token", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用机器令牌
    #[oai(path = "/update/status", method = "put", operation_id = "switchMachineToken")]
    async fn switch(
        &self,
        caller: Allowed<SwitchMachineToken>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        by_a_person(&caller)?;
        let mut tx = caller.begin().await?;
        may_act_on(&mut tx, &caller, wanted.id).await?;
        let change = tx.set_enabled("sys_machine_token", &wanted).await?;
        let account = sqlx::query_scalar!("select account_id from platform.sys_machine_token where id = $1", wanted.id)
            .fetch_one(&mut *tx)
            .await?;
        tx.notice("session", format!("u{account}"));
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// Removes the tokens of these accounts, and those that are theirs; answers the accounts of the tokens.
///
/// # Errors
/// Only internal ones.
pub async fn remove_of(tx: &mut Tx, ids: &[i64]) -> Result<Vec<i64>> {
    let accounts = sqlx::query_scalar!(
        "delete from platform.sys_machine_token where owner_id = any($1) or account_id = any($1) returning account_id",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(accounts)
}

/// No token issues, revives or ends another: its own end must hold.
fn by_a_person(caller: &Caller) -> Result<()> {
    match caller.machine() {
        Some(_) => Err(Error::new(403, "机器令牌不能管理机器令牌，请使用账号登录")),
        None => Ok(()),
    }
}

/// A token is its owner's: whoever switches or ends another's could act on the owner.
///
/// # Errors
/// 404 when there is none, 403 when the owner holds more than whoever acts.
async fn may_act_on(tx: &mut Tx, caller: &Caller, id: i64) -> Result<()> {
    let owner = sqlx::query_scalar!("select owner_id from platform.sys_machine_token where id = $1 for update", id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    known::may_act_on(tx, caller, owner, Over::Whole("办理")).await
}

/// # Errors
/// 422 at `expiresAt`.
fn ends_in_time(end: Moment, now: Moment) -> Result<()> {
    if end <= now {
        return Err(Error::field("expiresAt", "有效期不能早于当前时间"));
    }
    if end > now + chrono::Duration::days(MOST_DAYS) {
        return Err(Error::field("expiresAt", "有效期最长2年，到期前请签发新的令牌"));
    }
    Ok(())
}

/// The wanted codes in order, each once.
///
/// # Errors
/// 422 for a code that no operation asks for, 403 with the first that the owner does not hold.
async fn given(tx: &mut Tx, owner: i64, wanted: &[String]) -> Result<Vec<String>> {
    let held = list::permissions_of(tx, owner).await?;
    let modules = tx.app().modules();
    for code in wanted {
        if held.iter().any(|option| option.code == *code) {
            continue;
        }
        return match modules.permissions().find(|entry| entry.code == code) {
            Some(entry) => Err(Error::new(403, format!("不能授予自己没有的权限：{}", entry.name))),
            None => Err(Error::field("permissionCodes", format!("权限标识不在系统目录中：{code}"))),
        };
    }
    let mut codes = wanted.to_vec();
    codes.sort_unstable();
    codes.dedup();
    Ok(codes)
}
