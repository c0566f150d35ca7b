//! 平台账号: the operator's own people (01 §2.4, system user).

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Change, Error, Page, Paged, Paging, Reply, Result, Saved, Tx,
    clock::Moment,
    permissions, reply,
    transfer::{self, Attachment, Exported},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};

use super::{
    AccountExpiry, AccountGender, SchoolScope, change_status,
    details::{self, Details},
    import::{self, UserImportAnswer, UserImportForm},
    in_future,
    known::{self, Known, Over},
    list::{self, Account, AccountFilter, Asked, SystemAccounts},
    reset::{self, PasswordReset},
    roles,
};
use crate::{account, account::NewAccount, password};

permissions! {
    pages "/sys/user/list";
    InPlatform Reads       ListUsers        = "system:pc:sys:user:selectPageList" "账号分页列表";
    InPlatform Reads       ViewUser         = "system:pc:sys:user:view" "查看账号";
    InPlatform ReadsLogged ViewUserPlain    = "system:pc:sys:user:viewPlain" "查看账号完整手机号";
    InPlatform Writes      SaveUser         = "system:pc:sys:user:save" "新增账号";
    InPlatform Writes      EditUser         = "system:pc:sys:user:edit" "编辑账号";
    InPlatform Writes      DeleteUser       = "system:pc:sys:user:delete" "删除账号";
    InPlatform Reads       ListUserRoleIds  = "system:pc:sys:user:select:roleId" "账号的角色编号";
    InPlatform Writes      AllocateRoles    = "system:pc:sys:user:allocation" "分配账号角色";
    InPlatform Writes      SwitchUser       = "system:pc:sys:user:disableOrEnableAccount" "启用停用账号";
    InPlatform Writes      KickUser         = "system:pc:sys:user:kick" "强制下线";
    InPlatform Writes      UnlockUser       = "system:pc:sys:user:unlock" "解锁账号";
    InPlatform Writes      ResetPassword    = "system:pc:sys:user:update:password" "重置账号密码";
    InPlatform ReadsLogged ExportUsers      = "system:pc:sys:user:export" "导出账号";
    InPlatform ReadsLogged ExportUsersPlain = "system:pc:sys:user:exportPlain" "导出账号完整手机号";
    InPlatform Writes      ImportUsers      = "system:pc:sys:user:import:excel" "批量导入账号";
}

/// What a person types about a platform account.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct UserForm {
    /// 姓名
    #[oai(validator(min_length = 2, max_length = 30))]
    real_name: String,
    /// 手机号
    #[oai(validator(max_length = 11))]
    phone: Option<String>,
    /// 邮箱
    #[oai(validator(max_length = 60, pattern = "^[^@\\s]+@[^@\\s]+$"))]
    email: Option<String>,
    /// 性别
    gender: Option<AccountGender>,
    /// 可管院校
    school_scope: Option<SchoolScope>,
    /// 指定的院校
    #[oai(default, validator(max_items = 1000))]
    school_ids: Vec<i64>,
    /// 有效期至
    gmt_expires: Option<Moment>,
    /// 备注
    #[oai(validator(max_length = 255))]
    remark: Option<String>,
}

impl UserForm {
    fn details(&self) -> Details {
        Details {
            real_name: self.real_name.clone(),
            phone: self.phone.clone(),
            email: self.email.clone(),
            gender: self.gender.unwrap_or(AccountGender::Unknown),
            gmt_expires: self.gmt_expires,
            remark: self.remark.clone(),
        }
    }

    fn sample() -> Self {
        Self {
            real_name: "王五".to_owned(),
            phone: Some("13800000001".to_owned()),
            email: None,
            gender: Some(AccountGender::Unknown),
            school_scope: Some(SchoolScope::All),
            school_ids: Vec::new(),
            gmt_expires: None,
            remark: None,
        }
    }
}

/// A new platform account; its first password is made by the server.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NewUser {
    /// 账号
    /// 4至32位字母、数字或 _ . @ -
    #[oai(validator(pattern = "^[A-Za-z0-9_.@-]{4,32}$"))]
    login_name: String,
    /// 角色
    #[oai(validator(min_items = 1, max_items = 50))]
    role_id_list: Vec<i64>,
    #[oai(flatten)]
    form: UserForm,
}

