//! 院校账号: the people of the schools (01 §2.4, school user).
//!
//! In the school area the school is the claim's and an account is its binding there; operators name the school.

mod form;
mod invitations;
mod role_list;
mod role_steps;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Change, Edit, Error, Page, Paged, Paging, Reply, Result, Saved, Tx,
    clock::Moment,
    mask, permissions, reply,
    transfer::{self, Exported},
};
use poem_openapi::{Object, OpenApi, param::Query};
use serde_json::json;

use super::{
    AccountExpiry,
    binding::{self, Binding, Terms},
    change_status, details, in_future, invitation,
    known::{self, Known, Over, Reach, one_school_of, school_of},
    list::{self, Account, AccountFilter, Asked, SchoolAccounts},
    reset::{self, PasswordReset},
    roles,
    system::UserSaved,
};
use crate::{account, account::NewAccount, guard, password};
use form::{NewSchoolUser, SchoolUserForm};

pub(super) use form::BindForm;
pub use invitations::SchoolInvitations;
pub use role_steps::SchoolRoles;

permissions! {
    pages "/sys/user/list";
    Anywhere Reads       ListSchoolUsers        = "system:pc:sys:school:user:selectPageList" "院校账号分页列表";
    Anywhere Reads       ViewSchoolUser         = "system:pc:sys:school:user:view" "查看院校账号";
    Anywhere ReadsLogged ViewSchoolUserPlain    = "system:pc:sys:school:user:viewPlain" "查看院校账号完整手机号";
    Anywhere Writes      SaveSchoolUser         = "system:pc:sys:school:user:save" "新增院校账号";
    Anywhere Writes      EditSchoolUser         = "system:pc:sys:school:user:edit" "编辑院校账号";
    Anywhere Writes      BindSchool             = "system:pc:sys:school:user:bindSchool" "绑定院校";
    Anywhere Writes      UnbindSchool           = "system:pc:sys:school:user:deleteBingSchool" "解除院校绑定";
    Anywhere Reads       ListSchoolUserRoleIds  = "system:pc:sys:school:user:select:roleId" "院校账号的角色编号";
    Anywhere Reads       ListSchoolRoles        = "system:pc:sys:school:user:selectRoleList" "院校角色选项";
    Anywhere Reads       PageSchoolRoles        = "system:pc:sys:school:user:selectRolePageList" "院校角色分页列表";
    Anywhere Writes      AllocateSchoolRoles    = "system:pc:sys:school:user:allocation" "分配院校账号角色";
    Anywhere Writes      EditSchoolRoles        = "system:pc:sys:school:user:editSchoolRole" "编辑院校角色";
    Anywhere Writes      SwitchSchoolUser       = "system:pc:sys:school:user:disableOrEnableAccount" "启用停用院校账号";
    Anywhere Writes      KickSchoolUser         = "system:pc:sys:school:user:kick" "强制下线院校账号";
    Anywhere Writes      UnlockSchoolUser       = "system:pc:sys:school:user:unlock" "解锁院校账号";
    Anywhere Writes      ResetSchoolPassword    = "system:pc:sys:school:user:update:password" "重置院校账号密码";
    Anywhere ReadsLogged ExportSchoolUsers      = "system:pc:sys:school:user:export" "导出院校账号";
    Anywhere ReadsLogged ExportSchoolUsersPlain = "system:pc:sys:school:user:exportPlain" "导出院校账号完整手机号";
}

/// A school account with its bindings: one in the school area, those of their schools for an operator.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SchoolUser {
    #[oai(flatten)]
    account: Account,
    /// 院校绑定
    bindings: Vec<Binding>,
}

pub struct SchoolUsers;

