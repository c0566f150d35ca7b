//! 停用、恢复、重试: a school's standing (01 §5.2).

use accounts::closing;
use infra::{
    Allowed, Body, Change, Error, Part, Reply, Result, Saved, Tx,
    jobs::{self, JobStarted},
    permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;

use crate::{
    provision,
    school::{ProvisionState, School, SchoolStatus, find, of_directory},
};

permissions! {
    pages "/sys/school/list";
    InPlatform Writes SuspendSchool   = "system:pc:sys:school:suspend" "停用院校";
    InPlatform Writes ResumeSchool    = "system:pc:sys:school:resume" "恢复院校";
    InPlatform Writes RetryProvision  = "system:pc:sys:school:provision:retry" "重试开通院校";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], ..Part::NONE };

/// A school and why it is closed for now.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct Suspension {
    /// 编号
    pub id: i64,
    /// 停用原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for Suspension {
    fn example() -> Self {
        Self { id: 1, reason: "服务到期未续费".to_owned() }
    }
}

pub struct Standing;

#[OpenApi(prefix_path = "/system/pc/sys/school", tag = "crate::Tag::Schools")]
impl Standing {
    /// 停用院校
    #[oai(path = "/suspend", method = "put", operation_id = "suspendSchool")]
    async fn suspend(&self, caller: Allowed<SuspendSchool>, Body(form): Body<Suspension>) -> Result<Reply<Saved>> {
        let tx = caller.begin().await?;
        suspend(tx, caller.user_id(), form.id, &form.reason).await?;
        Ok(reply(Saved { id: form.id }))
    }

    /// 恢复院校
    #[oai(path = "/resume", method = "put", operation_id = "resumeSchool")]
    async fn resume(
        &self,
        caller: Allowed<ResumeSchool>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let tx = caller.begin().await?;
        resume(tx, caller.user_id(), id.0).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 重试开通院校
    #[oai(path = "/provision/retry", method = "post", operation_id = "retrySchoolProvision")]
    async fn retry(
        &self,
        caller: Allowed<RetryProvision>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<JobStarted>> {
        let mut tx = caller.begin().await?;
        let school = held(&mut tx, caller.user_id(), id.0).await?;
        if school.provision_state != ProvisionState::Failed {
            return Err(Error::conflict(format!(
                "院校当前为{}，只有开通失败的院校可以重试",
                school.provision_state.zh()
            )));
        }
        sqlx::query!(
            "update platform.school set provision_state = 'pending', provision_error = null where id = $1",
            id.0
        )
        .execute(&mut *tx)
        .await?;
        let job = jobs::NewJob {
            kind: provision::KIND.kind,
            target: id.0.to_string(),
            title: format!("开通院校 {}", school.name),
            params: json!({ "schoolId": id.0 }),
        };
        let job_id = jobs::start_in(&mut tx, None, &job).await?;
        tx.notice("school", id.0);
        tx.commit(Change::status("school", id.0, "provisionState", "failed", "pending")).await?;
        jobs::wake(caller.app());
        Ok(reply(JobStarted { job_id }))
    }
}

/// Staff and persons of the school are signed out with their next call; its data stay.
pub async fn suspend(mut tx: Tx, user_id: i64, id: i64, reason: &str) -> Result<()> {
    let school = held(&mut tx, user_id, id).await?;
    if !matches!(school.status, SchoolStatus::Trial | SchoolStatus::Active) {
        return Err(not_from(&school, "停用"));
    }
    of_directory(tx.app(), id).await?;
    let by = tx.by();
    sqlx::query!(
        "update platform.school set status = 'suspended', status_before = status, status_reason = $2,
                updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        id,
        reason,
        by
    )
    .execute(&mut *tx)
    .await?;
    let now = tx.app().clock().now();
    // Entries of operators end too: a new one is read-only.
    closing::end_sessions(&mut tx, id, now).await?;
    tx.notice("school", id);
    let change = Change::status("school", id, "status", school.status.as_str(), "suspended").because(Some(reason));
    tx.commit(change).await
}

/// Back to what it was, unless its service has ended.
pub async fn resume(mut tx: Tx, user_id: i64, id: i64) -> Result<()> {
    let school = held(&mut tx, user_id, id).await?;
    if school.status != SchoolStatus::Suspended {
        return Err(not_from(&school, "恢复"));
    }
    let today = tx.app().clock().today();
    if school.expires_on.is_some_and(|end| end < today) {
        return Err(Error::conflict("服务已到期，请先续期"));
    }
    let by = tx.by();
    let status = sqlx::query_scalar!(
        "update platform.school set status = coalesce(status_before, 'active'), status_before = null, status_reason = null,
                updated_at = now(), updated_by = $2, version = version + 1 where id = $1 returning status",
        id,
        by
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.notice("school", id);
    tx.commit(Change::status("school", id, "status", "suspended", status)).await
}

/// The school, whose standing nobody else changes until the transaction ends: of two steps the second starts from what the first made.
///
/// # Errors
/// As [`find`].
pub(crate) async fn held(tx: &mut Tx, user_id: i64, id: i64) -> Result<School> {
    tx.lock("school", id).await?;
    find(tx, user_id, Some(id), None).await
}

pub(crate) fn not_from(school: &School, action: &str) -> Error {
    Error::conflict(format!("院校当前状态为{}，不能{action}", school.status.zh()))
}