impl Example for NewUser {
    fn example() -> Self {
        Self { login_name: "wangwu".to_owned(), role_id_list: vec![2], form: UserForm::sample() }
    }
}

/// The whole form again, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct UserEdit {
    /// 编号
    id: i64,
    /// 版本
    version: i32,
    #[oai(flatten)]
    form: UserForm,
}

impl Example for UserEdit {
    fn example() -> Self {
        Self { id: 2, version: 1, form: UserForm::sample() }
    }
}

/// The answer of a new account; the password is shown this once, and not again to a repeated request.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct UserSaved {
    /// 编号
    pub(super) id: i64,
    /// 初始密码
    pub(super) initial_password: Option<String>,
}

/// A platform account with what its form needs besides the list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SystemUser {
    #[oai(flatten)]
    account: Account,
    /// 指定的院校
    school_ids: Vec<i64>,
    /// 角色编号
    role_id_list: Vec<i64>,
}

/// Exactly these roles.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct UserRoles {
    /// 账号编号
    user_id: i64,
    /// 角色
    #[oai(validator(min_items = 1, max_items = 50))]
    role_id_list: Vec<i64>,
    /// 版本
    version: Option<i32>,
}

impl Example for UserRoles {
    fn example() -> Self {
        Self { user_id: 2, role_id_list: vec![2], version: Some(1) }
    }
}

pub struct SystemUsers;

#[OpenApi(prefix_path = "/system/pc/sys/user", tag = "crate::Tag::Accounts")]
impl SystemUsers {
    /// 账号分页列表
    #[oai(path = "/selectPageList", method = "get", operation_id = "listSystemUsers")]
    async fn list(
        &self,
        caller: Allowed<ListUsers>,
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
    ) -> Result<Reply<Page<Account>>> {
        let paging = Paging::of(page_current.0, page_size.0)?;
        let filter = AccountFilter {
            login_name: login_name.0,
            real_name: real_name.0,
            phone: phone.0,
            role_id: role_id.0,
            enabled: enabled.0,
            expiry: expiry.0,
            ..AccountFilter::default()
        };
        let (asked, now) = (Asked::system(filter), caller.app().clock().now());
        let mut tx = caller.read().await?;
        let total = list::count(&mut tx, &asked, now).await?;
        let mut page: Vec<Account> = list::select(&mut tx, None, &asked, Some(paging), now).try_collect().await?;
        page.iter_mut().for_each(list::hide);
        Ok(reply(paging.page(total, page)))
    }

    /// 查看账号
    #[oai(path = "/view", method = "get", operation_id = "viewSystemUser")]
    async fn view(
        &self,
        caller: Allowed<ViewUser>,
        /// 账号编号
        #[oai(name = "userId")]
        user_id: Query<Option<i64>>,
        /// 账号
        /// 代替账号编号
        #[oai(name = "loginName")]
        login_name: Query<Option<String>>,
    ) -> Result<Reply<SystemUser>> {
        let mut tx = caller.read().await?;
        let id = known::by_key(&mut tx, user_id.0, login_name.0).await?;
        let asked = Asked::system(AccountFilter::default());
        let mut account = list::find(&mut tx, id, &asked, caller.app().clock().now()).await?;
        list::hide(&mut account);
        let school_ids = sqlx::query_scalar!(
            "select school_id from platform.sys_user_school where user_id = $1 order by school_id",
            account.id
        )
        .fetch_all(&mut *tx)
        .await?;
        let role_id_list = roles::ids(&mut tx, account.id, None).await?;
        Ok(reply(SystemUser { account, school_ids, role_id_list }))
    }

