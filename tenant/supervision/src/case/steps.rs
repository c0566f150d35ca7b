//! What people do to cases: watch a student, ignore a flag, hand over, take up and close (part 05 C3).

use infra::{Bulk, BulkResult, Change, Error, Result, Scope, Tx};
use poem_openapi::{Object, types::Example};
use serde_json::json;
use student_status::student::check::NOT_YOURS;
use supervision_rules::enums::{SuperviseClosedReason, SuperviseLevel, SuperviseStatus};

use super::{HeldCase, hold, recount};
use crate::{facts::current, scan::assigned, setting::NOTIFY_MANAGER};

/// Cases with the name of their student, for what a bulk step tells.
const NAMED: &str = "(select c.id, s.name from supervise_case c join student s on s.id = c.student_id) supervise_case";

/// A student whom somebody watches.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SuperviseManual {
    /// 学生
    pub student_id: i64,
    /// 级别
    pub level: SuperviseLevel,
    /// 关注原因
    /// 2至200个字符
    #[oai(validator(min_length = 2, max_length = 200))]
    pub content: String,
}

impl Example for SuperviseManual {
    fn example() -> Self {
        Self { student_id: 1, level: SuperviseLevel::Orange, content: "家中有变故，需多联系".to_owned() }
    }
}

/// A flag that is ignored, or no longer.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SuperviseMute {
    /// 预警编号
    pub flag_id: i64,
    /// 忽略
    pub muted: bool,
    /// 原因
    /// 忽略时必填
    #[oai(validator(max_length = 200))]
    pub reason: Option<String>,
}

impl Example for SuperviseMute {
    fn example() -> Self {
        Self { flag_id: 1, muted: true, reason: Some("已电话确认本周补学".to_owned()) }
    }
}

/// A case as it was read.
#[derive(Debug, Clone, Object)]
pub struct SuperviseItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

/// Whose the cases become.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SuperviseAllocation {
    /// 案例
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<SuperviseItem>,
    /// 班主任
    pub manager_id: i64,
    /// 说明
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for SuperviseAllocation {
    fn example() -> Self {
        Self { items: vec![SuperviseItem { id: 1, version: 1 }], manager_id: 1, remark: None }
    }
}

/// What the cases become.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SuperviseStatusChange {
    /// 案例
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<SuperviseItem>,
    /// 状态
    /// 跟进中或已关闭
    pub status: SuperviseStatus,
    /// 说明
    /// 关闭时必填
    #[oai(validator(max_length = 200))]
    pub reason: Option<String>,
}

impl Example for SuperviseStatusChange {
    fn example() -> Self {
        let items = vec![SuperviseItem { id: 1, version: 1 }];
        Self { items, status: SuperviseStatus::Closed, reason: Some("已复课，无需督学".to_owned()) }
    }
}

