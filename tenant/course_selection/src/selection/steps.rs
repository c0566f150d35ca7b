//! 退选, 审核 and 驳回: over ticked selections in the call, over all that the list's filter names as a job.

use course_selection_rules::steps::{Turn, after};
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Scope, Tx,
    across::{Item, ItemOfSchool},
    reply,
    steps::{Chosen, Step, Stepped, SteppedOfSchools, inside, over_schools},
};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    AuditSelections, DropSelections, RejectSelections, SelectionFilter, Selections, locked, of_row, sheet::SheetLine,
};
use crate::{
    opening::{Opening, hold_of},
    score::submitted,
    tell_each,
};

/// A selection as it was read.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct SelectionItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for SelectionItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

impl Item for SelectionItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// Selections that are dropped, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SelectionsDrop {
    #[oai(flatten)]
    pub rows: Chosen<ItemOfSchool<SelectionItem>, SelectionFilter>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for SelectionsDrop {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![SelectionItem::example().into()]), reason: "本人申请".to_owned() }
    }
}

/// Selections that wait and are let through.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SelectionsAudit {
    #[oai(flatten)]
    pub rows: Chosen<SelectionItem, SelectionFilter>,
}

impl Example for SelectionsAudit {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![SelectionItem::example()]) }
    }
}

/// Selections that wait and are refused, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SelectionsReject {
    #[oai(flatten)]
    pub rows: Chosen<SelectionItem, SelectionFilter>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for SelectionsReject {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![SelectionItem::example()]), reason: "与必修课时间冲突".to_owned() }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/adult/selection", tag = "crate::Tag::CourseSelection")]
impl Steps {
    /// 退选
    #[oai(path = "/drop", method = "put", operation_id = "dropSelections")]
    async fn leave(
        &self,
        caller: Allowed<DropSelections>,
        Body(wanted): Body<SelectionsDrop>,
    ) -> Result<Reply<SteppedOfSchools>> {
        let SelectionsDrop { rows, reason } = wanted;
        Ok(reply(over_schools(&caller, rows, DropAll { reason }).await?))
    }

    /// 审核选课
    #[oai(path = "/audit", method = "put", operation_id = "auditSelections")]
    async fn audit(
        &self,
        caller: Allowed<AuditSelections>,
        Body(wanted): Body<SelectionsAudit>,
    ) -> Result<Reply<Stepped>> {
        Ok(reply(inside(&caller, wanted.rows, AuditAll {}).await?))
    }

    /// 驳回选课
    #[oai(path = "/reject", method = "put", operation_id = "rejectSelections")]
    async fn reject(
        &self,
        caller: Allowed<RejectSelections>,
        Body(wanted): Body<SelectionsReject>,
    ) -> Result<Reply<Stepped>> {
        let SelectionsReject { rows, reason } = wanted;
        Ok(reply(inside(&caller, rows, RejectAll { reason }).await?))
    }
}

/// A selection that went on, and what its student is told of it; who drops by themselves knows.
pub(super) struct Turned {
    pub change: Change,
    told: Option<(i64, String)>,
}

/// Moves one selection on; its opening is held. What is left over from before an opening was closed may still be refused.
///
/// # Errors
/// 404 outside the scope; 409 from a status that does not lead there, when the semester is closed, or it changed since.
pub(super) async fn turn(
    tx: &mut Tx,
    item: SelectionItem,
    (turn, reason): (Turn, Option<&str>),
    opening: Option<&Opening>,
    scope: &Scope,
) -> Result<Turned> {
    let before = locked(tx, item.id, scope).await?;
    let opening = opening.ok_or_else(Error::not_found)?;
    match turn {
        Turn::Reject => opening.in_open_semester()?,
        Turn::Drop | Turn::Pass => opening.roster_may_change()?,
    }
    let submitted = submitted(tx, &[item.id]).await?.contains(&item.id);
    let to = after(before.status, turn, submitted).map_err(|why| Error::conflict(why.to_string()))?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    let audits = turn != Turn::Drop;
    let changed = sqlx::query!(
        "update course_selection
         set status = $3, selected_at = case when $3 = 'selected' then $4::timestamptz else selected_at end,
             dropped_at = case when $3 = 'dropped' then $4::timestamptz end, drop_reason = $5,
             audited_by = case when $6 then $7 else audited_by end,
             audited_at = case when $6 then $4::timestamptz else audited_at end,
             updated_at = now(), updated_by = $7, version = version + 1
         where id = $1 and version = $2",
        item.id,
        item.version,
        to.as_str(),
        now as _,
        reason,
        audits,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("course_selection", item.id).await);
    }
    let name = &before.course_name;
    let told = match (turn, reason) {
        (Turn::Pass, _) => Some(format!("《{name}》审核通过")),
        (Turn::Reject, reason) => Some(format!("《{name}》审核未通过（{}）", reason.unwrap_or_default())),
        (Turn::Drop, Some(reason)) => Some(format!("退选《{name}》（{reason}）")),
        (Turn::Drop, None) => None,
    };
    let change = Change::status("course_selection", item.id, "status", before.status.as_str(), to.as_str());
    Ok(Turned { change: change.because(reason), told: told.map(|line| (before.student_id, line)) })
}