    /// 新增账号
    #[oai(path = "/save", method = "post", operation_id = "saveSystemUser")]
    async fn save(&self, caller: Allowed<SaveUser>, Body(new): Body<NewUser>) -> Result<Reply<UserSaved>> {
        let (app, now) = (caller.app().clone(), caller.app().clock().now());
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => match error.replayed() {
                Some(id) => return Ok(reply(UserSaved { id, initial_password: None })),
                None => return Err(error),
            },
        };
        in_future(new.form.gmt_expires, now)?;
        details::check_phone(new.form.phone.as_deref())?;
        let initial = password::random(&app);
        let account = NewAccount {
            login_name: &new.login_name,
            real_name: &new.form.real_name,
            phone: None,
            user_type: "platform",
            password: &initial,
            must_change: true,
            built_in: false,
        };
        let id = account::create(&mut tx, &account, now).await?;
        details::write(&mut tx, id, &new.form.details()).await?;
        let scope = new.form.school_scope.unwrap_or(SchoolScope::All);
        details::give_schools(&mut tx, &caller, id, scope, &new.form.school_ids).await?;
        let user = known::lock_system(&mut tx, &caller, id).await?;
        let roles = roles::give(&mut tx, &user, None, &new.role_id_list, &[]).await?;
        let made = list::find(&mut tx, id, &Asked::system(AccountFilter::default()), now).await?;
        tx.commit_all(vec![Change::created("sys_user", id, &made), roles]).await?;
        Ok(reply(UserSaved { id, initial_password: Some(initial) }))
    }

    /// 编辑账号
    #[oai(path = "/edit", method = "put", operation_id = "editSystemUser")]
    async fn edit(&self, caller: Allowed<EditUser>, Body(edit): Body<UserEdit>) -> Result<Reply<Saved>> {
        let now = caller.app().clock().now();
        let asked = Asked::system(AccountFilter::default());
        let mut tx = caller.begin().await?;
        let user = known::lock_system(&mut tx, &caller, edit.id).await?;
        user.check_version(&mut tx, Some(edit.version)).await?;
        let before = list::find(&mut tx, edit.id, &asked, now).await?;
        if edit.form.gmt_expires != before.gmt_expires {
            may_end(&user, edit.form.gmt_expires)?;
            in_future(edit.form.gmt_expires, now)?;
        }
        let mut typed = edit.form.details();
        details::unmask(&mut tx, edit.id, &mut typed).await?;
        details::write(&mut tx, edit.id, &typed).await?;
        let scope = edit.form.school_scope.unwrap_or(before.school_scope);
        let schools = details::set_schools(&mut tx, &caller, &user, scope, &edit.form.school_ids).await?;
        let after = list::find(&mut tx, edit.id, &asked, now).await?;
        let changes = [Some(Change::edited("sys_user", edit.id, &before, &after)), schools];
        tx.commit_all(changes.into_iter().flatten().collect()).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除账号
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSystemUser")]
    async fn delete(
        &self,
        caller: Allowed<DeleteUser>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        // Accounts of both kinds end here: a school only unbinds.
        let user = lock_any(&mut tx, &caller, id.0).await?;
        let change = change_status::delete(&mut tx, caller.user_id(), &user, now).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 账号的角色编号
    #[oai(path = "/select/roleId", method = "get", operation_id = "listSystemUserRoleIds")]
    async fn role_ids(
        &self,
        caller: Allowed<ListUserRoleIds>,
        /// 账号编号
        #[oai(name = "userId")]
        user_id: Query<i64>,
    ) -> Result<Reply<Vec<i64>>> {
        let mut tx = caller.read().await?;
        let asked = Asked::system(AccountFilter::default());
        let account = list::find(&mut tx, user_id.0, &asked, caller.app().clock().now()).await?;
        Ok(reply(roles::ids(&mut tx, account.id, None).await?))
    }

    /// 分配账号角色
    #[oai(path = "/allocation", method = "post", operation_id = "allocateSystemUserRoles")]
    async fn allocate(&self, caller: Allowed<AllocateRoles>, Body(form): Body<UserRoles>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let user = known::lock_system(&mut tx, &caller, form.user_id).await?;
        user.check_version(&mut tx, form.version).await?;
        let change = roles::assign(&mut tx, &caller, &user, None, &form.role_id_list, &[]).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: form.user_id }))
    }

    /// 启用停用账号
    #[oai(path = "/disableOrEnableAccount", method = "put", operation_id = "switchSystemUser")]
    async fn switch(
        &self,
        caller: Allowed<SwitchUser>,
        /// 账号编号
        #[oai(name = "userId")]
        user_id: Query<i64>,
        /// 启用
        /// 不填时切换为相反的状态
        enabled: Query<Option<bool>>,
    ) -> Result<Reply<bool>> {
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let user = known::lock_system(&mut tx, &caller, user_id.0).await?;
        let (enabled, change) = change_status::switch_account(&mut tx, &caller, &user, enabled.0, now).await?;
        tx.commit(change).await?;
        Ok(reply(enabled))
    }

    /// 强制下线
    #[oai(path = "/kick", method = "put", operation_id = "kickSystemUser")]
    async fn kick(
        &self,
        caller: Allowed<KickUser>,
        /// 账号编号
        #[oai(name = "userId")]
        user_id: Query<i64>,
    ) -> Result<Reply<bool>> {
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let user = known::lock_system(&mut tx, &caller, user_id.0).await?;
        let change = change_status::kick(&mut tx, &caller, &user, None, now).await?;
        tx.commit(change).await?;
        Ok(reply(true))
    }

    /// 解锁账号
    #[oai(path = "/unlock", method = "put", operation_id = "unlockSystemUser")]
    async fn unlock(
        &self,
        caller: Allowed<UnlockUser>,
        /// 账号编号
        #[oai(name = "userId")]
        user_id: Query<i64>,
    ) -> Result<Reply<bool>> {
        let mut tx = caller.begin().await?;
        let user = known::lock_system(&mut tx, &caller, user_id.0).await?;
        let change = change_status::unlock(&mut tx, &user).await?;
        tx.commit(change).await?;
        Ok(reply(true))
    }

    /// 重置账号密码
    #[oai(path = "/update/password", method = "put", operation_id = "resetSystemUserPassword")]
    async fn reset_password(&self, caller: Allowed<ResetPassword>, form: Body<PasswordReset>) -> Result<Reply<bool>> {
        let now = caller.app().clock().now();
        let typed = reset::typed(&caller, &form).await?;
        let mut tx = caller.begin().await?;
        match form.user_id.filter(|id| *id != caller.user_id()) {
            None => reset::own(tx, &caller, &typed, now).await,
            Some(id) => {
                let user = known::lock_system(&mut tx, &caller, id).await?;
                reset::anothers(tx, &caller, &user, &typed, now).await
            }
        }
    }

    /// 导出账号
    #[oai(path = "/export", method = "post", operation_id = "exportSystemUsers")]
    async fn export(
        &self,
        caller: Allowed<ExportUsers>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<AccountFilter>>,
    ) -> Result<Exported> {
        let filter = asked.filter;
        if filter.school_id.is_some() {
            return Err(Error::malformed());
        }
        transfer::export::<SystemAccounts>(&caller, Asked::system(filter), job.0).await
    }

    /// 账号导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchUserImportTemplate")]
    async fn template(
        &self,
        caller: Allowed<ImportUsers>,
        /// 初始密码表编号
        /// 取回本人一次导入的初始密码，24小时内仅一次
        #[oai(name = "passwordSheetId")]
        password_sheet_id: Query<Option<i64>>,
        /// 导入任务编号
        /// 同上，按导入任务取回
        #[oai(name = "jobId")]
        job_id: Query<Option<i64>>,
    ) -> Result<Attachment> {
        match (password_sheet_id.0, job_id.0) {
            (None, None) => import::template(caller.app()).await,
            (id, job) => import::fetch_passwords(&caller, id, job).await,
        }
    }

    /// 批量导入账号
    #[oai(path = "/import/excel", method = "post", operation_id = "importSystemUsers")]
    async fn import(&self, caller: Allowed<ImportUsers>, form: UserImportForm) -> Result<Reply<UserImportAnswer>> {
        import::import(&caller, form).await
    }
}

/// The built-in account never ends.
fn may_end(user: &Known, ends: Option<Moment>) -> Result<()> {
    if user.built_in && ends.is_some() {
        return Err(Error::field("gmtExpires", "内置账号不能设置有效期"));
    }
    Ok(())
}

/// A platform account, or a school account of one of the operator's schools.
async fn lock_any(tx: &mut Tx, caller: &Allowed<DeleteUser>, id: i64) -> Result<Known> {
    let is_platform = sqlx::query_scalar!(
        r#"select user_type = 'platform' as "is!" from platform.sys_user where id = $1 and deleted_at is null"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if is_platform {
        known::lock_system(tx, caller, id).await
    } else {
        known::lock_school(tx, caller, id, Over::Whole("删除")).await
    }
}
