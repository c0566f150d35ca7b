//! 撤回, 截止, 重新开放 and 复制 (part 03 B6).

use chrono::TimeDelta;
use homework_rules::names::copy_title;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Saved, Scope, Tx,
    across::Item,
    clock::Moment,
    reply,
    steps::{Chosen, Step, Stepped, SteppedOfSchools, inside, over_schools},
};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    CloseHomework, CopyHomework, Held, Homework, HomeworkFilter, HomeworkForm, HomeworkTargetForm, Homeworks,
    ReopenHomework, WithdrawHomework,
    form::{form_of, insert},
    locked, of_row,
    publish::HomeworkChosen,
};
use crate::{
    enums::{HomeworkStatus, SubmitKind},
    sheet::{results, submit_sheet},
};

/// A homework as it was read.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct HomeworkItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for HomeworkItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

impl Item for HomeworkItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// Homework that is taken back.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct HomeworkWithdrawal {
    #[oai(flatten)]
    pub rows: Chosen<HomeworkItem, HomeworkFilter>,
}

impl Example for HomeworkWithdrawal {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![HomeworkItem::example()]) }
    }
}

/// Until when a homework is open again.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HomeworkReopening {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 新的截止时间
    pub ends_at: Moment,
}

impl Example for HomeworkReopening {
    fn example() -> Self {
        Self { id: 1, version: 1, ends_at: Moment::default() }
    }
}

/// Into which semester a homework is copied.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HomeworkCopy {
    /// 编号
    pub id: i64,
    /// 学期
    pub semester_id: i64,
}

