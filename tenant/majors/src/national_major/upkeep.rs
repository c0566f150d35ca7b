//! What operators do to the catalogue. A school sees it and changes nothing of it.

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Ids, Paged, Reply, Result, Saved, Scope, Tx,
    across::Keyed,
    permissions, reply,
    transfer::{self, Attachment, Exported, ImportAnswer, ImportForm},
};
use major_rules::national_major::{NationalMajorForm, Users};
use poem_openapi::{OpenApi, param::Query};

use super::{
    NationalMajorFilter, NationalMajorImport, NationalMajors,
    form::{insert, update},
    used::users,
};

permissions! {
    pages "/platformPC/basicData/major/national";
    InPlatform Writes      SaveNationalMajor         = "adult:pc:nationalMajor:save" "新增国家专业";
    InPlatform Writes      EditNationalMajor         = "adult:pc:nationalMajor:edit" "编辑国家专业";
    InPlatform Writes      DeleteNationalMajor       = "adult:pc:nationalMajor:delete" "删除国家专业";
    InPlatform Writes      DeleteNationalMajors      = "adult:pc:nationalMajor:batchDel" "批量删除国家专业";
    InPlatform Writes      ChangeNationalMajorStatus = "adult:pc:nationalMajor:update:status" "启用停用国家专业";
    InPlatform ReadsLogged ExportNationalMajors      = "adult:pc:nationalMajor:export" "导出国家专业";
    InPlatform Writes      ImportNationalMajors      = "adult:pc:nationalMajor:import" "导入国家专业";
    InPlatform Reads       FetchNationalMajorSheet   = "adult:pc:nationalMajor:import" "导入国家专业";
}

pub struct Upkeep;

#[OpenApi(prefix_path = "/adult/pc/nationalMajor", tag = "crate::Tag::Majors")]
impl Upkeep {
    /// 新增国家专业
    #[oai(path = "/save", method = "post", operation_id = "saveNationalMajor")]
    async fn save(
        &self,
        caller: Allowed<SaveNationalMajor>,
        Body(form): Body<NationalMajorForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑国家专业
    #[oai(path = "/edit", method = "put", operation_id = "editNationalMajor")]
    async fn edit(
        &self,
        caller: Allowed<EditNationalMajor>,
        Body(edit): Body<Edit<NationalMajorForm>>,
    ) -> Result<Reply<Saved>> {
        let edit = Edit { form: edit.form.checked()?, ..edit };
        let known = NationalMajors::find(&mut *caller.read().await?, edit.id, &Scope::whole_school()).await?;
        if (known.level, known.code.as_str()) != (edit.form.level, edit.form.code.as_str()) {
            let used = users(&caller, &[edit.id]).await?.remove(&edit.id).unwrap_or_default();
            used.none_or("，不能修改代码和培养层次")?;
        }
        let mut tx = caller.begin().await?;
        let (id, change) = (edit.id, update(&mut tx, edit).await?);
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除国家专业
    #[oai(path = "/delete", method = "delete", operation_id = "deleteNationalMajor")]
    async fn delete(
        &self,
        caller: Allowed<DeleteNationalMajor>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let used = users(&caller, &[id.0]).await?.remove(&id.0).unwrap_or_default();
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, used).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除国家专业
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteNationalMajors")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteNationalMajors>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let used = users(&caller, &ids.ids).await?;
        let mut bulk = Bulk::new(caller.begin().await?, "national_major");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, used.get(&id).copied().unwrap_or_default()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用国家专业
    #[oai(path = "/update/status", method = "put", operation_id = "changeNationalMajorStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeNationalMajorStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("national_major", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出国家专业
    #[oai(path = "/export", method = "post", operation_id = "exportNationalMajors")]
    async fn export(
        &self,
        caller: Allowed<ExportNationalMajors>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<NationalMajorFilter>>,
    ) -> Result<Exported> {
        transfer::export::<NationalMajors>(&caller, asked.filter, job.0).await
    }

    /// 国家专业导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchNationalMajorImportTemplate")]
    async fn template(&self, caller: Allowed<FetchNationalMajorSheet>) -> Result<Attachment> {
        transfer::template::<NationalMajorImport, _>(&caller).await
    }

    /// 导入国家专业
    /// 按专业代码和目录年版新增或更新，文件中没有的专业保持不变
    #[oai(path = "/import", method = "post", operation_id = "importNationalMajors")]
    async fn import(&self, caller: Allowed<ImportNationalMajors>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<NationalMajorImport>(&caller, form).await
    }
}

pub(super) async fn remove(tx: &mut Tx, id: i64, used: Users) -> Result<Change> {
    let before = NationalMajors::find(tx, id, &Scope::whole_school()).await?;
    used.none_or("")?;
    tx.remove("national_major", id, &before.name).await?;
    Ok(Change::deleted("national_major", id, &before))
}
