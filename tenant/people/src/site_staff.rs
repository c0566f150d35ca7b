//! 站点人员 (02 §12.4): who looks after a site in the site client. A site has at most one 主要负责人, and one in use keeps a
//! 负责人. They lie in the data scope by their site.

mod form;
mod list;
mod sheet;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, OnConstraint, Paged, Part, Reply,
    Result, Saved, Scope, Tx, UnmaskedFields,
    across::{self, BulkOfSchools, SchoolPage},
    permissions, pinyin, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

use crate::{
    account::{self, OwnerKind},
    enums::{SiteStaffDuty, StaffStatus},
    one_click::{OneClick, sign_in_as, within},
    steps::{self, AccountItemsOfSchools, AccountStatusChangeOfSchools, PasswordResetsOfSchools, Signs, Staff},
};

pub use form::SiteStaffForm;
pub use list::{SiteStaff, SiteStaffFilter};
pub(crate) use sheet::SiteStaffSheet;

use form::{completed, explain_constraint, insert};
use list::find;

permissions! {
    pages "/schoolPC/userManagerment/sideList", "/platformPC/userManagerment/sideList";
    EachSchool  Reads       ListSiteStaff           = "user:pc:siteStaff:list" "站点人员列表";
    EachSchool  Reads       ViewSiteStaff           = "user:pc:siteStaff:view" "查看站点人员";
    EachSchool  Writes      SaveSiteStaff           = "user:pc:siteStaff:save" "新增站点人员";
    EachSchool  Writes      EditSiteStaff           = "user:pc:siteStaff:edit" "编辑站点人员";
    EachSchool  Writes      DeleteSiteStaff         = "user:pc:siteStaff:delete" "删除站点人员";
    EachSchool  Writes      DeleteSiteStaffs        = "user:pc:siteStaff:batchDel" "批量删除站点人员";
    ManySchools Writes      ChangeSiteStaffStatus   = "user:pc:siteStaff:changeStatus" "启用停用站点人员账号";
    ManySchools Writes      ResetSiteStaffPasswords = "user:pc:siteStaff:resetPassword" "重置站点人员密码";
    EachSchool  Writes      SignInAsSiteStaff       = "user:pc:siteStaff:oneClickLogin" "站点人员一键登录";
    EachSchool  Writes      WriteAsSiteStaff        = "user:pc:siteStaff:oneClickLogin:write" "站点人员一键登录后可修改";
    EachSchool  ReadsLogged ExportSiteStaff         = "user:pc:siteStaff:export" "导出站点人员";
    EachSchool  ReadsLogged ExportPlainSiteStaff    = "user:pc:siteStaff:exportPlain" "导出站点人员完整信息";
    EachSchool  ReadsLogged ViewPlainSiteStaff      = "user:pc:siteStaff:viewPlain" "查看站点人员完整信息";
    EachSchool  Writes      ImportSiteStaff         = "user:pc:siteStaff:import" "导入站点人员";
    EachSchool  Reads       FetchSiteStaffSheet     = "user:pc:siteStaff:import" "导入站点人员";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "site_staff", name: "站点人员", counted: "名站点人员" }],
    jobs: &[export_job::<SiteStaffs>(), import_job::<ByRow<SiteStaffSheet>>()],
    plain: &[PLAIN],
    histories: &[History { table: "site_staff", code: "user:pc:siteStaff:view", scope: Some(PLAIN.scope) }],
    option_pages: PAGES,
    ..Part::NONE
};

pub(crate) const PLAIN: UnmaskedFields = UnmaskedFields {
    entity: "siteStaff",
    table: "site_staff",
    code: "user:pc:siteStaff:viewPlain",
    fields: &[("idCardNo", "id_card_no"), ("phone", "phone"), ("email", "email")],
    scope: ("site_id", None),
    live: None,
    platform: None,
};

/// The site of somebody of its staff.
///
/// # Errors
/// 404 when they are gone.
pub async fn site_of(connection: &mut PgConnection, person: i64) -> Result<i64> {
    sqlx::query_scalar!("select site_id from site_staff where id = $1", person)
        .fetch_optional(connection)
        .await?
        .ok_or_else(Error::not_found)
}