impl Example for HomeworkCopy {
    fn example() -> Self {
        Self { id: 1, semester_id: 2 }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/exam/pc/tasks", tag = "crate::Tag::Homework")]
impl Steps {
    /// 撤回作业
    /// 尚无学生开始作答的可以撤回
    #[oai(path = "/withdraw", method = "put", operation_id = "withdrawHomework")]
    async fn withdraw(
        &self,
        caller: Allowed<WithdrawHomework>,
        Body(wanted): Body<HomeworkWithdrawal>,
    ) -> Result<Reply<Stepped>> {
        Ok(reply(inside(&caller, wanted.rows, WithdrawAll {}).await?))
    }

    /// 截止作业
    /// 作答中的答卷自动提交，未作答的记为缺交
    #[oai(path = "/close", method = "put", operation_id = "closeHomework")]
    async fn close(
        &self,
        caller: Allowed<CloseHomework>,
        Body(wanted): Body<HomeworkChosen>,
    ) -> Result<Reply<SteppedOfSchools>> {
        Ok(reply(over_schools(&caller, wanted.rows, CloseAll {}).await?))
    }

    /// 重新开放作业
    /// 缺交的学生可以继续作答
    #[oai(path = "/reopen", method = "put", operation_id = "reopenHomework")]
    async fn reopen(
        &self,
        caller: Allowed<ReopenHomework>,
        Body(wanted): Body<HomeworkReopening>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = opened_again(&mut tx, &wanted, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 复制作业
    /// 复制为所选学期的草稿，时间按学期顺延
    #[oai(path = "/copy", method = "post", operation_id = "copyHomework")]
    async fn copy(&self, caller: Allowed<CopyHomework>, Body(wanted): Body<HomeworkCopy>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let form = copied(&mut tx, &wanted, &caller.scope()).await?;
        let (id, change) = insert(&mut tx, form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}

async fn moved(tx: &mut Tx, held: &Held, to: HomeworkStatus) -> Result<Change> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update homework
         set status = $2, closed_at = case when $2 = 'closed' then $3::timestamptz end, updated_at = now(), updated_by = $4,
             version = version + 1
         where id = $1",
        held.id,
        to.as_str(),
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    if to == HomeworkStatus::Closed || held.status == HomeworkStatus::Closed {
        results::changed(tx, held.id, None).await?;
    }
    Ok(Change::status("homework", held.id, "status", held.status.as_str(), to.as_str()))
}

/// Takes a homework back before anybody began; its students have no row of it any more.
async fn withdraw(tx: &mut Tx, item: HomeworkItem, scope: &Scope) -> Result<Change> {
    let held = locked(tx, item.id, scope).await?;
    if held.status != HomeworkStatus::Published {
        return Err(Error::conflict(format!("作业{}，只有已发布的可以撤回", held.status.zh())));
    }
    held.as_read(tx, item.version).await?;
    // Whoever begins holds their row; from here on nobody begins.
    sqlx::query_scalar!("select id from homework_student where homework_id = $1 order by id for update", item.id)
        .fetch_all(&mut **tx)
        .await?;
    let started = sqlx::query_scalar!(
        r#"select count(*) as "started!" from homework_student s
           where s.homework_id = $1 and exists (select from answer_sheet a where a.homework_student_id = s.id)"#,
        item.id
    )
    .fetch_one(&mut **tx)
    .await?;
    if started > 0 {
        return Err(Error::conflict(format!("已有{started}名学生开始作答，不能撤回")));
    }
    sqlx::query!("delete from homework_student where homework_id = $1", item.id).execute(&mut **tx).await?;
    sqlx::query!("delete from homework_snapshot where homework_id = $1", item.id).execute(&mut **tx).await?;
    moved(tx, &held, HomeworkStatus::Withdrawn).await
}

/// Ends a homework: what is being answered is handed in as it is, who answered nothing missed it. What is done again because it
/// was given back has its own time. The homework is held.
pub(crate) async fn shut(tx: &mut Tx, held: &Held) -> Result<Vec<Change>> {
    // Whoever begins holds their row: what was begun until here is seen, and from here on nobody begins.
    sqlx::query_scalar!("select id from homework_student where homework_id = $1 order by id for update", held.id)
        .fetch_all(&mut **tx)
        .await?;
    let now = tx.app().clock().now();
    let open = sqlx::query_scalar!(
        "select a.id from answer_sheet a join homework_student s on s.id = a.homework_student_id
         where s.homework_id = $1 and a.mark_state = 'in_progress' and (not a.redo or a.deadline_at < $2)
         order by s.id, a.id",
        held.id,
        now as _
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut changes = Vec::new();
    for sheet in open {
        changes.extend(submit_sheet(tx, sheet, SubmitKind::AutoClose).await?.changes);
    }
    let by = tx.by();
    let missed = sqlx::query_scalar!(
        "update homework_student set state = 'missed', updated_at = now(), updated_by = $2, version = version + 1
         where homework_id = $1 and state = 'not_started' returning id",
        held.id,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    changes
        .extend(missed.into_iter().map(|id| Change::status("homework_student", id, "state", "not_started", "missed")));
    changes.push(moved(tx, held, HomeworkStatus::Closed).await?);
    Ok(changes)
}

async fn close(tx: &mut Tx, item: HomeworkItem, scope: &Scope) -> Result<Change> {
    let held = locked(tx, item.id, scope).await?;
    if held.status != HomeworkStatus::Published {
        return Err(Error::conflict(format!("作业{}，只有已发布的可以截止", held.status.zh())));
    }
    held.as_read(tx, item.version).await?;
    let mut changes = shut(tx, &held).await?;
    let last = changes.pop().ok_or_else(|| Error::internal("a homework was closed without a trace"))?;
    tx.record(&changes).await?;
    Ok(last)
}

async fn opened_again(tx: &mut Tx, wanted: &HomeworkReopening, scope: &Scope) -> Result<Change> {
    let held = locked(tx, wanted.id, scope).await?;
    if held.status != HomeworkStatus::Closed {
        return Err(Error::conflict(format!("作业{}，只有已截止的可以重新开放", held.status.zh())));
    }
    held.as_read(tx, wanted.version).await?;
    if wanted.ends_at <= tx.app().clock().now() {
        return Err(Error::field("endsAt", "新的截止时间应晚于当前时间"));
    }
    longer(tx, &held, wanted.ends_at).await?;
    let by = tx.by();
    let again = sqlx::query_scalar!(
        "update homework_student set state = 'not_started', updated_at = now(), updated_by = $2, version = version + 1
         where homework_id = $1 and state = 'missed' returning id",
        wanted.id,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let changes: Vec<Change> =
        again.into_iter().map(|id| Change::status("homework_student", id, "state", "missed", "not_started")).collect();
    tx.record(&changes).await?;
    moved(tx, &held, HomeworkStatus::Published).await
}

/// Gives a homework until a later moment; what ended before that ends with it, and who was told of the end is told of the new one.
/// The homework is held.
pub(crate) async fn longer(tx: &mut Tx, held: &Held, ends_at: Moment) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update homework_student set due_told_at = null where homework_id = $1 and due_told_at is not null",
        held.id
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update homework
         set ends_at = $2, starts_at = least(starts_at, $2::timestamptz - interval '1 minute'),
             late_until = case when late_until > $2::timestamptz then late_until end,
             mark_due_at = case when mark_due_at > $2::timestamptz then mark_due_at end,
             updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        held.id,
        ends_at as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    deadlines(tx, held.id).await
}

/// Brings the deadlines of what is being answered up to the times of a homework and of its students.
pub(crate) async fn deadlines(tx: &mut Tx, homework: i64) -> Result<()> {
    sqlx::query!(
        "update answer_sheet a
         set deadline_at = greatest(a.started_at, least(
                 case when h.duration_minutes is null then 'infinity'::timestamptz
                      else a.started_at + make_interval(mins => h.duration_minutes) end,
                 coalesce(case when a.redo then s.redo_until end, s.extended_until, h.late_until, h.ends_at))),
             updated_at = now()
         from homework_student s join homework h on h.id = s.homework_id
         where h.id = $1 and a.homework_student_id = s.id and a.mark_state = 'in_progress'",
        homework
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The form of a copy: the openings of the course in the other semester, its times as far from that one's first day.
async fn copied(tx: &mut Tx, wanted: &HomeworkCopy, scope: &Scope) -> Result<HomeworkForm> {
    super::viewable(tx, wanted.id, scope).await?;
    let form = form_of(tx, wanted.id).await?;
    let days = sqlx::query_scalar!(
        r#"select b.starts_on - a.starts_on as "days!" from semester a cross join semester b where a.id = $1 and b.id = $2"#,
        form.semester_id,
        wanted.semester_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("semesterId", "所选学期不存在，请重新选择"))?;
    let openings = sqlx::query_scalar!(
        "select id from course_opening
         where semester_id = $1 and course_id = $2 and status in ('draft', 'opened') order by id",
        wanted.semester_id,
        form.course_id
    )
    .fetch_all(&mut **tx)
    .await?;
    if openings.is_empty() {
        return Err(Error::field("semesterId", "该学期没有该课程的开课，不能复制"));
    }
    let taken = sqlx::query_scalar!(
        r#"select count(*) as "taken!" from homework
           where semester_id = $1 and course_id = $2 and (title = $3 or starts_with(title, $3 || '（复制'))"#,
        wanted.semester_id,
        form.course_id,
        form.title
    )
    .fetch_one(&mut **tx)
    .await?;
    let title = match taken {
        0 => form.title.clone(),
        more => copy_title(&form.title, more),
    };
    let later = TimeDelta::days(i64::from(days));
    let same_semester = wanted.semester_id == form.semester_id;
    let targets = if same_semester {
        form.targets.clone()
    } else {
        openings.into_iter().map(|opening_id| HomeworkTargetForm { opening_id, class_id: None }).collect()
    };
    let markers = if same_semester {
        form.markers.clone()
    } else {
        form.markers.iter().filter(|marker| marker.class_id.is_none()).cloned().collect()
    };
    Ok(HomeworkForm {
        semester_id: wanted.semester_id,
        title,
        starts_at: form.starts_at + later,
        ends_at: form.ends_at + later,
        late_until: form.late_until.map(|at| at + later),
        mark_due_at: form.mark_due_at.map(|at| at + later),
        targets,
        markers,
        ..form
    })
}

fn as_listed(row: &Homework) -> HomeworkItem {
    HomeworkItem { id: row.id, version: row.version }
}

/// Which step over several.
#[derive(Debug, Clone, Copy)]
enum Turn {
    Withdraw,
    Close,
}

async fn turn_all(tx: Tx, mut items: Vec<HomeworkItem>, turn: Turn, scope: &Scope) -> Result<BulkResult> {
    items.sort_by_key(|item| item.id);
    let mut bulk = Bulk::named(tx, "homework", "title");
    for item in items {
        let row = bulk.row().await?;
        let outcome = match turn {
            Turn::Withdraw => withdraw(row, item, scope).await,
            Turn::Close => close(row, item, scope).await,
        };
        bulk.ended(item.id, outcome.map_err(of_row)).await?;
    }
    bulk.commit().await
}

/// 批量撤回作业
#[derive(Debug, Object)]
pub(super) struct WithdrawAll {}

impl Step for WithdrawAll {
    const KIND: &'static str = "homework.withdraw";
    const TITLE: &'static str = "批量撤回作业";
    type Permission = WithdrawHomework;
    type Item = HomeworkItem;
    type List = Homeworks;

    fn item(row: &Homework) -> HomeworkItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<HomeworkItem>, scope: &Scope) -> Result<BulkResult> {
        turn_all(tx, items, Turn::Withdraw, scope).await
    }
}

/// 批量截止作业
#[derive(Debug, Object)]
pub(super) struct CloseAll {}

impl Step for CloseAll {
    const KIND: &'static str = "homework.shut";
    const TITLE: &'static str = "批量截止作业";
    const DIRECT: usize = 20;
    const AT_ONCE: usize = 1;
    type Permission = CloseHomework;
    type Item = HomeworkItem;
    type List = Homeworks;

    fn item(row: &Homework) -> HomeworkItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<HomeworkItem>, scope: &Scope) -> Result<BulkResult> {
        turn_all(tx, items, Turn::Close, scope).await
    }
}
