//! 归档、取消归档、导出数据、删除: how a school ends (01 §5.2).
//!
//! ```text
//! trial │ active │ suspended ─archive→ archived ─restore→ what it was
//!                                         └ 30 days, an export after the archiving, code and password ─delete→ tombstone
//! ```
//! Invariant: as long as `deletionProtection` is on, nothing here changes a school (00 §8).

mod delete;
mod export;

use accounts::{closing, password};
use infra::{
    Allowed, App, Body, Change, Error, Part, Reply, Result, Saved, Tx,
    access::Permission,
    jobs::{self, JobKind, JobStarted, NewJob},
    migrate,
    params::{IntParam, Param},
    permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use school_rules::term::days_left;
use serde_json::json;

use crate::{
    provision,
    school::{ProvisionState, School, SchoolStatus, find, of_directory},
    suspension::{Suspension, held, not_from},
};

pub use export::write as write_export;

/// Days between archiving and deleting.
pub const DELETE_WAIT_DAYS: IntParam = IntParam { code: "school.deleteWaitDays", default: 30, min: 7, max: 365 };

pub const PARAMS: &[Param] = &[DELETE_WAIT_DAYS.entry("归档后可删除的等待天数", "院校")];

pub const EXPORT: JobKind = JobKind {
    kind: "school.export",
    code: Some(ExportSchoolData::CODE),
    run: |run| Box::pin(export::work(run)),
    headings: None,
};
pub const DELETE: JobKind = JobKind {
    kind: "school.delete",
    code: Some(DeleteSchool::CODE),
    run: |run| Box::pin(delete::work(run)),
    headings: None,
};

permissions! {
    pages "/sys/school/list";
    InPlatform Writes ArchiveSchool    = "system:pc:sys:school:archive" "归档院校";
    InPlatform Writes RestoreSchool    = "system:pc:sys:school:restore" "取消归档院校";
    InPlatform Writes ExportSchoolData = "system:pc:sys:school:export:data" "导出院校全部数据";
    InPlatform Writes DeleteSchool     = "system:pc:sys:school:delete" "删除院校";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[EXPORT, DELETE], params: &[PARAMS], ..Part::NONE };

/// Says that a person means this school and no other.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SchoolDeletion {
    /// 编号
    pub id: i64,
    /// 院校代码
    /// 请输入要删除的院校的代码
    #[oai(validator(max_length = 20))]
    pub confirm_code: String,
    /// 本人登录密码
    #[oai(validator(max_length = 1024))]
    pub password: String,
}

impl Example for SchoolDeletion {
    fn example() -> Self {
        let password = "Base64 of the RSA-OAEP cipher text".to_owned();
        Self { id: 1, confirm_code: "10589".to_owned(), password }
    }
}

pub struct Closing;

#[OpenApi(prefix_path = "/system/pc/sys/school", tag = "crate::Tag::Schools")]
impl Closing {
    /// 归档院校
    #[oai(path = "/archive", method = "put", operation_id = "archiveSchool")]
    async fn archive(&self, caller: Allowed<ArchiveSchool>, Body(form): Body<Suspension>) -> Result<Reply<Saved>> {
        let tx = caller.begin().await?;
        archive(tx, caller.user_id(), form.id, &form.reason).await?;
        Ok(reply(Saved { id: form.id }))
    }

    /// 取消归档院校
    #[oai(path = "/restore", method = "put", operation_id = "restoreSchool")]
    async fn restore(
        &self,
        caller: Allowed<RestoreSchool>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let tx = caller.begin().await?;
        restore(tx, caller.user_id(), id.0).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 导出院校全部数据
    #[oai(path = "/export/data", method = "post", operation_id = "exportSchoolData")]
    async fn export_data(
        &self,
        caller: Allowed<ExportSchoolData>,
        /// 编号
        id: Query<i64>,
        /// 包含文件内容
        objects: Query<Option<bool>>,
    ) -> Result<Reply<JobStarted>> {
        let mut tx = caller.begin().await?;
        let school = find(&mut tx, caller.user_id(), Some(id.0), None).await?;
        of_directory(caller.app(), id.0).await?.key()?;
        let job = NewJob {
            kind: EXPORT.kind,
            target: id.0.to_string(),
            title: format!("导出院校数据 {}", school.name),
            params: json!({ "schoolId": id.0, "objects": objects.unwrap_or(false) }),
        };
        let job_id = jobs::start_in(&mut tx, None, &job).await?;
        tx.commit(Change::event("school", id.0, "export", json!({ "jobId": job_id }))).await?;
        jobs::wake(caller.app());
        Ok(reply(JobStarted { job_id }))
    }

    /// 删除院校
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSchool")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSchool>,
        Body(form): Body<SchoolDeletion>,
    ) -> Result<Reply<JobStarted>> {
        let app = caller.app();
        let typed = app.keys().decrypt(&form.password, app.random()).await?;
        let mut tx = caller.begin().await?;
        let school = may_be_deleted(&mut tx, caller.user_id(), form.id, &form.confirm_code).await?;
        let tx = password::confirmed(tx, caller.caller(), &typed, app.clock().now()).await.map_err(|error| {
            // The step knows the field of another form.
            if error.code == 422 { Error::field("password", "登录密码不正确") } else { error }
        })?;
        let job_id = delete(tx, &school).await?;
        jobs::wake(app);
        Ok(reply(JobStarted { job_id }))
    }
}

fn protected(school: &School) -> Result<()> {
    if school.deletion_protection {
        return Err(Error::conflict("院校已开启删除保护，请先在编辑中关闭删除保护"));
    }
    Ok(())
}

