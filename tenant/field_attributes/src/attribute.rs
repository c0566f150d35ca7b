//! A field of a stage, and who keeps it: each school its own fields, operators the template from which they came.
//!
//! ```text
//! enabled ↔ disabled            a field that the product needs is neither switched off, hidden nor left empty
//! custom ─[delete]→ gone        unless a record holds a value: then it is switched off
//! template ─[allocation]→ schools that do not have it yet
//! ```
//! Both areas have a table of this name, and a caller writes only the one of the area where the session is. What records
//! hold lies with the modules of the stages: [`values`] counts it.

mod allocation;
mod form;
mod foundation;
mod list;
mod shown;
mod steps;
mod values;
mod write;

use infra::{
    Allowed, Body, Change, Edit, EnabledChange, Entity, Error, History, Paging, Part, Reply, Result, Saved,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query};

pub use allocation::{FieldAllocation, FieldsAllocated};
pub use form::{FieldAttributeForm, NewFieldAttribute};
pub use list::{FieldAttributeFilter, FieldAttributePage, FieldDictionary};
pub use shown::{FormField, FormFieldOption, form_of};
pub use steps::{FieldAttributeOrder, FieldsReset, StageReset};

use crate::{
    enums::{FieldControl, FieldGroup, FieldStage},
    stage::StageFields,
};
use list::{find, lock};
use write::{insert, known, write};

permissions! {
    pages "/schoolPC/recruitStudents/fieldAttribute", "/platformPC/recruitStudents/fieldAttribute";
    HomeOrNamed Reads       ListFieldAttributes        = "adult:pc:fieldAttribute:list" "字段属性列表";
    HomeOrNamed Reads       ViewFieldAttributes        = "adult:pc:fieldAttribute:view" "查看字段属性";
    AtHome      Writes      SaveFieldAttribute         = "adult:pc:fieldAttribute:save" "新增字段属性";
    AtHome      Writes      EditFieldAttribute         = "adult:pc:fieldAttribute:edit" "编辑字段属性";
    AtHome      Writes      SortFieldAttributes        = "adult:pc:fieldAttribute:edit" "编辑字段属性";
    InSchool    Writes      ResetFieldAttributes       = "adult:pc:fieldAttribute:edit" "编辑字段属性";
    AtHome      Writes      DeleteFieldAttribute       = "adult:pc:fieldAttribute:delete" "删除字段属性";
    AtHome      Writes      ChangeFieldAttributeStatus = "adult:pc:fieldAttribute:update:status" "启用停用字段属性";
    HomeOrNamed ReadsLogged ExportFieldAttributes      = "adult:pc:fieldAttribute:export" "导出字段属性";
    InPlatform  Writes      AllocateFieldAttributes    = "adult:pc:fieldAttribute:allocation" "下发字段属性";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "field_attribute", name: "字段属性", counted: "个字段" }],
    jobs: &[export_job::<FieldAttributes>()],
    foundations: &[foundation::FOUNDATION],
    histories: &[History { table: "field_attribute", code: "adult:pc:fieldAttribute:view", scope: None }],
    ..Part::NONE
};

/// Custom fields of one stage at the most.
const MOST_CUSTOM: i64 = 40;
/// Told when a stage has them all.
const TOO_MANY: &str = "每个环节最多40个自定义字段";
/// Between two neighbours in the order of a stage.
const STEP: i32 = 10;

/// A field, as stored and as shown.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct FieldAttribute {
    /// 编号
    pub id: i64,
    /// 环节
    pub stage: FieldStage,
    /// 字段标识
    pub field_key: String,
    /// 显示名称
    pub label: String,
    /// 分组
    pub group_name: FieldGroup,
    /// 控件
    pub control: FieldControl,
    /// 字典
    pub dict_type: Option<String>,
    /// 内置
    pub built_in: bool,
    /// 系统必填
    pub system_required: bool,
    /// 显示
    pub visible: bool,
    /// 必填
    pub required: bool,
    /// 学员可改
    pub student_editable: bool,
    /// 长度
    pub max_length: Option<i32>,
    /// 正则
    pub pattern: Option<String>,
    /// 提示
    pub help_text: Option<String>,
    /// 排序
    pub sort: i32,
    /// 启用
    pub enabled: bool,
    /// 版本
    pub version: i32,
}

/// Why a step is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Refusal {
    #[error("系统必填字段不可停用或设为非必填")]
    SystemRequired,
    #[error("内置字段的控件、字典、长度和正则由系统决定，不能修改")]
    BuiltIn,
    #[error("“{0}”是内置字段，不能删除，可以停用")]
    NotCustom(String),
    #[error("“{0}”是系统必填字段，不能删除")]
    Needed(String),
    #[error("已有{0}条数据使用该字段，请停用")]
    Used(i64),
    #[error("字段已有数据，不能修改类型")]
    HasValues,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::conflict(refusal.to_string())
    }
}

pub struct FieldAttributes;

#[OpenApi(prefix_path = "/adult/pc/fieldAttribute", tag = "crate::Tag::FieldAttributes")]
impl FieldAttributes {
    /// 字段属性列表
    #[oai(path = "/list", method = "post", operation_id = "listFieldAttributes")]
    async fn list(
        &self,
        caller: Allowed<ListFieldAttributes>,
        Body(filter): Body<FieldAttributeFilter>,
    ) -> Result<Reply<FieldAttributePage>> {
        let paging = Paging::of(filter.page_current, filter.page_size)?;
        let mut tx = caller.read().await?;
        let page = list::page(&mut tx, filter.stage, paging).await?;
        drop(tx);
        let dictionaries =
            sqlx::query_as!(FieldDictionary, "select dict_type, dict_name from platform.dict_type order by id")
                .fetch_all(&mut *caller.platform().await?)
                .await?;
        Ok(reply(FieldAttributePage { page, dictionaries }))
    }

