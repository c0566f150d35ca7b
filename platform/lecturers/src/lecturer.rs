//! 讲师: who teaches the courses of the site, and their part of each sale (01 §9.5).
//!
//! ```text
//! enabled ⇄ disabled    disabling takes their courses and exams off sale; enabling does not put them back
//! ```

mod list;
mod sheet;

use catalogue::course;
use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, History, Ids, OnConstraint, Page, Paged,
    Part, Reply, Result, Saved, Tx, UnmaskedFields, Warned,
    access::Caller,
    just_referred,
    params::{DecimalParam, Param},
    permissions, pinyin, reply,
    transfer::{self, Exported, export_job},
    unreferred,
};
use lecturer_rules::lecturer::{Lecturer, LecturerForm, completed};
use poem_openapi::{OpenApi, param::Query};
use quizzes::exam;
use settings::sensitive;
use sqlx::PgConnection;

pub use list::LecturerFilter;

use list::{count, find, select};

pub(crate) use sheet::proportion;

permissions! {
    pages "/user/lecturer/list";
    InPlatform Reads       ListLecturers        = "user:pc:lecturer:list" "讲师列表";
    InPlatform Reads       ViewLecturer         = "user:pc:lecturer:view" "查看讲师";
    InPlatform ReadsLogged ViewLecturerPlain    = "user:pc:lecturer:viewPlain" "查看讲师完整信息";
    InPlatform Writes      SaveLecturer         = "user:pc:lecturer:save" "新增讲师";
    InPlatform Writes      EditLecturer         = "user:pc:lecturer:edit" "编辑讲师";
    InPlatform Writes      DeleteLecturer       = "user:pc:lecturer:delete" "删除讲师";
    InPlatform Writes      DeleteLecturers      = "user:pc:lecturer:batchDel" "批量删除讲师";
    InPlatform Writes      ChangeLecturerStatus = "user:pc:lecturer:update:status" "启用停用讲师";
    InPlatform ReadsLogged ExportLecturers      = "user:pc:lecturer:export" "导出讲师";
    InPlatform ReadsLogged ExportLecturersPlain = "user:pc:lecturer:exportPlain" "导出讲师完整信息";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "lecturer", name: "讲师", counted: "名讲师" }],
    jobs: &[export_job::<Lecturers>()],
    plain: &[PLAIN],
    histories: &[History { table: "lecturer", code: "user:pc:lecturer:view", scope: None }],
    params: &[PARAMS],
    ..Part::NONE
};

pub(crate) const PLAIN: UnmaskedFields = UnmaskedFields {
    entity: "lecturer",
    table: "platform.lecturer",
    code: "user:pc:lecturer:viewPlain",
    fields: &[("phone", "phone"), ("email", "email")],
    scope: ("id", None),
    live: None,
    platform: Some("$2::bigint is null and $3::bigint is not null"),
};

/// The part of each sale of a lecturer for whom none was typed.
const DEFAULT_PROPORTION: DecimalParam =
    DecimalParam { code: "lecturer.defaultProportion", default: 0.7, min: 0.0, max: 1.0 };

/// The part of each sale of a lecturer for whom none was typed.
///
/// # Errors
/// Only internal ones.
pub async fn usual_proportion(app: &App) -> Result<f64> {
    app.decimal(DEFAULT_PROPORTION).await
}

/// The part of a learner who teaches already: what was agreed with them stays when they apply again.
///
/// # Errors
/// Those of the database.
pub(crate) async fn agreed_proportion(connection: &mut PgConnection, learner: i64) -> Result<Option<f64>> {
    let agreed = sqlx::query_scalar!(
        r#"select lecturer_proportion::float8 as "proportion!" from platform.lecturer where learner_id = $1"#,
        learner
    )
    .fetch_optional(connection)
    .await?;
    Ok(agreed)
}

pub(crate) const PARAMS: &[Param] = &[DEFAULT_PROPORTION.entry("讲师默认分成比例", "讲师")];

pub struct Lecturers;

