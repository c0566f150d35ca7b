//! 班主任 (02 §12.4): who looks after classes. Which classes stands in `class.manager_id` and is written by the module of the
//! classes; a class has one manager, and only at a site that is among the manager's.
//!
//! A manager lies in the data scope by their sites, and by the classes that they have.

mod allocation;
mod appoint;
mod classes_sheet;
mod form;
mod list;
mod options;
mod sheet;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, OnConstraint, Page, Paged, Part, Reply,
    Result, Saved, Scope, Tx, UnmaskedFields,
    options::Source,
    permissions, pinyin, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};

use crate::{
    account::{self, OwnerKind},
    enums::StaffStatus,
    one_click::{OneClick, sign_in_as, within},
    steps::{self, AccountItems, AccountStatusChange, PasswordResetResult, Signs, Staff},
};

pub use allocation::ClassAllocation;
pub use appoint::{Appoint, ClassItem, ManagerAppointment};
use classes_sheet::ClassSheet;
pub use classes_sheet::ClassSheets;
pub use form::ClassManagerForm;
pub use list::{ClassManager, ClassManagerFilter};
use options::options;
pub(crate) use sheet::ClassManagerSheet;

use form::{completed, explain_constraint, insert, set_sites};
use list::{count, find, page};

permissions! {
    pages "/schoolPC/userManagerment/sideList", "/platformPC/userManagerment/sideList";
    InSchool Reads       ListClassManagers           = "user:pc:classManager:list" "班主任列表";
    InSchool Reads       ViewClassManager           = "user:pc:classManager:view" "查看班主任";
    InSchool Writes      SaveClassManager           = "user:pc:classManager:save" "新增班主任";
    InSchool Writes      EditClassManager           = "user:pc:classManager:edit" "编辑班主任";
    InSchool Writes      AllocateClasses = "user:pc:classManager:allocation" "班主任分配班级";
    InSchool Writes      DeleteClassManager         = "user:pc:classManager:delete" "删除班主任";
    InSchool Writes      DeleteClassManagers        = "user:pc:classManager:batchDel" "批量删除班主任";
    InSchool Writes      ChangeClassManagerStatus   = "user:pc:classManager:changeStatus" "启用停用班主任账号";
    InSchool Writes      ResetClassManagerPasswords = "user:pc:classManager:resetPassword" "重置班主任密码";
    InSchool Writes      SignInAsClassManager       = "user:pc:classManager:oneClickLogin" "班主任一键登录";
    InSchool Writes      WriteAsClassManager        = "user:pc:classManager:oneClickLogin:write" "班主任一键登录后可修改";
    InSchool ReadsLogged ExportClassManagers         = "user:pc:classManager:export" "导出班主任";
    InSchool ReadsLogged ExportPlainClassManagers    = "user:pc:classManager:exportPlain" "导出班主任完整信息";
    InSchool ReadsLogged ViewPlainClassManager      = "user:pc:classManager:viewPlain" "查看班主任完整信息";
    InSchool Writes      ImportClassManagers         = "user:pc:classManager:import" "导入班主任";
    InSchool Reads       FetchClassManagerSheet     = "user:pc:classManager:import" "导入班主任";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "class_manager", name: "班主任", counted: "名班主任" },
        Entity { table: "class_manager_site", name: "班主任站点", counted: "名班主任" },
    ],
    jobs: &[export_job::<ClassManagers>(), import_job::<ByRow<ClassManagerSheet>>(), import_job::<ByRow<ClassSheet>>()],
    plain: &[PLAIN],
    histories: &[History { table: "class_manager", code: "user:pc:classManager:view", scope: Some(PLAIN.scope) }],
    options: &[
        Source::new("classManager", |connection, asked| Box::pin(options(connection, asked))).below("班主任的站点")
    ],
    option_pages: PAGES,
    ..Part::NONE
};

pub(crate) const PLAIN: UnmaskedFields = UnmaskedFields {
    entity: "classManager",
    table: "class_manager",
    code: "user:pc:classManager:viewPlain",
    fields: &[("idCardNo", "id_card_no"), ("phone", "phone")],
    // One of the manager's sites that the caller sees, one of their classes.
    scope: (
        "(select s.site_id from class_manager_site s where s.manager_id = class_manager.id and s.site_id = any($2) limit 1)",
        Some("(select c.id from class c where c.manager_id = class_manager.id and c.id = any($3) limit 1)"),
    ),
    live: None,
    platform: None,
};

