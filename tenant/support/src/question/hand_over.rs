//! 分派: whose duty a question is.

use infra::{App, Bulk, BulkResult, Change, Error, Result, Tx, access::Caller};
use poem_openapi::{Object, types::Example};
use serde_json::json;
use support_rules::{enums::SupportAudience, question::may_be_assigned};

use super::Reach;
use crate::desk::reply_code;

/// Somebody who may reply.
#[derive(Debug, Clone, Object)]
pub struct HelpAssignee {
    /// 编号
    pub id: i64,
    /// 姓名
    pub name: String,
}

/// Whose duty questions become.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HelpAssigning {
    /// 编号
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
    /// 负责人
    pub user_id: i64,
}

impl Example for HelpAssigning {
    fn example() -> Self {
        Self { ids: vec![1], user_id: 1 }
    }
}

/// # Errors
/// 422 at `userId` for somebody who may not reply here; what keeps one question from it is its row's.
pub(crate) async fn assign(caller: &Caller, tx: Tx, reach: &Reach, form: HelpAssigning) -> Result<BulkResult> {
    let able = assignees(caller.app(), reach.audience, caller.session.school_id).await?;
    let chosen = able.into_iter().find(|person| person.id == form.user_id);
    let chosen = chosen.ok_or_else(|| Error::field("userId", "该人员不能回复此类咨询，请选择其他人员"))?;
    let mut bulk = Bulk::named(tx, "support_question", "title");
    for id in form.ids {
        let outcome = one(bulk.row().await?, reach, id, &chosen).await;
        bulk.ended(id, outcome).await?;
    }
    bulk.commit().await
}

async fn one(tx: &mut Tx, reach: &Reach, id: i64, chosen: &HelpAssignee) -> Result<Change> {
    let before = reach.held(tx, id).await?;
    may_be_assigned(before.status).map_err(|refusal| Error::conflict(refusal.to_string()))?;
    if before.assigned_to == Some(chosen.id) {
        return Ok(Change::nothing("support_question", id));
    }
    let by = tx.by();
    sqlx::query!(
        "update support_question set assigned_to = $2, assigned_name = $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        id,
        chosen.id,
        chosen.name,
        by
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "assignedTo": chosen.id, "assignedName": chosen.name });
    Ok(Change::event("support_question", id, "assign", what))
}

/// Enabled accounts with an enabled role of the area that may reply to questions of an audience.
///
/// # Errors
/// Those of the database.
pub(crate) async fn assignees(app: &App, audience: SupportAudience, school: Option<i64>) -> Result<Vec<HelpAssignee>> {
    let code = reply_code(audience);
    // Staff of a school ask the operators, whoever looks; nobody inside the school replies to them.
    let school = match (audience, school) {
        (SupportAudience::School, Some(_)) => return Ok(Vec::new()),
        (_, school) => school,
    };
    let mut tx = app.platform_read().await?;
    let found = sqlx::query_as!(
        HelpAssignee,
        r#"select u.id as "id!", u.real_name as "name!" from platform.sys_user u
           where u.enabled and u.user_type = case when $2::bigint is null then 'platform' else 'school' end
             and ($2::bigint is null
                  or exists (select from platform.sys_user_school b where b.user_id = u.id and b.school_id = $2 and b.enabled))
             and exists (
                 select from platform.sys_user_role ur
                 join platform.sys_role r on r.id = ur.role_id and r.enabled
                 join platform.sys_role_permission rp on rp.role_id = r.id
                 join platform.sys_permission p on p.id = rp.permission_id and p.enabled and p.permission_code = $1
                 where ur.user_id = u.id and r.client_type = case when $2::bigint is null then 0 else 1 end
                   and ($2::bigint is null or ur.school_id is null or ur.school_id = $2)
                   and (r.school_id is null or r.school_id = $2))
           order by u.real_name, u.id"#,
        code,
        school
    )
    .fetch_all(&mut *tx)
    .await?;
    Ok(found)
}