#[OpenApi(prefix_path = "/user/pc/lecturer", tag = "crate::Tag::Lecturers")]
impl Lecturers {
    /// 讲师列表
    #[oai(path = "/list", method = "post", operation_id = "listLecturers")]
    async fn list(
        &self,
        caller: Allowed<ListLecturers>,
        Body(asked): Body<Paged<LecturerFilter>>,
    ) -> Result<Reply<Page<Lecturer>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let mut list: Vec<Lecturer> = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        list.iter_mut().for_each(Lecturer::mask);
        Ok(reply(paging.page(total, list)))
    }

    /// 查看讲师
    #[oai(path = "/view", method = "get", operation_id = "viewLecturer")]
    async fn view(
        &self,
        caller: Allowed<ViewLecturer>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Lecturer>> {
        let mut tx = caller.read().await?;
        let mut lecturer = find(&mut tx, id.0).await?;
        lecturer.mask();
        Ok(reply(lecturer))
    }

    /// 新增讲师
    #[oai(path = "/save", method = "post", operation_id = "saveLecturer")]
    async fn save(&self, caller: Allowed<SaveLecturer>, Body(form): Body<LecturerForm>) -> Result<Reply<Warned>> {
        let usual = usual_proportion(caller.app()).await?;
        let (form, proportion) = completed(form, None, usual)?;
        let mut tx = caller.begin().await?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.lecturer (lecturer_name, initials, phone, email, position, head_img, introduce, lecturer_proportion,
                 created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8::float8::numeric, $9, $9) returning id",
            form.lecturer_name,
            pinyin::initials(&form.lecturer_name),
            form.phone,
            form.email,
            form.position,
            form.head_img,
            form.introduce,
            proportion,
            by
        )
        .fetch_one(&mut *tx)
        .await?;
        let after = find(&mut tx, id).await?;
        tx.commit(Change::created("lecturer", id, &after)).await?;
        Ok(reply(warned(&caller, id, &after).await?))
    }

    /// 编辑讲师
    #[oai(path = "/edit", method = "put", operation_id = "editLecturer")]
    async fn edit(&self, caller: Allowed<EditLecturer>, Body(edit): Body<Edit<LecturerForm>>) -> Result<Reply<Warned>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, edit.id).await?;
        let (form, proportion) = completed(edit.form, Some(&before), before.lecturer_proportion)?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.lecturer set lecturer_name = $3, initials = $4, phone = $5, email = $6, position = $7, head_img = $8,
                    introduce = $9, lecturer_proportion = $10::float8::numeric, updated_at = now(), updated_by = $11,
                    version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.lecturer_name,
            pinyin::initials(&form.lecturer_name),
            form.phone,
            form.email,
            form.position,
            form.head_img,
            form.introduce,
            proportion,
            by
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("lecturer", edit.id).await);
        }
        let after = find(&mut tx, edit.id).await?;
        tx.commit(Change::edited("lecturer", edit.id, &before, &after)).await?;
        Ok(reply(warned(&caller, edit.id, &after).await?))
    }

    /// 删除讲师
    #[oai(path = "/delete", method = "delete", operation_id = "deleteLecturer")]
    async fn delete(
        &self,
        caller: Allowed<DeleteLecturer>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除讲师
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteLecturers")]
    async fn delete_many(&self, caller: Allowed<DeleteLecturers>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "lecturer", "lecturer_name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用讲师
    /// 停用后其课程和试卷下架；启用后须另行上架
    #[oai(path = "/update/status", method = "put", operation_id = "changeLecturerStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeLecturerStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let mut changes = vec![tx.set_enabled("lecturer", &wanted).await?];
        if !wanted.enabled {
            changes.extend(course::take_off_sale(&mut tx, wanted.id).await?);
            changes.extend(exam::take_off_sale(&mut tx, wanted.id).await?);
        }
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出讲师
    #[oai(path = "/export", method = "post", operation_id = "exportLecturers")]
    async fn export(
        &self,
        caller: Allowed<ExportLecturers>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<LecturerFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// A learner who was found fit teaches: as a new lecturer, or as the one who they are already.
///
/// # Errors
/// Only internal ones.
pub(crate) async fn admit(tx: &mut Tx, learner: i64, form: LecturerForm, proportion: f64) -> Result<Change> {
    let known = sqlx::query_scalar!("select id from platform.lecturer where learner_id = $1 for update", learner)
        .fetch_optional(&mut **tx)
        .await?;
    let by = tx.by();
    let initials = pinyin::initials(&form.lecturer_name);
    let Some(id) = known else {
        let id = sqlx::query_scalar!(
            "insert into platform.lecturer (learner_id, lecturer_name, initials, phone, email, position, head_img, introduce,
                 lecturer_proportion, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9::float8::numeric, $10, $10) returning id",
            learner,
            form.lecturer_name,
            initials,
            form.phone,
            form.email,
            form.position,
            form.head_img,
            form.introduce,
            proportion,
            by
        )
        .fetch_one(&mut **tx)
        .await?;
        let after = find(tx, id).await?;
        return Ok(Change::created("lecturer", id, &after));
    };
    let before = find(tx, id).await?;
    sqlx::query!(
        "update platform.lecturer set lecturer_name = $2, initials = $3, phone = $4, email = $5, position = $6, head_img = $7,
                introduce = $8, lecturer_proportion = $9::float8::numeric, updated_at = now(), updated_by = $10,
                version = version + 1
         where id = $1",
        id,
        form.lecturer_name,
        initials,
        form.phone,
        form.email,
        form.position,
        form.head_img,
        form.introduce,
        proportion,
        by
    )
    .execute(&mut **tx)
    .await?;
    let after = find(tx, id).await?;
    Ok(Change::edited("lecturer", id, &before, &after))
}

/// What the introduction has of the library's words (01 §3.2.7).
async fn warned(caller: &Caller, id: i64, lecturer: &Lecturer) -> Result<Warned> {
    let text = lecturer.introduce.as_deref().unwrap_or_default();
    Ok(Warned { id, warnings: sensitive::warning(caller, "讲师简介", text).await?.into_iter().collect() })
}

/// # Errors
/// 409 with the number of their courses.
async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    unreferred(tx, "lecturer", id).await?;
    sqlx::query!("delete from platform.lecturer where id = $1", id)
        .execute(&mut **tx)
        .await
        .on_constraint(just_referred)?;
    Ok(Change::deleted("lecturer", id, &before))
}
