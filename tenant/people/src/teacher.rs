//! 教师 (02 §12.2): who teaches, tutors, marks and invigilates; the accounts are in [`crate::account`].
//!
//! ```text
//! active 在职 ⇄ disabled 停用;   either ─→ left 离职       leaving 在职 signs the person out
//! ```
//! Teachers belong to no site or class, so that only who sees the whole school sees them.

mod form;
mod list;
mod options;
mod sheet;
mod upsert;

use std::iter;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, Paged, Part, Reply, Result, Saved,
    Scope, Tx, UnmaskedFields,
    across::{self, BulkOfSchools, SchoolPage},
    options::Source,
    permissions, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{Multipart, OpenApi, param::Query, types::multipart::Upload};

use crate::{
    account::{self, OwnerKind},
    enums::StaffStatus,
    id_card::typed_by_hand,
    one_click::{OneClick, sign_in_as, within},
    steps::{self, AccountItemsOfSchools, AccountStatusChangeOfSchools, PasswordResetsOfSchools, Signs, Staff},
};

pub use form::TeacherForm;
pub use list::{Teacher, TeacherFilter};
pub(crate) use upsert::UpsertedTeachers;

use form::{insert, set_majors, update};
use list::find;
use sheet::TeacherSheet;

/// An import of new teachers alone; a 工号 that is known is an error of its row.
pub(crate) type NewTeachers = ByRow<TeacherSheet<false>>;

permissions! {
    pages "/schoolPC/userManagerment/teacherList", "/platformPC/userManagerment/teacherList";
    EachSchool  Reads       ListTeachers          = "user:pc:teacher:list" "教师列表";
    EachSchool  Reads       ViewTeacher           = "user:pc:teacher:view" "查看教师";
    InSchool    Writes      SaveTeacher           = "user:pc:teacher:save" "新增教师";
    EachSchool  Writes      EditTeacher           = "user:pc:teacher:edit" "编辑教师";
    InSchool    Writes      DeleteTeacher         = "user:pc:teacher:delete" "删除教师";
    InSchool    Writes      DeleteTeachers        = "user:pc:teacher:batchDel" "批量删除教师";
    ManySchools Writes      ChangeTeacherStatus   = "user:pc:teacher:changeStatus" "启用停用教师账号";
    ManySchools Writes      ResetTeacherPasswords = "user:pc:teacher:resetPassword" "重置教师密码";
    EachSchool  Writes      SignInAsTeacher       = "user:pc:teacher:oneClickLogin" "教师一键登录";
    EachSchool  Writes      WriteAsTeacher        = "user:pc:teacher:oneClickLogin:write" "教师一键登录后可修改";
    EachSchool  ReadsLogged ExportTeachers        = "user:pc:teacher:export" "导出教师";
    EachSchool  ReadsLogged ExportPlainTeachers   = "user:pc:teacher:exportPlain" "导出教师完整信息";
    EachSchool  ReadsLogged ViewPlainTeacher      = "user:pc:teacher:viewPlain" "查看教师完整信息";
    InSchool    Writes      ImportTeachers        = "user:pc:teacher:import" "导入教师";
    InSchool    Reads       FetchTeacherSheet     = "user:pc:teacher:import" "导入教师";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "teacher", name: "教师", counted: "名教师" },
        Entity { table: "teacher_major", name: "授课专业", counted: "名授课教师" },
    ],
    jobs: &[export_job::<Teachers>(), import_job::<NewTeachers>(), import_job::<UpsertedTeachers>()],
    options: &[Source::new("teacher", |connection, asked| Box::pin(options::options(connection, asked)))],
    plain: &[PLAIN],
    histories: &[History { table: "teacher", code: "user:pc:teacher:view", scope: Some(PLAIN.scope) }],
    option_pages: PAGES,
    ..Part::NONE
};

/// Teachers lie in no site, so that a narrow scope opens no value of theirs: no site has the number 0.
pub(crate) const PLAIN: UnmaskedFields = UnmaskedFields {
    entity: "teacher",
    table: "teacher",
    code: "user:pc:teacher:viewPlain",
    fields: &[("idCardNo", "id_card_no"), ("phone", "phone"), ("bankCardNo", "bank_card_no"), ("email", "email")],
    scope: ("0", None),
    live: None,
    platform: None,
};

/// The multipart body of the import: by itself only new numbers are taken.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct TeacherImportForm {
    /// 文件
    pub file: Upload,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    pub sha256: Option<String>,
    /// 导入方式
    /// insert只新增，upsert按工号更新已有教师
    pub mode: Option<String>,
}

pub struct Teachers;

impl Staff for Teachers {
    const KIND: OwnerKind = OwnerKind::Teacher;
    const TABLE: &'static str = "teacher";

    async fn seen(tx: &mut Tx, id: i64, scope: &Scope) -> Result<()> {
        find(tx, id, scope).await.map(|_| ())
    }
}

impl Teacher {
    fn signs(&self) -> Signs<'_> {
        Signs { work_no: Some(&self.work_no), phone: &self.phone, active: self.status == StaffStatus::Active }
    }
}