pub struct ClassManagers;

impl Staff for ClassManagers {
    const KIND: OwnerKind = OwnerKind::ClassManager;
    const TABLE: &'static str = "class_manager";

    async fn seen(tx: &mut Tx, id: i64, scope: &Scope) -> Result<()> {
        acted_on(tx, id, scope).await
    }
}

impl ClassManager {
    fn signs(&self) -> Signs<'_> {
        Signs { work_no: Some(&self.work_no), phone: &self.phone, active: self.status == StaffStatus::Active }
    }
}

#[OpenApi(prefix_path = "/user/pc/classManager", tag = "crate::Tag::People")]
impl ClassManagers {
    /// 班主任列表
    #[oai(path = "/list", method = "post", operation_id = "listClassManagers")]
    async fn list(
        &self,
        caller: Allowed<ListClassManagers>,
        Body(asked): Body<Paged<ClassManagerFilter>>,
    ) -> Result<Reply<Page<ClassManager>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter, &caller.scope()).await?;
        let mut list = page(&mut tx, &filter, &caller.scope(), paging).await?;
        list.iter_mut().for_each(ClassManager::mask);
        Ok(reply(paging.page(total, list)))
    }

    /// 查看班主任
    #[oai(path = "/view", method = "get", operation_id = "viewClassManager")]
    async fn view(
        &self,
        caller: Allowed<ViewClassManager>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ClassManager>> {
        let mut person = find(&mut *caller.read().await?, id.0, &caller.scope()).await?;
        person.mask();
        Ok(reply(person))
    }

    /// 新增班主任
    #[oai(path = "/save", method = "post", operation_id = "saveClassManager")]
    async fn save(
        &self,
        caller: Allowed<SaveClassManager>,
        Body(form): Body<ClassManagerForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑班主任
    #[oai(path = "/edit", method = "put", operation_id = "editClassManager")]
    async fn edit(
        &self,
        caller: Allowed<EditClassManager>,
        Body(edit): Body<Edit<ClassManagerForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = lock(&mut tx, edit.id, &caller.scope()).await?;
        let form = completed(&mut tx, edit.form, Some(&before), &caller.scope()).await?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update class_manager set work_no = $3, name = $4, initials = $5, gender = $6, id_card_no = $7, phone = $8,
                    teacher_id = $9, status = $10, remark = $11, updated_at = now(), updated_by = $12, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.work_no,
            form.name,
            pinyin::initials(&form.name),
            form.gender.map(|gender| gender.as_str()),
            form.id_card_no,
            form.phone,
            form.teacher_id,
            form.status.as_str(),
            form.remark,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(|name| explain_constraint(name, &form))?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("class_manager", edit.id).await);
        }
        set_sites(&mut tx, edit.id, &form.site_ids).await?;
        let after = find(&mut tx, edit.id, &Scope::whole_school()).await?;
        let mut changes = vec![Change::edited("class_manager", edit.id, &before, &after)];
        changes.extend(steps::follow::<Self>(&mut tx, edit.id, before.signs(), after.signs()).await?);
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 班主任分配班级
    #[oai(path = "/allocation", method = "put", operation_id = "allocateClasses")]
    async fn allocate(
        &self,
        caller: Allowed<AllocateClasses>,
        Body(wanted): Body<ClassAllocation>,
    ) -> Result<Reply<Saved>> {
        let id = wanted.id;
        allocation::allocate(caller.begin().await?, wanted, &caller.scope()).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除班主任
    #[oai(path = "/delete", method = "delete", operation_id = "deleteClassManager")]
    async fn delete(
        &self,
        caller: Allowed<DeleteClassManager>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除班主任
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteClassManagers")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteClassManagers>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "class_manager");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用班主任账号
    #[oai(path = "/update/status", method = "put", operation_id = "changeClassManagerStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeClassManagerStatus>,
        Body(wanted): Body<AccountStatusChange>,
    ) -> Result<Reply<BulkResult>> {
        let AccountStatusChange { items, enabled } = wanted;
        Ok(reply(steps::change_status::<Self>(caller.begin().await?, items, enabled, &caller.scope()).await?))
    }

    /// 重置班主任密码
    #[oai(path = "/resetPassword", method = "post", operation_id = "resetClassManagerPasswords")]
    async fn reset_password(
        &self,
        caller: Allowed<ResetClassManagerPasswords>,
        Body(wanted): Body<AccountItems>,
    ) -> Result<Reply<PasswordResetResult>> {
        let (BulkResult { done, failed }, passwords) =
            steps::reset_passwords::<Self>(caller.begin().await?, wanted.items, &caller.scope()).await?;
        Ok(reply(PasswordResetResult { done, failed, passwords }))
    }

    /// 解锁班主任账号
    #[oai(path = "/unlock", method = "put", operation_id = "unlockClassManagerAccount")]
    async fn unlock(
        &self,
        caller: Allowed<ChangeClassManagerStatus>,
        Body(wanted): Body<AccountItems>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(steps::unlock::<Self>(caller.begin().await?, wanted.items, &caller.scope()).await?))
    }

    /// 班主任一键登录
    #[oai(path = "/oneClickLogin", method = "get", operation_id = "signInAsClassManager")]
    async fn one_click(
        &self,
        caller: Allowed<SignInAsClassManager>,
        /// 编号
        id: Query<i64>,
        /// 原因
        reason: Query<Option<String>>,
    ) -> Result<Reply<OneClick>> {
        let mut tx = caller.begin().await?;
        acted_on(&mut tx, id.0, &caller.scope()).await?;
        let may_write = match caller.rights().get("user:pc:classManager:oneClickLogin:write") {
            Some(scope) => within(acted_on(&mut tx, id.0, scope).await)?,
            None => false,
        };
        sign_in_as(caller.caller(), tx, (OwnerKind::ClassManager, "class_manager", id.0), reason.0, may_write).await
    }

    /// 导出班主任
    #[oai(path = "/export", method = "post", operation_id = "exportClassManagers")]
    async fn export(
        &self,
        caller: Allowed<ExportClassManagers>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ClassManagerFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 班主任导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchClassManagerImportTemplate")]
    async fn template(&self, caller: Allowed<FetchClassManagerSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<ClassManagerSheet>, _>(&caller).await
    }

    /// 导入班主任
    #[oai(path = "/import", method = "post", operation_id = "importClassManagers")]
    async fn import(&self, caller: Allowed<ImportClassManagers>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<ClassManagerSheet>>(&caller, form).await
    }
}

async fn lock(tx: &mut Tx, id: i64, scope: &Scope) -> Result<ClassManager> {
    tx.lock("class_manager", id).await?;
    find(tx, id, scope).await
}

/// A manager whose account may be acted on: whoever takes it sees all of their sites and classes, so all lie in the scope.
///
/// # Errors
/// 404 when they lie outside, 403 when they reach further.
async fn acted_on(tx: &mut Tx, id: i64, scope: &Scope) -> Result<()> {
    find(tx, id, scope).await?;
    let further = sqlx::query_scalar!(
        r#"select $2::bigint[] is not null and (
               exists (select from class_manager_site s where s.manager_id = $1 and not s.site_id = any($2))
               or exists (select from class c where c.manager_id = $1 and not c.site_id = any($2) and not c.id = any($3)))
           as "further!""#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    if further {
        return Err(Error::new(403, "该班主任还负责您数据范围以外的站点或班级，请由数据范围更大的人员办理"));
    }
    Ok(())
}

async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let before = lock(tx, id, scope).await?;
    acted_on(tx, id, scope).await?;
    if before.class_count > 0 {
        return Err(Error::conflict(format!("仍负责{}个班级", before.class_count)));
    }
    set_sites(tx, id, &[]).await?;
    account::remove(tx, OwnerKind::ClassManager, id).await?;
    tx.remove("class_manager", id, &before.name).await?;
    Ok(Change::deleted("class_manager", id, &before))
}
