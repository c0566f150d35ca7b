//! 撤销导入计划: what a sheet granted is again what the sites had before, within what is left of the majors and never below who
//! was admitted (02 §5).

use std::collections::HashMap;

use infra::{Change, Error, Result, Scope, Tx, transfer::Imported};
use poem_openapi::Object;

use super::{SiteEnrollmentStatus, SiteEnrollmentView, grant, lock, review::nobody_admitted, take_away};

/// How many people of a major a site has, as the trail tells it of a sheet.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct Granted {
    /// 招生专业
    pub enrollment_major_id: i64,
    /// 核定人数
    pub quota_approved: i32,
}

/// What a sheet changes of a plan that stands: the lines that differ.
#[derive(Debug, Object)]
struct GrantedLines {
    /// 申报专业
    lines: Vec<Granted>,
}

/// The record of it; a line that was none before stands behind the change alone.
pub(super) fn changed(plan: i64, before: Vec<Granted>, after: Vec<Granted>) -> Change {
    Change::edited("site_enrollment", plan, &GrantedLines { lines: before }, &GrantedLines { lines: after })
}

/// A plan that the sheet made goes with its lines; one that stood has the numbers from before, and loses the lines that are new.
///
/// # Errors
/// 404 outside the scope; 409 when it changed since, people were admitted to it, or other sites have the rest of a major.
pub(super) async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
    let plan = lock(tx, record.id, scope).await?;
    if plan.plan.status != SiteEnrollmentStatus::Approved {
        return Err(Imported::changed());
    }
    if record.is_new("site_enrollment") {
        nobody_admitted(tx, &plan, "撤销").await?;
        return take_away(tx, &plan).await.map(Some);
    }
    let before: Vec<Granted> = record.before("lines")?.unwrap_or_default();
    let after: Vec<Granted> = record.after("lines")?.unwrap_or_default();
    if before == after {
        return Ok(None);
    }
    let had: HashMap<i64, i32> = before.iter().map(|line| (line.enrollment_major_id, line.quota_approved)).collect();
    judge(tx, &plan, &had, &after).await?;
    write(tx, record.id, &had, &after).await?;
    Ok(Some(changed(record.id, after, before)))
}

/// Whether each line that the sheet wrote may be what it was.
async fn judge(tx: &mut Tx, plan: &SiteEnrollmentView, had: &HashMap<i64, i32>, wrote: &[Granted]) -> Result<()> {
    let majors: Vec<i64> = wrote.iter().map(|line| line.enrollment_major_id).collect();
    let mut held = grant::hold(tx, &majors, Some(plan.plan.id)).await?;
    // Whoever takes places holds the majors too.
    let admitted = sqlx::query!(
        r#"select enrollment_major_id, count(*) as "people!" from admission
           where enrollment_major_id = any($1) and site_id = $2 and status in ('assigned', 'audited') and deleted_at is null
           group by enrollment_major_id"#,
        &majors,
        plan.plan.site_id
    )
    .fetch_all(&mut **tx)
    .await?;
    let admitted: HashMap<i64, i64> = admitted.into_iter().map(|row| (row.enrollment_major_id, row.people)).collect();
    let mut wrong = Vec::new();
    for line in wrote {
        let id = line.enrollment_major_id;
        let stands = plan.lines.iter().find(|one| one.enrollment_major_id == id);
        if stands.and_then(|one| one.quota_approved) != Some(line.quota_approved) {
            return Err(Imported::changed());
        }
        let major = held.get_mut(&id).ok_or_else(Error::not_found)?;
        let people = admitted.get(&id).copied().unwrap_or(0);
        match had.get(&id).copied() {
            None if people > 0 => wrong.push(format!("{}已有{people}名录取学生，不能撤销", major.name)),
            None => {}
            Some(former) if former < line.quota_approved && i64::from(former) < people => {
                wrong.push(format!("{}已有{people}名录取学生，不能恢复为{former}人", major.name));
            }
            Some(former) if former < line.quota_approved => {}
            Some(_) if !major.enabled => wrong.push(format!("{}已停用，不能核定人数", major.name)),
            Some(former) => wrong.extend(major.grant(former.into()).err().map(|why| why.to_string())),
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Error::conflict(wrong.join("；"))) }
}

async fn write(tx: &mut Tx, plan: i64, had: &HashMap<i64, i32>, wrote: &[Granted]) -> Result<()> {
    let new: Vec<i64> =
        wrote.iter().map(|line| line.enrollment_major_id).filter(|major| !had.contains_key(major)).collect();
    sqlx::query!(
        "delete from site_enrollment_line where site_enrollment_id = $1 and enrollment_major_id = any($2)",
        plan,
        &new
    )
    .execute(&mut **tx)
    .await?;
    let (majors, numbers): (Vec<i64>, Vec<i32>) = had.iter().map(|(major, number)| (*major, *number)).unzip();
    sqlx::query!(
        "update site_enrollment_line n set quota_approved = w.granted
         from unnest($2::bigint[], $3::integer[]) as w (major, granted)
         where n.site_enrollment_id = $1 and n.enrollment_major_id = w.major",
        plan,
        &majors,
        &numbers
    )
    .execute(&mut **tx)
    .await?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update site_enrollment set reviewed_by = $2, reviewed_at = $3, updated_at = now(), updated_by = $2, version = version + 1
         where id = $1",
        plan,
        by,
        now
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// People know a plan by its site.
pub(super) async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
    let name = sqlx::query_scalar!(
        "select s.name from site_enrollment p join site s on s.id = p.site_id where p.id = $1",
        record.id
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(name.unwrap_or_default())
}
