//! 角色 of school accounts: which can be given, and giving them.

use infra::{Allowed, Body, Error, Page, Paging, Reply, Result, Saved, reply};
use poem_openapi::{OpenApi, param::Query};

use super::{
    AllocateSchoolRoles, EditSchoolRoles, ListSchoolRoles, ListSchoolUserRoleIds, PageSchoolRoles,
    form::{SchoolUserRoles, UserBindingRoles},
    lock_binding,
    role_list::{self, RoleChoice, RoleRow},
};
use crate::user::{
    binding,
    known::{self, Over, Reach, one_school_of, school_of},
    list::{self, AccountFilter, Asked},
    roles,
};

pub struct SchoolRoles;

#[OpenApi(prefix_path = "/system/pc/sys/school/user", tag = "crate::Tag::Accounts")]
impl SchoolRoles {
    /// 院校账号的角色编号
    #[oai(path = "/select/roleId", method = "get", operation_id = "listSchoolUserRoleIds")]
    async fn role_ids(
        &self,
        caller: Allowed<ListSchoolUserRoleIds>,
        /// 账号编号
        #[oai(name = "userId")]
        user_id: Query<i64>,
        /// 院校
        #[oai(name = "schoolId")]
        school_id: Query<Option<i64>>,
    ) -> Result<Reply<Vec<i64>>> {
        let school = one_school_of(&caller, school_id.0).await?;
        let mut tx = caller.read().await?;
        let asked = Asked::school(AccountFilter::default(), Reach::of(&caller), Some(school));
        let account = list::find(&mut tx, user_id.0, &asked, caller.app().clock().now()).await?;
        Ok(reply(roles::ids(&mut tx, account.id, Some(school)).await?))
    }

    /// 院校角色选项
    #[oai(path = "/selectRoleList", method = "get", operation_id = "listSchoolRoleChoices")]
    async fn role_choices(
        &self,
        caller: Allowed<ListSchoolRoles>,
        /// 院校
        #[oai(name = "schoolId")]
        school_id: Query<Option<i64>>,
        /// 角色端
        /// 0 平台，1 院校；不填为院校
        #[oai(name = "clientType", validator(minimum(value = "0"), maximum(value = "1")))]
        client_type: Query<Option<i16>>,
    ) -> Result<Reply<Vec<RoleChoice>>> {
        let school = school_of(&caller, school_id.0).await?;
        let client_type = client_type.0.unwrap_or(1);
        if client_type == 0 && known::own_school(&caller).is_some() {
            return Err(Error::malformed());
        }
        Ok(reply(role_list::choices(&mut *caller.read().await?, school, client_type).await?))
    }

    /// 院校角色分页列表
    #[oai(path = "/selectRolePageList", method = "get", operation_id = "listSchoolRoles")]
    async fn role_page(
        &self,
        caller: Allowed<PageSchoolRoles>,
        /// 当前页
        #[oai(name = "pageCurrent")]
        page_current: Query<Option<i64>>,
        /// 每页条数
        #[oai(name = "pageSize")]
        page_size: Query<Option<i64>>,
        /// 角色名称
        #[oai(name = "roleName")]
        role_name: Query<Option<String>>,
        /// 院校
        #[oai(name = "schoolId")]
        school_id: Query<Option<i64>>,
    ) -> Result<Reply<Page<RoleRow>>> {
        let paging = Paging::of(page_current.0, page_size.0)?;
        let school = school_of(&caller, school_id.0).await?;
        let mut tx = caller.read().await?;
        let (total, page) = role_list::page(&mut tx, school, role_name.0.as_deref(), paging).await?;
        Ok(reply(paging.page(total, page)))
    }

    /// 分配院校账号角色
    #[oai(path = "/allocation", method = "post", operation_id = "allocateSchoolUserRoles")]
    async fn allocate(
        &self,
        caller: Allowed<AllocateSchoolRoles>,
        Body(form): Body<SchoolUserRoles>,
    ) -> Result<Reply<Saved>> {
        let school = one_school_of(&caller, form.school_id).await?;
        roles::check_targets(&caller, school, &form.scopes).await?;
        let mut tx = caller.begin().await?;
        let user = known::lock_school(&mut tx, &caller, form.user_id, Over::At(school)).await?;
        user.check_version(&mut tx, form.version).await?;
        binding::lock_at(&mut tx, user.id, school).await?;
        let change = roles::assign(&mut tx, &caller, &user, Some(school), &form.role_id_list, &form.scopes).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: form.user_id }))
    }

    /// 编辑院校角色
    #[oai(path = "/editSchoolRole", method = "put", operation_id = "editSchoolUserRoles")]
    async fn edit_roles(
        &self,
        caller: Allowed<EditSchoolRoles>,
        Body(form): Body<UserBindingRoles>,
    ) -> Result<Reply<Saved>> {
        let school = binding::school_of(&mut *caller.read().await?, form.id).await?;
        known::check_teacher(&caller, school, form.teacher_id).await?;
        roles::check_targets(&caller, school, &form.scopes).await?;
        let mut tx = caller.begin().await?;
        let (bound, user) = lock_binding(&mut tx, &caller, form.id).await?;
        let at = Some(bound.school_id);
        let tied = binding::tie(&mut tx, &bound, form.teacher_id, form.version).await?;
        let given = roles::assign(&mut tx, &caller, &user, at, &form.role_id_list, &form.scopes).await?;
        tx.commit_all(std::iter::once(given).chain(tied).collect()).await?;
        Ok(reply(Saved { id: form.id }))
    }
}