pub struct SiteStaffs;

impl Staff for SiteStaffs {
    const KIND: OwnerKind = OwnerKind::SiteStaff;
    const TABLE: &'static str = "site_staff";

    async fn seen(tx: &mut Tx, id: i64, scope: &Scope) -> Result<()> {
        find(tx, id, scope).await.map(|_| ())
    }
}

impl SiteStaff {
    fn signs(&self) -> Signs<'_> {
        let active = self.status == StaffStatus::Active;
        Signs { work_no: self.work_no.as_deref(), phone: &self.phone, active }
    }
}

#[OpenApi(prefix_path = "/user/pc/siteStaff", tag = "crate::Tag::People")]
impl SiteStaffs {
    /// 站点人员列表
    #[oai(path = "/list", method = "post", operation_id = "listSiteStaff")]
    async fn list(
        &self,
        caller: Allowed<ListSiteStaff>,
        Body(asked): Body<Paged<SiteStaffFilter>>,
    ) -> Result<Reply<SchoolPage<SiteStaff>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看站点人员
    #[oai(path = "/view", method = "get", operation_id = "viewSiteStaff")]
    async fn view(
        &self,
        caller: Allowed<ViewSiteStaff>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<SiteStaff>> {
        let mut person = find(&mut *caller.read().await?, id.0, &caller.scope()).await?;
        person.mask();
        Ok(reply(person))
    }

    /// 新增站点人员
    #[oai(path = "/save", method = "post", operation_id = "saveSiteStaff")]
    async fn save(&self, caller: Allowed<SaveSiteStaff>, Body(form): Body<SiteStaffForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑站点人员
    #[oai(path = "/edit", method = "put", operation_id = "editSiteStaff")]
    async fn edit(
        &self,
        caller: Allowed<EditSiteStaff>,
        Body(edit): Body<Edit<SiteStaffForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = lock(&mut tx, edit.id, &caller.scope()).await?;
        let form = completed(&mut tx, edit.form, Some(&before), &caller.scope()).await?;
        let leads = form.duty == SiteStaffDuty::Principal
            && form.status == StaffStatus::Active
            && form.site_id == before.site_id;
        if !leads {
            keep_a_principal(&mut tx, &before).await?;
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update site_staff set site_id = $3, work_no = $4, name = $5, initials = $6, gender = $7, id_card_no = $8, phone = $9,
                    email = $10, duty = $11, is_primary = $12, status = $13, remark = $14, updated_at = now(), updated_by = $15,
                    version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.site_id,
            form.work_no,
            form.name,
            pinyin::initials(&form.name),
            form.gender.map(|gender| gender.as_str()),
            form.id_card_no,
            form.phone,
            form.email,
            form.duty.as_str(),
            form.is_primary,
            form.status.as_str(),
            form.remark,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(|name| explain_constraint(name, &form))?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("site_staff", edit.id).await);
        }
        let after = find(&mut tx, edit.id, &Scope::whole_school()).await?;
        let mut changes = vec![Change::edited("site_staff", edit.id, &before, &after)];
        changes.extend(steps::follow::<Self>(&mut tx, edit.id, before.signs(), after.signs()).await?);
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除站点人员
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSiteStaff")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSiteStaff>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除站点人员
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteSiteStaffs")]
    async fn delete_many(&self, caller: Allowed<DeleteSiteStaffs>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "site_staff");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用站点人员账号
    #[oai(path = "/update/status", method = "put", operation_id = "changeSiteStaffStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeSiteStaffStatus>,
        Body(wanted): Body<AccountStatusChangeOfSchools>,
    ) -> Result<Reply<BulkOfSchools>> {
        let AccountStatusChangeOfSchools { items, enabled } = wanted;
        let scope = caller.scope();
        let change = |tx, items| steps::change_status::<Self>(tx, items, enabled, &scope);
        Ok(reply(across::bulk_over_schools(&caller, items, change).await?))
    }

    /// 重置站点人员密码
    #[oai(path = "/resetPassword", method = "post", operation_id = "resetSiteStaffPasswords")]
    async fn reset_password(
        &self,
        caller: Allowed<ResetSiteStaffPasswords>,
        Body(wanted): Body<AccountItemsOfSchools>,
    ) -> Result<Reply<PasswordResetsOfSchools>> {
        let scope = caller.scope();
        let reset = |tx, items| steps::reset_passwords::<Self>(tx, items, &scope);
        let (result, passwords) = across::bulk_over_schools_with_rows(&caller, wanted.items, reset).await?;
        Ok(reply(PasswordResetsOfSchools { result, passwords }))
    }

    /// 解锁站点人员账号
    #[oai(path = "/unlock", method = "put", operation_id = "unlockSiteStaffAccount")]
    async fn unlock(
        &self,
        caller: Allowed<ChangeSiteStaffStatus>,
        Body(wanted): Body<AccountItemsOfSchools>,
    ) -> Result<Reply<BulkOfSchools>> {
        let scope = caller.scope();
        let unlock = |tx, items| steps::unlock::<Self>(tx, items, &scope);
        Ok(reply(across::bulk_over_schools(&caller, wanted.items, unlock).await?))
    }

    /// 站点人员一键登录
    #[oai(path = "/oneClickLogin", method = "get", operation_id = "signInAsSiteStaff")]
    async fn one_click(
        &self,
        caller: Allowed<SignInAsSiteStaff>,
        /// 编号
        id: Query<i64>,
        /// 原因
        reason: Query<Option<String>>,
    ) -> Result<Reply<OneClick>> {
        let mut tx = caller.begin().await?;
        find(&mut tx, id.0, &caller.scope()).await?;
        let may_write = match caller.rights().get("user:pc:siteStaff:oneClickLogin:write") {
            Some(scope) => within(find(&mut tx, id.0, scope).await)?,
            None => false,
        };
        sign_in_as(caller.caller(), tx, (OwnerKind::SiteStaff, "site_staff", id.0), reason.0, may_write).await
    }

    /// 导出站点人员
    #[oai(path = "/export", method = "post", operation_id = "exportSiteStaff")]
    async fn export(
        &self,
        caller: Allowed<ExportSiteStaff>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SiteStaffFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 站点人员导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchSiteStaffImportTemplate")]
    async fn template(&self, caller: Allowed<FetchSiteStaffSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<SiteStaffSheet>, _>(&caller).await
    }

    /// 导入站点人员
    #[oai(path = "/import", method = "post", operation_id = "importSiteStaff")]
    async fn import(&self, caller: Allowed<ImportSiteStaff>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<SiteStaffSheet>>(&caller, form).await
    }
}

async fn lock(tx: &mut Tx, id: i64, scope: &Scope) -> Result<SiteStaff> {
    tx.lock("site_staff", id).await?;
    find(tx, id, scope).await
}

/// # Errors
/// 409 when this is the last principal of a site in use.
async fn keep_a_principal(tx: &mut Tx, person: &SiteStaff) -> Result<()> {
    if person.duty != SiteStaffDuty::Principal || person.status != StaffStatus::Active {
        return Ok(());
    }
    // The site's row is the lock of two who take the last two at once.
    let site = sqlx::query_scalar!("select status from site where id = $1 for update", person.site_id)
        .fetch_one(&mut **tx)
        .await?;
    let others = sqlx::query_scalar!(
        r#"select count(*) as "count!" from site_staff
           where site_id = $1 and id <> $2 and duty = 'principal' and status = 'active'"#,
        person.site_id,
        person.id
    )
    .fetch_one(&mut **tx)
    .await?;
    if site == "active" && others == 0 {
        return Err(Error::conflict("站点须保留一名负责人"));
    }
    Ok(())
}

async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let before = lock(tx, id, scope).await?;
    keep_a_principal(tx, &before).await?;
    account::remove(tx, OwnerKind::SiteStaff, id).await?;
    tx.remove("site_staff", id, &before.name).await?;
    Ok(Change::deleted("site_staff", id, &before))
}
