//! 角色: what a person may do, in bundles (01 §2).
//!
//! ```text
//! platform   the operators' own roles         edited by operators
//! template   offered to every school          edited by operators; a school copies it
//! own        one school's                     edited by that school
//! ```
//! Nobody gives what they do not hold, and nobody changes the role through which they may ([`rules`]).

mod allocation;
mod list;
mod rules;
mod scope;

use accounts::{rights, user::grant};
use infra::{
    Allowed, Body, Change, Edit, Entity, Error, OnConstraint, Page, Paging, Part, Reply, Result, Saved, Tx,
    enumeration, permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};

use allocation::{Allocation, RoleRights};
use list::{RoleFilter, RoleOption};
use scope::{RoleScope, RoleScopeForm};

use crate::menu::Switched;

permissions! {
    pages "/sys/role/list";
    Anywhere Reads  ListRoles       = "system:pc:sys:role:selectPageList" "角色分页列表";
    Anywhere Reads  ListRoleOptions = "system:pc:sys:role:list" "角色选项";
    Anywhere Reads  ViewRole        = "system:pc:sys:role:view" "查看角色";
    Anywhere Writes SaveRole        = "system:pc:sys:role:save" "新增角色";
    Anywhere Writes EditRole        = "system:pc:sys:role:edit" "编辑角色";
    Anywhere Writes DeleteRole      = "system:pc:sys:role:delete" "删除角色";
    Anywhere Writes SwitchRole      = "system:pc:sys:role:disableOrEnableRole" "启用停用角色";
    Anywhere Reads  ViewRoleRights  = "system:pc:sys:role:selectMenuAndPermission" "角色的菜单与权限";
    Anywhere Writes AllocateRights  = "system:pc:sys:role:allocation" "分配角色权限";
    Anywhere Reads  ViewRoleScope   = "system:pc:sys:role:scope" "角色数据范围";
    Anywhere Writes SetRoleScope    = "system:pc:sys:role:scope" "角色数据范围";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[RoleKind::ENUMERATION, DataScope::ENUMERATION],
    entities: &[Entity { table: "sys_role", name: "角色", counted: "个角色" }],
    ..Part::NONE
};

enumeration! {
    /// 角色类型
    pub enum RoleKind = "roleKind" {
        Platform = "platform" "平台",
        Template = "template" "院校模板",
        Own = "own" "本校",
    }
}

enumeration! {
    /// 数据范围
    pub enum DataScope = "dataScope" {
        WholeSchool = "whole_school" "全校",
        NamedSites = "named_sites" "指定站点",
        NamedClasses = "named_classes" "指定班级",
    }
}

/// A role as the list shows it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Role {
    /// 编号
    pub id: i64,
    /// 角色名称
    pub role_name: String,
    /// 类型
    pub kind: RoleKind,
    /// 数据范围
    pub data_scope: DataScope,
    /// 账号数
    pub account_count: i64,
    /// 权限数
    pub permission_count: i64,
    /// 内置
    pub built_in: bool,
    /// 启用
    pub enabled: bool,
    /// 须两步验证
    pub totp_required: bool,
    /// 备注
    pub remark: Option<String>,
    /// 版本
    pub version: i32,
}

/// What a person types of a role.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RoleForm {
    /// 角色名称
    #[oai(validator(min_length = 2, max_length = 30))]
    pub role_name: String,
    /// 类型
    pub kind: RoleKind,
    /// 数据范围
    /// 平台角色固定为全校，即账号可管的全部院校
    pub data_scope: DataScope,
    /// 须两步验证
    /// 拥有该角色的账号须先启用两步验证，才能办理业务
    #[oai(default)]
    pub totp_required: bool,
    /// 备注
    #[oai(validator(max_length = 255))]
    pub remark: Option<String>,
}

impl Example for RoleForm {
    fn example() -> Self {
        Self {
            role_name: "招生老师".to_owned(),
            kind: RoleKind::Own,
            data_scope: DataScope::WholeSchool,
            totp_required: false,
            remark: None,
        }
    }
}

/// A new role, empty or with the rights of another.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NewRole {
    #[oai(flatten)]
    pub form: RoleForm,
    /// 复制自
    /// 角色编号；新角色带有其全部权限
    pub copy_of: Option<i64>,
}

impl Example for NewRole {
    fn example() -> Self {
        Self { form: RoleForm::example(), copy_of: None }
    }
}

pub struct SysRoles;

