//! 关闭 and 重新打开: a closed semester takes no more changes of its teaching.

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, across::Keyed, permissions, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{Semester, Semesters};

permissions! {
    pages "/schoolPC/basicData/term";
    InSchool Writes CloseSemester  = "adult:pc:semester:close" "关闭学期";
    InSchool Writes ReopenSemester = "adult:pc:semester:reopen" "重新打开学期";
}

/// Which semester, as it was read.
#[derive(Debug, Object)]
#[oai(example)]
struct Closing {
    /// 编号
    id: i64,
    /// 版本
    version: i32,
}

impl Example for Closing {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

/// Which semester, as it was read, and why.
#[derive(Debug, Object)]
#[oai(example)]
struct Reopening {
    /// 编号
    id: i64,
    /// 版本
    version: i32,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    reason: String,
}

impl Example for Reopening {
    fn example() -> Self {
        Self { id: 1, version: 1, reason: "补排一次面授".to_owned() }
    }
}

pub struct Standing;

#[OpenApi(prefix_path = "/adult/pc/semester", tag = "crate::Tag::Calendar")]
impl Standing {
    /// 关闭学期
    #[oai(path = "/close", method = "put", operation_id = "closeSemester")]
    async fn close(&self, caller: Allowed<CloseSemester>, Body(closing): Body<Closing>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        tx.lock("semester", closing.id).await?;
        let before = Semesters::find(&mut tx, closing.id, &Scope::whole_school()).await?;
        allow(&before, true)?;
        nothing_waits(&mut tx, closing.id).await?;
        stand(&mut tx, closing.id, closing.version, true).await?;
        tx.commit(Change::status("semester", closing.id, "closed", false, true)).await?;
        Ok(reply(Saved { id: closing.id }))
    }

    /// 重新打开学期
    #[oai(path = "/reopen", method = "put", operation_id = "reopenSemester")]
    async fn reopen(&self, caller: Allowed<ReopenSemester>, Body(opening): Body<Reopening>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        tx.lock("semester", opening.id).await?;
        let before = Semesters::find(&mut tx, opening.id, &Scope::whole_school()).await?;
        allow(&before, false)?;
        stand(&mut tx, opening.id, opening.version, false).await?;
        let change = Change::status("semester", opening.id, "closed", true, false).because(Some(&opening.reason));
        tx.commit(change).await?;
        Ok(reply(Saved { id: opening.id }))
    }
}

fn allow(semester: &Semester, closing: bool) -> Result<()> {
    match (semester.closed, closing) {
        (true, true) => Err(Error::conflict(format!("学期“{}”已经关闭", semester.name))),
        (false, false) => Err(Error::conflict(format!("学期“{}”没有关闭", semester.name))),
        _ => Ok(()),
    }
}

/// # Errors
/// 409 when courses of the semester still wait to be opened.
async fn nothing_waits(tx: &mut Tx, id: i64) -> Result<()> {
    let waiting = sqlx::query_scalar!(
        r#"select count(*) as "waiting!" from course_opening where semester_id = $1 and status = 'draft'"#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if waiting == 0 {
        return Ok(());
    }
    Err(Error::conflict(format!("该学期还有{waiting}个未开课的开课记录，不能关闭")))
}

async fn stand(tx: &mut Tx, id: i64, version: i32, closed: bool) -> Result<()> {
    let by = tx.by();
    let changed = sqlx::query!(
        "update semester set closed_at = case when $3 then now() end, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        closed,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("semester", id).await);
    }
    Ok(())
}