    /// 字段属性表单
    /// 环节中启用且显示的字段，按顺序
    #[oai(path = "/form", method = "get", operation_id = "viewFieldForm")]
    async fn form(
        &self,
        caller: Allowed<ViewFieldAttributes>,
        /// 环节
        stage: Query<FieldStage>,
    ) -> Result<Reply<Vec<FormField>>> {
        let mut tx = caller.read().await?;
        let stage = StageFields::load(caller.app(), &mut tx, stage.0).await?;
        Ok(reply(form_of(&stage)))
    }

    /// 新增字段属性
    #[oai(path = "/save", method = "post", operation_id = "saveFieldAttribute")]
    async fn save(
        &self,
        caller: Allowed<SaveFieldAttribute>,
        Body(new): Body<NewFieldAttribute>,
    ) -> Result<Reply<Saved>> {
        new.form.check()?;
        known(caller.app(), new.form.dict_type.as_deref()).await?;
        let mut tx = caller.begin().await?;
        let id = insert(&mut tx, &new).await?;
        let after = find(&mut tx, id).await?;
        tx.commit(Change::created("field_attribute", id, &after)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑字段属性
    #[oai(path = "/edit", method = "put", operation_id = "editFieldAttribute")]
    async fn edit(
        &self,
        caller: Allowed<EditFieldAttribute>,
        Body(edit): Body<Edit<FieldAttributeForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = lock(&mut tx, edit.id).await?;
        // What somebody else changed meanwhile is told before what is wrong with the form.
        if before.version != edit.version {
            return Err(tx.stale("field_attribute", edit.id).await);
        }
        let form = edit.form;
        form.allowed(&before)?;
        if form.kind() != before.kind() {
            known(caller.app(), form.dict_type.as_deref()).await?;
            if values::holding(&mut tx, caller.school_id(), &before).await? > 0 {
                return Err(Refusal::HasValues.into());
            }
        }
        write(&mut tx, edit.id, &form).await?;
        let after = find(&mut tx, edit.id).await?;
        tx.commit(Change::edited("field_attribute", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除字段属性
    #[oai(path = "/delete", method = "delete", operation_id = "deleteFieldAttribute")]
    async fn delete(
        &self,
        caller: Allowed<DeleteFieldAttribute>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = lock(&mut tx, id.0).await?;
        deletable(&before)?;
        match values::holding(&mut tx, caller.school_id(), &before).await? {
            0 => {}
            count => return Err(Refusal::Used(count).into()),
        }
        tx.remove("field_attribute", id.0, &before.label).await?;
        tx.commit(Change::deleted("field_attribute", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用字段属性
    #[oai(path = "/update/status", method = "put", operation_id = "changeFieldAttributeStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeFieldAttributeStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = lock(&mut tx, wanted.id).await?;
        if before.system_required && !wanted.enabled {
            return Err(Refusal::SystemRequired.into());
        }
        let change = tx.set_enabled("field_attribute", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 字段属性排序
    /// 须含环节的全部字段
    #[oai(path = "/sort", method = "put", operation_id = "sortFieldAttributes")]
    async fn sort(
        &self,
        caller: Allowed<SortFieldAttributes>,
        Body(order): Body<FieldAttributeOrder>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = steps::sort(&mut tx, &order.ids).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 恢复默认字段属性
    /// 内置字段的显示、必填、学员可改和启用恢复为平台模板的设置
    #[oai(path = "/reset", method = "post", operation_id = "resetFieldAttributes")]
    async fn reset(
        &self,
        caller: Allowed<ResetFieldAttributes>,
        Body(wanted): Body<StageReset>,
    ) -> Result<Reply<FieldsReset>> {
        let template = steps::template(&mut *caller.platform().await?, wanted.stage).await?;
        let mut tx = caller.begin().await?;
        let changes = steps::reset(&mut tx, wanted.stage, &template).await?;
        let done = i64::try_from(changes.len()).unwrap_or(i64::MAX);
        tx.commit_all(changes).await?;
        Ok(reply(FieldsReset { done }))
    }

    /// 下发字段属性
    /// 院校没有的字段新增，已有的不变
    #[oai(path = "/allocation", method = "post", operation_id = "allocateFieldAttributes")]
    async fn allocate(
        &self,
        caller: Allowed<AllocateFieldAttributes>,
        Body(wanted): Body<FieldAllocation>,
    ) -> Result<Reply<FieldsAllocated>> {
        Ok(reply(allocation::allocate(&caller, &wanted).await?))
    }

    /// 导出字段属性
    #[oai(path = "/export", method = "post", operation_id = "exportFieldAttributes")]
    async fn export(
        &self,
        caller: Allowed<ExportFieldAttributes>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(filter): Body<FieldAttributeFilter>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, filter, job.0).await
    }
}

impl FieldAttribute {
    /// What its values are made of.
    fn kind(&self) -> (FieldControl, Option<&str>) {
        (self.control, self.dict_type.as_deref())
    }
}

/// Built-in fields are the product's.
fn deletable(field: &FieldAttribute) -> Result<(), Refusal> {
    match (field.built_in, field.system_required) {
        (true, true) => Err(Refusal::Needed(field.label.clone())),
        (true, false) => Err(Refusal::NotCustom(field.label.clone())),
        (false, _) => Ok(()),
    }
}