#[OpenApi(prefix_path = "/user/pc/teacher", tag = "crate::Tag::People")]
impl Teachers {
    /// 教师列表
    #[oai(path = "/list", method = "post", operation_id = "listTeachers")]
    async fn list(
        &self,
        caller: Allowed<ListTeachers>,
        Body(asked): Body<Paged<TeacherFilter>>,
    ) -> Result<Reply<SchoolPage<Teacher>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看教师
    #[oai(path = "/view", method = "get", operation_id = "viewTeacher")]
    async fn view(
        &self,
        caller: Allowed<ViewTeacher>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Teacher>> {
        let mut teacher = find(&mut *caller.read().await?, id.0, &caller.scope()).await?;
        teacher.mask();
        Ok(reply(teacher))
    }

    /// 新增教师
    #[oai(path = "/save", method = "post", operation_id = "saveTeacher")]
    async fn save(&self, caller: Allowed<SaveTeacher>, Body(form): Body<TeacherForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        typed_by_hand(form.id_card_type, None)?;
        let (id, change) = insert(&mut tx, form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑教师
    #[oai(path = "/edit", method = "put", operation_id = "editTeacher")]
    async fn edit(&self, caller: Allowed<EditTeacher>, Body(edit): Body<Edit<TeacherForm>>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = lock(&mut tx, edit.id, &caller.scope()).await?;
        typed_by_hand(edit.form.id_card_type, before.id_card_type)?;
        let (change, followed) = update(&mut tx, &before, edit.version, edit.form, &caller.scope()).await?;
        tx.commit_all(iter::once(change).chain(followed).collect()).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除教师
    #[oai(path = "/delete", method = "delete", operation_id = "deleteTeacher")]
    async fn delete(
        &self,
        caller: Allowed<DeleteTeacher>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除教师
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteTeachers")]
    async fn delete_many(&self, caller: Allowed<DeleteTeachers>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "teacher");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用教师账号
    #[oai(path = "/update/status", method = "put", operation_id = "changeTeacherStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeTeacherStatus>,
        Body(wanted): Body<AccountStatusChangeOfSchools>,
    ) -> Result<Reply<BulkOfSchools>> {
        let AccountStatusChangeOfSchools { items, enabled } = wanted;
        let scope = caller.scope();
        let change = |tx, items| steps::change_status::<Self>(tx, items, enabled, &scope);
        Ok(reply(across::bulk_over_schools(&caller, items, change).await?))
    }

    /// 重置教师密码
    #[oai(path = "/resetPassword", method = "post", operation_id = "resetTeacherPasswords")]
    async fn reset_password(
        &self,
        caller: Allowed<ResetTeacherPasswords>,
        Body(wanted): Body<AccountItemsOfSchools>,
    ) -> Result<Reply<PasswordResetsOfSchools>> {
        let scope = caller.scope();
        let reset = |tx, items| steps::reset_passwords::<Self>(tx, items, &scope);
        let (result, passwords) = across::bulk_over_schools_with_rows(&caller, wanted.items, reset).await?;
        Ok(reply(PasswordResetsOfSchools { result, passwords }))
    }

    /// 解锁教师账号
    #[oai(path = "/unlock", method = "put", operation_id = "unlockTeacherAccount")]
    async fn unlock(
        &self,
        caller: Allowed<ChangeTeacherStatus>,
        Body(wanted): Body<AccountItemsOfSchools>,
    ) -> Result<Reply<BulkOfSchools>> {
        let scope = caller.scope();
        let unlock = |tx, items| steps::unlock::<Self>(tx, items, &scope);
        Ok(reply(across::bulk_over_schools(&caller, wanted.items, unlock).await?))
    }

    /// 教师一键登录
    #[oai(path = "/oneClickLogin", method = "get", operation_id = "signInAsTeacher")]
    async fn one_click(
        &self,
        caller: Allowed<SignInAsTeacher>,
        /// 编号
        id: Query<i64>,
        /// 原因
        reason: Query<Option<String>>,
    ) -> Result<Reply<OneClick>> {
        let mut tx = caller.begin().await?;
        find(&mut tx, id.0, &caller.scope()).await?;
        let may_write = match caller.rights().get("user:pc:teacher:oneClickLogin:write") {
            Some(scope) => within(find(&mut tx, id.0, scope).await)?,
            None => false,
        };
        sign_in_as(caller.caller(), tx, (OwnerKind::Teacher, "teacher", id.0), reason.0, may_write).await
    }

    /// 导出教师
    #[oai(path = "/export", method = "post", operation_id = "exportTeachers")]
    async fn export(
        &self,
        caller: Allowed<ExportTeachers>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<TeacherFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 教师导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchTeacherImportTemplate")]
    async fn template(&self, caller: Allowed<FetchTeacherSheet>) -> Result<Attachment> {
        transfer::template::<NewTeachers, _>(&caller).await
    }

    /// 导入教师
    #[oai(path = "/import", method = "post", operation_id = "importTeachers")]
    async fn import(&self, caller: Allowed<ImportTeachers>, form: TeacherImportForm) -> Result<Reply<ImportAnswer>> {
        let sent = ImportForm { file: form.file, dry_run: form.dry_run, sha256: form.sha256 };
        match form.mode.as_deref() {
            None | Some("insert") => transfer::import::<NewTeachers>(&caller, sent).await,
            Some("upsert") => transfer::import::<UpsertedTeachers>(&caller, sent).await,
            Some(_) => Err(Error::field("mode", "导入方式取值无效，请重新选择")),
        }
    }
}

/// Nobody begins to refer to the teacher while the row is changed.
async fn lock(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Teacher> {
    tx.lock("teacher", id).await?;
    find(tx, id, scope).await
}

async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let before = lock(tx, id, scope).await?;
    set_majors(tx, id, &[]).await?;
    if let Some(found) = tx.referring("teacher", id).await? {
        return Err(found.refuse(format!("该教师有{found}，请改为离职")));
    }
    account::remove(tx, OwnerKind::Teacher, id).await?;
    tx.remove("teacher", id, &before.name).await?;
    Ok(Change::deleted("teacher", id, &before))
}
