//! 开课, 结课 and 取消开课: over ticked openings in the call, over all that the list's filter names as a job (part 03 B2).

use course_opening_rules::steps::{Turn, after};
use course_selection::{opening as roster_opening, roster};
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Scope, Tx,
    across::{Item, ItemOfSchool},
    reply,
    steps::{Chosen, Step, SteppedOfSchools, over_schools},
};
use poem_openapi::{Object, OpenApi, types::Example};
use student_status::student::check::NOT_YOURS;
use teaching_plan::effective;

use super::{CancelOpenings, CloseOpenings, CourseOpening, OpenOpenings, OpeningFilter, Openings, locked};
use crate::{allocation, enums::OpeningKind};

/// Openings that are ticked in one call; more are chosen by the filter.
const MOST: usize = 500;
/// Openings that a call itself opens: with each come its students.
const OPENED_DIRECTLY: usize = 50;

/// An opening as it was read.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct OpeningItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for OpeningItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

impl Item for OpeningItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// Openings that go on.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OpeningsChosen {
    #[oai(flatten)]
    pub rows: Chosen<ItemOfSchool<OpeningItem>, OpeningFilter>,
}

impl Example for OpeningsChosen {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![OpeningItem::example().into()]) }
    }
}

/// Openings that are cancelled, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OpeningsCancel {
    #[oai(flatten)]
    pub rows: Chosen<ItemOfSchool<OpeningItem>, OpeningFilter>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for OpeningsCancel {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![OpeningItem::example().into()]), reason: "教师调整".to_owned() }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/courseOpening", tag = "crate::Tag::CourseOpening")]
impl Steps {
    /// 开课
    /// 必修课程的在籍学生同时进入名单
    #[oai(path = "/open", method = "put", operation_id = "openOpenings")]
    async fn open(
        &self,
        caller: Allowed<OpenOpenings>,
        Body(wanted): Body<OpeningsChosen>,
    ) -> Result<Reply<SteppedOfSchools>> {
        few(&wanted.rows)?;
        Ok(reply(over_schools(&caller, wanted.rows, OpenAll {}).await?))
    }

    /// 结课
    #[oai(path = "/close", method = "put", operation_id = "closeOpenings")]
    async fn close(
        &self,
        caller: Allowed<CloseOpenings>,
        Body(wanted): Body<OpeningsChosen>,
    ) -> Result<Reply<SteppedOfSchools>> {
        few(&wanted.rows)?;
        Ok(reply(over_schools(&caller, wanted.rows, CloseAll {}).await?))
    }

    /// 取消开课
    /// 名单上的学生退选，任课安排删除
    #[oai(path = "/cancel", method = "put", operation_id = "cancelOpenings")]
    async fn cancel(
        &self,
        caller: Allowed<CancelOpenings>,
        Body(wanted): Body<OpeningsCancel>,
    ) -> Result<Reply<SteppedOfSchools>> {
        few(&wanted.rows)?;
        Ok(reply(over_schools(&caller, wanted.rows, CancelAll { reason: wanted.reason }).await?))
    }
}

/// # Errors
/// 422 at `items` for more than one call does at once.
fn few(rows: &Chosen<ItemOfSchool<OpeningItem>, OpeningFilter>) -> Result<()> {
    match &rows.items {
        Some(items) if items.len() > MOST => {
            Err(Error::field("items", format!("一次最多勾选{MOST}个开课，更多请按查询条件办理")))
        }
        _ => Ok(()),
    }
}

/// Moves one opening on, with what follows for its roster.
async fn turn(tx: &mut Tx, item: OpeningItem, (turn, reason): (Turn, Option<&str>), scope: &Scope) -> Result<Change> {
    let before = locked(tx, item.id, scope).await?;
    let to = after(&before.course_name, before.status, turn).map_err(|why| Error::conflict(why.to_string()))?;
    match turn {
        Turn::Open => may_open(tx, &before).await?,
        Turn::Cancel => nothing_done(tx, item.id).await?,
        Turn::Close => nothing_ahead(tx, item.id).await?,
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    let changed = sqlx::query!(
        "update course_opening
         set status = $3, opened_at = case when $3 = 'opened' then $4::timestamptz else opened_at end,
             closed_at = case when $3 = 'closed' then $4::timestamptz else closed_at end, cancel_reason = $5,
             updated_at = now(), updated_by = $6, version = version + 1
         where id = $1 and version = $2",
        item.id,
        item.version,
        to.as_str(),
        now as _,
        reason,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("course_opening", item.id).await);
    }
    let opening = roster_opening::held(tx, item.id).await?;
    let followed = match turn {
        Turn::Open => roster::enrol(tx, &opening).await?,
        Turn::Cancel => {
            // The timetable tells who sits in its classes as long as they do.
            let mut followed = timetable::opening::cancel_of_opening(tx, item.id, "开课取消").await?;
            followed.extend(roster::drop_of_opening(tx, &opening, "开课取消").await?);
            followed.extend(allocation::remove_of_opening(tx, item.id).await?);
            followed
        }
        Turn::Close => roster::reject_pending(tx, &opening).await?,
    };
    tx.record(&followed).await?;
    let change = Change::status("course_opening", item.id, "status", before.status.as_str(), to.as_str());
    Ok(change.because(reason))
}

