//! 课程类型: the kinds of courses, a tree of two levels; a course hangs on a leaf (part 03 A5). A school begins with one of
//! each system kind.

mod foundation;
mod options;
mod sheet;

use course_rules::curriculum_type::{Superior, build_tree, may_stand};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, Error, History, Ids, OnConstraint, Part,
    Reply, Result, Saved, Tx,
    naming::{code_taken, name_taken, resolve_id, tidy},
    options::Source,
    permissions, pinyin, reply,
    transfer::{self, Exported, Rows, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;

use crate::course::ExamForm;

pub use course_rules::{
    curriculum_type::{CurriculumType, CurriculumTypeFilter, CurriculumTypeNode},
    enums::CurriculumSystemKind,
};
use options::options;
pub(crate) use options::{KnownType, all, chosen};

permissions! {
    pages "/schoolPC/basicData/curriculumType";
    InSchool Reads       ListCurriculumTypes        = "adult:pc:curriculumType:list" "课程类型列表";
    InSchool Reads       ViewCurriculumType         = "adult:pc:curriculumType:view" "查看课程类型";
    InSchool Writes      SaveCurriculumType         = "adult:pc:curriculumType:save" "新增课程类型";
    InSchool Writes      EditCurriculumType         = "adult:pc:curriculumType:edit" "编辑课程类型";
    InSchool Writes      DeleteCurriculumType       = "adult:pc:curriculumType:delete" "删除课程类型";
    InSchool Writes      DeleteCurriculumTypes      = "adult:pc:curriculumType:batchDel" "批量删除课程类型";
    InSchool Writes      ChangeCurriculumTypeStatus = "adult:pc:curriculumType:update:status" "启用停用课程类型";
    InSchool ReadsLogged ExportCurriculumTypes      = "adult:pc:curriculumType:export" "导出课程类型";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[CurriculumSystemKind::ENUMERATION],
    entities: &[Entity { table: "curriculum_type", name: "课程类型", counted: "个下级类型" }],
    jobs: &[export_job::<CurriculumTypes>()],
    histories: &[History { table: "curriculum_type", code: "adult:pc:curriculumType:view", scope: None }],
    options: &[Source::new("curriculumType", |connection, asked| Box::pin(options(connection, asked)))
        .below("课程类型的上级类型")],
    option_pages: PAGES,
    foundations: &[foundation::FOUNDATION],
    ..Part::NONE
};

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CurriculumTypeForm {
    /// 编码
    /// 1至32位字母、数字、下划线或短横线
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub code: String,
    /// 名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 上级类型
    pub parent_id: Option<i64>,
    /// 系统类别
    pub system_kind: CurriculumSystemKind,
    /// 默认考核类型
    pub default_exam_form: Option<ExamForm>,
    /// 排序
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort_no: i32,
}

impl Example for CurriculumTypeForm {
    fn example() -> Self {
        Self {
            code: "SZLL".to_owned(),
            name: "思想政治理论课".to_owned(),
            parent_id: None,
            system_kind: CurriculumSystemKind::PublicBasic,
            default_exam_form: Some(ExamForm::Exam),
            sort_no: 0,
        }
    }
}

pub struct CurriculumTypes;

#[OpenApi(prefix_path = "/adult/pc/curriculumType", tag = "crate::Tag::Courses")]
impl CurriculumTypes {
    /// 课程类型列表
    #[oai(path = "/list", method = "post", operation_id = "listCurriculumTypes")]
    async fn list(
        &self,
        caller: Allowed<ListCurriculumTypes>,
        Body(filter): Body<CurriculumTypeFilter>,
    ) -> Result<Reply<Vec<CurriculumTypeNode>>> {
        let mut tx = caller.read().await?;
        let all: Vec<CurriculumType> = select(&mut tx, None).try_collect().await?;
        Ok(reply(build_tree(all, &filter)))
    }

    /// 查看课程类型
    #[oai(path = "/view", method = "get", operation_id = "viewCurriculumType")]
    async fn view(
        &self,
        caller: Allowed<ViewCurriculumType>,
        /// 编号
        id: Query<Option<i64>>,
        /// 编码
        code: Query<Option<String>>,
    ) -> Result<Reply<CurriculumType>> {
        let mut tx = caller.read().await?;
        let id = resolve_id(&mut tx, "curriculum_type", id.0, code.0).await?;
        Ok(reply(find(&mut tx, id).await?))
    }

    /// 新增课程类型
    #[oai(path = "/save", method = "post", operation_id = "saveCurriculumType")]
    async fn save(
        &self,
        caller: Allowed<SaveCurriculumType>,
        Body(form): Body<CurriculumTypeForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑课程类型
    #[oai(path = "/edit", method = "put", operation_id = "editCurriculumType")]
    async fn edit(
        &self,
        caller: Allowed<EditCurriculumType>,
        Body(edit): Body<Edit<CurriculumTypeForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let form = edit.form;
        let name = tidy(&form.name);
        lock(&mut tx).await?;
        let before = find(&mut tx, edit.id).await?;
        if before.parent_id != form.parent_id {
            check_place(&mut tx, Some(edit.id), form.parent_id).await?;
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update curriculum_type set code = $3, name = $4, parent_id = $5, system_kind = $6, default_exam_form = $7,
                    initials = $8, sort_no = $9, updated_at = now(), updated_by = $10, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.code,
            name,
            form.parent_id,
            form.system_kind.as_str(),
            form.default_exam_form.map(ExamForm::as_str),
            pinyin::text_initials(&name),
            form.sort_no,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(|constraint| explain_constraint(constraint, &form.code, &name))?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("curriculum_type", edit.id).await);
        }
        let after = find(&mut tx, edit.id).await?;
        tx.commit(Change::edited("curriculum_type", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除课程类型
    #[oai(path = "/delete", method = "delete", operation_id = "deleteCurriculumType")]
    async fn delete(
        &self,
        caller: Allowed<DeleteCurriculumType>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除课程类型
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteCurriculumTypes")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteCurriculumTypes>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "curriculum_type");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用课程类型
    #[oai(path = "/update/status", method = "put", operation_id = "changeCurriculumTypeStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeCurriculumTypeStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("curriculum_type", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出课程类型
    #[oai(path = "/export", method = "post", operation_id = "exportCurriculumTypes")]
    async fn export(
        &self,
        caller: Allowed<ExportCurriculumTypes>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(filter): Body<CurriculumTypeFilter>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, filter, job.0).await
    }
}

/// Types as tree, view and export show them, siblings in the list's order. A superior counts the courses below it too.
fn select(connection: &mut PgConnection, only: Option<i64>) -> Rows<'_, CurriculumType> {
    sqlx::query_as!(
        CurriculumType,
        r#"select t.id, t.code, t.name, t.parent_id, p.name as "parent_name?", t.system_kind as "system_kind: _",
                  t.default_exam_form as "default_exam_form: _",
                  (select count(*) from course c join curriculum_type own on own.id = c.type_id
                   where t.id in (own.id, own.parent_id)) as "course_count!",
                  t.enabled, t.sort_no, t.version
           from curriculum_type t left join curriculum_type p on p.id = t.parent_id
           where ($1::bigint is null or t.id = $1)
           order by t.sort_no, t.code"#,
        only
    )
    .fetch(connection)
}

async fn find(connection: &mut PgConnection, id: i64) -> Result<CurriculumType> {
    select(connection, Some(id)).try_next().await?.ok_or_else(Error::not_found)
}

/// The shape of the tree, which nobody else changes until this transaction ends: two moves that are each right could
/// together make a third level, or put a course on a type that has types below it.
async fn lock(tx: &mut Tx) -> Result<()> {
    sqlx::query!("lock table curriculum_type in share row exclusive mode").execute(&mut **tx).await?;
    Ok(())
}

/// # Errors
/// 422 at `parentId` for a place that would make a third level, or under a type that has courses of its own.
async fn check_place(tx: &mut Tx, id: Option<i64>, parent: Option<i64>) -> Result<()> {
    let Some(parent) = parent else { return Ok(()) };
    let superior = sqlx::query_as!(
        Superior,
        r#"select p.id, p.name, p.enabled, p.parent_id is not null as "below_another!",
                  (select count(*) from course c where c.type_id = p.id) as "courses!",
                  exists (select from curriculum_type t where t.parent_id = $2) as "mover_has_children!"
           from curriculum_type p where p.id = $1"#,
        parent,
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    may_stand(superior.as_ref(), id)
}

async fn insert(tx: &mut Tx, form: &CurriculumTypeForm) -> Result<(i64, Change)> {
    let name = tidy(&form.name);
    lock(tx).await?;
    check_place(tx, None, form.parent_id).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into curriculum_type (code, name, parent_id, system_kind, default_exam_form, initials, sort_no, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        form.code,
        name,
        form.parent_id,
        form.system_kind.as_str(),
        form.default_exam_form.map(ExamForm::as_str),
        pinyin::text_initials(&name),
        form.sort_no,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.code, &name))?;
    Ok((id, Change::created("curriculum_type", id, form)))
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    tx.remove("curriculum_type", id, &before.name).await?;
    Ok(Change::deleted("curriculum_type", id, &before))
}

fn explain_constraint(constraint: &str, code: &str, name: &str) -> Option<Error> {
    match constraint {
        "curriculum_type_code_taken" => Some(code_taken(code)),
        "curriculum_type_name_taken" => Some(name_taken(name)),
        _ => None,
    }
}