#[OpenApi(prefix_path = "/system/pc/sys/school/user", tag = "crate::Tag::Accounts")]
impl SchoolUsers {
    /// 院校账号分页列表
    #[oai(path = "/selectPageList", method = "get", operation_id = "listSchoolUsers")]
    async fn list(
        &self,
        caller: Allowed<ListSchoolUsers>,
        /// 当前页
        #[oai(name = "pageCurrent")]
        page_current: Query<Option<i64>>,
        /// 每页条数
        #[oai(name = "pageSize")]
        page_size: Query<Option<i64>>,
        /// 账号
        #[oai(name = "loginName")]
        login_name: Query<Option<String>>,
        /// 姓名
        #[oai(name = "realName")]
        real_name: Query<Option<String>>,
        /// 手机号
        phone: Query<Option<String>>,
        /// 角色
        #[oai(name = "roleId")]
        role_id: Query<Option<i64>>,
        /// 状态
        enabled: Query<Option<bool>>,
        /// 到期
        expiry: Query<Option<AccountExpiry>>,
        /// 院校
        #[oai(name = "schoolId")]
        school_id: Query<Option<i64>>,
    ) -> Result<Reply<Page<Account>>> {
        let paging = Paging::of(page_current.0, page_size.0)?;
        let school = school_of(&caller, school_id.0).await?;
        let filter = AccountFilter {
            login_name: login_name.0,
            real_name: real_name.0,
            phone: phone.0,
            role_id: role_id.0,
            enabled: enabled.0,
            expiry: expiry.0,
            ..AccountFilter::default()
        };
        let (asked, now) = (Asked::school(filter, Reach::of(&caller), school), caller.app().clock().now());
        let mut tx = caller.read().await?;
        let total = list::count(&mut tx, &asked, now).await?;
        let mut page: Vec<Account> = list::select(&mut tx, None, &asked, Some(paging), now).try_collect().await?;
        page.iter_mut().for_each(list::hide);
        Ok(reply(paging.page(total, page)))
    }

    /// 查看院校账号
    #[oai(path = "/view", method = "get", operation_id = "viewSchoolUser")]
    async fn view(
        &self,
        caller: Allowed<ViewSchoolUser>,
        /// 账号编号
        #[oai(name = "userId")]
        user_id: Query<Option<i64>>,
        /// 账号
        /// 代替账号编号
        #[oai(name = "loginName")]
        login_name: Query<Option<String>>,
    ) -> Result<Reply<SchoolUser>> {
        let reach = Reach::of(&caller);
        let mut tx = caller.read().await?;
        let id = known::by_key(&mut tx, user_id.0, login_name.0).await?;
        let mut account = list::find(&mut tx, id, &seen(reach), caller.app().clock().now()).await?;
        list::hide(&mut account);
        let bindings = binding::of_account(&mut tx, account.id, reach.school, reach.operator).await?;
        Ok(reply(SchoolUser { account, bindings }))
    }