/// # Errors
/// 409 without a class, or when the version in effect does not have the course in the term any more: what is opened could never
/// leave the plan again.
async fn may_open(tx: &mut Tx, opening: &CourseOpening) -> Result<()> {
    let (OpeningKind::Plan, Some(grade), Some(major), Some(term)) =
        (opening.kind, opening.grade_id, opening.major_id, opening.term_no)
    else {
        return Ok(());
    };
    let name = &opening.course_name;
    if !effective::has(tx, (grade, major), opening.course_id, term).await? {
        let told = format!("“{name}”不在该年级专业生效教学计划的第{term}学期，不能开课，请重新生成或删除");
        return Err(Error::conflict(told));
    }
    let classes = sqlx::query_scalar!(
        r#"select exists (select from class where grade_id = $1 and major_id = $2 and enabled) as "classes!""#,
        grade,
        major
    )
    .fetch_one(&mut **tx)
    .await?;
    if classes {
        return Ok(());
    }
    let whose = [opening.grade_name.as_deref(), opening.major_name.as_deref()];
    let whose: String = whose.into_iter().flatten().collect();
    Err(Error::conflict(format!("“{whose}”还没有班级，请先建立班级再开课")))
}

/// Whether anything hangs on the roster that would be lost: homework that was given, scores, also of face-to-face instruction.
///
/// # Errors
/// 409 with what there is.
async fn nothing_done(tx: &mut Tx, id: i64) -> Result<()> {
    let done = sqlx::query!(
        r#"select (select count(*) from course_selection c
                   where c.opening_id = $1
                     and (c.status = 'completed' or c.final_score is not null
                          or exists (select from instruction_score x
                                     where x.selection_id = c.id
                                       and (x.status <> 'draft' or x.performance_score is not null)))) as "scores!",
                  (select count(distinct h.id) from homework_target t join homework h on h.id = t.homework_id
                   where t.opening_id = $1 and h.status in ('published', 'closed')) as "homework!""#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    let mut told = Vec::new();
    if done.homework > 0 {
        told.push(format!("已发布{}个作业", done.homework));
    }
    if done.scores > 0 {
        told.push(format!("已有{}条成绩", done.scores));
    }
    if told.is_empty() { Ok(()) } else { Err(Error::conflict(format!("该课程{}，不能取消", told.join("、")))) }
}

/// # Errors
/// 409 as long as lessons lie ahead.
async fn nothing_ahead(tx: &mut Tx, id: i64) -> Result<()> {
    let now = tx.app().clock().now();
    match timetable::opening::lessons_ahead(tx, id, now).await? {
        0 => Ok(()),
        ahead => Err(Error::conflict(format!("该课程还有{ahead}次未上的面授课，不能结课"))),
    }
}

/// Holds, in their order, the students whom opening these puts onto rosters.
///
/// # Errors
/// 409 when somebody else holds one for too long.
async fn hold_cohorts(tx: &mut Tx, openings: &[i64]) -> Result<()> {
    sqlx::query_scalar!(
        "select s.id from student s
         where s.status in ('registered', 'pending_registration')
           and (s.grade_id, s.major_id) in (
               select o.grade_id, o.major_id from course_opening o where o.id = any($1) and o.nature = 'compulsory')
         order by s.id for no key update of s",
        openings
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(())
}

/// The same over several, each for itself and in the order of their ids. What is locked, is locked in the room's order: all
/// openings, then all students who come onto a roster.
async fn turn_all(
    mut tx: Tx,
    mut items: Vec<OpeningItem>,
    step: (Turn, Option<&str>),
    scope: &Scope,
) -> Result<BulkResult> {
    items.sort_by_key(|item| item.id);
    if items.len() > 1 {
        let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
        roster_opening::hold(&mut tx, &ids).await?;
        if step.0 == Turn::Open {
            hold_cohorts(&mut tx, &ids).await?;
        }
    }
    let table = "(select o.id, u.name from course_opening o join course u on u.id = o.course_id) opening";
    let mut bulk = Bulk::named(tx, table, "name");
    for item in items {
        let outcome = turn(bulk.row().await?, item, step, scope).await;
        // Somebody whom the caller does not reach is told so, without a name.
        let outcome = outcome.map_err(|error| if error.code == 404 { Error::new(404, NOT_YOURS) } else { error });
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}

fn as_listed(row: &CourseOpening) -> OpeningItem {
    OpeningItem { id: row.id, version: row.version }
}

/// 批量开课
#[derive(Debug, Object)]
pub(super) struct OpenAll {}

impl Step for OpenAll {
    const KIND: &'static str = "course_opening.open";
    const TITLE: &'static str = "批量开课";
    const DIRECT: usize = OPENED_DIRECTLY;
    const AT_ONCE: usize = 1;
    type Permission = OpenOpenings;
    type Item = OpeningItem;
    type List = Openings;

    fn item(row: &CourseOpening) -> OpeningItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<OpeningItem>, scope: &Scope) -> Result<BulkResult> {
        turn_all(tx, items, (Turn::Open, None), scope).await
    }
}

/// 批量结课
#[derive(Debug, Object)]
pub(super) struct CloseAll {}

impl Step for CloseAll {
    const KIND: &'static str = "course_opening.close";
    const TITLE: &'static str = "批量结课";
    type Permission = CloseOpenings;
    type Item = OpeningItem;
    type List = Openings;

    fn item(row: &CourseOpening) -> OpeningItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<OpeningItem>, scope: &Scope) -> Result<BulkResult> {
        turn_all(tx, items, (Turn::Close, None), scope).await
    }
}

/// 批量取消开课
#[derive(Debug, Object)]
pub(super) struct CancelAll {
    reason: String,
}

impl Step for CancelAll {
    const KIND: &'static str = "course_opening.cancel";
    const TITLE: &'static str = "批量取消开课";
    type Permission = CancelOpenings;
    type Item = OpeningItem;
    type List = Openings;

    fn item(row: &CourseOpening) -> OpeningItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<OpeningItem>, scope: &Scope) -> Result<BulkResult> {
        turn_all(tx, items, (Turn::Cancel, Some(&self.reason)), scope).await
    }
}
