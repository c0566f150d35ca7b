//! 提交, 审核, 退回, 启用停用 of a paper (part 03 A8).

use infra::{Allowed, Body, Change, EnabledChange, Error, Reply, Result, Saved, Tx, reply};
use paper_rules::steps::{Turn, after};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    AuditPaper, ChangePaperStatus, Held, RejectPaper, SubmitPaper, check::checked, compose::set_figures, held,
    is_reviewed,
};
use crate::{content::of_paper, enums::PaperStatus};

/// A paper as it was read.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct PaperItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for PaperItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

/// A paper that goes back.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct PaperReject {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    /// 2至500个字符
    #[oai(validator(min_length = 2, max_length = 500))]
    pub reason: String,
}

impl Example for PaperReject {
    fn example() -> Self {
        Self { id: 1, version: 1, reason: "第3题答案有误".to_owned() }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/exam/pc/exam/info", tag = "crate::Tag::Papers")]
impl Steps {
    /// 提交试卷
    #[oai(path = "/submit", method = "put", operation_id = "submitPaper")]
    async fn submit(&self, caller: Allowed<SubmitPaper>, Body(item): Body<PaperItem>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let paper = held(&mut tx, item.id).await?;
        paper.as_read(&mut tx, item.version).await?;
        let reviewed = is_reviewed(&mut tx, paper.kind).await?;
        let to = after(paper.status, Turn::Submit(reviewed)).map_err(Error::conflict)?;
        right(&mut tx, &paper).await?;
        let by = tx.by();
        let mut changes = vec![write(&mut tx, &paper, to, None).await?];
        sqlx::query!("update paper set submitted_by = $2 where id = $1", paper.id, by).execute(&mut *tx).await?;
        if to == PaperStatus::Approved {
            changes.extend(retire(&mut tx, &paper).await?);
        }
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: item.id }))
    }

    /// 审核试卷
    #[oai(path = "/audit", method = "put", operation_id = "auditPaper")]
    async fn audit(&self, caller: Allowed<AuditPaper>, Body(item): Body<PaperItem>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let paper = held(&mut tx, item.id).await?;
        paper.as_read(&mut tx, item.version).await?;
        let to = after(paper.status, Turn::Pass).map_err(Error::conflict)?;
        if is_reviewed(&mut tx, paper.kind).await? {
            own(&tx, &paper)?;
        }
        right(&mut tx, &paper).await?;
        let mut changes = vec![write(&mut tx, &paper, to, None).await?];
        changes.extend(retire(&mut tx, &paper).await?);
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: item.id }))
    }

    /// 退回试卷
    #[oai(path = "/reject", method = "put", operation_id = "rejectPaper")]
    async fn reject(&self, caller: Allowed<RejectPaper>, Body(wanted): Body<PaperReject>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let paper = held(&mut tx, wanted.id).await?;
        paper.as_read(&mut tx, wanted.version).await?;
        // Who submitted it takes it back this way.
        let to = after(paper.status, Turn::Return).map_err(Error::conflict)?;
        let change = write(&mut tx, &paper, to, Some(&wanted.reason)).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 启用停用试卷
    #[oai(path = "/update/status", method = "put", operation_id = "changePaperStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangePaperStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let paper = held(&mut tx, wanted.id).await?;
        if let Some(version) = wanted.version {
            paper.as_read(&mut tx, version).await?;
        }
        let turn = if wanted.enabled { Turn::Enable } else { Turn::Disable };
        let to = after(paper.status, turn).map_err(Error::conflict)?;
        if turn == Turn::Enable && paper.status == PaperStatus::Disabled {
            replaced(&mut tx, &paper).await?;
            // While it was out of use its questions, and the use of their banks, may have changed.
            right(&mut tx, &paper).await?;
        }
        let mut changes = vec![write(&mut tx, &paper, to, None).await?];
        if turn == Turn::Enable {
            changes.extend(retire(&mut tx, &paper).await?);
        }
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// Keeps what the paper comes to by now: its questions may have changed since it was put together.
///
/// # Errors
/// 422 with all that is wrong.
async fn right(tx: &mut Tx, paper: &Held) -> Result<()> {
    let sections = of_paper(tx, paper.id).await?;
    let (problems, sum) = checked(tx, paper, &sections).await?;
    if !problems.is_empty() {
        return Err(Error::refused(problems.join("；")));
    }
    set_figures(tx, paper.id, sum).await
}

/// # Errors
/// 409 when a later version of the same variant is in use.
async fn replaced(tx: &mut Tx, paper: &Held) -> Result<()> {
    let later = sqlx::query_scalar!(
        "select max(version_no) from paper
         where coalesce(family_id, id) = $1 and variant = $2 and version_no > $3 and status = 'approved'",
        paper.family_id,
        paper.variant,
        paper.version_no
    )
    .fetch_one(&mut **tx)
    .await?;
    match later {
        Some(later) => Err(Error::conflict(format!("第{later}版正在使用，不能启用旧版本"))),
        None => Ok(()),
    }
}

/// # Errors
/// 409 for whoever submitted it.
fn own(tx: &Tx, paper: &Held) -> Result<()> {
    if paper.submitted_by == Some(tx.by()) { Err(Error::conflict("不能审核自己提交的试卷")) } else { Ok(()) }
}

async fn write(tx: &mut Tx, paper: &Held, to: PaperStatus, reason: Option<&str>) -> Result<Change> {
    let by = tx.by();
    sqlx::query!(
        "update paper set status = $2, reject_reason = $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        paper.id,
        to.as_str(),
        reason,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("paper", paper.id, "status", paper.status.as_str(), to.as_str()).because(reason))
}

/// Earlier versions of the same variant give way to the one that is in use now.
async fn retire(tx: &mut Tx, paper: &Held) -> Result<Vec<Change>> {
    let by = tx.by();
    let ids = sqlx::query_scalar!(
        "update paper set status = 'disabled', updated_at = now(), updated_by = $4, version = version + 1
         where coalesce(family_id, id) = $1 and variant = $2 and version_no < $3 and status = 'approved'
         returning id",
        paper.family_id,
        paper.variant,
        paper.version_no,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(ids.into_iter().map(|id| Change::status("paper", id, "status", "approved", "disabled")).collect())
}