/// Puts a flag of people onto the case of a student, and opens one where there is none; of a new one the manager of the class is told.
///
/// # Errors
/// 404 for a student outside the scope; 409 for one who does not study, and without a current semester.
pub(super) async fn watch(tx: &mut Tx, form: &SuperviseManual, scope: &Scope) -> Result<(i64, Vec<Change>)> {
    let (now, by) = (tx.app().clock().now(), tx.by());
    let semester = current(tx).await?.ok_or_else(|| Error::conflict("没有进行中的当前学期，不能新增督学案例"))?;
    let student = sqlx::query!(
        r#"select s.site_id, s.class_id, k.manager_id as "manager_id?", k.name as "class_name?",
                  s.status in ('registered', 'pending_registration', 'expired') as "studies!"
           from student s left join class k on k.id = s.class_id where s.id = $1"#,
        form.student_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .filter(|student| scope.sees(Some(student.site_id), student.class_id))
    .ok_or_else(|| Error::new(404, NOT_YOURS))?;
    if !student.studies {
        return Err(Error::conflict("该生不在读，不能新增督学案例"));
    }
    let made = sqlx::query_scalar!(
        "insert into supervise_case (student_id, semester_id, level, manager_id, class_id, first_flagged_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7)
         on conflict (student_id, semester_id) do nothing returning id",
        form.student_id,
        semester.id,
        form.level.as_str(),
        student.manager_id,
        student.class_id,
        now as _,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    let mut changes = Vec::new();
    let id = match made {
        Some(id) => {
            changes.push(Change::created("supervise_case", id, form));
            if let (Some(manager), Some(class)) = (student.manager_id, student.class_name)
                && NOTIFY_MANAGER.is_on(tx).await?
            {
                let key = format!("supervise_assigned:{}:case:{id}", semester.id);
                assigned(tx, manager, (class, 1), &key).await?;
            }
            id
        }
        None => {
            let case = sqlx::query!(
                r#"select id, status as "status: SuperviseStatus", last_contact_at is not null as "contacted!"
                   from supervise_case where student_id = $1 and semester_id = $2 for update"#,
                form.student_id,
                semester.id
            )
            .fetch_one(&mut **tx)
            .await?;
            if matches!(case.status, SuperviseStatus::Relieved | SuperviseStatus::Closed) {
                let status = if case.contacted { SuperviseStatus::Following } else { SuperviseStatus::Open };
                sqlx::query!(
                    "update supervise_case set status = $2, closed_reason = null, closed_at = null, relieved_at = null,
                            updated_at = now(), updated_by = $3, version = version + 1
                     where id = $1",
                    case.id,
                    status.as_str(),
                    by
                )
                .execute(&mut **tx)
                .await?;
                let change = Change::status("supervise_case", case.id, "status", case.status.as_str(), status.as_str());
                changes.push(change);
            }
            case.id
        }
    };
    let flag = sqlx::query_scalar!(
        "insert into supervise_flag as f (case_id, kind, ref_type, ref_id, title, value, level, since, updated_at)
         values ($1, 'manual', 'student', $2, $3, 0, $4, $5, $5)
         on conflict (case_id, kind, ref_id) do update
         set title = excluded.title, level = excluded.level, since = excluded.since, updated_at = excluded.updated_at,
             cleared_at = null, muted = false, mute_reason = null, muted_by = null
         returning id",
        id,
        form.student_id,
        form.content,
        form.level.as_str(),
        now as _
    )
    .fetch_one(&mut **tx)
    .await?;
    recount(tx, id).await?;
    changes.push(Change::created("supervise_flag", flag, form));
    Ok((id, changes))
}

/// Ignores a flag until the semester ends, or no longer.
///
/// # Errors
/// 422 without a reason; 404 for a flag outside the scope; 409 for one that is cleared, and in a case that is closed.
pub(super) async fn muted(tx: &mut Tx, wanted: &SuperviseMute, scope: &Scope) -> Result<Change> {
    let reason = wanted.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
    if wanted.muted && reason.is_none() {
        return Err(Error::field("reason", "请填写忽略原因"));
    }
    let flag = sqlx::query!("select case_id from supervise_flag where id = $1", wanted.flag_id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    let case = hold(tx, flag.case_id, scope).await?;
    if case.status == SuperviseStatus::Closed {
        return Err(Error::conflict("案例已关闭，不能忽略或取消忽略预警"));
    }
    let before = sqlx::query!(
        r#"select muted, cleared_at is not null as "cleared!" from supervise_flag where id = $1"#,
        wanted.flag_id
    )
    .fetch_one(&mut **tx)
    .await?;
    if before.cleared {
        return Err(Error::conflict("该预警已解除，无需忽略"));
    }
    if before.muted == wanted.muted {
        return Ok(Change::nothing("supervise_flag", wanted.flag_id));
    }
    let now = tx.app().clock().now();
    let name = tx.actor().name.clone();
    sqlx::query!(
        "update supervise_flag
         set muted = $2, mute_reason = case when $2 then $3 end, muted_by = case when $2 then $4 end, updated_at = $5
         where id = $1",
        wanted.flag_id,
        wanted.muted,
        reason,
        name,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    recount(tx, flag.case_id).await?;
    let change = Change::status("supervise_flag", wanted.flag_id, "muted", before.muted, wanted.muted);
    Ok(change.because(reason))
}

/// Hands cases over to a manager, each for itself.
///
/// # Errors
/// 422 for a manager who is none, or works no more.
pub(super) async fn handed_over(tx: Tx, wanted: SuperviseAllocation, scope: &Scope) -> Result<BulkResult> {
    let mut tx = tx;
    let manager = sqlx::query!(
        r#"select m.name, m.status = 'active' as "active!",
                  array(select x.site_id from class_manager_site x where x.manager_id = m.id) as "sites!"
           from class_manager m where m.id = $1"#,
        wanted.manager_id
    )
    .fetch_optional(&mut *tx)
    .await?
    .filter(|manager| manager.active)
    .ok_or_else(|| Error::field("managerId", "请选择在职的班主任"))?;
    let mut bulk = Bulk::named(tx, NAMED, "name");
    for item in in_order(&wanted.items) {
        let row = bulk.row().await?;
        let outcome = hand_over(row, item, (&wanted, manager.sites.as_slice()), scope).await;
        bulk.ended(item.id, outcome.map_err(of_row)).await?;
    }
    bulk.commit().await
}

async fn hand_over(
    tx: &mut Tx,
    item: &SuperviseItem,
    (wanted, sites): (&SuperviseAllocation, &[i64]),
    scope: &Scope,
) -> Result<Change> {
    let case = taken(tx, item, scope).await?;
    if !goes_on(case.status) {
        return Err(Error::conflict(format!("案例{}，不能转交", case.status.zh())));
    }
    if !sites.contains(&case.site_id) {
        return Err(Error::conflict("该班主任不负责此站点"));
    }
    if case.manager_id == Some(wanted.manager_id) {
        return Ok(Change::nothing("supervise_case", case.id));
    }
    let (now, by, name) = (tx.app().clock().now(), tx.by(), tx.actor().name.clone());
    sqlx::query!(
        "update supervise_case
         set manager_id = $2, class_id = $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        case.id,
        wanted.manager_id,
        case.class_id,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into supervise_transfer (case_id, from_manager_id, to_manager_id, by_name, transferred_at, remark)
         values ($1, $2, $3, $4, $5, $6)",
        case.id,
        case.manager_id,
        wanted.manager_id,
        name,
        now as _,
        wanted.remark
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "managerId": wanted.manager_id, "remark": wanted.remark });
    Ok(Change::event("supervise_case", case.id, "hand_over", what))
}

/// Takes cases up, or closes them, each for itself. One alone is refused as a whole.
///
/// # Errors
/// 422 for another status, or a closing without a reason.
pub(super) async fn closed(tx: Tx, wanted: SuperviseStatusChange, scope: &Scope) -> Result<BulkResult> {
    let reason = wanted.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
    match wanted.status {
        SuperviseStatus::Following => {}
        SuperviseStatus::Closed if reason.is_some() => {}
        SuperviseStatus::Closed => return Err(Error::field("reason", "请填写关闭原因")),
        SuperviseStatus::Open | SuperviseStatus::Relieved => {
            return Err(Error::field("status", "只能变更为跟进中或已关闭"));
        }
    }
    if let [item] = wanted.items.as_slice() {
        let mut tx = tx;
        let change = change(&mut tx, item, (wanted.status, reason), scope).await?;
        tx.commit(change).await?;
        return Ok(BulkResult { done: 1, failed: Vec::new() });
    }
    let mut bulk = Bulk::named(tx, NAMED, "name");
    for item in in_order(&wanted.items) {
        let outcome = change(bulk.row().await?, item, (wanted.status, reason), scope).await;
        bulk.ended(item.id, outcome.map_err(of_row)).await?;
    }
    bulk.commit().await
}

async fn change(
    tx: &mut Tx,
    item: &SuperviseItem,
    (status, reason): (SuperviseStatus, Option<&str>),
    scope: &Scope,
) -> Result<Change> {
    let case = taken(tx, item, scope).await?;
    if case.status == status {
        return Err(Error::conflict(format!("案例已是{}", status.zh())));
    }
    if !goes_on(case.status) {
        return Err(Error::conflict(format!("案例{}，不能变更", case.status.zh())));
    }
    let closes = status == SuperviseStatus::Closed;
    if closes && case.red && !case.contacted {
        return Err(Error::conflict("红色预警须至少联系一次后才能关闭"));
    }
    let (now, by) = (tx.app().clock().now(), tx.by());
    let closed = closes.then_some(SuperviseClosedReason::NoNeed.as_str());
    sqlx::query!(
        "update supervise_case
         set status = $2, closed_reason = $3, closed_at = case when $3::text is not null then $4::timestamptz end, remark = $5,
             updated_at = now(), updated_by = $6, version = version + 1
         where id = $1",
        case.id,
        status.as_str(),
        closed,
        now as _,
        reason,
        by
    )
    .execute(&mut **tx)
    .await?;
    let change = Change::status("supervise_case", case.id, "status", case.status.as_str(), status.as_str());
    Ok(change.because(reason))
}

/// In the order in which a scan and reminders hold cases, so that nobody waits for each other.
fn in_order(items: &[SuperviseItem]) -> Vec<&SuperviseItem> {
    let mut items: Vec<&SuperviseItem> = items.iter().collect();
    items.sort_by_key(|item| item.id);
    items
}

fn goes_on(status: SuperviseStatus) -> bool {
    matches!(status, SuperviseStatus::Open | SuperviseStatus::Following)
}

/// A case within the scope, as it was read.
///
/// # Errors
/// 404 outside the scope; 409 when somebody changed it meanwhile.
async fn taken(tx: &mut Tx, item: &SuperviseItem, scope: &Scope) -> Result<HeldCase> {
    let case = hold(tx, item.id, scope).await?;
    if case.version != item.version {
        return Err(tx.stale("supervise_case", item.id).await);
    }
    Ok(case)
}

/// Somebody whom a bulk step does not reach is told so, without a name.
fn of_row(error: Error) -> Error {
    if error.code == 404 { Error::new(404, NOT_YOURS) } else { error }
}