#[OpenApi(prefix_path = "/system/pc/sys/role", tag = "crate::Tag::Roles")]
impl SysRoles {
    /// 角色分页列表
    #[oai(path = "/selectPageList", method = "get", operation_id = "listRoles")]
    async fn list(
        &self,
        caller: Allowed<ListRoles>,
        /// 当前页
        #[oai(name = "pageCurrent")]
        page_current: Query<Option<i64>>,
        /// 每页条数
        #[oai(name = "pageSize")]
        page_size: Query<Option<i64>>,
        /// 角色名称
        #[oai(name = "roleName")]
        role_name: Query<Option<String>>,
        /// 类型
        kind: Query<Option<RoleKind>>,
        /// 启用
        enabled: Query<Option<bool>>,
    ) -> Result<Reply<Page<Role>>> {
        let paging = Paging::of(page_current.0, page_size.0)?;
        let filter =
            RoleFilter { school: caller.session.school_id, role_name: role_name.0, kind: kind.0, enabled: enabled.0 };
        let mut tx = caller.read().await?;
        let total = list::count(&mut tx, &filter).await?;
        let page = list::select(&mut tx, None, &filter, Some(paging)).await?;
        Ok(reply(paging.page(total, page)))
    }

    /// 角色选项
    #[oai(path = "/list", method = "get", operation_id = "listRoleOptions")]
    async fn options(
        &self,
        caller: Allowed<ListRoleOptions>,
        /// 类型
        kind: Query<Option<RoleKind>>,
    ) -> Result<Reply<Vec<RoleOption>>> {
        let filter =
            RoleFilter { school: caller.session.school_id, kind: kind.0, enabled: Some(true), ..RoleFilter::default() };
        let mut tx = caller.read().await?;
        let roles = list::select(&mut tx, None, &filter, None).await?;
        Ok(reply(roles.into_iter().map(RoleOption::from).collect()))
    }

    /// 查看角色
    #[oai(path = "/view", method = "get", operation_id = "viewRole")]
    async fn view(
        &self,
        caller: Allowed<ViewRole>,
        /// 编号
        id: Query<Option<i64>>,
        /// 角色名称
        /// 与角色类型一起代替编号
        #[oai(name = "roleName")]
        role_name: Query<Option<String>>,
        /// 角色类型
        kind: Query<Option<RoleKind>>,
    ) -> Result<Reply<Role>> {
        let school = caller.session.school_id;
        let mut tx = caller.read().await?;
        Ok(reply(match (id.0, role_name.0, kind.0) {
            (Some(id), None, None) => list::find(&mut tx, id, school).await?,
            (None, Some(name), Some(kind)) => list::named(&mut tx, name, kind, school).await?,
            _ => return Err(Error::malformed()),
        }))
    }