/// Read-only from now on, out of the platform's lists; staff and persons are signed out.
pub async fn archive(mut tx: Tx, user_id: i64, id: i64, reason: &str) -> Result<()> {
    let school = held(&mut tx, user_id, id).await?;
    if school.status == SchoolStatus::Archived {
        return Err(not_from(&school, "归档"));
    }
    if school.provision_state != ProvisionState::Ready {
        return Err(Error::conflict("院校未开通完成"));
    }
    protected(&school)?;
    let busy = sqlx::query_scalar!(
        r#"select exists (select from platform.job where state in ('queued', 'running')
               and (school_id = $1 or kind like 'school.%' and target = $1::bigint::text)) as "busy!""#,
        id
    )
    .fetch_one(&mut *tx)
    .await?;
    if busy {
        return Err(Error::conflict("有任务正在执行，请等待完成或取消后再归档"));
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update platform.school set status = 'archived', archived_from = status, status_reason = $2, archived_at = $3,
                updated_at = now(), updated_by = $4, version = version + 1 where id = $1",
        id,
        reason,
        now,
        by
    )
    .execute(&mut *tx)
    .await?;
    closing::end_sessions(&mut tx, id, now).await?;
    tx.notice("school", id);
    let change = Change::status("school", id, "status", school.status.as_str(), "archived").because(Some(reason));
    tx.commit(change).await
}

/// Back to what it was. A schema that fell behind meanwhile is migrated first.
pub async fn restore(mut tx: Tx, user_id: i64, id: i64) -> Result<()> {
    let school = find(&mut tx, user_id, Some(id), None).await?;
    if school.status != SchoolStatus::Archived {
        return Err(not_from(&school, "取消归档"));
    }
    let app = tx.app().clone();
    if of_directory(&app, id).await?.key().is_err() {
        catch_up(&app, id).await?;
    }
    // Held only now: the migration writes the same row.
    let school = held(&mut tx, user_id, id).await?;
    if school.status != SchoolStatus::Archived {
        return Err(not_from(&school, "取消归档"));
    }
    let by = tx.by();
    // What was suspended when it was archived keeps its reason in the trail; it is said anew where it is needed.
    let status = sqlx::query_scalar!(
        "update platform.school set status = archived_from, archived_from = null, archived_at = null, status_reason = null,
                updated_at = now(), updated_by = $2, version = version + 1 where id = $1 returning status",
        id,
        by
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.notice("school", id);
    tx.commit(Change::status("school", id, "status", "archived", status)).await
}

async fn catch_up(app: &App, id: i64) -> Result<()> {
    let mut owner = app.db().owner().acquire().await?;
    let schema =
        sqlx::query_scalar!("select schema_name from platform.school where id = $1", id).fetch_one(&mut *owner).await?;
    migrate::run(&mut owner, &schema, &migrate::SCHOOL).await.map_err(Error::internal)?;
    let hash = migrate::structure_hash(&mut owner, &schema).await?;
    provision::record_version(&mut owner, id, &migrate::target(&migrate::SCHOOL), &hash).await
}

/// The school, when everything but the password allows its end.
///
/// # Errors
/// 422 at `confirmCode` when it is another school's; 409 with what is to be done first.
pub async fn may_be_deleted(tx: &mut Tx, user_id: i64, id: i64, confirm_code: &str) -> Result<School> {
    let school = held(tx, user_id, id).await?;
    if confirm_code != school.code {
        return Err(Error::field("confirmCode", "院校代码输入不一致"));
    }
    protected(&school)?;
    let app = tx.app().clone();
    let archived_at = sqlx::query_scalar!("select archived_at from platform.school where id = $1", id)
        .fetch_one(&mut **tx)
        .await?
        .filter(|_| school.status == SchoolStatus::Archived);
    let Some(archived_at) = archived_at else { return Err(not_from(&school, "删除，请先归档")) };
    let wait = app.int(DELETE_WAIT_DAYS).await?;
    let left = days_left(archived_at, app.clock().now(), wait);
    if left > 0 {
        return Err(Error::conflict(format!("归档满{wait}天后才能删除，还需{left}天")));
    }
    let exported = sqlx::query_scalar!(
        r#"select exists (select from platform.job where kind = 'school.export' and target = $1::bigint::text and state = 'done'
               and created_at >= $2) as "exported!""#,
        id,
        archived_at
    )
    .fetch_one(&mut **tx)
    .await?;
    if !exported {
        return Err(Error::conflict("请先导出归档数据"));
    }
    Ok(school)
}

/// From here on the school is a tombstone; the job removes what it held. Answers the job's number.
pub async fn delete(mut tx: Tx, school: &School) -> Result<i64> {
    let now = tx.app().clock().now();
    let by = tx.by();
    sqlx::query!(
        "update platform.school set deleted_at = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        school.id,
        now,
        by
    )
    .execute(&mut *tx)
    .await?;
    closing::leave_school(&mut tx, school.id, now).await?;
    roles::closing::remove_own(&mut tx, school.id).await?;
    let job = NewJob {
        kind: DELETE.kind,
        target: school.id.to_string(),
        title: format!("删除院校 {}", school.name),
        params: json!({ "schoolId": school.id }),
    };
    let job_id = jobs::start_in(&mut tx, None, &job).await?;
    tx.notice("school", school.id);
    let what = json!({ "code": school.code, "name": school.name, "jobId": job_id });
    tx.commit(Change::event("school", school.id, "delete", what)).await?;
    Ok(job_id)
}