/// The same over several, each for itself; openings are held first, in their order.
async fn turn_all(
    mut tx: Tx,
    items: Vec<SelectionItem>,
    step: (Turn, Option<&str>),
    scope: &Scope,
) -> Result<BulkResult> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    let openings = hold_of(&mut tx, &ids).await?;
    let mut items = items;
    items.sort_by_key(|item| item.id);
    let of =
        sqlx::query!("select id, opening_id from course_selection where id = any($1) order by id for update", &ids)
            .fetch_all(&mut *tx)
            .await?;
    let (mut bulk, mut told) = (named(tx), Vec::new());
    for item in items {
        let opening = of.iter().find(|row| row.id == item.id).and_then(|row| openings.get(&row.opening_id));
        let outcome = turn(bulk.row().await?, item, step, opening, scope).await;
        let outcome = outcome.map(|turned| {
            told.extend(turned.told);
            turned.change
        });
        bulk.ended(item.id, outcome.map_err(of_row)).await?;
    }
    // Once to each student, behind the last of their courses.
    tell_each(bulk.row().await?, told).await?;
    bulk.commit().await
}

/// A bulk step over selections. People know one by its student.
fn named(tx: Tx) -> Bulk {
    let table = "(select c.id, s.name from course_selection c join student s on s.id = c.student_id) selection";
    Bulk::named(tx, table, "name")
}

fn as_listed(row: &SheetLine) -> SelectionItem {
    SelectionItem { id: row.selection().id, version: row.selection().version }
}

/// 批量退选
#[derive(Debug, Object)]
pub(super) struct DropAll {
    reason: String,
}

impl Step for DropAll {
    const KIND: &'static str = "course_selection.drop";
    const TITLE: &'static str = "批量退选";
    type Permission = DropSelections;
    type Item = SelectionItem;
    type List = Selections;

    fn item(row: &SheetLine) -> SelectionItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<SelectionItem>, scope: &Scope) -> Result<BulkResult> {
        turn_all(tx, items, (Turn::Drop, Some(&self.reason)), scope).await
    }
}

/// 批量审核选课
#[derive(Debug, Object)]
pub(super) struct AuditAll {}

impl Step for AuditAll {
    const KIND: &'static str = "course_selection.audit";
    const TITLE: &'static str = "批量审核选课";
    type Permission = AuditSelections;
    type Item = SelectionItem;
    type List = Selections;

    fn item(row: &SheetLine) -> SelectionItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<SelectionItem>, scope: &Scope) -> Result<BulkResult> {
        turn_all(tx, items, (Turn::Pass, None), scope).await
    }
}

/// 批量驳回选课
#[derive(Debug, Object)]
pub(super) struct RejectAll {
    reason: String,
}

impl Step for RejectAll {
    const KIND: &'static str = "course_selection.reject";
    const TITLE: &'static str = "批量驳回选课";
    type Permission = RejectSelections;
    type Item = SelectionItem;
    type List = Selections;

    fn item(row: &SheetLine) -> SelectionItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<SelectionItem>, scope: &Scope) -> Result<BulkResult> {
        turn_all(tx, items, (Turn::Reject, Some(&self.reason)), scope).await
    }
}