    /// 新增角色
    #[oai(path = "/save", method = "post", operation_id = "saveRole")]
    async fn save(&self, caller: Allowed<SaveRole>, Body(new): Body<NewRole>) -> Result<Reply<Saved>> {
        let school = caller.session.school_id;
        let mut tx = caller.begin().await?;
        rules::check_kind(&new.form, school)?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.sys_role (role_name, client_type, school_id, data_scope, remark, created_by, updated_by, totp_required)
             values ($1, $2, $3, $4, $5, $6, $6, $7) returning id",
            new.form.role_name,
            rules::client_type(new.form.kind),
            school,
            new.form.data_scope.as_str(),
            new.form.remark,
            by,
            new.form.totp_required
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        if let Some(original) = new.copy_of {
            copy(&mut tx, original, id, school).await?;
        }
        let after = list::find(&mut tx, id, school).await?;
        tx.commit(Change::created("sys_role", id, &after)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑角色
    #[oai(path = "/edit", method = "put", operation_id = "editRole")]
    async fn edit(&self, caller: Allowed<EditRole>, Body(edit): Body<Edit<RoleForm>>) -> Result<Reply<Saved>> {
        let school = caller.session.school_id;
        let mut tx = caller.begin().await?;
        let before = rules::editable(&mut tx, edit.id, school).await?;
        rules::check_kind(&edit.form, school)?;
        if before.kind != edit.form.kind {
            return Err(Error::field("kind", "角色类型不能修改"));
        }
        if before.data_scope != edit.form.data_scope {
            return Err(Error::field("dataScope", "请在“数据范围”中修改"));
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.sys_role set role_name = $3, remark = $4, totp_required = $6, updated_at = now(), updated_by = $5,
                    version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            edit.form.role_name,
            edit.form.remark,
            by,
            edit.form.totp_required
        )
        .execute(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("sys_role", edit.id).await);
        }
        let after = list::find(&mut tx, edit.id, school).await?;
        if before.totp_required != after.totp_required {
            // Everybody with the role is asked anew whether the second step is missing.
            tx.notice("session", "");
        }
        tx.commit(Change::edited("sys_role", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除角色
    #[oai(path = "/delete", method = "delete", operation_id = "deleteRole")]
    async fn delete(
        &self,
        caller: Allowed<DeleteRole>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = rules::editable(&mut tx, id.0, caller.session.school_id).await?;
        if before.built_in {
            return Err(Error::conflict("内置数据不能删除"));
        }
        if before.account_count > 0 {
            return Err(Error::conflict(format!("该角色已分配给{}个账号，请先解除", before.account_count)));
        }
        sqlx::query!("delete from platform.sys_role_scope where role_id = $1", id.0).execute(&mut *tx).await?;
        sqlx::query!("delete from platform.sys_role_permission where role_id = $1", id.0).execute(&mut *tx).await?;
        sqlx::query!("delete from platform.sys_role_menu where role_id = $1", id.0).execute(&mut *tx).await?;
        sqlx::query!("delete from platform.sys_role where id = $1", id.0)
            .execute(&mut *tx)
            .await
            .on_constraint(|_| Some(Error::conflict("该角色刚被分配给账号，请先解除")))?;
        tx.commit(Change::deleted("sys_role", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用角色
    #[oai(path = "/disableOrEnableRole", method = "put", operation_id = "switchRole")]
    async fn switch(
        &self,
        caller: Allowed<SwitchRole>,
        /// 编号
        id: Query<i64>,
        /// 启用
        /// 不填时切换为相反的状态
        enabled: Query<Option<bool>>,
    ) -> Result<Reply<Switched>> {
        let mut tx = caller.begin().await?;
        let before = rules::editable(&mut tx, id.0, caller.session.school_id).await?;
        rules::not_own(&mut tx, id.0).await?;
        let enabled = enabled.0.unwrap_or(!before.enabled);
        if before.built_in && !enabled {
            return Err(Error::conflict("内置角色不能停用"));
        }
        let by = tx.by();
        sqlx::query!(
            "update platform.sys_role set enabled = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
            id.0,
            enabled,
            by
        )
        .execute(&mut *tx)
        .await?;
        rights::of_role_changed(&mut tx, id.0).await?;
        tx.commit(Change::status("sys_role", id.0, "enabled", before.enabled, enabled)).await?;
        Ok(reply(Switched { enabled }))
    }

    /// 角色的菜单与权限
    #[oai(path = "/selectMenuAndPermission", method = "get", operation_id = "viewRoleRights")]
    async fn rights(
        &self,
        caller: Allowed<ViewRoleRights>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<RoleRights>> {
        let mut tx = caller.read().await?;
        Ok(reply(allocation::rights_of(&mut tx, id.0, caller.session.school_id).await?))
    }

    /// 分配角色权限
    #[oai(path = "/allocation", method = "post", operation_id = "allocateRoleRights")]
    async fn allocate(&self, caller: Allowed<AllocateRights>, Body(wanted): Body<Allocation>) -> Result<Reply<Saved>> {
        let tx = caller.begin().await?;
        let role = wanted.role_id;
        allocation::allocate(tx, wanted, caller.session.school_id).await?;
        Ok(reply(Saved { id: role }))
    }

    /// 查看角色数据范围
    #[oai(path = "/scope", method = "get", operation_id = "viewRoleScope")]
    async fn scope(
        &self,
        caller: Allowed<ViewRoleScope>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<RoleScope>> {
        let mut tx = caller.read().await?;
        Ok(reply(scope::of(&mut tx, id.0, caller.session.school_id).await?))
    }

    /// 设置角色数据范围
    #[oai(path = "/scope", method = "put", operation_id = "setRoleScope")]
    async fn set_scope(&self, caller: Allowed<SetRoleScope>, Body(form): Body<RoleScopeForm>) -> Result<Reply<Saved>> {
        if caller.session.school_id.is_some() {
            scope::check_targets(&mut *caller.home_read().await?, &form).await?;
        }
        let tx = caller.begin().await?;
        let role = form.role_id;
        scope::set(tx, form, caller.session.school_id).await?;
        Ok(reply(Saved { id: role }))
    }
}

fn explain_constraint(constraint: &str) -> Option<Error> {
    (constraint == "sys_role_name_taken").then(|| Error::field("roleName", "角色名称已存在"))
}

/// Gives a new role what another has, as far as the acting person holds it.
async fn copy(tx: &mut Tx, original: i64, copied: i64, school: Option<i64>) -> Result<()> {
    let from = list::find(tx, original, school).await?;
    let to = list::find(tx, copied, school).await?;
    if rules::client_type(from.kind) != rules::client_type(to.kind) {
        return Err(Error::field("kind", "平台角色与院校角色的权限不能互相复制"));
    }
    let extent = grant::Extent::of(to.data_scope.as_str(), &[], &[]);
    grant::check(tx, rules::client_type(to.kind), school, &[(original, &extent)]).await?;
    sqlx::query!(
        "insert into platform.sys_role_menu (role_id, menu_id) select $2, menu_id from platform.sys_role_menu where role_id = $1",
        original,
        copied
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into platform.sys_role_permission (role_id, permission_id)
         select $2, permission_id from platform.sys_role_permission where role_id = $1",
        original,
        copied
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
