//! 注销, 恢复: the authority withdrew an admission, or did not after all (02 §6).

use std::collections::HashMap;

use admission_rules::cancel::allow;
use enrolment::admitting::share_open;
use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    EditAdmission,
    matching::{matched, released},
    person::{Person, changed, held_one, write},
};
use crate::enums::{AdmissionStatus, AdmissionTurn};

/// What was decided, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct AdmissionStep {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 注销或恢复
    #[oai(default = "cancelled")]
    pub action: AdmissionTurn,
    /// 原因
    /// 2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

fn cancelled() -> AdmissionTurn {
    AdmissionTurn::Cancel
}

impl Example for AdmissionStep {
    fn example() -> Self {
        Self { id: 1, version: 1, action: AdmissionTurn::Cancel, remark: Some("招办撤销录取".to_owned()) }
    }
}

pub struct Cancel;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Cancel {
    /// 注销录取
    /// 恢复时重新匹配预报名
    #[oai(path = "/cancel", method = "post", operation_id = "cancelAdmission")]
    async fn cancel(&self, caller: Allowed<EditAdmission>, Body(wanted): Body<AdmissionStep>) -> Result<Reply<Saved>> {
        let remark = wanted.remark.filter(|remark| remark.chars().count() >= 2);
        let remark = remark.ok_or_else(|| Error::field("remark", "请填写原因"))?;
        let mut tx = caller.begin().await?;
        let before = held_one(&mut tx, wanted.id, Some(wanted.version), &caller.scope()).await?;
        allow(before.status, wanted.action).map_err(Error::conflict)?;
        let changes = match wanted.action {
            AdmissionTurn::Cancel => cancel(&mut tx, before, &remark).await?,
            AdmissionTurn::Restore => restore(&mut tx, before, &remark).await?,
        };
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// Without lead and place from now on.
async fn cancel(tx: &mut Tx, before: Person, remark: &str) -> Result<Vec<Change>> {
    let mut changes = released(tx, std::slice::from_ref(&before)).await?;
    let mut after = before.clone();
    after.unlink();
    after.site_id = None;
    after.note(crate::enums::AdmissionIssue::OverQuota, false);
    after.status = AdmissionStatus::Cancelled;
    put(tx, &after, Some(remark)).await?;
    changes.insert(0, changed(&before, &after).because(Some(remark)));
    Ok(changes)
}

/// As it came: it looks for its lead again, and for the lead's site.
async fn restore(tx: &mut Tx, before: Person, remark: &str) -> Result<Vec<Change>> {
    // A batch that is closed has nobody who waits.
    share_open(tx, before.batch_id).await?;
    let mut people = [Person { status: AdmissionStatus::Imported, ..before.clone() }];
    put(tx, &people[0], None).await?;
    let mut changes = matched(tx, &mut people, &HashMap::new(), &[]).await?;
    write(tx, &people).await?;
    changes.insert(0, changed(&before, &people[0]).because(Some(remark)));
    Ok(changes)
}

async fn put(tx: &mut Tx, after: &Person, remark: Option<&str>) -> Result<()> {
    write(tx, std::slice::from_ref(after)).await?;
    sqlx::query!("update admission set cancel_remark = $2 where id = $1", after.id, remark).execute(&mut **tx).await?;
    Ok(())
}