    /// 新增院校账号
    #[oai(path = "/save", method = "post", operation_id = "saveSchoolUser")]
    async fn save(&self, caller: Allowed<SaveSchoolUser>, Body(new): Body<NewSchoolUser>) -> Result<Reply<UserSaved>> {
        let (app, now) = (caller.app().clone(), caller.app().clock().now());
        let school = one_school_of(&caller, new.school_id).await?;
        roles::check_targets(&caller, school, &new.scopes).await?;
        let typed = match &new.initial_password {
            Some(cipher) => Some(app.keys().decrypt(cipher, app.random()).await?),
            None => None,
        };
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => match error.replayed() {
                Some(id) => return Ok(reply(UserSaved { id, initial_password: None })),
                None => return Err(error),
            },
        };
        guard::check_lookups(&mut tx, school, now).await?;
        in_future(new.form.gmt_expires, now)?;
        details::check_phone(new.form.phone.as_deref())?;
        match offer_binding(&mut tx, &new, school, now).await? {
            None => {}
            Some(Offer { of_unknown: false, told }) => return Err(told),
            Some(Offer { of_unknown: true, told }) => {
                let counted = guard::count_lookup(&mut tx, school, now).await;
                tx.commit_untracked("the count of accounts that were found").await?;
                return Err(counted.err().unwrap_or(told));
            }
        }
        if new.form.is_admin == Some(true) {
            known::may_name_administrators(&mut tx, &caller, school).await?;
        }
        let is_made = typed.is_none();
        let initial = typed.unwrap_or_else(|| password::random(&app));
        if !is_made {
            password::check(&initial, &new.login_name, new.form.phone.as_deref())
                .map_err(|weak| Error::field("initialPassword", weak.zh()))?;
        }
        let account = NewAccount {
            login_name: &new.login_name,
            real_name: &new.form.real_name,
            phone: None,
            user_type: "school",
            password: &initial,
            must_change: true,
            built_in: false,
        };
        let id = account::create(&mut tx, &account, now).await?;
        let inside = known::own_school(&caller).is_some();
        details::write(&mut tx, id, &new.form.details(!inside)).await?;
        let (_, bound) = binding::bind(&mut tx, id, school, new.form.terms(inside)).await?;
        let user = known::lock_school(&mut tx, &caller, id, Over::At(school)).await?;
        let roles = roles::give(&mut tx, &user, Some(school), &new.role_id_list, &new.scopes).await?;
        let made = list::find(&mut tx, id, &seen(Reach::of(&caller)), now).await?;
        tx.commit_all(vec![Change::created("sys_user", id, &made), bound, roles]).await?;
        Ok(reply(UserSaved { id, initial_password: is_made.then_some(initial) }))
    }

    /// 编辑院校账号
    #[oai(path = "/edit", method = "put", operation_id = "editSchoolUser")]
    async fn edit(
        &self,
        caller: Allowed<EditSchoolUser>,
        Body(edit): Body<Edit<SchoolUserForm>>,
    ) -> Result<Reply<Saved>> {
        let now = caller.app().clock().now();
        let (asked, inside) = (seen(Reach::of(&caller)), known::own_school(&caller));
        let mut tx = caller.begin().await?;
        let over = inside.map_or(Over::Whole("修改资料"), Over::At);
        let user = known::lock_school(&mut tx, &caller, edit.id, over).await?;
        user.check_version(&mut tx, Some(edit.version)).await?;
        let before = list::find(&mut tx, edit.id, &asked, now).await?;
        let mut changes = Vec::new();
        let mut typed = edit.form.details(inside.is_none());
        details::unmask(&mut tx, edit.id, &mut typed).await?;
        match inside {
            None => {
                if typed.gmt_expires != before.gmt_expires {
                    in_future(typed.gmt_expires, now)?;
                }
                details::write(&mut tx, edit.id, &typed).await?;
            }
            Some(school) => {
                // Here the end is the binding's; the account's own stays.
                typed.gmt_expires = account_end(&mut tx, edit.id).await?;
                let differs = typed.real_name != before.real_name
                    || typed.phone != before.phone
                    || typed.email != before.email
                    || typed.gender != before.gender
                    || typed.remark != before.remark;
                if differs {
                    if known::works_elsewhere(&mut tx, edit.id, school).await? {
                        return Err(Error::new(403, "该账号绑定了多个院校，请由平台修改资料"));
                    }
                    details::write(&mut tx, edit.id, &typed).await?;
                }
                let bound = binding::lock_at(&mut tx, edit.id, school).await?;
                // The list shows the earlier of two ends; left as it was, neither changes.
                let ends = edit.form.gmt_expires;
                if ends != before.gmt_expires {
                    in_future(ends, now)?;
                }
                if edit.form.is_admin == Some(true) && !before.is_admin {
                    known::may_name_administrators(&mut tx, &caller, school).await?;
                }
                let terms = Terms {
                    gmt_expires: if ends == before.gmt_expires { bound.ends() } else { ends },
                    is_admin: edit.form.is_admin.unwrap_or(before.is_admin),
                    teacher_id: None,
                };
                changes.extend(binding::change(&mut tx, &bound, terms, true).await?);
                if !differs {
                    known::touch(&mut tx, edit.id).await?;
                }
            }
        }
        let after = list::find(&mut tx, edit.id, &asked, now).await?;
        changes.insert(0, Change::edited("sys_user", edit.id, &before, &after));
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 绑定院校
    #[oai(path = "/bindSchool", method = "post", operation_id = "bindSchoolUser")]
    async fn bind(&self, caller: Allowed<BindSchool>, Body(form): Body<BindForm>) -> Result<Reply<Saved>> {
        let now = caller.app().clock().now();
        let school = one_school_of(&caller, form.school_id).await?;
        roles::check_targets(&caller, school, &form.scopes).await?;
        known::check_teacher(&caller, school, form.teacher_id).await?;
        in_future(form.gmt_expires, now)?;
        let mut tx = caller.begin().await?;
        if form.is_admin == Some(true) {
            known::may_name_administrators(&mut tx, &caller, school).await?;
        }
        if known::own_school(&caller).is_some() {
            return invitation::invite(tx, &caller, school, &form, now).await;
        }
        let user = known::lock_school(&mut tx, &caller, form.user_id, Over::At(school)).await?;
        let is_admin = form.is_admin.unwrap_or(false);
        let terms = Terms { gmt_expires: form.gmt_expires, is_admin, teacher_id: form.teacher_id };
        let (id, bound) = binding::bind(&mut tx, user.id, school, terms).await?;
        let roles = roles::give(&mut tx, &user, Some(school), &form.role_id_list, &form.scopes).await?;
        tx.commit_all(vec![bound, roles]).await?;
        Ok(reply(Saved { id }))
    }

    /// 解除院校绑定
    #[oai(path = "/deleteBingSchool", method = "delete", operation_id = "unbindSchoolUser")]
    async fn unbind(
        &self,
        caller: Allowed<UnbindSchool>,
        /// 绑定编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let (bound, user) = lock_binding(&mut tx, &caller, id.0).await?;
        if user.id == caller.user_id() {
            return Err(Error::conflict("不能解除当前登录账号的绑定"));
        }
        if let Some(school) = known::own_school(&caller) {
            change_status::keep_an_administrator(&mut tx, school, user.id).await?;
        }
        let change = binding::unbind(&mut tx, &bound, now).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用院校账号
    #[oai(path = "/disableOrEnableAccount", method = "put", operation_id = "switchSchoolUser")]
    async fn switch(
        &self,
        caller: Allowed<SwitchSchoolUser>,
        /// 账号编号
        #[oai(name = "userId")]
        user_id: Query<i64>,
        /// 启用
        /// 不填时切换为相反的状态
        enabled: Query<Option<bool>>,
    ) -> Result<Reply<bool>> {
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let inside = known::own_school(&caller);
        let over = inside.map_or(Over::Whole("启用或停用"), Over::At);
        let user = known::lock_school(&mut tx, &caller, user_id.0, over).await?;
        let (enabled, change) = match inside {
            None => change_status::switch_account(&mut tx, &caller, &user, enabled.0, now).await?,
            Some(school) => {
                if enabled.0 != Some(true) && user.id == caller.user_id() {
                    return Err(Error::conflict("不能停用当前登录账号"));
                }
                let bound = binding::lock_at(&mut tx, user.id, school).await?;
                binding::switch(&mut tx, &bound, enabled.0, now).await?
            }
        };
        tx.commit(change).await?;
        Ok(reply(enabled))
    }

    /// 强制下线院校账号
    #[oai(path = "/kick", method = "put", operation_id = "kickSchoolUser")]
    async fn kick(
        &self,
        caller: Allowed<KickSchoolUser>,
        /// 账号编号
        #[oai(name = "userId")]
        user_id: Query<i64>,
    ) -> Result<Reply<bool>> {
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let inside = known::own_school(&caller);
        let over = inside.map_or(Over::Whole("强制下线"), Over::At);
        let user = known::lock_school(&mut tx, &caller, user_id.0, over).await?;
        let change = change_status::kick(&mut tx, &caller, &user, inside, now).await?;
        tx.commit(change).await?;
        Ok(reply(true))
    }

    /// 解锁院校账号
    #[oai(path = "/unlock", method = "put", operation_id = "unlockSchoolUser")]
    async fn unlock(
        &self,
        caller: Allowed<UnlockSchoolUser>,
        /// 账号编号
        #[oai(name = "userId")]
        user_id: Query<i64>,
    ) -> Result<Reply<bool>> {
        let mut tx = caller.begin().await?;
        let user = known::lock_school(&mut tx, &caller, user_id.0, Over::Whole("解锁")).await?;
        let change = change_status::unlock(&mut tx, &user).await?;
        tx.commit(change).await?;
        Ok(reply(true))
    }

    /// 重置院校账号密码
    #[oai(path = "/update/password", method = "put", operation_id = "resetSchoolUserPassword")]
    async fn reset_password(
        &self,
        caller: Allowed<ResetSchoolPassword>,
        form: Body<PasswordReset>,
    ) -> Result<Reply<bool>> {
        let now = caller.app().clock().now();
        let typed = reset::typed(&caller, &form).await?;
        let mut tx = caller.begin().await?;
        let Some(id) = form.user_id.filter(|id| *id != caller.user_id()) else {
            return reset::own(tx, &caller, &typed, now).await;
        };
        let user = known::lock_school(&mut tx, &caller, id, Over::Whole("重置密码")).await?;
        reset::anothers(tx, &caller, &user, &typed, now).await
    }

    /// 导出院校账号
    #[oai(path = "/export", method = "post", operation_id = "exportSchoolUsers")]
    async fn export(
        &self,
        caller: Allowed<ExportSchoolUsers>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<AccountFilter>>,
    ) -> Result<Exported> {
        let filter = asked.filter;
        let school = school_of(&caller, filter.school_id).await?;
        let asked = Asked::school(filter, Reach::of(&caller), school);
        transfer::export::<SchoolAccounts>(&caller, asked, job.0).await
    }
}

/// All that is within reach.
fn seen(reach: Reach) -> Asked {
    Asked::school(AccountFilter::default(), reach, None)
}

/// A binding and its account.
///
/// # Errors
/// 404 when it is of another school, or of one that the operator may not act for.
async fn lock_binding<P: infra::access::Permission>(
    tx: &mut Tx,
    caller: &Allowed<P>,
    id: i64,
) -> Result<(binding::Bound, Known)> {
    let bound = binding::lock(tx, id).await?;
    match known::own_school(caller) {
        Some(school) if bound.school_id != school => return Err(Error::not_found()),
        Some(_) => {}
        None => known::acts_for(tx, caller.user_id(), bound.school_id).await.map_err(|error| match error.code {
            403 => Error::not_found(),
            _ => error,
        })?,
    }
    let user = known::lock_school(tx, caller, bound.user_id, Over::At(bound.school_id)).await?;
    Ok((bound, user))
}

async fn account_end(tx: &mut Tx, user_id: i64) -> Result<Option<Moment>> {
    let ends = sqlx::query_scalar!("select gmt_expires from platform.sys_user where id = $1", user_id)
        .fetch_one(&mut **tx)
        .await?;
    Ok(ends)
}

/// What is told of an account that exists already.
struct Offer {
    /// Of one that does not work at this school: telling it is counted.
    of_unknown: bool,
    told: Error,
}

/// Somebody who has an account already is bound, not made a second time: 409 with the account's number, for the console to
/// offer 绑定, or 409 when it is bound or invited here already.
///
/// # Errors
/// 422 for a name or phone of a platform account.
async fn offer_binding(tx: &mut Tx, new: &NewSchoolUser, school: i64, now: Moment) -> Result<Option<Offer>> {
    let found = sqlx::query!(
        r#"select u.id, u.real_name, u.user_type,
                  exists (select from platform.sys_user_school b where b.user_id = u.id and b.school_id = $3) as "bound!",
                  exists (select from platform.sys_school_invitation i
                          where i.user_id = u.id and i.school_id = $3 and i.state = 'pending' and i.ends_at > $4) as "invited!"
           from platform.sys_user u
           where u.deleted_at is null and (lower(u.login_name) = lower($1) or u.phone = $2)
           order by lower(u.login_name) = lower($1) desc limit 1"#,
        new.login_name,
        new.form.phone,
        school,
        now
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(match found {
        None => None,
        Some(known) if known.user_type != "school" => {
            Some(Offer { of_unknown: true, told: Error::field("loginName", "账号或手机号已被占用") })
        }
        Some(known) if known.bound => {
            Some(Offer { of_unknown: false, told: Error::conflict("该账号已绑定本院校") })
        }
        Some(known) if known.invited => Some(Offer { of_unknown: false, told: invitation::waits() }),
        Some(known) => {
            let data = json!({ "userId": known.id, "realNameMasked": mask::name(&known.real_name) });
            Some(Offer { of_unknown: true, told: Error::conflict("账号已存在，可直接绑定").with_data(data) })
        }
    })
}
